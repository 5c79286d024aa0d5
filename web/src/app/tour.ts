/** web/src/app/tour.ts: a first visit explains itself: a card with a few sentences, dismissed for good. */
import { el } from "./dom.js";

const KEPT = "volnav-tour";

const steps = [
  ["It flies by itself", "The library runs in this page and steers the craft around everything that moves. The bright line is its path, the green rings are its goal."],
  ["Look around", "Drag turns the view, the wheel zooms, C changes the camera, Space stops time."],
  ["Break it", "Choose at the right what a click sets: another goal, or an obstacle in the way. Watch the path mend."],
  ["Bring your own world", "Drop a .vnav, .scene, .obj, .glb, .3dmap or .bt file on the page. The ? key lists all keys."],
] as const;

function seen(): boolean {
  try {
    return localStorage.getItem(KEPT) !== null;
  } catch {
    return false;
  }
}

function remember(): void {
  try {
    localStorage.setItem(KEPT, "seen");
  } catch {
    // a page from disk may have no storage: then it comes again
  }
}

/** Shows the tour, unless it was dismissed before. A visitor with a link or a file wants to see what it shows. */
export function startTour(stage: HTMLElement): void {
  if (seen()) return;
  let at = 0;
  const title = el("b", {});
  const text = el("p", {});
  const place = el("span", { class: "muted figure" });
  const next = el("button", { type: "button", class: "primary" });
  const skip = el("button", { type: "button", "aria-label": "Dismiss the tour" }, "Skip");
  const card = el("div", { class: "tour", role: "note", "aria-label": "Tour" }, title, text, el("div", { class: "tour-foot" }, place, skip, next));

  const show = () => {
    const [name, sentence] = steps[at]!;
    title.textContent = name;
    text.textContent = sentence;
    place.textContent = `${at + 1} of ${steps.length}`;
    next.textContent = at + 1 < steps.length ? "Next" : "Fly";
    skip.hidden = at + 1 === steps.length;
  };
  const close = () => {
    remember();
    card.remove();
  };
  next.addEventListener("click", () => {
    ++at;
    if (at < steps.length) show();
    else close();
  });
  skip.addEventListener("click", close);
  show();
  stage.append(card);
}
