/** web/src/fly/settings.ts: what a flight is made from, and the same as text for links. */
import type { RunOptions, SceneInfo } from "volnav";

export type Autopilot = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "thesis";

export interface FlySettings {
  scene: string;
  /** empty: the scene's first */
  variant: string;
  algo: string;
  space: string;
  autopilot: Autopilot;
  /** off: the pilot flies on, whatever moves */
  dynamic: boolean;
  weather: boolean;
  /** -1: as the scene has it */
  obstacles: number;
  /** factor */
  speed: number;
  /** 0: as the scene has it */
  agents: number;
  seed: number;
}

export const autopilots: { value: Autopilot; label: string }[] = [
  { value: "6", label: "6 · predicts motion" },
  { value: "5", label: "5 · radar" },
  { value: "4", label: "4 · neighbours too" },
  { value: "3", label: "3 · repairs a part" },
  { value: "2", label: "2 · looks along it" },
  { value: "1", label: "1 · new at each node" },
  { value: "0", label: "0 · none" },
  { value: "thesis", label: "rules of the thesis" },
];

export function defaultSettings(): FlySettings {
  return { scene: "asteroids", variant: "", algo: "", space: "", autopilot: "6", dynamic: true, weather: true, obstacles: -1, speed: 1, agents: 0, seed: 1 };
}

/** Of a variant with weather the one in which the pilot does not avoid it, if the scene has one. */
export function withoutAvoidance(scene: SceneInfo, variant: string): string | null {
  const other = `${variant}-off`;
  return variant !== "" && scene.variants.includes(other) ? other : null;
}

/** Variants to choose from: those without avoidance are a matter of the switch. */
export function choosable({ variants }: SceneInfo): string[] {
  return variants.filter((one) => !(one.endsWith("-off") && variants.includes(one.slice(0, -4))));
}

/** Autopilots that look along their path. */
export function looksUp({ autopilot, dynamic }: FlySettings): boolean {
  return dynamic && ["2", "3", "4", "5"].includes(autopilot);
}

/** "weather-off" is "weather" with the switch off. */
function switchedOff(variant: string): { variant: string; weather?: false } {
  return variant === "weather-off" ? { variant: "weather", weather: false } : { variant };
}

/** What the library is asked for. */
export function runOptions(settings: FlySettings, scene: SceneInfo): RunOptions {
  const { autopilot, dynamic } = settings;
  const avoids = dynamic && settings.weather;
  const options: RunOptions = {
    scene: settings.scene,
    variant: (avoids ? null : withoutAvoidance(scene, settings.variant)) ?? (settings.variant || null),
    algo: settings.algo || null,
    space: settings.space || null,
    seed: settings.seed,
    autopilot: !dynamic ? 0 : autopilot === "thesis" ? "thesis" : Number(autopilot),
    speed: settings.speed,
  };
  if (settings.obstacles >= 0) options.obstacles = settings.obstacles;
  if (settings.agents > 0 && scene.agents > 1) options.agents = settings.agents;
  return options;
}

/** The controls for a run as it was recorded; what they cannot show, the flight has all the same. */
export function ofRecord(options: RunOptions): FlySettings {
  const { scene, variant, algo, space, autopilot = 6, obstacles = -1, speed = 1, agents = 0, seed = 1 } = options;
  return {
    ...defaultSettings(),
    scene,
    ...switchedOff(variant ?? ""),
    algo: algo ?? "",
    space: space ?? "",
    autopilot: autopilot === 0 ? "6" : (String(autopilot) as Autopilot),
    dynamic: autopilot !== 0,
    obstacles,
    speed,
    agents,
    seed: Number(seed),
  };
}

const short: Record<keyof FlySettings, string> = {
  scene: "scene", variant: "variant", algo: "algo", space: "space", autopilot: "autopilot", dynamic: "dynamic",
  weather: "weather", obstacles: "obstacles", speed: "speed", agents: "agents", seed: "seed",
};

/** Only what differs from the default, the scene and the seed always. */
export function toLink(settings: FlySettings): Record<string, string> {
  const plain = defaultSettings();
  const link: Record<string, string> = {};
  for (const name of Object.keys(short) as (keyof FlySettings)[]) {
    const always = name === "scene" || name === "seed";
    if (always || settings[name] !== plain[name]) link[short[name]] = String(settings[name]);
  }
  return link;
}

/** Nothing in a link is trusted: what makes no sense stays as it is by default. */
export function fromLink(link: ReadonlyMap<string, string>): FlySettings {
  const made = defaultSettings();
  const text = (name: string, set: (value: string) => void) => {
    const value = link.get(name);
    if (value !== undefined && /^[\w-]{0,40}$/.test(value)) set(value);
  };
  const number = (name: string, low: number, high: number, set: (value: number) => void) => {
    const value = Number(link.get(name) ?? NaN);
    if (value >= low && value <= high) set(value);
  };
  text("scene", (value) => (made.scene = value));
  text("variant", (value) => Object.assign(made, switchedOff(value)));
  text("algo", (value) => (made.algo = value));
  text("space", (value) => (made.space = value));
  text("autopilot", (value) => {
    if (autopilots.some((one) => one.value === value)) made.autopilot = value as Autopilot;
  });
  text("dynamic", (value) => (made.dynamic = value !== "false"));
  text("weather", (value) => (made.weather = made.weather && value !== "false"));
  number("obstacles", -1, 60000, (value) => (made.obstacles = Math.round(value)));
  number("speed", 0, 100, (value) => (made.speed = value));
  number("agents", 0, 4096, (value) => (made.agents = Math.round(value)));
  number("seed", 0, Number.MAX_SAFE_INTEGER, (value) => (made.seed = Math.round(value)));
  return made;
}
