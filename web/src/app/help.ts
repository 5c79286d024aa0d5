/** web/src/app/help.ts: the list of keys. */
import type { App } from "./app.js";
import type { Desk } from "./desk.js";
import { el } from "./dom.js";
import type { KeyHelp } from "./keys.js";

export function showKeys(app: App, desk: Desk): void {
  const view = desk.shown?.view;
  const { everywhere, here } = app.keys.list(view?.id ?? "");
  const close = el("button", { type: "button", class: "primary" }, "Close");
  const dialog = el(
    "dialog",
    { class: "keys", "aria-label": "Keys" },
    ...(here.length > 0 ? [el("h2", {}, view!.title), table(here)] : []),
    el("h2", {}, "Everywhere"),
    table(everywhere),
    close,
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0; // the focus is on the button, which lies below all keys
}

function table(list: readonly KeyHelp[]): HTMLElement {
  return el("dl", {}, ...list.flatMap((one) => [el("dt", {}, el("kbd", {}, one.keys)), el("dd", {}, one.does)]));
}
