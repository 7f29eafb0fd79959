/* Sentences of scripts: English as it stands there, or what a catalogue says in its place. */

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { either, format, gettext, listed, ngettext, pgettext, speak } from "../../static/js/words.js";

const ENGLISH = { said: {}, plurals: "" };
const GERMAN = {
  said: {
    "{name} is checked in.": "{name} ist angemeldet.",
    "{count} step": ["{count} Schritt", "{count} Schritte"],
    "two players\u0004tied": "punktgleich",
    "a list\u0004{some} and {last}": "{some} und {last}",
    "a list\u0004{some} or {last}": "{some} oder {last}",
  },
  plurals: Array.from({ length: 200 }, (_, count) => Number(count !== 1)).join(""),
};
const POLISH = {
  said: { "{count} step": ["krok", "kroki", "kroków"] },
  plurals: Array.from({ length: 200 }, (_, count) => {
    const isFew = count % 10 >= 2 && count % 10 <= 4 && (count % 100 < 10 || count % 100 >= 20);
    return count === 1 ? 0 : isFew ? 1 : 2;
  }).join(""),
};
const steps = (count) => format(ngettext("{count} step", "{count} steps", count), { count });

afterEach(() => speak(ENGLISH));

test("English is what stands in the script", () => {
  assert.equal(format(gettext("{name} is checked in."), { name: "Lark" }), "Lark is checked in.");
  assert.equal(pgettext("two players", "tied"), "tied");
  assert.deepEqual([0, 1, 2, 101].map(steps), ["0 steps", "1 step", "2 steps", "101 steps"]);
});

test("another language is what its catalogue says, and English where it says nothing", () => {
  speak(GERMAN);
  assert.equal(format(gettext("{name} is checked in."), { name: "Lark" }), "Lark ist angemeldet.");
  assert.equal(pgettext("two players", "tied"), "punktgleich");
  assert.equal(gettext("tied"), "tied");
  assert.equal(gettext("Not translated."), "Not translated.");
  assert.deepEqual([0, 1, 2].map(steps), ["0 Schritte", "1 Schritt", "2 Schritte"]);
});

test("a number goes with the form that its language asks for, however large it is", () => {
  speak(POLISH);
  const said = [1, 2, 5, 22, 101, 112, 1022, 100_001].map((count) => ngettext("{count} step", "{count} steps", count));
  assert.deepEqual(said, ["krok", "kroki", "kroków", "kroki", "kroków", "kroków", "kroki", "kroków"]);
});

test("what a parameter holds is no sentence", () => {
  assert.equal(format("{name} and {other}", { name: "{other}", other: "$&" }), "{other} and $&");
  assert.equal(format("{count} of {all}", { count: 0 }), "0 of {all}");
});

test("several are listed as the language does", () => {
  assert.deepEqual([[], ["Lark"], ["Lark", "Onyx"], [1, 2, 3]].map(listed), [
    "",
    "Lark",
    "Lark and Onyx",
    "1, 2 and 3",
  ]);
  assert.equal(either([1, 2, 3]), "1, 2 or 3");
  speak(GERMAN);
  assert.equal(listed(["Lark", "Onyx", "Quill"]), "Lark, Onyx und Quill");
  assert.equal(either([1, 2]), "1 oder 2");
});
