/** web/src/stage/solids.ts: what stands: boxes as instances of one, triangles as one mesh, lit, cut by the clip plane. */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  Quaternion,
  Vector3,
  type Object3D,
} from "three";
import type { Palette, Theme } from "../app/theme.js";
import type { Clip } from "./clip.js";
import { mergeBoxes } from "./merge.js";
import { WireBoxes } from "./wire.js";

/** As the library draws worlds: see Geometry of the package. */
export interface SolidGeometry {
  /** 9 numbers each */
  triangles: Float32Array;
  /** low and high */
  boxes: Float32Array;
}

const NO_TURN = new Quaternion();
/** More boxes than this are voxels: they are merged, and drawn without edges, which would hide them. */
const MOST_OUTLINED = 6000;

/** The same number for the same box: shades boxes a little, so that neighbours can be told apart. */
function shade(i: number): number {
  const x = Math.sin(i * 12.9898) * 43758.5453;
  return 0.86 + 0.28 * (x - Math.floor(x));
}

export class Solids {
  readonly object = new Group();
  private readonly material: MeshLambertMaterial;
  private readonly outline: WireBoxes;
  private readonly bodies = new Group();

  constructor(theme: Theme, clip: Clip) {
    this.material = new MeshLambertMaterial({ flatShading: true, side: DoubleSide, clippingPlanes: clip.planes });
    this.outline = new WireBoxes(clip, 0.4, true);
    this.outline.setShrink(1.002);
    this.object.add(this.bodies, this.outline.object);
    theme.watch((palette: Palette) => {
      this.material.color.set(palette.rock);
      this.outline.setColor(palette.edge);
    });
  }

  set(geometry: SolidGeometry): void {
    this.clear();
    const boxes = geometry.boxes.length / 6 > MOST_OUTLINED ? mergeBoxes(geometry.boxes) : geometry.boxes;
    if (boxes.length > 0) this.bodies.add(this.boxes(boxes));
    if (geometry.triangles.length > 0) this.bodies.add(this.mesh(geometry.triangles));
    if (boxes.length / 6 <= MOST_OUTLINED) this.outline.set(boxes);
  }

  /** For picking. */
  get parts(): Object3D[] {
    return this.bodies.children;
  }

  setOpacity(opacity: number): void {
    this.material.opacity = opacity;
    this.material.transparent = opacity < 1;
    this.material.depthWrite = opacity > 0.6;
    this.material.needsUpdate = true;
    this.bodies.visible = opacity > 0.01;
    this.outline.setOpacity(0.4 * opacity);
  }

  clear(): void {
    for (const part of this.bodies.children) (part as Mesh).geometry.dispose();
    this.bodies.clear();
    this.outline.clear();
  }

  private boxes(data: Float32Array): InstancedMesh {
    const count = data.length / 6;
    const mesh = new InstancedMesh(new BoxGeometry(1, 1, 1), this.material, count);
    const [matrix, centre, size, colour] = [new Matrix4(), new Vector3(), new Vector3(), new Color()];
    for (let i = 0; i < count; ++i) {
      const at = 6 * i;
      size.set(data[at + 3]! - data[at]!, data[at + 4]! - data[at + 1]!, data[at + 5]! - data[at + 2]!);
      centre.set(data[at]!, data[at + 1]!, data[at + 2]!).addScaledVector(size, 0.5);
      mesh.setMatrixAt(i, matrix.compose(centre, NO_TURN, size));
      mesh.setColorAt(i, colour.setScalar(shade(i)));
    }
    mesh.computeBoundingSphere();
    return mesh;
  }

  private mesh(triangles: Float32Array): Mesh {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(triangles, 3));
    geometry.computeVertexNormals();
    return new Mesh(geometry, this.material);
  }
}
