/** web/src/stage/stage.ts: the picture: renderer, lights, the camera rig and the groups of the views. */
import {
  AmbientLight,
  Color,
  DirectionalLight,
  Fog,
  Group,
  HemisphereLight,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Box3,
} from "three";
import type { Palette, Theme } from "../app/theme.js";
import { Rig } from "./rig.js";
import { Stereo, type StereoMode } from "./stereo.js";

export type Up = "y" | "z";

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly rig: Rig;
  readonly canvas: HTMLCanvasElement;
  private readonly sky = new HemisphereLight(0xffffff, 0x000000, 1);
  private readonly sun = new DirectionalLight(0xffffff, 1.6);
  private readonly fill = new DirectionalLight(0xffffff, 0.55);
  private readonly ambient = new AmbientLight(0xffffff, 0.15);
  private readonly raycaster = new Raycaster();
  private readonly stereo: Stereo;
  private far = 1000;

  constructor(parent: HTMLElement, theme: Theme) {
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.localClippingEnabled = true;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "The world. Keys: ? lists them.");
    parent.prepend(this.canvas);
    this.rig = new Rig(this.canvas);
    this.stereo = new Stereo(this.renderer);
    this.scene.add(this.sky, this.sun, this.fill, this.ambient);
    this.scene.fog = new Fog(0, 1, 2);
    this.setUp("y");
    theme.watch((palette) => this.paint(palette));
    new ResizeObserver(() => this.resize(parent)).observe(parent);
    this.resize(parent);
  }

  /** A group for the objects of a view, hidden at first. */
  addGroup(): Group {
    const group = new Group();
    group.visible = false;
    this.scene.add(group);
    return group;
  }

  /** Which axis points up. */
  setUp(up: Up): void {
    const axis = up === "y" ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
    this.rig.setUp(axis);
    this.sky.position.copy(axis);
    this.sun.position.copy(up === "y" ? new Vector3(0.45, 1, 0.3) : new Vector3(0.45, -0.3, 1));
    this.fill.position.copy(up === "y" ? new Vector3(-0.8, 0.15, -0.35) : new Vector3(-0.8, 0.35, 0.15));
  }

  /** Looks at a box as a whole, and sets the depth of the picture by it. `lifted`: above the middle, in halves of the picture's height. */
  frame(box: Box3, lifted?: number): void {
    const size = box.getSize(new Vector3()).length() || 1;
    this.setDepth(size);
    this.rig.frame(box, lifted);
  }

  /** `size`: metres across of what is to be seen. */
  setDepth(size: number): void {
    this.far = size * 4;
    this.rig.setDepth(Math.max(size / 2000, 0.02), this.far);
    const fog = this.scene.fog as Fog;
    fog.near = size * 0.9;
    fog.far = size * 3.2;
  }

  get stereoMode(): StereoMode {
    return this.stereo.mode;
  }

  setStereo(mode: StereoMode): void {
    this.stereo.mode = mode;
  }

  /** A ray from the camera through a place of the picture, in normalised device coordinates. */
  ray(x: number, y: number): Raycaster {
    this.raycaster.setFromCamera(new Vector2(x, y), this.rig.camera);
    return this.raycaster;
  }

  render(): void {
    this.stereo.render(this.scene, this.rig.camera, this.rig.focus);
  }

  /** A picture as a PNG. */
  async shoot(): Promise<Blob> {
    this.render();
    return new Promise((done, failed) =>
      this.canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
    );
  }

  private paint(palette: Palette): void {
    this.scene.background = new Color(palette.sky);
    (this.scene.fog as Fog).color.set(palette.fog);
    this.sky.color.set(palette.above);
    this.sky.groundColor.set(palette.below);
    this.sky.intensity = palette.ambient;
  }

  private resize(parent: HTMLElement): void {
    const width = Math.max(parent.clientWidth, 1);
    const height = Math.max(parent.clientHeight, 1);
    this.renderer.setSize(width, height);
    this.stereo.setSize(width, height);
    this.rig.setAspect(width / height);
  }
}
