/** web/src/search/repair.ts: the tab "Repair": a planner that keeps what it knows, beside one that begins anew in each frame. */
import { Box3, Box3Helper, BoxGeometry, Color, Group, Mesh, MeshLambertMaterial, Vector3 } from "three";
import type { Order } from "volnav";
import type { App } from "../app/app.js";
import { el } from "../app/dom.js";
import { okabeIto } from "../app/theme.js";
import type { Frame, Places, View, ViewInstance } from "../app/view.js";
import { Clip } from "../stage/clip.js";
import { WideLine } from "../stage/lines.js";
import { Mark } from "../stage/marks.js";
import { Solids } from "../stage/solids.js";
import { button, choice, row, section } from "../ui/controls.js";
import { Cloud } from "./cloud.js";
import { algoAbout, algoTitle } from "./names.js";
import { places, type Place } from "./places.js";
import { renderSides, setSides } from "./sides.js";
import { FRAMES, planners, tellStory, type Story, type Telling } from "./story.js";
import { Timeline } from "./timeline.js";

const DROPS = [4, 9, 14];

/** One of the two: nodes of this frame and of earlier ones, the path, and figures. */
class Half {
  readonly group = new Group();
  readonly head: HTMLElement;
  private readonly cloud: Cloud;
  private readonly path = new WideLine({ color: okabeIto.vermillion, width: 4.5, above: true });
  private readonly now = el("b", { class: "figure" });
  private readonly sum = el("b", { class: "figure" });
  private readonly note = el("p", { class: "verdict" });
  private readonly title = el("h3", {});
  private told: Telling | null = null;
  private frame = -1;

  constructor(
    clip: Clip,
    private readonly keeps: boolean,
  ) {
    this.cloud = new Cloud(clip);
    this.group.add(this.cloud.object, this.path.object);
    const count = (number: HTMLElement, name: string, id: string) => el("div", { class: "count", "data-count": id }, number, el("span", {}, name));
    this.head = el("div", { class: "pane-head" }, this.title, el("div", { class: "counts" }, count(this.now, "expanded in this frame", "frame"), count(this.sum, "in all so far", "sum")), this.note);
  }

  set(telling: Telling, algo: string): void {
    this.told = telling;
    this.frame = -1;
    if (this.keeps) this.setNodes(telling.order);
    this.title.replaceChildren(el("b", {}, algoTitle(algo)), this.keeps ? " that repairs" : " that begins anew");
  }

  /** Nothing waits: what is shown is what was expanded. */
  private setNodes(order: Order): void {
    const opened = Float32Array.from({ length: order.count }, (_, i) => i);
    this.cloud.set({ order, opened, kind: "grid", open: null });
  }

  /** Who begins anew knows nothing of earlier frames. */
  private showAlone(order: Order): void {
    this.setNodes(order);
    this.cloud.show(order.count);
  }

  show(frame: number): void {
    const step = this.told?.steps[frame];
    if (!step) return;
    if (this.keeps) this.cloud.show(step.to, step.from);
    else if (frame !== this.frame) this.showAlone(step.order);
    this.frame = frame;
    this.path.set(step.path);
    this.now.textContent = step.expanded.toLocaleString("en-US");
    const sum = this.told!.steps.slice(0, frame + 1).reduce((all, one) => all + one.expanded, 0);
    this.sum.textContent = sum.toLocaleString("en-US");
    this.note.textContent = step.status === "path" ? `${step.cost.toFixed(2)} m` : step.status.replaceAll("-", " ");
    this.note.dataset.done = String(step.status === "path");
  }
}

class RepairView implements ViewInstance {
  private place: Place = places[0]!;
  private algo: string = planners[0];
  private drops: number[] = [...DROPS];
  private story: Story | null = null;
  private shownFrame = 0;
  private readonly clip = new Clip();
  private readonly solids: Solids;
  private readonly box = new Box3();
  private readonly fallen = new Group();
  private readonly halves: [Half, Half];
  private readonly marks = { agent: new Mark(okabeIto.green), goal: new Mark(okabeIto.vermillion) };
  private readonly timeline: Timeline;
  private readonly about = el("p", {});
  private readonly placeChoice;
  private readonly algoChoice;

  constructor(
    private readonly app: App,
    where: Places,
  ) {
    this.solids = new Solids(app.theme, this.clip);
    this.solids.setOpacity(0.3);
    this.halves = [new Half(this.clip, true), new Half(this.clip, false)];
    this.timeline = new Timeline({ seek: (at) => this.seek(at), play: () => undefined }, "frames");
    this.placeChoice = choice("World", places.map((one) => ({ value: one.id, label: one.title })), (id) => this.tell({ place: id }));
    this.algoChoice = choice<string>("Planner", planners.map((value) => ({ value, label: algoTitle(value) })), (algo) => this.tell({ algo }));
    where.group.add(this.solids.object, this.fallen, new Box3Helper(this.box, new Color(okabeIto.grey)), this.marks.agent.object, this.marks.goal.object);
    for (const half of this.halves) where.group.add(half.group);
    where.panel.append(
      section("Repair", this.placeChoice.element, this.algoChoice.element, this.about),
      section(
        "Break it",
        el("p", {}, "An agent flies to its goal, a metre a frame. Boxes drop into its path."),
        row(button("Drop one now", () => this.dropNow()), button("As at first", () => this.tell({ drops: [...DROPS] }))),
      ),
      section("Colours", el("ul", { class: "colours" }, el("li", { class: "late" }, "expanded in this frame"), el("li", { class: "kept" }, "known from earlier frames"), el("li", { class: "fallen" }, "dropped"), el("li", { class: "path" }, "path"))),
    );
    where.overlay.append(el("div", { class: "heads two" }, this.halves[0].head, this.halves[1].head));
    where.deck.append(this.timeline.element);
    app.keys.tell("repair", keys);
  }

  show(): void {
    if (!this.story) this.tell({});
    this.app.stage.rig.setMode("orbit");
    this.frameCamera();
  }

  hide(): void {
    setSides(this.app.stage, 1);
  }

  frame({ seconds }: Frame): void {
    this.timeline.advance(seconds);
    for (const mark of Object.values(this.marks)) mark.update(this.app.stage.rig.camera, seconds, this.app.calm);
  }

  render(): void {
    renderSides(this.app.stage, this.halves.map((half) => half.group));
  }

  key(event: KeyboardEvent): boolean {
    const action = {
      " ": () => this.timeline.toggle(),
      ".": () => this.timeline.step(1),
      ",": () => this.timeline.step(-1),
      home: () => this.timeline.step(-Infinity),
      end: () => this.timeline.step(Infinity),
      d: () => this.dropNow(),
    }[event.key.toLowerCase()];
    action?.();
    return action !== undefined;
  }

  link(): Record<string, string> {
    return { place: this.place.id, algo: this.algo, drops: this.drops.join(",") };
  }

  restore(link: ReadonlyMap<string, string>): void {
    const drops = (link.get("drops") ?? "").split(",").map(Number).filter((frame) => Number.isInteger(frame) && frame > 0 && frame < FRAMES);
    const algo = planners.find((one) => one === link.get("algo")) ?? this.algo;
    this.tell({ place: link.get("place") ?? this.place.id, algo, drops: link.has("drops") ? drops : this.drops });
  }

  // ---------- the story

  private tell(part: { place?: string; algo?: string; drops?: number[] }): void {
    const place = places.find((one) => one.id === (part.place ?? this.place.id)) ?? this.place;
    const algo = part.algo ?? this.algo;
    const drops = part.drops ?? this.drops;
    try {
      this.story = this.app.stats.inside(() => tellStory(this.app.volnav, place, algo, drops));
    } catch (error) {
      this.app.say(error instanceof Error ? error.message : String(error), "error");
      return;
    }
    const another = place !== this.place || this.box.isEmpty();
    [this.place, this.algo, this.drops] = [place, algo, drops];
    this.drawWorld();
    this.halves[0].set(this.story.repaired, algo);
    this.halves[1].set(this.story.anew, algo);
    this.placeChoice.value = place.id;
    this.algoChoice.value = algo;
    this.about.textContent = algoAbout(algo);
    const bars = [this.story.repaired, this.story.anew].map((telling) => Uint32Array.from(telling.steps, (one) => one.expanded));
    this.timeline.setCurves(FRAMES - 1, bars, this.app.calm ? Infinity : 0);
    this.timeline.setPlaying(!this.app.calm);
    if (another) this.frameCamera();
  }

  /** Just ahead of the agent, in the frame after the one that is shown. */
  private dropNow(): void {
    const frame = Math.min(this.shownFrame + 1, FRAMES - 1);
    this.tell({ drops: [...new Set([...this.drops, frame])].sort((a, b) => a - b) });
    this.timeline.seek(frame);
  }

  private seek(at: number): void {
    const frame = Math.min(Math.floor(at), FRAMES - 1);
    if (!this.story) return;
    this.shownFrame = frame;
    for (const half of this.halves) half.show(frame);
    this.story.drops.forEach((drop, i) => (this.fallen.children[i]!.visible = drop.frame <= frame));
    const radius = this.box.getSize(new Vector3()).length() / 75;
    this.marks.agent.set(...this.story.agents[frame]!, radius);
    this.marks.goal.set(...this.place.goal, radius);
  }

  // ---------- picture

  private drawWorld(): void {
    const world = this.app.volnav.createWorld();
    this.place.build(world);
    this.solids.set(world.geometry());
    world.dispose();
    this.box.set(new Vector3(), new Vector3(...this.place.high));
    this.fallen.clear();
    const material = new MeshLambertMaterial({ color: okabeIto.orange, transparent: true, opacity: 0.85 });
    for (const { low, high } of this.story!.drops) {
      const size = new Vector3(...high).sub(new Vector3(...low));
      const mesh = new Mesh(new BoxGeometry(size.x, size.y, size.z), material);
      mesh.position.set(...low).addScaledVector(size, 0.5);
      this.fallen.add(mesh);
    }
  }

  private frameCamera(): void {
    const { stage } = this.app;
    stage.setUp("y");
    setSides(stage, 2);
    stage.frame(this.box, -0.12); // above are the figures
  }
}

const keys = [
  { keys: "Space", does: "Play, pause" },
  { keys: ", .", does: "A frame back, a frame on" },
  { keys: "D", does: "Drop an obstacle ahead" },
];

export const repairView: View = {
  id: "repair",
  title: "Repair",
  hint: "Planners that keep what they know, frame by frame: what is reused, what is expanded.",
  create: (app, places) => new RepairView(app, places),
};
