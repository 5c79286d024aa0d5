/** web/src/fly/transport.ts: pause, single step, restart, speed, camera: the bar at the foot of the stage. */
import { el } from "../app/dom.js";
import { cameraModes, type CameraMode } from "../stage/rig.js";
import { icon, type IconName } from "../ui/icons.js";

export interface TransportEvents {
  pause(): void;
  step(): void;
  restart(): void;
  rate(value: number): void;
  camera(mode: CameraMode): void;
}

const rates = [0.25, 0.5, 1, 2, 4, 8, 16];

function tool(name: IconName, label: string, run: () => void): HTMLButtonElement {
  return el("button", { type: "button", class: "tool", title: label, "aria-label": label, onclick: run }, icon(name));
}

export class Transport {
  readonly element: HTMLElement;
  private readonly pauseButton: HTMLButtonElement;
  private readonly rateSelect: HTMLSelectElement;
  private readonly cameraSelect: HTMLSelectElement;
  private readonly clock = el("output", { class: "clock figure", title: "Simulated time" }, "0:00.0");
  private text = "";

  constructor(private readonly events: TransportEvents) {
    this.pauseButton = tool("pause", "Pause (Space)", events.pause);
    const step = tool("step", "Single step (.)", events.step);
    const restart = tool("restart", "Restart (Backspace)", events.restart);
    this.rateSelect = el("select", { "aria-label": "Speed of time", title: "Speed of time (- and +)", onchange: () => events.rate(Number(this.rateSelect.value)) });
    this.rateSelect.append(...rates.map((rate) => el("option", { value: rate }, `${rate} ×`)));
    this.cameraSelect = el("select", { "aria-label": "Camera", title: "Camera (C)", onchange: () => events.camera(this.cameraSelect.value as CameraMode) });
    this.cameraSelect.append(...cameraModes.map((mode) => el("option", { value: mode }, mode)));
    this.element = el("div", { class: "transport", role: "toolbar", "aria-label": "Time" }, restart, this.pauseButton, step, this.clock, this.rateSelect, this.cameraSelect);
    this.setRate(1);
  }

  setPaused(paused: boolean): void {
    this.pauseButton.replaceChildren(icon(paused ? "play" : "pause"));
    this.pauseButton.setAttribute("aria-label", paused ? "Resume" : "Pause");
    this.pauseButton.title = paused ? "Resume (Space)" : "Pause (Space)";
  }

  setRate(rate: number): void {
    this.rateSelect.value = String(rate);
  }

  /** The next faster or slower one. */
  changeRate(by: number): void {
    const now = rates.indexOf(Number(this.rateSelect.value));
    const next = rates[Math.min(rates.length - 1, Math.max(0, now + by))]!;
    this.setRate(next);
    this.events.rate(next);
  }

  setCamera(mode: CameraMode): void {
    this.cameraSelect.value = mode;
  }

  show(seconds: number): void {
    const text = `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, "0")}`;
    if (text === this.text) return;
    this.text = text;
    this.clock.textContent = text;
  }
}
