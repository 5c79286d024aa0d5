/** bindings/js/test/files.test.mjs: records, maps and scenes, as they are dropped on a page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { VolnavError } from "../dist/index.js";
import { bakeBoxes, numbers, volnav } from "./support.mjs";

const root = new URL("../../../tests/", import.meta.url);
const read = (name) => readFileSync(new URL(name, root));
const bytes = (text) => new TextEncoder().encode(text);

test("kinds of files are told apart by their first bytes", () => {
  const kinds = {
    "fixtures/halls.vnav": "vnav",
    "fixtures/path.vnrec": "query-record",
    "fixtures/halls.scene": "scene",
    "fuzz/corpus/bt/room.bt": "octomap",
    "fuzz/corpus/3dmap/window.3dmap": "3dmap",
  };
  for (const [name, kind] of Object.entries(kinds)) assert.equal(volnav.fileKind(read(name)), kind, name);
  const run = volnav.createRun({ scene: "warehouse", record: true });
  run.step();
  assert.equal(volnav.fileKind(run.save()), "run-record");
  assert.equal(volnav.fileKind(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0])), null);
  assert.equal(volnav.fileKind(new Uint8Array(0)), null);
});

test("recorded queries: what was asked, what came of it, and the same again", () => {
  for (const name of ["best", "blocked", "box", "grid", "link", "path", "sight", "terms", "unknown"]) {
    const record = volnav.openRecord(read(`fixtures/${name}.vnrec`));
    const { same, text } = record.replay();
    assert.ok(same, `${name}: ${text}`);
    assert.ok(record.info().resolution > 0);
    assert.ok(record.start.every(Number.isFinite), name);
    if (record.path.status === "path") assert.ok(record.path.points.length >= 3 && record.path.length >= 0);
  }
  const blocked = volnav.openRecord(read("fixtures/blocked.vnrec"));
  assert.match(blocked.path.status, /blocked/);
  const path = volnav.openRecord(read("fixtures/path.vnrec"));
  const again = path.createSearch("cells").find(path.start, path.goal, { quality: path.quality });
  assert.equal(again.status, "path");
});

test("a search is saved as a record, and read again", () => {
  const space = bakeBoxes(numbers());
  const query = space.createQuery();
  const { position: a, next } = space.random(3n);
  const path = query.find(a, space.random(next).position, { quality: "best" });
  const points = [...path.points];
  const record = volnav.openRecord(query.save());
  assert.deepEqual([...record.path.points], points);
  assert.deepEqual([record.algo, record.quality], ["cells", "best"]);
  assert.equal(record.replay().same, true);
});

test("a run is recorded and flown again", () => {
  const run = volnav.createRun({ scene: "asteroids", seed: 11, limit: 6, record: true, speed: 1.5 });
  while (run.step());
  const file = run.save();
  const record = volnav.openRunRecord(file);
  assert.equal(record.options.scene, "asteroids");
  assert.equal(record.options.seed, 11n);
  assert.equal(record.options.speed, 1.5);
  assert.equal(record.result.hash, run.result().hash);
  assert.equal(record.steps, run.result().steps);
  assert.deepEqual(record.replay().same, true);
  const again = record.createRun();
  while (again.step());
  assert.equal(again.result().hash, run.result().hash);
  assert.throws(() => volnav.createRun({ scene: "asteroids" }).save(), VolnavError);
  assert.throws(() => volnav.openRecord(file), (e) => e.status === "bad-format");
});

test("a .3dmap", () => {
  const map = volnav.read3dmap(bytes("voxel 4 3 2\n0 0 0\n1 2 1\n3 1 0\n"));
  assert.deepEqual([map.dims, map.occupied], [[4, 3, 2], 3]);
  const space = volnav.bake(map.world, { resolution: 1, bounds: [map.low, map.high] });
  assert.equal(space.info().blockedVoxels, 3);
  assert.equal(space.isFree([1.5, 2.5, 1.5]), false);
  assert.throws(
    () => volnav.read3dmap(bytes("voxel 4 3 2\n0 0 0\n9 0 0\n")),
    (e) => e.status === "bad-format" && e.line === 3 && /line 3/.test(e.message),
  );
});

test("an octomap", () => {
  const map = volnav.readOctomap(read("fuzz/corpus/bt/room.bt"));
  assert.ok(map.resolution > 0 && map.occupied > 0);
  const space = volnav.bake(map.world, { resolution: map.resolution, bounds: [[0, 0, 0], map.high.map((x, k) => x - map.low[k])] });
  assert.equal(space.info().blockedVoxels, map.occupied);
  assert.throws(() => volnav.readOctomap(read("fuzz/corpus/bt/room.bt").subarray(0, 60)), (e) => e.message.length > 15);
  assert.throws(() => volnav.readOctomap(bytes("hello")), VolnavError);
});

test("a .scene", () => {
  const expected = JSON.parse(read("fixtures/expected.json"));
  const scene = volnav.readScene(read("fixtures/halls.scene"));
  assert.ok(scene.resolution > 0);
  const options = { resolution: scene.resolution, ...(scene.bounds ? { bounds: scene.bounds } : {}) };
  assert.equal(volnav.bake(scene.world, options).info().resolution, Math.fround(expected.layers[0].resolution ?? scene.resolution));
  const text = "resolution 0.5\nbounds 0 0 0 8 8 8\nbox 2 0 0 3 8 6 # a wall\nroute over 1 4 4 6 4 4\nzone 4 4 4 5 5 5 3\n";
  const small = volnav.readScene(text);
  assert.deepEqual(small.bounds, [[0, 0, 0], [8, 8, 8]]);
  assert.deepEqual(small.routes, [{ name: "over", from: [1, 4, 4], to: [6, 4, 4] }]);
  assert.equal(small.world.zones().length, 1);
  const space = volnav.bake(small.world, { resolution: small.resolution, bounds: small.bounds });
  assert.equal(space.createQuery().find(small.routes[0].from, small.routes[0].to).status, "path");
  assert.throws(() => volnav.readScene("box 1 2 3\n"), (e) => e.line === 1 && e.message.length > 20);
  assert.throws(() => volnav.readScene("\n\nbx 0 0 0 1 1 1\n"), (e) => e.line === 3 && /box/.test(e.message));
});

test("worlds of the theses", () => {
  const scenes = volnav.worldScenes();
  assert.ok(scenes.length >= 3);
  const { name, resolution, bounds } = scenes[0];
  const space = volnav.bake(volnav.buildScene(name), { resolution, bounds });
  assert.ok(space.info().blockedVoxels > 0);
  assert.throws(() => volnav.buildScene("nowhere"), (e) => e.message.includes(name));
});
