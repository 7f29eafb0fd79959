/* The page of roll-offs and scenarios: dice rolled here or typed hand by hand, and what they decide (scenario-dice.js).
 */

import * as dice from "./dice.js";
import { all, around, find, make, need } from "./dom.js";
import {
  afterPress,
  button,
  complain,
  copy,
  form,
  hide,
  layDice,
  linkTo,
  onPress,
  part,
  picture,
  remember,
  say,
  showKeys,
  whole,
} from "./judge-panel.js";
import { diceInWords, played, playedByHand, rest } from "./scenario-dice.js";
import { format, gettext } from "./words.js";

/** @typedef {import("./scenario-dice.js").Played} Played */
/** @typedef {import("./scenario-dice.js").Hand} Hand */
/** @typedef {import("./judge-panel.js").Key} Key */

const links = all(".judge-procedures a", HTMLAnchorElement);
const boxes = all("fieldset[data-procedure]", HTMLFieldSetElement, form);

let what = "";
let seed = "";
/** @type {string[] | null} */
let typedHands = null; // the hands typed so far, in letters; null while the software rolls
let hand = "";

// ── What is asked ──────────────────────────────────────────────────────────────────────────────────────────

const box = () => boxes.find((one) => one.dataset.procedure === what) ?? boxes[0];
const fields = () => all("input", HTMLInputElement, box());

/** @param {string | null | undefined} chosen */
function choose(chosen) {
  what = chosen && boxes.some((one) => one.dataset.procedure === chosen) ? chosen : (boxes[0].dataset.procedure ?? "");
  need("[name=what]", HTMLInputElement, form).value = what;
  for (const one of boxes) one.hidden = one.disabled = one !== box();
  for (const link of links) {
    if (link.dataset.what === what) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  need("[data-title]", HTMLElement).textContent = box().dataset.title ?? "";
  links.find((link) => link.dataset.what === what)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** @param {URLSearchParams} asked */
function fill(asked) {
  choose(asked.get("what"));
  for (const field of fields()) field.value = asked.get(field.name) ?? field.defaultValue;
  typedHands = asked.get("by") === "hand" ? asked.getAll("thrown").map((one) => one.toLowerCase()) : null;
  hand = typedHands ? asked.get("hand") || "" : "";
  seed = typedHands ? "" : (asked.get("seed") || "").trim();
}

/** What was typed; a name that is left empty is called by its label. */
function facts() {
  /** @param {HTMLInputElement} field */
  const value = (field) => (field.type === "number" ? whole(field.value) : field.value.trim() || field.placeholder);
  return Object.fromEntries(fields().map((field) => [field.name, value(field)]));
}

function complaints() {
  const numbers = fields().filter((field) => field.type === "number");
  const wrong = numbers.filter(({ value, min, max }) => !(whole(value) >= Number(min) && whole(value) <= Number(max)));
  return wrong.map(({ labels, min: least, max: most }) => {
    const says = format(gettext("Enter a whole number from {least} to {most}."), { least, most });
    return `${labels?.[0].textContent.trim()}: ${says}`;
  });
}

function address() {
  const asked = new URLSearchParams({ what });
  for (const field of fields()) if (field.value) asked.append(field.name, field.value);
  if (typedHands) {
    asked.append("by", "hand");
    for (const one of typedHands) asked.append("thrown", one);
    if (hand) asked.append("hand", hand);
  } else if (seed) asked.append("seed", seed);
  return asked;
}

// ── The answer ─────────────────────────────────────────────────────────────────────────────────────────────

/** What there is so far; null before anything was rolled. @returns {Played | null} */
function playedNow() {
  if (typedHands) return playedByHand(what, facts(), typedHands);
  return seed ? played(what, facts(), seed) : null;
}

function show(isTyping = false) {
  const wrong = complaints();
  complain(wrong, isTyping);
  if (wrong.length) return;
  const found = playedNow();
  if (typedHands && found) typedHands = typedHands.slice(0, found.rolls.flat().length);
  const next = found?.next ?? null;
  hand = next ? dice.fitting(hand, next.die).slice(0, next.dice) : "";
  const { title = "", says = "" } = box().dataset;
  say("name", next ? format(gettext("Roll {number}"), { number: next.number }) : title);
  say("total", next ? next.who : (found?.outcome?.sentence ?? says));
  hide("sum", !next);
  if (next) say("sum", `${diceInWords(next.die, next.dice)} · ${gettext("Tap the faces on the table.")}`);
  showTyping(next);
  showButtons(found);
  showRolls(found);
}

/** @param {Played["next"]} next */
function showTyping(next) {
  hide("typing", !next);
  const faces = (next && dice.written(hand, next.die)) ?? [];
  const lying = faces.map((face) => ({ face, isWanted: face === next?.face }));
  layDice(lying, "take", next ? next.dice - faces.length : 0);
  if (!next) return;
  showKeys(next.die);
  say("rest", rest(next, hand));
}

/** @param {Played | null} found */
function showButtons(found) {
  const roll = typedHands ? gettext("Roll here") : gettext("Roll");
  say("roll", seed ? gettext("Roll again") : roll);
  button("roll").classList.toggle("button-signal", !typedHands);
  button("back", "1").hidden = !typedHands?.length;
  button("back", "all").hidden = !typedHands || !found?.outcome;
  button("by").hidden = Boolean(typedHands);
  hide("seeded", !seed);
  hide("typed", !typedHands);
  say("seed", seed);
  hide("steps", !found?.rolls.length && !found?.outcome);
}

/** @param {Played | null} found */
function showRolls(found) {
  const how = found?.outcome?.how ?? [];
  hide("how", !how.length);
  part("how").replaceChildren(...how.map((textContent) => make("li", { textContent })));
  const rolls = found?.rolls ?? [];
  part("rolls").replaceChildren(
    ...rolls.map((hands, at) => {
      const place = copy("one-roll");
      const heading = need("h2", HTMLElement, place);
      heading.textContent = format(gettext("Roll {number}"), { number: at + 1 });
      heading.hidden = rolls.length < 2;
      need(".rolls", HTMLElement, place).replaceChildren(...hands.map(shownHand));
      return place;
    }),
  );
}

/** @param {Hand} hand */
function shownHand({ who, die, faces, face, counted }) {
  const place = copy("hand");
  const shown = {
    "[data-who]": who,
    "[data-what]": diceInWords(die, faces.length),
    ".roll-count": counted,
  };
  for (const [selector, text] of Object.entries(shown)) need(selector, HTMLElement, place).textContent = text;
  const list = need(".dice", HTMLElement, place);
  list.setAttribute("aria-label", format(gettext("{name}’s dice"), { name: who }));
  list.replaceChildren(
    ...faces.map((one) => {
      const lying = copy("hand-die");
      lying.classList.toggle("is-counted", one === face);
      lying.classList.toggle("is-other", one === "other");
      need(".visually-hidden", HTMLElement, lying).textContent = dice.nameOf(one);
      picture(lying, one);
      return lying;
    }),
  );
  return place;
}

// ── What is pressed ────────────────────────────────────────────────────────────────────────────────────────

/** @type {(letters: string, isAll?: boolean) => void} */
function typed(letters, isAll = false) {
  const next = typedHands && playedByHand(what, facts(), typedHands).next;
  if (!typedHands || !next) return;
  hand = dice.fitting(letters, next.die);
  if (!isAll && hand.length < next.dice) return;
  typedHands.push(hand);
  hand = "";
}

/** @param {Key} key */
const tap = (key) => typed(afterPress(hand, key));

/** @type {Record<string, (key: Key) => void>} */
const PRESSED = {
  roll: () => {
    [seed, typedHands, hand] = [dice.newSeed(), null, ""];
  },
  by: () => {
    [seed, typedHands, hand] = ["", [], ""];
  },
  back: ({ value }) => {
    [typedHands, hand] = [value === "all" ? [] : (typedHands ?? []).slice(0, -1), ""];
  },
  rest: () => typed(hand, true),
  lay: tap,
  take: tap,
};

function showAndRemember(isTyping = false) {
  show(isTyping);
  remember(address());
}

onPress((key) => {
  if (key) PRESSED[key.name]?.(key);
  showAndRemember();
});
for (const kind of ["input", "change"]) form.addEventListener(kind, () => showAndRemember(kind === "input"));
find(".judge-procedures", HTMLElement)?.addEventListener("click", (event) => {
  const link = around(event, "a", HTMLAnchorElement);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  choose(link.dataset.what);
  [seed, typedHands, hand] = ["", null, ""];
  showAndRemember();
});

fill(new URLSearchParams(location.search));
if (!form.querySelector(".error-summary")) {
  show();
  linkTo(location.href);
}
