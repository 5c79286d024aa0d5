/** web/src/ui/instruments/readout.ts: figures of the machine: a name, a number, a unit; some with a curve. */
import { el, svg } from "../../app/dom.js";

export class Readout {
  readonly element: HTMLElement;
  private readonly number = el("b", { class: "figure" }, "–");
  private text = "";

  constructor(name: string, unit = "", hint = "") {
    this.element = el("div", { class: "readout", title: hint || name }, el("span", { class: "name" }, name), this.number, el("span", { class: "unit" }, unit));
  }

  show(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.number.textContent = text;
  }

  /** Something that should not be, such as a collision. */
  alarm(on: boolean): void {
    this.element.classList.toggle("alarm", on);
  }
}

const WIDTH = 120;
const HEIGHT = 28;

/** A curve of the last values, from 0 to their maximum. */
export class Sparkline {
  readonly element: SVGSVGElement;
  private readonly curve = svg("polyline", { class: "curve" });
  private readonly area = svg("polygon", { class: "area" });

  constructor(label: string) {
    this.element = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "spark", preserveAspectRatio: "none", role: "img", "aria-label": label }, this.area, this.curve);
  }

  show(values: readonly number[]): void {
    if (values.length < 2) return;
    const most = Math.max(...values, 1e-9);
    const points = values.map((value, i) => {
      const x = (i / (values.length - 1)) * WIDTH;
      return `${x.toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 3)).toFixed(1)}`;
    });
    this.curve.setAttribute("points", points.join(" "));
    this.area.setAttribute("points", `0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`);
  }
}

/** 12,345; 1.2 M */
export function count(value: number): string {
  if (value >= 1e7) return `${(value / 1e6).toFixed(1)} M`;
  return Math.round(value).toLocaleString("en-US");
}
