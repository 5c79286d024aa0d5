/** web/src/stage/stereo.ts: pictures for two eyes: red and cyan, or side by side. */
import type { PerspectiveCamera, Scene, WebGLRenderer } from "three";
import { AnaglyphEffect } from "three/examples/jsm/effects/AnaglyphEffect.js";
import { StereoEffect } from "three/examples/jsm/effects/StereoEffect.js";

export const stereoModes = ["off", "anaglyph", "side by side"] as const;
export type StereoMode = (typeof stereoModes)[number];

/** Distance of the eyes, in distances to the focus: as in front of a screen that is two metres away. */
const EYES = 1 / 36;

/** Effects are made when they are first wanted. */
export class Stereo {
  mode: StereoMode = "off";
  private anaglyph: AnaglyphEffect | null = null;
  private pair: StereoEffect | null = null;
  private width = 1;
  private height = 1;

  constructor(private readonly renderer: WebGLRenderer) {}

  setSize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.anaglyph?.setSize(width, height);
    this.pair?.setSize(width, height);
  }

  /** `focus`: metres to what seems to lie in the plane of the screen. */
  render(scene: Scene, camera: PerspectiveCamera, focus: number): void {
    if (this.mode === "anaglyph") {
      this.anaglyph ??= this.sized(new AnaglyphEffect(this.renderer));
      Object.assign(this.anaglyph, { planeDistance: focus, eyeSep: focus * EYES });
      this.anaglyph.render(scene, camera);
    } else if (this.mode === "side by side") {
      this.pair ??= this.sized(new StereoEffect(this.renderer));
      this.pair.setEyeSeparation(focus * EYES);
      camera.focus = focus;
      this.pair.render(scene, camera);
    } else {
      this.renderer.render(scene, camera);
    }
  }

  private sized<T extends { setSize(width: number, height: number): void }>(effect: T): T {
    effect.setSize(this.width, this.height);
    return effect;
  }
}
