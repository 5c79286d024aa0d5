/** web/src/search/view.ts: the tab "Search": what a search does, step by step, alone or beside another one. */
import { Box3, Box3Helper, Color, Plane, Vector3, type Group } from "three";
import type { Vector } from "volnav";
import type { App } from "../app/app.js";
import { el } from "../app/dom.js";
import { okabeIto } from "../app/theme.js";
import type { Frame, OpenedFile, Places, View, ViewInstance } from "../app/view.js";
import { mapFiles } from "../map/load.js";
import { Clip } from "../stage/clip.js";
import { Mark } from "../stage/marks.js";
import { Solids } from "../stage/solids.js";
import { Ground } from "./ground.js";
import { SearchPanel } from "./panel.js";
import { Pane, type Layers } from "./pane.js";
import { bakeFile } from "./places.js";
import { defaultSettings, fromLink, toLink, type SearchSettings, type Side } from "./settings.js";
import { renderSides, setSides } from "./sides.js";
import { Timeline } from "./timeline.js";

class SearchView implements ViewInstance {
  private settings = defaultSettings();
  private ground: Ground | null = null;
  private readonly clip = new Clip();
  private readonly solids: Solids;
  private readonly panes: [Pane, Pane];
  private readonly marks = { start: new Mark(okabeIto.green), goal: new Mark(okabeIto.vermillion) };
  private readonly rim: Box3Helper;
  private readonly box = new Box3();
  private readonly heads = el("div", { class: "heads" });
  private readonly timeline: Timeline;
  private readonly panel: SearchPanel;
  private layers: Layers = { nodes: true, tree: true, sights: true };
  private picks: "goal" | "start" = "goal";

  constructor(
    private readonly app: App,
    places: Places,
  ) {
    this.solids = new Solids(app.theme, this.clip);
    this.solids.setOpacity(0.34);
    this.panes = [new Pane(this.clip), new Pane(this.clip)];
    this.rim = new Box3Helper(this.box, new Color(okabeIto.grey));
    this.addTo(places.group);
    this.timeline = new Timeline({ seek: (at) => this.panes.forEach((pane) => pane.show(at, !this.timeline.playing)), play: () => undefined });
    this.panel = new SearchPanel({
      place: (id) => this.change({ place: id, start: null, goal: null }),
      way: (side, way) => this.changeSide(side, way),
      compare: (on) => this.setCompare(on),
      refine: (refine) => this.change({ refine }),
      layers: (layers) => this.setLayers(layers),
      roof: (part) => this.cut(part),
      pick: (which) => (this.picks = which),
      swap: () => this.change({ start: this.goal, goal: this.start }),
    });
    this.heads.append(this.panes[0].head, this.panes[1].head);
    places.panel.append(this.panel.element);
    places.deck.append(this.timeline.element);
    places.overlay.append(this.heads);
    app.keys.tell("search", keys);
  }

  show(): void {
    if (!this.ground) this.run(this.settings);
    this.app.stage.rig.setMode("orbit");
    this.frameCamera();
  }

  restore(link: ReadonlyMap<string, string>): void {
    this.run(fromLink(link));
  }

  link(): Record<string, string> {
    return toLink(this.settings);
  }

  frame({ seconds }: Frame): void {
    this.timeline.advance(seconds);
    const { camera } = this.app.stage.rig;
    for (const mark of Object.values(this.marks)) mark.update(camera, seconds, this.app.calm);
  }

  render(): void {
    const [first, second] = this.panes;
    second.group.visible = this.settings.compare;
    renderSides(this.app.stage, this.settings.compare ? [first.group, second.group] : [first.group]);
  }

  hide(): void {
    setSides(this.app.stage, 1);
  }

  key(event: KeyboardEvent): boolean {
    const action = {
      " ": () => this.timeline.toggle(),
      ".": () => this.timeline.step(1),
      ",": () => this.timeline.step(-1),
      home: () => this.timeline.step(-Infinity),
      end: () => this.timeline.step(Infinity),
      x: () => this.change({ start: this.goal, goal: this.start }),
      b: () => this.setCompare(!this.settings.compare),
    }[event.key.toLowerCase()];
    action?.();
    return action !== undefined;
  }

  click(x: number, y: number): void {
    // in a comparison each half is a picture of its own
    const across = this.settings.compare ? (x < 0 ? 2 * x + 1 : 2 * x - 1) : x;
    const point = this.pick(across, y);
    if (point) this.change(this.picks === "goal" ? { goal: point } : { start: point });
  }

  async open(file: OpenedFile): Promise<boolean> {
    this.take(new Ground(await bakeFile(this.app.volnav, file)));
    this.panel.addPlace("file", file.name);
    this.run({ ...this.settings, place: "file", start: null, goal: null });
    this.frameCamera();
    return true;
  }

  // ---------- queries

  private get start(): Vector {
    return this.settings.start ?? this.ground!.baked.start;
  }

  private get goal(): Vector {
    return this.settings.goal ?? this.ground!.baked.goal;
  }

  private change(some: Partial<SearchSettings>): void {
    this.run({ ...this.settings, ...some });
  }

  private setCompare(compare: boolean): void {
    this.change({ compare });
    this.frameCamera();
  }

  private changeSide(side: 0 | 1, way: Side): void {
    const sides: [Side, Side] = [...this.settings.sides];
    sides[side] = way;
    this.change({ sides });
  }

  private run(settings: SearchSettings): void {
    const another = !this.ground || this.ground.baked.id !== settings.place;
    if (another) this.take(Ground.of(this.app.volnav, settings.place));
    const ground = this.ground!;
    this.settings = { ...settings, place: ground.baked.id };
    const algos = this.settings.sides.map((side) => this.fit(side)) as [string[], string[]];
    this.panel.show(this.settings, ground.baked.about, algos, ground.kinds);
    this.panes.forEach((pane, i) => this.search(pane, this.settings.sides[i]!, settings.compare || i === 0));
    this.setLayers(this.layers);
    this.setMarks();
    this.heads.classList.toggle("two", settings.compare);
    this.panes[1].head.hidden = !settings.compare;

    const shown = this.panes.slice(0, settings.compare ? 2 : 1);
    const traces = shown.flatMap((pane) => pane.trace ?? []);
    this.timeline.set(traces, this.app.calm ? Infinity : 0);
    this.timeline.setPlaying(!this.app.calm && traces.length > 0);
    if (another) this.frameCamera();
  }

  /** A space that the world does not have, or an algorithm that the space does not have, gives way to the first. */
  private fit(side: Side): string[] {
    const ground = this.ground!;
    if (!ground.kinds.includes(side.kind)) side.kind = "grid";
    const algos = ground.algos(side.kind);
    if (!algos.includes(side.algo)) side.algo = algos[0]!;
    return algos;
  }

  private search(pane: Pane, side: Side, wanted: boolean): void {
    if (!wanted) {
      pane.clear();
      return;
    }
    try {
      pane.set(this.app.stats.inside(() => this.ground!.trace(side, this.start, this.goal, { refine: this.settings.refine, opens: true })));
    } catch (error) {
      pane.fail(`${side.algo} on ${side.kind}`, error instanceof Error ? error.message : String(error));
    }
  }

  private take(ground: Ground): void {
    this.ground?.dispose();
    this.ground = ground;
    const { low, high } = ground.baked;
    this.solids.set(ground.geometry());
    this.box.set(new Vector3(...low), new Vector3(...high));
  }

  // ---------- picture

  private addTo(group: Group): void {
    for (const mark of Object.values(this.marks)) group.add(mark.object);
    group.add(this.solids.object, this.rim, ...this.panes.map((pane) => pane.group));
  }

  private frameCamera(): void {
    const { stage } = this.app;
    stage.setUp(this.ground?.baked.up ?? "y");
    setSides(stage, this.settings.compare ? 2 : 1);
    stage.frame(this.box, -0.12); // above are the figures
  }

  private get up(): Vector3 {
    return this.ground?.baked.up === "z" ? new Vector3(0, 0, 1) : new Vector3(0, 1, 0);
  }

  private setMarks(): void {
    const radius = this.box.getSize(new Vector3()).length() / 75;
    this.marks.start.set(...this.start, radius);
    this.marks.goal.set(...this.goal, radius);
  }

  private setLayers(layers: Layers): void {
    this.layers = layers;
    for (const pane of this.panes) if (pane.trace) pane.layers(layers);
  }

  private cut(part: number): void {
    const { min, max } = this.box;
    const { up } = this;
    this.clip.set(up, part >= 1 ? null : up.dot(min) + (up.dot(max) - up.dot(min)) * part);
  }

  /** Just before what stands under the pointer; else at the height of the end that is moved. */
  private pick(x: number, y: number): Vector | null {
    const { ray } = this.app.stage.ray(x, y);
    const { space } = this.ground!.baked;
    const from: Vector = this.picks === "goal" ? this.goal : this.start;
    const level = ray.intersectPlane(new Plane(this.up, -this.up.dot(new Vector3(...from))), new Vector3());
    const inside = level && this.box.containsPoint(level) ? level : null;
    const enters = ray.intersectBox(this.box, new Vector3());
    const target = inside ?? enters;
    if (!target) return null;
    try {
      return space.nearest([target.x, target.y, target.z]).position;
    } catch {
      return null;
    }
  }
}

const keys = [
  { keys: "Space", does: "Play, pause" },
  { keys: ", .", does: "A step back, a step on" },
  { keys: "Home, End", does: "To the beginning, to the end" },
  { keys: "B", does: "Another search beside it, or not" },
  { keys: "X", does: "Swap start and goal" },
];

export const searchView: View = {
  id: "search",
  title: "Search",
  hint: "What a search does, step by step, alone or beside another one.",
  files: mapFiles,
  create: (app, places) => new SearchView(app, places),
};
