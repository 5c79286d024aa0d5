/** web/src/stage/rig.ts: the camera: around the world, behind the agent, in its seat, from above, or free. */
import { Matrix4, PerspectiveCamera, Quaternion, Vector3, type Box3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export const cameraModes = ["orbit", "chase", "cockpit", "top", "free"] as const;
export type CameraMode = (typeof cameraModes)[number];

/** Whom a camera follows. */
export interface Followed {
  position: Vector3;
  /** length 1 */
  forward: Vector3;
  radius: number;
}

const FORWARD = new Vector3(0, 0, -1);

/** Parts of the picture that a framed box may fill. */
const WIDE = 0.94;
const HIGH = 0.86;
/** How far its middle is above that of the picture, in halves of its height: below is the bar of time. */
const LIFTED = 0.07;

function cornersOf({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
}

export class Rig {
  readonly camera = new PerspectiveCamera(50, 1, 0.1, 1000);
  readonly controls: OrbitControls;
  private readonly up = new Vector3(0, 1, 0);
  private current: CameraMode = "orbit";
  private home: { position: Vector3; target: Vector3 } | null = null;
  private size = 100;
  private seen: Followed | null = null;
  private readonly aim = new Vector3();
  private readonly wanted = new Vector3();
  /** a view moves the camera by itself */
  private held = false;
  /** metres behind the agent, in its radii */
  private distance = 14;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: true });
    canvas.addEventListener("pointermove", (event) => this.look(event));
  }

  get mode(): CameraMode {
    return this.current;
  }

  setMode(mode: CameraMode): void {
    const from = this.current;
    this.current = mode;
    this.controls.enabled = !this.held && (mode === "orbit" || mode === "top");
    this.controls.enableRotate = mode !== "top";
    if (mode === "top") this.lookDown();
    if (mode === "orbit" && from !== "orbit" && this.home) this.reset();
  }

  /** Metres to what is looked at. */
  get focus(): number {
    const { position } = this.camera;
    if (this.current === "chase" && this.seen) return Math.max(position.distanceTo(this.seen.position), 0.5);
    if (this.held || this.current === "cockpit" || this.current === "free") return 12;
    return Math.max(position.distanceTo(this.controls.target), 0.5);
  }

  /** True: the camera is the view's own, until it says false. */
  hold(held: boolean): void {
    this.held = held;
    this.controls.enabled = !held && (this.current === "orbit" || this.current === "top");
  }

  setUp(up: Vector3): void {
    this.up.copy(up);
    this.camera.up.copy(up);
    // OrbitControls reads the axis when it is made; this is the same sum
    const controls = this.controls as unknown as { _quat: Quaternion; _quatInverse: Quaternion };
    controls._quat.setFromUnitVectors(up, new Vector3(0, 1, 0));
    controls._quatInverse.copy(controls._quat).invert();
  }

  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  setDepth(near: number, far: number): void {
    this.camera.near = near;
    this.camera.far = far;
    this.camera.updateProjectionMatrix();
  }

  /** The whole box in the picture, from a corner above it. */
  frame(box: Box3, lifted = LIFTED): void {
    this.size = box.getSize(new Vector3()).length() || 1;
    const side = new Vector3(0.62, 0, 0).addScaledVector(this.up, 0.55);
    const deep = new Vector3().crossVectors(new Vector3(1, 0, 0), this.up).multiplyScalar(0.85);
    const away = side.add(deep).normalize();
    this.home = this.fit(box, away, lifted);
    this.reset();
  }

  /** As near as shows all corners of the box. */
  private fit(box: Box3, away: Vector3, lifted: number): { position: Vector3; target: Vector3 } {
    const target = box.getCenter(new Vector3());
    const right = new Vector3().crossVectors(this.up, away).normalize();
    const above = new Vector3().crossVectors(away, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = this.size;
    for (let round = 0; round < 8; ++round) {
      let [nearest, low, high] = [0, Infinity, -Infinity];
      for (const corner of cornersOf(box)) {
        const at = corner.sub(target);
        const depth = at.dot(away);
        nearest = Math.max(nearest, depth + Math.abs(at.dot(right)) / (tall * this.camera.aspect * WIDE), depth + Math.abs(at.dot(above)) / (tall * HIGH));
        const y = at.dot(above) / ((distance - depth) * tall);
        [low, high] = [Math.min(low, y), Math.max(high, y)];
      }
      distance = nearest;
      target.addScaledVector(above, ((low + high) / 2 - lifted) * distance * tall * 0.7);
    }
    return { target, position: target.clone().addScaledVector(away, distance) };
  }

  reset(): void {
    if (!this.home) return;
    this.controls.target.copy(this.home.target);
    this.camera.position.copy(this.home.position);
    this.camera.lookAt(this.home.target);
    if (this.current === "top") this.lookDown();
    this.controls.update();
  }

  follow(followed: Followed | null): void {
    if (!this.seen && followed) this.aim.copy(followed.forward);
    this.seen = followed;
  }

  zoom(factor: number): void {
    if (this.current === "chase") {
      this.distance = Math.min(80, Math.max(5, this.distance * factor));
    } else if (this.current === "cockpit" || this.current === "free") {
      this.camera.fov = Math.min(90, Math.max(15, this.camera.fov * factor));
      this.camera.updateProjectionMatrix();
    } else {
      this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    }
  }

  /** `keys`: which are down, for free flight. */
  update(seconds: number, isDown: (code: string) => boolean): void {
    if (this.held) return;
    if (this.current === "free") this.fly(seconds, isDown);
    else if (this.current === "chase" && this.seen) this.chase(this.seen, seconds);
    else if (this.current === "cockpit" && this.seen) this.sit(this.seen, seconds);
    else this.orbit(seconds, isDown);
  }

  /** By mouse, or by arrows. */
  private orbit(seconds: number, isDown: (code: string) => boolean): void {
    const yaw = Number(isDown("ArrowLeft")) - Number(isDown("ArrowRight"));
    const pitch = Number(isDown("ArrowUp")) - Number(isDown("ArrowDown"));
    if (this.current === "orbit" && (yaw !== 0 || pitch !== 0)) {
      const away = this.camera.position.clone().sub(this.controls.target);
      const right = new Vector3().crossVectors(this.up, away).normalize();
      const tilted = away.clone().applyAxisAngle(right, -pitch * seconds);
      if (Math.abs(tilted.clone().normalize().dot(this.up)) < 0.98) away.copy(tilted);
      this.camera.position.copy(away.applyAxisAngle(this.up, yaw * seconds).add(this.controls.target));
    }
    this.controls.update(seconds);
  }

  private chase(seen: Followed, seconds: number): void {
    this.turn(seen, seconds, 2.5);
    const back = this.distance * Math.max(seen.radius, 0.3);
    this.wanted.copy(seen.position).addScaledVector(this.aim, -back).addScaledVector(this.up, back * 0.32);
    if (this.camera.position.distanceTo(this.wanted) > back * 6) this.camera.position.copy(this.wanted);
    this.camera.position.lerp(this.wanted, 1 - Math.exp(-6 * seconds));
    this.camera.up.copy(this.up);
    this.camera.lookAt(seen.position.x, seen.position.y, seen.position.z);
  }

  private sit(seen: Followed, seconds: number): void {
    this.turn(seen, seconds, 6);
    this.camera.position.copy(seen.position).addScaledVector(this.aim, seen.radius * 0.4);
    this.camera.up.copy(this.up);
    this.camera.lookAt(this.wanted.copy(this.camera.position).add(this.aim));
  }

  /** The view turns smoothly, whatever the agent does. */
  private turn(seen: Followed, seconds: number, rate: number): void {
    this.aim.lerp(seen.forward, 1 - Math.exp(-rate * seconds));
    if (this.aim.lengthSq() < 1e-6) this.aim.copy(seen.forward);
    this.aim.normalize();
  }

  private fly(seconds: number, isDown: (code: string) => boolean): void {
    const speed = this.size * 0.12 * (isDown("ShiftLeft") || isDown("ShiftRight") ? 4 : 1) * seconds;
    const axis = (plus: string, minus: string) => Number(isDown(plus)) - Number(isDown(minus));
    const forward = FORWARD.clone().applyQuaternion(this.camera.quaternion);
    const right = new Vector3().crossVectors(forward, this.up).normalize();
    this.camera.position
      .addScaledVector(forward, axis("KeyW", "KeyS") * speed)
      .addScaledVector(right, axis("KeyD", "KeyA") * speed)
      .addScaledVector(this.up, axis("KeyE", "KeyQ") * speed);
    const turn = seconds * 1.2;
    this.rotate(axis("ArrowLeft", "ArrowRight") * turn, axis("ArrowUp", "ArrowDown") * turn);
  }

  private look(event: PointerEvent): void {
    if (this.held || this.current !== "free" || (event.buttons & 1) === 0) return;
    const scale = 2.5 / this.canvas.clientHeight;
    this.rotate(-event.movementX * scale, -event.movementY * scale);
  }

  /** About the upward axis, and up or down, short of the poles. */
  private rotate(yaw: number, pitch: number): void {
    const forward = FORWARD.clone().applyQuaternion(this.camera.quaternion);
    const right = new Vector3().crossVectors(forward, this.up).normalize();
    const turned = forward.clone().applyAxisAngle(right, pitch);
    if (Math.abs(turned.dot(this.up)) < 0.995) forward.copy(turned);
    forward.applyAxisAngle(this.up, yaw);
    this.camera.quaternion.setFromRotationMatrix(new Matrix4().lookAt(new Vector3(), forward, this.up));
  }

  private lookDown(): void {
    const target = this.home?.target ?? this.controls.target;
    const away = this.up.clone().multiplyScalar(this.size * 1.05);
    const tilt = new Vector3().crossVectors(new Vector3(1, 0, 0), this.up).multiplyScalar(this.size * 0.002);
    this.controls.target.copy(target);
    this.camera.position.copy(target).add(away).add(tilt);
    this.camera.up.copy(this.up);
    this.camera.lookAt(target);
  }

  private wheel(event: WheelEvent): void {
    if (this.current === "orbit" || this.current === "top") return;
    this.zoom(event.deltaY > 0 ? 1.1 : 1 / 1.1);
  }
}
