/* The Rule of 3 without a network (rule 8): the sum of tourney/judge/domain/rule_of_three.py once more. Both answer
   tests/vectors/rule_of_3.json alike. */

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
const NONE = "none";
const NOT_HERE = "does not apply";

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
  const outside = inPlay ? "outside the Rule of 3" : NOT_HERE;
  const sums = [
    "on the card",
    last ? fixedInWords(last, printed) : NONE,
    multipliedInWords(fixed, times, dividedBy, isRounded),
    question.modifiers.map((one) => `${signed(one.number)} ${one.label}`.trim()).join(", ") || NONE,
    inPlay ? clampInWords(modifiers, kept) : NOT_HERE,
    question.rangeBonus ? outside : NONE,
  ];
  const numbers = [plain(printed), plain(fixed), plain(base), signed(modifiers), signed(kept), signed(bonus)];
  const added = [kept, bonus].filter(Boolean).map((one) => `${one > 0 ? "+" : "−"} ${Math.abs(one)}`);
  return {
    shown: plain(value),
    isRaw: raw === value,
    sum: [plain(base), ...added].join(" "),
    cut: modifiers === kept ? "" : `Rule of 3 cut ${signed(modifiers)} to ${signed(kept)}`,
    steps: sums.map((sum, at) => ({ sum, shown: numbers[at], isNothing: sum === NONE || sum === NOT_HERE })),
    notes: [...notes(question, isRounded, raw)],
  };
}

/** @type {(fixed: Fixed, printed: number) => string} */
function fixedInWords({ number, label }, printed) {
  if (number === null) return `${label || "Cloak"}: ${plain(printed)} + ${CLOAK}`;
  return `${label || "Replaced"}: ${plain(number)}`;
}

/** @type {(number: number, times: number, dividedBy: number, isRounded: boolean) => string} */
function multipliedInWords(number, times, dividedBy, isRounded) {
  if (times === 1 && dividedBy === 1) return NONE;
  const parts = [plain(number), times === 1 ? "" : `× ${times}`, dividedBy === 1 ? "" : `÷ ${dividedBy}`];
  return parts.filter(Boolean).join(" ") + (isRounded ? ", rounded up" : "");
}

/** @type {(modifiers: number, kept: number) => string} */
function clampInWords(modifiers, kept) {
  if (modifiers === kept) return `${signed(modifiers)} is within −${MOST} and +${MOST}`;
  return `${signed(modifiers)} is cut to ${signed(kept)}`;
}

/** @type {(question: Question, isRounded: boolean, raw: number) => Iterable<string>} */
function* notes({ fixed, times, dividedBy, inPlay }, isRounded, raw) {
  const many = `There are ${fixed.length} fixed replacements. `;
  if (fixed.length > 1) yield `${many}The rules do not say which one counts; here it is the last one.`;
  if (times !== 1 && dividedBy !== 1) {
    yield "The rules give no order for double and half: here a value is doubled, then halved, and rounded once.";
  }
  if (isRounded) yield "The rules do not say how a half is rounded; here it is rounded up.";
  if (inPlay && raw < 0) yield `The sum is ${plain(raw)}. No value falls below 0, so it counts as 0.`;
  if (!inPlay && raw < 0) yield "A cost never falls below 0 SP (rule 7.7); Fleet Points may.";
}
