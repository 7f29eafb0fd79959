/* The clock from the keyboard: its buttons without another page, so that the place on this one is kept. What happened
   is said politely, below the clock. */

import { find, make } from "./dom.js";
import { gettext } from "./words.js";

let isBusy = false;

/** @param {HTMLButtonElement} button */
function said(button) {
  if (button.id === "clock-plus-1") return gettext("1 minute added.");
  if (button.id === "clock-minus-1") return gettext("1 minute taken off.");
  return button.id === "clock-pause" ? gettext("Clock paused.") : gettext("Clock started.");
}

/** The line below the clock, there before it says anything, so that it is heard. */
function line() {
  const there = find("#clock-said", HTMLElement);
  if (there) return there;
  const made = make("p", { id: "clock-said", className: "hint" });
  made.setAttribute("role", "status");
  find("#clock", HTMLElement)?.after(made);
  return made;
}

/** Presses that button of the clock. @param {HTMLButtonElement} button */
export async function press(button) {
  const { form } = button;
  if (!form || isBusy) return;
  isBusy = true;
  const [tells, says] = [line(), said(button)];
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form, button) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [old, now] = [find("#clock", HTMLElement), page.getElementById("clock")];
    const isDone = answer.ok && answer.redirected && old && now;
    if (isDone) htmx.swap(old, now.outerHTML, { swapStyle: "outerHTML" });
    const why = page.querySelector("[data-why], .errorlist li")?.textContent?.trim();
    tells.textContent = isDone ? says : why || gettext("Nothing changed. Reload this page.");
  } catch {
    tells.textContent = gettext("Not connected.");
  } finally {
    isBusy = false;
  }
}
