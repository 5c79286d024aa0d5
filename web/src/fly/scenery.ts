/** web/src/fly/scenery.ts: a flight in the world: what stands, what moves, who flies, and where to. */
import { Box3, MeshLambertMaterial, Quaternion, Vector3, type Group } from "three";
import type { Geometry } from "volnav";
import type { App } from "../app/app.js";
import { okabeIto } from "../app/theme.js";
import { Clip } from "../stage/clip.js";
import { Floor } from "../stage/floor.js";
import { Trail, WideLine } from "../stage/lines.js";
import { Mark, RadarSphere } from "../stage/marks.js";
import { box, craft, rock } from "../stage/shapes.js";
import { Solids } from "../stage/solids.js";
import { Swarm } from "../stage/swarm.js";
import { Weather } from "../stage/weather.js";
import { WireBoxes } from "../stage/wire.js";
import type { BoxKind } from "../worlds/boxes.js";
import { LookupZone } from "../stage/lookup.js";
import type { Followed } from "../stage/rig.js";
import type { Flight } from "./flight.js";
import type { Snapshots } from "./snapshot.js";
import { visibleZones } from "./zones.js";

/** Parts that can be switched off. */
export interface Shown {
  path: boolean;
  trail: boolean;
  radar: boolean;
  lookup: boolean;
  zones: boolean;
  goal: boolean;
}

const PLAYER = okabeIto.orange;
const CRAFT = okabeIto.sky;
const THERE = okabeIto.green;
const UP = new Vector3(0, 1, 0);
const AHEAD = new Vector3(0, 0, 1);

export class Scenery {
  readonly clip = new Clip();
  readonly shown: Shown = { path: true, trail: true, radar: true, lookup: true, zones: true, goal: true };
  readonly solids: Solids;
  readonly hero: Followed = { position: new Vector3(), forward: new Vector3(1, 0, 0), radius: 0.5 };
  readonly bounds = new Box3();
  private readonly boxes = new Swarm(box(), new MeshLambertMaterial({ flatShading: true }));
  private readonly rocks = new Swarm(rock(), new MeshLambertMaterial({ flatShading: true }), 512);
  private readonly crafts = new Swarm(craft(), new MeshLambertMaterial({ flatShading: true, emissive: 0x10202c }));
  private readonly path = new WideLine({ color: okabeIto.yellow, width: 3, above: true, opacity: 0.9 });
  private readonly trail = new Trail({ color: okabeIto.sky, width: 2.5, opacity: 0.75, above: true });
  private readonly goal = new Mark(okabeIto.green);
  private readonly halo = new Mark(okabeIto.sky);
  private readonly radar: RadarSphere;
  private readonly weather = new Weather();
  private readonly wire = new WireBoxes(this.clip, 0.22);
  private readonly floor: Floor;
  private readonly lookup: LookupZone;
  private wanted: BoxKind | null = null;
  /** what the boxes are made around: another flight through the same keeps them */
  private boxed: Geometry | null = null;
  /** counts wishes for boxes: an answer to an earlier one comes too late */
  private wish = 0;
  private readonly place = new Vector3();
  private readonly size = new Vector3();
  private readonly turn = new Quaternion();
  private readonly heading = new Vector3();
  private drawnPath: Float64Array | null = null;

  constructor(
    private readonly app: App,
    group: Group,
  ) {
    this.solids = new Solids(app.theme, this.clip);
    this.radar = new RadarSphere(app.theme);
    this.lookup = new LookupZone(app.theme, this.clip);
    this.floor = new Floor(app.theme);
    group.add(this.solids.object, this.boxes.object, this.rocks.object, this.crafts.object, this.path.object);
    group.add(this.trail.line.object, this.goal.object, this.halo.object, this.radar.object, this.lookup.object, this.weather.object, this.wire.object, this.floor.object);
    app.theme.watch(() => {
      const light = app.theme.name === "light";
      this.path.setColor(light ? okabeIto.vermillion : okabeIto.yellow);
      this.trail.line.setColor(light ? okabeIto.blue : okabeIto.sky);
    });
  }

  /** Boxes and triangles that stand. */
  standing = 0;

  /** Another flight. */
  set(flight: Flight): void {
    const view = flight.view();
    this.bounds.set(new Vector3(...view.low), new Vector3(...view.high));
    this.floor.set(this.bounds);
    const geometry = flight.obstacles();
    this.standing = geometry.boxes.length / 6 + geometry.triangles.length / 9;
    this.solids.set(geometry);
    this.weather.set(visibleZones(flight.zones()), UP);
    this.trail.clear();
    this.drawnPath = null;
    const known = this.boxed !== null && sameSolids(this.boxed, geometry);
    this.boxed = geometry;
    if (known) return;
    this.wire.clear();
    this.showBoxes(this.wanted, flight);
  }

  /** The free space as boxes, made aside: they come a moment later. */
  showBoxes(kind: BoxKind | null, flight: Flight): void {
    const wish = ++this.wish;
    const asked = performance.now();
    this.wanted = kind;
    if (!kind) {
      this.wire.clear();
      return;
    }
    const { min, max } = this.bounds;
    const { boxes, triangles } = flight.obstacles();
    const { aside, stats } = this.app;
    const job = { kind, boxes, triangles, low: [min.x, min.y, min.z] as const, high: [max.x, max.y, max.z] as const };
    const before = performance.now() - asked;
    aside.boxes(job).then(
      (list) => {
        if (wish !== this.wish) return;
        const begin = performance.now();
        this.wire.set(list.boxes, list.levels);
        const end = performance.now();
        stats.wire = { boxes: this.wire.count, waited: end - asked, here: Math.max(before, end - begin), apart: aside.apart };
      },
      (error: Error) => this.app.say(error.message, "error"),
    );
  }

  draw(states: Snapshots, part: number, radar: number, seconds: number): void {
    this.drawThings(states, part);
    this.drawAgents(states, part);
    this.drawCourse(states, part);
    const { position } = this.hero;
    this.radar.set(position.x, position.y, position.z, this.shown.radar ? radar : 0);
    this.lookup.set(states.now.lookup, states.now.lookupEdge, this.shown.lookup);
    this.weather.object.visible = this.shown.zones;
    if (!this.app.calm) this.weather.update(seconds);
    this.goal.update(this.app.stage.rig.camera, seconds, this.app.calm);
    this.halo.update(this.app.stage.rig.camera, seconds, true);
  }

  private drawThings(states: Snapshots, part: number): void {
    const { now } = states;
    this.boxes.begin();
    this.rocks.begin();
    for (let i = 0; i < now.things; ++i) {
      states.thing(i, part, this.place, this.turn);
      this.size.set(now.sizes[3 * i]!, now.sizes[3 * i + 1]!, now.sizes[3 * i + 2]!);
      const swarm = now.kinds[i] === 1 ? this.rocks : this.boxes;
      swarm.add(this.place, this.turn, this.size, this.colourOf(now.thingColors[i]!, now.kinds[i] === 1));
    }
    this.boxes.end();
    this.rocks.end();
  }

  private drawAgents(states: Snapshots, part: number): void {
    const { now } = states;
    this.crafts.begin();
    for (let i = 0; i < now.agents; ++i) {
      states.agent(i, part, this.place);
      states.velocity(i, part, this.heading);
      this.aim(this.heading);
      // a dart is slender: it is drawn longer than its ball is wide
      this.size.setScalar(2.6 * now.radii[i]!);
      this.crafts.add(this.place, this.turn, this.size, now.arrived[i] ? THERE : i === 0 ? PLAYER : CRAFT);
      if (i === 0) this.lead(states.now.radii[0]!);
    }
    this.crafts.end();
  }

  /** The first agent leads the camera. */
  private lead(radius: number): void {
    this.hero.position.copy(this.place);
    this.hero.radius = radius;
    if (this.heading.lengthSq() > 1e-4) this.hero.forward.copy(this.heading).normalize();
    const far = this.app.stage.rig.camera.position.distanceTo(this.place);
    const close = far < radius * 60;
    if (close) this.halo.hide();
    else this.halo.set(this.place.x, this.place.y, this.place.z, far * 0.011);
  }

  private drawCourse(states: Snapshots, part: number): void {
    const { now } = states;
    const hero = this.hero.position;
    if (now.path !== this.drawnPath) {
      this.path.set(now.path);
      this.drawnPath = now.path;
    }
    this.path.object.visible &&= this.shown.path;
    if (this.shown.path && now.path.length >= 6) this.path.object.visible = true;
    if (now.agents > 0) this.trail.add(hero.x, hero.y, hero.z, this.hero.radius * 0.8);
    this.trail.line.object.visible &&= this.shown.trail;
    if (!this.shown.goal || now.agents === 0) {
      this.goal.hide();
      return;
    }
    states.goal(part, this.place);
    const far = this.app.stage.rig.camera.position.distanceTo(this.place);
    this.goal.set(this.place.x, this.place.y, this.place.z, Math.max(this.hero.radius * 1.5, far * 0.012));
  }

  /** The library's colours of what moves, in the palette that all can tell apart; what is grey is rock. */
  private colourOf(rgba: number, round: boolean): number {
    const rgb = rgba >>> 8;
    const [r, g, b] = [rgb >> 16, (rgb >> 8) & 255, rgb & 255];
    if (Math.abs(r - g) < 24 && Math.abs(g - b) < 24) return round ? 0xb59a7a : this.app.theme.palette.rock;
    if (g > r && g > b) return okabeIto.green;
    if (r > g && r > b) return okabeIto.vermillion;
    return g > 140 ? okabeIto.sky : okabeIto.blue;
  }

  /** Nose along a velocity; kept while it stands. */
  private aim(velocity: Vector3): void {
    if (velocity.lengthSq() < 1e-6) {
      this.turn.setFromUnitVectors(AHEAD, this.hero.forward);
      return;
    }
    const nose = this.size.copy(velocity).normalize();
    const yaw = Math.atan2(nose.x, nose.z);
    const pitch = Math.asin(Math.max(-1, Math.min(1, nose.y)));
    this.turn.setFromAxisAngle(UP, yaw);
    this.turn.multiply(pitched.setFromAxisAngle(SIDE, -pitch));
  }
}

function sameSolids(a: Geometry, b: Geometry): boolean {
  const same = (x: Float32Array, y: Float32Array) => x.length === y.length && x.every((one, i) => one === y[i]);
  return same(a.boxes, b.boxes) && same(a.triangles, b.triangles);
}

const SIDE = new Vector3(1, 0, 0);
const pitched = new Quaternion();
