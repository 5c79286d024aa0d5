/** web/src/search/thumbnail.ts: a search as a small picture, drawn flat: obstacles, closed nodes by age, path. */
import type { Vector } from "volnav";
import type { Baked } from "./places.js";
import type { Trace } from "./trace.js";

/** Which axes go right and down; the third is looked along. */
export type Aspect = "top" | "side";
const axes: Record<Aspect, [right: number, down: number]> = { top: [0, 2], side: [0, 1] };
/** where z is up */
const turned: typeof axes = { top: [0, 1], side: [0, 2] };

const BLUE: [number, number, number] = [11, 79, 138];
const SKY: [number, number, number] = [86, 180, 233];
const PURPLE: [number, number, number] = [204, 121, 167];

/** Metres to pixels. */
interface Scale {
  x(point: ArrayLike<number>, at: number): number;
  y(point: ArrayLike<number>, at: number): number;
  unit: number;
}

function scaleOf(baked: Baked, aspect: Aspect, width: number, height: number): Scale {
  const [right, down] = baked.up === "z" ? turned[aspect] : axes[aspect];
  const { low, high } = baked;
  const [w, h] = [high[right]! - low[right]!, high[down]! - low[down]!];
  const unit = Math.min((width - 8) / w, (height - 8) / h);
  const [left, top] = [(width - w * unit) / 2, (height - h * unit) / 2];
  return {
    unit,
    x: (point, at) => left + (point[at + right]! - low[right]!) * unit,
    y: (point, at) => {
      const along = (point[at + down]! - low[down]!) * unit;
      return aspect === "side" ? height - top - along : top + along;
    },
  };
}

function fillBox(g: CanvasRenderingContext2D, s: Scale, boxes: ArrayLike<number>, at: number, shrink: number): void {
  const [x, y, X, Y] = [s.x(boxes, at), s.y(boxes, at), s.x(boxes, at + 3), s.y(boxes, at + 3)];
  const [w, h] = [Math.abs(X - x) * shrink, Math.abs(Y - y) * shrink];
  g.fillRect((x + X - w) / 2, (y + Y - h) / 2, w, h);
}

function drawNodes(g: CanvasRenderingContext2D, s: Scale, one: Trace): void {
  const { order } = one;
  const large = order.count < 80;
  g.globalAlpha = large ? 0.3 : Math.max(0.1, Math.min(0.5, 200 / order.count));
  for (let i = 0; i < order.count; ++i) {
    const age = i / Math.max(order.count - 1, 1);
    const from = order.fromGoal[i] ? PURPLE : BLUE;
    const to = order.fromGoal[i] ? PURPLE : SKY;
    g.fillStyle = `rgb(${from.map((c, k) => Math.round(c + (to[k]! - c) * age)).join(" ")})`;
    fillBox(g, s, order.boxes, 6 * i, large ? 0.97 : 0.7);
  }
  g.globalAlpha = 1;
}

function drawLine(g: CanvasRenderingContext2D, s: Scale, points: Float64Array, colour: string, width: number): void {
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.lineJoin = g.lineCap = "round";
  g.beginPath();
  for (let i = 0; i < points.length; i += 3) g.lineTo(s.x(points, i), s.y(points, i));
  g.stroke();
}

function drawDot(g: CanvasRenderingContext2D, s: Scale, at: Vector, colour: string): void {
  g.fillStyle = colour;
  g.beginPath();
  g.arc(s.x(at, 0), s.y(at, 0), 4, 0, 2 * Math.PI);
  g.fill();
}

export interface Drawing {
  baked: Baked;
  /** low and high of what stands */
  obstacles: ArrayLike<number>;
  start: Vector;
  goal: Vector;
  aspect: Aspect;
  dark: boolean;
}

export function drawThumbnail(canvas: HTMLCanvasElement, one: Trace, what: Drawing): void {
  const ratio = Math.min(devicePixelRatio, 2);
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const g = canvas.getContext("2d")!;
  g.scale(ratio, ratio);
  const s = scaleOf(what.baked, what.aspect, width, height);

  g.strokeStyle = g.fillStyle = what.dark ? "#3a4653" : "#b9c4cf";
  g.globalAlpha = 0.35;
  for (let i = 0; i < what.obstacles.length; i += 6) fillBox(g, s, what.obstacles, i, 1);
  g.globalAlpha = 1;
  const { low, high } = what.baked;
  g.strokeRect(s.x(low, 0), Math.min(s.y(low, 0), s.y(high, 0)), s.x(high, 0) - s.x(low, 0), Math.abs(s.y(high, 0) - s.y(low, 0)));

  drawNodes(g, s, one);
  drawLine(g, s, one.path, "#d55e00", 2.5);
  drawDot(g, s, what.start, "#009e73");
  drawDot(g, s, what.goal, "#d55e00");
}
