/**
 * web/src/play/input.ts: what the player does, by keyboard, fingers (touch.ts) or gamepad (Krafft 2019, 4.1.1: left stick yaw and pitch,
 * right stick look, X switches guns, triggers shoot, B reloads).
 */
import type { GameInput } from "volnav";
import type { Keys } from "../app/keys.js";
import { TouchStick } from "./touch.js";

const DEAD = 0.15;
/** Of the standard gamepad. */
const BUTTON = { b: 1, x: 2, leftTrigger: 6, rightTrigger: 7, rightStick: 11 };

function stick(value: number | undefined): number {
  const x = value ?? 0;
  return Math.abs(x) < DEAD ? 0 : (x - Math.sign(x) * DEAD) / (1 - DEAD);
}

export class PlayInput {
  private switchHeld = false;

  private readonly touch: TouchStick;

  constructor(
    private readonly keys: Keys,
    canvas: HTMLElement,
  ) {
    this.touch = new TouchStick(canvas);
  }

  /** Of now. Something is wanted: `any`. */
  read(): Required<GameInput> & { any: boolean } {
    const pad = navigator.getGamepads?.().find((one) => one?.connected) ?? null;
    const axis = (plus: string[], minus: string[]) => Number(this.some(plus)) - Number(this.some(minus));
    const pressed = (index: number) => pad?.buttons[index]?.pressed ?? false;
    const switching = this.some(["KeyX"]) || pressed(BUTTON.x);
    const input = {
      yaw: clamp(axis(["KeyD", "ArrowRight"], ["KeyA", "ArrowLeft"]) + stick(pad?.axes[0]) + this.touch.x),
      pitch: clamp(axis(["KeyW", "ArrowUp"], ["KeyS", "ArrowDown"]) - stick(pad?.axes[1]) + this.touch.y),
      lookYaw: clamp(axis(["KeyL"], ["KeyJ"]) + stick(pad?.axes[2])),
      lookPitch: clamp(axis(["KeyI"], ["KeyK"]) - stick(pad?.axes[3])),
      lookAhead: this.some(["KeyV"]) || pressed(BUTTON.rightStick),
      shootLeft: this.some(["Space", "KeyQ"]) || pressed(BUTTON.leftTrigger) || this.touch.shoots,
      shootRight: this.some(["Space", "KeyE"]) || pressed(BUTTON.rightTrigger) || this.touch.shoots,
      reload: this.some(["KeyB"]) || pressed(BUTTON.b),
      switchGun: switching && !this.switchHeld,
    };
    this.switchHeld = switching;
    const any = switching || Object.values(input).some((one) => one !== false && one !== 0);
    return { ...input, any };
  }

  private some(codes: readonly string[]): boolean {
    return codes.some((code) => this.keys.isDown(code));
  }
}

function clamp(value: number): number {
  return Math.max(-1, Math.min(1, value));
}

/** Taken by the game while it is shown. */
export const gameKeys = new Set([
  ..."wasdqeijklxbvc", "arrowleft", "arrowright", "arrowup", "arrowdown", " ", "enter", "backspace",
]);
