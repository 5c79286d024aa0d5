/** web/src/play/hud.ts: what the player reads: sight, health, magazines, score, and a scope with who is near. */
import type { GameStats, GameView } from "volnav";
import { el, svg } from "../app/dom.js";
import { count, Readout } from "../ui/instruments/readout.js";
import { face } from "../ui/instruments/face.js";

const MAGAZINES = ["fast", "heavy"];

function bar(name: string): { element: HTMLElement; set(part: number, text: string): void } {
  const fill = el("i", {});
  const text = el("b", { class: "figure" });
  const element = el("div", { class: "meter" }, el("span", { class: "name" }, name), text, el("div", { class: "meter-bar" }, fill));
  return {
    element,
    set(part, label) {
      fill.style.width = `${Math.max(0, Math.min(1, part)) * 100}%`;
      fill.classList.toggle("low", part < 0.3);
      if (text.textContent !== label) text.textContent = label;
    },
  };
}

export class Hud {
  readonly sight = el("div", { class: "sight", "aria-hidden": "true" });
  readonly flash = el("div", { class: "flash", "aria-hidden": "true" });
  readonly deck: HTMLElement;
  private readonly health = bar("health");
  private readonly guns = MAGAZINES.map((name) => bar(name));
  private readonly kills = new Readout("enemies shot");
  private readonly destroyed = new Readout("asteroids shot");
  private readonly caught = new Readout("caught", "", "How often an enemy reached you");
  private readonly hits = new Readout("hit", "", "How often an asteroid hit you");
  private readonly crashes = new Readout("their crashes", "", "Enemies that touched an asteroid: their pilots avoid it");
  private readonly left = new Readout("to win");
  private readonly blips = svg("g");
  private readonly scope = face("scope", "Scope: who is near, seen from above, forward is up", svg("circle", { r: 22, class: "range" }), svg("path", { d: "M-3 4 0 -5 3 4 0 2z", class: "craft-dot" }), this.blips);

  constructor() {
    const meters = el("div", { class: "meters" }, this.health.element, ...this.guns.map((one) => one.element));
    const figures = [this.kills, this.left, this.caught, this.hits, this.destroyed, this.crashes].map((one) => one.element);
    this.deck = el("div", { class: "instruments" }, this.scope, meters, el("div", { class: "machine score" }, ...figures));
    this.sight.append(svg("svg", { viewBox: "-20 -20 40 40" }, svg("circle", { r: 9 }), svg("path", { d: "M-18 0h8M18 0h-8M0 -18v8M0 18v-8" }), svg("circle", { r: 0.9, class: "dot" })));
  }

  show(view: GameView, stats: GameStats, most: { health: number; magazine: number[]; kills: number; range: number }): void {
    const { player } = view;
    if (most.health > 0) this.health.set(player.health / most.health, String(Math.max(0, Math.round(player.health))));
    else this.health.set(1, "–");
    this.guns.forEach((gun, i) => {
      const reloading = player.reloadLeft[i]! > 0;
      gun.set(player.ammunition[i]! / most.magazine[i]!, reloading ? `reloads ${player.reloadLeft[i]!.toFixed(1)} s` : String(player.ammunition[i]));
      gun.element.classList.toggle("held", player.gun === i);
    });
    this.kills.show(count(stats.kills));
    this.left.show(most.kills > 0 ? count(Math.max(0, most.kills - stats.kills)) : "–");
    this.caught.show(count(stats.caught));
    this.hits.show(count(stats.hits));
    this.destroyed.show(count(stats.destroyed));
    this.crashes.show(count(stats.crashes));
    this.showScope(view, most.range);
  }

  private showScope(view: GameView, range: number): void {
    const { player, enemies } = view;
    const [px, , pz] = player.position;
    const [fx, , fz] = player.forward;
    const level = Math.hypot(fx, fz) || 1;
    const [cos, sin] = [fz / level, fx / level];
    while (this.blips.childElementCount < enemies.count) this.blips.append(svg("circle", { r: 2, class: "blip" }));
    for (let i = 0; i < enemies.count; ++i) {
      const dx = enemies.positions[3 * i]! - px;
      const dz = enemies.positions[3 * i + 2]! - pz;
      const right = dz * sin - dx * cos;
      const ahead = dx * sin + dz * cos;
      const far = Math.hypot(right, ahead);
      const scale = (Math.min(1, far / range) * 42) / (far || 1);
      const blip = this.blips.children[i]!;
      blip.setAttribute("cx", (right * scale).toFixed(1));
      blip.setAttribute("cy", (-ahead * scale).toFixed(1));
    }
  }
}
