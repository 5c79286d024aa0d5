/** web/src/fly/ending.ts: what a flight came to, when it is over. */
import { el } from "../app/dom.js";
import type { Figures } from "./flight.js";

const words: Record<string, string> = {
  arrived: "Arrived",
  collided: "Collided",
  timeout: "Out of time",
  enclosed: "Enclosed",
  lost: "No way",
};

export function showEnding(element: HTMLElement, figures: Figures, choices: { again: () => void; next: () => void }): void {
  const clean = figures.collisions === 0;
  const good = figures.end === "arrived" && clean;
  const again = el("button", { type: "button", onclick: choices.again }, "Again");
  const next = el("button", { type: "button", class: "primary", onclick: choices.next }, "Next seed");
  element.className = `ending ${good ? "good" : "bad"}`;
  element.replaceChildren(el("b", {}, words[figures.end] ?? figures.end), el("span", {}, sentence(figures)), el("div", { class: "row" }, again, next));
  element.hidden = false;
}

function sentence(f: Figures): string {
  const hits = f.collisions === 0 ? "touched nothing" : f.collisions === 1 ? "one collision" : `${f.collisions} collisions`;
  const who = f.agents > 1 ? `${f.arrived} of ${f.agents} agents, ` : "";
  return `${who}${f.seconds.toFixed(1)} s, ${Math.round(f.length)} m, ${hits}.`;
}
