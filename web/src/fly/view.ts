/** web/src/fly/view.ts: the tab "Fly": a flight, its controls, its picture and its instruments. */
import { Vector3 } from "three";
import type { SceneInfo, Vector } from "volnav";
import type { App } from "../app/app.js";
import type { Frame, OpenedFile, Places, View, ViewInstance } from "../app/view.js";
import { el } from "../app/dom.js";
import { cameraModes, type CameraMode } from "../stage/rig.js";
import { Clock } from "./clock.js";
import { Deck } from "./deck.js";
import { pick } from "../stage/pick.js";
import { showEnding } from "./ending.js";
import { RunFlight, type Flight, type Hands } from "./flight.js";
import { FlyPanel } from "./panel.js";
import { Scenery } from "./scenery.js";
import { defaultSettings, fromLink, ofRecord, runOptions, toLink, type FlySettings } from "./settings.js";
import { Snapshots } from "./snapshot.js";
import { OwnFlight } from "./own.js";
import { Transport } from "./transport.js";
import { cityFlight, cityScene, takenOver } from "./worlds.js";

class Fly implements ViewInstance {
  private settings = defaultSettings();
  private readonly scenes: SceneInfo[];
  private readonly scenery: Scenery;
  private readonly panel: FlyPanel;
  private readonly deck: Deck;
  private readonly transport: Transport;
  private readonly clock = new Clock();
  private readonly caption = el("div", { class: "caption" });
  private readonly ending = el("div", { class: "ending", hidden: true, role: "dialog" });
  private flight: Flight | null = null;
  private states: Snapshots | null = null;
  private over = false;
  private camera: CameraMode = "chase";
  private stepped = 0;
  private readonly velocity = new Vector3();

  constructor(
    private readonly app: App,
    places: Places,
  ) {
    this.scenes = [...app.volnav.scenes(), cityScene];
    this.scenery = new Scenery(app, places.group);
    this.deck = new Deck(app);
    this.panel = new FlyPanel(this.scenes, this.settings, {
      changed: (settings) => this.begin(settings),
      shown: (name, on) => (this.scenery.shown[name] = on),
      roof: (part) => this.cut(part),
      clickMode: () => undefined,
      dropAhead: () => this.dropAhead(),
      stereo: (mode) => app.stage.setStereo(mode),
      sound: (on) => app.sound.set(on),
      boxes: (kind) => this.flight && this.scenery.showBoxes(kind, this.flight),
    });
    this.transport = new Transport({
      pause: () => this.setPaused(!this.clock.paused),
      step: () => this.single(),
      restart: () => this.begin(this.settings),
      rate: (rate) => (this.clock.rate = rate),
      camera: (mode) => this.setCamera(mode),
    });
    places.panel.append(this.panel.element);
    places.deck.append(this.deck.element);
    places.overlay.append(this.caption, this.transport.element, this.ending);
    app.keys.tell("fly", keys);
  }

  show(): void {
    if (!this.flight) this.begin(this.settings);
    this.frameCamera();
  }

  restore(link: ReadonlyMap<string, string>): void {
    const camera = link.get("camera");
    if (cameraModes.some((mode) => mode === camera)) this.camera = camera as CameraMode;
    this.begin(fromLink(link));
  }

  link(): Record<string, string> {
    return { ...toLink(this.settings), camera: this.app.stage.rig.mode };
  }

  record(): Uint8Array | null {
    return this.flight?.save() ?? null;
  }

  frame({ seconds }: Frame): void {
    const { flight, states } = this;
    if (!flight || !states) return;
    if (!this.over) this.clock.run(seconds, flight.step, () => this.advance());
    this.scenery.draw(states, this.clock.part, flight.radar, seconds);
    this.transport.show(states.before.seconds + (states.now.seconds - states.before.seconds) * this.clock.part);
    this.showDeck(flight, states, seconds);
  }

  key(event: KeyboardEvent): boolean {
    const action = {
      " ": () => this.setPaused(!this.clock.paused),
      ".": () => this.single(),
      backspace: () => this.begin(this.settings),
      c: () => this.nextCamera(),
      n: () => this.begin({ ...this.settings, seed: this.settings.seed + 1 }),
      "+": () => this.transport.changeRate(1),
      "=": () => this.transport.changeRate(1),
      "-": () => this.transport.changeRate(-1),
      b: () => this.dropAhead(),
      g: () => this.panel.nextClickMode(),
      f: () => this.randomGoal(),
      z: () => this.app.stage.rig.zoom(event.shiftKey ? 1.15 : 1 / 1.15),
    }[event.key.toLowerCase()];
    action?.();
    return action !== undefined;
  }

  /** A recorded run is flown again. */
  open(file: OpenedFile): boolean {
    if (this.app.volnav.fileKind(file.bytes) !== "run-record") return false;
    const record = this.app.volnav.openRunRecord(file.bytes);
    const { options, result, steps } = record;
    record.dispose();
    const scene = this.scenes.find((one) => one.name === options.scene)!;
    const flight = new RunFlight(this.app.volnav, options, scene.step);
    flight.expected = result.hash;
    this.app.go("fly");
    this.settings = ofRecord(options);
    this.panel.show(this.settings);
    this.take(flight);
    this.caption.replaceChildren(
      el("b", {}, scene.name),
      el("span", {}, scene.description),
      el("em", {}, `${file.name}: recorded, ${result.end} after ${steps} steps. It is flown again.`),
    );
    this.frameCamera();
    return true;
  }

  /** A flight of the library becomes the page's own: its world from where it is, its goal by hand. */
  click(x: number, y: number): void {
    const mode = this.panel.clickMode;
    if (mode === "look" || !this.flight) return;
    const away = mode === "obstacle" ? this.blockSize / 2 : 3 * this.scenery.hero.radius;
    const hit = pick(this.app.stage.ray(x, y), this.scenery.solids.parts, this.scenery.bounds, away, this.scenery.clip.plane);
    if (!hit) return;
    const place: Vector = [hit.x, hit.y, hit.z];
    const hands = this.own(mode === "goal" ? place : null);
    if (!hands) return;
    if (mode === "obstacle") hands.drop(place, this.blockSize);
    else this.tell(mode === "goal" ? hands.setGoal(place) : hands.setStart(place));
    this.goOn();
  }

  // ---------- flights

  private begin(settings: FlySettings): void {
    const scene = this.scenes.find((one) => one.name === settings.scene) ?? this.scenes[0]!;
    let made: Flight;
    try {
      made = this.make(settings, scene);
    } catch (error) {
      this.app.say(error instanceof Error ? error.message : String(error), "error");
      this.panel.show(this.settings);
      return;
    }
    const another = this.settings.scene !== scene.name || this.settings.variant !== settings.variant || !this.flight;
    this.settings = { ...settings, scene: scene.name };
    this.panel.show(this.settings);
    this.take(made);
    this.caption.replaceChildren(el("b", {}, scene.name), el("span", {}, scene.description));
    if (another) this.frameCamera();
  }

  /** Hands on the flight; one of the library is taken over. */
  private own(goal: Vector | null): Hands | null {
    const flight = this.flight!;
    if (flight.hands) return flight.hands;
    try {
      const states = this.states!;
      const toGoal: Vector = goal ?? [states.now.goals[0]!, states.now.goals[1]!, states.now.goals[2]!];
      const [geometry, zones] = [flight.obstacles(), flight.zones()];
      const world = takenOver(flight.view(), geometry, zones, toGoal);
      const { seed, dynamic, weather } = this.settings;
      const made = new OwnFlight(this.app.volnav, world, { agents: 1, seed, dynamic, weather });
      this.take(made);
      this.caption.append(el("em", {}, "The flight is yours. Backspace gives it back."));
      return made.hands;
    } catch (error) {
      this.tell(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  private get blockSize(): number {
    const size = this.scenery.bounds.getSize(new Vector3());
    return Math.max(6 * this.scenery.hero.radius, Math.max(size.x, size.y, size.z) / 30);
  }

  private dropAhead(): void {
    if (!this.flight) return;
    const hands = this.own(null);
    if (!hands) return;
    const place = hands.ahead(Math.max(2 * this.blockSize, 2 * this.velocity.length()));
    if (place) hands.drop(place, this.blockSize);
    else this.tell("There is no path ahead: it comes in a moment.");
    this.goOn();
  }

  /** For those without a mouse. */
  private randomGoal(): void {
    const hands = this.flight && this.own(null);
    if (!hands) return;
    this.tell(hands.setGoal(hands.somewhere()));
    this.goOn();
  }

  /** A flight that had ended goes on when a hand changes it. */
  private goOn(): void {
    this.over = false;
    this.ending.hidden = true;
    this.states!.push(this.flight!.view());
  }

  private tell(problem: string | null): void {
    if (problem) this.app.say(problem, "error");
  }

  private make(settings: FlySettings, scene: SceneInfo): Flight {
    if (scene !== cityScene) return new RunFlight(this.app.volnav, runOptions({ ...settings, scene: scene.name }, scene), scene.step);
    const { seed, speed, dynamic, weather } = settings;
    const world = cityFlight(seed, settings.obstacles >= 0 ? settings.obstacles : 24, speed);
    return new OwnFlight(this.app.volnav, world, { agents: Math.max(1, settings.agents), seed, dynamic, weather });
  }

  private take(flight: Flight): void {
    this.flight?.dispose();
    this.flight = flight;
    this.over = false;
    this.ending.hidden = true;
    this.clock.reset();
    this.scenery.set(flight);
    this.states = new Snapshots(flight.view());
    this.scenery.draw(this.states, 1, flight.radar, 0);
    this.deck.reset(this.distance(this.states));
    this.app.stats.clear();
    this.setPaused(false);
  }

  private advance(): boolean {
    const flight = this.flight!;
    const before = performance.now();
    const more = this.app.stats.inside(() => flight.advance());
    this.app.stats.inside(() => this.states!.push(flight.view()));
    this.deck.addStep(performance.now() - before);
    this.stepped += flight.step;
    if (!more) this.end(flight);
    return more;
  }

  private end(flight: Flight): void {
    this.over = true;
    const same = flight instanceof RunFlight ? flight.same() : null;
    if (same !== null) this.app.say(same ? "The same as recorded, bit by bit." : "Not the same as recorded.", same ? "note" : "error");
    showEnding(this.ending, flight.figures(), {
      again: () => this.begin(this.settings),
      next: () => this.begin({ ...this.settings, seed: this.settings.seed + 1 }),
    });
  }

  private setPaused(paused: boolean): void {
    this.clock.paused = paused;
    this.transport.setPaused(paused);
  }

  private single(): void {
    this.setPaused(true);
    if (this.over || !this.flight) return;
    this.advance();
    this.clock.part = 1;
  }

  // ---------- picture

  private frameCamera(): void {
    const { stage } = this.app;
    stage.setUp("y");
    stage.frame(this.scenery.bounds);
    stage.rig.follow(this.scenery.hero);
    this.setCamera(this.camera);
  }

  private setCamera(mode: CameraMode): void {
    this.camera = mode;
    this.app.stage.rig.setMode(mode);
    this.transport.setCamera(mode);
  }

  private nextCamera(): void {
    const at = cameraModes.indexOf(this.camera);
    this.setCamera(cameraModes[(at + 1) % cameraModes.length]!);
  }

  private cut(part: number): void {
    const { min, max } = this.scenery.bounds;
    this.scenery.clip.set(new Vector3(0, 1, 0), part >= 1 ? null : min.y + (max.y - min.y) * part);
  }

  private showDeck(flight: Flight, states: Snapshots, seconds: number): void {
    const figures = flight.figures();
    if (states.now.agents > 0) {
      states.velocity(0, this.clock.part, this.velocity);
      const craft = { velocity: this.velocity, distance: this.distance(states) };
      this.deck.showCraft(craft, figures.fuel, seconds, this.stepped);
      this.app.sound.run(this.clock.paused || this.over ? 0 : Math.min(1, this.velocity.length() / 8));
      this.stepped = 0;
    }
    this.deck.showMachine(figures, this.scenery.standing + states.now.things, states.now.path, seconds);
  }

  private distance(states: Snapshots): number {
    if (states.now.agents === 0) return 0;
    return states.goal(1, new Vector3()).distanceTo(this.scenery.hero.position);
  }
}

const keys = [
  { keys: "Space", does: "Pause, resume" },
  { keys: ".", does: "Single step" },
  { keys: "Backspace", does: "Restart" },
  { keys: "N", does: "Next seed" },
  { keys: "Click", does: "Sets the goal, the start or an obstacle; G changes which" },
  { keys: "F", does: "A goal anywhere" },
  { keys: "B", does: "Drops an obstacle into the path" },
  { keys: "- +", does: "Slower, faster" },
  { keys: "C", does: "Next camera" },
  { keys: "Z, Shift Z", does: "Zoom in, out" },
  { keys: "Arrows", does: "Turn the camera (orbit, free)" },
  { keys: "W A S D, Q E", does: "Camera free: fly" },
];

export const flyView: View = {
  id: "fly",
  title: "Fly",
  hint: "An agent flies through a world in which other things move.",
  files: ["vnrec"],
  create: (app, places) => new Fly(app, places),
};
