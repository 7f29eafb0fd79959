/* The search in a dialog over the page: the field and the hits are those of the page of the search (search/box.html).
   There and here, the arrow keys go from the field through the hits; Enter opens, Escape closes. */

import { all, find, make, need } from "./dom.js";
import { gettext } from "./words.js";

/** The field until the page's own is there: what is typed goes over to it. @param {string} action */
function ownForm(action) {
  const field = make("input", { className: "input", id: "search-field", name: "q", autocomplete: "off" });
  field.setAttribute("aria-label", gettext("Search"));
  const go = make("input", { type: "hidden", name: "go", value: "1" });
  return make("form", { className: "search-form", action }, go, field);
}

/**
 * `held` ends what keys.js does in the meantime, and says what was typed.
 * @type {(link: HTMLAnchorElement, held: () => string) => Promise<void>}
 */
export async function open(link, held) {
  const here = find("#search-field", HTMLInputElement);
  if (here) return here.select();
  const dialog = make("dialog", { className: "dialog", id: "search" });
  dialog.classList.add("dialog-search");
  dialog.setAttribute("aria-label", gettext("Search"));
  dialog.append(make("div", { id: "search-box", className: "search-box" }, ownForm(link.href)));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  handOver(dialog);
  document.body.append(dialog);
  dialog.showModal();
  need("#search-field", HTMLInputElement, dialog).value = held();
  const way = { target: "#search-box", swap: "outerHTML" };
  await htmx.ajax("GET", link.getAttribute("href") ?? "", way).catch(() => {}); // the network is away, the field stays
}

/** What was typed until the page's own field came goes over to it, and is searched for. @param {HTMLElement} dialog */
function handOver(dialog) {
  let typed = "";
  const field = () => find("#search-field", HTMLInputElement, dialog);
  const once = { once: true };
  const read = () => {
    typed = field()?.value ?? "";
  };
  const write = () => {
    const now = field();
    if (now) now.value = typed;
  };
  const look = () => {
    const now = field();
    if (now?.value) htmx.trigger(now, "input");
  };
  dialog.addEventListener("htmx:beforeSwap", read, once);
  dialog.addEventListener("htmx:afterSwap", write, once);
  dialog.addEventListener("htmx:afterSettle", look, once);
}

document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const box = event.target instanceof Element ? event.target.closest(".search-box") : null;
  if (!step || !box || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const stops = [...all("#search-field", HTMLElement, box), ...all("[data-hit]", HTMLElement, box)];
  const next = stops[stops.findIndex((one) => one.matches(":focus")) + step];
  event.preventDefault();
  next?.focus();
});
