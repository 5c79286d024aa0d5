/** web/src/stage/clip.ts: one plane that cuts roofs away; whoever wants to be cut takes `planes` into its material. */
import { Plane, Vector3 } from "three";

export class Clip {
  readonly plane = new Plane(new Vector3(0, -1, 0), 1e9);
  readonly planes: Plane[] = [this.plane];

  /** Everything above this height along an axis vanishes; null: nothing does. */
  set(up: Vector3, height: number | null): void {
    this.plane.normal.copy(up).negate();
    this.plane.constant = height ?? 1e9;
  }
}
