/**
 * web/src/stage/wire.ts: boxes as wireframe: one mesh, one draw call, 25 bytes a box. Boxes and levels go to the GPU as they
 * come from the library, so that 100,000 of them cost the page no more than ten; colours follow levels, and the clip plane cuts them.
 */
import {
  Color,
  DataTexture,
  Float32BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineSegments,
  Matrix4,
  ShaderMaterial,
  Vector4,
} from "three";
import type { Clip } from "./clip.js";
import { okabeIto } from "../app/theme.js";

/** Of levels, coarse last. */
const colours = [okabeIto.sky, okabeIto.green, okabeIto.yellow, okabeIto.orange, okabeIto.vermillion, okabeIto.purple, okabeIto.blue, okabeIto.grey];

const vertex = /* glsl */ `
  attribute vec3 low;
  attribute vec3 high;
  attribute float level;
  uniform float shrink;
  uniform int only;
  uniform sampler2D palette;
  uniform vec3 plain;
  varying vec3 colour;
  varying vec3 place;
  void main() {
    place = low + (high - low) * (0.5 + (position - 0.5) * shrink);
    #ifdef PLAIN
    colour = plain;
    #else
    colour = texture2D(palette, vec2((mod(level, 8.0) + 0.5) / 8.0, 0.5)).rgb;
    #endif
    gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
    if (only >= 0 && int(level + 0.5) != only) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }`;

const fragment = /* glsl */ `
  uniform vec4 plane;
  uniform float opacity;
  varying vec3 colour;
  varying vec3 place;
  void main() {
    if (dot(plane.xyz, place) + plane.w < 0.0) discard;
    gl_FragColor = vec4(colour, opacity);
    #include <colorspace_fragment>
  }`;

const EDGES = [
  0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0,
  0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1,
];

function palette(): DataTexture {
  const bytes = new Uint8Array(4 * colours.length);
  colours.forEach((hex, i) => {
    const c = new Color(hex);
    bytes.set([c.r * 255, c.g * 255, c.b * 255, 255], 4 * i);
  });
  const texture = new DataTexture(bytes, colours.length, 1);
  texture.needsUpdate = true;
  return texture;
}

export class WireBoxes {
  readonly object: LineSegments;
  private readonly material: ShaderMaterial;
  count = 0;

  /** `plain`: one colour for all, instead of those of levels. */
  constructor(clip: Clip, opacity = 0.55, plain = false) {
    const plane = new Vector4();
    this.material = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      transparent: true,
      depthWrite: false,
      uniforms: { plane: { value: plane }, opacity: { value: opacity }, shrink: { value: 0.985 }, only: { value: -1 }, palette: { value: plain ? null : palette() }, plain: { value: new Color(0xffffff) } },
      defines: plain ? { PLAIN: "" } : {},
    });
    this.object = new LineSegments(new InstancedBufferGeometry(), this.material);
    this.object.frustumCulled = false;
    this.object.visible = false;
    this.object.matrixAutoUpdate = false;
    this.object.matrix = new Matrix4();
    this.object.onBeforeRender = () => plane.set(clip.plane.normal.x, clip.plane.normal.y, clip.plane.normal.z, clip.plane.constant);
  }

  /** low and high of each box, metres; `levels` give colours. Both arrays are kept. */
  set(boxes: Float32Array, levels?: Uint8Array): void {
    const count = Math.floor(boxes.length / 6);
    const corners = new InstancedInterleavedBuffer(boxes, 6);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(EDGES, 3));
    geometry.setAttribute("low", new InterleavedBufferAttribute(corners, 3, 0));
    geometry.setAttribute("high", new InterleavedBufferAttribute(corners, 3, 3));
    geometry.setAttribute("level", new InstancedBufferAttribute(levels ?? new Uint8Array(count), 1));
    geometry.instanceCount = count;
    this.object.geometry.dispose();
    this.object.geometry = geometry;
    this.object.visible = count > 0;
    this.count = count;
  }

  setColor(hex: number): void {
    (this.material.uniforms["plain"]!.value as Color).set(hex);
  }

  setShrink(part: number): void {
    this.material.uniforms["shrink"]!.value = part;
  }

  /** Only boxes of one level; -1: all. */
  setOnly(level: number): void {
    this.material.uniforms["only"]!.value = level;
  }

  setOpacity(opacity: number): void {
    this.material.uniforms["opacity"]!.value = opacity;
  }

  clear(): void {
    this.object.visible = false;
    this.count = 0;
  }
}

/** For legends. */
export function levelColour(level: number): string {
  return `#${colours[level % colours.length]!.toString(16).padStart(6, "0")}`;
}
