/* The Rule of 3 on the device (rule 8), with a network or without one: the sum of tourney/judge/domain/rule_of_three.py once more; a test
   holds both against one another. The address says what was asked. */

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

// ── What is typed ──────────────────────────────────────────────────────────────────────────────────────────

const START = "value=primary&printed=3";
const form = document.getElementById("calculator");
const NUMBER = /^[+−-]?\d{1,2}$/;
const number = (text) => (NUMBER.test(text) ? Number(text.replace("−", "-")) : NaN);

/** The rows that are filled: [{text, number, label}]. */
function rows(name) {
  const labels = form.querySelectorAll(`[name="${name}_label"]`);
  const all = [...form.querySelectorAll(`[name="${name}"]`)].map((field, index) => {
    const text = field.value.trim();
    return { text, number: number(text), label: labels[index].value.trim() };
  });
  return all.filter((row) => row.text || row.label);
}

const isOffered = (name) => !form.querySelector(`[name="${name}"]`).closest("[hidden]");
const inPlay = () => form.elements.where.value === "";

function question() {
  const printed = Number(form.elements.printed.value);
  const fixed = inPlay() ? rows("set") : [];
  const cloak = inPlay() && isOffered("cloak") ? form.elements.cloak.value : "";
  if (cloak) fixed[cloak === "yes" ? "unshift" : "push"]({ number: null, label: "" });
  const times = inPlay() && form.elements.double.checked ? 2 : 1;
  const dividedBy = inPlay() && form.elements.half.checked ? 2 : 1;
  const rangeBonus = isOffered("bonus") && form.elements.bonus.checked ? 1 : 0;
  return { printed, fixed, times, dividedBy, modifiers: rows("mod"), rangeBonus, inPlay: inPlay() };
}

function* complaints() {
  for (const [name, what] of [["set", "replacement"], ["mod", "modifier"]]) {
    for (const { text, label } of rows(name)) {
      if (!text) yield `Type the number of the ${what} “${label}”.`;
      else if (!NUMBER.test(text)) yield `“${text}” is no ${what}: type a whole number of one or two digits.`;
    }
  }
  const printed = form.elements.printed.value.trim();
  if (!printed) yield "Printed number: Type the printed number.";
  else if (!/^[+-]?\d+$/.test(printed)) yield "Printed number: The printed number is a whole number, for example 3.";
  else if (Number(printed) < 0) yield "Printed number: No printed number is below 0.";
  else if (Number(printed) > 200) yield "Printed number: No printed number is above 200.";
}

// ── The address ────────────────────────────────────────────────────────────────────────────────────────────

function address() {
  const { where, value, printed, cloak } = form.elements;
  const plain = [["where", where.value], ["value", value.value], ["printed", printed.value], ["cloak", cloak.value]];
  const ticks = ["double", "half", "bonus"].filter((name) => form.elements[name].checked).map((name) => [name, "on"]);
  return new URLSearchParams([...plain.filter(([, text]) => text), ...ticks, ...pairs("set"), ...pairs("mod")]);
}

function* pairs(name) {
  const filled = rows(name);
  for (const row of filled) {
    yield [name, Number.isInteger(row.number) ? String(row.number) : row.text];
    if (filled.some((one) => one.label)) yield [`${name}_label`, row.label];
  }
}

/** A page that was kept for another address shows what its own asks. */
function fill(asked) {
  const params = asked.size ? asked : new URLSearchParams(START);
  for (const name of ["where", "cloak"]) form.elements[name].value = params.get(name) ?? "";
  for (const name of ["double", "half", "bonus"]) form.elements[name].checked = params.has(name);
  form.elements.printed.value = params.get("printed") ?? "";
  form.elements.value.value = params.get("value") ?? "primary";
  for (const name of ["set", "mod"]) fillRows(name, params.getAll(name), params.getAll(`${name}_label`));
  form.querySelector(".judge-more").open = params.has("set") || params.has("double") || params.has("half");
}

function fillRows(name, numbers, labels) {
  const list = form.querySelector(`[name="${name}"]`).closest("[data-rows]");
  while (list.children.length > 1) list.lastElementChild.remove();
  list.querySelectorAll("input").forEach((field) => (field.value = ""));
  Array.from({ length: Math.max(numbers.length, labels.length) }, (_, at) => {
    const [many, label] = list.lastElementChild.querySelectorAll("input");
    many.value = name === "mod" && NUMBER.test(numbers[at]) ? signed(number(numbers[at])) : (numbers[at] ?? "");
    label.value = labels[at] ?? "";
    form.dispatchEvent(new Event("input"));
  });
}

// ── Where the answer goes ──────────────────────────────────────────────────────────────────────────────────

function show(isTyping = false) {
  const wrong = [...complaints()];
  judgePanel.complain(wrong, isTyping);
  if (wrong.length) return;
  const asked = question();
  const found = answer(asked);
  const place = document.getElementById("answer");
  const option = form.elements.value.selectedOptions[0];
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
  place.querySelector("[data-notes]").replaceChildren(...found.notes.map((note) => judgePanel.element("li", note)));
}

function showAndRemember(isTyping = false) {
  show(isTyping);
  judgePanel.remember(address());
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  showAndRemember();
});
if (!form.querySelector(".error-summary")) {
  fill(new URLSearchParams(location.search));
  form.dispatchEvent(new Event("input")); // other fields are offered
  show();
  judgePanel.linkTo(location.href);
}
for (const typed of ["input", "change"]) form.addEventListener(typed, () => showAndRemember(typed === "input"));
