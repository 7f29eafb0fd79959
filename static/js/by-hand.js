/* A draft by hand: a player is dragged onto another, onto the bye, or out; with a mouse by the whole row, with a
   finger by its grip, so that the page still scrolls. Without it, two taps do the same. */

import { around, find, make, need } from "./dom.js";

/**
 * `over` and `ghost` once it is more than a press.
 * @typedef {{ seat: HTMLElement, who: string, pointer: number, x: number, y: number, ghost?: HTMLElement,
 *   over?: HTMLElement | null }} Drag
 */

const FAR = 6; // px until a press is a drag
const EDGE = 64; // px from where the page scrolls along
/** @type {Drag | null} */
let drag = null;

const board = () => find("#board", HTMLFormElement);

/**
 * Where the dragged player may be let go, if that is here.
 * @type {(event: PointerEvent, who: string) => HTMLElement | null}
 */
function placeAt({ clientX, clientY }, who) {
  const place = document.elementFromPoint(clientX, clientY)?.closest("#board [data-to]");
  return place instanceof HTMLElement && place.dataset.to !== who ? place : null;
}

document.addEventListener("pointerdown", (event) => {
  const seat = around(event, "#board [data-who]", HTMLElement);
  const isHeld = event.pointerType === "mouse" ? event.button === 0 : around(event, ".seat-grip", Element);
  if (!seat?.dataset.who || !isHeld || !event.isPrimary) return;
  drag = { seat, who: seat.dataset.who, pointer: event.pointerId, x: event.clientX, y: event.clientY };
});

document.addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
  drag.ghost ??= begin(drag, event);
  drag.ghost.style.transform = `translate(${event.clientX + 8}px, ${event.clientY - 24}px)`;
  drag.over?.classList.remove("is-over");
  drag.over = placeAt(event, drag.who);
  drag.over?.classList.add("is-over");
  nearTheEdge(event.clientY);
});

document.addEventListener("pointerup", (event) => {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { ghost, who } = drag;
  const to = ghost && placeAt(event, who)?.dataset.to;
  end();
  if (to) send(who, to);
});

document.addEventListener("pointercancel", end);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (drag) end();
  else document.getElementById("cancel")?.click();
});
document.addEventListener("dragstart", (event) => {
  if (around(event, "#board", Element)) event.preventDefault();
});

/** The picture of the dragged player under the pointer. @type {(drag: Drag, event: PointerEvent) => HTMLElement} */
function begin({ seat }, event) {
  const ghost = /** @type {HTMLElement} */ (seat.cloneNode(true));
  ghost.removeAttribute("id");
  ghost.classList.add("seat-ghost");
  ghost.setAttribute("aria-hidden", "true");
  document.body.append(ghost);
  seat.classList.add("is-dragged");
  board()?.classList.add("is-dragging");
  seat.setPointerCapture?.(event.pointerId);
  return ghost;
}

function end() {
  if (drag?.ghost) {
    drag.ghost.remove();
    drag.seat.classList.remove("is-dragged");
    drag.over?.classList.remove("is-over");
    board()?.classList.remove("is-dragging");
    // The click that follows belongs to the drag.
    document.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 50);
  }
  drag = null;
}

/** @param {Event} event */
function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @param {number} y */
function nearTheEdge(y) {
  if (y < EDGE) scrollBy(0, -12);
  else if (y > innerHeight - EDGE) scrollBy(0, 12);
}

/** As if both were tapped: the fields of the board's own form. @type {(who: string, to: string) => void} */
function send(who, to) {
  const form = need("#board", HTMLFormElement);
  need("[name=who]", HTMLInputElement, form).value = who;
  form.append(make("input", { type: "hidden", name: "to", value: to }));
  form.requestSubmit();
}
