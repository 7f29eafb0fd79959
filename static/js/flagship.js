/* Progressive enhancement only: every page works without this file.
   Clocks, questions before an act, auto-submit, copy, the network line, and Enter as "next field". */
(() => {
  "use strict";

  const twoDigits = (number) => String(number).padStart(2, "0");
  const say = (number, unit) => `${number} ${unit}${number === 1 ? "" : "s"}`;

  // ── Clocks ─────────────────────────────────────────────────────────────────────────────────────────────
  // <time class="clock" data-ends-at="ms" data-server-now="ms" data-paused-seconds="">; see docs/design.md.

  // How far the server's clock is ahead of this one, in ms. A slow network or a page out of the browser's cache
  // only makes the server look late, so the largest difference seen is the truest; the tab remembers it.
  const known = sessionStorage.getItem("server-ahead");
  let ahead = known === null ? -Infinity : Number(known);
  const read = new WeakSet();

  // When this page came from the server; the worker says so of one that it kept.
  const cameAt = Number(document.querySelector("[data-kept-at]")?.dataset.keptAt) || Date.now();

  function learn(clock, answeredAt) {
    if (read.has(clock)) return;
    read.add(clock);
    const seen = Number(clock.dataset.serverNow) - answeredAt;
    if (!clock.dataset.serverNow || seen <= ahead) return;
    ahead = seen;
    sessionStorage.setItem("server-ahead", ahead);
  }

  function secondsLeft(clock) {
    if (clock.dataset.pausedSeconds) return Number(clock.dataset.pausedSeconds);
    const now = Date.now() + (Number.isFinite(ahead) ? ahead : 0);
    return Math.max(0, Math.ceil((Number(clock.dataset.endsAt) - now) / 1000));
  }

  function phaseOf(clock, seconds) {
    if (clock.dataset.pausedSeconds) return "paused";
    if (seconds === 0) return "over";
    if (seconds <= 60) return "last-minute";
    return seconds <= 600 ? "last-ten" : "running";
  }

  function spoken(phase, seconds) {
    if (phase === "over") return "Time";
    const minutes = Math.floor(seconds / 60);
    const left = phase === "last-minute" ? "Less than a minute left" : `${say(minutes, "minute")} left`;
    return phase === "paused" ? `Paused, ${left}` : left;
  }

  function set(element, attribute, value) {
    if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
  }

  function show(clock) {
    const seconds = secondsLeft(clock);
    const phase = phaseOf(clock, seconds);
    const text = phase === "over" ? "Time" : `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
    if (clock.textContent !== text) clock.textContent = text;
    set(clock, "data-phase", phase);
    set(clock, "role", "timer");
    set(clock, "aria-label", spoken(phase, seconds));
  }

  const clocks = () => document.querySelectorAll(".clock[data-ends-at]");

  function showClocks() {
    const now = Date.now();
    clocks().forEach((clock) => learn(clock, now));
    clocks().forEach(show);
  }

  // ── Ask before it is done: <button data-confirm="Drop Vor? …"> ─────────────────────────────────────────

  function ask(button) {
    const dialog = document.createElement("dialog");
    dialog.className = "dialog";
    dialog.setAttribute("aria-labelledby", "dialog-question");
    const question = document.createElement("p");
    question.id = "dialog-question";
    question.textContent = button.dataset.confirm;
    const form = document.createElement("form");
    form.method = "dialog";
    form.className = "form-actions";
    const no = Object.assign(document.createElement("button"), { className: "button", textContent: "Cancel" });
    const yes = Object.assign(document.createElement("button"), {
      className: button.matches(".button-danger") ? "button button-primary button-danger" : "button button-primary",
      textContent: button.dataset.confirmLabel || button.textContent.trim(),
      value: "yes",
    });
    form.append(no, yes);
    dialog.append(question, form);
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
      const button = event.target.closest?.("[data-confirm]");
      if (!button || "confirmed" in button.dataset || !window.HTMLDialogElement) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const form = button.form;
      if (!form || form.noValidate || button.formNoValidate || form.reportValidity()) ask(button);
    },
    true,
  );

  // ── Send the form when a choice changes: <form data-autosubmit> or <input data-autosubmit> ─────────────

  document.addEventListener("change", (event) => {
    if (event.target.closest("[data-autosubmit]")) event.target.form?.requestSubmit();
  });

  // ── Pressed twice is pressed once: the answer to the first is what people want to see ──────────────────

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || form.matches("[hx-post], [data-outbox]")) return;
    const before = Number(form.dataset.sentAt || 0);
    if (Date.now() - before < 1500) return event.preventDefault();
    form.dataset.sentAt = Date.now();
  });

  // ── A form that is shown again by the way back is another one: <input data-once> gets a key of its own ────

  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  addEventListener("pageshow", (event) => {
    const [way] = performance.getEntriesByType("navigation");
    if (!event.persisted && way?.type !== "back_forward") return;
    document.querySelectorAll("[data-once]").forEach((field) => (field.value = newKey()));
  });

  // ── Copy: <button data-copy="text"> ────────────────────────────────────────────────────────────────────

  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
    document.body.append(field); // a plain http address in the store has no clipboard API
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("copy refused");
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const label = button.querySelector("[data-copy-label]") || button;
    const before = label.textContent;
    try {
      await copy(button.dataset.copy);
      label.textContent = "Copied";
    } catch {
      label.textContent = "Could not copy";
    }
    button.setAttribute("aria-live", "polite");
    button.focus();
    setTimeout(() => (label.textContent = before), 2000);
  });

  // ── The network line ───────────────────────────────────────────────────────────────────────────────────

  // When a page that the worker shows as it was kept is of, in ms; 0 as soon as it is known how things stand now.
  function keptAt() {
    return Number(document.querySelector(".network")?.dataset.keptAt || 0);
  }

  let knownAt = new Date(cameAt);

  function networkLine(sentence) {
    let line = document.querySelector(".network");
    if (!sentence) return line?.remove();
    if (!line) {
      line = Object.assign(document.createElement("p"), { className: "network" });
      line.setAttribute("role", "status");
      document.body.prepend(line);
    }
    if (line.textContent !== sentence) line.textContent = sentence;
  }

  function lost(event) {
    const status = event.detail?.xhr?.status || 0;
    const failure = event.detail?.xhr?.getResponseHeader("X-Failure");
    const code = failure ? `${status}, number ${failure}` : status;
    const type = event.detail?.xhr?.getResponseHeader("Content-Type");
    const isPlain = [429, 503].includes(status) && type?.startsWith("text/plain");
    const says = isPlain ? event.detail.xhr.responseText : `The desk could not do that just now (${code}).`;
    const what = status === 0 ? "Not connected." : says;
    const time = `${knownAt.getHours()}:${twoDigits(knownAt.getMinutes())}`;
    const own = document.querySelector("[data-lost]")?.dataset.lost; // a page without anything to type has its own words
    networkLine(own ? own.replace("{time}", time) : `${what} Showing what was known at ${time}; nothing you typed is lost.`);
  }

  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) document.addEventListener(name, lost);

  document.addEventListener("htmx:afterRequest", (event) => {
    const status = event.detail.xhr?.status || 0;
    if (status < 200 || (status >= 400 && status !== 422)) return;
    if (keptAt() && !event.detail.target.matches("[data-live]")) return;
    knownAt = new Date();
    networkLine(null);
  });

  // The worker showed a kept page, and hands on how it is now; nothing without an answer, so that the page asks.
  navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    const now = new DOMParser().parseFromString(data || "", "text/html");
    const part = document.querySelector("[data-live]");
    const fresh = part && now.getElementById(part.id);
    if (!fresh) return part?.dispatchEvent(new CustomEvent("news"));
    for (const name of [".page-header", ".tabs"]) {
      const line = document.querySelector(name);
      if (line) line.replaceWith(now.querySelector(name) || "");
    }
    knownAt = new Date();
    networkLine(null);
    htmx.swap(part, fresh.outerHTML, { swapStyle: "outerHTML" });
  });

  // ── How far a file has come: a <progress> in the form; without a value while the server works on it ─────

  document.addEventListener("htmx:xhr:progress", ({ target, detail }) => {
    const bar = target.querySelector?.("progress");
    if (!bar || !detail.lengthComputable) return;
    if (detail.loaded < detail.total) bar.value = detail.loaded / detail.total;
    else bar.removeAttribute("value");
  });

  // ── Fast entry: Enter goes to the next field, Ctrl+Enter sends ─────────────────────────────────────────

  function fastFields(form) {
    return [...form.elements].filter((field) => {
      if (!field.matches("input, select, textarea, button:not([type='button'])")) return false;
      if (field.closest("[data-enter-skip]") && field !== document.activeElement) return false;
      if (field.disabled || !field.getClientRects().length || !field.closest("[data-enter-next]")) return false;
      if (field.type !== "radio") return true;
      const group = [...form.querySelectorAll(`[type="radio"][name="${CSS.escape(field.name)}"]`)];
      return field === (group.find((radio) => radio.checked) || group[0]);
    });
  }

  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key !== "Enter" || event.isComposing || !field.form || !field.closest("[data-enter-next]")) return;
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
    next.select?.();
  });

  // ── The time zone of this device, where none is typed yet: <input data-time-zone> ──────────────────────

  document.querySelectorAll("[data-time-zone]").forEach((field) => {
    field.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  });

  // ── A row of links that is longer than the screen begins where one is ──────────────────────────────────

  for (const here of document.querySelectorAll(":is(.app-nav, .tabs) > [aria-current]")) {
    const [row, link] = [here.parentElement, here.getBoundingClientRect()];
    row.scrollLeft = link.left - row.getBoundingClientRect().left - (row.clientWidth - link.width) / 2;
  }

  // ── How many characters are left: <textarea maxlength data-count> ──────────────────────────────────────

  function count(field) {
    const left = field.maxLength - field.value.length;
    const line = field.parentElement.querySelector("[data-left]") || document.createElement("p");
    line.className = "hint";
    line.dataset.left = left;
    line.textContent = `${say(left, "character")} left`;
    field.after(line);
  }

  document.addEventListener("input", ({ target }) => target.matches?.("[data-count]") && count(target));
  document.querySelectorAll("[data-count]").forEach(count);

  // ── A page that could not be shown just now asks again: <div data-again="seconds"> ─────────────────────

  const away = document.querySelector("[data-again]");

  async function askAgain() {
    const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
    if (answer && answer.status !== 503) location.reload();
    else setTimeout(askAgain, away.dataset.again * 1000);
  }

  if (away) setTimeout(askAgain, away.dataset.again * 1000);

  // ── Start ──────────────────────────────────────────────────────────────────────────────────────────────

  clocks().forEach((clock) => learn(clock, cameAt));
  showClocks();
  setInterval(showClocks, 250);
  document.addEventListener("htmx:afterSwap", showClocks);
  document.addEventListener("visibilitychange", showClocks);
})();
