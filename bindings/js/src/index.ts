/**
 * volnav: navigation for everything that flies, swims or floats.
 *
 *     const volnav = await load(await readFile("volnav.wasm"));
 *     const world = volnav.createWorld();
 *     world.addBox([0, 0, 0], [1, 10, 10]);
 *     const space = volnav.bake(world, { resolution: 0.25, radii: [0.4] });
 *     const path = space.createQuery().find([-3, 5, 5], [4, 5, 5]);
 *
 * Positions are metres, as [x, y, z]. Points of a path come as views into the library's memory: they are valid until
 * the next call of the library; `slice()` keeps them.
 */
import { fileKind, unpackModule, withFile, type FileKind } from "./files.js";
import { Game, type GameOptions } from "./game.js";
import { buildScene, listWorldScenes, read3dmap, readOctomap, readScene } from "./maps.js";
import type { SceneFile, VoxelMap, WorldScene } from "./maps.js";
import { Nav, type NavOptions } from "./nav.js";
import { QueryRecord, RunRecord } from "./record.js";
import { listScenes, Run, type RunOptions, type SceneInfo } from "./run.js";
import { Space } from "./space.js";
import { Wasm, type Vector } from "./wasm.js";
import { World, type BakeOptions } from "./world.js";

export {
  agentStates,
  Crowd,
  type AgentId,
  type AgentOptions,
  type CrowdOptions,
  type CrowdStats,
  type CrowdView,
} from "./crowd.js";
export { boxLines, type Geometry, type Zone } from "./draw.js";
export type { FileKind } from "./files.js";
export {
  Game,
  type GameEnd,
  type GameEvent,
  type GameEventKind,
  type GameInput,
  type GameOptions,
  type GamePlayer,
  type GameStats,
  type GameThings,
  type GameView,
} from "./game.js";
export {
  Run,
  type RunAgents,
  type RunEnd,
  type RunOptions,
  type RunResult,
  type RunThings,
  type RunView,
  type SceneInfo,
  type StepTimes,
} from "./run.js";
export {
  Nav,
  Planner,
  type NavEvent,
  type NavGraph,
  type NavOptions,
  type NavResult,
  type NavStats,
  type Plan,
  type PlannerOptions,
} from "./nav.js";
export type { SceneFile, SceneRoute, VoxelMap, WorldScene } from "./maps.js";
export { QueryRecord, RunRecord, type Replay } from "./record.js";
export type { Order } from "./order.js";
export {
  refinements,
  Search,
  searchKinds,
  type SearchKind,
  type SearchOptions,
  type SearchResult,
} from "./search.js";
export {
  algos,
  qualities,
  Query,
  Layers,
  Space,
  type Curve,
  type CurveLimits,
  type FindOptions,
  type Hit,
  type Path,
  type PathStages,
  type SpaceInfo,
  type ZoneBox,
} from "./space.js";
export { VolnavError, type Vector } from "./wasm.js";
export { World, type BakeOptions, type ObstacleId, type Transform } from "./world.js";

/** The library, in a memory of its own. */
export class Volnav {
  /** @internal */
  constructor(private readonly wasm: Wasm) {}

  /** 10203 is 1.2.3 */
  get version(): number {
    return this.wasm.call("js_version");
  }

  /** bytes of memory that the library holds */
  get memory(): number {
    return this.wasm.size;
  }

  createWorld(origin: Vector = [0, 0, 0]): World {
    const at = this.wasm.call("js_world_create", ...origin);
    if (at === 0) throw new TypeError("the origin of a world must be finite");
    return new World(this.wasm, at);
  }

  bake(world: World, options: BakeOptions): Space {
    const radii = new Float32Array(options.radii ?? [0]);
    const bounds = options.bounds ? new Float32Array(options.bounds.flat()) : null;
    this.wasm.with([radii, bounds], (r, b) =>
      this.wasm.check("js_layers_bake", [world.at, options.resolution, r!, radii.length, b!, options.margin ?? 0]),
    );
    return new Space(this.wasm, this.wasm.out(1)[0]!);
  }

  /** A world that changes. The nav owns `world` from then on. */
  createNav(world: World, options: NavOptions): Nav {
    return Nav.create(this.wasm, world, options);
  }

  /** A .vnav, or the layers of a .vnrec. */
  open(file: Uint8Array): Space {
    withFile(this.wasm, file, (args) => this.wasm.check("js_layers_read", args));
    return new Space(this.wasm, this.wasm.out(1)[0]!);
  }

  /** What a file is, by its first bytes; null: nothing that can be read here. */
  fileKind(file: Uint8Array): FileKind | null {
    return fileKind(this.wasm, file);
  }

  /** A .vnrec of a query. */
  openRecord(file: Uint8Array): QueryRecord {
    return QueryRecord.read(this.wasm, file);
  }

  /** A .vnrec of a run. */
  openRunRecord(file: Uint8Array): RunRecord {
    return RunRecord.read(this.wasm, file);
  }

  /** Voxels of one metre; bake them with resolution 1 and bounds of the dims. */
  read3dmap(file: Uint8Array): VoxelMap {
    return read3dmap(this.wasm, file);
  }

  /** .bt or .ot. `unknown`: what was not seen blocks too. */
  readOctomap(file: Uint8Array, options: { unknown?: boolean } = {}): VoxelMap {
    return readOctomap(this.wasm, file, options.unknown ?? false);
  }

  /** A .scene, without meshes. */
  readScene(file: Uint8Array | string): SceneFile {
    return readScene(this.wasm, typeof file === "string" ? new TextEncoder().encode(file) : file);
  }

  /** Worlds of the theses that stand still. */
  worldScenes(): WorldScene[] {
    return listWorldScenes(this.wasm);
  }

  buildScene(name: string, seed: number | bigint = 1): World {
    return buildScene(this.wasm, name, seed);
  }

  /** Scenes that runs can fly in. */
  scenes(): SceneInfo[] {
    return listScenes(this.wasm);
  }

  /** A simulated run in one of the scenes of `volnav sim`. */
  createRun(options: RunOptions): Run {
    return Run.create(this.wasm, options);
  }

  /** The game "Lost in Space". */
  createGame(options: GameOptions = {}): Game {
    return Game.create(this.wasm, options);
  }
}

/** Compiles the library: the bytes of volnav.wasm or volnav.wasm.zst, or a module that is compiled already. */
export async function load(source: BufferSource | WebAssembly.Module): Promise<Volnav> {
  return new Volnav(await Wasm.open(source instanceof WebAssembly.Module ? source : unpackModule(source)));
}
