/* The tables at the desk: with a table's link focused, S records that its fleets are signed on paper.
   Without it, the button does. Who begins to wait for a judge stands in the title until somebody is at the desk. */

import { all, around, find, onEveryPage } from "./dom.js";
import { areOn } from "./keys.js";

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "s" || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (!areOn()) return;
  if (around(event, "input, select, textarea", HTMLElement)) return;
  const pairing = around(event, ".pairing", HTMLElement);
  const form = pairing && find("form[data-key=s]", HTMLFormElement, pairing);
  if (!form) return;
  event.preventDefault();
  form.requestSubmit();
});

// Back from there, the next table that is not signed is in the address: go on from it.
if (location.hash.startsWith("#table-")) document.getElementById(location.hash.slice(1))?.focus();

let title = document.title;
/** @type {string[]} Who waited for a judge when the page was last looked at. */
let waited = [];

const waiting = () => all(".judge-case b", HTMLElement).map((one) => one.textContent.trim());

onEveryPage(() => {
  title = document.title;
  waited = waiting();
});

document.addEventListener("htmx:afterSettle", () => {
  const now = waiting();
  const fresh = now.find((one) => !waited.includes(one));
  waited = now;
  if (fresh) document.title = `● ${fresh}`;
  else if (!now.length) document.title = title;
});

for (const touch of ["pointerdown", "keydown"]) {
  document.addEventListener(touch, () => {
    document.title = title;
  });
}
