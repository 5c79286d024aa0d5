/**
 * web/src/stage/swarm.ts: many bodies of one shape that move, as instances. The caller writes positions, sizes and
 * turns each frame; the number may change, room grows by doubling.
 */
import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  Quaternion,
  Vector3,
  type BufferGeometry,
  type Material,
} from "three";

export class Swarm {
  readonly object = new Group();
  private mesh: InstancedMesh;
  private used = 0;
  private readonly matrix = new Matrix4();
  private readonly colour = new Color();

  constructor(
    private readonly shape: BufferGeometry,
    private readonly material: Material,
    room = 64,
  ) {
    this.mesh = this.make(room);
  }

  get instances(): InstancedMesh {
    return this.mesh;
  }

  begin(): void {
    this.used = 0;
  }

  add(position: Vector3, turn: Quaternion, size: Vector3, colour: number): void {
    if (this.used === this.mesh.instanceMatrix.count) this.grow();
    this.mesh.setMatrixAt(this.used, this.matrix.compose(position, turn, size));
    this.mesh.setColorAt(this.used, this.colour.set(colour));
    ++this.used;
  }

  end(): void {
    this.mesh.count = this.used;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  private make(room: number): InstancedMesh {
    const mesh = new InstancedMesh(this.shape, this.material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.setColorAt(0, this.colour.set(0xffffff));
    mesh.frustumCulled = false;
    mesh.count = 0;
    this.object.add(mesh);
    return mesh;
  }

  private grow(): void {
    const old = this.mesh;
    this.object.remove(old);
    this.mesh = this.make(2 * old.instanceMatrix.count);
    this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
    this.mesh.instanceColor!.array.set(old.instanceColor!.array);
    old.dispose();
  }
}
