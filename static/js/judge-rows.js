/* The calculators of the judge's desk while somebody types: fields that the chosen value has, and rows that are added and taken
   away on the device. Without this file the server does it. */
(() => {
  "use strict";

  const form = document.getElementById("calculator");

  // ── <div data-kinds="primary agility">: shown for these values alone; "all" are all but "cost" ────────

  function offer() {
    const { where, value, die } = form.elements;
    const kind = where?.value || (value || die).value;
    form.querySelectorAll("[data-kinds]").forEach((part) => {
      const kinds = part.dataset.kinds.split(" ");
      part.hidden = !(kinds.includes(kind) || (kinds.includes("all") && kind !== "cost"));
      if (part.matches("fieldset")) part.disabled = part.hidden;
    });
  }

  // ── <div data-rows="modifier">: an empty row at the end, and numbers that go from 1 ─────────────────────

  const isEmpty = (row) => [...row.querySelectorAll("input")].every((field) => !field.value);

  function addRow(list) {
    const row = list.lastElementChild.cloneNode(true);
    row.querySelectorAll("input").forEach((field) => (field.value = ""));
    list.append(row);
    number(list);
    return row;
  }

  function number(list) {
    [...list.children].forEach((row, place) => {
      const [many, label] = row.querySelectorAll("input");
      const name = `${list.dataset.rows} ${place + 1}`;
      many.id = `${many.name}-${place}`;
      label.id = `${label.name}-${place}`;
      many.setAttribute("aria-label", name[0].toUpperCase() + name.slice(1));
      label.setAttribute("aria-label", `What ${name} comes from`);
      const button = row.querySelector("button");
      if (!button) return;
      button.value = place;
      button.setAttribute("aria-label", `Remove ${name}`);
    });
  }

  function keepOneEmpty() {
    form.querySelectorAll("[data-rows]").forEach((list) => {
      if (list.children.length < Number(list.dataset.most) && !isEmpty(list.lastElementChild)) addRow(list);
    });
  }

  form.addEventListener("click", (event) => {
    const button = event.target.closest("[name='add'], [name='without']");
    if (!button) return;
    event.preventDefault();
    const list = form.querySelector("[data-rows='modifier']");
    if (button.name === "add") {
      const row = [...list.children].find(isEmpty);
      if (!row) return;
      row.querySelector("input").value = button.textContent.trim();
    } else {
      const row = button.closest(".judge-row");
      const near = row.nextElementSibling || row.previousElementSibling || addRow(list);
      row.remove();
      number(list);
      near.querySelector("input").focus({ preventScroll: true });
    }
    list.dispatchEvent(new Event("input", { bubbles: true }));
  });

  form.addEventListener("input", () => {
    offer();
    keepOneEmpty();
  });
  offer(); // a browser that comes back keeps what was chosen
})();
