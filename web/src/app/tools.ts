/** web/src/app/tools.ts: the tools at the right of the bar, each with its key. */
import type { App } from "./app.js";
import type { Desk } from "./desk.js";
import { el } from "./dom.js";
import { chooseFile } from "./files.js";
import { showKeys } from "./help.js";
import type { Shell, Tool } from "./shell.js";

/** Where `volnav experiment all` writes, seen from where `make cockpit` does. */
const EXPERIMENTS = "experiment-all/index.html";

export function addTools(app: App, desk: Desk, shell: Shell): void {
  const tools: (Tool & { key: string })[] = [
    { icon: "open", label: "Open a file", key: "O", run: () => chooseFile(app, desk) },
    { icon: "link", label: "Copy link", key: "L", run: () => void copyLink(app, desk) },
    { icon: "record", label: "Save record", key: "R", run: () => saveRecord(app, desk) },
    { icon: "camera", label: "Save picture", key: "I", run: () => void savePicture(app) },
    { icon: "theme", label: "Light or dark", key: "T", run: () => app.theme.toggle() },
    { icon: "help", label: "Keys", key: "?", run: () => showKeys(app, desk) },
  ];
  const site = shell.addLink("chart", "Experiments: the site that `volnav experiment all` writes beside this page", EXPERIMENTS);
  // a page from disk cannot look whether a file is there
  site.addEventListener("click", () => app.say("The experiments open in another tab. If it stays empty: `volnav experiment all` writes them first, to out/experiment-all."));
  for (const tool of tools) {
    shell.addTool(tool);
    app.keys.bind(tool.key.toLowerCase(), tool.key, tool.label, tool.run);
  }
}

async function copyLink(app: App, desk: Desk): Promise<void> {
  const link = desk.link();
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link);
    app.say("The link is copied: it brings back this view and its settings.");
  } catch {
    app.say("The link is in the address bar: it brings back this view and its settings.");
  }
}

function saveRecord(app: App, desk: Desk): void {
  const record = desk.shown?.instance.record?.();
  if (record) save(new Blob([record as BlobPart]), "cockpit.vnrec");
  else app.say("There is nothing to record here: records are of flights.", "error");
}

async function savePicture(app: App): Promise<void> {
  save(await app.stage.shoot(), "volnav.png");
}

export function save(data: Blob, name: string): void {
  const address = URL.createObjectURL(data);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
