/** bindings/js/src/files.ts: the sections of a .vnav or .vnrec that are packed with zstd, unpacked by fzstd. */
import { decompress } from "fzstd";
import { VolnavError } from "./wasm.js";

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
