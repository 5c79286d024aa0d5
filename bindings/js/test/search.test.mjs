/** bindings/js/test/search.test.mjs: every search on every space, and what it did. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { searchKinds, VolnavError } from "../dist/index.js";
import { bakeBoxes, numbers, volnav } from "./support.mjs";

/** Two rooms with a door. */
function rooms() {
  const world = volnav.createWorld();
  world.addBox([7, 0, 0], [8, 6, 16]);
  world.addBox([7, 8, 0], [8, 16, 16]);
  world.addBox([3, 3, 0], [5, 12, 10]);
  const space = volnav.bake(world, { resolution: 0.5, bounds: [[0, 0, 0], [16, 16, 16]] });
  return { world, space };
}

const start = [1.25, 7.25, 4.25];
const goal = [14.25, 9.25, 4.25];

function contains(boxes, i, point, by) {
  for (let k = 0; k < 3; ++k) {
    if (point[k] < boxes[6 * i + k] - by || point[k] > boxes[6 * i + 3 + k] + by) return false;
  }
  return true;
}

function checkOrder(space, result, name) {
  const { order } = result;
  assert.equal(order.count, result.expanded, name);
  assert.equal(order.sights.count, result.sightChecks, name);
  assert.equal(order.points.length, 3 * order.count);
  for (let i = 0; i < order.count; ++i) {
    assert.ok(contains(order.boxes, i, order.points.subarray(3 * i, 3 * i + 3), 1e-3), `${name}: box of ${i}`);
  }
  for (let i = 0; i < order.sights.count; ++i) {
    const line = [...order.sights.lines.subarray(6 * i, 6 * i + 6)];
    assert.equal(order.sights.visible[i] === 1, space.isVisible(line.slice(0, 3), line.slice(3)), name);
    assert.ok(order.sights.after[i] <= order.count && (i === 0 || order.sights.after[i] >= order.sights.after[i - 1]));
  }
}

test("every algorithm finds its path on every space, and says what it expanded", () => {
  const { world, space } = rooms();
  const found = {};
  for (const kind of searchKinds) {
    const search = space.createSearch(kind, { world });
    const names = search.algos();
    found[kind] = names.length;
    for (const algo of names) {
      const name = `${algo} on ${kind}`;
      const result = search.find(start, goal, { algo, order: true, check: true });
      assert.equal(result.status, "path", name);
      assert.ok(result.length > 13 && result.length < 40, `${name}: ${result.length}`);
      assert.ok(result.expanded > 0 && result.microseconds >= 0, name);
      const points = result.points.slice();
      for (let i = 3; i < points.length; i += 3) {
        assert.ok(space.isVisible([...points.subarray(i - 3, i)], [...points.subarray(i, i + 3)]), name);
      }
      checkOrder(space, result, name);
    }
    search.dispose();
  }
  assert.deepEqual(found, { cells: 19, grid: 21, octree: 18, merged: 18, hybrid: 20, waypoints: 18 });
});

test("the order of A* is that of its keys, and its parents come before", () => {
  const { space } = rooms();
  const { order, cost } = space.createSearch("grid").find(start, goal, { algo: "astar", order: true });
  const at = new Map();
  for (let i = 0; i < order.count; ++i) {
    assert.ok(i === 0 || order.keys[i] >= order.keys[i - 1] - 1e-9);
    const parent = order.parents.subarray(3 * i, 3 * i + 3).join();
    if (i > 0) assert.ok(at.get(parent) < i);
    at.set(order.points.subarray(3 * i, 3 * i + 3).join(), i);
  }
  assert.ok(Math.abs(order.g[order.count - 1] - cost) < 1e-6, `${order.g[order.count - 1]} ${cost}`);
});

test("cells of the order are cells of the space, entered from both ends", () => {
  const space = bakeBoxes(numbers());
  const search = space.createSearch("cells");
  const { boxes, levels } = search.boxes();
  assert.equal(levels.length, space.info().cells);
  const known = new Set();
  for (let i = 0; i < levels.length; ++i) known.add(boxes.subarray(6 * i, 6 * i + 6).join());
  const { position: a, next } = space.random(1n);
  const { order } = search.find(a, space.random(next).position, { order: true });
  for (let i = 0; i < order.count; ++i) assert.ok(known.has(order.boxes.subarray(6 * i, 6 * i + 6).join()));
  assert.ok(order.fromGoal.includes(1) && order.fromGoal.includes(0));
});

test("what is searched can be drawn", () => {
  const { world, space } = rooms();
  const info = space.info();
  for (const kind of ["cells", "octree", "merged", "grid"]) {
    const { boxes, levels } = space.createSearch(kind).boxes();
    let volume = 0;
    for (let i = 0; i < levels.length; ++i) {
      const size = [0, 1, 2].map((k) => (boxes[6 * i + 3 + k] - boxes[6 * i + k]) / info.resolution);
      volume += size[0] * size[1] * size[2];
      assert.equal(levels[i], Math.floor(Math.log2(Math.max(...size)) + 1e-9));
    }
    assert.ok(Math.abs(volume - info.freeVoxels) < 1e-3 * info.freeVoxels, kind);
  }
  for (const kind of ["hybrid", "waypoints"]) {
    const search = space.createSearch(kind, { world });
    assert.ok(search.boxes().levels.length > 8, kind);
    const edges = search.edges();
    assert.ok(edges.length > 0 && edges.length % 6 === 0, kind);
    assert.equal(search.edges(10).length, 60);
    for (let i = 0; i < edges.length; i += 6) {
      assert.ok(space.isVisible([...edges.subarray(i, i + 3)], [...edges.subarray(i + 3, i + 6)]), kind);
    }
  }
});

test("no path is an answer, nonsense is refused", () => {
  const { space, world } = rooms();
  for (const kind of searchKinds) {
    const search = space.createSearch(kind, { world });
    assert.equal(search.find([7.5, 2, 2], goal).status, "start-blocked", kind);
    assert.equal(search.find(start, [7.5, 2, 2]).status, "goal-blocked", kind);
    assert.equal(search.find(start, [70, 2, 2]).status, "outside", kind);
    assert.equal(search.find([7.5, 2, 2], goal, { snap: 3 }).status, "path", kind);
    assert.throws(() => search.find(start, goal, { algo: "guess" }), (e) => /astar/.test(e.message), kind);
  }
  assert.throws(() => space.createSearch("octree").find(start, goal, { algo: "jps" }), VolnavError);
  assert.throws(() => space.createSearch("waypoints"), TypeError);
  const spent = space.createSearch("grid").find(start, goal, { algo: "dijkstra", budget: 50, order: true });
  assert.equal(spent.status, "budget-spent");
  assert.equal(spent.order.count, 50);
});

test("the open set lies around what is closed, and what is expanded next comes from it", () => {
  const { space, world } = rooms();
  for (const kind of ["grid", "octree", "merged", "cells", "hybrid", "waypoints"]) {
    const search = space.createSearch(kind, { world });
    const { order } = search.find(start, goal, { algo: "astar", order: true });
    for (const at of [1, Math.floor(order.count / 2)]) {
      const open = search.open(start, goal, at, { algo: "astar" });
      const holds = (i) =>
        Array.from({ length: open.length / 6 }, (_, b) => b).some((b) =>
          contains(open, b, order.points.subarray(3 * i, 3 * i + 3), 1e-3),
        );
      assert.ok(holds(at), `${kind}: expansion ${at}`);
      if (kind === "grid") assert.ok(!holds(0), "what is closed is not open");
    }
  }
  assert.equal(space.createSearch("cells").open(start, goal, 3).length, 0);
});
