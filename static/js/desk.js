/* The tables at the desk: with a table's link focused, S records that its fleets are signed on paper.
   Without it, the button does. */

import { around, find } from "./dom.js";
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
