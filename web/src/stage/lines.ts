/** web/src/stage/lines.ts: lines that are wide enough to be seen: paths and trails. */
import { Color, type ColorRepresentation } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";

export interface LineOptions {
  color: ColorRepresentation;
  /** pixels */
  width: number;
  opacity?: number;
  /** drawn over everything */
  above?: boolean;
  dashed?: boolean;
}

/** A polyline that can be set anew at any time. */
export class WideLine {
  readonly object: Line2;
  private readonly material: LineMaterial;
  private capacity = 0;

  constructor(options: LineOptions) {
    const { above = false, opacity = 1 } = options;
    this.material = new LineMaterial({ color: new Color(options.color), linewidth: options.width, opacity, transparent: opacity < 1 || above, depthTest: !above, dashed: options.dashed ?? false });
    this.object = new Line2(new LineGeometry(), this.material);
    this.object.frustumCulled = false;
    this.object.visible = false;
    if (above) this.object.renderOrder = 10;
  }

  /** x, y, z of each point; fewer than two points: nothing is drawn. */
  set(points: ArrayLike<number>): void {
    const count = Math.floor(points.length / 3);
    this.object.visible = count > 1;
    if (count < 2) return;
    // a geometry keeps the size of its first points: a longer line needs a new one
    if (count > this.capacity) {
      this.object.geometry.dispose();
      this.object.geometry = new LineGeometry();
      this.capacity = Math.max(count, 2 * this.capacity, 32);
    }
    const padded = new Float32Array(3 * this.capacity);
    for (let i = 0; i < padded.length; ++i) padded[i] = points[i < points.length ? i : 3 * (count - 1) + (i % 3)]!;
    this.object.geometry.setPositions(padded);
    this.object.geometry.instanceCount = count - 1;
    if (this.material.dashed) this.object.computeLineDistances();
  }

  setDash(length: number): void {
    this.material.dashSize = length;
    this.material.gapSize = length * 0.7;
  }

  setColor(color: ColorRepresentation): void {
    this.material.color.set(color);
  }
}

/** Where something has been: the newest points, at least `spacing` metres apart. */
export class Trail {
  readonly line: WideLine;
  private points: number[] = [];

  constructor(
    options: LineOptions,
    private readonly most = 600,
  ) {
    this.line = new WideLine(options);
  }

  add(x: number, y: number, z: number, spacing: number): void {
    const p = this.points;
    const n = p.length;
    if (n >= 3 && Math.hypot(x - p[n - 3]!, y - p[n - 2]!, z - p[n - 1]!) < spacing) return;
    p.push(x, y, z);
    if (p.length > 3 * this.most) p.splice(0, 3 * Math.ceil(this.most / 8));
    this.line.set(p);
  }

  clear(): void {
    this.points = [];
    this.line.set([]);
  }
}
