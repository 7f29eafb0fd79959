/* Keeps the last state of the pages a player reads, so that they open without a network, with the time they are of.
   What only shows how things stand (`READ`) opens at once on a slow network too, and follows when the answer is there.
   The desk is never kept. `BUILD` stands above this file as it is served, and `WORDS`: its sentences in each language.
   A classic script, not a module: it imports nothing, and browsers that know no modules in workers keep pages too. */
const PAGES = `pages ${BUILD}`;
const FILES = "files";
const PATIENCE = 4_000; // ms until a page is shown as it was kept
const AT_ONCE = 300;
const SETTLED = 30_000; // ms after a form was sent, in which its answer is waited for
const KEPT = new RegExp(
  [
    "^/(e/[^/]+/(me/|wall/|standings/.*|rounds/.*|fleets/.*|roll-offs/)?",
    "s/[^/]+/(me/|fleets/.*)?",
    "help/([a-z-]+/)?",
    "(s/[^/]+/)?judge/([a-z0-9-]+/)?)$",
  ].join("|"),
);
const READ = /^\/e\/[^/]+\/(me\/|standings\/(\d+\/)?|rounds\/\d+\/|roll-offs\/)?$/;
const HELP = /^\/help\/([a-z-]+\/)?$/;
const BY_ITSELF = /(\/judge\/(rule-of-3|dice|scenarios)|^\/judge\/talon-power|^\/help(\/[a-z-]+)?)\/$/; // needs nobody
const ANOTHER = /^\/(sign-(in|out)|card\/[^/]+|s\/[^/]+\/me\/lost)\/$/; // forms after which the device may be another's
const AWAY = [502, 503, 504]; // the site or its database is not there just now: what was kept is worth more
const OFFLINE = "/offline/"; // what is shown of a page that was never visited, kept once for each language
const GUIDE = "/help/"; // of the guide's pages the one from which the others are found
const SEARCHED = /\/judge\/(rulings|rule-of-3|dice|scenarios|talon-power)\/$|^\/help\//; // one page, whatever is asked
const HASHED = /\.[0-9a-f]{12}\./; // in the name of a file, which changes with its content; also of a store’s logo

// What templates say of themselves: where a kept page tells its time, and what it does not say twice.
const TOP = "<!--top-->";
const STORE = /data-locale="([\w-]+)"(?:\s+data-zone="([\w+/-]+)")?/;
const TITLE = /<title>([^<]*)<\/title>/;
const LIST = "<!--kept-->"; // where the page OFFLINE tells what is kept
const LANGUAGE = /<html lang="([\w-]+)"/;
const [SAID, END_OF_SAID] = ["<!--said-->", "<!--/said-->"];

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
let sentAt = Number.NEGATIVE_INFINITY;

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(keep(new Request(OFFLINE)).catch(() => {})); // nothing is there yet of what pages ask to be kept
});

worker.addEventListener("activate", (event) => event.waitUntil(begin()));

/** Pages that are open ask to be kept, once they are told that this worker is theirs (outbox.js). */
async function begin() {
  const old = (await caches.keys()).filter((name) => name !== PAGES && name !== FILES);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method !== "GET") {
    sentAt = Date.now();
    if (ANOTHER.test(pathname)) event.waitUntil(forget()); // what is kept names who it was
    return;
  }
  if (pathname.endsWith("/me/forget/"))
    event.waitUntil(forget()); // somebody is about to be forgotten
  else if (pathname.startsWith("/static/") || HASHED.test(pathname)) event.respondWith(file(request));
  else if (request.headers.has("X-Keep")) event.respondWith(asked(request));
  else if (request.mode === "navigate")
    event.respondWith((KEPT.test(pathname) ? page(event) : fetch(request)).catch(instead).catch(() => plain()));
});

/** @typedef {{ kind: string, event: string, title: string, body?: string }} Told */

// What a device is told while no page is open (push.js), in words that the site chose: nobody's name is among them.
worker.addEventListener("push", (event) => {
  /** @type {Told} */
  const told = event.data?.json() ?? { kind: "", event: "", title: "Flagship" };
  const options = { body: told.body, tag: `${told.kind} ${told.event}`, renotify: true, data: told };
  event.waitUntil(worker.registration.showNotification(told.title, options));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** The page where one sees what it was about, to the front if it is open. @param {Told} told */
async function open({ kind, event }) {
  const path = event ? `/e/${event}/${kind === "judge" ? "desk" : "me"}/` : "/";
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find(({ url }) => new URL(url).pathname === path);
  await (there ? there.focus() : worker.clients.openWindow(path));
}

/** Keeps no page any more but that which says so, and has nothing of a reader's. */
async function forget() {
  const cache = await caches.open(PAGES);
  const gone = (await cache.keys()).filter(({ url }) => new URL(url).pathname !== OFFLINE);
  await Promise.all(gone.map((request) => cache.delete(request, { ignoreVary: true })));
}

/** A file: kept for good under its hashed name, else asked for each time. @param {Request} request */
async function file(request) {
  const known = await found(FILES, request);
  if (known && HASHED.test(request.url)) return known;
  try {
    const response = await fetch(request);
    if (response.ok) await store(FILES, request, response.clone());
    return response;
  } catch (error) {
    if (known) return known;
    throw error;
  }
}

// A device that is full, or lost what it kept, keeps nothing: what the network has to say is worth as much.
/** @type {(cache: string, what: Request | string) => Promise<Response | undefined>} */
const found = (cache, what) =>
  caches
    .open(cache)
    .then((one) => one.match(what, { ignoreVary: cache === PAGES }))
    .catch(() => undefined);

/** @type {(cache: string, what: Request | string, response: Response) => Promise<void>} */
const store = (cache, what, response) =>
  caches
    .open(cache)
    .then((one) => one.put(what, response))
    .catch(() => {});

/** Pages that are kept as soon as their files are, by their address. @type {Map<string, Response>} */
const awaiting = new Map();

/**
 * What a page asks to be kept (outbox.js): as it is kept already, else as it is now. Asked for "with its files" it
 * waits until it is asked for again.
 * @param {Request} request
 */
async function asked(request) {
  const { pathname } = new URL(request.url);
  if ((!KEPT.test(pathname) && pathname !== OFFLINE) || isFound(request.url))
    return new Response(null, { status: 204 });
  const known = await kept(request.url);
  if (known) return known;
  const place = keyOf(request.url);
  const before = awaiting.get(place);
  awaiting.delete(place);
  if (request.headers.get("X-Keep") === "now")
    return before ? put(request.url, before) : keep(new Request(request.url));
  const response = await fetch(new Request(request.url));
  awaiting.set(place, response.clone());
  return response;
}

/** @param {FetchEvent} event */
async function page(event) {
  const { url } = event.request;
  const fresh = keep(event.request);
  event.waitUntil(fresh.catch(() => {}));
  const known = await kept(url);
  if (!known) return fresh;
  const { pathname } = new URL(url);
  const isByItself = BY_ITSELF.test(pathname);
  const isAtOnce = (isByItself || READ.test(pathname)) && Date.now() - sentAt > SETTLED;
  const tooLong = new Promise((resolve) => setTimeout(resolve, isAtOnce ? AT_ONCE : PATIENCE));
  /** @type {(says: (gettext: Gettext) => string, hidden?: string) => Response | Promise<Response>} */
  const shown = (says, hidden) => (isByItself ? known : asOf(known, says, hidden));
  try {
    const now = await Promise.race([fresh.then((response) => response.clone()), tooLong]);
    if (now instanceof Response && !AWAY.includes(now.status)) return now;
    if (now) {
      return shown((gettext) => gettext("The store’s computer isn’t answering. This page is from {time}."));
    }
  } catch {
    return shown((gettext) => gettext("Not connected. This page is from {time}."));
  }
  if (!isByItself) event.waitUntil(follow(event.resultingClientId, fresh));
  return shown((gettext) => gettext("Waiting for the network. This page is from {time}."), isAtOnce ? " hidden" : "");
}

/**
 * The page that was shown as it was kept is told how it is now; null where the network has no answer.
 * @type {(client: string, fresh: Promise<Response>) => Promise<void>}
 */
async function follow(client, fresh) {
  const response = await fresh.catch(() => null);
  const text = response?.ok && !response.redirected ? await response.text() : null;
  (await worker.clients.get(client))?.postMessage(text);
}

/** @typedef {{ address: URL, at: Date, html: string, response: Response }} Kept */

/**
 * In place of a page that is not kept, without a network: our own page, with all that is kept, in the language of what
 * was kept last; where even that is missing, a plain one.
 */
async function instead() {
  const pages = (await keptPages()).sort((one, other) => Number(other.at) - Number(one.at));
  /** @param {URL} address */
  const isListed = ({ pathname, search }) =>
    pathname !== OFFLINE && (!HELP.test(pathname) || pathname + search === GUIDE);
  const readable = pages.filter(({ address }) => isListed(address));
  const languageOf = (/** @type {Kept | undefined} */ one) => LANGUAGE.exec(one?.html ?? "")?.[1] ?? "";
  const own = pages.filter(({ address }) => address.pathname === OFFLINE);
  const page = own.find((one) => languageOf(one) === languageOf(readable[0])) ?? own[0];
  const list = readable.length ? listOf(readable, languageOf(page ?? readable[0])) : "";
  if (!page) return plain(list, languageOf(readable[0]));
  return new Response(
    page.html.replace(LIST, () => list),
    { status: 200, headers: page.response.headers },
  );
}

/** A page that needs nothing that is kept, for a device that lost it or doesn't give it: never the browser's error. */
function plain(list = "", language = navigator.language.slice(0, 2)) {
  const words = WORDS[language];
  /** @type {Gettext} */
  const gettext = (id) => words?.[id] ?? id;
  const title = gettext("Not connected");
  const html = `<!DOCTYPE html><html lang="${words ? language : "en"}"><meta charset="utf-8"><title>${title}</title>
    <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
    <main><h1>${title}</h1><p><a href="">${gettext("Try again now")}</a></p>${list}</main></html>`;
  return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

/** @returns {Promise<Kept[]>} */
async function keptPages() {
  const cache = await caches.open(PAGES);
  const found = (await cache.keys()).map(async (request) => {
    const response = await cache.match(request, { ignoreVary: true });
    if (!response) return [];
    const at = new Date(Number(response.headers.get("X-Kept-At")));
    return [{ address: new URL(request.url), at, html: await response.clone().text(), response }];
  });
  return (await Promise.all(found)).flat();
}

/**
 * Links to these pages, each with its time; of several with one title the newest.
 * @type {(pages: Kept[], language: string) => string}
 */
function listOf(pages, language) {
  const words = WORDS[language];
  /** @type {Gettext} */
  const gettext = (id) => words?.[id] ?? id;
  const today = new Date().toDateString();
  const rows = new Map();
  for (const { address, at, html } of pages) {
    const title = (TITLE.exec(html)?.[1] ?? address.pathname).replace(/\s+/g, " ").trim();
    if (rows.has(title)) continue;
    const day = at.toDateString() === today ? "" : `${at.toLocaleDateString(language, { dateStyle: "medium" })}, `;
    const link = `<a class="row-text" href="${escaped(address.pathname + address.search)}">${title}</a>`;
    rows.set(title, `<li class="row">${link} <small class="muted">${day}${timeOfDay(at, html)}</small></li>`);
  }
  const head = `<h2 id="kept">${gettext("Kept on this device")}</h2>`;
  const says = `<p>${gettext("You can read these pages now, each as it was at the time beside it.")}</p>`;
  const list = `<ul class="rows">${[...rows.values()].join("")}</ul>`;
  return `<section class="section" aria-labelledby="kept">${head}${says}${list}</section>`;
}

/** @param {string} text */
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

/** The page as it is now, kept for later. @param {Request} request */
const keep = async (request) => put(request.url, await fetch(request));

/** Keeps the page, if it is one; the same answer. @type {(address: string, response: Response) => Promise<Response>} */
async function put(address, response) {
  if (response.ok && !response.redirected && !isFound(address))
    await store(PAGES, keyOf(address), await dated(response.clone()));
  return response;
}

/** The page as it was kept, if it was. @param {string} address */
const kept = (address) => found(PAGES, keyOf(address));

/** Whether it is what the site found in the guide: the page of the guide finds it on the device (guide-search.js). */
const isFound = (/** @type {string} */ address) => HELP.test(new URL(address).pathname) && address.includes("?");

/** The address under which a page is kept. @param {string} address */
function keyOf(address) {
  const { origin, pathname, search } = new URL(address);
  return origin + pathname + (SEARCHED.test(pathname) ? "" : search);
}

/** The answer with the time at which it came. @param {Response} response */
async function dated(response) {
  const headers = new Headers(response.headers);
  headers.set("X-Kept-At", String(Date.now()));
  return new Response(await response.blob(), { status: response.status, headers });
}

/** The sentence in the language of a page. @typedef {(id: string) => string} Gettext */

/**
 * A kept page that says so, in the line with which pages say that they are not connected. What it said of something
 * just done it does not say again; its forms get new keys, as every form that is shown again (flagship.js). A line
 * that is `hidden` comes into sight when the network takes long (flagship.js).
 * @type {(response: Response, says: (gettext: Gettext) => string, hidden?: string) => Promise<Response>}
 */
async function asOf(response, says, hidden = "") {
  const at = new Date(Number(response.headers.get("X-Kept-At")));
  const html = await response.text();
  const words = WORDS[LANGUAGE.exec(html)?.[1] ?? ""];
  const time = timeOfDay(at, html);
  const sentence = says((id) => words?.[id] ?? id).replace("{time}", time);
  const line = `<p class="network" role="status" data-kept-at="${Number(at)}"${hidden}>${sentence}</p>`;
  const text = without(html, SAID, END_OF_SAID).replace(TOP, line);
  return new Response(text, { status: 200, headers: response.headers });
}

/** The time of day at the store of that page, as it writes it (dom.js). @type {(at: Date, html: string) => string} */
function timeOfDay(at, html) {
  const [, locale, zone] = STORE.exec(html) ?? [];
  /** @param {string} [timeZone] */
  const written = (timeZone) => at.toLocaleTimeString(locale, { timeStyle: "short", timeZone });
  try {
    return written(zone);
  } catch {
    return written();
  }
}

/** The text without what stands between two marks. @type {(text: string, from: string, to: string) => string} */
function without(text, from, to) {
  const [before, ...rest] = text.split(from);
  return before + rest.map((piece) => piece.slice(piece.indexOf(to) + to.length)).join("");
}
