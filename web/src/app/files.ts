/** web/src/app/files.ts: files that are dropped on the page or chosen from disk, and clicks into the stage. */
import type { App } from "./app.js";
import type { Desk } from "./desk.js";
import { el } from "./dom.js";
import { typeOf } from "./wasm.js";

/** A press that moves farther than this is a drag of the camera, pixels. */
const CLICK = 5;

export async function openFile(app: App, desk: Desk, file: File): Promise<void> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    await desk.openFile({ name: file.name, type: typeOf(file.name), bytes });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    app.say(reason.startsWith(file.name) ? reason : `${file.name}: ${reason}`, "error");
  }
}

/** Asks for a file. */
export function chooseFile(app: App, desk: Desk): void {
  const input = el("input", { type: "file" });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void openFile(app, desk, file);
  });
  input.click();
}

export function acceptFiles(app: App, desk: Desk, stage: HTMLElement): void {
  const over = (on: boolean) => stage.classList.toggle("drop", on);
  window.addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  window.addEventListener("dragleave", () => over(false));
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    for (const file of event.dataTransfer?.files ?? []) void openFile(app, desk, file);
  });
  passClicks(app, desk);
}

function passClicks(app: App, desk: Desk): void {
  const canvas = app.stage.canvas;
  let from: { x: number; y: number } | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    from = event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) > CLICK) return;
    const place = canvas.getBoundingClientRect();
    const x = ((event.clientX - place.left) / place.width) * 2 - 1;
    const y = 1 - ((event.clientY - place.top) / place.height) * 2;
    desk.shown?.instance.click?.(x, y, event);
  });
}
