/** bindings/js/test/volnav.test.mjs: the package under node; VOLNAV_NATIVE names the program of test/native.c. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load, VolnavError } from "../dist/index.js";
import { bakeBoxes, Hash, hex, native, numbers, volnav } from "./support.mjs";

const fixtures = new URL("../../../tests/fixtures/", import.meta.url);

const codes = { path: 0, "start-blocked": 3, "goal-blocked": 4, "no-path": 5, outside: 11, "too-narrow": 21 };

test("the same bytes as the native build: space, 1,000 paths", { skip: !native }, () => {
  const draw = numbers();
  const baked = bakeBoxes(draw);
  assert.equal(hex(baked.hash()), native.space[0]);

  const query = baked.createQuery();
  const hash = new Hash();
  const qualities = ["standard", "fast", "best"];
  let found = 0;
  for (let i = 0; i < 1000; ++i) {
    const ends = Array.from({ length: 6 }, () => 32 * draw());
    const path = query.find(ends.slice(0, 3), ends.slice(3), {
      algo: i % 10 === 0 ? "astar" : "cells",
      quality: qualities[i % 3],
      snap: 2,
      check: true,
    });
    assert.ok(path.status in codes, path.status);
    found += path.status === "path";
    for (const x of [codes[path.status], path.length, path.expanded, ...path.points]) hash.mix(x);
  }
  assert.ok(found > 900, `${found} paths`);
  assert.equal(hex(hash.value), native.paths[0]);
});

test("a path is free, seen by the library's own eyes", () => {
  const space = bakeBoxes(numbers());
  const { position: a, next } = space.random(1n);
  const { position: b } = space.random(next);
  const path = space.createQuery().find(a, b, { check: true });
  assert.equal(path.status, "path");
  assert.equal(path.checked, true);
  const points = path.points.slice();
  for (let i = 3; i + 2 < points.length; i += 3) {
    assert.ok(space.isVisible([...points.subarray(i - 3, i)], [...points.subarray(i, i + 3)]));
  }
});

test("answers that are no path have their reason", () => {
  const world = volnav.createWorld();
  world.addBox([4, -1, -1], [5, 11, 11]);
  world.addBox([8, 4, 4], [9, 6, 6]);
  const space = volnav.bake(world, { resolution: 0.5, bounds: [[0, 0, 0], [10, 10, 10]] });
  const query = space.createQuery();
  assert.equal(query.find([1, 5, 5], [7, 5, 5]).status, "no-path");
  const blocked = query.find([7, 5, 5], [8.5, 5, 5]);
  assert.equal(blocked.status, "goal-blocked");
  assert.equal(blocked.nearest.length, 3);
  assert.equal(query.find([1, 5, 5], [70, 5, 5]).status, "outside");
  const hit = space.raycast([1, 5, 5], [9, 5, 5]);
  assert.equal(hit.position[0], 4);
  assert.deepEqual(hit.normal, [-1, 0, 0]);
  assert.equal(space.raycast([1, 5, 5], [3, 5, 5]), null);
});

test("faults throw with the library's reason", () => {
  const world = volnav.createWorld();
  assert.throws(() => world.addSphere([0, 0, 0], -1), (e) => e instanceof VolnavError && e.message.length > 10);
  assert.throws(() => volnav.bake(world, { resolution: 1 }), (e) => e.status === "bad-data");
  assert.throws(() => volnav.createRun({ scene: "nowhere" }), (e) => e.status === "not-found");
  world.dispose();
  world.dispose();
  assert.throws(() => world.addBox([0, 0, 0], [1, 1, 1]), TypeError);
});

test("files: saved and opened again, and broken ones refused", () => {
  const space = bakeBoxes(numbers());
  const file = space.save();
  const again = volnav.open(file);
  assert.equal(again.hash(), space.hash());
  for (const at of [0, 9, 30, 70, 200, file.length - 1]) {
    const broken = file.slice();
    broken[at] ^= 0x40;
    assert.throws(() => volnav.open(broken), VolnavError, `byte ${at}`);
  }
  assert.throws(() => volnav.open(file.subarray(0, 100)), VolnavError);
  assert.throws(() => volnav.open(new Uint8Array(0)), VolnavError);
});

test("files of the command line, packed with zstd", () => {
  const expected = JSON.parse(readFileSync(new URL("expected.json", fixtures), "utf8"));
  const halls = volnav.open(readFileSync(new URL("halls.vnav", fixtures)));
  assert.equal(halls.layerCount, expected.layers.length);
  expected.layers.forEach((layer, i) => {
    const { cells, links, components, blockedVoxels, freeVoxels } = halls.info(i);
    assert.deepEqual(
      [cells, links, components, blockedVoxels, freeVoxels],
      [layer.cells, layer.links, layer.components, layer.blocked_voxels, layer.free_voxels],
    );
  });
  for (const name of ["path.vnrec", "grid.vnrec", "sight.vnrec"]) {
    assert.ok(volnav.open(readFileSync(new URL(name, fixtures))).info().cells > 0, name);
  }
});

test("boxes for drawing cover what they say", () => {
  const space = bakeBoxes(numbers());
  const info = space.info();
  const volume = (boxes) => {
    let sum = 0;
    for (let i = 0; i < boxes.length; i += 6) {
      sum += (boxes[i + 3] - boxes[i]) * (boxes[i + 4] - boxes[i + 1]) * (boxes[i + 5] - boxes[i + 2]);
    }
    return sum;
  };
  assert.equal(volume(space.boxes("blocked")), info.blockedVoxels);
  assert.equal(volume(space.boxes("cells")), info.freeVoxels);
});

test("memory comes back", () => {
  const before = volnav.memory;
  for (let i = 0; i < 30; ++i) {
    const space = bakeBoxes(numbers());
    space.createQuery().dispose();
    space.dispose();
  }
  assert.ok(volnav.memory - before < 64 << 20, `${volnav.memory - before} bytes more`);
});

test("the packed module is small, unpacks to the same, and a broken one is refused", async () => {
  const packed = readFileSync(new URL("../dist/volnav.wasm.zst", import.meta.url));
  assert.ok(packed.length < 400 * 1024, `${packed.length} bytes`);
  const again = await load(packed);
  assert.equal(again.version, volnav.version);
  assert.equal(again.scenes().length, volnav.scenes().length);
  await assert.rejects(load(packed.subarray(0, 1000)), (e) => e instanceof VolnavError || e instanceof WebAssembly.CompileError);
});

test("the module imports nothing", () => {
  const module = new WebAssembly.Module(readFileSync(new URL("../dist/volnav.wasm", import.meta.url)));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});
