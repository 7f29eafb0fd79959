/* News: every part that refreshes itself asks when its event has a new version; docs/live.md.

   <div hx-get="…" hx-trigger="news, every 60s" data-live="address of the stream" data-version="17">

   While the stream is silent (blocked, broken, not yet there) the parts are asked every few seconds instead.
   A page that nobody sees holds no stream and asks nothing; it catches up when it is shown. */

import { all, onEveryPage } from "./dom.js";

const SILENCE = 45_000; // ms; the server says something every 20 s
const ASK = 5_000; // ms between two questions while there is no stream
const BUSY = 150; // ms until a page that waits for an answer is looked at again
const FIRST_PAUSE = 1_000; // ms before the stream is opened again, at least half of it; doubled each time
const LONGEST_PAUSE = 60_000;

/** @type {EventSource | null} */
let stream = null;
let heardAt = Number.NEGATIVE_INFINITY;
let pause = FIRST_PAUSE;
let again = 0; // timers
let soon = 0;

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

function open() {
  close();
  const [part] = parts();
  if (!part?.dataset.live || document.hidden || !window.EventSource) return;
  stream = new EventSource(part.dataset.live);
  stream.addEventListener("version", (event) => {
    heardAt = performance.now();
    pause = FIRST_PAUSE;
    refresh(event.data);
  });
  stream.addEventListener("error", openLater);
}

function close() {
  clearTimeout(again);
  stream?.close();
  stream = null;
  heardAt = Number.NEGATIVE_INFINITY;
}

// Half of the pause is left to chance, so that phones which lost the same server do not all come back at once.
function openLater() {
  close();
  again = setTimeout(open, pause * (0.5 + Math.random() / 2));
  pause = Math.min(2 * pause, LONGEST_PAUSE);
}

function look() {
  if (document.hidden || isHeard()) return;
  if (heardAt > 0) openLater(); // it was heard, and is silent now
  parts().forEach(ask);
}

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
