/* The Rule of 3 without a network (rule 8): the sum of tourney/judge/domain/rule_of_three.py once more. Both answer
   tests/vectors/rule_of_3.json alike. */

import { format, gettext } from "./words.js";

/** A fixed replacement; Cloak has no number of its own. @typedef {{ number: number | null, label: string }} Fixed */
/** @typedef {{ number: number, label: string }} Modifier */
/**
 * @typedef {{ printed: number, fixed: Fixed[], times: number, dividedBy: number, modifiers: Modifier[], rangeBonus:
 *   number, inPlay: boolean }} Question
 */
/** @typedef {{ sum: string, shown: string, isNothing: boolean }} Step */
/** @typedef {{ shown: string, isRaw: boolean, sum: string, cut: string, steps: Step[], notes: string[] }} Answer */

const MOST = 3;
const CLOAK = 4;

/** With a real minus: "−2". @param {number} number */
const plain = (number) => String(number).replace("-", "−");

/** With its sign: "+2", "−2", "0". @param {number} number */
export const signed = (number) => (number > 0 ? `+${number}` : plain(number));

/** @param {Question} question @returns {Answer} */
export function answer(question) {
  const { printed, times, dividedBy, inPlay } = question;
  const last = question.fixed.at(-1);
  const fixed = last ? (last.number ?? printed + CLOAK) : printed;
  const base = Math.ceil((fixed * times) / dividedBy) || 0;
  const modifiers = question.modifiers.reduce((sum, one) => sum + one.number, 0);
  const kept = inPlay ? Math.max(-MOST, Math.min(MOST, modifiers)) : modifiers;
  const bonus = inPlay ? question.rangeBonus : 0;
  const raw = base + kept + bonus;
  const value = inPlay ? Math.max(raw, 0) : raw;
  const isRounded = base * dividedBy !== fixed * times;
  const [none, notHere] = [gettext("none"), gettext("doesn’t apply")];
  const outside = inPlay ? gettext("outside the Rule of 3") : notHere;
  const sums = [
    gettext("on the card"),
    last ? fixedInWords(last, printed) : none,
    multipliedInWords(fixed, times, dividedBy, isRounded) || none,
    question.modifiers.map((one) => `${signed(one.number)} ${one.label}`.trim()).join(", ") || none,
    inPlay ? clampInWords(modifiers, kept) : notHere,
    question.rangeBonus ? outside : none,
  ];
  const numbers = [plain(printed), plain(fixed), plain(base), signed(modifiers), signed(kept), signed(bonus)];
  const added = [kept, bonus].filter(Boolean).map((one) => `${one > 0 ? "+" : "−"} ${Math.abs(one)}`);
  const cut = { all: signed(modifiers), kept: signed(kept) };
  return {
    shown: plain(value),
    isRaw: raw === value,
    sum: [plain(base), ...added].join(" "),
    cut: modifiers === kept ? "" : format(gettext("Rule of 3: {all} counts as {kept}"), cut),
    steps: sums.map((sum, at) => ({ sum, shown: numbers[at], isNothing: sum === none || sum === notHere })),
    notes: [...notes(question, isRounded, raw)],
  };
}

/** @type {(fixed: Fixed, printed: number) => string} */
function fixedInWords({ number, label }, printed) {
  const said = gettext("{label}: {sum}");
  if (number === null) return format(said, { label: label || gettext("Cloak"), sum: `${plain(printed)} + ${CLOAK}` });
  return format(said, { label: label || gettext("Replaced"), sum: plain(number) });
}

/** @type {(number: number, times: number, dividedBy: number, isRounded: boolean) => string} */
function multipliedInWords(number, times, dividedBy, isRounded) {
  if (times === 1 && dividedBy === 1) return "";
  const parts = [plain(number), times === 1 ? "" : `× ${times}`, dividedBy === 1 ? "" : `÷ ${dividedBy}`];
  const sum = parts.filter(Boolean).join(" ");
  return isRounded ? format(gettext("{sum}, rounded up"), { sum }) : sum;
}

/** @type {(modifiers: number, kept: number) => string} */
function clampInWords(modifiers, kept) {
  const within = gettext("{sum} is within {least} to {most}");
  const said = modifiers === kept ? within : gettext("{sum} is cut to {kept}");
  return format(said, { sum: signed(modifiers), kept: signed(kept), least: signed(-MOST), most: signed(MOST) });
}

/** @type {(question: Question, isRounded: boolean, raw: number) => Iterable<string>} */
function* notes({ fixed, times, dividedBy, inPlay }, isRounded, raw) {
  const several = gettext(
    "There are {count} fixed replacements. The rules don’t say which one counts; the last one is used here.",
  );
  if (fixed.length > 1) yield format(several, { count: fixed.length });
  if (times !== 1 && dividedBy !== 1) {
    yield gettext(
      "The rules give no order for doubling and halving. Here a value is doubled, then halved, then rounded once.",
    );
  }
  if (isRounded) yield gettext("The rules don’t say how to round a half. Here it’s rounded up.");
  const below = gettext("The sum is {sum}. No value falls below 0, so it counts as 0.");
  if (inPlay && raw < 0) yield format(below, { sum: plain(raw) });
  if (!inPlay && raw < 0) yield gettext("A cost can’t go below 0 SP (rule 7.7); Fleet Points can.");
}
