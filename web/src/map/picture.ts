/** web/src/map/picture.ts: a world in the map: solids, the boxes that are searched, both ends, and paths in stages. */
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Vector3, type Group } from "three";
import type { Vector } from "volnav";
import type { App } from "../app/app.js";
import { okabeIto } from "../app/theme.js";
import { Clip } from "../stage/clip.js";
import { WideLine } from "../stage/lines.js";
import { Mark } from "../stage/marks.js";
import { Solids } from "../stage/solids.js";
import { WireBoxes } from "../stage/wire.js";
import type { MapWorld } from "./world.js";

/** What becomes of a path, in the order in which it does. */
export const stages = ["none", "funnel", "taut", "smooth"] as const;
export type Stage = (typeof stages)[number];

export const stageNames: Record<Stage, string> = { none: "raw", funnel: "funnel", taut: "taut", smooth: "smooth" };
export const stageColours: Record<Stage, number> = {
  none: okabeIto.purple,
  funnel: okabeIto.orange,
  taut: okabeIto.sky,
  smooth: okabeIto.green,
};

export class MapPicture {
  readonly clip = new Clip();
  readonly solids: Solids;
  readonly wire = new WireBoxes(this.clip, 0.3);
  readonly corridor = new WireBoxes(this.clip, 0.9);
  private readonly edges = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: okabeIto.sky, transparent: true, opacity: 0.25, depthWrite: false }));
  private readonly lines: Record<Stage, WideLine>;
  private readonly start = new Mark(okabeIto.orange);
  private readonly goal = new Mark(okabeIto.green);
  private readonly places: { start: Vector3 | null; goal: Vector3 | null } = { start: null, goal: null };

  constructor(
    private readonly app: App,
    group: Group,
  ) {
    this.solids = new Solids(app.theme, this.clip);
    const line = (stage: Stage) => new WideLine({ color: stageColours[stage], width: stage === "smooth" ? 4 : 2.5, above: true, opacity: 0.95 });
    this.lines = { none: line("none"), funnel: line("funnel"), taut: line("taut"), smooth: line("smooth") };
    this.edges.visible = false;
    this.edges.frustumCulled = false;
    group.add(this.solids.object, this.wire.object, this.corridor.object, this.edges, this.start.object, this.goal.object);
    for (const stage of stages) group.add(this.lines[stage].object);
  }

  set(world: MapWorld): void {
    this.solids.set(world.solids);
    this.wire.clear();
    this.corridor.clear();
    this.edges.visible = false;
    this.setEnd("start", null);
    this.setEnd("goal", null);
    for (const stage of stages) this.setPath(stage, []);
  }

  /** Boxes with levels, and lines between them; none: nothing is shown. */
  setSpace(boxes: Float32Array | null, levels?: Uint8Array, edges?: Float32Array): void {
    if (boxes) this.wire.set(boxes, levels);
    else this.wire.clear();
    this.edges.visible = (edges?.length ?? 0) > 0;
    if (!edges || edges.length === 0) return;
    this.edges.geometry.dispose();
    this.edges.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(edges, 3));
  }

  setEnd(which: "start" | "goal", place: Vector | null): void {
    this.places[which] = place ? new Vector3(...place) : null;
    if (!place) this[which].hide();
  }

  setPath(stage: Stage, points: ArrayLike<number>): void {
    this.lines[stage].set(points);
  }

  /** Marks keep their size in the picture. */
  update(seconds: number): void {
    const { camera } = this.app.stage.rig;
    for (const which of ["start", "goal"] as const) {
      const place = this.places[which];
      if (!place) continue;
      this[which].set(place.x, place.y, place.z, camera.position.distanceTo(place) * 0.012);
      this[which].update(camera, seconds, this.app.calm);
    }
  }
}
