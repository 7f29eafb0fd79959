/* The judge's rules in the browser answer as those in Python: tests/vectors/*.json, made by tests/rule_vectors.py. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as dice from "../../static/js/dice.js";
import { answer } from "../../static/js/rule-of-3.js";
import {
  highlighted,
  isQuestion,
  pieces,
  ranked,
  readable,
  termsOf,
  understand,
  wordsOf,
} from "../../static/js/ruling-search.js";
import { played, playedByHand } from "../../static/js/scenario-dice.js";
import { page } from "../../static/js/talon-power.js";
import { speak } from "../../static/js/words.js";
import { sha256 } from "../../static/vendor/noble-sha256.js";

const read = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), "utf-8"));

/** Every case of a file is asked of the function of its name. */
function holds(name, functions) {
  for (const [what, cases] of Object.entries(read(name))) {
    test(`${name}: ${what}, ${cases.length} cases`, () => {
      for (const [given, found] of cases) assert.deepEqual(functions[what](...given), found, JSON.stringify(given));
    });
  }
}

// Rule 8

holds("rule_of_3", { answer });

// Rules 4.2, 4.3, 6.3

const fractionOf = ([part, whole]) => {
  const shared = greatestDivisor(part, whole);
  return `${part / shared}/${whole / shared}`;
};
const greatestDivisor = (one, other) => (other ? greatestDivisor(other, one % other) : one);
const inWords = (chance) => [fractionOf(chance), dice.percent(chance), dice.fraction(chance)];

holds("dice", {
  roll: dice.roll,
  exactly: (die, many, faces) => dice.exactly(die, many, faces).map((weight) => inWords([weight, dice.outOf(many)])),
  chances: (die, many, faces, least) =>
    [dice.chance, dice.chanceWithAgain].map((chance) => inWords(chance(die, many, { faces, least }))),
  lying: (die, many, faces, least, hand) => {
    const [lying, wish] = [dice.written(hand, die), { faces, least }];
    const isAll = lying.length === many;
    const chance = isAll ? dice.chanceAgain(die, lying, wish) : dice.chanceFrom(die, many, lying, wish);
    return [dice.hits(wish, lying), dice.isMet(wish, lying), chance && dice.percent(chance)];
  },
});

test("the vendored SHA-256 is SHA-256, for texts of no block, one, and several", () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const text = new TextEncoder().encode("é".repeat(length)).slice(0, length);
    assert.deepEqual([...sha256(text)], [...createHash("sha256").update(text).digest()], String(length));
  }
});

// Rules 4.1, 4.5

const told = ({ outcome, rolls, next }) => ({
  sentence: outcome?.sentence ?? null,
  how: outcome?.how ?? null,
  rolls: rolls.map((hands) =>
    hands.map(({ who, die, faces, face, counted }) => `${who}: ${die} ${faces.join(", ")} = ${counted} of ${face}`),
  ),
  next,
});

holds("scenario_dice", {
  played: (...given) => told(played(...given)),
  playedByHand: (...given) => told(playedByHand(...given)),
});

// Rule 9

const [[, understanding]] = read("rulings").understanding;
const [[, texts]] = read("rulings").rulings;
understand(understanding);
const rulings = texts.map((one) => ({ ...one, ...readable({ about: "", ...one }) }));

const bracketed = (text, words) =>
  pieces(text, highlighted(wordsOf(text), termsOf(words)))
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join("");

holds("rulings", {
  understanding: () => understanding,
  rulings: () => texts,
  search: (words, tag) => ranked(rulings, termsOf(words), tag, isQuestion(words)).map((one) => one.number),
  highlighted: (words) => texts.map((one) => bracketed(one.topic, words) + bracketed(one.text, words)),
});

// Rule 10

const sorted = (thing) => {
  if (Array.isArray(thing)) return thing.map(sorted);
  if (thing === null || typeof thing !== "object") return thing;
  return Object.fromEntries(
    Object.keys(thing)
      .sort()
      .map((key) => [key, sorted(thing[key])]),
  );
};

const pageOf = (query) => {
  const { errors, record } = page(query);
  return { errors, record };
};

const digest = (query) =>
  createHash("sha256")
    .update(JSON.stringify(sorted(pageOf(query))))
    .digest("hex")
    .slice(0, 16);

holds("talon_power", {
  page: pageOf,
  digest,
  abroad: (catalogue, queries) => {
    speak(catalogue);
    try {
      return queries.map(digest);
    } finally {
      speak({ said: {}, plurals: "" });
    }
  },
});
