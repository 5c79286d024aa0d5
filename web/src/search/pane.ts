/** web/src/search/pane.ts: one search in the world, and its figures above it. */
import { Group } from "three";
import { el } from "../app/dom.js";
import { okabeIto } from "../app/theme.js";
import type { Clip } from "../stage/clip.js";
import { WideLine } from "../stage/lines.js";
import { WireBoxes } from "../stage/wire.js";
import { Cloud } from "./cloud.js";
import { algoTitle, kindTitle, timeText } from "./names.js";
import { setSights, setTree, Strands } from "./strands.js";
import { branch, raysAt, type Trace } from "./trace.js";

/** The level that WireBoxes draws in orange. */
const ORANGE = 3;

export interface Layers {
  nodes: boolean;
  tree: boolean;
  sights: boolean;
}

/** A figure with its name. */
class Count {
  readonly element: HTMLElement;
  readonly name = el("span", {});
  private readonly number = el("b", { class: "figure" }, "–");
  private text = "";

  constructor(name: string, hint: string) {
    this.name.textContent = name;
    this.element = el("div", { class: "count", title: hint, "data-count": name }, this.number, this.name);
  }

  show(value: number | string): void {
    const text = typeof value === "number" ? value.toLocaleString("en-US") : value;
    if (text === this.text) return;
    this.text = text;
    this.number.textContent = text;
  }
}

export class Pane {
  readonly group = new Group();
  readonly head: HTMLElement;
  private readonly cloud: Cloud;
  /** the open set, as the library tells it */
  private readonly waiting: WireBoxes;
  private asked = -1;
  private readonly tree = new Strands(0.5, 0);
  private readonly sights = new Strands(0.9, 8);
  private readonly path = new WideLine({ color: okabeIto.vermillion, width: 4.5, above: true });
  private readonly twig = new WideLine({ color: okabeIto.yellow, width: 2.5, above: true });
  private readonly title = el("h3", {});
  private readonly verdict = el("p", { class: "verdict" });
  private readonly expanded = new Count("expanded", "Nodes taken out of the open set so far");
  private readonly open = new Count("open", "Nodes that wait and will be expanded");
  private readonly rays = new Count("sights", "Lines of sight checked so far");
  private shown: Trace | null = null;
  private at = -1;

  constructor(clip: Clip) {
    this.cloud = new Cloud(clip);
    this.waiting = new WireBoxes(clip, 0.5);
    this.waiting.object.renderOrder = 3;
    this.group.add(this.waiting.object, this.cloud.object, this.tree.object, this.sights.object, this.twig.object, this.path.object);
    const counts = el("div", { class: "counts" }, this.expanded.element, this.open.element, this.rays.element);
    this.head = el("div", { class: "pane-head" }, this.title, counts, this.verdict);
  }

  get trace(): Trace | null {
    return this.shown;
  }

  get count(): number {
    return this.shown?.order.count ?? 0;
  }

  set(one: Trace): void {
    this.shown = one;
    this.at = -1;
    this.asked = -1;
    this.waiting.clear();
    this.cloud.set(one);
    setTree(this.tree, one);
    setSights(this.sights, one);
    this.title.replaceChildren(el("b", {}, algoTitle(one.algo)), ` on ${kindTitle(one.kind)}`);
    this.expanded.name.textContent = `of ${one.order.count.toLocaleString("en-US")} expanded`;
    this.rays.element.hidden = one.order.sights.count === 0;
    this.path.set(one.path);
  }

  /** Nothing is shown any more. */
  clear(): void {
    this.shown = null;
    this.waiting.clear();
  }

  /** Why there is nothing. */
  fail(title: string, reason: string): void {
    this.shown = null;
    this.title.textContent = title;
    this.verdict.textContent = reason;
    for (const part of this.group.children) part.visible = false;
  }

  layers(layers: Layers): void {
    this.cloud.object.visible = layers.nodes && this.count > 0;
    this.waiting.setOpacity(layers.nodes ? 0.5 : 0);
    this.tree.object.visible = layers.tree;
    this.sights.object.visible = layers.sights;
  }

  /** After so many expansions; the path is there at the end. `still`: nothing plays, so that the open set is exact. */
  show(expansions: number, still = true): void {
    const one = this.shown;
    const t = Math.min(Math.floor(expansions), this.count);
    if (!one) return;
    this.ask(one, t, still);
    if (t === this.at) return;
    this.at = t;
    for (const part of [this.cloud, this.tree, this.sights]) part.show(t);
    const done = t >= this.count;
    this.path.object.visible = done && one.path.length >= 6;
    this.twig.set(done || t === 0 ? [] : branch(one, t - 1));
    this.expanded.show(t);
    this.open.show(one.open && still ? this.waiting.count : (one.openAt[t] ?? 0));
    this.rays.show(raysAt(one.order, t));
    this.verdict.textContent = done ? verdict(one) : "searching …";
    this.verdict.dataset.done = String(done);
  }

  /** Asks for the open set; while a search plays, only now and then, because each answer is a search. */
  private ask(one: Trace, t: number, still: boolean): void {
    const stride = still ? 1 : Math.max(1, this.count / 60);
    if (!one.open || Math.abs(t - this.asked) < stride) return;
    this.asked = t;
    if (t === 0 || t >= this.count) this.waiting.clear();
    else {
      const boxes = one.open(t);
      this.waiting.set(boxes, new Uint8Array(boxes.length / 6).fill(ORANGE));
    }
  }
}

function verdict(one: Trace): string {
  if (one.status !== "path") return one.status.replaceAll("-", " ");
  return `${one.length.toFixed(2)} m in ${timeText(one.microseconds)}`;
}
