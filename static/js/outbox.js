/* What is sent without a network is kept on the device, sent when it is back, and counted once: <form data-outbox="…">
   names what it is. Also what makes pages readable offline, where the browser allows it (HTTPS, or this computer). */

import { all, find, make, timeOfDay } from "./dom.js";
import { format, gettext, listed, ngettext } from "./words.js";

const PLACE = "outbox";
const PATIENCE = 10_000;
const AGAIN = 5_000;
const LATER = [408, 429, 502, 503, 504]; // too slow or too quick, nobody could take it, no database, the disk full

/**
 * What is to be sent: `url` and the `body` of a form, what it is in words, the `row` of the page that shows how far it
 * is, and the entrant whose card it was made `by`.
 * @typedef {{ url: string, body: string, say: string, row?: string, by?: string, needs?: string }} Sending
 */

/**
 * What is kept: with the time in ms at which it was made, what the site `needs` first (X-Needs) or `why` it said no,
 * and the names of the fields that were `wrong`.
 * @typedef {Sending & { id: string, at: number, needs?: string, why?: string, wrong?: string[] }} Entry
 */

/** @returns {Entry[]} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(PLACE) || "[]");
  } catch {
    return [];
  }
}

/** What was answered while this page is left, and is kept for the page that follows. @type {Set<string>} */
const answered = new Set();

/** All that waits or was refused, the oldest first. */
export const read = () => kept().filter((one) => !answered.has(one.id));

/** Keeps these instead; whether the browser does. @param {Entry[]} entries */
function write(entries) {
  const whole = [...kept().filter((one) => answered.has(one.id)), ...entries];
  try {
    if (whole.length) localStorage.setItem(PLACE, JSON.stringify(whole));
    else localStorage.removeItem(PLACE);
  } catch {
    return false; // a browser that keeps nothing: the form stays as it is, to be sent again by hand
  }
  show(entries);
  document.dispatchEvent(new CustomEvent("outbox", { detail: entries }));
  return true;
}

/** @type {(id: string, facts: Partial<Entry>) => boolean} */
const change = (id, facts) => write(read().map((one) => (one.id === id ? { ...one, ...facts } : one)));

/** Says it once more, on a page that has other rows now. */
export const tell = () => write(read());

/** @param {string} id */
export const remove = (id) => write(read().filter((one) => one.id !== id));

/** The key of the form, by which it counts once. @param {Sending} one */
const keyOf = ({ body }) => new URLSearchParams(body).get("key");

/**
 * Whether both are one: the same row, a form sent twice as it is, or put right before it was sent.
 * @type {(one: Sending, other: Sending) => boolean}
 */
const isSame = (one, other) =>
  one.url === other.url &&
  one.row === other.row &&
  (Boolean(one.row) || one.body === other.body || Boolean(keyOf(one) && keyOf(one) === keyOf(other)));

/**
 * Keeps it until it is answered, in place of an older one that is the same; whether the browser does.
 * @param {Sending} facts
 */
export function add(facts) {
  /** @type {Entry} */
  const entry = { id: `${Date.now()}-${Math.random()}`, at: Date.now(), ...facts };
  const isKept = write([...read().filter((one) => !isSame(one, entry)), entry]);
  if (isKept) flush();
  return isKept;
}

// ── What waits, and what was refused ───────────────────────────────────────────────────────────────────────

/** The row of this page that shows by itself how far it is (results.js). @param {Entry} one */
export const rowOf = (one) => (one.row && one.url === location.pathname ? document.getElementById(one.row) : null);

const DESK = /^\/e\/[^/]+\/desk\//;
const TELLS = /^\/e\/[^/]+\/desk\/(rounds\/\d+\/results\/)?$/;

/** @param {Entry} one */
const isDesk = (one) => DESK.test(one.url);

/**
 * Whether this page tells of it, as the one that it was typed on does. What the desk typed is told by its Overview and
 * its results alone, and they tell everything: guests and players see nothing of it, and no other page of the desk.
 * @param {Entry} one
 */
function isTold(one) {
  const here = location.pathname;
  if (one.url === here) return true;
  if (isDesk(one)) return TELLS.test(here) && DESK.exec(here)?.[0] === DESK.exec(one.url)?.[0];
  return TELLS.test(here) || !DESK.test(here);
}

/** @type {(kept: Entry[], said?: string) => void} */
function show(kept, said = "") {
  const entries = kept.filter(isTold);
  const lines = entries
    .filter((one) => !one.needs && !rowOf(one))
    .map((one) => (one.why ? refused(one) : waiting(one)));
  for (const [needs, says] of Object.entries(LACKING)) {
    const waits = entries.filter((one) => one.needs === needs);
    if (waits.length) lines.unshift(lacking(waits, says()));
  }
  if (said) lines.unshift(make("p", { textContent: said }));
  document.querySelector(".outbox")?.remove();
  if (!lines.length) return;
  const box = make("section", { className: "outbox" }, ...lines);
  box.setAttribute("role", "status");
  box.setAttribute("aria-label", gettext("Kept on this device"));
  document.querySelector("main")?.prepend(box);
}

/** @param {Entry} one @returns {HTMLElement} */
const waiting = ({ say, at }) => {
  const textContent = format(gettext("Waiting for the network: {what} ({time})."), { what: say, time: timeOfDay(at) });
  return make("p", { className: "outbox-waiting", textContent });
};

/**
 * What the site asks for before it takes anything (X-Needs), and the way there, which leads back to this page.
 * @type {Record<string, () => { text: string, link?: string, href?: string }>}
 */
const LACKING = {
  "sign-in": () => ({
    text: gettext("You’re signed out. Sign in again to send what’s waiting."),
    link: gettext("Sign in again"),
    href: `/sign-in/?next=${encodeURIComponent(location.pathname + location.search)}`,
  }),
  card: () => ({
    text: [
      gettext("The card on this phone no longer works, or it’s another player’s."),
      gettext("Ask at the desk for your new card and open it on this phone to send what’s waiting."),
    ].join(" "),
  }),
  page: () => ({
    text: [
      gettext("The site doesn’t recognize this page."),
      gettext("Allow cookies for this address and reload the page to send what’s waiting."),
    ].join(" "),
    link: gettext("Reload page"),
    href: location.href,
  }),
};

/** @param {Entry[]} kept @param {{ text: string, link?: string, href?: string }} says @returns {HTMLElement} */
function lacking(kept, { text, link, href }) {
  const count = kept.length;
  const entries = listed(kept.map((one) => `${one.say} (${timeOfDay(one.at)})`));
  const said = ngettext(
    "{count} entry is kept on this device: {entries}.",
    "{count} entries are kept on this device: {entries}.",
    count,
  );
  const box = make("div", { className: "outbox-lacking" }, make("p", { textContent: text }));
  box.append(make("p", { className: "small", textContent: format(said, { count, entries }) }));
  if (link && href && location.pathname !== "/sign-in/") {
    box.append(make("p", {}, make("a", { className: "button", href, textContent: link })));
  }
  return box;
}

/** That it is not saved, and why; the site may begin with the same words. @param {Entry} one */
export function notSaved({ say, at, why = "" }) {
  const said = format(gettext("Not saved: {what} ({time})."), { what: say, time: timeOfDay(at) });
  const first = gettext("Not saved.");
  return `${said} ${why.startsWith(first) ? why.slice(first.length).trim() : why}`;
}

/** @param {Entry} one @returns {HTMLElement} */
function refused(one) {
  const drop = make("button", { className: "button button-quiet", type: "button", textContent: gettext("Discard") });
  drop.addEventListener("click", () => remove(one.id));
  const text = make("p", { textContent: notSaved(one) });
  return make("div", { className: "outbox-refused" }, text, make("p", { className: "cluster" }, seeing(one), drop));
}

/** The way to both versions: to its row, which has them, or to the answer to its form. @param {Entry} one */
function seeing(one) {
  const said = { className: "button", textContent: gettext("Show saved result") };
  if (one.row) return make("a", { ...said, href: `${one.url}#${one.row}` });
  const see = make("button", { ...said, type: "button" });
  see.addEventListener("click", () => openAgain(one));
  return see;
}

/** Sends it as the form it was: the page that answers shows what is stored and what was sent. @param {Entry} one */
function openAgain(one) {
  remove(one.id);
  const form = make("form", { method: "post", action: one.url, hidden: true });
  for (const [name, value] of new URLSearchParams(withToken(one.body))) {
    form.append(make("input", { type: "hidden", name, value }));
  }
  document.body.append(form);
  form.submit();
}

// ── Sending ────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Document} page */
const tokenIn = (page) => find("input[name=csrfmiddlewaretoken]", HTMLInputElement, page)?.value;
/** @type {string | undefined} */
let token; // newer than that of this page, once somebody signed in elsewhere

/** @param {string} body */
function withToken(body) {
  const sent = new URLSearchParams(body);
  const newest = token || tokenIn(document);
  if (newest) sent.set("csrfmiddlewaretoken", newest);
  return String(sent);
}

/** @param {string} text */
const parsed = (text) => new DOMParser().parseFromString(text, "text/html");

/**
 * The answer; a redirect comes as 204 with the place in X-Location. Throws without a network.
 * @param {Sending} entry
 */
async function post(entry) {
  const response = await postOnce(entry);
  if (response.headers.get("X-Needs") !== "page") return response;
  const answer = await fetch("/sign-in/"); // whoever is signed in is led on to a page that has a form, too
  token = tokenIn(parsed(await answer.text()));
  return postOnce(entry);
}

/** @param {Sending} entry */
function postOnce({ url, body, row, by }) {
  const headers = new Headers({ "Content-Type": "application/x-www-form-urlencoded", "X-Outbox": "1" });
  if (row) {
    headers.set("HX-Request", "true");
    headers.set("HX-Target", row);
  }
  if (by) headers.set("X-By", by);
  return fetch(url, { method: "POST", body: withToken(body), headers, signal: AbortSignal.timeout(PATIENCE) });
}

/**
 * The fields of a form as its body, with the button that sends it.
 * @type {(form: HTMLFormElement, button: HTMLElement | null) => string}
 */
const bodyOf = (form, button) =>
  String(new URLSearchParams([...new FormData(form, button)].map(([name, value]) => [name, String(value)])));

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented || form.hasAttribute("hx-post")) return;
  const say = form.dataset.outbox;
  const button = event.submitter;
  if (!say || button?.getAttribute("name") === "preview") return;
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  const empty = button?.hasAttribute("formnovalidate") ? null : firstEmpty(form);
  if (empty) return empty.focus();
  const url = new URL(button?.getAttribute("formaction") || form.getAttribute("action") || "", location.href).pathname;
  const entry = { url, body: bodyOf(form, button), say, by: form.dataset.by };
  form.setAttribute("aria-busy", "true");
  try {
    const response = await post(entry);
    const needs = response.headers.get("X-Needs");
    if (needs) keep({ ...entry, needs }, LACKING[needs]().text);
    else if (LATER.includes(response.status)) keep(entry, await sentenceOf(response));
    else await answer(response);
  } catch {
    keep(entry, gettext("Not connected. Nothing was sent."));
  } finally {
    form.removeAttribute("aria-busy");
  }
});

/**
 * The first field in sight that has to be filled in (`data-needs`: what to do) and isn't. Each of them says so, as the
 * site would: it may not be there to ask.
 * @param {HTMLFormElement} form
 */
export function firstEmpty(form) {
  for (const said of form.querySelectorAll("[data-needed]")) said.remove();
  /** @param {HTMLInputElement} field */
  const isEmpty = ({ name }) => !(/** @type {RadioNodeList} */ (form.elements.namedItem(name)).value.trim());
  const empty = all("[data-needs]", HTMLInputElement, form).filter(
    (one) => one.getClientRects().length && isEmpty(one),
  );
  /** @type {Set<string>} */
  const told = new Set();
  for (const field of empty) {
    const { needs = "" } = field.dataset;
    if (told.has(field.name)) continue;
    told.add(field.name);
    const line = make("p", { className: "field-error", id: `${field.name}-needed`, textContent: needs });
    line.dataset.needed = "";
    field.closest(".field")?.append(line);
    field.setAttribute("aria-describedby", line.id);
  }
  return empty[0];
}

/**
 * What the site says of itself when it can't take anything; a proxy in front of it says it less well.
 * @param {Response} response
 */
async function sentenceOf(response) {
  const isPlain = response.headers.get("Content-Type")?.startsWith("text/plain");
  return (isPlain && (await response.text()).trim()) || gettext("The store’s computer isn’t answering right now.");
}

/** @type {(entry: Sending, why: string) => void} */
function keep(entry, why) {
  if (!add(entry)) show([], `${why} ${gettext("Your entries are still here.")}`);
  document.querySelector(".outbox")?.scrollIntoView({ block: "nearest" });
}

/** Goes where the answer leads; an answer that is a page takes the place of this one. @param {Response} response */
async function answer(response) {
  const place = response.headers.get("X-Location");
  if (place) return place === location.pathname + location.search ? location.reload() : location.assign(place);
  const page = parsed(await response.text());
  for (const sheet of all("link[rel=stylesheet]", HTMLLinkElement, page)) {
    if (!document.head.querySelector(`[href="${CSS.escape(sheet.getAttribute("href") ?? "")}"]`))
      document.head.append(sheet);
  }
  document.title = page.title;
  htmx.swap(document.body, page.body.innerHTML, { swapStyle: "innerHTML" });
  scrollTo(0, 0);
  await Promise.all(all("script[type=module]", HTMLScriptElement, page).map((script) => import(script.src)));
  document.dispatchEvent(new CustomEvent("page"));
}

/** What was answered for rows of this page, and is not shown in them yet. @type {[Entry, string][]} */
const answers = [];
/** @type {((one: Entry, text: string) => void) | undefined} */
let showInRow;

function showAnswers() {
  if (showInRow) for (const [one, text] of answers.splice(0)) showInRow(one, text);
}

/**
 * That shows answers in their rows from now on; those that came before its script was there, too.
 * @param {(one: Entry, text: string) => void} show
 */
export function showAnswersBy(show) {
  showInRow = show;
  showAnswers();
}

let isSending = false;

// An answer that comes while this page is left may be newer than the page that follows: that one sends it again.
const LEAVING = 30_000; // ms after which it was not left after all, as by a file that is downloaded
/** @type {ReturnType<typeof setTimeout> | undefined} */
let leaving;

addEventListener("beforeunload", () => {
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    const entries = read();
    leaving = undefined;
    answered.clear();
    write(entries);
    flush();
  }, LEAVING);
});

/** Send what waits, in order; what lacks a sign-in holds up nothing that only needs a card. */
async function flush({ isFirst = false } = {}) {
  if (isSending) return;
  isSending = true;
  /** @type {Entry[]} */
  const sent = [];
  const held = new Set();
  const next = () => read().find((one) => !one.why && !held.has(isDesk(one)));
  try {
    for (let one = next(); one; one = next()) {
      const response = await post(one);
      if (LATER.includes(response.status) || response.status >= 500) break;
      const needs = response.headers.get("X-Needs");
      if (needs) {
        const side = isDesk(one);
        held.add(side);
        write(read().map((other) => (!other.why && isDesk(other) === side ? { ...other, needs } : other)));
        continue;
      }
      const text = await response.text();
      const isGood = response.status < 400;
      if (leaving && !isGood) break;
      if (leaving) answered.add(one.id);
      if (isGood) remove(one.id);
      else change(one.id, { needs: undefined, ...refusalIn(parsed(text)) });
      if (rowOf(one)) answers.push([one, text]);
      else if (isGood && isTold(one)) sent.push(one);
      queueMicrotask(showAnswers);
    }
  } catch {
    // still no network: what waits goes on waiting
  }
  isSending = false;
  // Whoever signed in to send it, and is back on its page, sees there what became of it
  if (isFirst && sent.some((one) => !one.row && one.url === location.pathname)) return location.reload();
  if (sent.length) {
    show(read(), format(gettext("Sent: {entries}."), { entries: listed(sent.map((one) => one.say)) }));
    for (const part of document.querySelectorAll("[data-live]")) htmx.trigger(part, "news");
  }
}

/**
 * The sentence with which a page says no, which templates mark `data-why`, and the fields that it is about.
 * @param {Document} page
 */
function refusalIn(page) {
  const said = find("[data-why]", HTMLElement, page);
  const why = (said?.dataset.why || said?.textContent || "").replace(/\s+/g, " ").trim();
  const wrong = all("[aria-invalid=true]", HTMLElement, page).map((field) => field.getAttribute("name") ?? "");
  return { why: why || gettext("Open it to see why."), wrong };
}

addEventListener("online", () => flush());
addEventListener("storage", (event) => {
  if (event.key === PLACE) show(read());
});
setInterval(() => flush(), AGAIN);
show(read());
flush({ isFirst: true });

// ── Readable offline ───────────────────────────────────────────────────────────────────────────────────────

/**
 * The addresses of the files of a page, with the modules that its scripts import. Pictures that wait for being
 * looked at are not among them: whoever looks at one has it.
 * @param {Document} page
 */
function filesOf(page) {
  const places = [...page.querySelectorAll("link[href], script[src], img[src]:not([loading=lazy]), use[href]")];
  const addresses = places.map((place) => place.getAttribute("href") ?? place.getAttribute("src") ?? "");
  return new Set(addresses.filter((one) => /^\/static\/|\.[0-9a-f]{12}\./.test(one)).map((one) => one.split("#")[0]));
}

/**
 * Has the worker keep the files that a page is made of, and then the page (sw.js): what is kept can be shown.
 * @param {string} address
 */
async function keepPage(address) {
  const response = await fetch(address, { headers: { "X-Keep": "with its files" } });
  const files = filesOf(parsed(await response.text()));
  const answers = await Promise.all([...files].map((file) => fetch(file)));
  if (answers.every((one) => one.ok)) await fetch(address, { headers: { "X-Keep": "now" } });
}

/**
 * Whoever opens a page with links that say so, `data-offline`, has those pages without a network, too; and in this
 * language the page that tells what is kept.
 */
function keepLinked() {
  const links = all("a[data-offline]", HTMLAnchorElement).map((link) => link.href);
  const instead = `${location.origin}/offline/?in=${document.documentElement.lang}`;
  return Promise.allSettled([instead, ...links].map(keepPage));
}

if ("serviceWorker" in navigator && !location.pathname.includes("/desk/")) {
  const { serviceWorker } = navigator;
  serviceWorker.register("/sw.js").catch(() => {});
  serviceWorker.addEventListener("controllerchange", () => {
    keepPage(location.href).catch(() => {});
    keepLinked();
  });
  if (serviceWorker.controller) keepLinked();
}
