/* Who begins to wait for a judge: heard where this device was asked for it, read out, and in the title until somebody
   is there. */

import { all, find, onEveryPage } from "./dom.js";
import { isOn, offer, sound, wake } from "./tone.js";

const KEY = "calls";

let title = document.title;
/** @type {string[]} Who waited when the page was last looked at. */
let waited = [];

const waiting = () => all(".judge-case b", HTMLElement).map((one) => one.textContent.trim());

onEveryPage(() => {
  title = document.title;
  waited = waiting();
  offer("[data-calls]", KEY);
  wake(KEY); // who came from another page touched that one
});

document.addEventListener("htmx:afterSettle", () => {
  const now = waiting();
  const fresh = now.find((one) => !waited.includes(one));
  waited = now;
  if (!fresh) {
    if (!now.length) document.title = title;
    return;
  }
  document.title = `● ${fresh}`;
  const region = find("[data-told]", HTMLElement);
  if (region) region.textContent = fresh;
  if (isOn(KEY)) sound();
});

for (const touch of ["pointerdown", "keydown"]) {
  document.addEventListener(touch, () => {
    document.title = title;
    wake(KEY);
  });
}
