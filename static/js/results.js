/* The fast entry of results: Enter saves a table and goes to the next one, Ctrl+Enter saves all that were typed.
   What is saved goes through the outbox, table by table: without a network it waits on the device, in its row.
   Without this file, Tab and the button do. */
(() => {
  "use strict";

  const form = document.querySelector("form.entry");
  if (!form) return;

  const SOON = 400; // ms until a row that has no answer yet says that it waits

  const fields = (row) => [...row.querySelectorAll("select, input:not([type=hidden])")];
  const isTypable = (row) => fields(row).some((field) => !field.disabled);
  const rowOf = (one) => one.url === location.pathname && one.row && document.getElementById(one.row);
  const make = (tag, facts, ...children) => {
    const element = Object.assign(document.createElement(tag), facts);
    element.append(...children);
    return element;
  };

  function isChanged(row) {
    if ("wrong" in row.dataset) return isTypable(row);
    return fields(row).some((field) => {
      if (field.disabled) return false;
      if (field.type === "checkbox") return field.checked !== field.defaultChecked;
      if (field.matches("select")) return [...field.options].some((one) => one.selected !== one.defaultSelected && one.value);
      return field.value !== field.defaultValue;
    });
  }

  /** The row is on its way from here on; its fields rest until there is an answer. */
  function send(row, more = {}) {
    const inputs = [...row.querySelectorAll("select, input")].filter((field) => field.type !== "checkbox" || field.checked);
    const body = new URLSearchParams([...inputs.map((field) => [field.name, field.value]), ...Object.entries(more)]);
    return window.outbox.add({ url: location.pathname, body: String(body), say: row.dataset.say, row: row.id });
  }

  // ── What waits, in its row ─────────────────────────────────────────────────────────────────────────────

  const labels = new WeakMap(); // what a row says of its waiting

  function wait(row, one) {
    const typed = new URLSearchParams(one.body);
    for (const field of row.querySelectorAll("select, input")) {
      if (field.type === "checkbox") field.checked = typed.has(field.name);
      else field.value = typed.get(field.name) ?? field.value;
    }
    fields(row).forEach((field) => (field.disabled = true));
    row.dataset.waiting = "";
    const back = make("button", { type: "button", className: "link-button", textContent: "Change it" });
    back.addEventListener("click", () => {
      window.outbox.remove(one.id);
      rest(row);
      fields(row)[0].focus();
    });
    const line = make("p", { className: "entry-waiting" }, make("span", {}), " ", back);
    line.setAttribute("role", "status");
    labels.set(row, line.firstChild);
    setTimeout(() => labels.get(row) === line.firstChild && row.append(line), SOON);
  }

  function rest(row) {
    delete row.dataset.waiting;
    labels.delete(row);
    row.querySelector(".entry-waiting")?.remove();
    fields(row).forEach((field) => (field.disabled = false));
  }

  function show(entries) {
    for (const one of entries.filter((other) => !other.why && rowOf(other))) {
      const row = rowOf(one);
      if (!("waiting" in row.dataset)) wait(row, one);
      const at = new Date(one.at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
      const what = { "sign-in": "Kept here until you sign in", page: "Kept here until the page is loaded again" }[one.needs];
      labels.get(row).textContent = `${what || "Waiting for the network"} (${at}).`;
    }
  }

  document.addEventListener("outbox", ({ detail }) => show(detail));

  document.addEventListener("outbox:answer", ({ detail }) => {
    const isFocused = rowOf(detail).contains(document.activeElement);
    htmx.swap(rowOf(detail), detail.text, { swapStyle: "outerHTML" });
    if (isFocused) rowOf(detail).querySelector("select, a").focus();
    if (isLeaving && !form.querySelector("[data-waiting]")) leave();
  });

  // ── Keys and buttons ───────────────────────────────────────────────────────────────────────────────────

  let isLeaving = false; // when all is saved, back to the desk

  function leave() {
    isLeaving = false;
    const wrong = form.querySelector(".entry-row[data-wrong]");
    if (wrong) (fields(wrong)[0] || wrong.querySelector("button")).focus();
    else if (!form.querySelector(".entry-row:not([data-saved])")) location.assign(form.dataset.desk);
  }

  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    const row = button?.closest(".entry-row");
    const changed = row ? [row] : [...form.querySelectorAll(".entry-row")].filter(isChanged);
    if (button?.name === "preview" || !(changed.length || form.querySelector("[data-waiting]"))) return;
    isLeaving = !row;
    const isKept = changed.every((one) => send(one, row ? { [button.name]: button.value } : {}));
    if (isKept) event.preventDefault();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.closest?.(".entry")) return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      return form.requestSubmit();
    }
    const row = event.target.closest(".entry-row");
    if (!row || event.target.matches("a, button")) return;
    event.preventDefault();
    const rows = [...form.querySelectorAll(".entry-row")];
    const next = rows.slice(rows.indexOf(row) + 1).find(isTypable);
    (next ? fields(next)[0] : form.querySelector(".action-bar button")).focus();
    if (isChanged(row)) send(row);
  });

  document.addEventListener("focusin", (event) => {
    if (event.target.matches(".entry-row input[inputmode]")) event.target.select();
  });

  // What was refused while this page was closed is asked again, so that its row shows both versions.
  for (const one of window.outbox.read()) {
    if (one.why && rowOf(one)) window.outbox.add({ url: one.url, body: one.body, say: one.say, row: one.row });
  }
  show(window.outbox.read());
})();
