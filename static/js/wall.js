/* A screen in the room: pages that turn by themselves, a picture that does not burn in, a screen that stays awake.

   Which page is shown follows from the time alone. So every page stays as long as every other, screens beside one
   another turn together, and news in between disturb nothing. Without this file everything stands below one another. */

import { all, find, make, need } from "./dom.js";
import { fit, pagesOf } from "./wall-fit.js";
import { gettext } from "./words.js";

const DWELL = 8_000; // ms that a page stays
const LOOK = 250; // ms between two looks at the time
const FADE = 350; // as in wall.css
const DRIFT = ["0 0", "1 0", "1 1", "0 1", "-1 1", "-1 0", "-1 -1", "0 -1", "1 -1"].map((place) => place.split(" "));
const STILL = 3_000; // ms without the mouse until the buttons go

const root = document.documentElement;
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

// ── Pages ──────────────────────────────────────────────────────────────────────────────────────────────────

let heldAt = 0; // somebody reads

/** @param {number} pages */
const turnOf = (pages) => Math.floor((heldAt || Date.now()) / DWELL) % pages;

/** @type {(list: Element, pages: number, current: number) => void} */
function showDots(list, pages, current) {
  const dots = need(".wall-dots", HTMLElement, list);
  const wanted = pages > 1 ? pages : 0;
  while (dots.childElementCount > wanted) dots.lastElementChild?.remove();
  while (dots.childElementCount < wanted) dots.append(make("span", { className: "wall-dot" }));
  [...dots.children].forEach((dot, place) => {
    dot.classList.toggle("is-current", place === current);
  });
}

/** @param {Element} list */
function turnRows(list) {
  const rows = find(".wall-rows", HTMLElement, list);
  if (!rows) return;
  const pages = pagesOf(rows);
  const page = turnOf(pages);
  const before = rows.dataset.page;
  rows.dataset.page = String(page);
  const show = () => {
    rows.style.setProperty("--page", String(page));
    rows.classList.remove("is-turning");
    showDots(list, pages, page);
  };
  if (before === undefined || isCalm.matches) return show();
  if (before === String(page)) return;
  rows.classList.add("is-turning");
  setTimeout(show, FADE);
}

/** @param {Element} announced */
function turnAnnouncements(announced) {
  const announcements = [...announced.querySelectorAll(".wall-announcement")];
  const current = turnOf(announcements.length);
  announcements.forEach((one, place) => {
    one.classList.toggle("is-current", place === current);
  });
  showDots(announced, announcements.length, current);
}

function turn() {
  fit();
  document.querySelectorAll(".wall-list").forEach(turnRows);
  document.querySelectorAll(".wall-announced").forEach(turnAnnouncements);
  const [x, y] = DRIFT[Math.floor(Date.now() / 60_000) % DRIFT.length];
  root.style.setProperty("--drift-x", x);
  root.style.setProperty("--drift-y", y);
}

// ── The podium ─────────────────────────────────────────────────────────────────────────────────────────────

let podiumSince = 0; // its ranks appear once, one after another: news in between go on from there

function goOn() {
  if (!find(".wall-podium", HTMLElement)) return;
  podiumSince ||= performance.now();
  root.style.setProperty("--shown-for", `${Math.round(performance.now() - podiumSince)}ms`);
}

goOn();
document.addEventListener("htmx:afterSwap", goOn);

root.classList.add("is-paged", "is-still");
turn();
setInterval(turn, LOOK);
document.addEventListener("htmx:afterSwap", turn);

// ── Awake, held, and on the full screen ────────────────────────────────────────────────────────────────────

const stayAwake = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", stayAwake);
stayAwake();

const tools = need(".wall-tools", HTMLElement);
const [hold, full] = all("button", HTMLButtonElement, tools);
let still = 0;
tools.hidden = false;
document.addEventListener("pointermove", () => {
  root.classList.remove("is-still");
  clearTimeout(still);
  still = setTimeout(() => root.classList.add("is-still"), STILL);
});

hold.addEventListener("click", () => {
  heldAt = heldAt ? 0 : Date.now();
  hold.textContent = heldAt ? gettext("Turn pages again") : gettext("Hold this page");
  turn();
});

function showFull() {
  full.hidden = !document.fullscreenEnabled || Boolean(document.fullscreenElement);
}
full.addEventListener("click", () => root.requestFullscreen());
document.addEventListener("fullscreenchange", showFull);
showFull();
