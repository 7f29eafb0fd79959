/* Keeps the last state of the pages a player reads, so that they open without a network, with the time they are of.
   What only shows how things stand (`READ`) opens at once on a slow network too, and follows when the answer is there.
   The desk is never kept. `BUILD` stands above this file as it is served. */
"use strict";

const PAGES = `pages ${BUILD}`;
const FILES = "files";
const PATIENCE = 4_000; // ms until a page is shown as it was kept
const AT_ONCE = 300;
const SETTLED = 30_000; // ms after a form was sent, in which its answer is waited for
const KEPT = /^\/(e\/[^/]+\/(me\/|wall\/|standings\/.*|rounds\/.*|fleets\/.*|roll-offs\/)?|s\/[^/]+\/(me\/|fleets\/.*)?|(s\/[^/]+\/)?judge\/([a-z0-9-]+\/)?)$/;
const READ = /^\/e\/[^/]+\/(me\/|standings\/(\d+\/)?|rounds\/\d+\/|roll-offs\/)?$/;
const DESK_OF_JUDGES = /^(\/s\/[^/]+)?\/judge\/$/; // whoever opens it has all its tools
const BY_ITSELF = /(\/judge\/(rule-of-3|dice|scenarios)|^\/judge\/talon-power)\/$/; // works its answer out on the device: what was kept is never old
const ANOTHER = /^\/(sign-(in|out)|card\/[^/]+)\/$/; // forms after which the device may be somebody else's
const SEARCHED = /\/judge\/(rulings|rule-of-3|dice|scenarios|talon-power)\/$/; // the same page, whatever its address asks

let sentAt = -Infinity;

addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const old = (await caches.keys()).filter((name) => name !== PAGES && name !== FILES);
      await Promise.all(old.map((name) => caches.delete(name)));
      await clients.claim();
      const open = await clients.matchAll({ type: "window" });
      const kept = open.map((one) => one.url).filter((address) => KEPT.test(new URL(address).pathname));
      await Promise.allSettled(kept.map((address) => keep(address).then(() => keepTools(address))));
    })(),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method !== "GET") {
    sentAt = Date.now();
    if (ANOTHER.test(pathname)) event.waitUntil(caches.delete(PAGES)); // what is kept names who it was
    return;
  }
  if (pathname.endsWith("/me/forget/")) event.waitUntil(caches.delete(PAGES)); // somebody is about to be forgotten
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && KEPT.test(pathname)) event.respondWith(page(event));
});

async function file(request) {
  const cache = await caches.open(FILES);
  const known = await cache.match(request);
  if (known && /\.[0-9a-f]{12}\./.test(request.url)) return known; // its name changes with its content
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    if (known) return known;
    throw error;
  }
}

async function page(event) {
  const cache = await caches.open(PAGES);
  const fresh = keep(event.request);
  event.waitUntil(fresh.then(() => keepTools(event.request.url)).catch(() => {}));
  const known = await cache.match(keyOf(event.request.url), { ignoreVary: true });
  if (!known) return fresh;
  const { pathname } = new URL(event.request.url);
  const isByItself = BY_ITSELF.test(pathname);
  const isAtOnce = (isByItself || READ.test(pathname)) && Date.now() - sentAt > SETTLED;
  const tooLong = new Promise((resolve) => setTimeout(resolve, isAtOnce ? AT_ONCE : PATIENCE));
  try {
    const now = await Promise.race([fresh.then((response) => response.clone()), tooLong]);
    if (now) return now;
  } catch {
    return isByItself ? known : asOf(known, "Not connected. This page is as of");
  }
  if (isByItself) return known;
  event.waitUntil(follow(event.resultingClientId, fresh));
  return asOf(known, "Waiting for the network. This page is as of");
}

/** The page that was shown as it was kept is told how it is now; null where the network has no answer. */
async function follow(client, fresh) {
  const response = await fresh.catch(() => null);
  const text = response?.ok && !response.redirected ? await response.text() : null;
  (await clients.get(client))?.postMessage(text);
}

/** The page as it is now, kept for later. */
async function keep(request) {
  const response = await fetch(request);
  const cache = await caches.open(PAGES);
  if (response.ok && !response.redirected) await cache.put(keyOf(request.url || request), await dated(response.clone()));
  return response;
}

/** The tools of the judge's desk that are not kept yet, each with its files. */
async function keepTools(desk) {
  if (!DESK_OF_JUDGES.test(new URL(desk).pathname)) return;
  const cache = await caches.open(PAGES);
  const read = async (address) => (await cache.match(keyOf(address), { ignoreVary: true }))?.text();
  const named = (text, pattern) => [...new Set([...(text || "").matchAll(pattern)].map(([, path]) => location.origin + path))];
  for (const tool of named(await read(desk), /href="([^"]*\/judge\/[a-z0-9-]+\/)"/g)) {
    if (await read(tool)) continue;
    await keep(tool);
    await Promise.all(named(await read(tool), /"(\/static\/[^"#]+)/g).map((address) => file(new Request(address))));
  }
}

/** The address under which a page is kept. */
function keyOf(address) {
  const { origin, pathname, search } = new URL(address);
  return origin + pathname + (SEARCHED.test(pathname) ? "" : search);
}

/** The answer with the time at which it came. */
async function dated(response) {
  const headers = new Headers(response.headers);
  headers.set("X-Kept-At", String(Date.now()));
  return new Response(await response.blob(), { status: response.status, headers });
}

/** A kept page that says so, in the line with which pages say that they are not connected. Its forms get new keys:
    this is another showing of them. What it said of something just done it does not say again. */
async function asOf(response, says) {
  const at = new Date(Number(response.headers.get("X-Kept-At")));
  const time = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const line = `<p class="network" role="status" data-kept-at="${Number(at)}">${says} ${time}.</p>`;
  const text = (await response.text())
    .replace(/<body[^>]*>/, (body) => body + line)
    .replace(/<div class="messages"[^]*?<\/div>\s*<\/div>/, "")
    .replace(/[^"]*(?=" data-once)/g, () => crypto.randomUUID());
  return new Response(text, { status: 200, headers: response.headers });
}
