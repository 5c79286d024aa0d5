/** web/src/fly/flight.ts: what can be flown, whoever flies it: a judged run of the library, or the page's own nav. */
import type { Geometry, Run, RunEnd, RunOptions, RunView, Vector, Volnav, Zone } from "volnav";

/** Counts of a flight so far. */
export interface Figures {
  end: RunEnd;
  /** in words, when it has ended */
  reason: string;
  seconds: number;
  length: number;
  fuel: number;
  calls: number;
  expanded: number;
  collisions: number;
  /** least distance from what moves, metres; infinite: nothing came near */
  clearance: number;
  agents: number;
  arrived: number;
}

export interface Flight {
  /** seconds of a step */
  readonly step: number;
  /** how far the first agent sees, metres; 0: not known, or all */
  readonly radar: number;
  /** metres a second; 0: not known */
  advance(): boolean;
  view(): RunView;
  obstacles(): Geometry;
  zones(): Zone[];
  figures(): Figures;
  save(): Uint8Array | null;
  dispose(): void;
  /** a flight of the page's own can be changed while it goes on */
  readonly hands: Hands | null;
}

/** What a hand can do to a flight. */
export interface Hands {
  setGoal(place: Vector): string | null;
  setStart(place: Vector): string | null;
  drop(place: Vector, size: number): void;
  /** a free place, another one each time */
  somewhere(): Vector;
  /** a place on the path ahead, for an obstacle in the way */
  ahead(metres: number): Vector | null;
}

/** The range of the radar that the scene takes by itself. */
const ownRadar: Record<string, number> = { asteroids: 4 };

/** A run of the library, judged and recorded. */
export class RunFlight implements Flight {
  readonly step: number;
  readonly radar: number;
  readonly hands = null;
  /** of a record that is flown again: what it must come to */
  expected: bigint | null = null;
  private readonly run: Run;

  constructor(volnav: Volnav, options: RunOptions, step: number) {
    this.run = volnav.createRun({ ...options, record: true });
    this.step = options.step ?? step;
    this.radar = options.radar ?? ownRadar[options.scene] ?? 0;
  }

  advance(): boolean {
    return this.run.step();
  }

  view(): RunView {
    return this.run.view();
  }

  obstacles(): Geometry {
    return this.run.obstacles();
  }

  zones(): Zone[] {
    return this.run.zones();
  }

  /** Null: not a record, or not at its end. */
  same(): boolean | null {
    return this.expected === null ? null : this.run.result().hash === this.expected;
  }

  figures(): Figures {
    const r = this.run.result();
    return { ...r, collisions: r.collisions + r.wallHits + r.agentHits, reason: r.reason };
  }

  save(): Uint8Array | null {
    return this.run.save();
  }

  dispose(): void {
    this.run.dispose();
  }
}
