/** web/src/ui/instruments/dial.ts: a scale with one needle: airspeed, climb, fuel, distance. */
import { svg } from "../../app/dom.js";
import { face, Lag, mark, needle, niceCeiling, short, tick } from "./face.js";

export interface DialOptions {
  name: string;
  label: string;
  unit: string;
  /** the scale begins and ends here, degrees from up, clockwise */
  from: number;
  to: number;
  /** the scale goes below 0 as far as above */
  twoSided?: boolean;
  /** digits after the point of the number in the window */
  digits: number;
}

const DIVISIONS = 5;

function moveTo(text: SVGElement, x: number, y: number): void {
  text.setAttribute("x", String(x));
  text.setAttribute("y", String(y));
}

export class Dial {
  readonly element: SVGSVGElement;
  private readonly scale = svg("g");
  private readonly pointer = svg("g", {}, needle(), svg("circle", { r: 4, class: "hub" }));
  private readonly number = svg("text", { class: "reading" });
  private readonly lag = new Lag();
  private most = 0;

  constructor(private readonly options: DialOptions) {
    const title = svg("text", { y: -16, class: "title" }, options.label);
    const unit = svg("text", { y: 25.5, class: "unit" }, options.unit);
    this.number.setAttribute("y", "16");
    // a scale with two sides has its zero on the left: what is to be read stands in the right half, off the hub
    if (options.twoSided) for (const [text, x, y] of [[this.number, 19, -0.5], [unit, 19, 8.5], [title, 3, -16]] as const) moveTo(text, x, y);
    // the needle passes below what is to be read
    this.element = face(options.name, options.label, this.scale, this.pointer, title, this.number, unit);
    this.setMost(1);
  }

  /** The end of the scale: rounded up to 1, 2 or 5. */
  setMost(value: number): void {
    const most = niceCeiling(value);
    if (most === this.most) return;
    this.most = most;
    this.scale.replaceChildren(...this.marks());
  }

  /** `seconds` since the last time; a value beyond the scale widens it. */
  show(value: number, seconds: number): void {
    const { twoSided, digits } = this.options;
    if (Math.abs(value) > this.most) this.setMost(Math.abs(value));
    const shown = this.lag.follow(value, seconds);
    this.pointer.setAttribute("transform", `rotate(${this.angle(shown).toFixed(2)})`);
    const rounded = value.toFixed(digits).replace(/^-(0(\.0*)?)$/, "$1");
    const text = (twoSided && value > 0.05 ? "+" : "") + rounded;
    if (this.number.textContent !== text) this.number.textContent = text;
  }

  reset(): void {
    this.lag.reset();
  }

  private angle(value: number): number {
    const { from, to, twoSided } = this.options;
    const part = twoSided ? (value / this.most + 1) / 2 : value / this.most;
    return from + (to - from) * Math.min(1.02, Math.max(-0.02, part));
  }

  private marks(): SVGElement[] {
    const low = this.options.twoSided ? -this.most : 0;
    const count = this.options.twoSided ? 2 * 2 : DIVISIONS;
    const list: SVGElement[] = [];
    for (let i = 0; i <= count * 2; ++i) {
      const value = low + ((this.most - low) * i) / (count * 2);
      const angle = this.angle(value);
      const whole = i % 2 === 0;
      list.push(tick(angle, whole ? 37.5 : 40, 44, whole ? "tick" : "tick fine"));
      if (whole) list.push(mark(angle, 31, short(Math.abs(value))));
    }
    return list;
  }
}
