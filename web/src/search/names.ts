/** web/src/search/names.ts: algorithms and spaces as people write them, each with one sentence. */
import type { SearchKind } from "volnav";

const algos: Record<string, [title: string, about: string]> = {
  cells: ["Cells", "volnav's own: from both ends over cells, each entered where the path is shortest."],
  astar: ["A*", "Expands the node whose path so far plus the straight rest is least."],
  dijkstra: ["Dijkstra", "Expands what is nearest to the start: in all directions."],
  greedy: ["Greedy", "Expands what looks nearest to the goal: fast, and easily trapped."],
  "astar-list": ["A*, list", "A* with a plain list as open set, as in the early theses."],
  ara: ["ARA*", "A quick path first, then better ones while time is left."],
  jps: ["JPS", "A* on the grid that jumps over nodes without a choice."],
  jps6: ["JPS, 6 ways", "The same with steps along the axes only."],
  theta: ["Theta*", "A* whose parents may be anything in sight: any angle."],
  "lazy-theta": ["Lazy Theta*", "Checks the sight only of what is expanded."],
  "theta-fast": ["Theta*, fast", "Theta* that trusts the graph's own lines of sight."],
  "lpa-star": ["LPA*", "A* that can repair its tree when edges change."],
  "dstar-lite": ["D* Lite", "From the goal: repairs while the agent moves on."],
  "ad-star": ["AD*", "D* Lite that is also anytime, as ARA* is."],
  dstar: ["D*", "The first of its kind: raises and lowers waves of costs."],
  "mtdstar-basic": ["MT-D* Lite, basic", "D* Lite for a goal that moves."],
  mtdstar: ["MT-D* Lite", "The same, and keeps more of its tree."],
  aamtdstar: ["Any-angle MT-D*", "The same with parents in sight."],
  "aamtdstar-fast": ["Any-angle MT-D*, fast", "The same, and trusts the graph's lines of sight."],
  "field-dstar": ["Field D*", "D* Lite that crosses faces of voxels anywhere."],
  "adaptive-astar": ["Adaptive A*", "A* that learns better estimates from each search."],
  mpaa: ["MPAA*", "Adaptive A* that reuses the old path when it meets it."],
  "tree-adaptive": ["Tree-AA*", "Adaptive A* that reuses old trees."],
  "aaad-star": ["Any-angle AD*", "AD* with parents in sight."],
};

export function algoTitle(algo: string): string {
  return algos[algo]?.[0] ?? algo;
}

export function algoAbout(algo: string): string {
  return algos[algo]?.[1] ?? "";
}

const kinds: Record<SearchKind, string> = {
  cells: "cells",
  grid: "voxels",
  octree: "octree",
  merged: "merged octree",
  hybrid: "hybrid graph",
  waypoints: "waypoints",
};

export function kindTitle(kind: SearchKind): string {
  return kinds[kind];
}

/** 12,345 µs is 12.3 ms. */
export function timeText(microseconds: number): string {
  if (microseconds < 1000) return `${microseconds.toFixed(microseconds < 10 ? 1 : 0)} µs`;
  return `${(microseconds / 1000).toFixed(microseconds < 10_000 ? 2 : 1)} ms`;
}
