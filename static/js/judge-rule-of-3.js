/* The page of the Rule of 3: worked out while somebody types (rule-of-3.js). The address says what was asked. */

import { all, fieldOf, make, need, tickOf } from "./dom.js";
import { complain, form, linkTo, onPress, part, remember, say } from "./judge-panel.js";
import "./judge-rows.js";
import { answer, signed } from "./rule-of-3.js";
import { format, gettext } from "./words.js";

const START = "value=primary&printed=3";
const TICKS = ["double", "half", "bonus"];
const NUMBER = /^[+−-]?\d{1,2}$/;

// ── What is typed ──────────────────────────────────────────────────────────────────────────────────────────

/** A number of one or two digits, also with a real minus; NaN where it is none. @param {string} text */
const number = (text) => (NUMBER.test(text) ? Number(text.replace("−", "-")) : Number.NaN);

/** @param {string} name */
const typedIn = (name) => fieldOf(form, name).value;
/** @param {string} name */
const isTicked = (name) => tickOf(form, name).checked;

/** The rows that are filled. @param {string} name */
function rows(name) {
  const labels = all(`[name="${name}_label"]`, HTMLInputElement, form);
  const typed = all(`[name="${name}"]`, HTMLInputElement, form).map((field, at) => {
    const text = field.value.trim();
    return { text, number: number(text), label: labels[at].value.trim() };
  });
  return typed.filter((row) => row.text || row.label);
}

/** @param {string} name */
const isOffered = (name) => !need(`[name="${name}"]`, HTMLElement, form).closest("[hidden]");
const inPlay = () => typedIn("where") === "";

/** @returns {import("./rule-of-3.js").Question} */
function question() {
  /** @type {import("./rule-of-3.js").Fixed[]} */
  const fixed = inPlay() ? rows("set") : [];
  const cloak = inPlay() && isOffered("cloak") ? typedIn("cloak") : "";
  if (cloak) fixed[cloak === "yes" ? "unshift" : "push"]({ number: null, label: "" });
  return {
    printed: Number(typedIn("printed")),
    fixed,
    times: inPlay() && isTicked("double") ? 2 : 1,
    dividedBy: inPlay() && isTicked("half") ? 2 : 1,
    modifiers: rows("mod"),
    rangeBonus: isOffered("bonus") && isTicked("bonus") ? 1 : 0,
    inPlay: inPlay(),
  };
}

function* complaints() {
  for (const { text, label } of rows("set")) {
    if (!text) yield format(gettext("Enter the number for the replacement “{label}”."), { label });
    else if (!NUMBER.test(text)) {
      yield format(gettext("“{text}” isn’t a valid replacement. Enter a whole number of one or two digits."), { text });
    }
  }
  for (const { text, label } of rows("mod")) {
    if (!text) yield format(gettext("Enter the number for the modifier “{label}”."), { label });
    else if (!NUMBER.test(text)) {
      yield format(gettext("“{text}” isn’t a valid modifier. Enter a whole number of one or two digits."), { text });
    }
  }
  const printed = printedComplaint(typedIn("printed").trim());
  if (printed) yield `${gettext("Printed number")}: ${printed}`;
}

/** @param {string} typed */
function printedComplaint(typed) {
  if (!typed) return gettext("Enter the printed number.");
  if (!/^[+-]?\d+$/.test(typed)) return gettext("Enter a whole number, such as 3.");
  if (Number(typed) < 0) return gettext("Printed numbers can’t be below 0.");
  return Number(typed) > 200 ? gettext("Printed numbers can’t be above 200.") : "";
}

// ── The address ────────────────────────────────────────────────────────────────────────────────────────────

function address() {
  const asked = new URLSearchParams();
  for (const name of ["where", "value", "printed", "cloak"]) if (typedIn(name)) asked.append(name, typedIn(name));
  for (const name of TICKS) if (isTicked(name)) asked.append(name, "on");
  for (const name of ["set", "mod"]) {
    const filled = rows(name);
    const isNamed = filled.some((one) => one.label);
    for (const row of filled) {
      asked.append(name, Number.isInteger(row.number) ? String(row.number) : row.text);
      if (isNamed) asked.append(`${name}_label`, row.label);
    }
  }
  return asked;
}

/** A page that was kept for another address shows what its own asks. @param {URLSearchParams} asked */
function fill(asked) {
  const params = asked.size ? asked : new URLSearchParams(START);
  for (const name of ["where", "cloak", "printed"]) fieldOf(form, name).value = params.get(name) ?? "";
  for (const name of TICKS) tickOf(form, name).checked = params.has(name);
  fieldOf(form, "value").value = params.get("value") ?? "primary";
  for (const name of ["set", "mod"]) fillRows(name, params.getAll(name), params.getAll(`${name}_label`));
  need("details.judge-more", HTMLDetailsElement, form).open = ["set", "double", "half"].some((name) =>
    params.has(name),
  );
}

/** @type {(name: string, numbers: string[], labels: string[]) => void} */
function fillRows(name, numbers, labels) {
  const list = need(`[data-rows]:has([name="${name}"])`, HTMLElement, form);
  while (list.children.length > 1) list.lastElementChild?.remove();
  for (const field of all("input", HTMLInputElement, list)) field.value = "";
  for (let at = 0; at < Math.max(numbers.length, labels.length); at++) {
    const [many, label] = all(":scope > :last-child input", HTMLInputElement, list);
    const typed = numbers[at] ?? "";
    many.value = name === "mod" && NUMBER.test(typed) ? signed(number(typed)) : typed;
    label.value = labels[at] ?? "";
    form.dispatchEvent(new Event("input")); // the next row comes
  }
}

// ── Where the answer goes ──────────────────────────────────────────────────────────────────────────────────

function show(isTyping = false) {
  const wrong = [...complaints()];
  complain(wrong, isTyping);
  if (wrong.length) return;
  const asked = question();
  const found = answer(asked);
  const kind = need("select[name=value]", HTMLSelectElement, form).selectedOptions[0].textContent;
  need("#total-name", HTMLElement, form).textContent = asked.inPlay ? kind : gettext("SP or Fleet Points");
  say("total", found.shown);
  say("sum", found.sum);
  say("cut", found.cut);
  part("cut").hidden = !found.cut;
  all(".judge-step-list li", HTMLElement, form).forEach((line, at) => {
    const step = found.steps[at];
    line.classList.toggle("is-nothing", step.isNothing);
    need("small", HTMLElement, line).textContent = step.sum;
    need("b", HTMLElement, line).textContent = step.shown;
  });
  say("together", found.isRaw ? gettext("Total") : gettext("Counts as"));
  say("together-total", found.shown);
  part("cost").hidden = asked.inPlay;
  part("notes").replaceChildren(...found.notes.map((textContent) => make("li", { textContent })));
}

function showAndRemember(isTyping = false) {
  show(isTyping);
  remember(address());
}

onPress(() => showAndRemember());
if (!form.querySelector(".error-summary")) {
  fill(new URLSearchParams(location.search));
  form.dispatchEvent(new Event("input")); // other fields are offered
  show();
  linkTo(location.href);
}
for (const typed of ["input", "change"]) form.addEventListener(typed, () => showAndRemember(typed === "input"));
