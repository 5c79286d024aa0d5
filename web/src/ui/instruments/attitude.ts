/** web/src/ui/instruments/attitude.ts: the artificial horizon: pitch and bank of the first agent. */
import { svg } from "../../app/dom.js";
import { face, Lag, tick } from "./face.js";

/** Units of the face for a degree of pitch. */
const PER_DEGREE = 0.9;
let made = 0;

function ladder(): SVGElement[] {
  const list: SVGElement[] = [];
  for (let degrees = -60; degrees <= 60; degrees += 10) {
    if (degrees === 0) continue;
    const half = degrees % 30 === 0 ? 14 : degrees % 20 === 0 ? 10 : 6;
    const y = -degrees * PER_DEGREE;
    list.push(svg("line", { x1: -half, x2: half, y1: y, y2: y, class: "ladder" }));
    if (degrees % 30 === 0) list.push(svg("text", { x: half + 6, y, class: "ladder-mark" }, String(Math.abs(degrees))));
  }
  return list;
}

export class Attitude {
  readonly element: SVGSVGElement;
  private readonly ball: SVGElement;
  private readonly rolling: SVGElement;
  private readonly pitch = new Lag(9);
  private readonly bank = new Lag(5);

  constructor() {
    const clip = `attitude-${++made}`;
    this.ball = svg(
      "g",
      {},
      svg("rect", { x: -120, y: -200, width: 240, height: 200, class: "sky" }),
      svg("rect", { x: -120, y: 0, width: 240, height: 200, class: "ground" }),
      svg("line", { x1: -120, x2: 120, y1: 0, y2: 0, class: "horizon" }),
      ...ladder(),
    );
    this.rolling = svg("g", {}, this.ball);
    const inside = svg("g", { "clip-path": `url(#${clip})` }, this.rolling);
    const scale = [-60, -45, -30, -20, -10, 0, 10, 20, 30, 45, 60].map((at) => tick(at, at % 30 === 0 ? 39 : 41, 45, "tick roll"));
    this.element = face(
      "attitude",
      "Artificial horizon",
      svg("clipPath", { id: clip }, svg("circle", { r: 45 })),
      inside,
      ...scale,
      svg("path", { d: "M-24 0h14l4 5M24 0H10l-4 5", class: "craft" }),
      svg("circle", { r: 1.6, class: "craft-dot" }),
    );
  }

  /** Degrees; up and right are positive. */
  show(pitch: number, bank: number, seconds: number): void {
    const p = this.pitch.follow(pitch, seconds);
    const b = this.bank.follow(bank, seconds);
    this.ball.setAttribute("transform", `translate(0 ${(p * PER_DEGREE).toFixed(2)})`);
    this.rolling.setAttribute("transform", `rotate(${(-b).toFixed(2)})`);
  }

  reset(): void {
    this.pitch.reset();
    this.bank.reset();
  }
}
