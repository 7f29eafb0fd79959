/* What the calculators of the judge's desk share: the page is worked out on the device, with a network or without one,
   and its address says what was asked. Without scripts the server does it all, and its page has every part that is
   filled here. */

import { nameOf } from "./dice.js";
import { all, find, make, need } from "./dom.js";
import { format, gettext } from "./words.js";

export const form = need("#calculator", HTMLFormElement);

/** The part of that name (data-total, data-panel, …). Throws where there is none. @param {string} name */
export const part = (name) => need(`[data-${name}]`, HTMLElement, form);

/** Every part of that name. @param {string} name */
export const parts = (name) => all(`[data-${name}]`, HTMLElement, form);

/** @type {(name: string, text: string) => void} */
export function say(name, text) {
  for (const place of parts(name)) place.textContent = text;
}

/** @type {(name: string, isHidden: boolean) => void} */
export function hide(name, isHidden) {
  for (const place of parts(name)) place.hidden = isHidden;
}

/** What the template of that name holds. @param {string} name @returns {HTMLElement} */
export function copy(name) {
  const { content } = need(`template#${name}`, HTMLTemplateElement);
  return /** @type {HTMLElement} */ (need("*", HTMLElement, content).cloneNode(true));
}

/**
 * Says what is wrong instead of an answer; nothing wrong is an empty list. While somebody types there is only no
 * answer.
 * @type {(sentences: string[], isTyping?: boolean) => void}
 */
export function complain(sentences, isTyping = false) {
  const place = part("complaints");
  const isWrong = sentences.length > 0;
  const isWaiting = isTyping && isWrong;
  part("panel").classList.toggle("is-waiting", isWaiting);
  hide("panel", isWrong && !isWaiting);
  hide("steps", isWrong);
  if (isWaiting) return place.replaceChildren();
  if (!isWrong) {
    for (const line of all(".field-error, .errorlist", Element, form)) line.remove();
    for (const field of all("[aria-invalid]", Element, form)) field.removeAttribute("aria-invalid");
  }
  const said = all("li", HTMLElement, place).map((line) => line.textContent);
  if (sentences.length === said.length && sentences.every((one, at) => said[at] === one)) return;
  place.replaceChildren();
  if (!isWrong) return;
  const summary = make("div", { className: "error-summary" });
  const list = make("ul", {}, ...sentences.map((textContent) => make("li", { textContent })));
  summary.setAttribute("role", "alert");
  summary.append(make("h2", { textContent: place.dataset.complaints }), list);
  place.append(summary);
}

/** Puts what was asked into the address of the page. @param {URLSearchParams} query */
export function remember(query) {
  history.replaceState(history.state, "", `${location.pathname}?${query}`);
  linkTo(location.href);
}

/** @param {string} address */
export function linkTo(address) {
  part("copy").dataset.copy = address;
}

/** @type {(place: Element, face: string) => void} */
export function picture(place, face) {
  const use = need("use", SVGUseElement, place);
  const [sprite] = (use.getAttribute("href") ?? "").split("#");
  use.setAttribute("href", `${sprite}#die-${face.replace(" ", "-")}`);
}

/** @typedef {{ face: string, isWanted?: boolean, roll?: number }} Lying */

/**
 * The dice of the panel, each to `pick` or to `take` away, and those that are missing.
 * @type {(lying: Lying[], use: "pick" | "take", missing?: number) => void}
 */
export function layDice(lying, use, missing = 0) {
  const made = lying.map(({ face, isWanted = false, roll: number = 1 }, place) => {
    const die = copy(`die-${use}`);
    const button = pressed(die);
    button.value = String(place);
    const facts = { number: place + 1, face: nameOf(face), roll: number };
    const first = gettext("Die {number}: {face}");
    const picked = number > 1 ? gettext("Die {number}: {face}, roll {roll}") : first;
    button.setAttribute("aria-label", format(use === "pick" ? picked : gettext("Remove die {number}: {face}"), facts));
    die.classList.toggle("is-wanted", isWanted);
    die.classList.toggle("is-again", number > 1);
    picture(die, face);
    return die;
  });
  const place = part("dice");
  const hadFocus = place.contains(document.activeElement);
  const missed = Array.from({ length: missing }, () => copy("die-missing"));
  place.replaceChildren(need("legend", HTMLElement, place), ...made, ...missed);
  place.hidden = !made.length && !missing;
  if (!hadFocus) return;
  const last = made.at(-1);
  const next = last ? pressed(last) : find(".judge-key", HTMLElement, form);
  next?.focus({ preventScroll: true });
}

/** What is pressed of a die: its tick box, or all of it. @param {HTMLElement} die */
function pressed(die) {
  const tick = find("input", HTMLInputElement, die);
  if (tick) return tick;
  if (die instanceof HTMLButtonElement) return die;
  throw new Error("a die that cannot be pressed");
}

/** @param {string} die */
export function showKeys(die) {
  for (const keys of parts("keys")) keys.hidden = keys.dataset.keys !== die;
}

/** @typedef {{ name: string, value: string }} Key what was pressed: a button of the form */

/** The hand after a key was pressed, or a die taken away. @type {(hand: string, key: Key) => string} */
export function afterPress(hand, { name, value }) {
  if (name === "lay") return hand + value;
  return value === "all" ? "" : hand.slice(0, Number(value)) + hand.slice(Number(value) + 1);
}

/** A whole number, also one with a real minus; NaN where it is none. @param {string} text */
export const whole = (text) =>
  /^[+−-]?\d{1,6}$/.test(text.trim()) ? Number(text.trim().replace("−", "-")) : Number.NaN;

/** @type {(name: string, value?: string) => HTMLButtonElement} */
export const button = (name, value) =>
  need(`button[name="${name}"]${value ? `[value="${value}"]` : ""}`, HTMLButtonElement, form);

/** Calls `press` with the button that sends the form, and nothing is sent. @param {(key: Key | null) => void} press */
export function onPress(press) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    press(event.submitter instanceof HTMLButtonElement ? event.submitter : null);
  });
}
