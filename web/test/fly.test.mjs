// web/test/fly.test.mjs: flights and the map by hand: goals, obstacles, switches, records, files.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { drop, launch, openPage, root, until } from "./page.mjs";

const small = { viewport: { width: 640, height: 480 } };
let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

function pageTest(name, hash, run) {
  test(name, async () => {
    const { page, complaints, close } = await openPage(browser, hash, small);
    try {
      await run(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

/** Waits until a figure of the deck satisfies `test`, and returns it. */
async function figure(page, name, test) {
  const found = await page.waitForFunction(
    ([name, source]) => {
      const all = [...document.querySelectorAll(".view-deck:not([hidden]) .readout")];
      const one = all.find((each) => each.querySelector(".name").textContent === name);
      const text = one?.querySelector("b").textContent ?? "";
      return new Function("text", `return (${source})(text)`)(text) ? text : false;
    },
    [name, String(test)],
    { polling: 200, timeout: 180_000 },
  );
  return found.jsonValue();
}

const isNumber = (text) => /^[\d,.]+$/.test(text);

pageTest("a click sets the goal of a judged run, which becomes the page's own; restart gives it back", "#fly&camera=orbit", async (page) => {
  const before = Number(await figure(page, "path", (text) => /^[\d.]+$/.test(text)));
  const stage = await page.locator(".stage canvas").boundingBox();
  await page.mouse.click(stage.x + stage.width * 0.45, stage.y + stage.height * 0.45);
  await page.waitForSelector(".overlay.fly .caption em");
  await figure(page, "path", `(text) => Number(text) > 0 && Number(text) !== ${before}`);
  await page.keyboard.press("Backspace");
  await until(page, () => document.querySelector(".overlay.fly .caption em") === null);
});

pageTest("an obstacle in the path is flown around", "#fly&scene=city&obstacles=0&camera=orbit", async (page) => {
  await figure(page, "path", (text) => Number(text) > 100);
  const calls = Number(await figure(page, "calls", (text) => Number(text) >= 1));
  await page.keyboard.press("b");
  await until(page, (least) => {
    const all = [...document.querySelectorAll(".view-deck:not([hidden]) .readout")];
    return Number(all.find((each) => each.querySelector(".name").textContent === "calls").querySelector("b").textContent) > least;
  }, calls);
  assert.equal(await figure(page, "collisions", isNumber), "0");
});

pageTest("keyboard alone: a goal anywhere, the next camera, the next seed", "#fly&scene=city", async (page) => {
  const select = page.locator('.transport select[aria-label="Camera"]');
  await page.keyboard.press("c");
  assert.equal(await select.inputValue(), "cockpit");
  await figure(page, "path", (text) => Number(text) > 100);
  await page.keyboard.press("f");
  await figure(page, "path", (text) => Number(text) > 0);
  await page.keyboard.press("n");
  assert.equal(await page.locator('input[aria-label="Seed"]').inputValue(), "2");
});

pageTest("a flight is saved as a record, and flown again", "#fly&scene=krafft&seed=4", async (page) => {
  await until(page, () => window.volnavStats.frame.count > 3);
  const download = page.waitForEvent("download");
  await page.keyboard.press("r");
  const bytes = await readFile(await (await download).path());
  await drop(page, "mine.vnrec", bytes);
  await until(page, () => /mine\.vnrec: recorded, going/.test(document.querySelector(".overlay.fly .caption em")?.textContent ?? ""));
});

pageTest("a recorded query is shown on the map", "#fly", async (page) => {
  await drop(page, "path.vnrec", await readFile(resolve(root, "tests/fixtures/path.vnrec")));
  await until(page, () => document.querySelector(".shell").dataset.view === "map");
  assert.match(await page.locator(".overlay.map .caption span").innerText(), /The same today/);
  assert.equal(await figure(page, "answer", (text) => text !== "–"), "path");
});

pageTest("the map: each space, a click for a goal, a link", "#map&world=building-1&space=octree&algo=theta", async (page) => {
  assert.equal(await figure(page, "answer", (text) => text !== "–"), "path");
  const before = await figure(page, "length", isNumber);
  const stage = await page.locator(".stage canvas").boundingBox();
  const length = () => page.locator(".view-deck.map .readout", { hasText: "length" }).locator("b").innerText();
  for (const [x, y] of [[0.52, 0.6], [0.45, 0.5], [0.55, 0.45], [0.5, 0.35]]) {
    await page.mouse.click(stage.x + stage.width * x, stage.y + stage.height * y);
    if ((await length()) !== before) break;
  }
  assert.notEqual(await length(), before);
  for (const space of ["merged", "hybrid", "waypoints", "grid", "cells"]) {
    await page.locator(".view-panel.map select").nth(1).selectOption(space);
    assert.equal(await figure(page, "answer", (text) => text !== "–"), "path");
  }
  await page.keyboard.press("l");
  await page.waitForSelector(".message");
  assert.match(page.url(), /#map&world=building-1&space=cells/);
});
