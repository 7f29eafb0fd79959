/* The builder: keys of the search, and steps that wait for the network. Without it every step is a form that is sent.
 */

import { all, find, make, need } from "./dom.js";
import { format, gettext, listed, ngettext } from "./words.js";

const search = () => find("input[data-quick]", HTMLInputElement);
const cards = () => all(".found-card", HTMLElement);
let adds = false; // Enter was pressed before the cards for these letters had come

// ── Search with the keyboard: Enter adds the first card, the arrows go through them ────────────────────────

function settled() {
  return find("#found", HTMLElement)?.dataset.for === search()?.value;
}

function addFirst() {
  adds = false;
  const [first] = cards();
  if (first) return "meant" in first.dataset ? first.click() : first.focus();
  const form = find(".by-hand form", HTMLFormElement);
  if (!form || !search()?.value) return;
  need("details.by-hand", HTMLDetailsElement).open = true;
  const [title, cost] = ["title", "cost"].map((name) => need(`[name="${name}"]`, HTMLInputElement, form));
  (cost.value && title.value ? need("[type=submit]", HTMLElement, form) : cost).focus();
}

document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.isComposing || !(field instanceof HTMLElement)) return;
  if (event.key === "Enter" && field.matches("[data-quick]")) {
    event.preventDefault();
    if (settled()) addFirst();
    else adds = true;
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const places = [...all("input[data-quick]", HTMLElement).slice(0, 1), ...cards()];
  const here = places.indexOf(field);
  if (here < 0) return;
  event.preventDefault();
  places[Math.max(0, Math.min(places.length - 1, here + (event.key === "ArrowDown" ? 1 : -1)))].focus();
});

function ready() {
  const isOpen = matchMedia("(pointer: fine)").matches && !find("#adding", Element)?.contains(document.activeElement);
  if (isOpen) search()?.focus();
}

// ── What one looks at stays where it is on the screen, and what a step changed is in sight ────────────────────
// A search that is in sight stays, with its keyboard if that is open; a panel that opens comes into sight; without one,
// what is nearest to the tap stays.
// The field itself stays (hx-preserve). What was typed is answered by the card that is added; what is typed while that
// is on its way is searched for on the page that comes.

/** @type {{ top: number, isFocused: boolean } | null} */
let held = null; // the search, where it was in sight or typed into
/** @type {{ id: string, top: number }[]} */
let marks = []; // the ships and their cards, what is nearest to the tap first
let typed = ""; // before the step that is on its way

const lines = () => all(".builder-line", HTMLElement);
const topOf = (/** @type {Element} */ element) => element.getBoundingClientRect().top;

/** Whether the middle of it is on the screen and nothing lies above it. @param {Element} element */
function isInSight(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

/** @param {Element} element @param {number} top */
function keepAt(element, top) {
  scrollBy({ top: topOf(element) - top, behavior: "instant" });
}

document.addEventListener("mousedown", (event) => {
  const leadsOn =
    event.target instanceof Element &&
    event.target.closest("#adding :is(.found-card, a), .builder-steps :is(a, button)");
  if (leadsOn && document.activeElement === search()) event.preventDefault(); // which would close the keyboard
});

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const field = search();
  if (!field || detail.target?.id !== "fleet") return;
  typed = field.value;
  field.value = "";
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const field = search();
  held = null;
  if (detail.target?.id !== "fleet") return;
  const tapped = topOf(detail.requestConfig.elt);
  marks = all("#fleet :is(.builder-line, h2)[id]", HTMLElement).map((one) => ({ id: one.id, top: topOf(one) }));
  marks.sort((one, other) => Math.abs(one.top - tapped) - Math.abs(other.top - tapped));
  if (!field) return;
  const isFocused = document.activeElement === field;
  if (isFocused || isInSight(field)) held = { top: topOf(field), isFocused };
  if (detail.isError) field.value ||= typed;
});

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target?.id !== "fleet") return;
  const field = search();
  const nearest = marks.find(({ id }) => document.getElementById(id));
  if (field && field.value !== find("#found", HTMLElement)?.dataset.for) field.dispatchEvent(new Event("input"));
  if (field && held) keepAt(field, held.top);
  else if (field) need("#adding", HTMLElement).scrollIntoView({ block: "start", behavior: "instant" });
  else if (nearest) keepAt(need(`#${nearest.id}`, HTMLElement), nearest.top);
  if (field && held?.isFocused) return field.focus({ preventScroll: true });
  const added = lines().find((line) => !marks.some(({ id }) => id === line.id));
  if (added && !isInSight(added)) added.scrollIntoView({ block: "nearest", behavior: "instant" });
});

document.addEventListener("htmx:afterSettle", ({ target, detail }) => {
  const found = document.getElementById("found");
  if (detail.target?.id === "found" || (found && found === target)) {
    if (adds && settled()) addFirst();
    return;
  }
  ready();
  document.querySelector("#fleet [role=alert]")?.scrollIntoView({ block: "center" });
});

// ── Steps that wait for the network: kept on the device, sent in their order, each made once ───────────────
// Every step carries a key, so that one that did arrive and is sent again is made once.

/** A step as the body of its form, and what it is in words. @typedef {{ body: string, say: string }} Waiting */

/** @type {Record<string, () => string>} */
const NEEDS = {
  "sign-in": () => gettext("Sign in again and come back to this page to send them."),
  card: () => gettext("The card on this device no longer works. Open your new card on it, or sign in, to send them."),
  page: () => gettext("Reload this page to send them."),
};
const TWICE = 500; // two taps on the same button within so many ms are one

const path = find("#fleet", HTMLElement)?.dataset.path; // none on pages that only look like the builder
const place = `unsent ${path}`;
/** @type {Waiting[]} */
let memory = []; // where the browser keeps nothing
let isSending = false; // kept steps are on their way
let isOnItsWay = false; // a step of the page is on its way
/** @type {string | null} */
let asked = null; // the page that was asked for meanwhile
/** @type {{ button: Element | null, at: number }} */
let last = { button: null, at: 0 };

/** @returns {Waiting[]} */
function unsent() {
  try {
    return JSON.parse(localStorage.getItem(place) || "[]");
  } catch {
    return memory;
  }
}

/** @param {Waiting[]} steps */
function keep(steps) {
  memory = steps;
  try {
    if (steps.length) localStorage.setItem(place, JSON.stringify(steps));
    else localStorage.removeItem(place);
  } catch {
    // kept in memory, as long as the page is open
  }
  show(steps);
}

/**
 * Says that in a line of its own; nothing any more where it is empty.
 * @type {(className: string, text: string) => void}
 */
function line(className, text) {
  document.querySelector(`.${className}`)?.remove();
  if (!text) return;
  const said = make("p", { className: `waiting ${className}`, textContent: text });
  said.setAttribute("role", "status");
  need("main", HTMLElement).prepend(said);
}

/** @param {Waiting[]} steps */
function show(steps) {
  const count = steps.length;
  const last = steps.at(-1)?.say;
  const plain = ngettext("Waiting for the network: {count} step.", "Waiting for the network: {count} steps.", count);
  const naming = ngettext(
    "Waiting for the network: {count} step, “{last}”.",
    "Waiting for the network: {count} steps, the last one “{last}”.",
    count,
  );
  const said = format(last ? naming : plain, { count, last: last ?? "" });
  line("waiting-steps", count ? `${said} ${gettext("Kept on this device.")}` : "");
}

/** The button that an event of htmx came from. @param {Event} [event] */
const buttonOf = (event) => (event instanceof SubmitEvent ? event.submitter : null);

/** @param {HtmxRequest} request */
function keepStep({ formData, triggeringEvent }) {
  const button = buttonOf(triggeringEvent);
  const say = button?.dataset.say || button?.textContent.trim() || "";
  const body = new URLSearchParams([...formData].map(([name, value]) => [name, String(value)]));
  keep([...unsent(), { body: String(body), say }]);
}

/** @param {{ elt: Element, verb: string }} request */
const isStep = ({ elt, verb }) => verb === "post" && Boolean(elt.closest("#fleet"));

/** Whoever waits for the network here listens for it. @param {string} path */
function listen(path) {
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, parameters, triggeringEvent } = event.detail;
    if (!isStep(event.detail) || !parameters.key) return;
    const button = buttonOf(triggeringEvent) || elt;
    if (button === last.button && Date.now() - last.at < TWICE) return event.preventDefault();
    last = { button, at: Date.now() };
    parameters.key = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
  });

  // What is tapped while a step is on its way: the next step follows it, and the last page that was asked for.

  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig } = event.detail;
    if (!elt.closest("#fleet") || elt.matches("[data-quick]")) return;
    const step = isStep(requestConfig);
    if (!isOnItsWay && !isSending) {
      isOnItsWay = step;
      return;
    }
    event.preventDefault();
    if (step) keepStep(requestConfig);
    else asked = elt.getAttribute("href");
  });

  document.addEventListener("htmx:sendError", ({ detail: { requestConfig } }) => {
    if (isStep(requestConfig)) keepStep(requestConfig);
  });

  document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig } }) => {
    if (!isStep(requestConfig)) return;
    isOnItsWay = false;
    if (asked || unsent().length) send(path);
  });

  addEventListener("online", () => send(path));
  setInterval(() => unsent().length && send(path), 4000);
  show(unsent());
  if (unsent().length) send(path);
  ready();
}

/** @param {string} path */
async function send(path) {
  if (isSending || isOnItsWay) return;
  isSending = true;
  const work = () => sendAll(path);
  const { sent, refused, stopped } = await (navigator.locks ? navigator.locks.request(place, work) : work());
  isSending = false;
  const page = asked;
  asked = null;
  if (sent || page) await htmx.ajax("GET", page || path, { target: "#fleet", swap: "outerHTML" });
  line(
    "waiting-refused",
    refused.length ? format(gettext("No longer possible: {steps}."), { steps: listed(refused) }) : "",
  );
  if (stopped) line("waiting-refused", stopped);
}

/**
 * Send what is kept, one after the other, until there is no network or the site asks for something else first.
 * @param {string} path
 */
async function sendAll(path) {
  const done = { sent: 0, refused: /** @type {string[]} */ ([]), stopped: "" };
  try {
    for (let steps = unsent(); steps.length; steps = unsent()) {
      const [first] = steps;
      const body = new URLSearchParams(first.body);
      const token = find("[name=csrfmiddlewaretoken]", HTMLInputElement);
      if (token) body.set("csrfmiddlewaretoken", token.value);
      const headers = { "HX-Request": "true", "HX-Target": "fleet", "X-Outbox": "1" };
      const answer = await fetch(path, { method: "POST", body, headers });
      if (answer.status >= 500 || [408, 429].includes(answer.status)) break;
      const needs = answer.headers.get("X-Needs");
      if (needs) {
        done.stopped = `${gettext("Your unsent steps are kept on this device.")} ${NEEDS[needs]()}`;
        break;
      }
      if (!answer.ok) done.refused.push(first.say);
      done.sent += 1;
      keep(unsent().slice(1));
    }
  } catch {
    // still no network: the steps stay where they are
  }
  return done;
}

if (path !== undefined) listen(path);
