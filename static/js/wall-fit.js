/* The lists of a screen, as large as their room lets them be. They take as few pages as they can, and on those the
   largest type with which everybody has a place, in as many columns as that takes; the rows share the height, and the
   columns the rows: nobody stands alone in one.
   For the wall, and for the small screens at the desk. */

import { all } from "./dom.js";

const LARGEST = 2.4; // times the least size
const STEP = 0.05;
const COARSE = 0.15;
const MOST_PAGES = 12; // nobody waits longer for a page
const LARGE = 1.25; // from here on there is room for marks
const COLUMN = 40; // u, as in wall.css

/** @param {HTMLElement} rows */
const gapOf = (rows) => Number.parseFloat(getComputedStyle(rows).columnGap) || 0;

/** How many px a u has. @param {HTMLElement} rows */
const unitOf = (rows) => Number.parseFloat(getComputedStyle(rows).getPropertyValue("--u"));

/** On how many pages the rows stand now. @param {HTMLElement} rows */
export function pagesOf(rows) {
  const gap = gapOf(rows);
  return Math.max(1, Math.ceil((rows.scrollWidth + gap) / (rows.clientWidth + gap) - 0.1));
}

/** @param {HTMLElement} rows */
const isHighEnough = (rows) => rows.scrollHeight <= rows.clientHeight + 1;
/** @param {HTMLElement} rows */
const hasWholeNames = (rows) =>
  [...rows.querySelectorAll(".wall-whole")].every(
    (name) => name.scrollWidth <= name.clientWidth + 1 && name.scrollHeight <= 1.1 * name.clientHeight + 2,
  );

/**
 * In how many columns all stand on so many pages at that scale: nobody alone in one.
 * @type {(rows: HTMLElement, scale: number, pages: number) => number}
 */
function columnsAt(rows, scale, pages) {
  const gap = gapOf(rows);
  const column = COLUMN * scale * unitOf(rows);
  const columns = pages * Math.max(1, Math.floor((rows.clientWidth + gap) / (column + gap)));
  return Math.max(1, Math.min(columns, Math.floor(rows.children.length / 2)));
}

/** @type {(rows: HTMLElement, scale: number, row: string, columns: number) => void} */
function set(rows, scale, row, columns) {
  rows.style.setProperty("--scale", scale.toFixed(2));
  rows.style.setProperty("--row", row);
  rows.classList.toggle("is-large", scale >= LARGE);
  const names = [...rows.children];
  const firsts = Array.from({ length: columns }, (_, column) => Math.ceil((column * names.length) / columns));
  names.forEach((name, place) => {
    name.classList.toggle("begins-column", place > 0 && firsts.includes(place));
  });
}

/** In how many columns the rows stand now. @param {HTMLElement} rows */
const columnsOf = (rows) => new Set(all(".wall-row", HTMLElement, rows).map((row) => row.offsetLeft)).size;

/** Where the last column has one name, it gets the one before, too. @param {HTMLElement} rows */
function keepCompany(rows) {
  const [last, before] = all(".wall-row", HTMLElement, rows).reverse();
  if (before && last.offsetLeft !== before.offsetLeft) before.classList.add("begins-column");
}

/**
 * The largest type with which all stand on as many pages as the least scale takes, each name whole.
 * @type {(rows: HTMLElement, least: number, step: number) => boolean}
 */
function fill(rows, least, step) {
  set(rows, least, "", 1);
  const pages = pagesOf(rows);
  if (least > 1 && pages > MOST_PAGES) return false;
  const steps = Math.ceil((LARGEST - least) / step - 0.01);
  const scales = Array.from({ length: steps + 1 }, (_, below) => Math.max(least, LARGEST - below * step));
  const isGood = () => pagesOf(rows) === pages && isHighEnough(rows) && hasWholeNames(rows);
  for (const scale of scales) {
    const columns = columnsAt(rows, scale, pages);
    set(rows, scale, `${Math.floor(rows.clientHeight / Math.ceil(rows.children.length / columns))}px`, columns);
    if (isGood() && columnsOf(rows) === columns) return true;
  }
  for (const scale of scales) {
    set(rows, scale, "", 1);
    if (isGood()) return true;
  }
  return false;
}

/** Where names are too long for that, in fewer columns to a page. @param {HTMLElement} rows */
function fillMore(rows) {
  const gap = gapOf(rows);
  for (let beside = columnsAt(rows, 1, 1); beside > 1; beside -= 1) {
    const scale = ((rows.clientWidth + gap) / beside - gap) / (COLUMN * unitOf(rows)) + 0.01;
    if (scale > 1 && scale < LARGEST && fill(rows, scale, COARSE)) return true;
  }
  return false;
}

/** @param {HTMLElement} rows */
function enlarge(rows) {
  rows.classList.remove("is-cut");
  rows.classList.add("is-measured"); // no word is broken
  if (!fill(rows, 1, STEP) && !fillMore(rows)) {
    rows.classList.remove("is-measured");
    if (!fillMore(rows)) {
      rows.classList.add("is-cut");
      set(rows, 1, "", 1);
    }
  }
  keepCompany(rows);
}

/** Enlarges every list whose room is another than it was. */
export function fit() {
  for (const rows of all(".is-paged .wall-rows", HTMLElement)) {
    const room = `${rows.clientWidth} ${rows.clientHeight}`;
    if (rows.dataset.room === room || !rows.children.length) continue;
    rows.dataset.room = room;
    enlarge(rows);
  }
}

fit();
addEventListener("resize", fit);
