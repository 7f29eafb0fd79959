/* The Talon power record: classes that somebody typed are kept in this browser, and offered beside the one that ships. */
(() => {
  "use strict";

  const KEY = "talon-classes";
  const find = (selector) => document.querySelector(selector);

  function kept() {
    try {
      const classes = JSON.parse(localStorage.getItem(KEY) || "[]");
      return Array.isArray(classes) ? classes.filter((one) => one?.name && one?.curves) : [];
    } catch {
      return []; // a browser that keeps nothing, or something that is not ours
    }
  }

  function keep(classes) {
    try {
      localStorage.setItem(KEY, JSON.stringify(classes));
      return true;
    } catch {
      return false;
    }
  }

  function chip({ name, curves }) {
    const row = Object.assign(document.createElement("span"), { className: "talon-chip" });
    const link = Object.assign(document.createElement("a"), { className: "button", textContent: name });
    link.href = `?${new URLSearchParams({ name, curves })}`;
    const drop = Object.assign(document.createElement("button"), { type: "button", className: "button button-quiet button-icon", textContent: "×" });
    drop.setAttribute("aria-label", `Forget ${name}`);
    drop.addEventListener("click", () => {
      keep(kept().filter((one) => one.name !== name));
      show(`${name} is forgotten.`);
    });
    row.append(link, drop);
    return row;
  }

  function show(said = "") {
    find("[data-kept-classes]")?.replaceChildren(...kept().map(chip));
    const row = find("[data-keep-row]");
    if (row) row.hidden = false;
    if (said) find("[data-keep-said]").textContent = said;
  }

  function keepThis() {
    const [name, curves] = ["#id_name", "#id_curves"].map((field) => find(field).value.trim());
    if (!name || find("#record .error-summary")) return show("First put right what does not fit.");
    const classes = [...kept().filter((one) => one.name !== name), { name, curves }];
    show(keep(classes.sort((one, other) => one.name.localeCompare(other.name))) ? `${name} is kept.` : "This browser keeps nothing. Copy the link instead.");
  }

  // What stood beside the fields was said about what they held before; the record says how it is now.
  function forgetErrors() {
    document.querySelectorAll("#ship .errorlist").forEach((said) => said.remove());
    document.querySelectorAll("#ship [aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keep-class]")) keepThis();
  });
  // What was pressed is gone with the moment it belonged to: go on reading at the new one.
  document.addEventListener("htmx:afterSettle", ({ target }) => {
    show();
    if (target.id === "record") forgetErrors();
    if (target.id === "talon" && document.activeElement === document.body) find("#moment")?.focus();
  });
  show();
})();
