/** bindings/js/src/draw.ts: geometry out of the library, as copies. */
import type { Wasm } from "./wasm.js";

/** Metres; colours are 0xRRGGBBAA. */
export interface Geometry {
  /** nine numbers each, counter-clockwise seen from outside */
  triangles: Float32Array;
  triangleColors: Uint32Array;
  /** low and high corner */
  boxes: Float32Array;
  boxColors: Uint32Array;
  /** both ends */
  lines: Float32Array;
  lineColors: Uint32Array;
}

/** Where every metre of a path costs `factor` metres. */
export interface Zone {
  kind: "box" | "sphere" | "hull";
  factor: number;
  flags: number;
  /** a box */
  low: [number, number, number];
  high: [number, number, number];
  /** a sphere */
  centre: [number, number, number];
  radius: number;
  /** a hull: normal and offset of each; what lies behind all of them is inside */
  planes: [number, number, number, number][];
}

/** Six lists as glue_give_geometry leaves them. */
export function takeGeometry(wasm: Wasm): Geometry {
  const o = wasm.out(12).slice();
  const floats = (i: number) => new Float32Array(wasm.take(o[2 * i]!, o[2 * i + 1]!).buffer);
  const words = (i: number) => new Uint32Array(wasm.take(o[2 * i]!, o[2 * i + 1]!).buffer);
  return {
    triangles: floats(0),
    triangleColors: words(1),
    boxes: floats(2),
    boxColors: words(3),
    lines: floats(4),
    lineColors: words(5),
  };
}

const zoneKinds = ["box", "sphere", "hull"] as const;
const ZONE_NUMBERS = 12;

function takeZone(n: Float64Array, planes: Float64Array): Zone {
  const vector = (at: number): [number, number, number] => [n[at]!, n[at + 1]!, n[at + 2]!];
  return {
    kind: zoneKinds[n[0]!]!,
    factor: n[1]!,
    flags: n[2]!,
    low: vector(3),
    high: vector(6),
    centre: vector(3),
    radius: n[9]!,
    planes: Array.from({ length: planes.length / 4 }, (_, i) => [
      planes[4 * i]!,
      planes[4 * i + 1]!,
      planes[4 * i + 2]!,
      planes[4 * i + 3]!,
    ]),
  };
}

/** As js_world_zones leaves them. */
export function takeZones(wasm: Wasm): Zone[] {
  const [at, size, count] = wasm.out(3).slice();
  const all = new Float64Array(wasm.take(at!, size!).buffer);
  const zones: Zone[] = [];
  let plane = ZONE_NUMBERS * count!;
  for (let i = 0; i < count!; ++i) {
    const n = all.subarray(ZONE_NUMBERS * i, ZONE_NUMBERS * (i + 1));
    const planes = n[0] === 2 ? all.subarray(plane, plane + 4 * n[10]!) : new Float64Array(0);
    plane += planes.length;
    zones.push(takeZone(n, planes));
  }
  return zones;
}

const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

/** The twelve edges of each box (low and high corner, six numbers) as lines of six numbers. */
export function boxLines(boxes: Float32Array): Float32Array {
  const count = Math.floor(boxes.length / 6);
  const lines = new Float32Array(72 * count);
  let to = 0;
  for (let i = 0; i < count; ++i) {
    for (const corner of EDGES) {
      for (let axis = 0; axis < 3; ++axis) {
        lines[to++] = boxes[6 * i + axis + ((corner >> axis) & 1) * 3]!;
      }
    }
  }
  return lines;
}
