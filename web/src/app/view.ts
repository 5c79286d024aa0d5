/** web/src/app/view.ts: the door for views. A view is a tab of the page; src/views/index.ts lists them. */
import type { Group } from "three";
import type { App } from "./app.js";

/** Where a view may put things. All are shown only while the view is. */
export interface Places {
  /** controls, on the right (on a phone, below) */
  panel: HTMLElement;
  /** instruments or a time line, below the stage */
  deck: HTMLElement;
  /** above the stage; takes no clicks, unless a child has `pointer-events: auto` */
  overlay: HTMLElement;
  /** objects in the world */
  group: Group;
}

export interface Frame {
  /** of real time since the last frame, at most 0.1 */
  seconds: number;
  /** performance.now() */
  now: number;
}

/** A file that was dropped, chosen, or put into the page by `volnav view`. */
export interface OpenedFile {
  name: string;
  /** lower case, without the dot: "vnav" */
  type: string;
  bytes: Uint8Array;
}

/** What a view can do; all of it is optional. */
export interface ViewInstance {
  show?(): void;
  hide?(): void;
  /** before each picture, while shown */
  frame?(frame: Frame): void;
  /** draws the picture itself, instead of the stage */
  render?(): void;
  /** a key that nothing else has taken; true: it is used up. App.keys lists those that `?` shows. */
  key?(event: KeyboardEvent): boolean;
  /** a click into the stage, in normalised device coordinates (-1 to 1) */
  click?(x: number, y: number, event: PointerEvent): void;
  /** true: this view took the file */
  open?(file: OpenedFile): boolean | Promise<boolean>;
  /** settings for "copy link": short names and values */
  link?(): Record<string, string>;
  /** the way back; comes before the first show */
  restore?(settings: ReadonlyMap<string, string>): void;
  /** bytes of a .vnrec for "save record" */
  record?(): Uint8Array | null;
}

export interface View {
  /** in the link: "fly" */
  readonly id: string;
  /** on the tab */
  readonly title: string;
  /** one sentence, for the tab's tooltip and the list of keys */
  readonly hint: string;
  /** types of files that it opens; empty or left out: none */
  readonly files?: readonly string[];
  /** called once, when it is first shown */
  create(app: App, places: Places): ViewInstance;
}
