/** bindings/js/src/wasm.ts: the module's memory: numbers and texts in, views and texts out. */

/** What glue.c exports. */
export interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  [name: string]: unknown;
}

/** x, y, z, metres */
export type Vector = readonly [number, number, number];

type Call = (...args: (number | bigint)[]) => number;

/** A failed call, with the library's word and reason. */
export class VolnavError extends Error {
  constructor(
    /** such as "start-blocked" */
    readonly status: string,
    readonly code: number,
    reason: string,
    /** of a text file; 0: no line is to blame */
    readonly line = 0,
  ) {
    super(reason === "" ? status : `${status}: ${reason}`);
    this.name = "VolnavError";
  }
}

export const STATUS_OK = 0;
export const STATUS_RUNNING = 1;
export const STATUS_NOT_FOUND = 24;

const utf8 = new TextDecoder();
const toUtf8 = new TextEncoder();

/** The library's memory and calls. Views are made anew for each use, because memory that grows detaches them. */
export class Wasm {
  private readonly kept = new Map<number, number>();

  private constructor(private readonly exports: Exports) {}

  static async open(source: BufferSource | WebAssembly.Module): Promise<Wasm> {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const instance = await WebAssembly.instantiate(module, {});
    const exports = instance.exports as unknown as Exports;
    exports._initialize();
    return new Wasm(exports);
  }

  call(name: string, ...args: number[]): number {
    return (this.exports[name] as Call)(...args);
  }

  /** A call that returns a status: throws unless it is one of `fine`. */
  check(name: string, args: number[], fine: readonly number[] = [STATUS_OK]): number {
    const status = this.call(name, ...args);
    if (!fine.includes(status)) throw this.error(status);
    return status;
  }

  error(status: number): VolnavError {
    const line = this.call("js_detail_line");
    const reason = this.text(this.call("js_detail"));
    return new VolnavError(this.word(status), status, line > 0 ? `line ${line}: ${reason}` : reason, line);
  }

  word(status: number): string {
    return this.text(this.call("js_status_word", status));
  }

  /** What the last call wrote. */
  out(count: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, this.call("js_out"), count);
  }

  bytes(at: number, size: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, at, size);
  }

  floats(at: number, count: number): Float32Array {
    return new Float32Array(this.exports.memory.buffer, at, count);
  }

  doubles(at: number, count: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, at, count);
  }

  words(at: number, count: number): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, at, count);
  }

  /** Copies bytes that a call gave, and frees them. */
  take(at: number, size: number): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(size);
    copy.set(this.bytes(at, size));
    if (at !== 0) this.free(at);
    return copy;
  }

  get size(): number {
    return this.exports.memory.buffer.byteLength;
  }

  text(at: number): string {
    const all = new Uint8Array(this.exports.memory.buffer);
    return utf8.decode(all.subarray(at, all.indexOf(0, at)));
  }

  alloc(size: number): number {
    const at = this.call("js_alloc", Math.max(size, 8));
    if (at === 0) throw new VolnavError("out-of-memory", -1, `${size} bytes for an argument`);
    return at;
  }

  /** Memory for numbers that one object hands over again and again: a few bytes, kept for good. */
  keep(size: number): number {
    return this.kept.get(size) ?? (this.kept.set(size, this.alloc(size)), this.kept.get(size)!);
  }

  free(at: number): void {
    this.call("js_free", at);
  }

  /** Copies arrays and texts into memory for the time of a call. null is a null pointer. */
  with<T>(values: readonly (ArrayBufferView | string | null)[], call: (...at: number[]) => T): T {
    const at: number[] = [];
    try {
      for (const value of values) at.push(value === null ? 0 : this.put(value));
      return call(...at);
    } finally {
      for (const one of at) if (one !== 0) this.free(one);
    }
  }

  private put(value: ArrayBufferView | string): number {
    const data =
      typeof value === "string"
        ? toUtf8.encode(value + "\0")
        : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const at = this.alloc(data.length);
    this.bytes(at, data.length).set(data);
    return at;
  }
}
