/** web/src/stage/lookup.ts: where an autopilot looks for obstacles: cubes along its path, with a faint skin. */
import { Group, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { okabeIto, type Theme } from "../app/theme.js";
import type { Clip } from "./clip.js";
import { box } from "./shapes.js";
import { Swarm } from "./swarm.js";
import { WireBoxes } from "./wire.js";

const UPRIGHT = new Quaternion();

export class LookupZone {
  readonly object = new Group();
  private readonly skin = new Swarm(box(), new MeshBasicMaterial({ transparent: true, opacity: 0.07, depthWrite: false }));
  private readonly wire: WireBoxes;
  private drawn: Float64Array | null = null;
  private readonly place = new Vector3();
  private readonly size = new Vector3();

  constructor(theme: Theme, clip: Clip) {
    this.wire = new WireBoxes(clip, 0.5, true);
    this.object.add(this.skin.object, this.wire.object);
    theme.watch(() => this.wire.setColor(theme.name === "light" ? LIGHT : okabeIto.purple));
  }

  /** Centres and the edge of the cubes; the same array again: nothing has changed. */
  set(centres: Float64Array, edge: number, shown: boolean): void {
    this.object.visible = shown && centres.length > 0;
    if (!this.object.visible || centres === this.drawn) return;
    this.drawn = centres;
    this.size.setScalar(edge);
    this.skin.begin();
    for (let i = 0; i < centres.length; i += 3) {
      this.skin.add(this.place.set(centres[i]!, centres[i + 1]!, centres[i + 2]!), UPRIGHT, this.size, okabeIto.purple);
    }
    this.skin.end();
    this.wire.set(corners(centres, edge / 2));
  }
}

/** The palette's purple is too faint for lines on a light ground. */
const LIGHT = 0x8f3f6c;

/** low and high of each cube */
function corners(centres: Float64Array, half: number): Float32Array {
  const list = new Float32Array(2 * centres.length);
  for (let i = 0; i < centres.length; ++i) {
    const at = 6 * Math.floor(i / 3) + (i % 3);
    list[at] = centres[i]! - half;
    list[at + 3] = centres[i]! + half;
  }
  return list;
}
