/* The button that opens the browser's print dialog; without this file people print by the browser's own menu. */
(() => {
  "use strict";

  document.querySelectorAll("[data-print]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  });
  document.querySelectorAll("[data-print-by-hand]").forEach((hint) => hint.remove());
})();
