/** bindings/js/src/world.ts: obstacles. */
import { takeGeometry, takeZones, type Geometry, type Zone } from "./draw.js";
import { Handle } from "./handle.js";
import { type Vector, type Wasm } from "./wasm.js";

export interface Transform {
  position: Vector;
  /** x, y, z, w */
  rotation?: readonly [number, number, number, number];
}

/** An obstacle of a world. */
export interface ObstacleId {
  readonly index: number;
  readonly generation: number;
}

export interface BakeOptions {
  /** edge of a voxel, metres */
  resolution: number;
  /** of the agents, one layer for each; none: [0] */
  radii?: readonly number[];
  /** none: those of the world */
  bounds?: readonly [Vector, Vector];
  /** metres around the bounds of the world */
  margin?: number;
}

/** @internal vn_shape_kind */
export const shapes = { box: 1, sphere: 3, capsule: 7 } as const;
const NO_ROTATION = [0, 0, 0, 1] as const;

/** @internal */
export function addShape(
  wasm: Wasm,
  call: string,
  at: number,
  kind: number,
  numbers: number[],
  transform: Transform | undefined,
  more: number[] = [],
): ObstacleId {
  const moving = transform ? new Float32Array([...transform.position, ...(transform.rotation ?? NO_ROTATION)]) : null;
  wasm.with([new Float32Array(numbers), moving], (n, t) => wasm.check(call, [at, kind, n!, t!, ...more]));
  const [index, generation] = wasm.out(2);
  return { index: index!, generation: generation! };
}

/** Obstacles. */
export class World extends Handle {
  /** @internal */
  constructor(wasm: Wasm, at: number) {
    super(wasm, at, "js_world_destroy");
  }

  addBox(low: Vector, high: Vector, transform?: Transform): ObstacleId {
    return this.add(shapes.box, [...low, ...high], transform);
  }

  addSphere(centre: Vector, radius: number, transform?: Transform): ObstacleId {
    return this.add(shapes.sphere, [...centre, radius], transform);
  }

  addCapsule(a: Vector, b: Vector, radius: number, transform?: Transform): ObstacleId {
    return this.add(shapes.capsule, [...a, ...b, radius], transform);
  }

  /** Triangles: x, y, z of each vertex, and three indices a triangle. `solid`: their inside is blocked too. */
  addMesh(vertices: Float32Array, indices: Uint32Array, solid = false): ObstacleId {
    this.wasm.with([vertices, indices], (v, i) =>
      this.wasm.check("js_world_add_mesh", [this.at, v!, vertices.length / 3, i!, indices.length / 3, Number(solid)]),
    );
    return this.lastId();
  }

  remove(id: ObstacleId): void {
    this.wasm.check("js_world_remove", [this.at, id.index, id.generation]);
  }

  private add(kind: number, numbers: number[], transform?: Transform): ObstacleId {
    return addShape(this.wasm, "js_world_add", this.at, kind, numbers, transform);
  }

  private lastId(): ObstacleId {
    const [index, generation] = this.wasm.out(2);
    return { index: index!, generation: generation! };
  }

  /** What it looks like: a copy. */
  geometry(): Geometry {
    this.wasm.check("js_world_geometry", [this.at]);
    return takeGeometry(this.wasm);
  }

  zones(): Zone[] {
    this.wasm.check("js_world_zones", [this.at]);
    return takeZones(this.wasm);
  }
}
