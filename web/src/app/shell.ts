/** web/src/app/shell.ts: the frame of the page: bar with tabs and tools, stage, panel, deck, messages. */
import type { Places, View } from "./view.js";
import { el } from "./dom.js";
import { icon, type IconName } from "../ui/icons.js";

export interface Tool {
  icon: IconName;
  label: string;
  /** one letter, shown in the tooltip */
  key?: string;
  run: () => void;
}

export class Shell {
  readonly stage = el("main", { class: "stage" });
  private readonly panel = el("aside", { class: "panel", "aria-label": "Controls" });
  private readonly deck = el("footer", { class: "deck", "aria-label": "Instruments" });
  private readonly tabs = el("nav", { class: "tabs", role: "tablist", "aria-label": "Views" });
  private readonly tools = el("div", { class: "tools", role: "toolbar", "aria-label": "Tools" });
  private readonly messages = el("div", { class: "messages", role: "status", "aria-live": "polite" });

  constructor(private readonly root: HTMLElement) {
    const brand = el("a", { class: "brand", href: "#", title: "volnav: navigation in volumes" }, icon("brand"), el("b", {}, "volnav"));
    const bar = el("header", { class: "bar" }, brand, this.tabs, this.tools);
    this.stage.append(this.messages);
    root.className = "shell";
    root.replaceChildren(bar, this.stage, this.panel, this.deck);
  }

  addTab(view: View, index: number, go: () => void): void {
    const tab = el("button", { type: "button", role: "tab", id: `tab-${view.id}`, title: `${view.hint} (${index + 1})`, onclick: go }, view.title);
    this.tabs.append(tab);
  }

  addTool(tool: Tool): HTMLButtonElement {
    const title = tool.key ? `${tool.label} (${tool.key})` : tool.label;
    const made = el("button", { type: "button", class: "tool", title, "aria-label": tool.label, onclick: tool.run }, icon(tool.icon));
    this.tools.append(made);
    return made;
  }

  /** A tool that leads to another page. */
  addLink(name: IconName, label: string, address: string): HTMLAnchorElement {
    const made = el("a", { class: "tool", href: address, target: "_blank", rel: "noopener", title: label, "aria-label": label }, icon(name));
    this.tools.append(made);
    return made;
  }

  /** Empty places for a view, hidden. */
  addPlaces(view: View): Omit<Places, "group"> {
    const made = {
      panel: el("div", { class: `view-panel ${view.id}`, hidden: true }),
      deck: el("div", { class: `view-deck ${view.id}`, hidden: true }),
      overlay: el("div", { class: `overlay ${view.id}`, hidden: true }),
    };
    this.panel.append(made.panel);
    this.deck.append(made.deck);
    this.stage.append(made.overlay);
    return made;
  }

  select(view: View): void {
    this.root.dataset.view = view.id;
    for (const tab of this.tabs.children) {
      const on = tab.id === `tab-${view.id}`;
      tab.setAttribute("aria-selected", String(on));
      if (on) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  say(text: string, kind: "note" | "error"): void {
    const message = el("p", { class: `message ${kind}` }, text);
    const close = el("button", { type: "button", "aria-label": "Dismiss", onclick: () => message.remove() }, "×");
    message.append(close);
    this.messages.append(message);
    while (this.messages.children.length > 3) this.messages.firstElementChild!.remove();
    setTimeout(() => message.remove(), kind === "error" ? 12000 : 4000);
  }
}
