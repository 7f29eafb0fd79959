/* The numbers of a report, a step at a time: − and + beside a field, and its arrow keys; the first is ready to be typed
   once a tap said how it ended. Without this file they are typed, and css/report.css shows no buttons. */

import { all, around, find } from "./dom.js";
import { firstEmpty } from "./outbox.js";

/**
 * One more or one less than there is; from an empty field, all that there can be, or nothing.
 * @type {(stepper: HTMLElement, step: number) => void}
 */
function go(stepper, step) {
  const field = find("input", HTMLInputElement, stepper);
  if (!field) return;
  const most = Number(stepper.dataset.most);
  const now = field.value.trim() ? Number(field.value) : NaN;
  const first = step < 0 ? most : 0;
  field.value = String(Number.isNaN(now) ? first : Math.min(most, Math.max(0, now + step)));
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const button = around(event, ".stepper [data-step]", HTMLElement);
  const stepper = button?.closest(".stepper");
  if (button && stepper instanceof HTMLElement) go(stepper, Number(button.dataset.step));
});

const KEYS = { ArrowUp: 1, ArrowDown: -1 };

document.addEventListener("keydown", (event) => {
  const step = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
  const stepper = step && around(event, ".stepper", HTMLElement);
  if (!stepper || around(event, "button", HTMLElement)) return;
  event.preventDefault();
  go(stepper, step);
});

let isTapped = false;

for (const [touch, is] of /** @type {[string, boolean][]} */ ([
  ["pointerdown", true],
  ["keydown", false],
])) {
  document.addEventListener(touch, () => {
    isTapped = is;
  });
}

// A tap says how it ended, and the number that it asks for is typed without another; keys go on among the choices.
document.addEventListener("click", (event) => {
  if (!isTapped || !around(event, ".report-form [name=ending]", HTMLInputElement)) return;
  const asked = all(".report-form .numbers input", HTMLInputElement).find((one) => one.checkVisibility());
  if (asked && !asked.value) asked.focus();
});

/** The forms that were sent as they were: from then on, what they lack is said while it lacks. */
const sent = new WeakSet();

document.addEventListener("submit", (event) => {
  if (event.target) sent.add(event.target);
});

document.addEventListener("input", (event) => {
  const form = around(event, "form", HTMLFormElement);
  if (form && sent.has(form)) firstEmpty(form);
});
