/** web/src/play/sparks.ts: bursts of points where something breaks. */
import { BufferAttribute, BufferGeometry, Color, Points, PointsMaterial } from "three";

const MOST = 600;
const LIFE = 0.9;

export class Sparks {
  readonly object: Points;
  private readonly position = new Float32Array(3 * MOST);
  private readonly velocity = new Float32Array(3 * MOST);
  private readonly colour = new Float32Array(3 * MOST);
  private readonly age = new Float32Array(MOST).fill(LIFE);
  private readonly tint = new Float32Array(3 * MOST);
  private next = 0;

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.position, 3));
    geometry.setAttribute("color", new BufferAttribute(this.colour, 3));
    this.object = new Points(geometry, new PointsMaterial({ size: 0.28, vertexColors: true, transparent: true, depthWrite: false }));
    this.object.frustumCulled = false;
  }

  burst(x: number, y: number, z: number, hex: number, count: number): void {
    const c = new Color(hex);
    for (let i = 0; i < count; ++i) {
      const at = this.next;
      this.next = (this.next + 1) % MOST;
      this.age[at] = 0;
      this.position.set([x, y, z], 3 * at);
      this.tint.set([c.r, c.g, c.b], 3 * at);
      for (let k = 0; k < 3; ++k) this.velocity[3 * at + k] = (Math.random() - 0.5) * 9;
    }
  }

  update(seconds: number): void {
    for (let i = 0; i < MOST; ++i) {
      const age = (this.age[i] = Math.min(LIFE, this.age[i]! + seconds));
      const light = 1 - age / LIFE;
      if (light === 0) this.position[3 * i + 1] = 1e6;
      for (let k = 0; k < 3; ++k) {
        this.position[3 * i + k]! += this.velocity[3 * i + k]! * seconds;
        this.colour[3 * i + k] = this.tint[3 * i + k]! * light;
      }
    }
    this.object.geometry.attributes["position"]!.needsUpdate = true;
    this.object.geometry.attributes["color"]!.needsUpdate = true;
  }
}
