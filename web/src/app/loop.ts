/** web/src/app/loop.ts: the frames: the view moves, the camera follows, the picture is drawn, times are taken. */
import type { App } from "./app.js";
import type { Desk } from "./desk.js";

const LONGEST = 0.1;

/** The two halves of a frame, each with its own time: what the page computes, and what the renderer does. */
export interface Loop {
  update(seconds: number, now: number): void;
  draw(): void;
}

export function startLoop(app: App, desk: Desk): Loop {
  let last = performance.now();
  const loop = makeLoop(app, desk);
  const frame = (now: number) => {
    requestAnimationFrame(frame);
    const seconds = Math.min(Math.max(now - last, 0) / 1000, LONGEST);
    app.stats.interval.add(now - last);
    last = now;
    loop.update(seconds, now);
    loop.draw();
  };
  requestAnimationFrame(frame);
  return loop;
}

function makeLoop(app: App, desk: Desk): Loop {
  let failed: ViewFailure | null = null;

  const update = (seconds: number, now: number) => {
    const shown = desk.shown;
    if (!shown) return;
    const begin = performance.now();
    try {
      shown.instance.frame?.({ seconds, now });
    } catch (error) {
      failed = report(app, shown.view.id, error, failed);
    }
    app.stage.rig.update(seconds, (code) => app.keys.isDown(code));
    app.stats.endFrame(performance.now() - begin);
  };

  const draw = () => {
    const shown = desk.shown;
    if (!shown) return;
    const begin = performance.now();
    if (shown.instance.render) shown.instance.render();
    else app.stage.render();
    app.stats.drawing.add(performance.now() - begin);
  };
  return { update, draw };
}

interface ViewFailure {
  view: string;
  text: string;
}

/** A view that fails in each frame says so once. */
function report(app: App, view: string, error: unknown, before: ViewFailure | null): ViewFailure {
  const text = error instanceof Error ? error.message : String(error);
  if (before?.view === view && before.text === text) return before;
  console.error(error);
  app.say(text, "error");
  return { view, text };
}
