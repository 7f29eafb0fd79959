/* "Add to home screen" below my card over HTTPS, from the second visit on, until it is done or dismissed.
   notice.js loads it for who was here before; on the first visit, however many pages that has, it offers nothing. */

import { find, make } from "./dom.js";
import { gettext } from "./words.js";

const DISMISSED = "install-dismissed";

/**
 * @typedef {Event & { prompt: () => Promise<{ outcome: string }> }} InstallPrompt
 */

/** @param {Event} [asks] The browser's own question, kept until the button is pressed; without it the page says how. */
function offer(asks) {
  asks?.preventDefault();
  const tools = find(".card-tools", HTMLElement);
  if (!tools || find("[data-install]", HTMLElement) || localStorage.getItem(DISMISSED)) return;
  const section = make("section", { className: "card" });
  section.dataset.install = "";
  section.setAttribute("aria-labelledby", "install");
  const buttons = make("div", { className: "cluster" });
  if (asks) buttons.append(button(gettext("Add to home screen"), () => ask(section, asks)));
  buttons.append(button(gettext("Not now"), () => dismiss(section)));
  const how = asks
    ? gettext("Your card opens with one tap, without searching for the page.")
    : gettext("In Safari, tap Share, then “Add to Home Screen”: your card opens with one tap.");
  section.append(make("h2", { id: "install", textContent: gettext("Keep your card at hand") }));
  section.append(make("p", { textContent: how }), buttons);
  tools.before(section);
}

/** @type {(label: string, press: () => void) => HTMLButtonElement} */
function button(label, press) {
  const made = make("button", { type: "button", className: "button", textContent: label });
  made.addEventListener("click", press);
  return made;
}

/** @type {(section: HTMLElement, asks: Event) => Promise<void>} */
async function ask(section, asks) {
  await /** @type {InstallPrompt} */ (asks).prompt();
  section.remove(); // a browser asks once with each question, whatever the answer is
}

/** @param {HTMLElement} section */
function dismiss(section) {
  localStorage.setItem(DISMISSED, "1");
  section.remove();
}

if (!sessionStorage.getItem("visited")) {
  addEventListener("beforeinstallprompt", offer);
  if ("standalone" in navigator && !navigator.standalone) offer();
}
