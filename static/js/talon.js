/* The Talon power record, played on the device: links and fields of the page are answered by talon-power.js, with or without a
   network, and the answer is put where the server's templates say. Classes that somebody typed are kept in this browser. */

const talon = document.getElementById("talon");
const form = document.getElementById("ship");
const find = (selector) => talon.querySelector(selector);
const { page, addressOf } = await import(talon.dataset.rules);

// ── Put what was found into the page ───────────────────────────────────────────────────────────────────────

const isSomething = (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/** data-text: the text. data-attr="href:address …": attributes. data-show: hidden where there is nothing.
    data-with: what is inside is about that thing. data-each: its <template> for each thing of a list. */
function bind(element, model) {
  const { text, attr, show, with: inside, each } = element.dataset;
  for (const [name, key] of attr?.split(" ").map((pair) => pair.split(":")) ?? []) set(element, name, model[key]);
  if (show ?? inside) element.hidden = !isSomething(model[show ?? inside]);
  if (text) element.textContent = model[text] ?? "";
  else if (each) repeat(element, model[each]);
  else [...element.children].forEach((child) => bind(child, inside ? model[inside] ?? {} : model));
}

function set(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}

function repeat(list, things = []) {
  const [template, ...shown] = list.children;
  things.forEach((thing, index) => {
    if (!shown[index]) list.append(template.content.cloneNode(true));
    bind(list.children[index + 1], thing);
  });
  shown.slice(things.length).forEach((one) => one.remove());
}

function show(query) {
  const found = page(query);
  const ship = find(".talon-ship");
  const isPlaying = Boolean(found.record?.lines.length);
  const wasPlaying = !find("#undo").closest("[hidden]");
  bind(talon, { ...found, kept: kept().map((one) => ({ ...one, address: addressOfClass(one), label: `Forget ${one.name}` })) });
  for (const field of form.elements) if (field.name) fill(field, found.values[field.name] ?? "");
  if (found.record && isPlaying !== wasPlaying) ship.open = !isPlaying;
  talon.querySelectorAll(".errorlist").forEach((said) => said.remove());
  form.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
  find("[data-copy]").dataset.copy = new URL(query, location).href;
  const save = find("[data-save]");
  if (save) save.href = save.dataset.save + addressOfClass(found.values);
}

function fill(field, value) {
  if (field.type === "checkbox") field.checked = !["", "false"].includes(value.toLowerCase());
  else if (field.value !== value) field.value = value;
  if (field.selectedIndex === -1) field.selectedIndex = 0;
}

// ── Whatever is pressed or typed ───────────────────────────────────────────────────────────────────────────

const typed = () => addressOf(Object.fromEntries(new FormData(form)));

form.addEventListener("input", () => show(typed()));
form.addEventListener("change", () => history.replaceState(null, "", typed()));
form.addEventListener("submit", (event) => event.preventDefault());

talon.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="?"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const [moment, { top }] = [find("#moment").textContent, link.getBoundingClientRect()];
  history.pushState(null, "", link.matches("[data-class]") ? withChart(link) : link.getAttribute("href"));
  show(location.search);
  if (link.matches("[data-class]")) find(".talon-more").open = false;
  const isGone = !link.checkVisibility() || !link.hasAttribute("href");
  if (isGone) find("#moment").focus({ preventScroll: true });
  if (isGone || moment !== find("#moment").textContent) bringIntoSight();
  else scrollBy(0, link.getBoundingClientRect().top - top); // what came above it does not move it from under the thumb
});

/** The address of a class, with the mark that somebody looked up on the chart: it is the same for every class. */
function withChart(link) {
  const asked = new URLSearchParams(link.search);
  asked.set("fifth", form.elements.fifth.value);
  return `?${asked}`;
}

/** The moment and what can be done in it, where it is not all on the screen. */
function bringIntoSight() {
  const [panel, last, bar] = [".talon-panel", ".talon-spends:last-of-type", ".talon-go"].map((one) => find(one).getBoundingClientRect());
  const end = Math.max(panel.bottom, last.bottom);
  if (panel.top < 0 || end > (bar.height ? bar.top : innerHeight)) find(".talon-panel").scrollIntoView();
}

addEventListener("popstate", () => show(location.search));

// ── Classes kept on this device ────────────────────────────────────────────────────────────────────────────

const KEY = "talon-classes";
const addressOfClass = ({ name, curves }) => `?${new URLSearchParams({ name, curves })}`;

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) || "[]");
    return Array.isArray(found) ? found.filter((one) => one?.name && one?.curves) : [];
  } catch {
    return []; // a browser that keeps nothing, or something that is not ours
  }
}

function keep(found, said) {
  try {
    localStorage.setItem(KEY, JSON.stringify(found.sort((one, other) => one.name.localeCompare(other.name))));
    find("[data-said]").textContent = said;
  } catch {
    find("[data-said]").textContent = "This browser keeps nothing. Copy the link instead.";
  }
  show(typed());
}

find("[data-keep]").addEventListener("click", () => {
  const [name, curves] = [form.elements.name.value.trim(), form.elements.curves.value.trim()];
  if (page(typed()).errors.length) find("[data-said]").textContent = "First put right what does not fit.";
  else keep([...kept().filter((one) => one.name !== name), { name, curves }], `${name} is kept.`);
});

talon.addEventListener("click", ({ target }) => {
  const name = target.closest("[data-forget]")?.closest("li").querySelector("b").textContent;
  if (name) keep(kept().filter((one) => one.name !== name), `${name} is forgotten.`);
});

// ── As the page opens: perhaps kept from another address, perhaps something was typed before this could listen ─

function isTouched(field) {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.localName !== "select") return field.value !== field.defaultValue;
  return field.selectedOptions[0] !== (field.querySelector("[selected]") ?? field.options[0]);
}

const isOfHere = talon.dataset.at === location.pathname + location.search;
const isTyped = isOfHere && [...form.querySelectorAll("input, select")].some(isTouched);
if (isTyped) history.replaceState(null, "", typed());
if (isTyped || !isOfHere || kept().length) show(location.search);
find("[data-keep]").hidden = false;
