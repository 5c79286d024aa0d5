/** web/src/fly/clock.ts: simulated time: how many steps are due, and how far the picture is into the next one. */

/** More steps than this in one frame are not made up for: the flight gets slower instead of the page. */
const MOST_STEPS = 8;
const MOST_MILLISECONDS = 6;

export class Clock {
  paused = false;
  /** simulated seconds for one of the page */
  rate = 1;
  /** of the step: 0 is the state before, 1 the newest */
  part = 1;
  private due = 0;

  reset(): void {
    this.due = 0;
    this.part = 1;
  }

  /** Calls `advance` for each step that is due; false from it ends the flight. */
  run(seconds: number, step: number, advance: () => boolean): void {
    if (this.paused) return;
    this.due += seconds * this.rate;
    const begin = performance.now();
    for (let i = 0; this.due >= step; ++i) {
      if (i >= MOST_STEPS || performance.now() - begin > MOST_MILLISECONDS) {
        this.due = 0;
        break;
      }
      this.due -= step;
      if (!advance()) {
        this.due = 0;
        break;
      }
    }
    this.part = Math.min(1, this.due / step);
  }
}
