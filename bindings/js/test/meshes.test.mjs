// bindings/js/test/meshes.test.mjs: the inside of solid meshes: as many voxels as the native library blocks (docs/experiments.md).
import assert from "node:assert/strict";
import { test } from "node:test";
import { volnav } from "./support.mjs";

for (const [name, free] of [
  ["concave", 246_860],
  ["mixed", 237_856],
  ["cave", 29_817],
]) {
  test(`free voxels of ${name}`, () => {
    const scene = volnav.worldScenes().find((one) => one.name === name);
    const space = volnav.bake(volnav.buildScene(name), { resolution: scene.resolution, bounds: scene.bounds });
    const { freeVoxels, components } = space.info();
    assert.ok(components >= 1);
    assert.equal(freeVoxels, free);
  });
}
