/** web/src/app/wasm.ts: the library and files that are inside the page, unpacked. */
import { load, type Volnav } from "volnav";
import type { OpenedFile } from "./view.js";

async function bytesOf(text: string): Promise<Uint8Array> {
  const raw = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const packed = raw[0] === 0x1f && raw[1] === 0x8b;
  if (!packed) return raw;
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The library, and the bytes that it was made from. */
export async function loadLibrary(): Promise<{ volnav: Volnav; wasm: Uint8Array }> {
  const element = document.getElementById("volnav-wasm")!;
  const wasm = await bytesOf(element.textContent!);
  const volnav = await load(wasm as BufferSource);
  element.remove();
  return { volnav, wasm };
}

/**
 * The file that `volnav view` has put into the page, if any:
 * <script type="application/octet-stream" id="volnav-file" data-name="world.vnav">base 64, packed by gzip or not</script>
 */
export async function fileInPage(): Promise<OpenedFile | null> {
  const element = document.getElementById("volnav-file");
  if (!element) return null;
  const name = element.dataset.name ?? "file";
  return { name, type: typeOf(name), bytes: await bytesOf(element.textContent!) };
}

export function typeOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}
