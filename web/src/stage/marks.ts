/** web/src/stage/marks.ts: goal, start and the radar's range. */
import {
  AdditiveBlending,
  BufferGeometry,
  EllipseCurve,
  Group,
  LineBasicMaterial,
  LineLoop,
  Mesh,
  MeshBasicMaterial,
  NormalBlending,
  RingGeometry,
  SphereGeometry,
  type Camera,
  type ColorRepresentation,
} from "three";
import { okabeIto, type Theme } from "../app/theme.js";

/** A dot with two rings that face the camera; seen through everything. */
export class Mark {
  readonly object = new Group();
  private readonly rings: Mesh[];
  private time = 0;

  constructor(color: ColorRepresentation) {
    const flat = (opacity: number) => new MeshBasicMaterial({ color, transparent: true, opacity, depthTest: false, depthWrite: false });
    this.rings = [new Mesh(new RingGeometry(0.86, 1, 40), flat(0.95)), new Mesh(new RingGeometry(0.94, 1, 40), flat(0.4))];
    const dot = new Mesh(new SphereGeometry(0.32, 16, 12), flat(1));
    this.object.add(dot, ...this.rings);
    for (const part of this.object.children) part.renderOrder = 11;
    this.object.visible = false;
  }

  set(x: number, y: number, z: number, radius: number): void {
    this.object.visible = true;
    this.object.position.set(x, y, z);
    this.object.scale.setScalar(radius);
  }

  hide(): void {
    this.object.visible = false;
  }

  /** Faces the camera; the outer ring breathes, unless `calm`. */
  update(camera: Camera, seconds: number, calm: boolean): void {
    this.time += seconds;
    for (const ring of this.rings) ring.quaternion.copy(camera.quaternion);
    this.rings[1]!.scale.setScalar(calm ? 1.6 : 1.55 + 0.35 * Math.sin(this.time * 2.2));
  }
}

/** Three great circles around a faint skin: how far an agent sees. */
export class RadarSphere {
  readonly object = new Group();

  constructor(theme: Theme) {
    const line = new LineBasicMaterial({ color: okabeIto.green, transparent: true, opacity: 0.5, depthWrite: false });
    const skin = new MeshBasicMaterial({ color: okabeIto.green, transparent: true, opacity: 0.05, depthWrite: false });
    const around = new BufferGeometry().setFromPoints(new EllipseCurve(0, 0, 1, 1).getPoints(96));
    const circles = [0, 1, 2].map(() => new LineLoop(around, line));
    circles[1]!.rotation.x = Math.PI / 2;
    circles[2]!.rotation.y = Math.PI / 2;
    this.object.add(...circles, new Mesh(new SphereGeometry(1, 40, 28), skin));
    this.object.visible = false;
    theme.watch(() => {
      skin.blending = theme.name === "dark" ? AdditiveBlending : NormalBlending;
    });
  }

  set(x: number, y: number, z: number, radius: number): void {
    this.object.visible = radius > 0;
    this.object.position.set(x, y, z);
    this.object.scale.setScalar(radius || 1);
  }
}
