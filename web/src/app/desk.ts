/** web/src/app/desk.ts: shows one view at a time, and passes on frames, keys, clicks, files and settings. */
import type { App } from "./app.js";
import { readLink, writeLink } from "./link.js";
import type { Shell } from "./shell.js";
import type { OpenedFile, View, ViewInstance } from "./view.js";

interface Opened {
  view: View;
  instance: ViewInstance;
  setVisible(visible: boolean): void;
}

export class Desk {
  private readonly opened = new Map<string, Opened>();
  private current: Opened | null = null;

  constructor(
    private readonly app: App,
    private readonly shell: Shell,
    private readonly views: readonly View[],
  ) {
    views.forEach((view, index) => {
      shell.addTab(view, index, () => this.go(view.id));
      app.keys.bind(String(index + 1), String(index + 1), view.title, () => this.go(view.id));
    });
    app.keys.rest = (event) => this.current?.instance.key?.(event) ?? false;
    window.addEventListener("hashchange", () => this.restore(location.hash));
  }

  /** What the address says; the first view otherwise. */
  restore(hash: string): void {
    const { view, settings } = readLink(hash);
    const found = this.views.find((one) => one.id === view) ?? this.views[0]!;
    if (settings.size > 0) this.open(found).instance.restore?.(settings);
    this.go(found.id);
  }

  get shown(): Opened | null {
    return this.current;
  }

  go(id: string): void {
    const view = this.views.find((one) => one.id === id);
    if (!view || this.current?.view === view) return;
    this.current?.instance.hide?.();
    this.current?.setVisible(false);
    const next = this.open(view);
    this.current = next;
    next.setVisible(true);
    this.shell.select(view);
    this.app.stats.clear();
    next.instance.show?.();
  }

  /** The address that brings back what is shown. */
  link(): string {
    const id = this.current?.view.id ?? "";
    return location.href.replace(/#.*$/, "") + writeLink(id, this.current?.instance.link?.() ?? {});
  }

  /** The shown view first, then each that knows the type. */
  async openFile(file: OpenedFile): Promise<void> {
    const able = this.views.filter((view) => view.files?.includes(file.type));
    const order = able.sort((a, b) => Number(b === this.current?.view) - Number(a === this.current?.view));
    for (const view of order) {
      if (!(await this.open(view).instance.open?.(file))) continue;
      this.go(view.id);
      return;
    }
    const types = [...new Set(this.views.flatMap((view) => view.files ?? []))].map((type) => `.${type}`);
    throw new Error(`${file.name}: the cockpit cannot read .${file.type} files. It reads ${types.join(", ")}.`);
  }

  private open(view: View): Opened {
    const before = this.opened.get(view.id);
    if (before) return before;
    const places = { ...this.shell.addPlaces(view), group: this.app.stage.addGroup() };
    const instance = view.create(this.app, places);
    const setVisible = (visible: boolean) => {
      for (const place of [places.panel, places.deck, places.overlay]) place.hidden = !visible;
      places.group.visible = visible;
    };
    const made = { view, instance, setVisible };
    this.opened.set(view.id, made);
    return made;
  }
}
