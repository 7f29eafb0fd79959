/* The page of dice: odds while somebody types, and dice rolled here or typed as they lie on the table (dice.js). */

import * as dice from "./dice.js";
import { all, fieldOf, make } from "./dom.js";
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
  parts,
  remember,
  say,
  showKeys,
  whole,
} from "./judge-panel.js";
import "./judge-rows.js";
import { either, format, gettext, listed, ngettext } from "./words.js";

/** @typedef {dice.Wish & { words: string }} Wished */
/** @typedef {import("./judge-panel.js").Lying} Lying */

const START = "die=attack&dice=4&least=2";
const MOST = 30;
const MOST_AGAIN = 20;
const PLAYER = 1;
/** @type {Record<dice.Die, dice.Face[]>} */
const USUAL = { attack: ["hit", "critical"], defense: ["evade"] };

let seed = "";
/** @type {string[]} */
let again = []; // "0-3": the places that were rolled once more, roll by roll
/** @type {string | null} */
let hand = null; // the letters of dice on the table; null while the software rolls

// ── What is asked ──────────────────────────────────────────────────────────────────────────────────────────

/** @param {string} name */
const typedIn = (name) => fieldOf(form, name).value;
/** @param {dice.Die} die */
const ticks = (die) => all(`[data-kinds="${die}"] [name="face"]`, HTMLInputElement, form);
/** @param {HTMLInputElement} tick */
const wordsOf = (tick) => tick.nextElementSibling?.textContent ?? "";

/** @param {URLSearchParams} asked */
function fill(asked) {
  const params = asked.size ? asked : new URLSearchParams(START);
  const said = params.get("die") ?? "";
  const die = said in USUAL ? said : "attack";
  fieldOf(form, "die").value = die;
  for (const name of ["dice", "least"]) fieldOf(form, name).value = params.get(name) ?? "";
  const faces = ticks(die).map((tick) => tick.value);
  const wished = faces.filter((face) => params.getAll("face").includes(face));
  for (const tick of ticks(die)) tick.checked = (wished.length ? wished : USUAL[die]).includes(tick.value);
  hand = params.get("by") === "hand" ? params.get("hand") || "" : null;
  seed = hand === null ? (params.get("seed") || "").trim() : "";
  const places = params.getAll("again").filter((one) => /^\d{1,2}(-\d{1,2})*$/.test(one));
  again = seed ? places.slice(0, MOST_AGAIN) : [];
}

/** A browser that came back, or took every tick away, wishes for the usual. @param {dice.Die} die @returns {Wished} */
function wish(die) {
  const chosen = ticks(die).filter((tick) => tick.checked);
  const shown = chosen.length ? chosen : ticks(die).filter((tick) => USUAL[die].includes(tick.value));
  return { faces: shown.map((tick) => tick.value), words: either(shown.map(wordsOf)), least: whole(typedIn("least")) };
}

function complaints() {
  const most = ngettext("This page rolls up to {count} die.", "This page rolls up to {count} dice.", MOST);
  const many = complaint(typedIn("dice"), most, {
    required: gettext("Enter how many dice."),
    invalid: gettext("Enter a whole number of dice, such as 4."),
    negative: gettext("You can’t roll fewer than 0 dice."),
  });
  const least = complaint(typedIn("least"), most, {
    required: gettext("Enter how many dice must show it."),
    invalid: gettext("Enter a whole number, such as 2."),
    negative: gettext("Enter 0 or more."),
  });
  return [many && `${gettext("Number of dice")}: ${many}`, least && `${gettext("At least")}: ${least}`].filter(Boolean);
}

/** @type {(typed: string, most: string, says: { required: string, invalid: string, negative: string }) => string} */
function complaint(typed, most, { required, invalid, negative }) {
  const number = whole(typed);
  if (!typed.trim()) return required;
  if (!Number.isInteger(number)) return invalid;
  if (number < 0) return negative;
  return number > MOST ? format(most, { count: MOST }) : "";
}

/** @type {(die: dice.Die, faces: dice.Face[]) => URLSearchParams} */
function address(die, faces) {
  const asked = new URLSearchParams({ die, dice: typedIn("dice"), least: typedIn("least") });
  for (const face of faces) asked.append("face", face);
  if (hand !== null) {
    asked.append("by", "hand");
    asked.append("hand", hand);
  } else if (seed) {
    asked.append("seed", seed);
    for (const places of again) asked.append("again", places);
  }
  return asked;
}

// ── What lies there ────────────────────────────────────────────────────────────────────────────────────────

/** @param {string} text */
const places = (text) => text.split("-").map(Number);

/** Each die with its face and the roll it was last in. @type {(die: dice.Die, many: number) => Lying[]} */
function rolled(die, many) {
  const last = Array.from({ length: many }, (_, place) => {
    return 1 + again.findLastIndex((text) => places(text).includes(place)) + 1;
  });
  const rolls = Array.from({ length: again.length + 1 }, (_, at) => dice.roll(seed, at + 1, PLAYER, many, die));
  return last.map((number, place) => ({ face: rolls[number - 1][place], roll: number }));
}

/** @param {number} many */
function againInWords(many) {
  const rolls = again.map((text, at) => {
    const names = [...new Set(places(text))].filter((place) => place < many).map((place) => place + 1);
    return { number: at + 2, names: names.sort((one, other) => one - other) };
  });
  const inWords = rolls.map(({ number, names }) => {
    if (!names.length) return "";
    const said = ngettext("Roll {number}: die {dice} again", "Roll {number}: dice {dice} again", names.length);
    return ` · ${format(said, { number, dice: listed(names) })}`;
  });
  return inWords.join("");
}

// ── The answer ─────────────────────────────────────────────────────────────────────────────────────────────

/** The dice that lie there; null before there are any. @type {(die: dice.Die, many: number) => Lying[] | null} */
function lyingNow(die, many) {
  if (hand !== null) return dice.written(hand, die)?.map((face) => ({ face })) ?? [];
  return seed ? rolled(die, many) : null;
}

/** Shows the answer, if there is one, and returns what was asked. */
function show(isTyping = false) {
  const wrong = complaints();
  complain(wrong, isTyping);
  const die = typedIn("die");
  if (wrong.length) return null;
  const many = whole(typedIn("dice"));
  const asked = wish(die);
  if (hand !== null) hand = dice.fitting(hand, die).slice(0, many);
  showPanel(die, many, asked, lyingNow(die, many));
  showOdds(die, many, asked);
  return address(die, asked.faces);
}

/** @type {(die: dice.Die, many: number, asked: Wished, lying: Lying[] | null) => void} */
function showPanel(die, many, asked, lying) {
  const faces = (lying ?? []).map((one) => one.face);
  const missing = lying ? many - faces.length : 0;
  const isDone = Boolean(lying) && !missing;
  const isMet = dice.isMet(asked, faces);
  const facts = { least: asked.least, dice: many, faces: asked.words };
  const wanted = gettext("At least {least} of {dice} show {faces}");
  say("name", isDone ? asked.words : format(wanted, facts));
  const hits = `${dice.hits(asked, faces)}`;
  const small = make("small", { textContent: ` ${format(gettext("of {dice}"), { dice: many })}` });
  if (isDone) part("total").replaceChildren(hits, small);
  else say("total", dice.percent(lying ? dice.chanceFrom(die, many, faces, asked) : dice.chance(die, many, asked)));
  hide("verdict", !isDone);
  say("verdict", format(isMet ? gettext("Met: at least {least}") : gettext("Not met: fewer than {least}"), facts));
  showSum(die, many, asked, lying && faces);
  const shown = (lying ?? []).map((one) => ({ ...one, isWanted: asked.faces.includes(one.face) }));
  layDice(shown, hand === null ? "pick" : "take", missing);
  const taking = gettext("Dice on the table; press one to remove it");
  say("legend", hand === null ? gettext("Dice; choose the ones to re-roll") : taking);
  hide("typing", hand === null || !missing);
  showKeys(die);
  showButtons(lying);
  part("panel").classList.toggle("judge-sticky", !lying);
  hide("counts", !lying);
  part("counts").replaceChildren(...(lying ? counts(die, faces) : []));
  hide("seeded", !seed || hand !== null);
  say("seed", seed);
  say("again", againInWords(many));
}

/** @type {(die: dice.Die, many: number, asked: Wished, faces: dice.Face[] | null) => void} */
function showSum(die, many, asked, faces) {
  const isDone = faces?.length === many;
  const best = isDone ? dice.chanceAgain(die, faces, asked) : null;
  hide("sum", isDone && !best);
  if (!faces) {
    const chance = dice.percent(dice.chanceWithAgain(die, many, asked));
    say("sum", format(gettext("{chance} with one re-roll"), { chance }));
  } else if (!isDone) {
    const facts = { typed: faces.length, dice: many };
    say("sum", format(gettext("{typed} of {dice} entered. Tap the faces on the table."), facts));
  } else if (best) say("sum", format(gettext("{chance} with one re-roll"), { chance: dice.percent(best) }));
}

/** @param {Lying[] | null} lying */
function showButtons(lying) {
  const roll = lying ? gettext("Roll again") : gettext("Roll");
  say("roll", hand !== null ? gettext("Roll here") : roll);
  button("roll").classList.toggle("button-signal", hand === null);
  button("roll_again").hidden = hand !== null || !lying?.length;
  button("by").hidden = hand !== null;
  button("take", "all").hidden = hand === null;
}

/** @type {(die: dice.Die, faces: dice.Face[]) => HTMLElement[]} */
function counts(die, faces) {
  return [...new Set(dice.DICE[die])].map((face) => {
    const row = copy("count");
    const [name, number] = all("dt, dd", HTMLElement, row);
    name.textContent = ticks(die)
      .filter((one) => one.value === face)
      .map(wordsOf)
      .join();
    number.textContent = String(faces.filter((one) => one === face).length);
    return row;
  });
}

/** @type {(die: dice.Die, many: number, asked: Wished) => void} */
function showOdds(die, many, asked) {
  const chances = [dice.chance(die, many, asked), dice.chanceWithAgain(die, many, asked)];
  parts("chance").forEach((place, at) => {
    place.textContent = dice.percent(chances[at]);
  });
  parts("fraction").forEach((place, at) => {
    place.textContent = dice.fraction(chances[at]);
  });
  say("least", format(gettext("At least {least}"), { least: asked.least }));
  say("wished", asked.words);
  const exactly = dice.exactly(die, many, asked.faces);
  const outOf = dice.outOf(many);
  const rows = exactly.map((weight, hits) => {
    const row = copy("odds-row");
    const texts = [String(hits), dice.percent([weight, outOf]), dice.percent([dice.sum(exactly.slice(hits)), outOf])];
    texts.forEach((text, at) => {
      row.children[at].textContent = text;
    });
    row.classList.toggle("is-me", hits === asked.least);
    return row;
  });
  part("rows").replaceChildren(...rows);
}

// ── What is pressed ────────────────────────────────────────────────────────────────────────────────────────

/** @type {(key: import("./judge-panel.js").Key) => void} */
function tap(key) {
  hand = afterPress(hand ?? "", key);
}

/** @type {Record<string, (key: import("./judge-panel.js").Key) => void>} */
const PRESSED = {
  roll: () => {
    [seed, again, hand] = [dice.newSeed(), [], null];
  },
  roll_again: () => {
    const picked = all("[name='pick']:checked", HTMLInputElement, form).map((one) => one.value);
    if (picked.length && again.length < MOST_AGAIN) again.push(picked.join("-"));
  },
  by: () => {
    [seed, again, hand] = ["", [], ""];
  },
  lay: tap,
  take: tap,
};

function showAndRemember(isTyping = false) {
  const query = show(isTyping);
  if (query) remember(query);
}

if (!form.querySelector(".error-summary")) {
  fill(new URLSearchParams(location.search));
  form.dispatchEvent(new Event("input")); // other fields are offered
  show();
  linkTo(location.href);
}
onPress((key) => {
  if (key) PRESSED[key.name]?.(key);
  showAndRemember();
});
for (const typed of ["input", "change"]) {
  form.addEventListener(typed, ({ target }) => {
    if (!(target instanceof HTMLInputElement && target.name === "pick")) showAndRemember(typed === "input");
  });
}
