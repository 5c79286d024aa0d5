/** web/src/search/settings.ts: what a search is made from, and the same as text for links. */
import { refinements, searchKinds, type SearchKind, type Vector } from "volnav";

/** Space and algorithm. */
export interface Side {
  kind: SearchKind;
  algo: string;
}

export interface SearchSettings {
  place: string;
  sides: [Side, Side];
  compare: boolean;
  refine: (typeof refinements)[number];
  /** null: those of the place */
  start: Vector | null;
  goal: Vector | null;
}

export function defaultSettings(): SearchSettings {
  return {
    place: "walls",
    sides: [{ kind: "grid", algo: "astar" }, { kind: "cells", algo: "cells" }],
    compare: true,
    refine: "default",
    start: null,
    goal: null,
  };
}

const vectorText = (v: Vector) => v.map((x) => String(Math.round(x * 1000) / 1000)).join(",");
const sideText = (side: Side) => `${side.kind}.${side.algo}`;

export function toLink(settings: SearchSettings): Record<string, string> {
  const link: Record<string, string> = { place: settings.place, a: sideText(settings.sides[0]), b: sideText(settings.sides[1]) };
  if (!settings.compare) link["compare"] = "false";
  if (settings.refine !== "default") link["refine"] = settings.refine;
  if (settings.start) link["start"] = vectorText(settings.start);
  if (settings.goal) link["goal"] = vectorText(settings.goal);
  return link;
}

function readVector(text: string | undefined): Vector | null {
  const parts = (text ?? "").split(",").map(Number);
  return text && parts.length === 3 && parts.every((x) => Math.abs(x) < 1e6) ? (parts as unknown as Vector) : null;
}

function readSide(text: string | undefined, otherwise: Side): Side {
  const [kind, algo] = (text ?? "").split(".");
  const known = searchKinds.find((one) => one === kind);
  return known && algo && /^[a-z0-9-]{1,32}$/.test(algo) ? { kind: known, algo } : otherwise;
}

/** Nothing in a link is trusted: what makes no sense stays as it is by default. */
export function fromLink(link: ReadonlyMap<string, string>): SearchSettings {
  const made = defaultSettings();
  made.place = link.get("place") ?? made.place;
  made.sides = [readSide(link.get("a"), made.sides[0]), readSide(link.get("b"), made.sides[1])];
  made.compare = link.get("compare") !== "false";
  made.refine = refinements.find((one) => one === link.get("refine")) ?? made.refine;
  made.start = readVector(link.get("start"));
  made.goal = readVector(link.get("goal"));
  return made;
}
