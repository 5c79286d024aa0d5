// web/test/hands.test.mjs: switches of a flight, gamepad, sound, and meshes that are dropped.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drop, launch, openPage, until } from "./page.mjs";

const small = { viewport: { width: 800, height: 480 } };
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

const advance = (page, seconds) =>
  page.evaluate((seconds) => {
    for (let done = 0; done < seconds; done += 0.05) window.volnavDesk.shown.instance.frame({ seconds: 0.05, now: performance.now() });
  }, seconds);

// ---------- switches

/** What the library is asked for from now on. */
const listen = (page) =>
  page.evaluate(() => {
    const { volnav } = window.volnavApp;
    const create = volnav.createRun.bind(volnav);
    window.asked = [];
    volnav.createRun = (options) => {
      window.asked.push(options);
      return create(options);
    };
  });
const asked = (page) => page.evaluate(() => window.asked.at(-1));

pageTest("the weather switch reaches judged runs, and needs dynamic avoidance", "#fly&variant=weather", async (page) => {
  await listen(page);
  const weather = page.getByLabel("Weather avoidance");
  assert.equal(await weather.isChecked(), true);
  await weather.uncheck();
  assert.equal((await asked(page)).variant, "weather-off");
  await weather.check();
  assert.equal((await asked(page)).variant, "weather");
  await page.getByLabel("Dynamic avoidance").uncheck();
  assert.deepEqual(await asked(page).then(({ variant, autopilot }) => [variant, autopilot]), ["weather-off", 0]);
  assert.equal(await weather.isEnabled(), false);
  await page.getByLabel("Dynamic avoidance").check();
  assert.equal(await weather.isEnabled(), true);
  assert.equal((await asked(page)).variant, "weather");

  const variants = await page.getByLabel("Variant").locator("option").allInnerTexts();
  assert.ok(variants.includes("weather") && !variants.includes("weather-off"), variants.join());
  await page.getByLabel("Variant").selectOption("sparse");
  assert.equal(await weather.isEnabled(), false); // the sky is clear
});

pageTest("a link to the weather that is not avoided has the switch off", "#fly&variant=weather-off", async (page) => {
  assert.equal(await page.getByLabel("Weather avoidance").isChecked(), false);
  assert.equal(await page.getByLabel("Variant").inputValue(), "weather");
  const clouds = await page.evaluate(() => window.volnavDesk.shown.instance.flight.zones().length);
  assert.equal(clouds, 8);
});

/** Cubes of the look-up zone that are in the picture. */
const cubes = (page) =>
  page.evaluate(() => {
    let found = 0;
    window.volnavApp.stage.scene.traverseVisible((one) => {
      if (one.isLineSegments && one.material.uniforms?.opacity?.value === 0.5 && one.geometry.instanceCount > 0) found += one.geometry.instanceCount;
    });
    return found;
  });

for (const [autopilot, least, most] of [[2, 20, 400], [3, 1, 5], [4, 1, 5], [6, 0, 0]]) {
  pageTest(`the look-up zone of autopilot ${autopilot}`, `#fly&autopilot=${autopilot}`, async (page) => {
    await advance(page, 1);
    const shown = await cubes(page);
    assert.ok(shown >= least && shown <= most, `${shown} cubes`);
    const zone = page.getByLabel("Look-up");
    assert.equal(await zone.isEnabled(), least > 0);
    if (least === 0) return;
    await zone.uncheck();
    await advance(page, 0.1);
    assert.equal(await cubes(page), 0);
  });
}

// ---------- gamepad

/** A pad with this in hand; `buttons` by their numbers. */
const hold = (page, axes = [0, 0, 0, 0], buttons = []) =>
  page.evaluate(
    ([axes, held]) => {
      const buttons = Array.from({ length: 17 }, (_, i) => ({ pressed: held.includes(i), touched: false, value: Number(held.includes(i)) }));
      navigator.getGamepads = () => [null, { connected: true, axes, buttons, index: 1, mapping: "standard", id: "pad" }];
    },
    [axes, buttons],
  );

/** What the game is told, and what it looks like then. */
const told = (page, seconds = 0.1) =>
  page.evaluate((seconds) => {
    const { instance } = window.volnavDesk.shown;
    const { game } = instance;
    const step = game.step.bind(game);
    const inputs = [];
    game.step = (input) => {
      inputs.push({ ...input });
      return step(input);
    };
    for (let done = 0; done < seconds; done += 0.05) instance.frame({ seconds: 0.05, now: performance.now() });
    game.step = step;
    const { player } = game.view();
    return { inputs, player: JSON.parse(JSON.stringify(player)), stats: game.stats() };
  }, seconds);

/** How far two directions are apart. */
const turned = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

pageTest("a gamepad steers, looks, shoots, switches guns and reloads", "#play&enemies=1&asteroids=0&seed=1", async (page) => {
  await hold(page);
  await page.keyboard.press("Enter");
  const calm = await told(page);
  assert.ok(calm.inputs.length > 0);
  for (const input of calm.inputs) assert.deepEqual([input.yaw, input.pitch, input.lookYaw, input.lookPitch, input.any], [0, 0, 0, 0, false]);

  await hold(page, [1, 0, 0, 0]);
  const right = await told(page, 0.5);
  assert.equal(right.inputs.at(-1).yaw, 1);
  assert.ok(turned(right.player.forward, calm.player.forward) > 0.1, "it has turned");
  await hold(page, [0, -1, 0, 0]); // the stick away from the player: up
  const up = await told(page, 0.3);
  assert.equal(up.inputs.at(-1).pitch, 1);
  assert.ok(turned(up.player.forward, right.player.forward) > 0.1, "its nose has moved");
  await hold(page, [0, 0, -1, 1]);
  const looks = await told(page, 0.3);
  const { lookYaw, lookPitch, yaw } = looks.inputs.at(-1);
  assert.deepEqual([lookYaw, lookPitch, yaw], [-1, -1, 0]);
  assert.ok(turned(looks.player.look, looks.player.forward) > 0.1, "the view is not ahead");
  await hold(page, [0.1, 0.1, 0.1, 0.1]); // a stick that does not come back to its middle
  assert.equal((await told(page)).inputs.at(-1).any, false);

  await hold(page, undefined, [6]);
  const left = await told(page, 0.5);
  assert.deepEqual([left.inputs[0].shootLeft, left.inputs[0].shootRight], [true, false]);
  await hold(page, undefined, [7]);
  const both = await told(page, 0.5);
  assert.deepEqual([both.inputs[0].shootLeft, both.inputs[0].shootRight], [false, true]);
  assert.ok(both.stats.shots > calm.stats.shots, JSON.stringify(both.stats));

  await hold(page, undefined, [1]);
  assert.equal((await told(page)).inputs[0].reload, true);
  await hold(page, undefined, [2]);
  const switched = await told(page, 0.3);
  assert.notEqual(switched.player.gun, calm.player.gun);
  assert.deepEqual(switched.inputs.map((one) => one.switchGun), [true, ...switched.inputs.slice(1).map(() => false)]); // once, however long it is held
});

pageTest("fingers steer on the left of the picture and shoot on the right", "#play&enemies=1&asteroids=0&seed=1", async (page) => {
  await page.keyboard.press("Enter");
  /** A finger at parts of the stage. */
  const finger = (type, id, x, y) =>
    page.evaluate(
      ([type, pointerId, x, y]) => {
        const { canvas } = window.volnavApp.stage;
        const place = canvas.getBoundingClientRect();
        canvas.dispatchEvent(new PointerEvent(type, { pointerId, pointerType: "touch", clientX: place.left + place.width * x, clientY: place.top + place.height * y }));
      },
      [type, id, x, y],
    );
  await finger("pointerdown", 5, 0.2, 0.5);
  await finger("pointermove", 5, 0.5, 0.1);
  const steered = (await told(page)).inputs.at(-1);
  assert.deepEqual([steered.yaw, steered.pitch, steered.shootLeft], [1, 1, false]);
  await finger("pointerdown", 6, 0.9, 0.5);
  assert.equal((await told(page)).inputs.at(-1).shootRight, true);
  await finger("pointerup", 5, 0.5, 0.1);
  await finger("pointerup", 6, 0.9, 0.5);
  assert.equal((await told(page)).inputs.at(-1).any, false);
});

// ---------- sound

pageTest("sound is off at first; the engine follows the speed", "#fly&seed=1", async (page) => {
  await page.evaluate(() => {
    window.contexts = [];
    const Real = window.AudioContext;
    window.AudioContext = class extends Real {
      constructor(...rest) {
        super(...rest);
        window.contexts.push(this);
      }
    };
  });
  await advance(page, 1);
  assert.equal(await page.getByLabel("Engine sound").isChecked(), false);
  assert.equal(await page.evaluate(() => window.contexts.length), 0);
  await page.getByLabel("Engine sound").check();
  assert.equal(await page.evaluate(() => window.contexts.length), 1);

  /** What the engine is told at a part of full speed. */
  const engine = (part) =>
    page.evaluate((part) => {
      const { sound } = window.volnavApp;
      const aims = {};
      for (const [name, one] of [["pitch", sound.engine.tone.frequency], ["loud", sound.engine.gain.gain]]) {
        one.setTargetAtTime = (value, ...rest) => AudioParam.prototype.setTargetAtTime.call(one, (aims[name] = value), ...rest);
      }
      if (part === null) window.volnavDesk.shown.instance.frame({ seconds: 0.1, now: performance.now() });
      else sound.run(part);
      return aims;
    }, part);
  const [slow, fast, flying] = [await engine(0), await engine(1), await engine(null)];
  assert.ok(fast.pitch > 1.5 * slow.pitch && fast.loud > 2 * slow.loud);
  assert.ok(flying.pitch > slow.pitch && flying.pitch < fast.pitch, JSON.stringify(flying));
  await page.getByLabel("Engine sound").uncheck();
  await until(page, () => window.contexts[0].state === "suspended");
});

// ---------- meshes

const points = [[0, 0, 0], [9, 0, 0], [9, 4, 0], [0, 4, 0], [0, 0, 5], [9, 0, 5], [9, 4, 5], [0, 4, 5]];
const faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [3, 7, 6, 2], [0, 4, 7, 3], [1, 2, 6, 5]].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);

/** A box of 9 x 4 x 5 metres as a binary glTF, moved by its node. */
function glb() {
  const position = Buffer.from(Float32Array.from(points.flat()).buffer);
  const index = Buffer.from(Uint16Array.from(faces).buffer);
  const bin = Buffer.concat([position, index]);
  const json = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, translation: [100, 0, 0] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: points.length, type: "VEC3", min: [0, 0, 0], max: [9, 4, 5] },
      { bufferView: 1, componentType: 5123, count: faces.length, type: "SCALAR" },
    ],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: position.length }, { buffer: 0, byteOffset: position.length, byteLength: index.length }],
    buffers: [{ byteLength: bin.length }],
  };
  const pad = (bytes, fill) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, fill)]);
  const chunk = (type, bytes) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, bytes]);
  };
  const chunks = Buffer.concat([chunk("JSON", pad(Buffer.from(JSON.stringify(json)), " ")), chunk("BIN\0", pad(bin, 0))]);
  const head = Buffer.alloc(12);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + chunks.length, 8);
  return Buffer.concat([head, chunks]);
}

const obj = () => Buffer.from([...points.map((p) => `v ${p.join(" ")}`), ...Array.from({ length: 12 }, (_, i) => `f ${faces.slice(3 * i, 3 * i + 3).map((k) => k + 1).join(" ")}`)].join("\n"));

for (const [name, bytes, left] of [["box.glb", glb, 100], ["box.obj", obj, 0]]) {
  pageTest(`a mesh is dropped: ${name}`, "#map", async (page) => {
    await drop(page, name, bytes());
    await until(page, (name) => [...document.querySelectorAll(".overlay:not([hidden]) .caption b")].some((one) => one.textContent === name), name);
    const { low, high } = await page.evaluate(() => {
      const { min, max } = window.volnavDesk.shown.instance.world.bounds;
      return { low: min.toArray(), high: max.toArray() };
    });
    assert.ok(low[0] < left && low[0] > left - 2 && high[0] > left + 9 && high[0] < left + 11, `${low} ${high}`);
    await page.keyboard.press("g"); // another goal: a path around the box
    await until(page, () => [...document.querySelectorAll(".view-deck:not([hidden]) .readout")].some((one) => one.querySelector(".name").textContent === "answer" && one.querySelector("b").textContent === "path"));
  });
}

pageTest("a broken mesh is refused with a reason", "#map", async (page) => {
  await drop(page, "cut.glb", glb().subarray(0, 60));
  await page.waitForSelector(".message.error");
  await drop(page, "empty.obj", Buffer.from("v 0 0 0\n"));
  await until(page, () => [...document.querySelectorAll(".message.error")].some((one) => /empty\.obj/.test(one.textContent)));
});
