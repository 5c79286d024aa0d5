/** web/src/ui/instruments/face.ts: what round instruments share: bezel, scale, needle, and inertia. */
import { svg } from "../../app/dom.js";

/** Degrees on a face: 0 is up, clockwise. */
export function place(degrees: number, radius: number): [number, number] {
  const angle = (degrees * Math.PI) / 180;
  return [Math.sin(angle) * radius, -Math.cos(angle) * radius];
}

/** An instrument of 100 x 100 units around the middle. */
export function face(name: string, label: string, ...children: SVGElement[]): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "-50 -50 100 100", class: `dial ${name}`, role: "img", "aria-label": label },
    svg("circle", { r: 48.5, class: "bezel" }),
    svg("circle", { r: 45, class: "glass" }),
    ...children,
  );
}

export function tick(degrees: number, from: number, to: number, name = "tick"): SVGElement {
  const [x1, y1] = place(degrees, from);
  const [x2, y2] = place(degrees, to);
  return svg("line", { x1, y1, x2, y2, class: name });
}

export function mark(degrees: number, radius: number, text: string, name = "mark"): SVGElement {
  const [x, y] = place(degrees, radius);
  return svg("text", { x, y, class: name }, text);
}

export function needle(): SVGElement {
  return svg("path", { d: "M-1.6 8 L-.9 -36 0 -39 .9 -36 1.6 8z", class: "needle" });
}

/** The mass of a needle: it follows its value within some tenths of a second. */
export class Lag {
  private shown: number | null = null;

  constructor(private readonly rate = 7) {}

  follow(value: number, seconds: number): number {
    if (this.shown === null || !Number.isFinite(this.shown)) this.shown = value;
    this.shown += (value - this.shown) * (1 - Math.exp(-this.rate * seconds));
    return this.shown;
  }

  /** The same for degrees: the short way round. */
  followTurn(value: number, seconds: number): number {
    if (this.shown === null) this.shown = value;
    const away = ((value - this.shown + 540) % 360) - 180;
    this.shown += away * (1 - Math.exp(-this.rate * seconds));
    return this.shown;
  }

  reset(): void {
    this.shown = null;
  }
}

/** 1, 2 or 5 times a power of ten, at least as large. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-6)));
  const lead = value / power;
  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
}

/** Short text of a number on a scale. */
export function short(value: number): string {
  if (Math.abs(value) >= 10000) return `${Math.round(value / 1000)}k`;
  return String(Math.round(value * 100) / 100);
}
