/** web/src/search/choose.ts: the tab "Choose": one query through every algorithm, side by side, with what each costs. */
import { searchKinds, type SearchKind } from "volnav";
import type { App } from "../app/app.js";
import { el } from "../app/dom.js";
import type { OpenedFile, Places, View, ViewInstance } from "../app/view.js";
import { mapFiles } from "../map/load.js";
import { choice, section, segments, toggle, type Choice } from "../ui/controls.js";
import { Ground } from "./ground.js";
import { algoAbout, algoTitle, kindTitle, timeText } from "./names.js";
import { bakeFile, places } from "./places.js";
import { drawThumbnail, type Aspect } from "./thumbnail.js";
import type { Trace } from "./trace.js";

const orders = {
  time: (a: Trace, b: Trace) => a.microseconds - b.microseconds,
  length: (a: Trace, b: Trace) => a.length - b.length,
  nodes: (a: Trace, b: Trace) => a.expanded - b.expanded,
  name: (a: Trace, b: Trace) => algoTitle(a.algo).localeCompare(algoTitle(b.algo)),
} as const;
type Sort = keyof typeof orders;

/** A figure of a card: how large it is among all is its bar. */
const measures: { name: string; log: boolean; of: (one: Trace) => number; text: (value: number) => string; hint: string }[] = [
  { name: "time", log: true, of: (one) => one.microseconds, text: timeText, hint: "of a call, the fastest of a few rows; the bar is logarithmic" },
  { name: "length", log: false, of: (one) => one.length, text: (value) => `${value.toFixed(2)} m`, hint: "of the path" },
  { name: "nodes", log: true, of: (one) => one.expanded, text: (value) => value.toLocaleString("en-US"), hint: "expanded; the bar is logarithmic" },
];

/** How long a bar is; of values that differ by thousands, by their logarithm. */
function share(value: number, least: number, most: number, log: boolean): number {
  const part = log ? Math.log((2 * value) / least) / Math.log((2 * most) / least) : value / most;
  return Math.min(1, Math.max(0.01, part));
}

class ChooseView implements ViewInstance {
  private ground: Ground | null = null;
  private placeId = "walls";
  private kinds = new Set<SearchKind>(["cells", "grid"]);
  private sort: Sort = "time";
  private aspect: Aspect = "top";
  private readonly cards = new Map<Trace, HTMLElement>();
  private obstacles = new Float32Array();
  private timer = 0;
  private waiting: [SearchKind, string][] = [];
  private readonly place: Choice<string>;
  private readonly progress = el("p", { class: "muted", role: "status" });
  private readonly grid = el("div", { class: "cards" });
  private readonly head = el("p", { class: "multiples-head" });

  constructor(
    private readonly app: App,
    where: Places,
  ) {
    this.place = choice("World", places.map((one) => ({ value: one.id, label: one.title })), (id) => this.choose(id));
    const boxes = searchKinds.map((kind) => toggle(kindTitle(kind), this.kinds.has(kind), (on) => this.setKind(kind, on)).element);
    const sort = choice("Sort by", Object.keys(orders) as Sort[], (value) => {
      this.sort = value;
      this.layOut();
    });
    const aspect = segments("Seen", [{ value: "top", label: "from above" }, { value: "side", label: "from the side" }], (value) => {
      this.aspect = value;
      this.redraw();
    });
    where.panel.append(
      section("Query", this.place.element, el("p", {}, "The same start and goal for all. A click on a picture shows that search step by step."), aspect.element),
      section("Spaces", ...boxes),
      section("Order", sort.element, this.progress),
    );
    where.overlay.append(el("div", { class: "multiples" }, this.head, this.grid));
    app.theme.watch(() => this.redraw());
  }

  show(): void {
    if (!this.ground) this.choose(this.placeId);
  }

  /** The stage is covered by cards: there is nothing to draw. */
  render(): void {}

  restore(link: ReadonlyMap<string, string>): void {
    const kinds = (link.get("spaces") ?? "").split(",").filter((kind) => searchKinds.some((one) => one === kind));
    if (kinds.length > 0) this.kinds = new Set(kinds as SearchKind[]);
    this.choose(link.get("place") ?? this.placeId);
  }

  link(): Record<string, string> {
    return { place: this.placeId, spaces: [...this.kinds].join(",") };
  }

  async open(file: OpenedFile): Promise<boolean> {
    const baked = await bakeFile(this.app.volnav, file);
    this.place.setOptions([{ value: "file", label: file.name }, ...places.map((one) => ({ value: one.id, label: one.title }))]);
    this.take(new Ground(baked));
    return true;
  }

  // ---------- searches

  private choose(id: string): void {
    this.take(Ground.of(this.app.volnav, id));
  }

  private take(ground: Ground): void {
    this.ground?.dispose();
    this.ground = ground;
    this.placeId = ground.baked.id;
    this.obstacles = ground.blocked();
    this.place.value = this.placeId;
    this.begin();
  }

  private setKind(kind: SearchKind, on: boolean): void {
    if (on) this.kinds.add(kind);
    else this.kinds.delete(kind);
    this.begin();
  }

  private begin(): void {
    const ground = this.ground!;
    const kinds = ground.kinds.filter((kind) => this.kinds.has(kind));
    this.cards.clear();
    this.grid.replaceChildren();
    this.grid.dataset.done = "false";
    this.head.replaceChildren(el("b", {}, ground.baked.title), ` ${ground.baked.about}`);
    this.waiting = kinds.flatMap((kind) => ground.algos(kind).map((algo): [SearchKind, string] => [kind, algo]));
    clearTimeout(this.timer);
    this.goOn();
  }

  /** A few searches at a time, so that the page stays alive. */
  private goOn(): void {
    for (const begin = performance.now(); this.waiting.length > 0 && performance.now() - begin < 50; ) {
      const [kind, algo] = this.waiting.shift()!;
      const one = this.runOne(kind, algo);
      if (one) this.addCard(one);
    }
    if (this.waiting.length === 0) return this.layOut();
    this.progress.textContent = `${this.waiting.length} searches to come …`;
    this.timer = window.setTimeout(() => this.goOn(), 0);
  }

  private runOne(kind: SearchKind, algo: string): Trace | null {
    const { start, goal } = this.ground!.baked;
    try {
      return this.app.stats.inside(() => this.ground!.trace({ kind, algo }, start, goal, {}));
    } catch (error) {
      this.app.say(`${algoTitle(algo)}: ${error instanceof Error ? error.message : String(error)}`, "error");
      return null;
    }
  }

  // ---------- cards

  private addCard(one: Trace): void {
    const card = this.card(one);
    this.cards.set(one, card);
    this.grid.append(card);
    this.draw(one, card);
  }

  private draw(one: Trace, card: HTMLElement): void {
    const { baked } = this.ground!;
    const dark = this.app.theme.name === "dark";
    drawThumbnail(card.querySelector("canvas")!, one, { baked, obstacles: this.obstacles, start: baked.start, goal: baked.goal, aspect: this.aspect, dark });
  }

  private redraw(): void {
    for (const [one, card] of this.cards) this.draw(one, card);
  }

  /** All searches are done: sorted, and with bars that can be compared. */
  private layOut(): void {
    if (!this.ground || this.waiting.length > 0) return;
    const sorted = [...this.cards.keys()].sort(orders[this.sort]);
    this.grid.replaceChildren(...sorted.map((one) => this.cards.get(one)!));
    for (const [i, measure] of measures.entries()) {
      const values = sorted.map(measure.of).filter((value) => value > 0);
      const [least, most] = [Math.min(...values), Math.max(...values)];
      for (const [one, card] of this.cards) {
        const bar = card.querySelectorAll<HTMLElement>(".gauge i")[i];
        if (bar) bar.style.width = `${(100 * share(measure.of(one), least, most, measure.log)).toFixed(1)}%`;
      }
    }
    this.progress.textContent = `${sorted.length} searches.`;
    this.grid.dataset.done = "true";
  }

  private card(one: Trace): HTMLElement {
    const figures = measures.map((measure) =>
      el("div", { class: "measure", title: measure.hint }, el("span", {}, measure.name), el("b", { class: "figure" }, measure.text(measure.of(one))), el("div", { class: "gauge" }, el("i"))),
    );
    const found = one.status === "path";
    const place = this.placeId;
    const show = () => (location.hash = `#search&place=${place}&a=${one.kind}.${one.algo}&compare=false`);
    return el(
      "button",
      { type: "button", class: "card", title: algoAbout(one.algo), "data-algo": one.algo, "data-space": one.kind, onclick: show },
      el("h3", {}, el("b", {}, algoTitle(one.algo)), ` · ${kindTitle(one.kind)}`),
      el("canvas", { class: "thumb" }),
      ...(found ? figures : [el("p", { class: "no-path" }, one.status.replaceAll("-", " "))]),
    );
  }
}

export const chooseView: View = {
  id: "choose",
  title: "Choose",
  hint: "One query through every algorithm, side by side, with time, length and nodes.",
  files: mapFiles,
  create: (app, places) => new ChooseView(app, places),
};
