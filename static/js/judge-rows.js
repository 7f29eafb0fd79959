/* The calculators of the judge's desk while somebody types: fields that the chosen value has, and rows that are added
   and taken away on the device. Without this file the server does it. */

import { all, around, fieldOf, need } from "./dom.js";
import { form } from "./judge-panel.js";
import { format, gettext } from "./words.js";

// ── <div data-kinds="primary agility">: shown for these values alone; "all" are all but "cost" ────────────

/** @param {string} name */
const typedIn = (name) => (form.elements.namedItem(name) ? fieldOf(form, name).value : "");

function offer() {
  const kind = typedIn("where") || typedIn("value") || typedIn("die");
  for (const part of all("[data-kinds]", HTMLElement, form)) {
    const kinds = part.dataset.kinds?.split(" ") ?? [];
    part.hidden = !(kinds.includes(kind) || (kinds.includes("all") && kind !== "cost"));
    if (part instanceof HTMLFieldSetElement) part.disabled = part.hidden;
  }
}

// ── <div data-rows="modifier">: an empty row at the end, and numbers that go from 1 ─────────────────────────

/** @param {Element} row */
const inputs = (row) => all("input", HTMLInputElement, row);
/** @param {Element} row */
const isEmpty = (row) => inputs(row).every((field) => !field.value);
/** @param {Element} list */
const rowsOf = (list) => all(":scope > *", HTMLElement, list);
/** @param {Element} list */
const lastOf = (list) => rowsOf(list)[list.children.length - 1];

/** @param {HTMLElement} list */
function addRow(list) {
  const row = /** @type {HTMLElement} */ (lastOf(list).cloneNode(true));
  for (const field of inputs(row)) field.value = "";
  list.append(row);
  number(list);
  return row;
}

/** @type {Record<string, () => { many: string, label: string, remove: string }>} */
const SAID = {
  modifier: () => ({
    many: gettext("Modifier {number}"),
    label: gettext("Source of modifier {number}"),
    remove: gettext("Remove modifier {number}"),
  }),
  replacement: () => ({
    many: gettext("Replacement {number}"),
    label: gettext("Source of replacement {number}"),
    remove: gettext("Remove replacement {number}"),
  }),
};

/** @param {HTMLElement} list */
function number(list) {
  const said = SAID[list.dataset.rows ?? ""]();
  rowsOf(list).forEach((row, place) => {
    const [many, label] = inputs(row);
    const facts = { number: place + 1 };
    many.id = `${many.name}-${place}`;
    label.id = `${label.name}-${place}`;
    many.setAttribute("aria-label", format(said.many, facts));
    label.setAttribute("aria-label", format(said.label, facts));
    for (const button of all("button", HTMLButtonElement, row)) {
      button.value = String(place);
      button.setAttribute("aria-label", format(said.remove, facts));
    }
  });
}

function keepOneEmpty() {
  for (const list of all("[data-rows]", HTMLElement, form)) {
    if (list.children.length < Number(list.dataset.most) && !isEmpty(lastOf(list))) addRow(list);
  }
}

form.addEventListener("click", (event) => {
  const button = around(event, "[name='add'], [name='without']", HTMLButtonElement);
  if (!button) return;
  event.preventDefault();
  const list = need("[data-rows='modifier']", HTMLElement, form);
  const row = button.closest(".judge-row");
  if (button.name === "add") {
    const empty = rowsOf(list).find(isEmpty);
    if (!empty) return;
    inputs(empty)[0].value = button.textContent.trim();
  } else if (row) {
    const near = row.nextElementSibling || row.previousElementSibling || addRow(list);
    row.remove();
    number(list);
    inputs(near)[0].focus({ preventScroll: true });
  }
  list.dispatchEvent(new Event("input", { bubbles: true }));
});

form.addEventListener("input", () => {
  offer();
  keepOneEmpty();
});
offer(); // a browser that comes back keeps what was chosen
