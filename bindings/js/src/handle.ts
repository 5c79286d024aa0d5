/** bindings/js/src/handle.ts: objects of the library, freed by dispose, or by the collector when it was forgotten. */
import type { Wasm } from "./wasm.js";

interface Freed {
  wasm: Wasm;
  destroy: string;
  at: number;
}

const forgotten = new FinalizationRegistry<Freed>((one) => one.wasm.call(one.destroy, one.at));

export abstract class Handle {
  #at: number;
  readonly #destroy: string;

  protected constructor(
    /** @internal */ readonly wasm: Wasm,
    at: number,
    destroy: string,
  ) {
    this.#at = at;
    this.#destroy = destroy;
    forgotten.register(this, { wasm, destroy, at }, this);
  }

  /** @internal The pointer. Throws after dispose. */
  get at(): number {
    if (this.#at === 0) throw new TypeError(`${this.constructor.name} was disposed`);
    return this.#at;
  }

  get disposed(): boolean {
    return this.#at === 0;
  }

  /** Frees its memory now. A second time does nothing. */
  dispose(): void {
    if (this.#at === 0) return;
    forgotten.unregister(this);
    this.wasm.call(this.#destroy, this.#at);
    this.#at = 0;
  }

  /** @internal Another object owns it now: this one is as disposed. */
  handOver(): void {
    forgotten.unregister(this);
    this.#at = 0;
  }
}
