// web/build.mjs: one HTML file of everything: script, styles, and the wasm packed by zstd as text of base 64.
//   node build.mjs [out.html]
import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "..");
const out = resolve(process.argv[2] ?? resolve(root, "out/cockpit.html"));
const bindings = resolve(root, "bindings/js/dist");

async function script() {
  const result = await build({
    entryPoints: [resolve(here, "src/main.ts")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    alias: { volnav: resolve(bindings, "index.js") },
    loader: { ".svg": "text" },
  });
  return result.outputFiles[0].text;
}

async function styles() {
  const result = await build({ entryPoints: [resolve(here, "src/style/all.css")], bundle: true, minify: true, write: false });
  return result.outputFiles[0].text;
}

/** A script may hold neither its own end nor a comment's beginning. */
const inScript = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

const wasm = (await readFile(resolve(bindings, "volnav.wasm.zst"))).toString("base64");
const parts = { STYLE: await styles(), WASM: wasm, SCRIPT: inScript(await script()) };
const template = await readFile(resolve(here, "index.html"), "utf8");
const page = template.replace(/\/\*(STYLE|SCRIPT)\*\/|@(WASM)@/g, (_, a, b) => parts[a ?? b]);

await mkdir(dirname(out), { recursive: true });
await writeFile(out, page);
const kb = (size) => `${Math.round(size / 1000)} kB`;
console.log(`${out}: ${kb(Buffer.byteLength(page))}, ${kb(gzipSync(page).length)} packed (wasm ${kb((wasm.length * 3) / 4)})`);
