/** bindings/js/src/files.ts: the sections of a .vnav or .vnrec that are packed with zstd, unpacked by fzstd. */
import { decompress } from "fzstd";
import { VolnavError, type Wasm } from "./wasm.js";

const HEAD = 64;
const ENTRY = 56;
const CODEC_ZSTD = 1;
const MOST_SECTIONS = 131072;
const MOST_UNPACKED = 64 << 20;

export interface Section {
  offset: number;
  data: Uint8Array;
}

function bad(reason: string): VolnavError {
  return new VolnavError("bad-format", -1, reason);
}

/** Everything else of the file is the library's to judge: here only what unpacking needs is looked at. */
export function unpackSections(file: Uint8Array): Section[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < HEAD) return [];
  const count = view.getUint32(20, true);
  if (count > MOST_SECTIONS || HEAD + count * ENTRY > file.length) return [];

  const sections: Section[] = [];
  for (let i = 0; i < count; ++i) {
    const at = HEAD + i * ENTRY;
    if (view.getUint32(at + 16, true) !== CODEC_ZSTD) continue;
    const offset = Number(view.getBigUint64(at + 24, true));
    const size = Number(view.getBigUint64(at + 32, true));
    const unpacked = Number(view.getBigUint64(at + 40, true));
    if (offset + size > file.length || unpacked > MOST_UNPACKED) continue; // the library says what is wrong
    sections.push({ offset, data: unpack(file.subarray(offset, offset + size), unpacked, i) });
  }
  return sections;
}

function unpack(packed: Uint8Array, size: number, index: number): Uint8Array {
  try {
    const data = decompress(packed, new Uint8Array(size));
    if (data.length === size) return data;
  } catch {
    // falls through: the same message
  }
  throw bad(`section ${index} cannot be unpacked`);
}

const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/** @internal The bytes themselves, or what zstd packed in them. */
export function unpackModule(source: BufferSource): BufferSource {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  if (!ZSTD_MAGIC.every((byte, i) => bytes[i] === byte)) return source;
  try {
    return decompress(bytes) as Uint8Array<ArrayBuffer>;
  } catch {
    throw bad("the module cannot be unpacked");
  }
}

/** @internal Calls with the address and size of the file, and the table of its unpacked sections. */
export function withFile<T>(wasm: Wasm, file: Uint8Array, call: (args: number[]) => T): T {
  const where = unpackSections(file).map((one) => {
    const at = wasm.alloc(one.data.length);
    wasm.bytes(at, one.data.length).set(one.data);
    return [one.offset, at, one.data.length] as const;
  });
  try {
    return wasm.with([file, new Uint32Array(where.flat())], (data, table) =>
      call([data!, file.length, table!, where.length]),
    );
  } finally {
    for (const [, at] of where) wasm.free(at);
  }
}

export type FileKind = "vnav" | "query-record" | "run-record" | "3dmap" | "octomap" | "scene";

const MAGIC = [0xb6, 0x76, 0x6e, 0x61, 0x76, 0x0d, 0x0a, 0x1a];
const kinds: readonly (FileKind | null)[] = [null, "vnav", "query-record", "run-record"];

/** What a file is, by its first bytes; null: none of these. Of a .vnav or .vnrec that is broken, throws. */
export function fileKind(wasm: Wasm, file: Uint8Array): FileKind | null {
  if (MAGIC.every((byte, i) => file[i] === byte)) {
    withFile(wasm, file, (args) => wasm.check("js_store_info", args));
    return kinds[wasm.out(1)[0]!] ?? null;
  }
  const head = file.subarray(0, 4096);
  if (head.length === 0) return null;
  const text = new TextDecoder().decode(head);
  if (/^# Octomap OcTree/i.test(text)) return "octomap";
  if (head.includes(0)) return null;
  return /^\s*voxel\s+\d/.test(text) ? "3dmap" : /^\s*([a-z-]+\s|#|$)/.test(text) ? "scene" : null;
}
