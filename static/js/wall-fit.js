/* The lists of a screen, as large as their room lets them be. They take as few pages as they can, and on those the
   largest type with which everybody has a place, in as many columns as that takes; the rows share the height.
   For the wall, and for the small screens at the desk. */
(() => {
  "use strict";

  const LARGEST = 2.4; // times the least size
  const STEP = 0.05;
  const LARGE = 1.25; // from here on there is room for marks
  const COLUMN = 40; // u, as in wall.css

  const gapOf = (rows) => parseFloat(getComputedStyle(rows).columnGap) || 0;

  /** On how many pages the rows stand now. */
  function pagesOf(rows) {
    const gap = gapOf(rows);
    return Math.max(1, Math.ceil((rows.scrollWidth + gap) / (rows.clientWidth + gap) - 0.1));
  }

  const isHighEnough = (rows) => rows.scrollHeight <= rows.clientHeight + 1;
  const hasWholeWords = (rows) =>
    [...rows.querySelectorAll(".wall-whole")].every((name) => name.scrollWidth <= name.clientWidth + 1);

  /** How many px each row has when all share the columns of so many pages at that scale. */
  function share(rows, scale, pages) {
    const gap = gapOf(rows);
    const column = COLUMN * scale * parseFloat(getComputedStyle(rows).getPropertyValue("--u"));
    const columns = pages * Math.max(1, Math.floor((rows.clientWidth + gap) / (column + gap)));
    return Math.floor(rows.clientHeight / Math.ceil(rows.children.length / columns));
  }

  function set(rows, scale, row) {
    rows.style.setProperty("--scale", scale.toFixed(2));
    rows.style.setProperty("--row", row);
    rows.classList.toggle("is-large", scale >= LARGE);
  }

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

  function fit() {
    for (const rows of document.querySelectorAll(".is-paged .wall-rows")) {
      const room = `${rows.clientWidth} ${rows.clientHeight}`;
      if (rows.dataset.room === room || !rows.children.length) continue;
      rows.dataset.room = room;
      rows.classList.add("is-measured");
      enlarge(rows);
      rows.classList.remove("is-measured");
    }
  }

  window.wallLists = { fit, pagesOf };
  fit();
  addEventListener("resize", fit);
})();
