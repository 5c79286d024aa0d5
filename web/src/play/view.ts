/** web/src/play/view.ts: the tab "Play": Lost in Space (Krafft 2019), hunted by pilots of the library. */
import { Box3, Vector3 } from "three";
import type { Game, GameEvent, GameOptions } from "volnav";
import type { App } from "../app/app.js";
import { el } from "../app/dom.js";
import type { Frame, Places, View, ViewInstance } from "../app/view.js";
import { okabeIto } from "../app/theme.js";
import { button, choice, row, section, slider, toggle } from "../ui/controls.js";
import { Field } from "./field.js";
import { Hud } from "./hud.js";
import { gameKeys, PlayInput } from "./input.js";

const STEP = 1 / 60;
const MOST_STEPS = 3;
const RIM = 60;
const HEALTH = 100;

interface PlaySettings {
  seed: number;
  enemies: number;
  asteroids: number;
  kills: number;
  field: "sphere" | "circles";
  hunt: "pilots" | "straight";
  scripted: boolean;
}

function defaults(): PlaySettings {
  return { seed: 1, enemies: 12, asteroids: 400, kills: 10, field: "sphere", hunt: "pilots", scripted: false };
}

class Play implements ViewInstance {
  private settings = defaults();
  private readonly field: Field;
  private readonly hud = new Hud();
  private readonly input: PlayInput;
  private readonly card = el("div", { class: "ending", role: "dialog" });
  private readonly script;
  private readonly controls;
  private game: Game | null = null;
  /** waits: nobody has taken the stick yet, the scripted player flies */
  private state: "waiting" | "playing" | "paused" | "over" = "waiting";
  private due = 0;
  private hurt = 0;

  constructor(
    private readonly app: App,
    places: Places,
  ) {
    this.field = new Field(app, places.group);
    this.input = new PlayInput(app.keys, app.stage.canvas);
    this.script = toggle("Scripted player", false, (scripted) => this.begin({ scripted }, true));
    this.controls = this.makeControls();
    places.panel.append(...this.panels());
    places.deck.append(this.hud.deck);
    places.overlay.append(this.hud.sight, this.hud.flash, this.card);
    app.keys.tell("play", keys);
  }

  show(): void {
    const { stage } = this.app;
    stage.setUp("y");
    stage.setDepth(2.4 * RIM);
    stage.rig.frame(new Box3(new Vector3(-RIM, -RIM, -RIM), new Vector3(RIM, RIM, RIM)));
    stage.rig.hold(true);
    if (!this.game) this.begin({}, this.settings.scripted);
    else if (this.state === "playing") this.pause();
  }

  hide(): void {
    this.app.stage.rig.hold(false);
  }

  link(): Record<string, string> {
    const s = this.settings;
    return { seed: String(s.seed), enemies: String(s.enemies), asteroids: String(s.asteroids), kills: String(s.kills), field: s.field, hunt: s.hunt, scripted: String(s.scripted) };
  }

  restore(link: ReadonlyMap<string, string>): void {
    const number = (name: string, low: number, high: number, otherwise: number) => {
      const value = Math.round(Number(link.get(name) ?? NaN));
      return value >= low && value <= high ? value : otherwise;
    };
    const plain = defaults();
    this.begin(
      {
        seed: number("seed", 0, Number.MAX_SAFE_INTEGER, plain.seed),
        enemies: number("enemies", 1, 64, plain.enemies),
        asteroids: number("asteroids", 0, 1500, plain.asteroids),
        kills: number("kills", 0, 1000, plain.kills),
        field: link.get("field") === "circles" ? "circles" : "sphere",
        hunt: link.get("hunt") === "straight" ? "straight" : "pilots",
        scripted: link.get("scripted") === "true",
      },
      link.get("scripted") === "true",
    );
  }

  frame({ seconds }: Frame): void {
    const game = this.game;
    if (!game) return;
    const moves = this.state === "playing" || this.state === "waiting";
    if (moves) this.advance(game, seconds);
    // the view is of the library's memory, until the next call
    const stats = game.stats();
    const view = this.app.stats.inside(() => game.view());
    this.field.draw(view, moves ? seconds : 0);
    this.hud.show(view, stats, { health: this.state === "waiting" ? 0 : HEALTH, magazine: MAGAZINE, kills: this.settings.kills, range: RIM });
    this.hurt = Math.max(0, this.hurt - seconds * 2);
    this.hud.flash.style.opacity = String(this.app.calm ? Math.min(this.hurt, 0.3) : this.hurt);
    this.app.sound.run(this.state === "playing" ? 0.6 : 0);
  }

  key(event: KeyboardEvent): boolean {
    const key = event.key.toLowerCase();
    if (key === "p" || (key === "enter" && this.state === "paused")) this.state === "paused" ? this.resume() : this.pause();
    else if (key === "enter" && this.state !== "playing") this.begin({}, true);
    else if (key === "backspace") this.begin({}, true);
    else if (key === "c") this.field.inside = !this.field.inside;
    return gameKeys.has(key) || key === "p";
  }

  // ---------- the game

  private begin(part: Partial<PlaySettings>, playing: boolean): void {
    this.settings = { ...this.settings, ...part };
    const { seed, enemies, asteroids, kills, field, hunt } = this.settings;
    const options: GameOptions = { seed, enemies, asteroids, field, hunt, rim: RIM, playerHealth: playing ? HEALTH : 0, winKills: playing ? kills : 0, step: STEP };
    this.game?.dispose();
    this.game = this.app.volnav.createGame(options);
    this.state = playing ? "playing" : "waiting";
    this.due = 0;
    this.hurt = 0;
    this.showSettings();
    this.card.hidden = playing;
    if (!playing) this.invite();
  }

  private advance(game: Game, seconds: number): void {
    this.due = Math.min(this.due + seconds, MOST_STEPS * STEP);
    const scripted = this.settings.scripted || this.state === "waiting";
    while (this.due >= STEP) {
      this.due -= STEP;
      const input = scripted ? game.script() : this.input.read();
      const more = this.app.stats.inside(() => game.step(input));
      for (const event of game.view().events) this.hear(event);
      if (!more) {
        this.end(game);
        return;
      }
    }
  }

  private hear({ kind, position: [x, y, z] }: GameEvent): void {
    const { sound } = this.app;
    if (kind === "fired") sound.blip(520, 0.09);
    if (kind === "out-of-ammo") sound.blip(140, 0.05);
    if (kind === "destroyed") this.field.burst(x, y, z, 0xd8b48a, 16);
    if (kind === "killed" || kind === "hurt") this.field.burst(x, y, z, okabeIto.vermillion, kind === "killed" ? 40 : 8);
    if (kind === "killed") sound.blip(220, 0.35);
    if (kind !== "hit" && kind !== "caught") return;
    this.hurt = 1;
    sound.blip(90, 0.3);
  }

  private end(game: Game): void {
    this.state = "over";
    const { end, seconds } = game.view();
    const stats = game.stats();
    const won = end === "won";
    this.fill(won ? "Won" : "Lost", `${seconds.toFixed(1)} s, ${stats.kills} enemies shot, caught ${stats.caught} times, hit ${stats.hits} times.`, "Again", () => this.begin({}, true));
    this.card.className = `ending ${won ? "good" : "bad"}`;
  }

  private pause(): void {
    if (this.state !== "playing") return;
    this.state = "paused";
    this.fill("Paused", "Enter goes on.", "Go on", () => this.resume());
  }

  private resume(): void {
    this.state = "playing";
    this.card.hidden = true;
  }

  private invite(): void {
    this.fill("Lost in Space", `Enemies hunt you through ${this.settings.asteroids} asteroids. Shoot ${this.settings.kills} of them.`, "Play", () => this.begin({}, true));
  }

  private fill(title: string, text: string, action: string, run: () => void): void {
    const go = el("button", { type: "button", class: "primary", onclick: run }, `${action} (Enter)`);
    this.card.className = "ending";
    this.card.hidden = false;
    this.card.replaceChildren(el("b", {}, title), el("span", {}, text), go);
  }

  // ---------- controls

  private makeControls() {
    const again = (part: Partial<PlaySettings>) => this.begin(part, this.state !== "waiting");
    const { enemies, asteroids, kills, seed } = this.settings;
    return {
      enemies: slider("Enemies", { min: 1, max: 64, step: 1, value: enemies }, (value) => again({ enemies: value })),
      asteroids: slider("Asteroids", { min: 0, max: 1000, step: 50, value: asteroids }, (value) => again({ asteroids: value })),
      kills: slider("To win", { min: 1, max: 50, step: 1, value: kills }, (value) => again({ kills: value })),
      seed: slider("Seed", { min: 1, max: 100, step: 1, value: seed }, (value) => again({ seed: value })),
      field: choice<"sphere" | "circles">("Field", [{ value: "sphere", label: "sphere around you" }, { value: "circles", label: "circles, the older game" }], (field) => again({ field })),
      hunt: choice<"pilots" | "straight">("They fly", [{ value: "pilots", label: "by autopilot 6" }, { value: "straight", label: "straight at you" }], (hunt) => again({ hunt })),
    };
  }

  private showSettings(): void {
    const { enemies, asteroids, kills, seed, field, hunt } = this.controls;
    enemies.value = this.settings.enemies;
    asteroids.value = this.settings.asteroids;
    kills.value = this.settings.kills;
    seed.value = this.settings.seed;
    field.value = this.settings.field;
    hunt.value = this.settings.hunt;
    this.script.value = this.settings.scripted;
  }

  private panels(): HTMLElement[] {
    const all = Object.values(this.controls).map((one) => one.element);
    const sound = toggle("Sound", false, (on) => this.app.sound.set(on));
    const steering = el("dl", { class: "key-list" }, ...keys.flatMap((one) => [el("dt", {}, el("kbd", {}, one.keys)), el("dd", {}, one.does)]));
    return [
      section("Lost in Space", ...all, this.script.element, sound.element, row(button("New game", () => this.begin({}, true)))),
      section("Steering", steering, el("p", {}, "A gamepad works too: left stick steers, right stick looks, triggers shoot, X switches guns, B reloads. On a phone: a finger on the left of the picture steers, one on the right shoots.")),
    ];
  }
}

/** Of the default guns, for the meters. */
const MAGAZINE = [24, 6];

const keys = [
  { keys: "W A S D", does: "Steer (arrows too)" },
  { keys: "Space", does: "Shoot; Q left, E right" },
  { keys: "X", does: "Switch guns" },
  { keys: "B", does: "Reload" },
  { keys: "I J K L", does: "Look around; V ahead" },
  { keys: "C", does: "Inside, or behind the ship" },
  { keys: "P", does: "Pause" },
  { keys: "Enter", does: "Play" },
];

export const playView: View = {
  id: "play",
  title: "Play",
  hint: "Lost in Space: hunted through asteroids.",
  create: (app, places) => new Play(app, places),
};
