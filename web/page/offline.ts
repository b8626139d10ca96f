// Keeps the files of the page, so that it also opens without a network. Where there is one, its files are newer.

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Asked extends Waiting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

const KEPT = "hangtime";
const FILES = ["./", "index.html", "start.js", "shared.js", "page.js", "editor.js", "page.css", "icon.svg", "worker.js", "hangtime.wasm", "game.json"];

self.addEventListener("install", (event) => {
  // What the browser has just loaded is not loaded again.
  const requests = FILES.map((file) => new Request(file, { cache: "force-cache" }));
  (event as Waiting).waitUntil(caches.open(KEPT).then((kept) => kept.addAll(requests)));
});

self.addEventListener("fetch", (event) => (event as Asked).respondWith(answer((event as Asked).request)));

async function answer(request: Request): Promise<Response> {
  // A browser without room keeps nothing, and the page works as long as there is a network.
  const kept = await caches.open(KEPT).catch(() => null);
  const [url] = request.url.split(/[?#]/);
  let found: Response;
  try {
    found = await fetch(request);
  } catch (error) {
    const known = await kept?.match(url);
    if (known) return known;
    throw error;
  }
  if (found.ok) await kept?.put(url, found.clone()).catch(() => {});
  return found;
}
