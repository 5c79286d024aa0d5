/** web/src/search/panel.ts: the controls of a search: place, ends, ways, what is drawn. */
import { refinements, searchKinds, type SearchKind } from "volnav";
import { el } from "../app/dom.js";
import { button, choice, row, section, segments, slider, toggle, type Choice } from "../ui/controls.js";
import { algoAbout, algoTitle, kindTitle } from "./names.js";
import type { Layers } from "./pane.js";
import { places } from "./places.js";
import type { SearchSettings, Side } from "./settings.js";

export type Refine = (typeof refinements)[number];

export interface PanelEvents {
  place(id: string): void;
  /** `side` of the comparison */
  way(side: 0 | 1, way: Side): void;
  compare(on: boolean): void;
  refine(refine: Refine): void;
  layers(layers: Layers): void;
  roof(part: number): void;
  pick(which: "goal" | "start"): void;
  swap(): void;
}

/** Space and algorithm of one side. */
class Way {
  readonly element: HTMLElement;
  private readonly kind: Choice<SearchKind>;
  private readonly algo: Choice<string>;
  private readonly about = el("p", {});

  constructor(title: string, changed: (side: Side) => void) {
    const tell = () => changed({ kind: this.kind.value, algo: this.algo.value });
    this.kind = choice("Space", searchKinds.map((value) => ({ value, label: kindTitle(value) })), tell);
    this.algo = choice("Algorithm", ["astar"], tell);
    this.element = section(title, this.kind.element, this.algo.element, this.about);
  }

  show(side: Side, algos: readonly string[], kinds: readonly SearchKind[]): void {
    this.kind.setOptions(kinds.map((value) => ({ value, label: kindTitle(value) })));
    this.kind.value = side.kind;
    this.algo.setOptions(algos.map((value) => ({ value, label: algoTitle(value) })));
    this.algo.value = side.algo;
    this.about.textContent = algoAbout(side.algo);
  }
}

export class SearchPanel {
  readonly element = el("div", { class: "search-panel" });
  private readonly place: Choice<string>;
  private readonly about = el("p", {});
  private readonly ways: [Way, Way];
  private readonly compare: ReturnType<typeof toggle>;
  private readonly refine: Choice<Refine>;
  private readonly layers: Layers = { nodes: true, tree: true, sights: true };

  constructor(events: PanelEvents) {
    this.place = choice("World", places.map((one) => ({ value: one.id, label: one.title })), (id) => events.place(id));
    const pick = segments(
      "A click sets",
      [{ value: "goal", label: "the goal" }, { value: "start", label: "the start" }],
      (which) => events.pick(which),
    );
    this.ways = [new Way("Search", (side) => events.way(0, side)), new Way("Beside it", (side) => events.way(1, side))];
    this.compare = toggle("Another search beside it", false, (on) => events.compare(on));
    this.refine = choice("Path", [...refinements], (value) => events.refine(value));
    const layer = (name: keyof Layers, label: string) =>
      toggle(label, this.layers[name], (on) => {
        this.layers[name] = on;
        events.layers({ ...this.layers });
      }).element;
    const roof = slider("Cut above", { min: 0.1, max: 1, step: 0.05, value: 1 }, (part) => events.roof(part), (part) => `${Math.round(part * 100)} %`);
    this.element.append(
      section("Query", this.place.element, this.about, pick.element, row(button("Swap the ends", () => events.swap()))),
      this.ways[0].element,
      section("Compare", this.compare.element),
      this.ways[1].element,
      section("Picture", layer("nodes", "Open and closed nodes"), layer("tree", "Tree of parents"), layer("sights", "Lines of sight"), roof.element, this.refine.element),
      legend(),
    );
  }

  show(settings: SearchSettings, about: string, algos: readonly [readonly string[], readonly string[]], kinds: readonly SearchKind[]): void {
    this.place.value = settings.place;
    this.about.textContent = about;
    settings.sides.forEach((side, i) => this.ways[i]!.show(side, algos[i]!, kinds));
    this.compare.value = settings.compare;
    this.ways[1].element.hidden = !settings.compare;
    this.refine.value = settings.refine;
  }

  /** A world from a file joins the list. */
  addPlace(id: string, title: string): void {
    this.place.setOptions([{ value: id, label: title }, ...places.map((one) => ({ value: one.id, label: one.title }))]);
    this.place.value = id;
  }
}

function legend(): HTMLElement {
  const entry = (kind: string, text: string) => el("li", { class: kind }, text);
  return section(
    "Colours",
    el(
      "ul",
      { class: "colours" },
      entry("early", "closed early"),
      entry("late", "closed late"),
      entry("back", "closed from the goal's side"),
      entry("open", "open: waits to be expanded"),
      entry("now", "expanded now, and how it was reached"),
      entry("free", "line of sight: free"),
      entry("blocked", "line of sight: blocked"),
      entry("path", "path"),
    ),
  );
}
