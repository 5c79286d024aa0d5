/** web/src/stage/floor.ts: lines on the floor of a world, so that heights can be judged. */
import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments, Vector3, type Box3 } from "three";
import type { Theme } from "../app/theme.js";

const LINES = 20;

export class Floor {
  readonly object: LineSegments;

  constructor(theme: Theme) {
    const material = new LineBasicMaterial({ transparent: true, opacity: 0.7 });
    this.object = new LineSegments(new BufferGeometry(), material);
    theme.watch((palette) => material.color.set(palette.grid));
  }

  /** A square grid within the box, just above its lowest plane. y is up. */
  set(box: Box3): void {
    const size = box.getSize(new Vector3());
    const gap = Math.max(size.x, size.z) / LINES;
    const y = box.min.y + size.y * 0.002;
    const { min, max } = box;
    const points: number[] = [];
    for (let x = min.x; x <= max.x + gap / 100; x += gap) points.push(x, y, min.z, x, y, max.z);
    for (let z = min.z; z <= max.z + gap / 100; z += gap) points.push(min.x, y, z, max.x, y, z);
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
  }
}
