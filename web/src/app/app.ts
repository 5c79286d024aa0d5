/** web/src/app/app.ts: what every view gets to work with. */
import type { Volnav } from "volnav";
import type { Stage } from "../stage/stage.js";
import type { Aside } from "./aside.js";
import type { Keys } from "./keys.js";
import type { Sound } from "./sound.js";
import type { Stats } from "./stats.js";
import type { Theme } from "./theme.js";

export interface App {
  readonly volnav: Volnav;
  /** for what takes longer than a frame */
  readonly aside: Aside;
  readonly stage: Stage;
  readonly stats: Stats;
  readonly keys: Keys;
  readonly theme: Theme;
  /** off at first */
  readonly sound: Sound;
  /** "prefers-reduced-motion" is set */
  readonly calm: boolean;
  /** a short message at the edge of the stage */
  say(text: string, kind?: "note" | "error"): void;
  /** shows another view */
  go(view: string): void;
}
