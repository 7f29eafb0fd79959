/* Progressive enhancement only: every page works without this file.
   Clocks, questions before an act, auto-submit, copy, the network line, and Enter as "next field". */

import { all, around, find, isField, make, onEveryPage, timeOfDay } from "./dom.js";
import { format, gettext, ngettext, pgettext } from "./words.js";

/** @param {number} number */
const twoDigits = (number) => String(number).padStart(2, "0");

// ── Clocks ─────────────────────────────────────────────────────────────────────────────────────────────────
// <time class="clock" data-ends-at="ms" data-server-now="ms" data-paused-seconds="">; see docs/design.md.

// How far the server's clock is ahead of this one, in ms. A slow network or a page out of the browser's cache
// only makes the server look late, so the largest difference seen is the truest; the tab remembers it.
const known = sessionStorage.getItem("server-ahead");
let ahead = known === null ? Number.NEGATIVE_INFINITY : Number(known);
/** @type {WeakSet<HTMLElement>} */
const read = new WeakSet();

// When a page that the worker shows as it was kept is of, in ms; 0 as soon as it is known how things stand now.
const keptAt = () => Number(find("[data-kept-at]", HTMLElement)?.dataset.keptAt || 0);

// When this page came from the server; the worker says so of one that it kept.
const cameAt = keptAt() || Date.now();

/** @type {(clock: HTMLElement, answeredAt: number) => void} */
function learn(clock, answeredAt) {
  if (read.has(clock)) return;
  read.add(clock);
  const seen = Number(clock.dataset.serverNow) - answeredAt;
  if (!clock.dataset.serverNow || seen <= ahead) return;
  ahead = seen;
  sessionStorage.setItem("server-ahead", String(ahead));
}

/** @param {HTMLElement} clock */
function secondsLeft({ dataset }) {
  if (dataset.pausedSeconds) return Number(dataset.pausedSeconds);
  const now = Date.now() + (Number.isFinite(ahead) ? ahead : 0);
  return Math.max(0, Math.ceil((Number(dataset.endsAt) - now) / 1000));
}

/** @type {(clock: HTMLElement, seconds: number) => string} */
function phaseOf(clock, seconds) {
  if (clock.dataset.pausedSeconds) return "paused";
  if (seconds === 0) return "over";
  if (seconds <= 60) return "last-minute";
  return seconds <= 600 ? "last-ten" : "running";
}

/** @type {(phase: string, seconds: number) => string} */
function spoken(phase, seconds) {
  const count = Math.floor(seconds / 60);
  if (phase === "over") return gettext("Time’s up");
  if (phase === "last-minute") return gettext("Less than a minute left");
  const isPaused = phase === "paused";
  if (isPaused && !count) return gettext("Paused, less than a minute left");
  const paused = ngettext("Paused, {count} minute left", "Paused, {count} minutes left", count);
  return format(isPaused ? paused : ngettext("{count} minute left", "{count} minutes left", count), { count });
}

/** @type {(element: Element, attribute: string, value: string) => void} */
function set(element, attribute, value) {
  if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
}

/** @param {HTMLElement} clock */
function show(clock) {
  const seconds = secondsLeft(clock);
  const phase = phaseOf(clock, seconds);
  const text =
    phase === "over" ? pgettext("on the clock", "Time") : `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
  if (clock.textContent !== text) clock.textContent = text;
  set(clock, "data-phase", phase);
  set(clock, "role", "timer");
  set(clock, "aria-label", spoken(phase, seconds));
}

const clocks = () => all(".clock[data-ends-at]", HTMLElement);

function showClocks() {
  const now = Date.now();
  for (const clock of clocks()) learn(clock, now);
  clocks().forEach(show);
}

// ── Ask before it is done: <button data-confirm="Drop Vor? …"> ─────────────────────────────────────────────

/** @param {HTMLButtonElement} button */
function ask(button) {
  const dialog = make("dialog", { className: "dialog" });
  dialog.setAttribute("aria-labelledby", "dialog-question");
  const form = make("form", { method: "dialog", className: "form-actions" });
  const no = make("button", { className: "button", textContent: gettext("Cancel") });
  const yes = make("button", {
    className: `button button-primary${button.matches(".button-danger") ? " button-danger" : ""}`,
    textContent: button.dataset.confirmLabel || button.textContent.trim(),
    value: "yes",
  });
  form.append(no, yes);
  dialog.append(make("p", { id: "dialog-question", textContent: button.dataset.confirm }), form);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue !== "yes") return;
    button.dataset.confirmed = "";
    button.click();
    delete button.dataset.confirmed;
  });
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener(
  "click",
  (event) => {
    const button = around(event, "[data-confirm]", HTMLButtonElement);
    if (!button || "confirmed" in button.dataset || !window.HTMLDialogElement) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { form } = button;
    if (!form || form.noValidate || button.formNoValidate || form.reportValidity()) ask(button);
  },
  true,
);

// ── Send the form when a choice changes: <form data-autosubmit> or <input data-autosubmit> ─────────────────

document.addEventListener("change", (event) => {
  if (around(event, "[data-autosubmit]", HTMLElement) && isField(event.target)) event.target.form?.requestSubmit();
});

// ── Pressed twice is pressed once: the answer to the first is what people want to see ──────────────────────

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented || form.method !== "post") return;
  if (form.matches("[hx-post], [data-outbox]")) return;
  const before = Number(form.dataset.sentAt || 0);
  if (Date.now() - before < 1500) return event.preventDefault();
  form.dataset.sentAt = String(Date.now());
});

// ── A form that is shown again is another one: <input data-once> gets a key of its own, by the way back or kept ──

const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0"));

function renewKeys() {
  for (const field of all("input[data-once]", HTMLInputElement)) field.value = newKey().join("");
}

addEventListener("pageshow", (event) => {
  const [way] = performance.getEntriesByType("navigation");
  const isBack = way instanceof PerformanceNavigationTiming && way.type === "back_forward";
  if (!event.persisted && !isBack) return;
  renewKeys();
  find(".messages", HTMLElement)?.remove(); // said before
});
if (keptAt()) renewKeys();

// ── Copy: <button data-copy="text"> ────────────────────────────────────────────────────────────────────────

/** @param {string} text */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = make("textarea", { value: text, readOnly: true });
  document.body.append(field); // a plain http address in the store has no clipboard API
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("copy refused");
}

document.addEventListener("click", async (event) => {
  const button = around(event, "[data-copy]", HTMLElement);
  if (!button) return;
  const label = find("[data-copy-label]", HTMLElement, button) ?? button;
  const before = label.textContent;
  try {
    await copy(button.dataset.copy ?? "");
    label.textContent = gettext("Copied");
  } catch {
    label.textContent = gettext("Couldn’t copy");
  }
  button.setAttribute("aria-live", "polite");
  button.focus();
  setTimeout(() => {
    label.textContent = before;
  }, 2000);
});

// ── The network line ───────────────────────────────────────────────────────────────────────────────────────

let knownAt = new Date(cameAt);

// A browser that loads a page again goes to where it was read. Where that was the top, the line is new above it.
function showTop() {
  if (scrollY <= (find(".network", HTMLElement)?.offsetHeight ?? 0)) scrollTo(0, 0);
}
if (keptAt()) {
  showTop();
  addEventListener("scroll", showTop, { once: true });
}

// The network may take its time. Only when it takes long the page says so.
const LONG = 1_000;
const waiting = find(".network[hidden]", HTMLElement);
if (waiting) setTimeout(() => waiting.removeAttribute("hidden"), LONG);

/** Says that sentence above the page; nothing any more where it is empty. @param {string} sentence */
function networkLine(sentence) {
  let line = document.querySelector(".network");
  if (!sentence) return line?.remove();
  if (!line) {
    line = make("p", { className: "network" });
    line.setAttribute("role", "status");
    document.body.prepend(line);
  }
  if (line.textContent !== sentence) line.textContent = sentence;
  line.removeAttribute("hidden");
}

/** @param {XMLHttpRequest} [xhr] */
function lost(xhr) {
  const time = timeOfDay(Number(knownAt));
  const own = find("[data-lost]", HTMLElement)?.dataset.lost; // a page without anything to type has its own words
  networkLine(
    format(own ?? `${whatHappened(xhr)} ${gettext("Your entries are still here; this page is from {time}.")}`, {
      time,
    }),
  );
}

/**
 * What the site says of itself when it can't answer; a page with an error has only its number.
 * @param {XMLHttpRequest} [xhr]
 */
function whatHappened(xhr) {
  const status = xhr?.status || 0;
  if (!xhr || !status) return gettext("Not connected.");
  const isPlain = [429, 503].includes(status) && xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
  if (isPlain) return xhr.responseText;
  const number = xhr.getResponseHeader("X-Failure");
  if (!number) return format(gettext("That didn’t work (error {status})."), { status });
  return format(gettext("That didn’t work (error {status}, number {number})."), { status, number });
}

for (const name of /** @type {const} */ (["htmx:sendError", "htmx:responseError", "htmx:timeout"])) {
  document.addEventListener(name, ({ detail }) => lost(detail.xhr));
}

// What live.js finds out
document.addEventListener("lost", () => lost());
document.addEventListener("brought", isKnownNow);
document.addEventListener("heard", () => {
  knownAt = new Date();
});

document.addEventListener("htmx:afterRequest", ({ detail: { xhr, target } }) => {
  const status = xhr?.status || 0;
  if (status < 200 || (status >= 400 && status !== 422)) return;
  if (keptAt() && !target.matches("[data-live]")) return;
  isKnownNow();
});

function isKnownNow() {
  knownAt = new Date();
  networkLine("");
}

// The worker showed a kept page, and hands on how it is now; nothing without an answer, so that the page asks.
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  const now = new DOMParser().parseFromString(data || "", "text/html");
  const part = document.querySelector("[data-live]");
  const fresh = part && now.getElementById(part.id);
  if (!fresh) return part?.dispatchEvent(new CustomEvent("news"));
  for (const name of ["#bar", ".page-header", ".tabs"]) {
    document.querySelector(name)?.replaceWith(now.querySelector(name) || "");
  }
  isKnownNow();
  htmx.trigger(part, "htmx:abort"); // what it asked for is here
  htmx.swap(part, fresh.outerHTML, { swapStyle: "outerHTML" });
});

// ── Notifications, where the browser has them; what they need is loaded when they are looked for (push.js) ────────

onEveryPage(() => {
  const offer = find("[data-push]", HTMLElement);
  if (!offer || !isSecureContext || !("PushManager" in window)) return;
  offer.hidden = false;
  offer.addEventListener("toggle", () => import("./push.js"), { once: true });
});

// ── A page that could not be shown just now asks again: <div data-ask-again="seconds"> ─────────────────────────

/** @param {number} pause ms */
async function askAgain(pause) {
  const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
  if (answer && answer.status !== 503) location.reload();
  else setTimeout(askAgain, pause, pause);
}

const away = find("[data-ask-again]", HTMLElement);
if (away) {
  const pause = Number(away.dataset.askAgain) * 1000;
  setTimeout(askAgain, pause, pause);
}

// ── How far a file has come: a <progress> in the form; without a value while the server works on it ─────────

document.addEventListener("htmx:xhr:progress", ({ target, detail }) => {
  const bar = target instanceof Element ? find("progress", HTMLProgressElement, target) : null;
  if (!bar || !detail.lengthComputable) return;
  if (detail.loaded < detail.total) bar.value = detail.loaded / detail.total;
  else bar.removeAttribute("value");
});

// ── Fast entry: Enter goes to the next field, Ctrl+Enter sends ─────────────────────────────────────────────

const FAST = "input, select, textarea, button:not([type='button'])";

/** @typedef {import("./dom.js").Field | HTMLButtonElement} Stop */

/** Where Enter stops in that form, in order. @param {HTMLFormElement} form */
function fastFields(form) {
  return [...form.elements].filter(
    /** @type {(field: Element) => field is Stop} */
    (field) => {
      if (!(isField(field) || field instanceof HTMLButtonElement) || !field.matches(FAST)) return false;
      if (field.closest("[data-enter-skip]") && field !== document.activeElement) return false;
      if (field.disabled || !field.getClientRects().length || !field.closest("[data-enter-next]")) return false;
      if (field.type !== "radio") return true;
      const group = all(`[type="radio"][name="${CSS.escape(field.name)}"]`, HTMLInputElement, form);
      return field === (group.find((radio) => radio.checked) || group[0]);
    },
  );
}

document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || event.isComposing) return;
  if (!(isField(field) || field instanceof HTMLButtonElement) || !field.form) return;
  if (!field.closest("[data-enter-next]")) return;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    return field.form.requestSubmit();
  }
  if (field.matches("button, [type=submit]") || (field.matches("textarea") && event.shiftKey)) return;
  event.preventDefault();
  const fields = fastFields(field.form);
  const here = fields.findIndex((other) => other === field || (field.type === "radio" && other.name === field.name));
  const next = fields[here + 1];
  if (!next) return field.form.requestSubmit();
  next.focus();
  if ("select" in next) next.select();
});

// ── How many characters are left: <textarea maxlength data-count> ──────────────────────────────────────────

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
function count(field) {
  const left = field.maxLength - field.value.length;
  const line = (field.parentElement && find("[data-left]", HTMLElement, field.parentElement)) ?? make("p");
  line.className = "hint";
  line.dataset.left = String(left);
  line.textContent = format(ngettext("{count} character left", "{count} characters left", left), { count: left });
  field.after(line);
}

document.addEventListener("input", ({ target }) => {
  if (isField(target) && !(target instanceof HTMLSelectElement) && target.matches("[data-count]")) count(target);
});

// ── Start ──────────────────────────────────────────────────────────────────────────────────────────────────

onEveryPage(() => {
  // The time zone of this device, where none is typed yet: <input data-time-zone>
  for (const field of all("input[data-time-zone]", HTMLInputElement)) {
    field.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  }

  // A row of links that is longer than the screen begins where one is
  for (const here of document.querySelectorAll(":is(.app-nav, .tabs) > [aria-current]")) {
    const [row, link] = [here.parentElement, here.getBoundingClientRect()];
    if (row) row.scrollLeft = link.left - row.getBoundingClientRect().left - (row.clientWidth - link.width) / 2;
  }

  all("textarea[data-count]", HTMLTextAreaElement).forEach(count);
  all("input[data-count]", HTMLInputElement).forEach(count);
});

for (const clock of clocks()) learn(clock, cameAt);
showClocks();
setInterval(showClocks, 250);
document.addEventListener("htmx:afterSwap", showClocks);
document.addEventListener("visibilitychange", showClocks);
