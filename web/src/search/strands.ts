/** web/src/search/strands.ts: lines of a search by its clock: the tree, and lines of sight, which fade. */
import { BufferGeometry, Color, Float32BufferAttribute, LineSegments, ShaderMaterial } from "three";
import { okabeIto } from "../app/theme.js";
import type { Trace } from "./trace.js";

const vertex = /* glsl */ `
  attribute float since;
  attribute vec3 tint;
  uniform float time;
  uniform float stays;
  uniform float opacity;
  varying vec4 colour;
  void main() {
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    float age = time - since;
    float left = stays > 0.0 ? 1.0 - age / stays : 1.0;
    colour = vec4(tint, opacity * clamp(left, 0.0, 1.0));
    if (age <= 0.0 || colour.a <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }`;

const fragment = /* glsl */ `
  varying vec4 colour;
  void main() {
    gl_FragColor = colour;
    #include <colorspace_fragment>
  }`;

export class Strands {
  readonly object: LineSegments;
  private readonly material: ShaderMaterial;

  /** `stays`: expansions for which a line is seen; 0: for good. */
  constructor(opacity: number, stays: number) {
    this.material = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      transparent: true,
      depthWrite: false,
      depthTest: stays === 0,
      uniforms: { time: { value: 0 }, stays: { value: stays }, opacity: { value: opacity } },
    });
    this.object = new LineSegments(new BufferGeometry(), this.material);
    this.object.frustumCulled = false;
    this.object.renderOrder = stays === 0 ? 4 : 8;
  }

  /** Six numbers a line; since which expansion each is there, and its colour. */
  set(lines: Float32Array, since: (line: number) => number, tint: (line: number) => Color): void {
    const count = lines.length / 6;
    const times = new Float32Array(2 * count);
    const tints = new Float32Array(6 * count);
    for (let i = 0; i < count; ++i) {
      times.fill(since(i), 2 * i, 2 * i + 2);
      const { r, g, b } = tint(i);
      tints.set([r, g, b, r, g, b], 6 * i);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(lines, 3));
    geometry.setAttribute("since", new Float32BufferAttribute(times, 1));
    geometry.setAttribute("tint", new Float32BufferAttribute(tints, 3));
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }

  show(expansions: number): void {
    this.material.uniforms["time"]!.value = expansions;
  }

  setOpacity(opacity: number): void {
    this.material.uniforms["opacity"]!.value = opacity;
  }

  setStay(expansions: number): void {
    this.material.uniforms["stays"]!.value = expansions;
  }
}

const TREE = new Color(okabeIto.sky);
const BACK = new Color(okabeIto.purple);
const FREE = new Color(okabeIto.green);
const BLOCKED = new Color(okabeIto.vermillion);

/** From each node to its parent. */
export function setTree(strands: Strands, { order }: Trace): void {
  const lines = new Float32Array(6 * order.count);
  for (let i = 0; i < order.count; ++i) {
    lines.set(order.parents.subarray(3 * i, 3 * i + 3), 6 * i);
    lines.set(order.points.subarray(3 * i, 3 * i + 3), 6 * i + 3);
  }
  strands.set(lines, (i) => i, (i) => (order.fromGoal[i] ? BACK : TREE));
  // a fan of thousands of lines would hide everything behind it
  strands.setOpacity(0.1 + 0.4 * Math.min(1, Math.sqrt(200 / Math.max(order.count, 1))));
}

/** Green: free; red: something is in between. */
export function setSights(strands: Strands, { order }: Trace): void {
  const { sights } = order;
  strands.set(Float32Array.from(sights.lines), (i) => sights.after[i]! - 1, (i) => (sights.visible[i] ? FREE : BLOCKED));
  strands.setStay(Math.max(6, order.count / 60));
}
