/** web/src/map/deck.ts: figures of the last path, and of each stage of it. */
import type { SearchResult } from "volnav";
import { el } from "../app/dom.js";
import { count, Readout } from "../ui/instruments/readout.js";
import { stageNames, stages, type Stage } from "./picture.js";

export class MapDeck {
  readonly element: HTMLElement;
  private readonly status = new Readout("answer");
  private readonly time = new Readout("search", "µs", "Of the search alone, by the clock of the page");
  private readonly length = new Readout("length", "m");
  private readonly ratio = new Readout("detour", "×", "Length of the path over the straight distance");
  private readonly expanded = new Readout("expanded", "nodes");
  private readonly sight = new Readout("line of sight", "checks");
  private readonly bound = new Readout("bound", "×", "The cost is at most this times the least; –: nothing is promised");
  private readonly boxes = new Readout("boxes drawn");
  private readonly stages: Record<Stage, Readout>;

  constructor() {
    const of = (stage: Stage) => new Readout(stageNames[stage], "m", `Length of the ${stageNames[stage]} path`);
    this.stages = { none: of("none"), funnel: of("funnel"), taut: of("taut"), smooth: of("smooth") };
    const main = [this.status, this.time, this.length, this.ratio, this.expanded, this.sight, this.bound, this.boxes];
    this.element = el(
      "div",
      { class: "instruments figures" },
      ...main.map((one) => one.element),
      ...stages.map((stage) => this.stages[stage].element),
    );
  }

  show(result: SearchResult, straight: number): void {
    const found = result.status === "path";
    this.status.show(result.status);
    this.status.alarm(!found);
    this.time.show(count(result.microseconds));
    this.length.show(found ? result.length.toFixed(1) : "–");
    this.ratio.show(found && straight > 0 ? (result.length / straight).toFixed(3) : "–");
    this.expanded.show(count(result.expanded));
    this.sight.show(count(result.sightChecks));
    this.bound.show(result.bound > 0 ? result.bound.toFixed(2) : "–");
  }

  showStage(stage: Stage, result: SearchResult): void {
    this.stages[stage].show(result.status === "path" ? result.length.toFixed(2) : "–");
  }

  showSpace(boxes: number): void {
    this.boxes.show(count(boxes));
  }
}
