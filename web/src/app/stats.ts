/**
 * web/src/app/stats.ts: what the page costs. `window.volnavStats` shows it to tests: milliseconds of script a frame
 * (`frame`), of calls into the library among them (`navigation`), and counts of both.
 */

const KEPT = 600;

/** The last measurements of one thing. */
export class Series {
  private readonly ring = new Float64Array(KEPT);
  count = 0;

  add(value: number): void {
    this.ring[this.count % KEPT] = value;
    ++this.count;
  }

  get last(): number {
    return this.count === 0 ? 0 : this.ring[(this.count - 1) % KEPT]!;
  }

  /** The newest, oldest first. */
  recent(most: number): number[] {
    const kept = Math.min(most, KEPT, this.count);
    return Array.from({ length: kept }, (_, i) => this.ring[(this.count - kept + i) % KEPT]!);
  }

  /** Of those kept: p of 0.99 is the value that one of a hundred exceeds. */
  quantile(p: number): number {
    const sorted = this.recent(KEPT).sort((a, b) => a - b);
    return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))]!;
  }

  clear(): void {
    this.count = 0;
  }
}

export class Stats {
  /** milliseconds of script in a frame, the renderer's apart */
  readonly frame = new Series();
  /** milliseconds of the renderer's calls; where pictures are drawn in software they wait for it */
  readonly drawing = new Series();
  /** milliseconds of it inside the library */
  readonly navigation = new Series();
  /** milliseconds from one frame to the next */
  readonly interval = new Series();
  /** the newest wireframe: its boxes, milliseconds from the wish to the picture, and those that the page itself took for it */
  wire = { boxes: 0, waited: 0, here: 0, apart: false };
  private spent = 0;

  /** Runs a call into the library and counts its time to the frame. */
  inside<T>(call: () => T): T {
    const begin = performance.now();
    try {
      return call();
    } finally {
      this.spent += performance.now() - begin;
    }
  }

  endFrame(milliseconds: number): void {
    this.frame.add(milliseconds);
    this.navigation.add(this.spent);
    this.spent = 0;
  }

  clear(): void {
    this.frame.clear();
    this.drawing.clear();
    this.navigation.clear();
    this.interval.clear();
  }

  summary(): Record<string, number> {
    return {
      frames: this.frame.count,
      frameP50: this.frame.quantile(0.5),
      frameP99: this.frame.quantile(0.99),
      drawingP50: this.drawing.quantile(0.5),
      navigationP50: this.navigation.quantile(0.5),
      navigationP99: this.navigation.quantile(0.99),
    };
  }
}
