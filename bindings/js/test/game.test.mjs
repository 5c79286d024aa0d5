/** bindings/js/test/game.test.mjs: "Lost in Space". */
import assert from "node:assert/strict";
import { test } from "node:test";
import { VolnavError } from "../dist/index.js";
import { Hash, hex, native, volnav } from "./support.mjs";

/** Plays by the script to the end, or for so many steps. */
function play(game, steps = 100000, input = () => game.script()) {
  const events = {};
  for (let i = 0; i < steps && game.step(input(i)); ++i) {
    for (const { kind } of game.view().events) events[kind] = (events[kind] ?? 0) + 1;
  }
  for (const { kind } of game.view().events) events[kind] = (events[kind] ?? 0) + 1;
  return events;
}

test("the same bytes as natively, by the scripted player", { skip: !native }, () => {
  const game = volnav.createGame({ seed: 5 });
  play(game, 600);
  const { player, asteroids, enemies } = game.view();
  const hash = new Hash();
  for (const row of [player.position, asteroids.positions, enemies.positions]) for (const x of row) hash.mix(x);
  assert.equal(hex(hash.value), native.game[0]);
});

test("the game can be won and lost", () => {
  const won = volnav.createGame({ seed: 2, winKills: 3, playerHealth: 10000 });
  const events = play(won);
  assert.equal(won.view().end, "won");
  assert.equal(events.won, 1);
  assert.ok(won.stats().kills >= 3 && events.killed >= 3);
  assert.equal(won.step({}), false);

  const lost = volnav.createGame({ seed: 2, playerHealth: 20, enemies: 40 });
  assert.equal(play(lost, 100000, () => ({})).lost, 1);
  const { end, player } = lost.view();
  assert.equal(end, "lost");
  assert.ok(player.health <= 0);
});

test("sticks and buttons do what they say", () => {
  const game = volnav.createGame({ asteroids: 0, enemies: 0 });
  const before = game.view().player;
  for (let i = 0; i < 30; ++i) game.step({ yaw: 1, pitch: 0.5, lookYaw: -1 });
  const turned = game.view().player;
  assert.ok(Math.abs(turned.yaw - before.yaw) > 0.1 && turned.pitch > before.pitch && turned.lookYaw < 0);
  game.step({ lookAhead: true });
  assert.equal(game.view().player.lookYaw, 0);

  game.step({ switchGun: true });
  const view = game.view();
  assert.equal(view.player.gun, 1);
  assert.deepEqual(view.events.map((e) => e.kind), ["switched"]);
  game.step({ shootLeft: true });
  assert.equal(game.view().shots.count, 1);
  assert.equal(game.view().player.ammunition[1], view.player.ammunition[1] - 1);
  game.step({ reload: true });
  assert.ok(game.view().player.reloadLeft[1] > 0);
});

test("what cannot be is refused with its reason", () => {
  assert.throws(() => volnav.createGame({ step: 7 }), (e) => e instanceof VolnavError && /step/.test(e.message));
  const game = volnav.createGame({ field: "circles", hunt: "straight", asteroids: 50, enemies: 2 });
  assert.equal(game.view().asteroids.count, 50);
  assert.throws(() => game.step({ yaw: NaN }), VolnavError);
  assert.equal(game.stats().steps, 0);
});
