/** web/src/ui/icons.ts: line drawings for the tools. */
import { svg } from "../app/dom.js";

const paths = {
  brand: "M3 19 12 4l9 15-9-5z",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.6-5.6l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.6 5.6l1.5-1.5",
  record: "M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6z",
  open: "M3 6h6l2 2h10v11H3zM12 16v-5M9.5 13 12 10.5 14.5 13",
  sound: "M4 10v4h4l5 4V6L8 10zM16.5 9a4 4 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11",
  mute: "M4 10v4h4l5 4V6L8 10zM17 10l4 4M21 10l-4 4",
  theme: "M12 4a8 8 0 1 0 0 16V4zM12 4a8 8 0 0 1 0 16",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5",
  chart: "M4 20V4M4 20h16M8 16l4-5 3 3 5-7",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  step: "M6 5l9 7-9 7zM18 5v14",
  restart: "M5 12a7 7 0 1 1 2.2 5.1M5 19v-5h5",
  panel: "M4 5h16v14H4zM14 5v14",
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGElement {
  const drawn = svg("path", { d: paths[name] });
  return svg("svg", { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" }, drawn);
}
