/** web/src/fly/deck.ts: the instruments of the craft, and beside them those of the machine. */
import type { Vector3 } from "three";
import type { App } from "../app/app.js";
import { el } from "../app/dom.js";
import { Attitude } from "../ui/instruments/attitude.js";
import { Dial } from "../ui/instruments/dial.js";
import { Heading } from "../ui/instruments/heading.js";
import { count, Readout, Sparkline } from "../ui/instruments/readout.js";
import type { Figures } from "./flight.js";

/** What the craft does now. */
export interface Craft {
  velocity: Vector3;
  /** metres to the goal, straight */
  distance: number;
}

function lengthOf(points: Float64Array): number {
  let sum = 0;
  for (let i = 3; i + 2 < points.length; i += 3) {
    sum += Math.hypot(points[i]! - points[i - 3]!, points[i + 1]! - points[i - 2]!, points[i + 2]! - points[i - 1]!);
  }
  return sum;
}

const DEGREES = 180 / Math.PI;
/** Seconds between two pictures of the machine's figures. */
const SLOW = 0.25;

export class Deck {
  readonly element: HTMLElement;
  private readonly attitude = new Attitude();
  private readonly heading = new Heading();
  private readonly airspeed = new Dial({ name: "airspeed", label: "AIRSPEED", unit: "m/s", from: -140, to: 140, digits: 1 });
  private readonly climb = new Dial({ name: "climb", label: "CLIMB", unit: "m/s", from: -240, to: 60, digits: 1, twoSided: true });
  private readonly fuel = new Dial({ name: "fuel", label: "FUEL", unit: "used", from: -140, to: 140, digits: 1 });
  private readonly distance = new Dial({ name: "distance", label: "DISTANCE", unit: "m", from: -140, to: 140, digits: 0 });
  private readonly step = new Readout("navigation", "µs a step", "Time inside the library for a step of the clock, mean of the last 60");
  private readonly spark = new Sparkline("Navigation time of the last frames");
  private readonly frame = new Readout("script", "ms", "Script time of a frame, drawing apart: the 99th of 100");
  private readonly calls = new Readout("calls", "", "Paths asked for, repairs included");
  private readonly expanded = new Readout("expanded", "nodes", "Nodes expanded in all searches");
  private readonly hits = new Readout("collisions", "", "With what moves, with what stands and of agents with each other: counted by a judge that shares no code with the pilot");
  private readonly clearance = new Readout("clearance", "m", "Least distance from what moves so far");
  private readonly world = new Readout("obstacles", "", "What stands, and what moves nearby");
  private readonly path = new Readout("path", "m", "Length of the path of the first agent, as it is drawn");
  private readonly memory = new Readout("memory", "MB", "All that the library holds");
  private readonly version = new Readout("volnav", "", "Version of the library");
  private readonly times: number[] = [];
  private before: Vector3 | null = null;
  private bank = 0;
  private waited = SLOW;

  constructor(private readonly app: App) {
    const dials = [this.attitude, this.heading, this.airspeed, this.climb, this.fuel, this.distance];
    const trace = el("div", { class: "trace" }, this.step.element, this.spark.element);
    const figures = [this.frame, this.calls, this.expanded, this.hits, this.clearance, this.world, this.path, this.memory, this.version];
    this.element = el(
      "div",
      { class: "instruments" },
      el("div", { class: "dials" }, ...dials.map((one) => one.element)),
      el("div", { class: "machine" }, trace, ...figures.map((one) => one.element)),
    );
    const v = app.volnav.version;
    this.version.show([Math.floor(v / 10000), Math.floor(v / 100) % 100, v % 100].join("."));
  }

  /** Another flight: scales and needles begin anew. */
  reset(distance: number): void {
    for (const one of [this.attitude, this.heading, this.airspeed, this.climb, this.fuel, this.distance]) one.reset();
    this.before = null;
    this.times.length = 0;
    this.airspeed.setMost(5);
    this.climb.setMost(2);
    this.fuel.setMost(Math.max(distance * 0.3, 1));
    this.distance.setMost(Math.max(distance, 1));
  }

  /** Milliseconds of a step of the clock. */
  addStep(milliseconds: number): void {
    this.times.push(milliseconds);
    if (this.times.length > 60) this.times.shift();
  }

  showCraft(craft: Craft, fuel: number, seconds: number, simulated: number): void {
    const { velocity: v } = craft;
    const speed = v.length();
    const level = Math.hypot(v.x, v.z);
    this.turn(v, simulated);
    this.attitude.show(speed > 0.05 ? Math.atan2(v.y, level) * DEGREES : 0, this.bank, seconds);
    if (level > 0.02) this.heading.show(Math.atan2(v.x, -v.z) * DEGREES, seconds);
    this.airspeed.show(speed, seconds);
    this.climb.show(v.y, seconds);
    this.fuel.show(fuel, seconds);
    this.distance.show(craft.distance, seconds);
  }

  /** Four times a second is enough to read. */
  showMachine(figures: Figures, obstacles: number, path: Float64Array, seconds: number): void {
    this.waited += seconds;
    if (this.waited < SLOW) return;
    this.waited = 0;
    const mean = this.times.reduce((sum, one) => sum + one, 0) / Math.max(this.times.length, 1);
    this.step.show(count(mean * 1000));
    this.spark.show(this.app.stats.navigation.recent(120));
    this.frame.show(this.app.stats.frame.quantile(0.99).toFixed(1));
    this.calls.show(count(figures.calls));
    this.expanded.show(Number.isFinite(figures.expanded) ? count(figures.expanded) : "–");
    this.hits.show(count(figures.collisions));
    this.hits.alarm(figures.collisions > 0);
    this.clearance.show(Math.abs(figures.clearance) < 1e6 ? figures.clearance.toFixed(2) : "–");
    this.world.show(count(obstacles));
    this.path.show(path.length > 3 ? lengthOf(path).toFixed(1) : "–");
    this.memory.show((this.app.volnav.memory / 1e6).toFixed(1));
  }

  /** A craft banks into its turns as one with wings would: by speed times turning rate over gravity. */
  private turn(v: Vector3, seconds: number): void {
    if (this.before && seconds > 0) {
      const cross = this.before.x * v.z - this.before.z * v.x;
      const dot = this.before.x * v.x + this.before.z * v.z;
      const rate = Math.atan2(cross, dot) / seconds;
      const bank = Math.atan((Math.hypot(v.x, v.z) * rate) / 9.81) * DEGREES;
      this.bank += (Math.max(-60, Math.min(60, bank)) - this.bank) * 0.2;
    }
    if (seconds > 0) this.before = v.clone();
  }
}
