/** web/src/app/keys.ts: the keyboard. Whoever uses a key says what it does, and `?` lists them all. */

export interface KeyHelp {
  /** as on the keyboard: "Space", "1 to 5" */
  keys: string;
  does: string;
}

interface Binding extends KeyHelp {
  key: string;
  run: () => void;
}

export class Keys {
  private readonly bindings: Binding[] = [];
  private readonly told = new Map<string, KeyHelp[]>();
  private readonly held = new Set<string>();
  /** gets what no binding has taken */
  rest: (event: KeyboardEvent) => boolean = () => false;

  constructor() {
    window.addEventListener("keydown", (event) => this.down(event));
    window.addEventListener("keyup", (event) => this.held.delete(event.code));
    window.addEventListener("blur", () => this.held.clear());
  }

  /** A key that works in every view. `key` is KeyboardEvent.key in lower case. */
  bind(key: string, keys: string, does: string, run: () => void): void {
    this.bindings.push({ key, keys, does, run });
  }

  /** Keys that a view takes by itself, for the list. */
  tell(view: string, help: KeyHelp[]): void {
    this.told.set(view, help);
  }

  /** True while a key is down: KeyboardEvent.code, such as "KeyW". */
  isDown(code: string): boolean {
    return this.held.has(code);
  }

  list(view: string): { everywhere: KeyHelp[]; here: KeyHelp[] } {
    return { everywhere: this.bindings, here: this.told.get(view) ?? [] };
  }

  private down(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target)) return;
    this.held.add(event.code);
    if (this.rest(event)) {
      event.preventDefault();
      return;
    }
    const binding = this.bindings.find((one) => one.key === event.key.toLowerCase());
    if (!binding) return;
    event.preventDefault();
    binding.run();
  }
}

/** Fields and open dialogs have their own keys. */
function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog[open]")) return true;
  if (target instanceof HTMLInputElement) return target.type !== "checkbox" && target.type !== "button";
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
