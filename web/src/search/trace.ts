/**
 * web/src/search/trace.ts: one search, as it is shown: its figures, and what was expanded when.
 *
 * The library says what is open after so many expansions, of most searches. The search over cells and planners do not
 * tell: there a node that is expanded counts as open since its parent was, and nodes that the search never comes to
 * are not among them.
 */
import type { Order, Search, SearchKind, SearchOptions, Vector } from "volnav";

export interface Figures {
  status: string;
  length: number;
  expanded: number;
  closed: number;
  sightChecks: number;
  microseconds: number;
}

export interface Trace extends Figures {
  kind: SearchKind;
  algo: string;
  path: Float64Array;
  order: Order;
  /** the expansion after which a node was open; -1: from the beginning */
  opened: Float32Array;
  /** the expansion of its parent; -1: none */
  parent: Int32Array;
  /** how many of the nodes are open after each number of expansions */
  openAt: Uint32Array;
  /** what is open after so many, low and high of each box; null: only what `opened` says is known */
  open: ((expansions: number) => Float32Array) | null;
}

export interface Way extends Pick<SearchOptions, "refine"> {
  /** ask for open sets too: that takes some searches more */
  opens?: boolean;
}

const NOTHING: Order = {
  count: 0,
  points: new Float64Array(),
  parents: new Float64Array(),
  boxes: new Float32Array(),
  g: new Float64Array(),
  h: new Float64Array(),
  keys: new Float64Array(),
  fromGoal: new Uint8Array(),
  nodes: new Uint32Array(),
  sights: { count: 0, lines: new Float64Array(), visible: new Uint8Array(), after: new Uint32Array() },
};

/** A place of the lattice as a key; the two sides of a search from both ends are apart. */
function keyOf(points: Float64Array, i: number, side: number): string {
  return `${points[3 * i]!},${points[3 * i + 1]!},${points[3 * i + 2]!},${side}`;
}

/** Who opened whom. */
function link(order: Order): Pick<Trace, "opened" | "parent" | "openAt"> {
  const { count } = order;
  const opened = new Float32Array(count).fill(-1);
  const parent = new Int32Array(count).fill(-1);
  const newest = new Map<string, number>();
  for (let i = 0; i < count; ++i) {
    const side = order.fromGoal[i]!;
    const found = newest.get(keyOf(order.parents, i, side));
    if (found !== undefined) {
      parent[i] = found;
      opened[i] = found;
    }
    newest.set(keyOf(order.points, i, side), i);
  }
  return { opened, parent, openAt: countOpen(opened) };
}

function countOpen(opened: Float32Array): Uint32Array {
  const change = new Int32Array(opened.length + 2);
  opened.forEach((since, i) => {
    ++change[since + 1]!;
    --change[i + 1]!;
  });
  const sums = new Uint32Array(opened.length + 1);
  let sum = 0;
  for (let t = 0; t <= opened.length; ++t) sums[t] = sum += change[t]!;
  return sums;
}

/** Milliseconds of one measurement, of which the clock of a page tells a tenth, and of all of one search. */
const MEASURED = 2;
const ENOUGH = 30;

/** Microseconds of a call: the fastest of a few rows of calls, because the first ones wait for the browser's compiler. */
export function timeOf(search: Search, start: Vector, goal: Vector, options: SearchOptions): number {
  const begin = performance.now();
  let least = Infinity;
  for (let calls = 1; performance.now() - begin < ENOUGH; ) {
    const before = performance.now();
    for (let i = 0; i < calls; ++i) search.find(start, goal, options);
    const spent = performance.now() - before;
    if (spent >= MEASURED || calls > 4096) least = Math.min(least, (1000 * spent) / calls);
    else calls *= 4;
  }
  return least;
}

/** Places at which the open set is counted for its curve. */
const SAMPLES = 24;

/** Numbers of open nodes, straight between samples. */
function sample(open: (expansions: number) => Float32Array, count: number): Uint32Array {
  const values = new Uint32Array(count + 1);
  const stride = Math.max(1, Math.ceil(count / SAMPLES));
  values[0] = 1;
  for (let from = 0; from < count; from += stride) {
    const to = Math.min(count, from + stride);
    const end = to < count ? open(to).length / 6 : values[from]!;
    for (let t = from + 1; t <= to; ++t) values[t] = values[from]! + ((end - values[from]!) * (t - from)) / (to - from);
  }
  return values;
}

/** What the library says of the open set: null if it does not tell. */
function opens(search: Search, start: Vector, goal: Vector, options: SearchOptions, count: number): Pick<Trace, "open" | "openAt"> | null {
  const open = (expansions: number) => search.open(start, goal, expansions, options);
  if (count < 3 || open(Math.floor(count / 2)).length === 0) return null;
  return { open, openAt: sample(open, count) };
}

/** Runs a search and keeps copies of what it did. */
export function trace(search: Search, algo: string, start: Vector, goal: Vector, { opens: asks = false, ...options }: Way): Trace {
  const least = timeOf(search, start, goal, { ...options, algo });
  const found = search.find(start, goal, { ...options, algo, order: true });
  const order = found.order ?? NOTHING;
  const path = found.points.slice(); // before the next call
  const told = asks ? opens(search, start, goal, { ...options, algo }, order.count) : null;
  return {
    kind: search.kind,
    algo,
    status: found.status,
    length: found.length,
    expanded: found.expanded,
    closed: found.closed,
    sightChecks: found.sightChecks,
    microseconds: least < Infinity ? least : found.microseconds,
    path,
    order,
    open: null,
    ...link(order),
    ...told,
  };
}

/** The expansions from the start to expansion `i`, as points. */
export function branch(one: Trace, i: number): number[] {
  const points: number[] = [];
  for (let at = i, guard = 0; at >= 0 && guard <= one.order.count; at = one.parent[at]!, ++guard) {
    points.push(...one.order.points.subarray(3 * at, 3 * at + 3));
  }
  return points;
}

/** Lines of sight that were checked within the first `t` expansions. */
export function raysAt(order: Order, t: number): number {
  let low = 0;
  let high = order.sights.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order.sights.after[middle]! <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}
