/**
 * web/src/search/cloud.ts: the nodes of a search as boxes, by the clock of its expansions. All of them lie in one buffer
 * with the times at which they open and close: another moment is another number for the GPU, whatever their count.
 */
import {
  BoxGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LineSegments,
  Mesh,
  ShaderMaterial,
  Vector4,
  type IUniform,
} from "three";
import type { Clip } from "../stage/clip.js";
import { okabeIto } from "../app/theme.js";
import type { Trace } from "./trace.js";

/** From the start: blue, early ones dark; from the goal: purple. */
const EARLY = new Color(0x0b4f8a);
const LATE = new Color(okabeIto.sky);
const BACK_EARLY = new Color(0x7d3f63);
const BACK_LATE = new Color(okabeIto.purple);
const OPEN = new Color(okabeIto.orange);
const NOW = new Color(okabeIto.yellow);
/** From an earlier frame, and still known. */
const KEPT = new Color(okabeIto.grey);

const vertex = /* glsl */ `
  attribute vec3 low;
  attribute vec3 size;
  attribute vec3 life; // opened, closed, 1: from the goal; 2 more: the same box again
  uniform float time;
  uniform float since;
  uniform float most;
  uniform float shrink;
  uniform vec3 early, late, backEarly, backLate, open, now, kept;
  uniform float alphaClosed, alphaOpen;
  varying vec4 colour;
  varying vec3 place;
  void main() {
    place = low + size * (0.5 + (position - 0.5) * shrink);
    gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
    bool closed = life.y < time;
    bool waits = !closed && life.x + 1.0 <= time;
    float age = clamp(life.y / max(most, 1.0), 0.0, 1.0);
    vec3 done = mod(life.z, 2.0) > 0.5 ? mix(backEarly, backLate, age) : mix(early, late, age);
    bool newest = closed && life.y >= time - 1.0 && time <= most;
    bool before = life.y < since;
    colour = before ? vec4(kept, alphaClosed * 0.55) : newest ? vec4(now, min(0.8, alphaClosed * 2.2)) : closed ? vec4(done, alphaClosed) : vec4(open, alphaOpen);
    bool again = life.z > 1.5 && closed && !newest && since < 0.5; // of a planner, a later frame may expand it anew
    if (!(closed || waits) || again || colour.a <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }`;

const fragment = /* glsl */ `
  uniform vec4 plane;
  varying vec4 colour;
  varying vec3 place;
  void main() {
    if (dot(plane.xyz, place) + plane.w < 0.0) discard;
    gl_FragColor = colour;
    #include <colorspace_fragment>
  }`;

const EDGES = [
  0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0,
  0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1,
];

function material(shared: Record<string, IUniform>, closed: number, open: number): ShaderMaterial {
  const made = new ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, transparent: true, depthWrite: false });
  made.uniforms = { ...shared, alphaClosed: { value: closed }, alphaOpen: { value: open } };
  return made;
}

/** 1 for each box that came before: nodes on the faces of a large box are many, and the box is drawn once. */
function repeated(boxes: ArrayLike<number>, count: number): Uint8Array {
  const seen = new Set<string>();
  return Uint8Array.from({ length: count }, (_, i) => {
    const key = `${boxes[6 * i]},${boxes[6 * i + 1]},${boxes[6 * i + 2]},${boxes[6 * i + 3]}`;
    const before = seen.has(key);
    seen.add(key);
    return Number(before);
  });
}

export class Cloud {
  readonly object = new Group();
  private readonly shared: Record<string, IUniform>;
  private readonly fill: Mesh;
  private readonly wire: LineSegments;
  private readonly fillMaterial: ShaderMaterial;
  private readonly wireMaterial: ShaderMaterial;

  constructor(clip: Clip) {
    const plane = new Vector4();
    this.shared = {
      plane: { value: plane },
      time: { value: 0 },
      since: { value: 0 },
      kept: { value: KEPT },
      most: { value: 1 },
      shrink: { value: 0.9 },
      early: { value: EARLY },
      late: { value: LATE },
      backEarly: { value: BACK_EARLY },
      backLate: { value: BACK_LATE },
      open: { value: OPEN },
      now: { value: NOW },
    };
    this.fillMaterial = material(this.shared, 0.2, 0.02);
    this.wireMaterial = material(this.shared, 0.45, 0.7);
    this.fill = new Mesh(new InstancedBufferGeometry(), this.fillMaterial);
    this.wire = new LineSegments(new InstancedBufferGeometry(), this.wireMaterial);
    this.fill.renderOrder = 2;
    this.wire.renderOrder = 3;
    for (const part of [this.fill, this.wire]) {
      part.frustumCulled = false;
      part.onBeforeRender = () => plane.set(clip.plane.normal.x, clip.plane.normal.y, clip.plane.normal.z, clip.plane.constant);
      this.object.add(part);
    }
  }

  set(one: Pick<Trace, "order" | "opened" | "kind" | "open">): void {
    const { count, boxes, fromGoal } = one.order;
    const low = new Float32Array(3 * count);
    const size = new Float32Array(3 * count);
    const life = new Float32Array(3 * count);
    const again = repeated(boxes, count);
    for (let i = 0; i < count; ++i) {
      for (let k = 0; k < 3; ++k) {
        low[3 * i + k] = boxes[6 * i + k]!;
        size[3 * i + k] = boxes[6 * i + 3 + k]! - boxes[6 * i + k]!;
      }
      life.set([one.open ? i : one.opened[i]!, i, fromGoal[i]! + 2 * again[i]!], 3 * i); // what is open is drawn by others
    }
    const attributes = { low, size, life };
    const cube = new BoxGeometry(1, 1, 1);
    cube.translate(0.5, 0.5, 0.5);
    this.replace(this.fill, cube.getAttribute("position") as Float32BufferAttribute, cube.getIndex(), attributes, count);
    this.replace(this.wire, new Float32BufferAttribute(EDGES, 3), null, attributes, count);

    // many small ones lie behind each other: the more there are, the fainter each one is
    const faint = Math.min(1, Math.sqrt(120 / Math.max(count, 1)));
    this.fillMaterial.uniforms["alphaClosed"]!.value = 0.05 + 0.17 * faint;
    this.wireMaterial.uniforms["alphaClosed"]!.value = 0.06 + 0.5 * faint;
    this.wireMaterial.uniforms["alphaOpen"]!.value = 0.25 + 0.5 * faint;
    this.shared["most"]!.value = Math.max(count - 1, 1);
    this.shared["shrink"]!.value = one.kind === "hybrid" || one.kind === "waypoints" ? 0.8 : one.kind === "grid" ? 0.6 : 0.97;
    this.object.visible = count > 0;
  }

  /** After so many expansions; those before `since` are of an earlier frame. */
  show(expansions: number, since = 0): void {
    this.shared["time"]!.value = expansions;
    this.shared["since"]!.value = since;
  }

  private replace(
    part: Mesh | LineSegments,
    position: Float32BufferAttribute,
    index: ReturnType<BoxGeometry["getIndex"]>,
    attributes: Record<string, Float32Array>,
    count: number,
  ): void {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", position);
    if (index) geometry.setIndex(index);
    for (const [name, values] of Object.entries(attributes)) geometry.setAttribute(name, new InstancedBufferAttribute(values, 3));
    geometry.instanceCount = count;
    part.geometry.dispose();
    part.geometry = geometry;
  }
}
