/** bindings/js/test/nav.test.mjs: worlds that change: requests, watches, planners. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { VolnavError } from "../dist/index.js";
import { hex, volnav } from "./support.mjs";

const bounds = [[0, 0, 0], [16, 16, 8]];
const start = [1.5, 8.25, 4.25];
const goal = [14.5, 8.25, 4.25];

function hall(options = {}) {
  const world = volnav.createWorld();
  world.addBox([7, 0, 0], [8, 6, 8]);
  const nav = volnav.createNav(world, { resolution: 0.5, bounds, ...options });
  assert.ok(world.disposed, "the nav owns the world");
  return nav;
}

function settle(nav) {
  for (let i = 0; i < 5; ++i) nav.tick();
}

test("a request is answered some ticks later, in the version of its time", () => {
  const nav = hall();
  const id = nav.submit(start, goal, { check: true });
  assert.deepEqual(nav.results(), []);
  settle(nav);
  const [result] = nav.results();
  assert.equal(result.id, id);
  assert.equal(result.status, "path");
  assert.ok(result.checked && result.endTick > result.beginTick);
  assert.deepEqual([...result.points.slice(0, 3)], start);
  assert.deepEqual([...nav.find(start, goal).points], [...result.points]);
});

test("obstacles come, move and go, and paths with them", () => {
  const nav = hall();
  const straight = nav.find(start, goal).length;
  const before = nav.stats().version;
  const id = nav.addBox([-0.5, -4, -4], [0.5, 4, 4], { position: [7.5, 10, 4] });
  settle(nav);
  assert.ok(nav.stats().version > before);
  const around = nav.find(start, goal);
  assert.ok(around.length > straight + 0.5, `${around.length} ${straight}`);
  assert.equal(nav.isVisible(start, goal), false);
  assert.ok(nav.obstacles().boxes.length + nav.obstacles().triangles.length > 0);

  nav.move(id, { position: [7.5, 12, 4] });
  settle(nav);
  assert.notEqual(nav.find(start, goal).length, around.length);
  nav.remove(id);
  settle(nav);
  assert.equal(nav.find(start, goal).length, straight);
  assert.throws(() => nav.remove(id), (e) => e instanceof VolnavError && e.status === "stale-id");
});

test("a box on a watched path is told, and that it went", () => {
  const nav = hall();
  const path = nav.find(start, goal);
  const watch = nav.watch(path.points);
  settle(nav);
  nav.events();
  const id = nav.addBox([10, 6, 0], [11, 12, 8]);
  settle(nav);
  const blocked = nav.events().find((event) => event.kind === "blocked");
  assert.equal(blocked.watch, watch);
  assert.ok(blocked.position[0] >= 9 && blocked.position[0] <= 10.1, String(blocked.position));
  nav.remove(id);
  settle(nav);
  assert.ok(nav.events().some((event) => event.kind === "free" && event.watch === watch));
  nav.watchAt(watch, 3);
  nav.unwatch(watch);
  assert.throws(() => nav.watchAt(watch, 3), VolnavError);
});

test("zones bend requests", () => {
  const nav = hall();
  const ask = () => {
    nav.submit(start, goal);
    settle(nav);
    return nav.results()[0];
  };
  const plain = ask();
  const zone = nav.addZoneBox([9, 4, 0], [12, 12, 8], 50);
  settle(nav);
  const bent = ask();
  assert.ok(bent.length > plain.length + 0.5);
  nav.removeZone(zone);
  settle(nav);
  assert.deepEqual([...ask().points], [...plain.points]);
});

test("planners repair: the path is as good as anew, and D* Lite expands less", () => {
  for (const [algo, graph] of [["dstar-lite", "grid26"], ["lpa-star", "grid26"], ["dstar-lite", "cells-portal"]]) {
    const nav = hall({ graphs: ["grid26", "cells-portal"] });
    const planner = nav.createPlanner({ algo, graph, order: true });
    planner.begin(start, goal);
    const first = planner.plan();
    assert.equal(first.status, "path", algo);
    assert.equal(first.order.count, first.expanded);
    assert.equal(first.restarts, 1);

    const box = nav.addBox([4, 5, 2], [4.5, 8.25, 7]);
    settle(nav);
    planner.advance();
    const repaired = planner.plan();
    const fresh = nav.createPlanner({ algo, graph });
    fresh.begin(start, goal);
    const anew = fresh.plan();
    assert.equal(repaired.status, "path", algo);
    assert.ok(Math.abs(repaired.cost - anew.cost) < 1e-6, `${algo} ${repaired.cost} ${anew.cost}`);
    assert.equal(repaired.order.count, repaired.expanded);
    assert.equal(repaired.restarts, 1, algo);
    if (algo === "dstar-lite" && graph === "grid26") assert.ok(repaired.expanded < anew.expanded, `${algo} ${repaired.expanded} ${anew.expanded}`);
    nav.remove(box);
    settle(nav);
    planner.advance();
    assert.ok(Math.abs(planner.plan().cost - first.cost) < 1e-6, algo);
    fresh.dispose();
    nav.dispose(); // the planner keeps what it needs
    planner.plan();
    planner.dispose();
  }
  assert.throws(() => hall().createPlanner({ algo: "dstar-lite" }), VolnavError);
  assert.throws(() => hall({ graphs: ["grid26"] }).createPlanner({ algo: "guess" }), (e) => e.status === "not-found");
});

test("a nav gives the space that a bake gives", () => {
  const nav = hall();
  nav.addBox([2, 2, 2], [3, 3, 3]);
  settle(nav);
  const world = volnav.createWorld();
  world.addBox([7, 0, 0], [8, 6, 8]);
  world.addBox([2, 2, 2], [3, 3, 3]);
  const space = volnav.bake(world, { resolution: 0.5, bounds });
  assert.equal(nav.info().blockedVoxels, space.info().blockedVoxels);
  assert.equal(hex(nav.hash()), hex(space.hash()));
});
