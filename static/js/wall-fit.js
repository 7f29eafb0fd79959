/* The lists of a screen, as large as their room lets them be. They take as few pages as they can, and on those the
   largest type with which everybody has a place, in as many columns as that takes; the rows share the height.
   For the wall, and for the small screens at the desk. */

import { all } from "./dom.js";

const LARGEST = 2.4; // times the least size
const STEP = 0.05;
const LARGE = 1.25; // from here on there is room for marks
const COLUMN = 40; // u, as in wall.css

/** @param {HTMLElement} rows */
const gapOf = (rows) => Number.parseFloat(getComputedStyle(rows).columnGap) || 0;

/** On how many pages the rows stand now. @param {HTMLElement} rows */
export function pagesOf(rows) {
  const gap = gapOf(rows);
  return Math.max(1, Math.ceil((rows.scrollWidth + gap) / (rows.clientWidth + gap) - 0.1));
}

/** @param {HTMLElement} rows */
const isHighEnough = (rows) => rows.scrollHeight <= rows.clientHeight + 1;
/** @param {HTMLElement} rows */
const hasWholeWords = (rows) =>
  [...rows.querySelectorAll(".wall-whole")].every((name) => name.scrollWidth <= name.clientWidth + 1);

/**
 * How many px each row has when all share the columns of so many pages at that scale.
 * @type {(rows: HTMLElement, scale: number, pages: number) => number}
 */
function share(rows, scale, pages) {
  const gap = gapOf(rows);
  const column = COLUMN * scale * Number.parseFloat(getComputedStyle(rows).getPropertyValue("--u"));
  const columns = pages * Math.max(1, Math.floor((rows.clientWidth + gap) / (column + gap)));
  return Math.floor(rows.clientHeight / Math.ceil(rows.children.length / columns));
}

/** @type {(rows: HTMLElement, scale: number, row: string) => void} */
function set(rows, scale, row) {
  rows.style.setProperty("--scale", scale.toFixed(2));
  rows.style.setProperty("--row", row);
  rows.classList.toggle("is-large", scale >= LARGE);
}

/** @param {HTMLElement} rows */
function enlarge(rows) {
  set(rows, 1, "");
  const pages = pagesOf(rows);
  const isGood = () => pagesOf(rows) === pages && isHighEnough(rows) && hasWholeWords(rows);
  for (const isShared of [true, false]) {
    for (let scale = LARGEST; scale >= 1; scale -= STEP) {
      set(rows, scale, isShared ? `${share(rows, scale, pages)}px` : "");
      if (isGood()) return;
    }
  }
}

/** Enlarges every list whose room is another than it was. */
export function fit() {
  for (const rows of all(".is-paged .wall-rows", HTMLElement)) {
    const room = `${rows.clientWidth} ${rows.clientHeight}`;
    if (rows.dataset.room === room || !rows.children.length) continue;
    rows.dataset.room = room;
    rows.classList.add("is-measured");
    enlarge(rows);
    rows.classList.remove("is-measured");
  }
}

fit();
addEventListener("resize", fit);
