/* The fast entry of results: Enter saves a table and goes to the next one, Ctrl+Enter saves all that were typed.
   What is saved goes through the outbox, table by table: without a network it waits on the device, in its row.
   Without this file, Tab and the button do. */

import { all, around, find, isField, make, need, timeOfDay } from "./dom.js";
import { bring, isMore } from "./more.js";
import { add, read, remove, rowOf } from "./outbox.js";
import { format, gettext } from "./words.js";

/** @typedef {import("./dom.js").Field} Field */
/** @typedef {import("./outbox.js").Entry} Entry */

const SOON = 400; // ms until a row that has no answer yet says that it waits
/** @type {Record<string, () => string>} */
const NEEDS = {
  "sign-in": () => gettext("Kept here until you sign in ({time})."),
  page: () => gettext("Kept here until you reload the page ({time})."),
};

const form = need("form.entry", HTMLFormElement);

/** @type {(selector: string, root: ParentNode) => Field[]} */
const fieldsIn = (selector, root) => all(selector, HTMLElement, root).filter(isField);
/** @param {HTMLElement} row */
const fields = (row) => fieldsIn("select, input:not([type=hidden])", row);
/** @param {HTMLElement} row */
const isTypable = (row) => !row.hidden && fields(row).some((field) => !field.disabled);
const rows = () => all(".entry-row", HTMLElement, form);

/** @param {Field} field */
const isTick = (field) => field instanceof HTMLInputElement && field.type === "checkbox";

/** @param {Field} field */
function isFieldChanged(field) {
  if (field.disabled) return false;
  if (field instanceof HTMLSelectElement) {
    return [...field.options].some((one) => one.selected !== one.defaultSelected && one.value);
  }
  if (field instanceof HTMLInputElement && isTick(field)) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

/** @param {HTMLElement} row */
const isChanged = (row) => ("wrong" in row.dataset ? isTypable(row) : fields(row).some(isFieldChanged));

/**
 * The row is on its way from here on; its fields rest until there is an answer.
 * @type {(row: HTMLElement, more?: Record<string, string>) => boolean}
 */
function send(row, more = {}) {
  const sent = fieldsIn("select, input", row).filter((field) => !isTick(field) || field.matches(":checked"));
  const body = new URLSearchParams([...sent.map((field) => [field.name, field.value]), ...Object.entries(more)]);
  return add({ url: location.pathname, body: String(body), say: row.dataset.say ?? "", row: row.id });
}

// ── What waits, in its row ─────────────────────────────────────────────────────────────────────────────────

/** What a row says of its waiting. @type {WeakMap<HTMLElement, HTMLElement>} */
const labels = new WeakMap();

/** @type {(row: HTMLElement, one: Entry) => void} */
function wait(row, one) {
  const typed = new URLSearchParams(one.body);
  for (const field of fieldsIn("select, input", row)) {
    if (field instanceof HTMLInputElement && isTick(field)) field.checked = typed.has(field.name);
    else field.value = typed.get(field.name) ?? field.value;
  }
  for (const field of fields(row)) field.disabled = true;
  row.dataset.waiting = "";
  const back = make("button", { type: "button", className: "link-button", textContent: gettext("Edit result") });
  back.addEventListener("click", () => {
    remove(one.id);
    rest(row);
    fields(row)[0].focus();
  });
  const label = make("span");
  const line = make("p", { className: "entry-waiting" }, label, " ", back);
  line.setAttribute("role", "status");
  labels.set(row, label);
  setTimeout(() => labels.get(row) === label && row.append(line), SOON);
}

/** @param {HTMLElement} row */
function rest(row) {
  delete row.dataset.waiting;
  labels.delete(row);
  row.querySelector(".entry-waiting")?.remove();
  for (const field of fields(row)) field.disabled = false;
}

/** @param {Entry[]} entries */
function show(entries) {
  for (const one of entries) {
    const row = one.why ? null : rowOf(one);
    if (!row) continue;
    if (!("waiting" in row.dataset)) wait(row, one);
    const label = labels.get(row);
    const said = NEEDS[one.needs ?? ""]?.() ?? gettext("Waiting for the network ({time}).");
    if (label) label.textContent = format(said, { time: timeOfDay(one.at) });
  }
}

document.addEventListener("outbox", ({ detail }) => show(detail));

document.addEventListener("outbox:answer", ({ detail: { entry, text } }) => {
  const row = rowOf(entry);
  if (!row) return;
  const isFocused = row.contains(document.activeElement);
  htmx.swap(row, text, { swapStyle: "outerHTML" });
  const now = rowOf(entry);
  if (isFocused && now) find("select, a", HTMLElement, now)?.focus();
  if (isLeaving && !form.querySelector("[data-waiting]")) leave();
});

// ── Keys and buttons ───────────────────────────────────────────────────────────────────────────────────────

let isLeaving = false; // when all is saved, back to the desk

async function leave() {
  isLeaving = false;
  await bring(true);
  const wrong = find(".entry-row[data-wrong]", HTMLElement, form);
  if (wrong) (fields(wrong)[0] ?? need("button", HTMLElement, wrong)).focus();
  else if (!form.querySelector(".entry-row:not([data-saved])")) location.assign(form.dataset.desk ?? "");
}

form.addEventListener("submit", (event) => {
  const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
  const row = button?.closest(".entry-row");
  const changed = row instanceof HTMLElement ? [row] : rows().filter(isChanged);
  if (button?.name === "preview" || !(changed.length || form.querySelector("[data-waiting]"))) return;
  isLeaving = !row;
  const more = row && button ? { [button.name]: button.value } : {};
  if (changed.every((one) => send(one, more))) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || !around(event, ".entry", HTMLElement)) return;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    return form.requestSubmit();
  }
  const row = around(event, ".entry-row", HTMLElement);
  if (!row || around(event, "a, button", HTMLElement) === event.target) return;
  event.preventDefault();
  goOn(row);
  if (isChanged(row)) send(row);
});

/**
 * To the next table, which may have to be fetched first; after the last one, to the button.
 * @param {HTMLElement} row
 */
async function goOn(row) {
  const name = row.id;
  const next = () => {
    const now = rows();
    return now.slice(now.findIndex((one) => one.id === name) + 1).find(isTypable);
  };
  if (!next() && !searched.value && isMore()) await bring(false);
  const found = next();
  (found ? fields(found)[0] : need(".action-bar button", HTMLElement, form)).focus();
}

// ── The search ─────────────────────────────────────────────────────────────────────────────────────────────

/** Without capitals and accents. @param {string} text */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\s+/g, " ");
const TABLE = /^\D*(\d+) ?: /; // of a legend, in any language: "table 4: lark against onyx"

/** @type {(row: HTMLElement, text: string) => boolean} */
function isFound(row, text) {
  const said = plain(row.querySelector("legend")?.textContent ?? "");
  return TABLE.exec(said)?.[1] === text || said.replace(TABLE, "").includes(text);
}

// Only a long round has a field to search it. What the address asked for was found by the site, and is all there is.
const searched = find("[role=search] input", HTMLInputElement) ?? make("input");
const none = find(".entry-none", HTMLElement);

/** What is typed in other rows stays there: they are hidden, not taken away. */
async function search() {
  if (searched.value) await bring(true);
  const text = plain(searched.value);
  for (const row of rows()) row.hidden = Boolean(text) && !isFound(row, text);
  if (none) none.hidden = !text || rows().some((row) => !row.hidden);
}

if (none) {
  searched.addEventListener("input", search);
  searched.form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    await search();
    const row = rows().find(isTypable);
    if (row) fields(row)[0].focus();
  });
}

document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLInputElement && target.matches(".entry-row input[inputmode]")) target.select();
});

// What was refused while this page was closed is asked again, so that its row shows both versions.
for (const one of read()) {
  if (one.why && rowOf(one)) add({ url: one.url, body: one.body, say: one.say, row: one.row });
}
show(read());
