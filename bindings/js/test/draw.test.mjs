/** bindings/js/test/draw.test.mjs: what is drawn of a path: its corridor, its stages, zones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { boxLines } from "../dist/index.js";
import { bakeBoxes, numbers, volnav } from "./support.mjs";

function length(points) {
  let sum = 0;
  for (let i = 3; i < points.length; i += 3) {
    sum += Math.hypot(points[i] - points[i - 3], points[i + 1] - points[i - 2], points[i + 2] - points[i - 1]);
  }
  return sum;
}

test("stages of a path: each no longer than the one before, and the curve near the last", () => {
  const space = bakeBoxes(numbers());
  const query = space.createQuery();
  const { position: a, next } = space.random(3n);
  const { position: b } = space.random(next);
  const { raw, funnel, taut, smooth, curve } = query.stages(a, b, { limits: { maxSpeed: 2, maxAcceleration: 8 } });
  for (const stage of [raw, funnel, taut, smooth]) {
    assert.ok(Math.hypot(stage[0] - a[0], stage[1] - a[1], stage[2] - a[2]) < 1e-3);
    assert.ok(Math.hypot(stage.at(-3) - b[0], stage.at(-2) - b[1], stage.at(-1) - b[2]) < 1e-3);
  }
  assert.ok(length(taut) <= length(raw) + 1e-9 && length(funnel) <= length(raw) + 1e-9);
  assert.ok(length(smooth) <= length(taut) + 1e-9);
  assert.ok(curve.length > smooth.length);
  assert.ok(length(curve) < 1.3 * length(smooth) && length(curve) > 0.9 * length(smooth));
});

test("the corridor holds the path", () => {
  const space = bakeBoxes(numbers());
  const query = space.createQuery();
  const { position: a, next } = space.random(3n);
  const { points } = query.find(a, space.random(next).position, { refine: "taut" });
  const path = points.slice();
  const { boxes, inCorridor } = query.corridor();
  assert.equal(boxes.length, 6 * inCorridor.length);
  const inside = [...inCorridor.keys()].filter((i) => inCorridor[i] === 1);
  assert.ok(inside.length > 1);
  for (let i = 0; i < path.length; i += 3) {
    assert.ok(
      inside.some((b) => [0, 1, 2].every((k) => path[i + k] >= boxes[6 * b + k] - 1e-3 && path[i + k] <= boxes[6 * b + 3 + k] + 1e-3)),
      `point ${i / 3}`,
    );
  }
});

test("edges of boxes", () => {
  const lines = boxLines(new Float32Array([0, 0, 0, 1, 2, 3]));
  assert.equal(lines.length, 72);
  let sum = 0;
  const seen = new Set();
  for (let i = 0; i < 72; i += 6) {
    const [a, b] = [lines.subarray(i, i + 3), lines.subarray(i + 3, i + 6)];
    seen.add([a.join(), b.join()].sort().join(" "));
    sum += Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  }
  assert.equal(seen.size, 12);
  assert.equal(sum, 4 * (1 + 2 + 3));
});

test("zones bend paths", () => {
  const world = volnav.createWorld();
  const space = volnav.bake(world, { resolution: 0.5, bounds: [[0, 0, 0], [10, 10, 10]] });
  const query = space.createQuery();
  const find = () => query.find([1, 5, 5], [9, 5, 5]);
  assert.ok(Math.abs(find().length - 8) < 1e-6);
  query.setZones([{ low: [4, 2, 2], high: [6, 8, 8], factor: 20 }]);
  assert.ok(find().length > 8.5);
  query.setZones([{ centre: [5, 5, 5], radius: 2, factor: 20 }]);
  assert.ok(find().length > 8.2);
  query.setZones([]);
  assert.ok(Math.abs(find().length - 8) < 1e-6);
});
