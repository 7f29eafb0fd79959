/* The fast entry of results: Enter saves a table and goes to the next one, Ctrl+Enter saves all that were typed.
   What is saved goes through the outbox, table by table: without a network it waits on the device, in its row, and what
   was refused stays there, beside what is saved, until somebody says which of them counts.
   Without this file, Tab and the button do; what was typed before it was there is newer than what is kept. */

import { all, around, find, isField, make, need, timeOfDay } from "./dom.js";
import { bring, isMore } from "./more.js";
import { add, notSaved, read, remove, rowOf, showAnswersBy, tell } from "./outbox.js";
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

/**
 * What was refused replaces a saved result where somebody says so, or goes on typing there.
 * @param {HTMLElement} row
 */
function isChanged(row) {
  if (!("wrong" in row.dataset)) return fields(row).some(isFieldChanged);
  return isTypable(row) && (row.dataset.wrong !== "saved" || "typed" in row.dataset);
}

/** Whether it is filled in with a player's report: Enter accepts it. @param {HTMLElement} row */
const isReported = (row) => "reported" in row.dataset && !("waiting" in row.dataset);

/** Whether that has waited so long that it is saved with all others. @param {HTMLElement} row */
const isDue = (row) => isReported(row) && Date.now() >= Number(row.dataset.reported) * 1000;

/** @type {(field: Field, sent: URLSearchParams) => boolean} */
function isAsSent(field, sent) {
  if (field instanceof HTMLInputElement && isTick(field)) return field.checked === sent.has(field.name);
  return field.value === (sent.get(field.name) ?? field.value);
}

/** @type {(field: Field, sent: URLSearchParams) => void} */
function putBack(field, sent) {
  if (field instanceof HTMLInputElement && isTick(field)) field.checked = sent.has(field.name);
  else field.value = sent.get(field.name) ?? field.value;
}

/**
 * Whether something was typed in the row that is newer than what was sent.
 * @type {(row: HTMLElement, sent: URLSearchParams) => boolean}
 */
const isNewer = (row, sent) => fields(row).some((field) => isFieldChanged(field) && !isAsSent(field, sent));

/** @param {Field[]} some */
const valuesOf = (some) =>
  some.filter((field) => !isTick(field) || field.matches(":checked")).map((field) => [field.name, field.value]);

/**
 * The row is on its way from here on; its fields rest until there is an answer.
 * @type {(row: HTMLElement, more?: Record<string, string>) => boolean}
 */
function send(row, more = {}) {
  const body = new URLSearchParams([...valuesOf(fieldsIn("select, input", row)), ...Object.entries(more)]);
  return add({ url: location.pathname, body: String(body), say: row.dataset.say ?? "", row: row.id });
}

// ── What waits, in its row ─────────────────────────────────────────────────────────────────────────────────

/** What a row says of its waiting. @type {WeakMap<HTMLElement, HTMLElement>} */
const labels = new WeakMap();

/** @type {(row: HTMLElement, one: Entry) => void} */
function wait(row, one) {
  const sent = new URLSearchParams(one.body);
  if (isNewer(row, sent)) return;
  for (const field of fieldsIn("select, input", row)) putBack(field, sent);
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

// ── What was refused, in its row ───────────────────────────────────────────────────────────────────────────

/**
 * As it was typed, beside what is saved, which was there when this page came: sent again, it replaces that alone.
 * @type {(row: HTMLElement, one: Entry) => void}
 */
function keep(row, one) {
  const sent = new URLSearchParams(one.body);
  if (!isNewer(row, sent)) for (const field of fields(row)) putBack(field, sent);
  const by = row.dataset.saved;
  if (by && !fields(row).some(isFieldChanged)) return void remove(one.id);
  const sum = need(".entry-preview", HTMLElement, row);
  const verdict = (sum.querySelector("b") ?? sum).textContent.trim();
  const parts = [make("dt", { textContent: by }), make("dd", { textContent: verdict })];
  const saved = make("dl", { className: "entry-saved" }, ...parts);
  sum.replaceChildren();
  const buttons = make("p", { className: "cluster" });
  if (isTypable(row)) buttons.append(button("replace", row, by ? gettext("Replace") : gettext("Save result")));
  buttons.append(button("keep", row, gettext("Discard")));
  const why = make("p", { className: "field-error entry-why", textContent: notSaved(one) });
  row.append(make("div", { className: "entry-errors" }, why, ...(by ? [saved] : []), buttons));
  row.dataset.wrong = by ? "saved" : "";
  for (const field of fields(row)) if (one.wrong?.includes(field.name)) field.setAttribute("aria-invalid", "true");
}

/** @type {(name: string, row: HTMLElement, textContent: string) => HTMLButtonElement} */
const button = (name, row, textContent) =>
  make("button", {
    type: "submit",
    className: name === "keep" ? "button button-quiet" : "button",
    name,
    value: row.id.replace("row-", ""),
    textContent,
  });

form.addEventListener("input", (event) => {
  const row = around(event, ".entry-row[data-wrong]", HTMLElement);
  if (!row) return;
  row.dataset.typed = "";
  row.querySelector(".entry-why")?.remove(); // it was about what stood there; the sum says what is wrong now
  for (const field of all("[aria-invalid]", HTMLElement, row)) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
});

/** @param {Entry[]} entries */
function show(entries) {
  for (const one of entries) {
    const row = rowOf(one);
    if (!row) continue;
    if (one.why) {
      if (!("wrong" in row.dataset || "waiting" in row.dataset)) keep(row, one);
      continue;
    }
    if (!("waiting" in row.dataset)) wait(row, one);
    const label = labels.get(row);
    const said = NEEDS[one.needs ?? ""]?.() ?? gettext("Waiting for the network ({time}).");
    if (label) label.textContent = format(said, { time: timeOfDay(one.at) });
  }
}

document.addEventListener("outbox", ({ detail }) => show(detail));

/** @type {(entry: Entry, text: string) => void} */
function showAnswer(entry, text) {
  const row = rowOf(entry);
  if (!row) return;
  if (!text.includes(`id="${row.id}"`)) {
    rest(row); // it was refused as a whole, by another page
    return void tell();
  }
  const isFocused = row.contains(document.activeElement);
  const newer = fields(row).filter(isFieldChanged);
  const focused = newer.length ? document.activeElement?.getAttribute("name") : null;
  htmx.swap(row, text, { swapStyle: "outerHTML" });
  const now = rowOf(entry);
  if (now && newer.length) typeAgain(now, newer, focused);
  else if (now && (isFocused || ("wrong" in now.dataset && isIdle))) focusIn(now);
  if (isLeaving && !form.querySelector("[data-waiting]")) leave();
}

/** @type {(row: HTMLElement, typed: Field[], focused?: string | null) => void} */
function typeAgain(row, typed, focused) {
  const sent = new URLSearchParams(valuesOf(typed));
  for (const field of fields(row)) {
    if (typed.some((one) => one.name === field.name)) putBack(field, sent);
    if (field.name === focused) field.focus();
  }
}

/** To the field that is wrong, or else the first thing there. @param {HTMLElement} row */
function focusIn(row) {
  const found = find("[aria-invalid=true]:not([type=hidden])", HTMLElement, row);
  (found ?? fields(row)[0] ?? find("button, a", HTMLElement, row))?.focus();
}

// ── Keys and buttons ───────────────────────────────────────────────────────────────────────────────────────

let isLeaving = false; // when all is saved, back to the desk
let isIdle = false; // since a row was sent, nothing was pressed: nobody types where Enter led

for (const pressed of ["keydown", "pointerdown"]) {
  document.addEventListener(
    pressed,
    () => {
      isIdle = false;
    },
    true,
  );
}

const firstWrong = () => find(".entry-row[data-wrong]", HTMLElement, form);

async function leave() {
  isLeaving = false;
  await bring(true);
  const wrong = firstWrong();
  if (wrong) focusIn(wrong);
  else if (!form.querySelector(".entry-row:not([data-saved])")) location.assign(form.dataset.desk ?? "");
}

form.addEventListener("submit", (event) => {
  const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
  const row = button?.closest(".entry-row");
  const changed = row instanceof HTMLElement ? [row] : rows().filter((one) => isChanged(one) || isDue(one));
  if (button?.name === "preview") return;
  const wrong = firstWrong();
  if (!changed.length && !form.querySelector("[data-waiting]")) {
    if (wrong) event.preventDefault();
    if (wrong) focusIn(wrong);
    return;
  }
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
  if (isChanged(row) || isReported(row)) isIdle = send(row);
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

showAnswersBy(showAnswer);
tell(); // in the rows of this page

// A row that is further down a long round is fetched, so that what was refused there is seen beside what is saved.
if (read().some((one) => one.why && one.url === location.pathname && !rowOf(one)) && isMore()) {
  await bring(true);
  tell();
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
