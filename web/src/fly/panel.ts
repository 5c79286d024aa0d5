/** web/src/fly/panel.ts: the controls of a flight. */
import type { SceneInfo } from "volnav";
import { el } from "../app/dom.js";
import { stereoModes, type StereoMode } from "../stage/stereo.js";
import { button, choice, row, section, segments, slider, toggle } from "../ui/controls.js";
import type { Shown } from "./scenery.js";
import type { BoxKind } from "../worlds/boxes.js";
import { autopilots, choosable, looksUp, withoutAvoidance, type FlySettings } from "./settings.js";

/** What a click into the world does. */
export const clickModes = ["goal", "start", "obstacle", "look"] as const;
export type ClickMode = (typeof clickModes)[number];

export interface PanelEvents {
  /** the flight begins anew */
  changed(settings: FlySettings): void;
  shown(name: keyof Shown, on: boolean): void;
  roof(part: number): void;
  clickMode(mode: ClickMode): void;
  dropAhead(): void;
  stereo(mode: StereoMode): void;
  sound(on: boolean): void;
  boxes(kind: BoxKind | null): void;
}

/** Most obstacles and agents that sliders offer, by scene. */
const limits: Record<string, { obstacles?: number; agents?: number }> = {
  asteroids: { obstacles: 150 },
  "lost-in-space": { obstacles: 1000, agents: 64 },
  warehouse: { agents: 100 },
  reef: { agents: 500 },
  city: { obstacles: 100, agents: 500 },
};

/** The scene that is the page's own: its sky is never clear. */
const OWN = "city";

/** Obstacles that scenes have by themselves. */
const usual: Record<string, number> = { asteroids: 50, "lost-in-space": 400, city: 24 };

export class FlyPanel {
  readonly element = el("div", {});
  private readonly scene;
  private readonly variant;
  private readonly algo;
  private readonly space;
  private readonly autopilot;
  private readonly dynamic;
  private readonly weather;
  private readonly obstacles;
  private readonly speed;
  private readonly agents;
  private readonly seed = el("input", { type: "number", min: 0, step: 1, value: 1, "aria-label": "Seed" });
  private readonly about = el("p", {});
  private readonly lookup = toggle("Look-up", true, (on) => this.events.shown("lookup", on));
  private readonly click;
  private settings: FlySettings;

  constructor(
    private readonly scenes: readonly SceneInfo[],
    settings: FlySettings,
    private readonly events: PanelEvents,
  ) {
    this.settings = settings;
    const change = (part: Partial<FlySettings>) => this.change(part);
    this.scene = choice("Scene", scenes.map((one) => one.name), (scene) => change({ scene, variant: "", algo: "", space: "", obstacles: -1, agents: 0, speed: 1 }));
    this.variant = choice<string>("Variant", [], (variant) => change({ variant }));
    this.algo = choice<string>("Algorithm", [], (algo) => change({ algo }));
    this.space = choice<string>("Space", [], (space) => change({ space }));
    this.autopilot = choice("Autopilot", autopilots, (autopilot) => change({ autopilot }));
    this.dynamic = toggle("Dynamic avoidance", true, (dynamic) => change({ dynamic }));
    this.weather = toggle("Weather avoidance", true, (weather) => change({ weather }));
    this.obstacles = slider("Obstacles", { min: 0, max: 150, step: 5, value: 50 }, (obstacles) => change({ obstacles }));
    this.speed = slider("Their speed", { min: 0, max: 4, step: 0.25, value: 1 }, (speed) => change({ speed }), (x) => `${x} ×`);
    this.agents = slider("Agents", { min: 1, max: 500, step: 1, value: 1 }, (agents) => change({ agents }));
    this.seed.addEventListener("change", () => change({ seed: Math.max(0, Math.round(this.seed.valueAsNumber || 0)) }));
    this.click = segments<ClickMode>("A click sets", clickModes.map((mode) => ({ value: mode, label: mode === "look" ? "nothing" : mode })), events.clickMode);
    this.element.append(this.flightSection(), this.pilotSection(), this.breakSection(), this.showSection());
    this.show(settings);
  }

  get clickMode(): ClickMode {
    return this.click.value;
  }

  nextClickMode(): void {
    this.click.value = clickModes[(clickModes.indexOf(this.click.value) + 1) % clickModes.length]!;
  }

  /** Sets all controls; calls nothing. */
  show(settings: FlySettings): void {
    this.settings = settings;
    const scene = this.scenes.find((one) => one.name === settings.scene) ?? this.scenes[0]!;
    const limit = limits[scene.name] ?? {};
    this.scene.value = scene.name;
    this.variant.setOptions(choosable(scene));
    this.variant.element.hidden = scene.variants.length < 2;
    this.algo.setOptions(scene.algos);
    this.space.setOptions(scene.spaces);
    this.algo.setEnabled(scene.algos.length > 1);
    this.space.setEnabled(scene.spaces.length > 1);
    this.variant.value = settings.variant || (scene.variants[0] ?? "");
    this.algo.value = settings.algo || (scene.algos[0] ?? "");
    this.space.value = settings.space || (scene.spaces[0] ?? "");
    this.autopilot.value = settings.autopilot;
    this.autopilot.setEnabled(settings.dynamic);
    this.dynamic.value = settings.dynamic;
    this.showWeather(settings, scene);
    this.lookup.setEnabled(looksUp(settings));
    this.obstacles.element.hidden = limit.obstacles === undefined;
    this.obstacles.setRange(0, limit.obstacles ?? 150, limit.obstacles === 1000 ? 50 : 1);
    this.obstacles.value = settings.obstacles >= 0 ? settings.obstacles : usual[scene.name] ?? 50;
    this.agents.element.hidden = limit.agents === undefined;
    this.agents.setRange(1, limit.agents ?? 1, 1);
    this.agents.value = settings.agents || scene.agents;
    this.speed.value = settings.speed;
    this.seed.value = String(settings.seed);
    this.about.textContent = `${scene.description}. ${scene.source === "ours" ? "" : scene.source + "."}`;
  }

  /** As in Maruszczyk 2016, avoiding the weather relies on avoiding what moves; and where the sky is clear there is nothing to avoid. */
  private showWeather({ weather, dynamic, variant }: FlySettings, scene: SceneInfo): void {
    const clouds = scene.name === OWN || withoutAvoidance(scene, variant || (scene.variants[0] ?? "")) !== null;
    this.weather.value = weather && dynamic && clouds;
    this.weather.setEnabled(dynamic && clouds);
    const why = !clouds ? "There is no weather here: choose the variant weather, or the city" : dynamic ? "" : "Works with dynamic avoidance only";
    this.weather.element.title = why;
  }

  private change(part: Partial<FlySettings>): void {
    const next = { ...this.settings, ...part };
    this.show(next);
    this.events.changed(next);
  }

  private flightSection(): HTMLElement {
    const dice = button("Random", () => this.change({ seed: Math.floor(Math.random() * 1e6) }), { title: "Another seed (N)" });
    const seed = el("div", { class: "field" }, el("span", { class: "label" }, "Seed"), this.seed, dice);
    const parts = [this.scene, this.variant, this.obstacles, this.speed, this.agents];
    return section("Flight", ...parts.map((one) => one.element), seed, this.about);
  }

  private pilotSection(): HTMLElement {
    return section("Pilot", this.algo.element, this.space.element, this.autopilot.element, this.dynamic.element, this.weather.element);
  }

  private breakSection(): HTMLElement {
    const drop = button("Obstacle into the path", () => this.events.dropAhead(), { title: "Drops a block ahead of the craft (B)" });
    return section("Break it", this.click.element, row(drop));
  }

  private showSection(): HTMLElement {
    const parts: [keyof Shown, string][] = [["path", "Path"], ["trail", "Trail"], ["goal", "Goal"], ["radar", "Radar"], ["zones", "Weather"]];
    const switches = parts.map(([name, label]) => toggle(label, true, (on) => this.events.shown(name, on)).element);
    switches.splice(4, 0, this.lookup.element);
    const kinds = [{ value: "off" as const, label: "off" }, { value: "cells" as const, label: "cells" }, { value: "octree" as const, label: "octree, fine" }];
    const boxes = choice<BoxKind | "off">("Free space", kinds, (kind) => this.events.boxes(kind === "off" ? null : kind));
    const roof = slider("Cut roofs", { min: 0, max: 1, step: 0.02, value: 1 }, (part) => this.events.roof(part), (part) => (part >= 1 ? "off" : `${Math.round(part * 100)} %`));
    roof.element.querySelector("input")!.addEventListener("input", () => this.events.roof(roof.value));
    const stereo = choice<StereoMode>("Stereo", stereoModes, (mode) => this.events.stereo(mode));
    const sound = toggle("Engine sound", false, (on) => this.events.sound(on));
    return section("Show", el("div", { class: "pairs" }, ...switches), boxes.element, roof.element, stereo.element, sound.element);
  }
}
