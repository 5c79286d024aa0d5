// web/test/page.mjs: the page in Debian's Chromium, without a screen. Everything waits for conditions, never for frames: pictures are drawn
// in software, and a frame may take a second.
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, "../..");
export const file = resolve(process.env.VOLNAV_COCKPIT ?? resolve(root, "out/cockpit.html"));
/** For what must come, however busy the machine is; milliseconds. */
export const PATIENCE = 120_000;

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"];

export async function launch() {
  const executablePath = places.find((place) => place && existsSync(place));
  if (!executablePath) throw new Error("no Chromium: tools/bootstrap web installs it, CHROMIUM=path names one");
  return chromium.launch({ executablePath, args: flags, timeout: PATIENCE });
}

/** Opens the page and waits until it is ready. `complaints` are errors and warnings of the console, and exceptions. */
export async function openPage(browser, hash = "", { path = file, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 960, height: 600 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.setDefaultTimeout(PATIENCE);
  page.setDefaultNavigationTimeout(PATIENCE);
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(pathToFileURL(path).href + hash);
  await ready(page);
  return { page, complaints, close: () => context.close() };
}

export const ready = (page) => page.waitForSelector("html[data-ready=true]", { state: "attached" });

/** Waits until `test` (of the page, with `argument`) is true. It is looked at by the clock, not by frames. */
export const until = (page, test, argument) => page.waitForFunction(test, argument, { polling: 200, timeout: PATIENCE });

/** Drops a file on the stage. */
export async function drop(page, name, bytes) {
  const data = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    [name, Buffer.from(bytes).toString("base64")],
  );
  await page.dispatchEvent(".stage", "drop", { dataTransfer: data });
}

/** Text of the newest message. */
export const message = (page) => page.locator(".message").last().innerText();
