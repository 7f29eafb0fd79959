/* The fast entry of results: Enter goes to the next table, Ctrl+Enter saves all. Without it, Tab and the button do. */
(() => {
  "use strict";

  const fields = (row) => row.querySelectorAll("select, input:not([type=hidden])");

  document.addEventListener("keydown", (event) => {
    const form = event.target.closest?.(".entry");
    if (event.key !== "Enter" || event.isComposing || !form) return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      return form.requestSubmit();
    }
    const row = event.target.closest(".entry-row");
    if (!row || event.target.matches("a")) return;
    event.preventDefault();
    const rows = [...form.querySelectorAll(".entry-row")].filter((other) => fields(other).length);
    const next = rows[rows.indexOf(row) + 1];
    (next ? fields(next)[0] : form.querySelector("button")).focus();
  });

  document.addEventListener("focusin", (event) => {
    if (event.target.matches(".entry-row input[inputmode]")) event.target.select();
  });
})();
