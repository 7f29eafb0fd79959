/* What the search of rulings finds and highlights, as tourney/judge/domain/rulings.py does, without a network. Both
   answer tests/vectors/rulings.json alike. */

/**
 * A word of a text, folded, with the place of each of its letters there and the place after it.
 * @typedef {{ text: string, places: number[], end: number }} Word
 */
/**
 * A ruling in words that can be compared: its numbers, topic and tags, text.
 * @typedef {{ numbers: string[], head: string[], text: string[], stems: Set<string>[], tags: string[] }} Readable
 */

/**
 * How words are understood (tourney/judge/data/search.toml): which are ignored, what they end in, which are alike.
 * @typedef {{ ignored: string[], endings: string[], alike: string[][] }} Understanding
 */

const MISSING = 100; // what a word that is missing weighs: more than any that is there
const LETTER = /[\p{L}\p{N}]/u;

/** @param {string} char */
const folded = (char) => char.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

/** @type {Understanding} */
let known = { ignored: [], endings: [], alike: [] };
/** @type {Set<string>[]} */
let alike = [];

/** From now on words are understood so. @param {Understanding} understanding */
export function understand(understanding) {
  known = understanding;
  alike = known.alike.map((group) => new Set(group.map(stemOf)));
}

/** What words of one origin have in common. @param {string} word */
function stemOf(word) {
  const ending = known.endings.find((one) => word.endsWith(one) && word.length - one.length >= 3) ?? "";
  const stem = word.slice(0, word.length - ending.length);
  return stem.length > 3 && stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem;
}

/** The stems of the words that are looked for like this one. @param {string} term */
function likeOf(term) {
  const stem = stemOf(term);
  const stems = alike.filter((group) => group.has(stem)).flatMap((group) => [...group]);
  return new Set(stems.filter((one) => one !== stem));
}

/** The words of a text in their order. @param {string} text @returns {Word[]} */
export function wordsOf(text) {
  /** @type {Word[]} */
  const words = [];
  /** @type {Word | null} */
  let word = null;
  let place = 0;
  for (const char of `${text} `) {
    for (const letter of folded(char)) {
      if (LETTER.test(letter)) {
        word ??= { text: "", places: [], end: 0 };
        word.text += letter;
        word.places.push(place);
      } else if (word) {
        words.push({ ...word, end: place });
        word = null;
      }
    }
    place += char.length;
  }
  return words;
}

/** @param {string} text */
const textsOf = (text) => wordsOf(text).map((word) => word.text);

/** What is searched for, word by word; an s at the end says nothing, nor what makes a question. @param {string} text */
export function termsOf(text) {
  const asked = textsOf(text);
  const telling = asked.filter((word) => !known.ignored.includes(word));
  return (telling.length ? telling : asked).map((word) => word.replace(/^(..+[^s])s$/u, "$1"));
}

/** Whether a question was asked, with words that are left out of its terms. @param {string} text */
export const isQuestion = (text) => termsOf(text).length < wordsOf(text).length;

/**
 * @param {{ number: string, topic: string, about: string, tags: string[], text: string }} ruling
 * @returns {Readable}
 */
export function readable({ number, topic, about, tags, text }) {
  const numbers = textsOf(number);
  const [head, words] = [[...textsOf(topic), ...textsOf([...tags, about].join(" "))], textsOf(text)];
  return {
    numbers: [...numbers, ...numbers.map((word) => word.replace(/^[a-z]+/, ""))],
    head,
    text: words,
    stems: [head, words].map((some) => new Set(some.map(stemOf))),
    tags,
  };
}

/** How well a term is met, 0 is best; -1 where it is not. @type {(ruling: Readable, term: string) => number} */
function grade({ numbers, head, text, stems: [ofHead, ofText] }, term) {
  const stem = stemOf(term);
  /** @param {string} word */
  const begins = (word) => word.startsWith(term);
  return [
    () => numbers.includes(term),
    () => head.includes(term),
    () => ofHead.has(stem) || head.some(begins),
    () => text.includes(term),
    () => ofText.has(stem) || text.some(begins),
    () => numbers.some(begins),
    () => [...likeOf(term)].some((one) => ofHead.has(one) || ofText.has(one)),
  ].findIndex((is) => is());
}

/**
 * The rulings that have all the terms and the tag (any where it is ""), the best first, else as they come. Where none
 * answers all of a question, those with the rarest of its terms, and most of the others.
 * @template {Readable} Ruling
 * @param {Ruling[]} rulings
 * @param {string[]} terms
 * @param {string} tag
 * @param {boolean} [isAsked] as a question
 * @returns {Ruling[]}
 */
export function ranked(rulings, terms, tag, isAsked = false) {
  const graded = rulings
    .filter((ruling) => !tag || ruling.tags.includes(tag))
    .map((ruling) => ({ ruling, grades: terms.map((term) => grade(ruling, term)) }));
  let hits = graded.filter(({ grades }) => !grades.includes(-1));
  if (!hits.length && isAsked) {
    const counts = terms.map((_, place) => graded.filter(({ grades }) => grades[place] >= 0).length);
    const rarest = counts.indexOf(Math.min(...counts.filter(Boolean)));
    hits = graded.filter(({ grades }) => grades[rarest] >= 0);
  }
  /** @param {number[]} grades */
  const weightOf = (grades) => grades.reduce((sum, each) => sum + (each < 0 ? MISSING : each), 0);
  return hits.sort((one, other) => weightOf(one.grades) - weightOf(other.grades)).map((hit) => hit.ruling);
}

/** The places of a text, of these words, that terms name. @type {(words: Word[], terms: string[]) => Set<number>} */
export function highlighted(words, terms) {
  /** @type {Set<number>} */
  const places = new Set();
  for (const word of words) {
    for (const term of terms) {
      const begins = word.text.startsWith(term);
      if (!begins && stemOf(word.text) !== stemOf(term) && !likeOf(term).has(stemOf(word.text))) continue;
      const last = word.places[[...term].length - 1];
      const end = (begins && word.places.find((place) => place > last)) || word.end;
      for (let place = word.places[0]; place < end; place++) places.add(place);
    }
  }
  return places;
}

/**
 * A text cut where marking begins or ends.
 * @type {(text: string, places: Set<number>) => { text: string, isMarked: boolean }[]}
 */
export function pieces(text, places) {
  const found = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    while (to < text.length && places.has(to) === places.has(from)) to++;
    found.push({ text: text.slice(from, to), isMarked: places.has(from) });
  }
  return found;
}
