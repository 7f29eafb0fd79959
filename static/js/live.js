/* News: every part with `data-live` is brought, or asks, when its event has a new version; docs/live.md.
   The stream of a page with one part brings it. While it is silent the parts are asked every few seconds.
   Whoever has no network is told within ten seconds, even if the server only hangs ("lost"), until it is back.
   A page that nobody sees holds no stream and asks nothing; it catches up when it is shown. */

import { all, onEveryPage } from "./dom.js";

const SILENCE = 8_000; // ms; the server says something every 5 s
const ASK = 1_000 * Number(document.documentElement.dataset.poll ?? 5); // ms between two while there is no stream
const BUSY = 150; // ms until a page that waits for an answer is looked at again
const FIRST_PAUSE = 1_000; // ms before the stream is opened again, at least half of it; doubled each time
const LONGEST_PAUSE = 60_000;
const UNANSWERED = 4_000; // ms after which a part that asked has no network; doubled each time
const PROBE = 2_500; // ms in which a server that is there says so
const PROBE_AGAIN = 1_000;

/** @type {EventSource | null} */
let stream = null;
let told = ""; // its address
let heardAt = Number.NEGATIVE_INFINITY;
let pause = FIRST_PAUSE;
let patience = UNANSWERED;
let isLost = false;
let again = 0; // timers
let soon = 0;
let silent = 0;
let unanswered = 0;

const parts = () => all("[data-live]", HTMLElement);
const isHeard = () => performance.now() - heardAt < SILENCE;

/** @param {Element} part */
function ask(part) {
  part.dispatchEvent(new CustomEvent("news"));
}

/** What is older than the version asks; but an answer that is on its way may bring it along. @param {string} version */
function refresh(version) {
  clearTimeout(soon);
  if (document.querySelector(".htmx-request")) soon = setTimeout(refresh, BUSY, version);
  else
    parts()
      .filter((part) => part.dataset.version !== version)
      .forEach(ask);
}

function address() {
  const [part, another] = parts();
  const live = part?.dataset.live ?? "";
  return another ? live : live && `${live}?of=${encodeURIComponent(part.getAttribute("hx-get") ?? "")}`;
}

/** @type {(html: string, version: string) => void} */
function bring(html, version) {
  const [part] = parts();
  if (part?.dataset.version === version || document.querySelector(".htmx-request")) return;
  if (told !== address()) return open(); // another is shown by now
  htmx.swap(part, html, { swapStyle: "outerHTML" });
  document.dispatchEvent(new CustomEvent("brought"));
}

function open() {
  close();
  told = address();
  if (!told || document.hidden || !window.EventSource) return;
  stream = new EventSource(told);
  stream.addEventListener("version", ({ data }) => hear(data));
  stream.addEventListener("part", ({ data, lastEventId }) => {
    bring(data, lastEventId);
    hear(lastEventId);
  });
  stream.addEventListener("error", openLater);
}

/** @param {string} version */
function hear(version) {
  heardAt = performance.now();
  pause = FIRST_PAUSE;
  clearTimeout(silent);
  silent = setTimeout(lose, SILENCE);
  document.dispatchEvent(new CustomEvent("heard"));
  refresh(version);
}

function close() {
  clearTimeout(again);
  clearTimeout(silent);
  stream?.close();
  stream = null;
  heardAt = Number.NEGATIVE_INFINITY;
}

// Half of it is left to chance: phones which lost the same server do not all come back at once.
function openLater() {
  close();
  again = setTimeout(open, pause * (0.5 + Math.random() / 2));
  pause = Math.min(2 * pause, LONGEST_PAUSE);
}

function look() {
  if (document.hidden || isHeard()) return;
  if (heardAt > 0) openLater(); // it was heard, and is silent now
  // what is on its way brings the part along, and would find it gone
  if (!document.querySelector(".htmx-request")) parts().forEach(ask);
}

// ── Without a network ──────────────────────────────────────────────────────────────────────────────────────

/** The page says that it is not connected (flagship.js), and tries until it is. */
function lose() {
  document.dispatchEvent(new CustomEvent("lost"));
  if (isLost) return;
  isLost = true;
  openLater();
  probe();
}

/** Any answer will do; what still waits for one from before is asked for again. */
async function probe() {
  const asks = { method: "HEAD", cache: /** @type {RequestCache} */ ("no-store"), signal: AbortSignal.timeout(PROBE) };
  const answer = document.hidden ? null : await fetch("/health/", asks).catch(() => null);
  if (!answer) return setTimeout(probe, PROBE_AGAIN * (0.5 + Math.random() / 2));
  isLost = false;
  pause = FIRST_PAUSE;
  open();
  if (!parts().length) document.dispatchEvent(new CustomEvent("brought"));
  for (const part of parts()) {
    htmx.trigger(part, "htmx:abort");
    ask(part);
  }
}

// By the clock of htmx (`every 60s`) asks only who hears nothing.
document.addEventListener("htmx:confirm", (event) => {
  if (!event.detail.triggeringEvent && isHeard() && event.detail.elt.matches("[data-live]")) event.preventDefault();
});
document.addEventListener("htmx:beforeSend", ({ target }) => {
  if (!(target instanceof Element && target.matches("[data-live]"))) return;
  clearTimeout(unanswered);
  unanswered = setTimeout(() => {
    patience *= 2; // a network that is only slow may take its time the next time
    lose();
  }, patience);
});
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  clearTimeout(unanswered);
  if (xhr?.status) patience = UNANSWERED;
});
document.addEventListener("htmx:sendError", lose);
window.addEventListener("offline", lose);

// ── The page ───────────────────────────────────────────────────────────────────────────────────────────────

/** What an element says, whether its menu is unfolded or not. @param {Element} one */
const said = (one) => one.innerHTML.replaceAll(' open=""', "").trim();

// What comes along with a part and is as it was stays: whoever points at a link or reads it is not disturbed.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const { target, fragment } = detail;
  if (fragment instanceof Element && said(fragment) === said(target)) detail.shouldSwap = false;
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return close();
  pause = FIRST_PAUSE;
  open();
});
window.addEventListener("online", open);
window.addEventListener("pagehide", close);
window.addEventListener("pageshow", (event) => {
  if (event.persisted) open();
});
setInterval(look, ASK);
onEveryPage(open);
