/* A draft by hand: a player is dragged onto another, onto the bye, or out; with a mouse by the whole row, with a
   finger by its grip, so that the page still scrolls. Without it, two taps do the same. */
(() => {
  "use strict";

  const FAR = 6; // px until a press is a drag
  let drag = null;

  const board = () => document.getElementById("board");
  const placeAt = (event) => {
    const place = document.elementFromPoint(event.clientX, event.clientY)?.closest("#board [data-to]");
    return place && place.dataset.to !== drag.who ? place : null;
  };

  document.addEventListener("pointerdown", (event) => {
    const seat = event.target.closest?.("#board [data-who]");
    const isHeld = event.pointerType === "mouse" ? event.button === 0 : event.target.closest?.(".seat-grip");
    if (!seat || !isHeld || !event.isPrimary) return;
    drag = { seat, who: seat.dataset.who, pointer: event.pointerId, x: event.clientX, y: event.clientY };
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    if (!drag.ghost) begin(event);
    drag.ghost.style.transform = `translate(${event.clientX + 8}px, ${event.clientY - 24}px)`;
    drag.over?.classList.remove("is-over");
    drag.over = placeAt(event);
    drag.over?.classList.add("is-over");
    nearTheEdge(event.clientY);
  });

  document.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const { ghost, who } = drag;
    const place = ghost && placeAt(event);
    end();
    if (place) send(who, place.dataset.to);
  });

  document.addEventListener("pointercancel", end);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (drag) end();
    else document.getElementById("cancel")?.click();
  });
  document.addEventListener("dragstart", (event) => {
    if (event.target.closest?.("#board")) event.preventDefault();
  });

  function begin(event) {
    drag.ghost = drag.seat.cloneNode(true);
    drag.ghost.removeAttribute("id");
    drag.ghost.classList.add("seat-ghost");
    drag.ghost.setAttribute("aria-hidden", "true");
    document.body.append(drag.ghost);
    drag.seat.classList.add("is-dragged");
    board().classList.add("is-dragging");
    drag.seat.setPointerCapture?.(event.pointerId);
  }

  function end() {
    if (drag?.ghost) {
      drag.ghost.remove();
      drag.seat.classList.remove("is-dragged");
      drag.over?.classList.remove("is-over");
      board()?.classList.remove("is-dragging");
      // The click that follows belongs to the drag.
      const swallow = (event) => (event.preventDefault(), event.stopImmediatePropagation());
      document.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 50);
    }
    drag = null;
  }

  function nearTheEdge(y) {
    const edge = 64;
    if (y < edge) scrollBy(0, -12);
    else if (y > innerHeight - edge) scrollBy(0, 12);
  }

  // As if both were tapped: the fields of the board's own form.
  function send(who, to) {
    const form = board();
    form.elements.who.value = who;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "to", value: to });
    form.append(field);
    form.requestSubmit();
  }
})();
