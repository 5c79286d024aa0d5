/** bindings/js/test/run.test.mjs: simulated runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { boxLines } from "../dist/index.js";
import { Hash, hex, native, volnav } from "./support.mjs";

test("scenes say what there is to choose", () => {
  const scenes = volnav.scenes();
  assert.deepEqual(
    scenes.map((scene) => scene.name),
    ["asteroids", "krafft", "lost-in-space", "warehouse", "reef", "albertini", "massonnat", "debris"],
  );
  for (const scene of scenes) {
    assert.ok(scene.description.length > 10 && scene.algos.length > 0 && scene.spaces.length > 0, scene.name);
    assert.ok(scene.agents > 0 && scene.step > 0 && scene.limit > 0, scene.name);
  }
  assert.ok(scenes.some((scene) => scene.variants.length > 1));
});

test("all scenes fly to the same bytes as natively", { skip: !native }, () => {
  for (const { name } of volnav.scenes()) {
    const run = volnav.createRun({ scene: name, seed: 7, limit: 5 });
    while (run.step());
    const view = run.view();
    const hash = new Hash();
    const { agents, things } = view;
    const rows = [
      [view.seconds, ...view.low, ...view.high, agents.count, things.count],
      ...[agents.positions, agents.velocities, agents.goals, agents.radii, agents.arrived],
      ...[things.centres, things.sizes, things.velocities, things.rotations, things.ids, view.path],
    ];
    for (const row of rows) for (const x of row) hash.mix(x);
    assert.deepEqual([name, hex(run.result().hash), hex(hash.value)], [name, ...native[name]]);
    run.dispose();
  }
});

test("a view is of the moment: agents fly, things move, sizes are sizes", () => {
  const run = volnav.createRun({ scene: "asteroids", seed: 3 });
  const first = run.view();
  assert.equal(first.agents.count, 1);
  assert.ok(first.things.count > 0);
  const [x, y, z] = first.agents.positions.slice();
  const id = first.things.ids[0];
  const centre = first.things.centres.slice(0, 3);
  const velocity = first.things.velocities.slice(0, 3);
  for (let i = 0; i < 20; ++i) assert.equal(run.step(), true);

  const view = run.view();
  assert.ok(view.seconds > 0);
  assert.ok(Math.hypot(view.agents.positions[0] - x, view.agents.positions[1] - y, view.agents.positions[2] - z) > 0);
  const at = view.things.ids.indexOf(id);
  assert.ok(at >= 0, "an asteroid keeps its id");
  for (let k = 0; k < 3; ++k) {
    const expected = centre[k] + velocity[k] * view.seconds;
    assert.ok(Math.abs(view.things.centres[3 * at + k] - expected) < 1e-3, `${view.things.centres[3 * at + k]} ${expected}`);
    assert.ok(view.things.sizes[3 * at + k] > 0);
  }
  for (let i = 0; i < view.things.count; ++i) {
    assert.ok(Math.abs(Math.hypot(...view.things.rotations.subarray(4 * i, 4 * i + 4)) - 1) < 1e-3);
  }
  assert.ok(view.path.length % 3 === 0);
  assert.ok(run.times.steps === 20 && run.times.worst >= run.times.last);
});

test("what stands is drawn, zones are listed", () => {
  const rocks = volnav.createRun({ scene: "asteroids" });
  const { boxes, boxColors, triangles, triangleColors } = rocks.obstacles();
  assert.ok(boxes.length + triangles.length > 0 && boxes.length % 6 === 0);
  assert.equal(boxColors.length, boxes.length / 6);
  assert.equal(triangleColors.length, triangles.length / 9);
  const { low, high } = rocks.view();
  for (const points of [boxes, triangles]) {
    points.forEach((x, i) => assert.ok(x >= low[i % 3] - 1 && x <= high[i % 3] + 1, `${x} at ${i}`));
  }
  assert.equal(boxLines(boxes).length, boxes.length * 12);
  assert.deepEqual(rocks.zones(), []);

  const currents = volnav.createRun({ scene: "reef" }).zones();
  assert.ok(currents.length > 0);
  for (const zone of currents) {
    assert.equal(zone.kind, "box");
    assert.ok(zone.factor === 0.5 || zone.factor === 2);
    assert.ok(zone.low.every((x, k) => x < zone.high[k]));
  }
});

test("pictures: the weather of a run, and where its pilot looks", () => {
  assert.equal(volnav.createRun({ scene: "asteroids", variant: "weather" }).zones().length, 8);
  assert.equal(volnav.createRun({ scene: "asteroids", variant: "weather-off" }).zones().length, 8);
  const looked = [0, 1, 2, 3, 4, 5, 6].map((autopilot) => {
    const run = volnav.createRun({ scene: "asteroids", autopilot });
    assert.equal(run.view().lookup.length, 0);
    run.step();
    const { lookup, lookupEdge, path, agents } = run.view();
    assert.deepEqual([...path.subarray(0, 3)], [...agents.positions.subarray(0, 3)]);
    return [lookup.length / 3, lookup.length > 0 ? lookupEdge : 0];
  });
  const edge = looked[3][1];
  assert.ok(looked[2][0] > 20 && edge > 0);
  looked[2][0] = 0;
  assert.deepEqual(looked, [[0, 0], [0, 0], [0, edge], [5, edge], [5, 3 * edge], [5, 3 * edge], [0, 0]]);
});

test("options reach the run", () => {
  const flown = (options) => {
    const run = volnav.createRun({ scene: "warehouse", limit: 2, ...options });
    while (run.step());
    return run.result();
  };
  const plain = flown({});
  assert.equal(flown({}).hash, plain.hash);
  assert.equal(flown({ agents: 7 }).agents, 7);
  for (const options of [{ seed: 2 }, { seed: 1n << 40n }, { obstacles: 1 }, { speed: 2 }, { step: 0.05 }]) {
    assert.notEqual(flown(options).hash, plain.hash, JSON.stringify(options, (_, x) => String(x)));
  }
  const thesis = volnav.createRun({ scene: "krafft", autopilot: "thesis", limit: 1 });
  while (thesis.step());
  assert.equal(thesis.result().end, "timeout");
  assert.throws(
    () => volnav.createRun({ scene: "asteroids", algo: "guessing" }),
    (e) => e.status === "not-found" && /cells/.test(e.message),
  );
});
