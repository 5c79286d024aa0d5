/** bindings/js/test/speed.mjs: WebAssembly against native on the same bake and the same 1,000 queries, CPU time.
 * VOLNAV_NATIVE names the program of test/native.c. */
import { execFileSync } from "node:child_process";
import { bakeBoxes, numbers } from "./support.mjs";

const ROUNDS = 7;
const qualities = ["standard", "fast", "best"];

function cpu(work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1e6, result];
}

function findAll(space, draw) {
  const query = space.createQuery();
  for (let i = 0; i < 1000; ++i) {
    const ends = Array.from({ length: 6 }, () => 32 * draw());
    const options = { algo: i % 10 === 0 ? "astar" : "cells", quality: qualities[i % 3], snap: 2, check: true };
    query.find(ends.slice(0, 3), ends.slice(3), options);
  }
  query.dispose();
}

function native() {
  const words = execFileSync(process.env.VOLNAV_NATIVE, ["time"], { encoding: "utf8" }).split(/\s+/);
  return [Number(words[words.indexOf("bake") + 1]), Number(words[words.indexOf("queries") + 1])];
}

const least = { bake: [Infinity, Infinity], queries: [Infinity, Infinity] };
for (let i = 0; i < ROUNDS; ++i) {
  const draw = numbers();
  const [bake, space] = cpu(() => bakeBoxes(draw));
  const [queries] = cpu(() => findAll(space, draw));
  const [nativeBake, nativeQueries] = native();
  least.bake = [Math.min(least.bake[0], bake), Math.min(least.bake[1], nativeBake)];
  least.queries = [Math.min(least.queries[0], queries), Math.min(least.queries[1], nativeQueries)];
  space.dispose();
}
for (const [name, [wasm, plain]] of Object.entries(least)) {
  const ms = (x) => (1000 * x).toFixed(1);
  console.log(`${name}: wasm ${ms(wasm)} ms, native ${ms(plain)} ms: ${(wasm / plain).toFixed(2)} x`);
}
