/* The Rule of 3 without a network (rule 8): the sum of fleets/domain/rule_of_three.py once more, shown when the server cannot be
   asked. With a network the server's answer is shown; a test holds both against one another. */

const MOST = 3;
const CLOAK = 4;
const NONE = "none";
const NOT_HERE = "does not apply";

const plain = (number) => String(number).replace("-", "−");
const signed = (number) => (number > 0 ? `+${number}` : plain(number));

/** question: {printed, fixed: [{number (null: Cloak), label}], times, dividedBy, modifiers: [{number, label}], rangeBonus, inPlay} */
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
  const sums = [
    "on the card",
    last ? fixedInWords(last, printed) : NONE,
    multipliedInWords(fixed, times, dividedBy, isRounded),
    question.modifiers.map((one) => `${signed(one.number)} ${one.label}`.trim()).join(", ") || NONE,
    inPlay ? clampInWords(modifiers, kept) : NOT_HERE,
    question.rangeBonus ? (inPlay ? "outside the Rule of 3" : NOT_HERE) : NONE,
  ];
  const numbers = [plain(printed), plain(fixed), plain(base), signed(modifiers), signed(kept), signed(bonus)];
  return {
    shown: plain(value),
    isRaw: raw === value,
    sum: [plain(base), ...[kept, bonus].filter(Boolean).map((one) => `${one > 0 ? "+" : "−"} ${Math.abs(one)}`)].join(" "),
    cut: modifiers === kept ? "" : `Rule of 3 cut ${signed(modifiers)} to ${signed(kept)}`,
    steps: sums.map((sum, index) => ({ sum, shown: numbers[index], isNothing: sum === NONE || sum === NOT_HERE })),
    notes: [...notes(question, isRounded, raw)],
  };
}

function fixedInWords({ number, label }, printed) {
  return number === null ? `${label || "Cloak"}: ${plain(printed)} + ${CLOAK}` : `${label || "Replaced"}: ${plain(number)}`;
}

function multipliedInWords(number, times, dividedBy, isRounded) {
  if (times === 1 && dividedBy === 1) return NONE;
  const parts = [plain(number), times === 1 ? "" : `× ${times}`, dividedBy === 1 ? "" : `÷ ${dividedBy}`];
  return parts.filter(Boolean).join(" ") + (isRounded ? ", rounded up" : "");
}

function clampInWords(modifiers, kept) {
  return modifiers === kept ? `${signed(modifiers)} is within −${MOST} and +${MOST}` : `${signed(modifiers)} is cut to ${signed(kept)}`;
}

function* notes({ fixed, times, dividedBy, inPlay }, isRounded, raw) {
  if (fixed.length > 1) yield `There are ${fixed.length} fixed replacements. The rules do not say which one counts; here it is the last one.`;
  if (times !== 1 && dividedBy !== 1) yield "The rules give no order for double and half: here a value is doubled, then halved, and rounded once.";
  if (isRounded) yield "The rules do not say how a half is rounded; here it is rounded up.";
  if (inPlay && raw < 0) yield `The sum is ${plain(raw)}. No value falls below 0, so it counts as 0.`;
  if (!inPlay && raw < 0) yield "A cost never falls below 0 SP (rule 7.7); Fleet Points may.";
}

// ── What is typed, and where the answer goes ───────────────────────────────────────────────────────────────

const form = () => document.getElementById("calculator");
const number = (text) => (/^[+−-]?\d{1,3}$/.test(text.trim()) ? Number(text.trim().replace("−", "-")) : NaN);

function rows(name) {
  const all = [...form().querySelectorAll(`[name="${name}"]`)].map((field, index) => {
    const label = form().querySelectorAll(`[name="${name}_label"]`)[index].value.trim();
    return { text: field.value.trim(), number: number(field.value), label };
  });
  return all.filter((row) => row.text || row.label);
}

const isOffered = (name) => !form().querySelector(`[name="${name}"]`).closest("[hidden]");
const isTicked = (name) => isOffered(name) && form().elements[name].checked;

/** What the form asks; null where something is no number yet. */
function question() {
  const inPlay = form().elements.where.value === "";
  const printed = number(form().elements.printed.value);
  const modifiers = rows("mod");
  const fixed = inPlay ? rows("set") : [];
  const cloak = isOffered("cloak") ? form().elements.cloak.value : "";
  if (![printed, ...modifiers.map((row) => row.number), ...fixed.map((row) => row.number)].every(Number.isInteger)) return null;
  if (cloak) fixed[cloak === "yes" ? "unshift" : "push"]({ number: null, label: "" });
  const times = inPlay && form().elements.double.checked ? 2 : 1;
  const dividedBy = inPlay && form().elements.half.checked ? 2 : 1;
  return { printed, fixed, times, dividedBy, modifiers, rangeBonus: isTicked("bonus") ? 1 : 0, inPlay };
}

function show() {
  const asked = question();
  const place = document.querySelector("#answer [data-total]")?.closest("#answer");
  if (!asked || !place) return;
  const found = answer(asked);
  const option = form().elements.value.selectedOptions[0];
  place.querySelector("#total-name").textContent = asked.inPlay ? option.textContent : "SP or Fleet Points";
  place.querySelector("[data-total]").textContent = found.shown;
  place.querySelector("[data-sum]").textContent = found.sum;
  const cut = place.querySelector("[data-cut]");
  cut.hidden = !found.cut;
  cut.textContent = found.cut;
  place.querySelectorAll(".judge-step-list li").forEach((line, index) => {
    const step = found.steps[index];
    line.classList.toggle("is-nothing", step.isNothing);
    line.querySelector("small").textContent = step.sum;
    line.querySelector("b").textContent = step.shown;
  });
  place.querySelector("[data-together]").textContent = found.isRaw ? "Together" : "Counts as";
  place.querySelector("[data-together-total]").textContent = found.shown;
  place.querySelector("[data-cost]").hidden = asked.inPlay;
  place.querySelector("[data-notes]").replaceChildren(
    ...found.notes.map((note) => Object.assign(document.createElement("li"), { textContent: note })),
  );
}

document.addEventListener("htmx:sendError", ({ detail }) => {
  if (form()?.contains(detail.elt)) show();
});
