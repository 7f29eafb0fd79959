/* Searches the rulings of the page while somebody types (ruling-search.js); without a network, too. */

import { all, around, make, need } from "./dom.js";
import { highlighted, isQuestion, pieces, ranked, readable, termsOf, understand, wordsOf } from "./ruling-search.js";
import { format, ngettext } from "./words.js";

const form = need("#ruling-search", HTMLFormElement);
const field = need("[name=q]", HTMLInputElement, form);
const chosen = need("[name=tag]", HTMLInputElement, form);
const found = need("#ruling-found", HTMLElement);
const none = need("#ruling-none", HTMLElement);
const count = need("#ruling-count", HTMLElement);
const sections = all(".ruling-section", HTMLElement);
const topics = all(".topic", HTMLElement);
const house = need('[data-shelf="H"]', HTMLElement);
let later = 0;

understand(JSON.parse(need("#understanding", HTMLScriptElement).text));

// ── The rulings in their order ─────────────────────────────────────────────────────────────────────────────

/** @param {HTMLElement} element */
const shownIn = (element) => ({ element, text: element.textContent, words: wordsOf(element.textContent) });

/** The section of a ruling and its place among all, which one attribute tells. @param {HTMLElement} item */
function placeOf({ dataset: { at = "" } }) {
  const [section, place] = at.split(" ");
  return { section, place: Number(place) };
}

const rulings = all(".ruling", HTMLElement)
  .sort((one, other) => placeOf(one).place - placeOf(other).place)
  .map((item) => {
    const [topic, text] = ["h3", ".ruling-text"].map((name) => shownIn(need(name, HTMLElement, item)));
    const shelf = need(`[data-shelf="${placeOf(item).section}"]`, HTMLElement);
    const { about = "" } = item.matches(".ruling-own") ? house.dataset : shelf.dataset;
    const foot = need(".ruling-foot > span:last-of-type", HTMLElement, item).textContent.split(", ");
    const tags = item.matches(".ruling-own") ? [house.dataset.tag ?? "", ...foot] : foot;
    const facts = { number: item.id, topic: topic.text, about, tags, text: text.text };
    return { item, shelf, shown: [topic, text], ...readable(facts) };
  });

/** @type {(ruling: typeof rulings[0], terms: string[]) => void} */
function mark({ shown }, terms) {
  for (const { element, text, words } of shown) {
    const places = highlighted(words, terms);
    if (!places.size && !element.firstElementChild) continue;
    const shownPieces = pieces(text, places);
    element.replaceChildren(...shownPieces.map((one) => (one.isMarked ? make("mark", {}, one.text) : one.text)));
  }
}

// ── Search ─────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {number} count */
const countOf = (count) => format(ngettext("{count} ruling", "{count} rulings", count), { count });

/** @type {(found: number, count: number) => string} */
const foundOf = (found, count) =>
  format(ngettext("{found} of {count} ruling", "{found} of {count} rulings", count), { found, count });

function search() {
  const [terms, tag] = [termsOf(field.value), chosen.value];
  const isAsked = Boolean(field.value.trim() || tag);
  const hits = isAsked ? ranked(rulings, terms, tag, isQuestion(field.value)) : [];
  const missed = rulings.filter((one) => !hits.includes(one));
  for (const one of hits) mark(one, terms);
  for (const one of missed) mark(one, []);
  need("ol", HTMLElement, found).replaceChildren(...hits.map((one) => one.item));
  for (const { shelf, item } of missed) shelf.append(item);
  for (const one of sections) one.hidden = isAsked || !one.querySelector(".ruling");
  found.hidden = !hits.length;
  none.hidden = !isAsked || hits.length > 0;
  count.textContent = [isAsked ? foundOf(hits.length, rulings.length) : countOf(rulings.length), tag]
    .filter(Boolean)
    .join(" · ");
  for (const one of topics) {
    if (one.dataset.tag === tag) one.setAttribute("aria-current", "true");
    else one.removeAttribute("aria-current");
  }
}

/** The chosen topic stands in sight, where they are a strip that moves sideways. */
function showTopic() {
  const topic = topics.find((one) => one.matches("[aria-current]"));
  const strip = topic?.parentElement;
  if (strip) strip.scrollLeft = topic.offsetLeft - (strip.clientWidth - topic.offsetWidth) / 2;
}

/** The address says what is searched for, so that it can be passed on. */
function remember() {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) asked.append(name, String(value));
  history.replaceState(history.state, "", `${location.pathname}${asked.size ? `?${asked}` : ""}`);
}

function searchNow() {
  search();
  clearTimeout(later);
  later = setTimeout(remember, 400);
}

field.addEventListener("input", searchNow);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  searchNow();
  field.blur(); // the keyboard of a phone makes room
});
document.addEventListener("click", (event) => {
  const topic = around(event, ".topic", HTMLElement);
  const isAll = Boolean(around(event, "#ruling-none .button", HTMLElement));
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || !(topic || isAll)) return;
  event.preventDefault();
  if (isAll) field.value = "";
  const tag = topic?.dataset.tag ?? "";
  chosen.value = tag === chosen.value ? "" : tag;
  searchNow();
});

// A page that was kept for another search, or is shown again, searches for what its address says.
const asked = new URLSearchParams(location.search);
field.value = asked.get("q") || "";
chosen.value = asked.get("tag") || "";
search();
showTopic();
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
