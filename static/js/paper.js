/* The button that opens the browser's print dialog, and groups that are open where there is room for all of them;
   without this file people print by the browser's own menu, and open the groups one by one. */

import { all } from "./dom.js";

for (const button of all("[data-print]", HTMLElement)) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
for (const hint of document.querySelectorAll("[data-print-by-hand]")) hint.remove();

if (matchMedia("(min-width: 48rem)").matches) {
  for (const group of all("details[data-open-wide]", HTMLDetailsElement)) group.open = true;
}
