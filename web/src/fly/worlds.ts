/** web/src/fly/worlds.ts: worlds for flights of the page's own: the city, and what was flown through in a run. */
import type { Geometry, RunView, SceneInfo, Vector, Zone } from "volnav";
import { city, traffic } from "../worlds/city.js";
import type { OwnWorld } from "./own.js";
import type { Mover } from "./movers.js";

/** The city in the list of scenes. */
export const cityScene: SceneInfo = {
  name: "city",
  source: "ours",
  description: "a city with traffic, rain and fog, yours to change",
  algos: ["cells"],
  spaces: ["cells"],
  variants: [],
  agents: 1,
  step: 1 / 30,
  limit: 600,
};

export function emptyGeometry(boxes: Float32Array): Geometry {
  const none = new Float32Array(0);
  const words = new Uint32Array(0);
  return { boxes, triangles: none, lines: none, boxColors: words, triangleColors: words, lineColors: words };
}

function zoneOf(low: Vector, high: Vector, factor: number): Zone {
  return { kind: "box", factor, flags: 0, low: [...low], high: [...high], centre: [0, 0, 0], radius: 0, planes: [] };
}

export function cityFlight(seed: number, movers: number, speed: number): OwnWorld {
  const made = city(seed);
  return {
    low: made.low,
    high: made.high,
    geometry: emptyGeometry(Float32Array.from(made.blocks.flatMap((one) => [...one.low, ...one.high]))),
    zones: made.zones.map((one) => zoneOf(one.low, one.high, one.factor)),
    movers: traffic(seed, movers, speed),
    start: made.start,
    goal: made.goal,
    resolution: 1,
    radius: 0.6,
    speed: 6,
  };
}

/** Things that a taken-over flight goes on with: the nearest ones. */
const MOST_MOVERS = 60;

/** The world of a run, from where its first agent is. What turns or blinks there stands still here. */
export function takenOver(view: RunView, geometry: Geometry, zones: Zone[], goal: Vector): OwnWorld {
  const { agents, things } = view;
  const start: Vector = [agents.positions[0]!, agents.positions[1]!, agents.positions[2]!];
  const movers: (Mover & { far: number })[] = [];
  for (let i = 0; i < things.count; ++i) {
    const at = (list: Float64Array): [number, number, number] => [list[3 * i]!, list[3 * i + 1]!, list[3 * i + 2]!];
    const position = at(things.centres);
    const far = Math.hypot(position[0] - start[0], position[1] - start[1], position[2] - start[2]);
    movers.push({ position, velocity: at(things.velocities), kind: things.kinds[i] === 1 ? 1 : 0, size: at(things.sizes), id: null, far });
  }
  movers.sort((a, b) => a.far - b.far);
  const radius = agents.radii[0]!;
  const longest = Math.max(...view.high.map((one, k) => one - view.low[k]!));
  const resolution = Math.max(longest / 100, radius);
  return { low: view.low, high: view.high, geometry, zones, movers: movers.slice(0, MOST_MOVERS), start, goal, resolution, radius, speed: Math.max(3, longest / 40) };
}
