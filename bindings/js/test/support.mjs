/** bindings/js/test/support.mjs: the library, the numbers of native.c, and what that program prints. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { load } from "../dist/index.js";

const wasm = readFileSync(new URL("../dist/volnav.wasm", import.meta.url));
export const volnav = await load(wasm);

/** The same numbers as in native.c. */
export function numbers() {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 16) / 65536;
  };
}

function fill(world, draw) {
  for (let i = 0; i < 300; ++i) {
    const low = [0, 0, 0];
    const high = [0, 0, 0];
    for (let k = 0; k < 3; ++k) {
      low[k] = Math.fround(30 * draw());
      high[k] = Math.fround(low[k] + Math.fround(0.5 + 4 * draw()));
    }
    world.addBox(low, high);
  }
}

export function bakeBoxes(draw) {
  const world = volnav.createWorld();
  fill(world, draw);
  const space = volnav.bake(world, { resolution: 0.5, radii: [0.3], bounds: [[0, 0, 0], [34, 34, 34]] });
  world.dispose();
  return space;
}

/** FNV-1a, as in native.c. */
export class Hash {
  value = 0xcbf29ce484222325n;
  #bytes = new DataView(new ArrayBuffer(8));
  mix(x) {
    this.#bytes.setFloat64(0, x, true);
    for (let i = 0; i < 8; ++i) {
      this.value = BigInt.asUintN(64, (this.value ^ BigInt(this.#bytes.getUint8(i))) * 0x100000001b3n);
    }
  }
}

export function hex(x) {
  return x.toString(16).padStart(16, "0");
}

/** Lines of test/native.c by their first word; null without VOLNAV_NATIVE, which names that program. */
export const native = process.env.VOLNAV_NATIVE
  ? Object.fromEntries(
      execFileSync(process.env.VOLNAV_NATIVE, { encoding: "utf8" })
        .trim()
        .split("\n")
        .map((line) => [line.split(" ")[0], line.split(" ").slice(1)]),
    )
  : null;
