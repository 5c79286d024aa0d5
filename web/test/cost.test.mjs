// web/test/cost.test.mjs: what the page costs on the default scene, with more than 100,000 boxes of wireframe shown. The figures are printed,
// not judged: machines differ, and tests share them. What is judged is how it is done.
import assert from "node:assert/strict";
import { test } from "node:test";
import { launch, openPage, until } from "./page.mjs";

const FRAMES = 600;
const ROUNDS = 6;

/**
 * Figures of so many frames of a sixtieth of a second. The flight is the same in each round, frame by frame, so that the least time of a frame
 * is its own: what is above it, other programs of the machine took. The renderer's are of a few frames only: it draws in software here.
 */
const measure = (page) =>
  page.evaluate(
    ([frames, rounds]) => {
      const { volnavStats: stats, volnavLoop: loop, volnavDesk: desk } = window;
      const least = { frame: new Array(frames).fill(Infinity), navigation: new Array(frames).fill(Infinity), drawing: [] };
      for (let round = 0; round < rounds; ++round) {
        desk.shown.instance.restore(new Map([["seed", "1"]]));
        for (let i = 0; i < frames; ++i) {
          loop.update(1 / 60, performance.now());
          for (const name of ["frame", "navigation"]) least[name][i] = Math.min(least[name][i], stats[name].last);
        }
      }
      for (let i = 0; i < 3; ++i) {
        window.paint();
        least.drawing.push(stats.drawing.last);
      }
      const part = (list, p) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(p * list.length))];
      const of = (list) => ({ p50: part(list, 0.5), p99: part(list, 0.99), most: Math.max(...list) });
      return { frame: of(least.frame), navigation: of(least.navigation), drawing: of(least.drawing) };
    },
    [FRAMES, ROUNDS],
  );

/** Milliseconds, as a line. */
const line = ({ p50, p99, most }) => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, most ${most.toFixed(2)} ms`;

test("100,000 boxes and more: one mesh, made aside, while the flight goes on", async (t) => {
  const browser = await launch();
  t.after(() => browser.close());
  const { page, complaints } = await openPage(browser, "#fly&seed=1", { viewport: { width: 800, height: 480 } });
  // a picture of so many lines takes software seconds, and they pile up: only those that are asked for are drawn
  await page.evaluate(() => {
    const { stage } = window.volnavApp;
    stage.render = () => undefined;
    window.paint = () => {
      delete stage.render;
      window.volnavLoop.draw();
      stage.render = () => undefined;
    };
  });
  const plain = await measure(page);
  await page.getByLabel("Free space").selectOption("octree");
  await until(page, () => window.volnavStats.wire.boxes > 0);
  const wire = await page.evaluate(() => window.volnavStats.wire);
  const meshes = await page.evaluate(() => {
    const found = [];
    window.volnavApp.stage.scene.traverseVisible((one) => one.isLineSegments && one.material.uniforms?.palette?.value && found.push(one));
    return found.map((one) => ({ boxes: one.geometry.instanceCount, levels: new Set(one.geometry.attributes.level.array).size }));
  });
  const busy = await measure(page);

  t.diagnostic(`boxes ${wire.boxes}, shown after ${wire.waited.toFixed(0)} ms; the page itself was held up for ${wire.here.toFixed(2)} ms at most`);
  t.diagnostic(`script of a frame, without: ${line(plain.frame)}`);
  t.diagnostic(`script of a frame, with:    ${line(busy.frame)}`);
  t.diagnostic(`navigation, without:        ${line(plain.navigation)}`);
  t.diagnostic(`navigation, with:           ${line(busy.navigation)}`);
  t.diagnostic(`renderer, in software:      ${line(plain.drawing)}; with: ${line(busy.drawing)}`);

  assert.ok(wire.boxes >= 100_000, `${wire.boxes} boxes`);
  assert.equal(wire.apart, true, "a worker made them");
  assert.deepEqual(meshes.map((one) => one.boxes), [wire.boxes], "one mesh has them all");
  assert.ok(meshes[0].levels >= 3, "levels have colours");

  // the plane cuts the mesh without touching it: only a number for the GPU changes
  const drawn = () =>
    page.evaluate(() => {
      let found = null;
      window.paint();
      window.volnavApp.stage.scene.traverseVisible((one) => {
        if (one.isLineSegments && one.material.uniforms?.palette?.value) found = { mesh: one.geometry.id, plane: one.material.uniforms.plane.value.w };
      });
      return found;
    });
  const whole = await drawn();
  await page.getByLabel("Cut roofs").fill("0.5");
  const cut = await drawn();
  assert.equal(cut.mesh, whole.mesh);
  assert.ok(cut.plane < whole.plane, `${cut.plane} ${whole.plane}`);
  await page.getByLabel("Free space").selectOption("off");
  assert.equal(await drawn(), null);
  assert.deepEqual(complaints, []);
});
