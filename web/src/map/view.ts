/** web/src/map/view.ts: the tab "Map": any world, the spaces that can be searched in it, and paths by a click. */
import { Vector3 } from "three";
import { searchKinds, type Search, type SearchKind, type SearchResult, type Vector } from "volnav";
import type { App } from "../app/app.js";
import { el } from "../app/dom.js";
import type { Frame, OpenedFile, Places, View, ViewInstance } from "../app/view.js";
import { pick } from "../stage/pick.js";
import { levelColour } from "../stage/wire.js";
import { button, choice, row, section, segments, slider, toggle } from "../ui/controls.js";
import { corridorOf } from "./corridor.js";
import { loadMap, mapFiles } from "./load.js";
import { MapPicture, stageColours, stageNames, stages, type Stage } from "./picture.js";
import { MapDeck } from "./deck.js";
import { cityWorld, sceneWorld, type MapWorld } from "./world.js";

/** More edges than this are not fetched for drawing. */
const MOST_EDGES = 60000;

const CITY = "city";
const FILE = "file";

class MapTab implements ViewInstance {
  private readonly picture: MapPicture;
  private readonly deck = new MapDeck();
  private readonly name = el("b", {});
  private readonly about = el("span", {});
  private readonly legend = el("div", { class: "legend" });
  private world: MapWorld | null = null;
  private search: Search | null = null;
  private kind: SearchKind = "cells";
  private start: Vector | null = null;
  private goal: Vector | null = null;
  private wire = true;
  private corridor = false;
  private chosen = CITY;
  private file: OpenedFile | null = null;
  private dice = 1n;
  private readonly shown: Record<Stage, boolean> = { none: false, funnel: false, taut: false, smooth: true };
  private readonly kindChoice;
  private readonly scene;
  private readonly algo;
  private readonly end;

  constructor(
    private readonly app: App,
    places: Places,
  ) {
    this.picture = new MapPicture(app, places.group);
    this.kindChoice = choice<SearchKind>("Space", searchKinds, (kind) => this.setKind(kind));
    this.scene = choice<string>("World", this.worldNames(), (name) => this.setWorld(name));
    this.algo = choice<string>("Algorithm", [], () => this.find());
    this.end = segments<"start" | "goal">("A click sets", [{ value: "goal", label: "goal" }, { value: "start", label: "start" }], () => undefined);
    places.panel.append(...this.panels());
    places.deck.append(this.deck.element);
    places.overlay.append(el("div", { class: "caption" }, this.name, this.about), this.legend);
    app.keys.tell("map", keys);
  }

  show(): void {
    if (!this.world) this.setWorld(this.chosen);
    else this.frameWorld();
  }

  link(): Record<string, string> {
    const ends = (place: Vector | null) => place?.map((one) => +one.toFixed(3)).join(",") ?? "";
    return { world: this.chosen, space: this.kind, algo: this.algo.value, from: ends(this.start), to: ends(this.goal) };
  }

  restore(link: ReadonlyMap<string, string>): void {
    this.setWorld(link.get("world") ?? CITY);
    this.scene.value = this.chosen;
    const kind = searchKinds.find((one) => one === link.get("space"));
    if (kind) this.setKind(kind);
    if (this.search?.algos().includes(link.get("algo") ?? "")) this.algo.value = link.get("algo")!;
    for (const [name, which] of [["from", "start"], ["to", "goal"]] as const) {
      const place = (link.get(name) ?? "").split(",").map(Number);
      if (place.length === 3 && place.every(Number.isFinite)) this.setEnd(which, [place[0]!, place[1]!, place[2]!]);
    }
  }

  async open(file: OpenedFile): Promise<boolean> {
    if (this.app.volnav.fileKind(file.bytes) === "run-record") return false;
    const world = await loadMap(this.app.volnav, file);
    this.app.go("map");
    this.set(world);
    this.file = file;
    this.chosen = FILE;
    this.scene.setOptions(this.worldNames());
    this.scene.value = FILE;
    return true;
  }

  frame({ seconds }: Frame): void {
    this.picture.update(seconds);
  }

  click(x: number, y: number): void {
    if (!this.world) return;
    const away = 1.5 * this.world.radius + this.world.space.info().resolution;
    const place = pick(this.app.stage.ray(x, y), this.picture.solids.parts, this.world.bounds, away, this.picture.clip.plane);
    if (place) this.setEnd(this.end.value, [place.x, place.y, place.z]);
  }

  key(event: KeyboardEvent): boolean {
    const action = {
      g: () => this.randomEnd("goal"),
      h: () => this.randomEnd("start"),
      k: () => this.setKind(searchKinds[(searchKinds.indexOf(this.kind) + 1) % searchKinds.length]!),
      w: () => this.setWire(!this.wire),
      backspace: () => this.app.stage.rig.reset(),
    }[event.key.toLowerCase()];
    action?.();
    return action !== undefined;
  }

  // ---------- worlds

  private set(world: MapWorld): void {
    this.search?.dispose();
    this.search = null;
    this.world?.space.dispose();
    this.world?.world?.dispose();
    this.world = world;
    this.name.textContent = world.name;
    this.about.textContent = world.about;
    this.picture.set(world);
    this.frameWorld();
    this.setKind("cells");
    this.start = null;
    this.goal = null;
    if (world.start && world.goal) {
      this.setEnd("start", world.start);
      this.setEnd("goal", world.goal);
    } else {
      const [from, to] = this.farEnds(world);
      this.setEnd("start", from);
      this.setEnd("goal", to);
    }
  }

  private worldNames(): { value: string; label: string }[] {
    const opened = this.file ? [{ value: FILE, label: this.file.name }] : [];
    return [...opened, { value: CITY, label: "a small city" }, ...this.app.volnav.worldScenes().map((one) => ({ value: one.name, label: one.name }))];
  }

  private setWorld(name: string): void {
    if (name === FILE && this.file) {
      void this.open(this.file);
      return;
    }
    const { volnav } = this.app;
    const scene = volnav.worldScenes().find((one) => one.name === name);
    this.set(scene ? sceneWorld(volnav, scene) : cityWorld(volnav));
    this.chosen = scene ? name : CITY;
  }

  private frameWorld(): void {
    const { stage } = this.app;
    stage.setUp(this.world!.up);
    stage.rig.setMode("orbit");
    stage.frame(this.world!.bounds);
  }

  private setKind(kind: SearchKind): void {
    const { world } = this;
    if (!world) return;
    try {
      const made = this.app.stats.inside(() => world.space.createSearch(kind, world.world ? { world: world.world } : {}));
      this.search?.dispose();
      this.search = made;
      this.kind = kind;
    } catch (error) {
      this.app.say(error instanceof Error ? error.message : String(error), "error");
    }
    this.kindChoice.value = this.kind;
    this.algo.setOptions(this.search?.algos() ?? []);
    this.drawSpace();
    this.find();
  }

  private setWire(on: boolean): void {
    this.wire = on;
    this.drawSpace();
  }

  /** Off the critical path: the picture of the space comes a moment later. */
  private drawSpace(): void {
    const { search } = this;
    if (!search || !this.wire) {
      this.picture.setSpace(null);
      this.legend.replaceChildren();
      return;
    }
    setTimeout(() => {
      if (search !== this.search) return;
      const { boxes, levels } = search.boxes();
      const graph = this.kind === "hybrid" || this.kind === "waypoints";
      this.picture.setSpace(boxes, levels, graph ? search.edges(MOST_EDGES) : undefined);
      this.showLegend(levels, graph);
      this.deck.showSpace(boxes.length / 6);
    }, 0);
  }

  private showLegend(levels: Uint8Array, graph: boolean): void {
    const there = [...new Set(levels)].sort((a, b) => a - b);
    const resolution = this.world!.space.info().resolution;
    const kinds = ["static", "dynamic", "beside a dynamic one"];
    this.legend.replaceChildren(
      ...there.slice(0, 8).map((level) => {
        const text = graph ? (kinds[level] ?? String(level)) : `${+(resolution * 2 ** level).toPrecision(3)} m`;
        return el("span", {}, el("i", { style: `background:${levelColour(level)}` }), text);
      }),
    );
  }

  // ---------- paths

  /** Of some random places those two that are farthest apart. */
  private farEnds({ space }: MapWorld): [Vector, Vector] {
    const places: Vector[] = [];
    for (let i = 0; i < 10; ++i) {
      const { position, next } = space.random(this.dice);
      this.dice = next;
      places.push(position);
    }
    const far = (a: Vector, b: Vector) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    let best: [Vector, Vector] = [places[0]!, places[1]!];
    for (const a of places) for (const b of places) if (far(a, b) > far(...best)) best = [a, b];
    return best;
  }

  private randomEnd(which: "start" | "goal"): void {
    if (!this.world) return;
    const { position, next } = this.world.space.random(this.dice);
    this.dice = next;
    this.setEnd(which, position);
  }

  private setEnd(which: "start" | "goal", place: Vector): void {
    this[which] = place;
    this.picture.setEnd(which, place);
    this.find();
  }

  private find(): void {
    const { search, start, goal } = this;
    if (!search || !start || !goal) return;
    let last: SearchResult | null = null;
    try {
      for (const stage of stages) {
        this.picture.setPath(stage, []);
        if (!this.shown[stage]) continue;
        last = this.app.stats.inside(() => search.find(start, goal, this.options(stage)));
        this.picture.setPath(stage, last.status === "path" ? last.points : []);
        this.deck.showStage(stage, last);
      }
    } catch (error) {
      this.app.say(error instanceof Error ? error.message : String(error), "error");
    }
    this.drawCorridor();
    if (last) this.deck.show(last, new Vector3(...start).distanceTo(new Vector3(...goal)));
  }

  /** Of the search over cells, whatever space is chosen. */
  private drawCorridor(): void {
    const { world, start, goal } = this;
    this.picture.corridor.clear();
    if (!this.corridor || !world || !start || !goal || !("createQuery" in world.space)) return;
    const made = corridorOf(world.space, start, goal, this.options("smooth").snap);
    if (made) this.picture.corridor.set(made.boxes, made.levels);
  }

  private options(stage: Stage) {
    const snap = 4 * this.world!.radius + 4 * this.world!.space.info().resolution;
    return { algo: this.algo.value, snap, ...(this.kind === "cells" && stage === "smooth" ? {} : { refine: stage }) };
  }

  private panels(): HTMLElement[] {
    const wire = toggle("Boxes of the space", true, (on) => this.setWire(on));
    const corridor = toggle("Corridor and portals", false, (on) => {
      this.corridor = on;
      this.drawCorridor();
    });
    const opacity = slider("Solids", { min: 0, max: 1, step: 0.05, value: 1 }, (part) => this.picture.solids.setOpacity(part), (part) => `${Math.round(part * 100)} %`);
    const roof = slider("Cut roofs", { min: 0, max: 1, step: 0.01, value: 1 }, (part) => this.cut(part), (part) => (part >= 1 ? "off" : `${Math.round(part * 100)} %`));
    for (const one of [opacity, roof]) one.element.querySelector("input")!.addEventListener("input", () => one.element.querySelector("input")!.dispatchEvent(new Event("change")));
    const lines = stages.map((stage) => {
      const one = toggle(stageNames[stage], this.shown[stage], (on) => {
        this.shown[stage] = on;
        this.find();
      });
      one.element.append(el("i", { class: "swatch", style: `background:#${stageColours[stage].toString(16).padStart(6, "0")}` }));
      return one.element;
    });
    return [
      section("Search", this.scene.element, this.kindChoice.element, this.algo.element, this.end.element, row(button("Random goal", () => this.randomEnd("goal")), button("Random start", () => this.randomEnd("start")))),
      section("Path", el("div", { class: "pairs" }, ...lines)),
      section("Show", wire.element, corridor.element, opacity.element, roof.element),
      section("Your own world", el("p", {}, `Drop a file on the page, or open one (O): ${mapFiles.map((type) => `.${type}`).join(", ")}.`)),
    ];
  }

  private cut(part: number): void {
    const { bounds, up } = this.world!;
    const axis = up === "y" ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
    const [low, high] = [bounds.min.dot(axis), bounds.max.dot(axis)];
    this.picture.clip.set(axis, part >= 1 ? null : low + (high - low) * part);
  }
}

const keys = [
  { keys: "Click", does: "Sets the goal, or the start" },
  { keys: "G, H", does: "Random goal, random start" },
  { keys: "K", does: "Next space" },
  { keys: "W", does: "Boxes on and off" },
  { keys: "Backspace", does: "Camera back" },
];

export const mapView: View = {
  id: "map",
  title: "Map",
  hint: "Any world, its spaces, and a path for a click.",
  files: mapFiles,
  create: (app, places) => new MapTab(app, places),
};
