/* What changes for the reader of my card or of an event's page: said to a screen reader, in one place; notices of the
   page before go. My card tells it as well by title, vibration and a short tone, off until it is asked for. */

import { all, find, onEveryPage } from "./dom.js";
import { isOn, offer, sound, wake } from "./tone.js";
import { format, gettext, ngettext } from "./words.js";

const KEY = "notice";
const PHASES = ["running", "last-ten", "last-minute", "over"]; // of a clock, in their order

const card = () => document.getElementById("card");
const part = () => card() ?? document.getElementById("now");

const title = document.title;
/** @type {{ of: string, news: string[], state: string } | null} What the page said last, and of whom. */
let said = null;
/** How far the clock was when it was last seen to run. */
let phase = PHASES.length;

/** @param {string} sentence */
function tell(sentence) {
  const region = find("[data-told]", HTMLElement);
  if (region) region.textContent = sentence;
  if (!card() || !isOn(KEY)) return;
  document.title = `● ${sentence}`;
  sound();
}

/** What the page says now: my card in the words that it has for this, another in its own. */
function read() {
  const of = part()?.getAttribute("hx-get") ?? "";
  const own = card()?.dataset;
  if (own) return own.news === undefined ? null : { of, news: JSON.parse(own.news), state: own.state ?? "" };
  const shown = all("#now :is(.announcement p, #answer, #situation)", HTMLElement);
  const news = shown.map((one) => one.textContent.trim().replace(/\s+/g, " "));
  return part() && { of, news, state: "" };
}

function look() {
  const [before, now] = [said, read()];
  said = now;
  if (!before || !now || before.of !== now.of) return; // another name was typed
  const fresh = now.news.filter((/** @type {string} */ one) => !before.news.includes(one));
  if (!fresh.length && now.state === before.state) return;
  find(".messages", HTMLElement)?.remove();
  tell(fresh[0] ?? now.news[0]);
}

/** In words how far the clock has come, once it matters. @param {string} name */
function warning(name) {
  if (name === "over") {
    return find("#card #report", HTMLElement) ? gettext("Time’s up: enter your result") : gettext("Time’s up");
  }
  const count = name === "last-ten" ? 10 : 1;
  return format(ngettext("{count} minute left", "{count} minutes left", count), { count });
}

// Of my card only while I play; a clock that stands is where it was.
function lookAtClock() {
  const clock = find(card() ? "#card[data-plays] .clock" : "#now .clock-panel .clock", HTMLElement);
  const now = PHASES.indexOf(clock?.dataset.phase ?? "");
  if (now < 0) return;
  const before = phase;
  phase = now;
  if (now > before) tell(warning(PHASES[now]));
}

function begin() {
  said = read();
  lookAtClock();
  if (card()) offer("[data-notice]", KEY);
}

document.addEventListener("pointerdown", () => {
  if (!card() || !said) return;
  document.title = title;
  wake(KEY);
});

document.addEventListener("htmx:afterSettle", look);

new MutationObserver(lookAtClock).observe(document.body, {
  attributeFilter: ["data-phase"],
  childList: true,
  subtree: true,
});

onEveryPage(begin);

// ── Who comes back may put the card on the home screen ────────────────────────────────────────────────────────

if (location.protocol === "https:") {
  if (localStorage.getItem("visited")) import("./install.js");
  else localStorage.visited = sessionStorage.visited = "first";
}
