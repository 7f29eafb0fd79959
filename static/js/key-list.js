/* The keys of this page, in a dialog, with the choice whether those of one letter do anything on this device. */

import { find, make } from "./dom.js";
import { gettext } from "./words.js";

/** What can be pressed, where there is something of the kind on the page. @returns {[string, string[], string][]} */
const keys = () => [
  ["a[data-search]", ["/"], gettext("Search")],
  ["a[data-search]", ["Ctrl", "K"], gettext("Search, also while you type")],
  ["body", ["?"], gettext("Show the keys of this page")],
  ["#clock-start", ["C"], gettext("Start the clock")],
  ["#clock-pause", ["C"], gettext("Pause the clock")],
  ["#clock-plus-1", ["+"], gettext("Add 1 minute")],
  ["#clock-minus-1", ["−"], gettext("Remove 1 minute")],
  ["form[data-key=s]", ["S"], gettext("Record the fleets of the focused table as signed on paper")],
  ["[data-enter-next]", ["Enter"], gettext("Next field")],
  ["[data-enter-next]", ["Ctrl", "Enter"], gettext("Save")],
];

/**
 * Shows them; `areOn` is whether those of one letter do something, and `turn` changes that.
 * @param {boolean} areOn
 * @param {(on: boolean) => void} turn
 */
export function open(areOn, turn) {
  const dialog = make("dialog", { className: "dialog", id: "keys" });
  dialog.classList.add("stack");
  dialog.setAttribute("aria-labelledby", "keys-title");
  const list = make("dl", { className: "key-list" });
  for (const [, pressed, does] of keys().filter(([where]) => find(where, HTMLElement))) {
    const term = make("dt");
    for (const one of pressed) term.append(make("kbd", { textContent: one }), " ");
    list.append(term, make("dd", { textContent: does }));
  }
  const tick = make("input", { type: "checkbox", checked: areOn });
  tick.addEventListener("change", () => turn(tick.checked));
  const label = make("label", { className: "check" }, tick, " ");
  label.append(make("span", { textContent: gettext("Single-key shortcuts on this device") }));
  const form = make("form", { method: "dialog", className: "form-actions" });
  form.append(make("button", { className: "button button-primary", textContent: gettext("Close") }));
  dialog.append(make("h2", { id: "keys-title", textContent: gettext("Keys") }), list, label, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
