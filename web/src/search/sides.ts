/** web/src/search/sides.ts: pictures side by side, by the same camera. */
import type { Group } from "three";
import type { Stage } from "../stage/stage.js";

/** The camera sees so many pictures beside each other from now on. */
export function setSides({ canvas, rig }: Stage, sides: number): void {
  rig.setAspect(canvas.clientWidth / sides / Math.max(canvas.clientHeight, 1));
}

/** One picture for each group: the others are hidden in it. */
export function renderSides(stage: Stage, groups: readonly Group[]): void {
  const { renderer, scene, rig, canvas } = stage;
  const [width, height, sides] = [canvas.clientWidth, canvas.clientHeight, groups.length];
  setSides(stage, sides);
  renderer.setScissorTest(sides > 1);
  groups.forEach((_, i) => {
    groups.forEach((group, k) => (group.visible = k === i));
    const left = Math.round((width / sides) * i);
    const wide = Math.round(width / sides) - (i + 1 < sides ? 2 : 0);
    renderer.setViewport(left, 0, wide, height);
    renderer.setScissor(left, 0, wide, height);
    renderer.render(scene, rig.camera);
  });
  renderer.setScissorTest(false);
  renderer.setViewport(0, 0, width, height);
  for (const group of groups) group.visible = true;
}
