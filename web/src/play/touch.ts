/** web/src/play/touch.ts: steering without keys: a finger on the left of the stage is a stick where it went down, one on the right shoots. */

/** Pixels from the middle of the stick to its rim. */
const REACH = 60;
/** Of the stage's width: left of it is the stick. */
const STICK = 0.6;

export class TouchStick {
  /** -1 to 1; to the right and up are positive */
  x = 0;
  y = 0;
  shoots = false;
  private stick: { id: number; x: number; y: number } | null = null;
  private trigger: number | null = null;

  constructor(canvas: HTMLElement) {
    canvas.addEventListener("pointerdown", (event) => this.down(event, canvas));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"] as const) canvas.addEventListener(name, (event) => this.up(event));
  }

  private down(event: PointerEvent, canvas: HTMLElement): void {
    if (event.pointerType !== "touch") return;
    const { left, width } = canvas.getBoundingClientRect();
    if (event.clientX - left < STICK * width) this.stick ??= { id: event.pointerId, x: event.clientX, y: event.clientY };
    else this.trigger = event.pointerId;
    this.shoots = this.trigger !== null;
  }

  private move({ pointerId, clientX, clientY }: PointerEvent): void {
    if (pointerId !== this.stick?.id) return;
    this.x = Math.max(-1, Math.min(1, (clientX - this.stick.x) / REACH));
    this.y = Math.max(-1, Math.min(1, (this.stick.y - clientY) / REACH));
  }

  private up({ pointerId }: PointerEvent): void {
    if (pointerId === this.trigger) this.trigger = null;
    this.shoots = this.trigger !== null;
    if (pointerId !== this.stick?.id) return;
    this.stick = null;
    this.x = 0;
    this.y = 0;
  }
}
