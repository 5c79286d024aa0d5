/** web/src/fly/zones.ts: zones of the library as weather: dear ones rain, mild ones are fog, cheap ones currents. */
import { Vector3 } from "three";
import type { Zone } from "volnav";
import type { VisibleZone } from "../stage/weather.js";

/** Hulls are left out: they have planes only. */
export function visibleZones(zones: readonly Zone[]): VisibleZone[] {
  return zones.flatMap((zone): VisibleZone[] => {
    const weather = zone.factor >= 2 ? "rain" : zone.factor < 1 ? "current" : "fog";
    if (zone.kind === "box") {
      const low = new Vector3(...zone.low);
      const high = new Vector3(...zone.high);
      return [{ kind: "box", centre: low.clone().add(high).multiplyScalar(0.5), size: high.sub(low), weather }];
    }
    if (zone.kind === "sphere") {
      return [{ kind: "sphere", centre: new Vector3(...zone.centre), size: new Vector3().setScalar(2 * zone.radius), weather }];
    }
    return [];
  });
}
