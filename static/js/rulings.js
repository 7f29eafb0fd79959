/* Searches the rulings of the page while somebody types, as tourney/judge/domain/rulings.py does; without a network, too. */
(() => {
  "use strict";

  const form = document.getElementById("ruling-search");
  const field = form.elements.q;
  const chosen = form.elements.tag;
  const found = document.getElementById("ruling-found");
  const none = document.getElementById("ruling-none");
  const count = document.getElementById("ruling-count");
  const sections = [...document.querySelectorAll(".ruling-section")];
  const topics = [...document.querySelectorAll(".topic")];
  const LETTER = /[\p{L}\p{N}]/u;
  let later = 0;

  // ── Words, and which of them begin with what ───────────────────────────────────────────────────────────

  const folded = (char) => char.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

  /** The words of a text, folded, with the place of each letter in it. */
  function wordsOf(text) {
    const words = [];
    let word = null;
    let place = 0;
    for (const char of `${text} `) {
      for (const letter of folded(char)) {
        if (LETTER.test(letter)) {
          word ||= { letters: [], places: [] };
          word.letters.push(letter);
          word.places.push(place);
        } else if (word) {
          words.push({ text: word.letters.join(""), letters: word.letters, places: word.places, end: place });
          word = null;
        }
      }
      place += char.length;
    }
    return words;
  }

  const termsOf = (text) => wordsOf(text).map((word) => word.text.replace(/^(..+[^s])s$/u, "$1"));

  function grade({ numbers, head, text }, term) {
    const begins = (word) => word.startsWith(term);
    const tests = [numbers.includes(term), head.includes(term), head.some(begins), text.includes(term), text.some(begins)];
    return [...tests, numbers.some(begins)].indexOf(true);
  }

  // ── The rulings in their order ─────────────────────────────────────────────────────────────────────────

  const texts = (words) => words.map((word) => word.text);

  function readable(element) {
    const plain = element.textContent;
    return { element, plain, words: wordsOf(plain) };
  }

  const rulings = [...document.querySelectorAll(".ruling")]
    .sort((one, other) => one.dataset.place - other.dataset.place)
    .map((item) => {
      const [topic, text] = [item.querySelector("h3"), item.querySelector(".ruling-text")].map(readable);
      const tags = item.dataset.tags.split("|");
      const number = texts(wordsOf(item.id));
      return {
        item,
        tags,
        shelf: document.querySelector(`[data-shelf="${item.dataset.section}"]`),
        numbers: [...number, ...number.map((word) => word.replace(/^[a-z]+/, ""))],
        head: texts([...topic.words, ...wordsOf([...tags, item.dataset.about].join(" "))]),
        text: texts(text.words),
        shown: [topic, text],
      };
    });

  function mark({ shown }, terms) {
    for (const { element, plain, words } of shown) {
      const places = new Set();
      for (const word of words) {
        for (const term of terms.filter((one) => word.text.startsWith(one))) {
          const last = word.places[[...term].length - 1];
          const end = word.places.find((place) => place > last) ?? word.end;
          for (let place = word.places[0]; place < end; place++) places.add(place);
        }
      }
      if (!places.size && !element.firstElementChild) continue;
      element.replaceChildren(...pieces(plain, places));
    }
  }

  function pieces(text, places) {
    const nodes = [];
    for (let from = 0, to = 0; from < text.length; from = to) {
      while (to < text.length && places.has(to) === places.has(from)) to++;
      const piece = document.createTextNode(text.slice(from, to));
      const marked = places.has(from) && document.createElement("mark");
      if (marked) marked.append(piece);
      nodes.push(marked || piece);
    }
    return nodes;
  }

  // ── Search ─────────────────────────────────────────────────────────────────────────────────────────────

  function search() {
    const [terms, tag] = [termsOf(field.value), chosen.value];
    const isAsked = Boolean(field.value.trim() || tag);
    const hits = isAsked ? ranked(terms, tag) : [];
    const missed = rulings.filter((one) => !hits.includes(one));
    hits.forEach((one) => mark(one, terms));
    missed.forEach((one) => mark(one, []));
    found.querySelector("ol").replaceChildren(...hits.map((one) => one.item));
    missed.forEach(({ shelf, item }) => shelf.append(item));
    sections.forEach((one) => (one.hidden = isAsked || !one.querySelector(".ruling")));
    found.hidden = !hits.length;
    none.hidden = !isAsked || hits.length > 0;
    count.textContent = `${isAsked ? `${hits.length} of ` : ""}${rulings.length} rulings${tag && ` · ${tag}`}`;
    topics.forEach((one) => {
      if (one.dataset.tag === tag) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    });
  }

  function ranked(terms, tag) {
    const hits = [];
    for (const one of rulings) {
      if (tag && !one.tags.includes(tag)) continue;
      const grades = terms.map((term) => grade(one, term));
      if (!grades.includes(-1)) hits.push([grades.reduce((sum, each) => sum + each, 0), one]);
    }
    return hits.sort(([one], [other]) => one - other).map(([, one]) => one);
  }

  /** The chosen topic stands in sight, where they are a strip that moves sideways. */
  function showTopic() {
    const topic = topics.find((one) => one.matches("[aria-current]"));
    if (topic) topic.parentElement.scrollLeft = topic.offsetLeft - (topic.parentElement.clientWidth - topic.offsetWidth) / 2;
  }

  /** The address says what is searched for, so that it can be passed on. */
  function remember() {
    const asked = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
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
    const topic = event.target.closest?.(".topic");
    const all = event.target.closest?.("#ruling-none .button");
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || !(topic || all)) return;
    event.preventDefault();
    if (all) field.value = "";
    chosen.value = topic && topic.dataset.tag !== chosen.value ? topic.dataset.tag : "";
    searchNow();
  });

  // A page that was kept for another search, or is shown again, searches for what its address says.
  const asked = new URLSearchParams(location.search);
  field.value = asked.get("q") || "";
  chosen.value = asked.get("tag") || "";
  search();
  showTopic();
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
})();
