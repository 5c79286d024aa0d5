/** web/src/main.ts: the cockpit starts here. */
import type { App } from "./app/app.js";
import { Aside, workAside } from "./app/aside.js";
import { Desk } from "./app/desk.js";
import { acceptFiles } from "./app/files.js";
import { Keys } from "./app/keys.js";
import { startLoop } from "./app/loop.js";
import { Shell } from "./app/shell.js";
import { Sound } from "./app/sound.js";
import { Stats } from "./app/stats.js";
import { Theme } from "./app/theme.js";
import { addTools } from "./app/tools.js";
import { startTour } from "./app/tour.js";
import { fileInPage, loadLibrary } from "./app/wasm.js";
import { Stage } from "./stage/stage.js";
import { views } from "./views/index.js";

async function start(script: string): Promise<void> {
  const { volnav, wasm } = await loadLibrary();
  const theme = new Theme();
  const shell = new Shell(document.getElementById("app")!);
  const stage = new Stage(shell.stage, theme);
  const app: App = {
    volnav,
    aside: new Aside(volnav, script, wasm),
    stage,
    theme,
    stats: new Stats(),
    sound: new Sound(),
    keys: new Keys(),
    calm: matchMedia("(prefers-reduced-motion: reduce)").matches,
    say: (text, kind = "note") => shell.say(text, kind),
    go: (view) => desk.go(view),
  };
  const desk: Desk = new Desk(app, shell, views);
  Object.assign(window, { volnavStats: app.stats, volnavApp: app, volnavDesk: desk });
  addTools(app, desk, shell);
  acceptFiles(app, desk, shell.stage);

  desk.restore(location.hash);
  const file = await fileInPage();
  if (file) await desk.openFile(file).catch((error: Error) => app.say(error.message, "error"));
  Object.assign(window, { volnavLoop: startLoop(app, desk) });
  if (!file && location.hash.length < 2) startTour(shell.stage);
  document.documentElement.dataset.ready = "true";
}

function fail(error: unknown): void {
  console.error(error);
  const root = document.getElementById("app")!;
  const reason = error instanceof Error ? error.message : String(error);
  root.textContent = `The cockpit cannot start: ${reason}`;
}

if (typeof document === "undefined") workAside();
else start(document.currentScript?.textContent ?? "").catch(fail);
