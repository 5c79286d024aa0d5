/** bindings/js/test/crowd.test.mjs: crowds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { agentStates, VolnavError } from "../dist/index.js";
import { volnav } from "./support.mjs";

function hall(options) {
  const world = volnav.createWorld();
  world.addBox([9, 0, 0], [11, 8, 10]);
  return volnav.createNav(world, { resolution: 0.5, radii: [0.4], bounds: [[0, 0, 0], [20, 20, 10]], ...options });
}

test("twenty agents change sides and do not touch", () => {
  const crowd = hall().createCrowd({ maxAgents: 64 });
  const ids = [];
  for (let i = 0; i < 20; ++i) {
    const [y, z] = [1.5 + 1.8 * (i % 10), 2.5 + 4 * Math.floor(i / 10)];
    const [from, to] = i % 2 ? [2, 18] : [18, 2];
    ids.push(crowd.add([from, y, z], { radius: 0.4, maxSpeed: 4 }));
    crowd.goTo(ids[i], [to, y, z]);
  }
  let least = Infinity;
  for (let frame = 0; frame < 1200 && crowd.stats().inState.arrived < 20; ++frame) {
    crowd.update(1 / 30);
    const { positions: p } = crowd.view();
    for (let i = 0; i < 60; i += 3) {
      for (let k = 0; k < i; k += 3) least = Math.min(least, Math.hypot(p[i] - p[k], p[i + 1] - p[k + 1], p[i + 2] - p[k + 2]));
    }
  }
  const view = crowd.view();
  assert.equal(view.count, 20);
  assert.ok(view.states.every((state) => agentStates[state] === "arrived"));
  assert.ok(least > 0.75, `${least}`);
  assert.ok(Math.abs(view.positions[0] - 2) < 0.3 && view.targets[0] === 2);
  assert.ok(crowd.stats().answered >= 20);
});

test("agents are followed, stopped, placed and removed", () => {
  const nav = hall();
  const crowd = nav.createCrowd();
  const a = crowd.add([2, 10, 5], { radius: 0.4 });
  const b = crowd.add([4, 10, 5], { radius: 0.4 });
  crowd.goTo(a, [2, 18, 5]);
  crowd.follow(b, a, 2);
  for (let i = 0; i < 60; ++i) crowd.update(1 / 30);
  const path = crowd.path(a);
  assert.ok(path.length >= 6 && Math.abs(path.at(-2) - 18) < 0.1, String(path));
  crowd.stop(a);
  crowd.place(b, [17, 3, 5]);
  crowd.update(1 / 30);
  assert.ok(crowd.view().positions[3] > 16.5);
  crowd.remove(a);
  assert.equal(crowd.view().count, 1);
  assert.throws(() => crowd.remove(a), VolnavError);
  assert.throws(() => crowd.add([10, 4, 5], { radius: 0.4 }), (e) => e.status === "blocked");
  nav.dispose();
  crowd.update(1 / 30); // keeps what it needs
});

test("what moves is evaded by its motion", () => {
  const nav = hall({ movers: true });
  const crowd = nav.createCrowd({ moverFlags: 1 });
  crowd.goTo(crowd.add([2, 12, 5], { radius: 0.4 }), [18, 12, 5]);
  const id = nav.addBox([-1, -1, -1], [1, 1, 1], { position: [15, 12, 5] }, 1);
  let least = Infinity;
  for (let i = 0; i < 300; ++i) {
    const x = 15 - Math.min(0.1 * i, 12);
    nav.move(id, { position: [x, 12, 5] }, [i < 120 ? -3 : 0, 0, 0]);
    crowd.update(1 / 30);
    const [px, py, pz] = crowd.view().positions;
    const outside = [px - x, py - 12, pz - 5].map((d) => Math.max(0, Math.abs(d) - 1));
    least = Math.min(least, Math.hypot(...outside));
  }
  assert.ok(least > 0.35, `${least}`);
  assert.equal(agentStates[crowd.view().states[0]], "arrived");
});
