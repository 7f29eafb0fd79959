/* The Talon power record, played on the device: links and fields of the page are answered by talon-power.js, with or
   without a network, and the answer is put where the server's templates say. Classes that somebody typed are kept in
   this browser. */

import { all, around, fieldOf, find, need } from "./dom.js";
import { addressOf, page } from "./talon-power.js";
import { format, gettext } from "./words.js";

/** What is bound into the page, by name. @typedef {Record<string, any>} Model */
/** @typedef {{ name: string, curves: string }} ShipClass */

const talon = need("#talon", HTMLElement);
const form = need("#ship", HTMLFormElement);
/** @param {string} selector */
const part = (selector) => need(selector, HTMLElement, talon);
/** @param {string} name */
const typedIn = (name) => fieldOf(form, name).value;

// ── Put what was found into the page ───────────────────────────────────────────────────────────────────────

/** @param {unknown} value */
const isSomething = (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/**
 * data-text: the text. data-attr="href:address …": attributes. data-show: hidden where there is nothing.
 * data-with: what is inside is about that thing. data-each: its <template> for each thing of a list.
 * @type {(element: HTMLElement, model: Model) => void}
 */
function bind(element, model) {
  const { text, attr, show, with: inside, each } = element.dataset;
  for (const [name, key] of attr?.split(" ").map((pair) => pair.split(":")) ?? []) set(element, name, model[key]);
  const shown = show ?? inside;
  if (shown) element.hidden = !isSomething(model[shown]);
  if (text) element.textContent = model[text] ?? "";
  else if (each) repeat(element, model[each]);
  else bindAll(element, inside ? (model[inside] ?? {}) : model);
}

/** @type {(element: HTMLElement, model: Model) => void} */
function bindAll(element, model) {
  for (const child of element.children) if (child instanceof HTMLElement) bind(child, model);
}

/** @type {(element: Element, name: string, value?: string) => void} */
function set(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}

/** @type {(list: HTMLElement, things?: Model[]) => void} */
function repeat(list, things = []) {
  const [template, ...shown] = list.children;
  if (!(template instanceof HTMLTemplateElement)) throw new Error("a list without a template");
  things.forEach((thing, index) => {
    if (!shown[index]) list.append(template.content.cloneNode(true));
    const place = list.children[index + 1];
    if (place instanceof HTMLElement) bind(place, thing);
  });
  for (const one of shown.slice(things.length)) one.remove();
}

/** Shows the record of an address. @param {string} query */
function show(query) {
  const found = page(query);
  const ship = need("details.talon-ship", HTMLDetailsElement, talon);
  const isPlaying = Boolean(found.record?.lines.length);
  const wasPlaying = !part("#undo").closest("[hidden]");
  const classes = kept().map((one) => ({
    ...one,
    address: addressOfClass(one),
    label: format(gettext("Remove {name}"), one),
  }));
  bind(talon, { ...found, kept: classes });
  for (const field of form.elements) fill(field, found.values);
  if (found.record && isPlaying !== wasPlaying) ship.open = !isPlaying;
  for (const said of all(".errorlist", HTMLElement, talon)) said.remove();
  for (const one of all("[aria-invalid]", HTMLElement, form)) one.removeAttribute("aria-invalid");
  part("[data-copy]").dataset.copy = new URL(query, location.href).href;
  const save = find("a[data-save]", HTMLAnchorElement, talon);
  const { name, curves } = found.values;
  if (save) save.href = save.dataset.save + addressOfClass({ name, curves });
}

/** @type {(field: Element, values: Record<string, string>) => void} */
function fill(field, values) {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement) || !field.name) return;
  const value = values[field.name] ?? "";
  if (field instanceof HTMLInputElement && field.type === "checkbox") {
    field.checked = !["", "false"].includes(value.toLowerCase());
  } else if (field.value !== value) field.value = value;
  if (field instanceof HTMLSelectElement && field.selectedIndex === -1) field.selectedIndex = 0;
}

// ── Whatever is pressed or typed ───────────────────────────────────────────────────────────────────────────

const typed = () =>
  addressOf(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])));

form.addEventListener("input", () => show(typed()));
form.addEventListener("change", () => history.replaceState(null, "", typed()));
form.addEventListener("submit", (event) => event.preventDefault());

talon.addEventListener("click", (event) => {
  const link = around(event, 'a[href^="?"]', HTMLAnchorElement);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const moment = part("#moment");
  const [before, { top }] = [moment.textContent, link.getBoundingClientRect()];
  history.pushState(null, "", link.matches("[data-class]") ? withChart(link) : link.getAttribute("href"));
  show(location.search);
  if (link.matches("[data-class]")) need("details.talon-more", HTMLDetailsElement, talon).open = false;
  const isGone = !link.checkVisibility() || !link.hasAttribute("href");
  if (isGone) moment.focus({ preventScroll: true });
  if (isGone || before !== moment.textContent) bringIntoSight();
  else scrollBy(0, link.getBoundingClientRect().top - top); // what came above it does not move it from under the thumb
});

/**
 * The address of a class, with the mark that somebody looked up on the chart: it is the same for every class.
 * @param {HTMLAnchorElement} link
 */
function withChart(link) {
  const asked = new URLSearchParams(link.search);
  asked.set("fifth", typedIn("fifth"));
  return `?${asked}`;
}

/** The moment and what can be done in it, where it is not all on the screen. */
function bringIntoSight() {
  const places = [".talon-panel", ".talon-spends:last-of-type", ".talon-go"];
  const [panel, last, bar] = places.map((one) => part(one).getBoundingClientRect());
  const end = Math.max(panel.bottom, last.bottom);
  if (panel.top < 0 || end > (bar.height ? bar.top : innerHeight)) part(".talon-panel").scrollIntoView();
}

addEventListener("popstate", () => show(location.search));

// ── Classes kept on this device ────────────────────────────────────────────────────────────────────────────

const KEY = "talon-classes";
/** @param {ShipClass} one */
const addressOfClass = ({ name, curves }) => `?${new URLSearchParams({ name, curves })}`;

/** @returns {ShipClass[]} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) || "[]");
    return Array.isArray(found) ? found.filter((one) => one?.name && one?.curves) : [];
  } catch {
    return []; // a browser that keeps nothing, or something that is not ours
  }
}

/** @param {string} text */
function tell(text) {
  part("[data-said]").textContent = text;
}

/** @type {(classes: ShipClass[], said: string) => void} */
function keep(classes, said) {
  try {
    const sorted = classes.sort((one, other) => one.name.localeCompare(other.name));
    localStorage.setItem(KEY, JSON.stringify(sorted));
    tell(said);
  } catch {
    tell(gettext("This browser can’t save anything. Copy the link instead."));
  }
  show(typed());
}

part("[data-keep]").addEventListener("click", () => {
  const [name, curves] = [typedIn("name").trim(), typedIn("curves").trim()];
  if (page(typed()).errors.length) tell(gettext("Fix the problems above first."));
  else
    keep(
      [...kept().filter((one) => one.name !== name), { name, curves }],
      format(gettext("{name} is saved on this device."), { name }),
    );
});

talon.addEventListener("click", (event) => {
  const name = around(event, "[data-forget]", HTMLElement)?.closest("li")?.querySelector("b")?.textContent;
  if (name) {
    keep(
      kept().filter((one) => one.name !== name),
      format(gettext("{name} is removed from this device."), { name }),
    );
  }
});

// ── As the page opens: perhaps kept from another address, perhaps something was typed before this could listen ─

/** @param {HTMLElement} field */
function isTouched(field) {
  if (field instanceof HTMLSelectElement) {
    return field.selectedOptions[0] !== (field.querySelector("[selected]") ?? field.options[0]);
  }
  if (!(field instanceof HTMLInputElement)) return false;
  return field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

const isOfHere = talon.dataset.at === location.pathname + location.search;
const isTyped = isOfHere && all("input, select", HTMLElement, form).some(isTouched);
if (isTyped) history.replaceState(null, "", typed());
if (isTyped || !isOfHere || kept().length) show(location.search);
part("[data-keep]").hidden = false;
