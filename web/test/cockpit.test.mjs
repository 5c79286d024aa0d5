// web/test/cockpit.test.mjs: the page as its users meet it, in Chromium.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { drop, file, launch, openPage, root, until } from "./page.mjs";

/** Pictures of this size take little time in software. */
const small = { viewport: { width: 480, height: 360 } };
const tool = resolve(root, "build/volnav");
let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A test of one page, which must not complain. */
function pageTest(name, hash, run, options = {}) {
  test(name, async (t) => {
    const { page, complaints, close } = await openPage(browser, hash, options);
    try {
      await run(page, t);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

const text = (page, selector) => page.locator(selector).first().innerText();

/** A figure of the deck by its name. */
const figure = (page, name) =>
  page.evaluate((name) => {
    const all = [...document.querySelectorAll(".view-deck:not([hidden]) .readout")];
    return all.find((one) => one.querySelector(".name").textContent === name)?.querySelector("b").textContent ?? null;
  }, name);

/** Seconds of the flight's clock. */
const clock = (page) =>
  page.evaluate(() => {
    const shown = document.querySelector(".overlay:not([hidden]) .transport .clock, .overlay:not([hidden]) .transport output");
    const [minutes, seconds] = shown.textContent.split(":").map(Number);
    return 60 * minutes + seconds;
  });

const clockPasses = (page, seconds) =>
  until(
    page,
    (least) => {
      const shown = document.querySelector(".overlay:not([hidden]) .transport .clock, .overlay:not([hidden]) .transport output");
      const [minutes, rest] = shown.textContent.split(":").map(Number);
      return 60 * minutes + rest > least;
    },
    seconds,
  );

/** Lets the shown view live through so many seconds, whatever the pictures take. */
const advance = (page, seconds) =>
  page.evaluate((seconds) => {
    const { instance } = window.volnavDesk.shown;
    for (let done = 0; done < seconds; done += 0.05) instance.frame({ seconds: 0.05, now: performance.now() });
  }, seconds);

// ---------- the page

/** What a file packed by zstd begins with. */
const ZSTD = 0xfd2fb528;

test("page and library are small", async () => {
  const html = await readFile(file, "utf8");
  const packed = gzipSync(html).length;
  const wasm = Buffer.from(/id="volnav-wasm">([^<]*)</.exec(html)[1], "base64");
  assert.equal(wasm.readUInt32LE(0), ZSTD);
  assert.ok(packed < 1_500_000, `page: ${packed} bytes packed`);
  assert.ok(wasm.length < 400_000, `wasm: ${wasm.length} bytes packed`);
});

pageTest("a first visit flies at once, instruments move, nothing complains", "", async (page) => {
  await clockPasses(page, 1);
  assert.equal(await page.title(), "volnav cockpit");
  const dials = () => page.evaluate(() => document.querySelector(".view-deck:not([hidden]) .dials").innerHTML);
  const first = await dials();
  await clockPasses(page, 2);
  assert.notEqual(await dials(), first);
  await until(page, () => /\d/.test(document.querySelector(".view-deck:not([hidden]) .machine b").textContent));
  assert.match(await figure(page, "memory"), /^\d+\.\d$/);
  assert.match(await figure(page, "volnav"), /^\d+\.\d+\.\d+$/);
}, small);

pageTest("pause, single step, resume and restart", "#fly&seed=2", async (page) => {
  await clockPasses(page, 0.5);
  await page.keyboard.press(" ");
  await until(page, () => document.querySelector('.transport [aria-label="Resume"]') !== null);
  const stopped = await clock(page);
  await page.waitForTimeout(1500);
  assert.equal(await clock(page), stopped);
  for (let i = 0; i < 12; ++i) await page.keyboard.press(".");
  await clockPasses(page, stopped);
  await page.keyboard.press(" ");
  await clockPasses(page, stopped + 0.8);
  await page.keyboard.press("Backspace");
  await until(
    page,
    (before) => {
      const shown = document.querySelector(".overlay:not([hidden]) .transport .clock, .overlay:not([hidden]) .transport output");
      return Number(shown.textContent.split(":")[1]) < before;
    },
    stopped + 0.8,
  );
}, small);

// ---------- searches

pageTest("a search is stepped, scrubbed and played, beside another one", "#search&place=walls&a=grid.astar&b=cells.cells", async (page) => {
  const count = (pane) => page.locator(".pane-head").nth(pane).locator('[data-count="expanded"] b').innerText();
  const number = async (pane) => Number((await count(pane)).replaceAll(",", ""));
  await page.keyboard.press("Home");
  assert.equal(await number(0), 0);
  await page.keyboard.press(".");
  await page.keyboard.press(".");
  assert.equal(await number(0), 2);
  assert.equal(await number(1), 2);
  await page.keyboard.press(",");
  assert.equal(await number(0), 1);
  await page.keyboard.press("End");
  assert.ok((await number(0)) > 1000);
  assert.ok((await number(1)) < 50);
  for (const pane of [0, 1]) assert.match(await page.locator(".verdict").nth(pane).innerText(), /^\d+\.\d\d m in /);

  await page.locator(".view-deck:not([hidden]) .timeline input").fill("300");
  assert.equal(await number(0), 300);
  await page.locator('.view-deck:not([hidden]) .timeline [aria-label="Play"]').click();
  await until(page, () => Number(document.querySelector('[data-count="expanded"] b').textContent.replaceAll(",", "")) > 320);
}, small);

pageTest("Theta* shows its lines of sight; a click sets the goal", "#search&place=trap&a=grid.theta&compare=false", async (page) => {
  await page.keyboard.press("End");
  const rays = await text(page, '[data-count="sights"] b');
  assert.ok(Number(rays.replaceAll(",", "")) > 100, rays);
  const before = await text(page, ".verdict");
  const box = await page.locator("canvas").first().boundingBox();
  for (const [x, y] of [[0.5, 0.6], [0.4, 0.65], [0.55, 0.5]]) {
    await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
    await page.keyboard.press("End");
    if ((await text(page, ".verdict")) !== before) break;
  }
  assert.notEqual(await text(page, ".verdict"), before);
  assert.match(await text(page, ".verdict"), /^\d+\.\d\d m in /);
});

pageTest("every algorithm runs on every space", "#choose&place=trap&spaces=cells,grid,octree,merged,hybrid,waypoints", async (page) => {
  await until(page, () => document.querySelector(".cards")?.dataset.done === "true");
  const cards = await page.evaluate(() =>
    [...document.querySelectorAll(".card")].map((card) => ({
      space: card.dataset.space,
      algo: card.dataset.algo,
      length: parseFloat(card.querySelectorAll("b.figure")[1]?.textContent ?? "0"),
    })),
  );
  const of = (space) => cards.filter((card) => card.space === space).length;
  assert.deepEqual(["cells", "grid", "octree", "merged", "hybrid", "waypoints"].map(of), [19, 21, 18, 18, 20, 18]);
  for (const { space, algo, length } of cards) assert.ok(length > 26 && length < 90, `${algo} on ${space}: ${length} m`);

  await page.locator('.card[data-algo="jps"]').click();
  await until(page, () => document.querySelector(".shell").dataset.view === "search");
  await page.keyboard.press("End");
  assert.match(await text(page, ".pane-head h3"), /JPS on voxels/);
}, small);

pageTest("a planner repairs what an obstacle breaks, with less work than one that begins anew", "#repair&place=trap&algo=dstar-lite&drops=4", async (page) => {
  const counts = (id) => page.evaluate((id) => [...document.querySelectorAll(`.overlay:not([hidden]) [data-count="${id}"] b`)].map((one) => Number(one.textContent.replaceAll(",", ""))), id);
  const lengths = () => page.evaluate(() => [...document.querySelectorAll(".overlay:not([hidden]) .verdict")].map((one) => parseFloat(one.textContent)));
  await page.keyboard.press("Home");
  for (let i = 0; i < 3; ++i) await page.keyboard.press(".");
  assert.deepEqual(await counts("frame").then(([repaired]) => repaired), 1); // nothing has changed: nothing to do
  const before = await lengths();
  await page.keyboard.press(".");
  const [repaired, anew] = await counts("frame");
  assert.ok(repaired > 1 && repaired < anew, `${repaired} ${anew}`);
  const broken = await lengths();
  assert.ok(broken[0] > before[0] - 1, `${broken} ${before}`); // a box lies in the way: longer than what was left
  assert.ok(Math.abs(broken[0] - broken[1]) < 0.01);

  // an obstacle in the path of the frame that is shown
  for (let i = 0; i < 4; ++i) await page.keyboard.press(".");
  const [calm] = await counts("frame");
  await page.keyboard.press("d");
  const [dropped] = await counts("frame");
  assert.ok(calm <= 1 && dropped > 1, `${calm} ${dropped}`);
}, small);

pageTest("an obstacle that is dropped ahead of a flight changes its path", "#fly&scene=city&seed=1", async (page) => {
  /** Points of the path: the line in its colour. */
  const path = () =>
    page.evaluate(() => {
      const points = [];
      window.volnavApp.stage.scene.traverseVisible((one) => {
        if (!one.isLine2 || one.material.color.getHexString() !== "d55e00") return;
        const { array } = one.geometry.attributes.instanceStart.data;
        for (let i = 0; i < one.geometry.instanceCount; ++i) points.push([...array.slice(6 * i + 3, 6 * i + 6)].map((x) => x.toFixed(1)).join());
      });
      return points;
    });
  await advance(page, 2);
  const before = await path();
  assert.ok(before.length >= 2, "there is a path");
  await page.keyboard.press("b");
  for (let waited = 0; waited < 20; ++waited) {
    await advance(page, 0.2);
    const now = await path();
    if (now.some((point) => !before.includes(point))) {
      assert.equal(now.at(-1), before.at(-1), "the same goal");
      return;
    }
  }
  assert.fail("the path is as it was");
}, small);

// ---------- files

const fixture = (name) => readFile(resolve(root, "tests/fixtures", name));
const caption = (page, name) =>
  until(page, (name) => [...document.querySelectorAll(".overlay:not([hidden]) .caption b")].some((one) => one.textContent === name), name);

const cube = ["0 0 0", "9 0 0", "9 4 0", "0 4 0", "0 0 5", "9 0 5", "9 4 5", "0 4 5"].map((v) => `v ${v}`).join("\n");
const files = [
  ["halls.vnav", () => fixture("halls.vnav")],
  ["path.vnrec", () => fixture("path.vnrec")],
  ["gallery.scene", () => readFile(resolve(root, "samples/scenes/gallery.scene"))],
  ["small.3dmap", async () => Buffer.from("voxel 12 8 12\n5 0 5\n5 1 5\n6 1 6\n")],
  ["cube.obj", async () => Buffer.from(`${cube}\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n`)],
];
const chosenWorld = (page) => page.evaluate(() => document.querySelector(".view-panel:not([hidden]) select").selectedOptions[0]?.textContent);
for (const [name, bytes] of files) {
  pageTest(`a file is dropped and searched: ${name}`, "#map", async (page) => {
    await drop(page, name, await bytes());
    await caption(page, name);
    assert.equal(await chosenWorld(page), name);
    await page.keyboard.press("3");
    await until(page, () => document.querySelector(".shell").dataset.view === "search");
    await drop(page, name, await bytes());
    await until(page, (name) => document.querySelector(".view-panel:not([hidden]) select").selectedOptions[0]?.textContent === name, name);
    await page.keyboard.press("End");
    await until(page, () => /^\d+\.\d\d m in /.test(document.querySelector(".overlay:not([hidden]) .verdict").textContent));
  }, small);
}

pageTest("a flight is recorded, and the record is flown again", "#fly&seed=3", async (page) => {
  await advance(page, 2);
  const record = await page.evaluate(() => {
    const bytes = window.volnavDesk.shown.instance.record();
    return bytes && btoa(String.fromCharCode(...bytes));
  });
  assert.ok(record, "there is a record");
  await drop(page, "flight.vnrec", Buffer.from(record, "base64"));
  await until(page, () => document.body.textContent.includes("flight.vnrec"));
}, small);

pageTest("a click into the map sets a goal, and a path appears", "#map", async (page) => {
  const length = () => figure(page, "length");
  await until(page, () => window.volnavDesk.shown.view.id === "map");
  const before = await length();
  const box = await page.locator("canvas").first().boundingBox();
  let now = before;
  for (const [x, y] of [[0.5, 0.6], [0.35, 0.6], [0.65, 0.55], [0.5, 0.45]]) {
    await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
    now = await length();
    if (now !== before) break;
  }
  assert.notEqual(now, before);
  assert.match(now, /\d/);
}, small);

for (const [name, bytes, says] of [
  ["bad.vnav", Buffer.from("this is no space"), /bad\.vnav/],
  ["short.vnav", "cut", /short\.vnav/],
  ["bad.scene", Buffer.from("box 0 0 0 1 1 1\nblox 1 2 3\n"), /bad\.scene.*blox.*did you mean 'box'/],
  ["mesh.scene", Buffer.from("mesh house.obj\n"), /mesh\.scene.*house\.obj.*volnav/],
  ["bad.3dmap", Buffer.from("voxel 4 4 4\n9 9 9\n"), /bad\.3dmap/],
  ["notes.txt", Buffer.from("hello"), /notes\.txt: the cockpit cannot read \.txt files/],
]) {
  pageTest(`a broken file is refused with a reason: ${name}`, "#map", async (page) => {
    await drop(page, name, bytes === "cut" ? (await fixture("halls.vnav")).subarray(0, 700) : bytes);
    await page.waitForSelector(".message.error");
    const said = await text(page, ".message.error");
    assert.match(said, says);
    assert.ok(said.split(" ").length >= 4, said);
  }, small);
}

test("volnav view puts a file into the page", { skip: !existsSync(tool) && "build/volnav is not there" }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "volnav-web-"));
  const out = join(folder, "view.html");
  const env = { ...process.env, VOLNAV_COCKPIT: file };
  execFileSync(tool, ["view", resolve(root, "samples/scenes/doorway.scene"), "--output", out, "--no-open"], { env });
  const { page, complaints, close } = await openPage(browser, "", { path: out, ...small });
  await caption(page, "doorway.scene");
  assert.equal(await chosenWorld(page), "doorway.scene");
  assert.equal(await page.locator(".tour").count(), 0, "the tour is about the flight, not about the file");
  assert.deepEqual(complaints, []);
  await close();
  await rm(folder, { recursive: true });
});

// ---------- links

pageTest("a link brings back view and settings", "#search&place=tower&a=octree.theta&compare=false", async (page) => {
  await page.keyboard.press("l");
  await page.waitForSelector(".message");
  const link = page.url();
  assert.match(link, /#search&place=tower&a=octree\.theta/);
  await page.goto("about:blank");
  await page.goto(link);
  await until(page, () => document.querySelector(".pane-head h3")?.textContent === "Theta* on octree");
}, small);

pageTest("a link of a flight has its scene and seed", "#fly&seed=5", async (page) => {
  await page.keyboard.press("n");
  await page.keyboard.press("l");
  await page.waitForSelector(".message");
  assert.match(page.url(), /#fly&scene=[\w-]+&.*seed=6/);
}, small);

// ---------- the game

const ended = (page, word) => page.evaluate((word) => document.querySelector(".overlay:not([hidden]) .ending:not([hidden]) b")?.textContent === word, word);

/** Plays on until the game says so; seconds of the game. */
async function playUntil(page, word, most) {
  for (let played = 0; played < most; played += 5) {
    await advance(page, 5);
    if (await ended(page, word)) return;
  }
  assert.fail(`not ${word} after ${most} s of the game`);
}

pageTest("a scripted player wins", "#play&scripted=true&kills=1&enemies=12&asteroids=50&seed=1", async (page) => {
  await page.keyboard.press("Enter"); // a game from a link waits
  await playUntil(page, "Won", 600);
}, small);

pageTest("who does nothing loses", "#play&enemies=40&asteroids=50", async (page) => {
  await page.keyboard.press("Enter");
  await playUntil(page, "Lost", 600);
}, small);
