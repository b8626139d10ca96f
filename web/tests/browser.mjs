// What tests in a headless Chromium share.
import { createServer } from "node:http";
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";

export const web = dirname(dirname(fileURLToPath(import.meta.url)));

/** How many tests play at the same time, each in a tab: most of them wait. */
const AT_ONCE = Number(process.env.HANGTIME_AT_ONCE ?? 3);

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** A tab that has shown its first frame, and whose complaints are listed. */
export async function openTab(browser, address, complaints, options) {
  const { link = "", width = 1440, height = 900, touch = false, dark = false, plays = true, prepare = () => {} } = options;
  const page = await browser.newPage();
  // Tabs next to each other are all seen.
  const session = await page.createCDPSession();
  await session.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  await page.setViewport({ width, height, hasTouch: touch, isMobile: touch, deviceScaleFactor: touch ? 3 : 1 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  page.on("console", (message) => {
    // Software that draws with WebGL warns that a picture of it takes long.
    const isAboutDriver = message.text().includes("GL Driver Message");
    if (["error", "warn"].includes(message.type()) && !isAboutDriver) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(address)) complaints.push(`asks for ${request.url()}`);
  });
  await prepare(page);
  await page.goto(address + link);
  if (plays) await until(page, () => window.hangtime?.frames > 0 && document.querySelector(".cm-content, .embed"));
  return page;
}

export const state = (page) => page.evaluate(() => window.hangtime.state);
export const until = (page, what, ...args) => page.waitForFunction(what, { timeout: 30_000, polling: 20 }, ...args);
export const text = (page, selector) => page.$eval(selector, (it) => it.textContent);

/** Replaces the line of the editor that has a word. */
export async function edit(page, word, line) {
  const lines = await page.$$(".cm-line");
  for (const it of lines) {
    if (!(await it.evaluate((it, word) => it.textContent.includes(word), word))) continue;
    await it.click();
    await page.keyboard.press("Home");
    await page.keyboard.down("Shift");
    await page.keyboard.press("End");
    await page.keyboard.up("Shift");
    await page.keyboard.type(line);
    return;
  }
  throw new Error(`no line has ${word}`);
}

/** Waits for a number of ticks: a page that does not keep up plays slowly. */
export async function ticks(page, count) {
  const { tick } = await state(page);
  await until(page, (wanted) => window.hangtime.state.tick >= wanted, tick + count);
}

/** px/s² */
const GRAVITY = 3672;

/** How high a held jump goes, px: the top of the parabola through the highest tick that was shown and the next one. */
export async function jump(page) {
  await page.focus("#canvas");
  await page.evaluate(() => {
    window.shown = [];
    window.watching = true;
    const look = () => {
      window.shown.push([window.hangtime.state.tick, window.hangtime.state.y]);
      if (window.watching) requestAnimationFrame(look);
    };
    look();
  });
  await page.keyboard.down("Space");
  await ticks(page, 42);
  await page.keyboard.up("Space");
  await ticks(page, 36);
  const shown = await page.evaluate(() => {
    window.watching = false;
    return window.shown;
  });
  const [tick, y] = shown.reduce((best, it) => (it[1] > best[1] ? it : best));
  const next = shown.find((it) => it[0] > tick);
  const seconds = (next[0] - tick) / 60;
  const rises = (next[1] - y) / seconds + (GRAVITY * seconds) / 2;
  return y - shown[0][1] + rises ** 2 / (2 * GRAVITY);
}

/** The height of a held jump: `jump_speed` for `jump_hold_time`, then up against gravity. */
export const height = (speed) => speed * 0.278 + speed ** 2 / (2 * GRAVITY);

export function near(found, wanted, tolerance, what) {
  if (!(Math.abs(found - wanted) <= tolerance)) throw new Error(`${what}: ${found}, not ${wanted} ± ${tolerance}`);
}

export function holds(is, what) {
  if (!is) throw new Error(what);
}

/** A browser without a graphics card: software draws WebGL. */
export function launch(executable) {
  const args = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"];
  return puppeteer.launch({ executablePath: executable || "/usr/bin/chromium", args });
}

/** A folder with the playground of these sources. */
export function copiedGame() {
  const made = mkdtempSync(join(tmpdir(), "hangtime-"));
  for (const part of ["config", "scripts", "levels"]) cpSync(join(dirname(web), part), join(made, part), { recursive: true });
  return made;
}

const kinds = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves a folder, such as the page of `web/build`. Returns its address, and what ends that. */
export async function serve(folder = join(web, "dist")) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname);
    try {
      const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
      const bytes = readFileSync(file);
      response.writeHead(200, { "Content-Type": kinds[extname(file)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${server.address().port}/`, close };
}

/**
 * Plays tests, functions by their names: each gets what opens a tab at the address. Says how they end, and returns the
 * number of those that have failed.
 */
export async function play({ address, executable, pictures, only = "", tests, atOnce = AT_ONCE }) {
  mkdirSync(pictures, { recursive: true });
  const browser = await launch(executable);
  const began = performance.now();
  const waiting = Object.entries(tests).filter(([name]) => name.includes(only));
  let [passed, failed] = [0, 0];
  const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1);
  const next = async () => {
    for (let test = waiting.shift(); test; test = waiting.shift()) {
      const [name, run] = test;
      const [began, complaints, tabs] = [performance.now(), [], []];
      // Each tab is another visitor's, unless it is to be opened after one of them.
      const visitors = [];
      const open = async (options = {}) => {
        const visitor = options.after?.browserContext() ?? (await browser.createBrowserContext());
        visitors.push(visitor);
        const tab = await openTab(visitor, options.address ?? address, complaints, options);
        tabs.push(tab);
        return tab;
      };
      try {
        await run({ open, complaints });
        holds(complaints.length === 0, `the browser complains: ${complaints.join("; ")}`);
        passed += 1;
        console.log(`${name}: passed in ${seconds(began)} s`);
      } catch (error) {
        failed += 1;
        console.log(`${name}: FAILED: ${error.message}`);
        if (complaints.length > 0) console.log(`  the browser said: ${complaints.slice(0, 5).join("; ")}`);
        for (const tab of tabs) await tab.screenshot({ path: join(pictures, `failed-${failed}.png`) }).catch(() => {});
      }
      for (const visitor of new Set(visitors)) await visitor.close().catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  await browser.close();
  console.log(`${passed} passed, ${failed} failed, in ${seconds(began)} s`);
  return failed;
}
