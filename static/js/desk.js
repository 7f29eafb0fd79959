/* The tables at the desk: with a table's link focused, S records that its fleets are signed on paper.
   Without it, the button does. */
(() => {
  "use strict";

  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "s" || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.matches?.("input, select, textarea")) return;
    const form = event.target.closest?.(".pairing")?.querySelector("form[data-key=s]");
    if (!form) return;
    event.preventDefault();
    form.requestSubmit();
  });

  // Back from there, the next table that is not signed is in the address: go on from it.
  if (location.hash.startsWith("#table-")) document.getElementById(location.hash.slice(1))?.focus();
})();
