/** web/src/ui/instruments/heading.ts: the compass card turns under a fixed mark. */
import { svg } from "../../app/dom.js";
import { face, Lag, mark, tick } from "./face.js";

function card(): SVGElement[] {
  const list: SVGElement[] = [];
  for (let degrees = 0; degrees < 360; degrees += 10) {
    const whole = degrees % 30 === 0;
    list.push(tick(degrees, whole ? 37.5 : 40, 44, whole ? "tick" : "tick fine"));
    if (!whole) continue;
    const name = { 0: "N", 90: "E", 180: "S", 270: "W" }[degrees];
    const text = mark(degrees, 30.5, name ?? String(degrees / 10), name ? "mark main" : "mark");
    text.setAttribute("transform", `rotate(${degrees} ${text.getAttribute("x")} ${text.getAttribute("y")})`);
    list.push(text);
  }
  return list;
}

export class Heading {
  readonly element: SVGSVGElement;
  private readonly card = svg("g", {}, ...card());
  private readonly number = svg("text", { y: 3, class: "reading large" });
  private readonly lag = new Lag(5);

  constructor() {
    const title = svg("text", { y: -12, class: "title" }, "HEADING");
    const bug = svg("path", { d: "M-3.5 -48.5h7L0 -42z", class: "bug" });
    this.element = face("heading", "Heading", this.card, title, bug, this.number);
  }

  /** Degrees from north, clockwise. */
  show(degrees: number, seconds: number): void {
    const shown = this.lag.followTurn(degrees, seconds);
    this.card.setAttribute("transform", `rotate(${(-shown).toFixed(2)})`);
    const text = `${String(Math.round(degrees + 360) % 360).padStart(3, "0")}°`;
    if (this.number.textContent !== text) this.number.textContent = text;
  }

  reset(): void {
    this.lag.reset();
  }
}
