/* The keys of the pages of who runs a store: "/" or Ctrl+K searches, "?" shows the keys of this page, and where there
   is a clock, C, + and − are its buttons. What they do is loaded when it is first asked for. None is in the way of
   typing, and those of one letter can be turned off on this device (key-list.js). */

import { find, isField } from "./dom.js";
import { gettext } from "./words.js";

const OFF = "keys-off";

/** Whether keys of one letter do something on this device. */
export const areOn = () => localStorage.getItem(OFF) === null;

/** @param {boolean} on */
function turn(on) {
  if (on) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, "");
}

/** @param {Event} event */
const isTyped = (event) => isField(event.target) && !event.target.matches("[type=checkbox],[type=radio]");

const BUTTONS = new Map([
  ["c", "#clock-start, #clock-pause"],
  ["+", "#clock-plus-1"],
  ["-", "#clock-minus-1"],
]);

const link = find("a[data-search]", HTMLAnchorElement);

/** What is typed from now on until it is asked for: the search is on its way, and its field is not there yet. */
function hold() {
  let typed = "";
  /** @param {KeyboardEvent} event */
  const keep = (event) => {
    if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    typed += event.key;
  };
  document.addEventListener("keydown", keep, true);
  return () => {
    document.removeEventListener("keydown", keep, true);
    return typed;
  };
}

async function search() {
  if (!link) return;
  const held = hold();
  try {
    (await import("./search.js")).open(link, held);
  } finally {
    held();
  }
}

const list = async () => (await import("./key-list.js")).open(areOn(), turn);

/** @param {HTMLButtonElement} button */
const press = async (button) => (await import("./clock-keys.js")).press(button);

document.addEventListener("keydown", (event) => {
  if (
    event.defaultPrevented ||
    event.isComposing ||
    event.repeat ||
    event.altKey ||
    find("dialog[open]", HTMLElement)
  ) {
    return;
  }
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key !== "k" || event.shiftKey) return;
    event.preventDefault();
    return search();
  }
  if (!areOn() || isTyped(event)) return;
  const button = BUTTONS.has(key) ? find(BUTTONS.get(key) ?? "", HTMLButtonElement) : null;
  if (!button && key !== "/" && key !== "?") return;
  event.preventDefault();
  if (button) press(button);
  else if (key === "/") search();
  else list();
});

link?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // another tab
  event.preventDefault();
  search();
});

const button = document.createElement("button");
button.type = "button";
button.className = "link-button";
button.textContent = gettext("Keys");
button.addEventListener("click", list);
find(".app-footer p", HTMLElement)?.append(" ", button);
