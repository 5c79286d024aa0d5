/**
 * web/src/app/aside.ts: work that would hold up frames is done aside: by a worker with a library of its own. The worker
 * is this page's script again, so that the page stays one file. Where there are no workers, the page does it itself.
 */
import { load, type Volnav } from "volnav";
import { boxesOf, type BoxJob, type BoxList } from "../worlds/boxes.js";

type Question = { id: number; wasm?: Uint8Array; job: BoxJob };
type Answer = { id: number; list?: BoxList; problem?: string };

export class Aside {
  private worker: Worker | null = null;
  private asked = 0;
  private readonly waiting = new Map<number, { done: (list: BoxList) => void; failed: (reason: Error) => void }>();

  /** `script`: text of this page's script; `wasm`: the library as it lies in the page. */
  constructor(
    private readonly volnav: Volnav,
    private readonly script: string,
    private readonly wasm: Uint8Array,
  ) {}

  /** True: by a worker. */
  get apart(): boolean {
    return this.worker !== null;
  }

  boxes(job: BoxJob): Promise<BoxList> {
    const first = this.worker === null;
    if (first) this.worker = this.hire();
    const { worker } = this;
    if (!worker) return new Promise((done) => setTimeout(() => done(boxesOf(this.volnav, job)), 0));
    const question: Question = { id: ++this.asked, job, ...(first ? { wasm: this.wasm } : {}) };
    worker.postMessage(question);
    return new Promise((done, failed) => this.waiting.set(question.id, { done, failed }));
  }

  private hire(): Worker | null {
    try {
      const address = URL.createObjectURL(new Blob([this.script], { type: "text/javascript" }));
      const worker = new Worker(address);
      worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.hear(data));
      worker.addEventListener("error", (event) => this.fire(event.message));
      return worker;
    } catch {
      return null;
    }
  }

  private hear({ id, list, problem }: Answer): void {
    const waits = this.waiting.get(id);
    this.waiting.delete(id);
    if (list) waits?.done(list);
    else waits?.failed(new Error(problem));
  }

  private fire(reason: string): void {
    for (const { failed } of this.waiting.values()) failed(new Error(reason));
    this.waiting.clear();
    this.worker?.terminate();
    this.worker = null;
  }
}

/** The other side: what this script does where there is no page around it. */
export function workAside(): void {
  const desk = self as unknown as { postMessage(answer: Answer, moved: Transferable[]): void };
  let library: Promise<Volnav> | null = null;
  self.addEventListener("message", ({ data }: MessageEvent<Question>) => {
    const { id, wasm, job } = data;
    if (wasm) library = load(wasm as BufferSource);
    library!
      .then((volnav) => boxesOf(volnav, job))
      .then((list) => desk.postMessage({ id, list }, [list.boxes.buffer, list.levels.buffer]))
      .catch((error: Error) => desk.postMessage({ id, problem: error.message }, []));
  });
}
