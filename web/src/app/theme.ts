/** web/src/app/theme.ts: light and dark, for styles and for the world. Colours of data are those of Okabe and Ito. */

export interface Palette {
  sky: number;
  fog: number;
  grid: number;
  rock: number;
  /** of rocks */
  edge: number;
  /** light from above and from below */
  above: number;
  below: number;
  ambient: number;
}

/** Can be told apart with every kind of colour vision. */
export const okabeIto = {
  orange: 0xe69f00,
  sky: 0x56b4e9,
  green: 0x009e73,
  yellow: 0xf0e442,
  blue: 0x0072b2,
  vermillion: 0xd55e00,
  purple: 0xcc79a7,
  grey: 0x999999,
} as const;

const dark: Palette = { sky: 0x0b1016, fog: 0x0b1016, grid: 0x24303c, rock: 0x6d7884, edge: 0xaab8c6, above: 0xdfe9f5, below: 0x1b2430, ambient: 0.9 };
const light: Palette = { sky: 0xe9eef3, fog: 0xe9eef3, grid: 0xc3ccd6, rock: 0xb4bec8, edge: 0x5d6b79, above: 0xffffff, below: 0x8896a4, ambient: 1.15 };

const KEPT = "volnav-theme";

export class Theme {
  private readonly listeners: ((palette: Palette) => void)[] = [];
  private chosen: "light" | "dark";

  constructor() {
    this.chosen = kept() ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
    this.apply();
  }

  get name(): "light" | "dark" {
    return this.chosen;
  }

  get palette(): Palette {
    return this.chosen === "light" ? light : dark;
  }

  /** Called now and at each change. */
  watch(listener: (palette: Palette) => void): void {
    this.listeners.push(listener);
    listener(this.palette);
  }

  choose(name: "light" | "dark"): void {
    this.chosen = name;
    try {
      localStorage.setItem(KEPT, name);
    } catch {
      // a page from disk may have no storage: then it is forgotten
    }
    this.apply();
  }

  toggle(): void {
    this.choose(this.chosen === "dark" ? "light" : "dark");
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.chosen;
    for (const listener of this.listeners) listener(this.palette);
  }
}

function kept(): "light" | "dark" | null {
  try {
    const name = localStorage.getItem(KEPT);
    return name === "light" || name === "dark" ? name : null;
  } catch {
    return null;
  }
}
