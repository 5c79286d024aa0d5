/** web/src/search/timeline.ts: play, step and scrub, and a curve of how many nodes are open. */
import { el, svg } from "../app/dom.js";
import { icon } from "../ui/icons.js";
import type { Trace } from "./trace.js";

export interface TimelineEvents {
  seek(expansions: number): void;
  play(on: boolean): void;
}

const WIDTH = 1000;
const HEIGHT = 46;
/** Seconds that a whole search takes at speed 1. */
const WHOLE = 9;

export class Timeline {
  readonly element: HTMLElement;
  playing = false;
  private total = 0;
  private now = 0;
  private rate = 1;
  private readonly slider = el("input", { type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": "Position" });
  private readonly output = el("output", { class: "figure" });
  private readonly button = el("button", { type: "button", class: "tool", title: "Play, pause (Space)", "aria-label": "Play", onclick: () => this.toggle() });
  private readonly curves = svg("svg", { class: "open-curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": "Open nodes by expansion" });

  /** `unit`: what a step is. */
  constructor(
    private readonly events: TimelineEvents,
    private readonly unit = "expansions",
  ) {
    const step = (by: number, title: string, drawing: string) =>
      el("button", { type: "button", class: "tool", title, "aria-label": title, onclick: () => this.step(by) }, drawn(drawing));
    const speed = el("select", { "aria-label": "Speed", onchange: () => (this.rate = Number(speed.value)) });
    for (const rate of [0.1, 0.25, 0.5, 1, 2, 4]) speed.append(el("option", { value: rate, selected: rate === 1 }, `${rate} ×`));
    this.slider.addEventListener("input", () => this.seek(this.slider.valueAsNumber));
    this.element = el(
      "div",
      { class: "timeline" },
      el("div", { class: "steps" }, step(-Infinity, "To the beginning (Home)", "M6 5v14M18 5l-9 7 9 7z"), step(-1, "A step back (,)", "M15 6l-6 6 6 6"), this.button, step(1, "A step on (.)", "M9 6l6 6-6 6"), step(Infinity, "To the end (End)", "M18 5v14M6 5l9 7-9 7z"), speed),
      el("div", { class: "track" }, this.curves, this.slider),
      this.output,
    );
    this.setPlaying(false);
  }

  get position(): number {
    return this.now;
  }

  /** Searches whose longest one is the whole; their open nodes as curves. */
  set(traces: readonly Trace[], position: number): void {
    const total = Math.max(0, ...traces.map((one) => one.order.count));
    this.setCurves(total, traces.map((one) => one.openAt), position);
  }

  /** So many steps; a value of each curve at each of them. */
  setCurves(total: number, curves: readonly Uint32Array[], position: number): void {
    this.total = total;
    this.slider.max = String(total);
    const most = Math.max(1, ...curves.map((values) => values.reduce((a, b) => Math.max(a, b), 0)));
    this.curves.replaceChildren(...curves.map((values, i) => curve(values, total, most, i)));
    this.seek(position);
  }

  seek(position: number): void {
    this.now = Math.min(Math.max(position, 0), this.total);
    const whole = Math.floor(this.now);
    if (this.slider.valueAsNumber !== whole) this.slider.valueAsNumber = whole;
    this.output.textContent = `${whole.toLocaleString("en-US")} / ${this.total.toLocaleString("en-US")}`;
    this.slider.setAttribute("aria-valuetext", `${whole} of ${this.total} ${this.unit}`);
    this.events.seek(this.now);
  }

  step(by: number): void {
    this.setPlaying(false);
    this.seek(Math.floor(this.now) + by);
  }

  toggle(): void {
    if (!this.playing && this.now >= this.total) this.seek(0);
    this.setPlaying(!this.playing);
  }

  setPlaying(on: boolean): void {
    this.playing = on;
    this.button.replaceChildren(icon(on ? "pause" : "play"));
    this.button.setAttribute("aria-label", on ? "Pause" : "Play");
    this.events.play(on);
  }

  /** As real time goes on. */
  advance(seconds: number): void {
    if (!this.playing) return;
    this.seek(this.now + (Math.max(this.total, 6) / WHOLE) * this.rate * seconds);
    if (this.now >= this.total) this.setPlaying(false);
  }
}

function drawn(path: string): SVGElement {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: path }));
}

function curve(values: Uint32Array, total: number, most: number, index: number): SVGElement {
  const stride = Math.max(1, Math.floor(values.length / 400));
  const points: string[] = [];
  for (let t = 0; t < values.length; t += stride) {
    points.push(`${((t / Math.max(total, 1)) * WIDTH).toFixed(1)},${(HEIGHT - 2 - (values[t]! / most) * (HEIGHT - 6)).toFixed(1)}`);
  }
  return svg("polyline", { class: `curve-${index}`, points: points.join(" ") });
}
