/** web/src/play/field.ts: the game in the world: asteroids, enemies, shots, sparks, and the player's camera. */
import { MeshBasicMaterial, MeshLambertMaterial, Quaternion, Vector3, type Group } from "three";
import type { GameThings, GameView } from "volnav";
import type { App } from "../app/app.js";
import { okabeIto } from "../app/theme.js";
import { ball, craft, rock } from "../stage/shapes.js";
import { Swarm } from "../stage/swarm.js";
import { Sparks } from "./sparks.js";

const PRESENT = 1;
const VERIFIED = 2;
const UP = new Vector3(0, 1, 0);
const AHEAD = new Vector3(0, 0, 1);

export class Field {
  /** false: behind the ship */
  inside = true;
  private readonly rocks = new Swarm(rock(), new MeshLambertMaterial({ flatShading: true }), 512);
  private readonly enemies = new Swarm(craft(), new MeshLambertMaterial({ flatShading: true, emissive: 0x3a1200 }), 64);
  private readonly ship = new Swarm(craft(), new MeshLambertMaterial({ flatShading: true, emissive: 0x10202c }), 1);
  private readonly shots = new Swarm(ball(), new MeshBasicMaterial({ color: okabeIto.yellow }), 256);
  private readonly sparks = new Sparks();
  private readonly place = new Vector3();
  private readonly size = new Vector3();
  private readonly turn = new Quaternion();
  private readonly nose = new Vector3();

  constructor(
    private readonly app: App,
    group: Group,
  ) {
    for (const one of [this.rocks, this.enemies, this.ship, this.shots, this.sparks]) group.add(one.object);
  }

  draw(view: GameView, seconds: number): void {
    this.drawAll(this.rocks, view.asteroids, (i) => this.rockOf(view.asteroids, i));
    this.drawAll(this.enemies, view.enemies, (i) => this.enemyOf(view.enemies, i));
    this.drawAll(this.shots, view.shots, (i) => this.shotOf(view.shots, i));
    this.drawShip(view);
    this.sparks.update(seconds);
    this.aimCamera(view, seconds);
  }

  burst(x: number, y: number, z: number, hex: number, count: number): void {
    this.sparks.burst(x, y, z, hex, this.app.calm ? Math.ceil(count / 4) : count);
  }

  private drawAll(swarm: Swarm, things: GameThings, add: (i: number) => void): void {
    swarm.begin();
    for (let i = 0; i < things.count; ++i) if ((things.states[i]! & PRESENT) !== 0) add(i);
    swarm.end();
  }

  private at(things: GameThings, i: number): Vector3 {
    return this.place.fromArray(things.positions, 3 * i);
  }

  private rockOf(things: GameThings, i: number): void {
    // each turns slowly about an axis of its own; nothing depends on it
    this.nose.set(Math.sin(i), Math.cos(i * 1.7), Math.sin(i * 2.3)).normalize();
    this.turn.setFromAxisAngle(this.nose, i);
    this.rocks.add(this.at(things, i), this.turn, this.size.setScalar(2 * things.radii[i]!), 0xb59a7a);
  }

  private enemyOf(things: GameThings, i: number): void {
    this.point(this.nose.fromArray(things.velocities, 3 * i));
    const colour = (things.states[i]! & VERIFIED) !== 0 ? okabeIto.vermillion : okabeIto.purple;
    this.enemies.add(this.at(things, i), this.turn, this.size.setScalar(2.6 * things.radii[i]!), colour);
  }

  private shotOf(things: GameThings, i: number): void {
    this.point(this.nose.fromArray(things.velocities, 3 * i));
    this.shots.add(this.at(things, i), this.turn, this.size.set(0.1, 0.1, 1.1), 0xffffff);
  }

  private drawShip({ player }: GameView): void {
    this.ship.begin();
    this.point(this.nose.fromArray(player.forward));
    if (!this.inside) this.ship.add(this.place.fromArray(player.position), this.turn, this.size.setScalar(2.4), okabeIto.sky);
    this.ship.end();
  }

  private point(direction: Vector3): void {
    if (direction.lengthSq() < 1e-9) this.turn.identity();
    else this.turn.setFromUnitVectors(AHEAD, direction.normalize());
  }

  private aimCamera({ player }: GameView, seconds: number): void {
    const { camera } = this.app.stage.rig;
    const look = this.nose.fromArray(player.look);
    this.place.fromArray(player.position);
    if (this.inside) {
      camera.position.copy(this.place);
    } else {
      this.size.copy(this.place).addScaledVector(look, -9).addScaledVector(UP, 3);
      if (seconds === 0 || camera.position.distanceTo(this.size) > 30) camera.position.copy(this.size);
      camera.position.lerp(this.size, 1 - Math.exp(-8 * seconds));
    }
    camera.up.copy(UP);
    camera.lookAt(this.place.addScaledVector(look, 30));
  }
}
