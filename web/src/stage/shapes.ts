/** web/src/stage/shapes.ts: bodies: a box, a rock, a craft. All fit into a cube of 1 metre and point along +z. */
import { BoxGeometry, BufferAttribute, BufferGeometry, IcosahedronGeometry, SphereGeometry, Vector3 } from "three";

export const box = () => new BoxGeometry(1, 1, 1);
export const ball = () => new SphereGeometry(0.5, 20, 14);

/** A sphere with dents; its radius stays within 4 % below 0.5, so that it never looks smaller than it is by much. */
export function rock(): BufferGeometry {
  const geometry = new IcosahedronGeometry(0.5, 2);
  const position = geometry.getAttribute("position");
  const at = new Vector3();
  for (let i = 0; i < position.count; ++i) {
    at.fromBufferAttribute(position, i);
    const wave = Math.sin(at.x * 9.1 + 1) * Math.sin(at.y * 8.3 + 2) * Math.sin(at.z * 7.7 + 3);
    at.multiplyScalar(0.97 + 0.03 * wave);
    position.setXYZ(i, at.x, at.y, at.z);
  }
  geometry.computeVertexNormals();
  return geometry;
}

/** A dart, nose at +z, y up. */
export function craft(): BufferGeometry {
  const nose = [0, 0, 0.5];
  const left = [-0.42, -0.05, -0.42];
  const right = [0.42, -0.05, -0.42];
  const back = [0, 0.02, -0.24];
  const top = [0, 0.2, -0.34];
  const belly = [0, -0.14, -0.3];
  const faces = [
    [nose, top, left], [nose, right, top], [nose, left, belly], [nose, belly, right],
    [top, back, left], [top, right, back], [belly, left, back], [belly, back, right],
  ];
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(faces.flat(2)), 3));
  geometry.computeVertexNormals();
  return geometry;
}
