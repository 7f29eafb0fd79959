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
const SEARCHED = /\/judge\/(rulings|talon-power)\/$/; // the same page, whatever its address asks for: it answers by itself

let sentAt = -Infinity;

addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const old = (await caches.keys()).filter((name) => name !== PAGES && name !== FILES);
      await Promise.all(old.map((name) => caches.delete(name)));
      await clients.claim();
      const open = await clients.matchAll({ type: "window" });
      await Promise.allSettled(open.filter((one) => KEPT.test(new URL(one.url).pathname)).map((one) => keep(one.url)));
    })(),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method !== "GET") {
    sentAt = Date.now();
    return;
  }
  // The device becomes somebody else's, or somebody is about to be forgotten
  if (pathname.startsWith("/card/") || pathname.endsWith("/me/forget/")) event.waitUntil(caches.delete(PAGES));
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
  event.waitUntil(fresh.catch(() => {}));
  const known = await cache.match(keyOf(event.request.url), { ignoreVary: true });
  if (!known) return fresh;
  const isAtOnce = READ.test(new URL(event.request.url).pathname) && Date.now() - sentAt > SETTLED;
  const tooLong = new Promise((resolve) => setTimeout(resolve, isAtOnce ? AT_ONCE : PATIENCE));
  try {
    const now = await Promise.race([fresh.then((response) => response.clone()), tooLong]);
    if (now) return now;
  } catch {
    return asOf(known, "Not connected. This page is as of");
  }
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
    this is another showing of them. */
async function asOf(response, says) {
  const at = new Date(Number(response.headers.get("X-Kept-At")));
  const time = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const line = `<p class="network" role="status" data-kept-at="${Number(at)}">${says} ${time}.</p>`;
  const text = (await response.text())
    .replace(/<body[^>]*>/, (body) => body + line)
    .replace(/[^"]*(?=" data-once)/g, () => crypto.randomUUID());
  return new Response(text, { status: 200, headers: response.headers });
}
