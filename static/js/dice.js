/* Dice without a network: what scoring/domain/roll_offs.py rolls from a seed (rule 4.3) and the exact odds of
   tourney/judge/domain/dice.py (rules 4.2, 6.3). Both answer tests/vectors/dice.json alike. Chances are whole numbers
   out of 8 to the number of dice. */

import { sha256 } from "../vendor/noble-sha256.js";
import { format, gettext, pgettext } from "./words.js";

/** @typedef {string} Face one of a die: "hit", "critical", "battle stations", "evade", "blank" */
/** @typedef {string} Die "attack" or "defense" */
/** @typedef {[part: bigint, whole: bigint]} Chance */
/** At least so many dice that show one of the faces. @typedef {{ faces: Face[], least: number }} Wish */

/** @type {Record<Die, Face[]>} */
export const DICE = {
  attack: ["hit", "hit", "hit", "critical", "battle stations", "battle stations", "blank", "blank"],
  defense: ["evade", "evade", "evade", "battle stations", "battle stations", "blank", "blank", "blank"],
};
/** What a face is called; "other" is a die that was not typed. @param {Face} face */
export const nameOf = (face) =>
  ({
    hit: gettext("Hit"),
    critical: gettext("Critical Hit"),
    "battle stations": gettext("Battle Stations"),
    evade: gettext("Evade"),
    blank: gettext("Blank"),
  })[face] ?? gettext("Another face");

/** @type {Record<string, Face>} */
export const LETTERS = { h: "hit", c: "critical", b: "battle stations", e: "evade", "-": "blank" };
const SIDES = 8;

// ── Rolled from a seed ─────────────────────────────────────────────────────────────────────────────────────

/**
 * The faces of one player's dice: the first byte of the SHA-256 of "seed:throw:player:die", modulo 8.
 * @type {(seed: string, rollNumber: number, player: number, many: number, die: Die) => Face[]}
 */
export function roll(seed, rollNumber, player, many, die) {
  const texts = Array.from({ length: many }, (_, place) => `${seed}:${rollNumber}:${player}:${place}`);
  return texts.map((text) => DICE[die][sha256(new TextEncoder().encode(text))[0] % SIDES]);
}

/** Four random bytes in hexadecimal digits. */
export function newSeed() {
  return [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The faces that are written there; null where one of them is none of the die's.
 * @type {(text: string, die: Die) => Face[] | null}
 */
export function written(text, die) {
  const faces = [...text].map((letter) => LETTERS[letter]);
  return faces.every((face) => DICE[die].includes(face)) ? faces : null;
}

/** The letters of a hand that are on that die. @type {(hand: string, die: Die) => string} */
export const fitting = (hand, die) =>
  [...hand.toLowerCase()].filter((letter) => DICE[die].includes(LETTERS[letter])).join("");

// ── Odds ───────────────────────────────────────────────────────────────────────────────────────────────────

/** How many of the faces are wished for. @type {(wish: Pick<Wish, "faces">, faces: Face[]) => number} */
export const hits = (wish, faces) => faces.filter((face) => wish.faces.includes(face)).length;

/** @type {(wish: Wish, faces: Face[]) => boolean} */
export const isMet = (wish, faces) => hits(wish, faces) >= wish.least;

/**
 * The weights, out of 8 ** many, of 0, 1, … all of the dice that show one of the faces.
 * @type {(die: Die, many: number, faces: Face[]) => bigint[]}
 */
export function exactly(die, many, faces) {
  const wanted = hits({ faces }, DICE[die]);
  const [one, other] = [BigInt(wanted), BigInt(SIDES - wanted)];
  let ways = 1n;
  return Array.from({ length: many + 1 }, (_, count) => {
    if (count) ways = (ways * BigInt(many - count + 1)) / BigInt(count);
    return ways * one ** BigInt(count) * other ** BigInt(many - count);
  });
}

/** @param {bigint[]} weights */
export const sum = (weights) => weights.reduce((all, one) => all + one, 0n);

/** What weights of so many dice are out of. @param {number} many */
export const outOf = (many) => BigInt(SIDES) ** BigInt(many);

/** @type {(die: Die, many: number, wish: Wish) => Chance} */
export function chance(die, many, wish) {
  return [sum(exactly(die, many, wish.faces).slice(Math.max(wish.least, 0))), outOf(many)];
}

/**
 * The same when afterwards the best die, one that missed, is rolled once more.
 * @type {(die: Die, many: number, wish: Wish) => Chance}
 */
export function chanceWithAgain(die, many, wish) {
  const parts = exactly(die, many, wish.faces).map((first, count) => {
    const [then, of] = chance(die, Math.min(1, many - count), { faces: wish.faces, least: wish.least - count });
    return (first * then * BigInt(SIDES)) / of;
  });
  return [sum(parts), outOf(many) * BigInt(SIDES)];
}

/**
 * The chance on so many dice when these faces of it lie there already.
 * @type {(die: Die, many: number, faces: Face[], wish: Wish) => Chance}
 */
export function chanceFrom(die, many, faces, wish) {
  return chance(die, many - faces.length, { faces: wish.faces, least: wish.least - hits(wish, faces) });
}

/**
 * The chance after the best die of those that lie there is rolled once more; null where there is nothing to gain.
 * @type {(die: Die, faces: Face[], wish: Wish) => Chance | null}
 */
export function chanceAgain(die, faces, wish) {
  const best = faces.findIndex((face) => !wish.faces.includes(face));
  return isMet(wish, faces) || best < 0
    ? null
    : chanceFrom(
        die,
        faces.length,
        faces.filter((_, place) => place !== best),
        wish,
      );
}

/** To a tenth of a percent; what can happen is never shown as 0, what can fail never as 100. @param {Chance} chance */
export function percent([part, whole]) {
  const tenths = (part * 2000n + whole) / (2n * whole);
  if (part > 0n && tenths === 0n) return format(gettext("under {percent}%"), { percent: number(1n) });
  if (part < whole && tenths === 1000n) return format(gettext("over {percent}%"), { percent: number(999n) });
  return format(gettext("{percent}%"), { percent: number(tenths) });
}

/** So many tenths. @param {bigint} tenths */
function number(tenths) {
  const [whole, tenth] = [String(tenths / 10n), String(tenths % 10n)];
  return tenth === "0" ? whole : format(pgettext("a number", "{whole}.{tenth}"), { whole, tenth });
}

/** Exact, where that can be read. @param {Chance} chance */
export function fraction([part, whole]) {
  const shared = greatestDivisor(part, whole);
  return whole / shared < 10n ** 9n ? `${part / shared} / ${whole / shared}` : "";
}

/** @type {(one: bigint, other: bigint) => bigint} */
const greatestDivisor = (one, other) => (other ? greatestDivisor(other, one % other) : one);
