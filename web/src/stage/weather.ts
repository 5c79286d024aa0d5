/** web/src/stage/weather.ts: zones that can be seen: a faint volume with rain falling, fog drifting or water streaming inside. */
import {
  BoxGeometry,
  BufferGeometry,
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Points,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import { okabeIto } from "../app/theme.js";

export interface VisibleZone {
  kind: "box" | "sphere";
  centre: Vector3;
  /** edges of the box; diameter of the sphere in all three */
  size: Vector3;
  weather: "rain" | "fog" | "current";
}

const rainVertex = /* glsl */ `
  attribute float tail;
  uniform float time;
  uniform vec3 up;
  void main() {
    vec3 p = position;
    float drop = fract(dot(p, up) + 0.5 - time * 0.9) - 0.5;
    p += up * (drop - dot(p, up) - tail * 0.035);
    gl_Position = projectionMatrix * modelViewMatrix * vec4(p, 1.0);
  }`;
const rainFragment = /* glsl */ `
  uniform vec3 colour;
  void main() { gl_FragColor = vec4(colour, 0.5); }`;

const fogVertex = /* glsl */ `
  uniform float time;
  uniform float reach;
  void main() {
    vec3 p = position + 0.05 * sin(time * 0.4 + position.yzx * 9.0);
    vec4 eye = modelViewMatrix * vec4(p, 1.0);
    gl_PointSize = min(reach / -eye.z, 160.0);
    gl_Position = projectionMatrix * eye;
  }`;
const fogFragment = /* glsl */ `
  uniform vec3 colour;
  void main() {
    float far = length(gl_PointCoord - 0.5) * 2.0;
    gl_FragColor = vec4(colour, 0.035 * smoothstep(1.0, 0.0, far));
  }`;

/** Places in a cube of 1 metre, the same each time. */
function scatter(count: number, round: boolean): Vector3[] {
  const list: Vector3[] = [];
  let state = 12345;
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648 - 0.5;
  while (list.length < count) {
    const place = new Vector3(next(), next(), next());
    if (!round || place.length() < 0.5) list.push(place);
  }
  return list;
}

function longest(size: Vector3): Vector3 {
  if (size.x >= size.y && size.x >= size.z) return new Vector3(1, 0, 0);
  return size.y >= size.z ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
}

export class Weather {
  readonly object = new Group();
  private readonly time = { value: 0 };

  set(zones: readonly VisibleZone[], up: Vector3): void {
    this.object.clear();
    for (const zone of zones) this.object.add(this.make(zone, up));
  }

  update(seconds: number): void {
    this.time.value += seconds;
  }

  private make(zone: VisibleZone, up: Vector3): Group {
    const group = new Group();
    const colour = { rain: okabeIto.blue, fog: okabeIto.grey, current: okabeIto.green }[zone.weather];
    const shape = zone.kind === "box" ? new BoxGeometry(1, 1, 1) : new SphereGeometry(0.5, 32, 20);
    group.add(new Mesh(shape, new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.09, depthWrite: false })));
    if (zone.kind === "box") {
      group.add(new LineSegments(new EdgesGeometry(shape), new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.5 })));
    }
    if (zone.weather === "fog") group.add(this.fog(zone));
    else group.add(this.streaks(zone, zone.weather === "rain" ? up : longest(zone.size)));
    group.position.copy(zone.centre);
    group.scale.copy(zone.size);
    return group;
  }

  /** Along `axis`, against its direction. */
  private streaks(zone: VisibleZone, axis: Vector3): LineSegments {
    const drops = scatter(420, zone.kind === "sphere");
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(drops.flatMap((p) => [...p.toArray(), ...p.toArray()]), 3));
    geometry.setAttribute("tail", new Float32BufferAttribute(drops.flatMap(() => [0, 1]), 1));
    const uniforms = { time: this.time, up: { value: axis.clone() }, colour: { value: zone.weather === "rain" ? new Vector3(0.45, 0.72, 0.95) : new Vector3(0.15, 0.75, 0.58) } };
    const lines = new LineSegments(geometry, new ShaderMaterial({ vertexShader: rainVertex, fragmentShader: rainFragment, uniforms, transparent: true, depthWrite: false }));
    lines.frustumCulled = false;
    return lines;
  }

  private fog(zone: VisibleZone): Points {
    const puffs = scatter(90, zone.kind === "sphere");
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(puffs.flatMap((p) => p.toArray()), 3));
    const reach = { value: Math.max(zone.size.x, zone.size.y, zone.size.z) * 260 };
    const uniforms = { time: this.time, reach, colour: { value: new Vector3(0.75, 0.79, 0.84) } };
    const points = new Points(geometry, new ShaderMaterial({ vertexShader: fogVertex, fragmentShader: fogFragment, uniforms, transparent: true, depthWrite: false }));
    points.frustumCulled = false;
    return points;
  }
}
