/* The button that opens the browser's print dialog, and groups that are open where there is room for all of them;
   without this file people print by the browser's own menu, and open the groups one by one. */
(() => {
  "use strict";

  document.querySelectorAll("[data-print]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  });
  document.querySelectorAll("[data-print-by-hand]").forEach((hint) => hint.remove());

  if (window.matchMedia("(min-width: 48rem)").matches) {
    document.querySelectorAll("details[data-open-wide]").forEach((group) => (group.open = true));
  }
})();
