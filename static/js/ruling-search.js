/* What the search of rulings finds and highlights, as tourney/judge/domain/rulings.py does, without a network. Both
   answer tests/vectors/rulings.json alike. */

/**
 * A word of a text, folded, with the place of each of its letters there and the place after it.
 * @typedef {{ text: string, places: number[], end: number }} Word
 */
/**
 * A ruling in words that can be compared: its numbers, topic and tags, text.
 * @typedef {{ numbers: string[], head: string[], text: string[], tags: string[] }} Readable
 */

const LETTER = /[\p{L}\p{N}]/u;

/** @param {string} char */
const folded = (char) => char.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

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

/** What is searched for, word by word; an s at the end says nothing. @param {string} text */
export const termsOf = (text) => textsOf(text).map((word) => word.replace(/^(..+[^s])s$/u, "$1"));

/**
 * @param {{ number: string, topic: string, about: string, tags: string[], text: string }} ruling
 * @returns {Readable}
 */
export function readable({ number, topic, about, tags, text }) {
  const numbers = textsOf(number);
  return {
    numbers: [...numbers, ...numbers.map((word) => word.replace(/^[a-z]+/, ""))],
    head: [...textsOf(topic), ...textsOf([...tags, about].join(" "))],
    text: textsOf(text),
    tags,
  };
}

/** How well a term is met, 0 is best; -1 where it is not. @type {(ruling: Readable, term: string) => number} */
function grade({ numbers, head, text }, term) {
  /** @param {string} word */
  const begins = (word) => word.startsWith(term);
  const whole = [numbers.includes(term), head.includes(term), head.some(begins), text.includes(term)];
  return [...whole, text.some(begins), numbers.some(begins)].indexOf(true);
}

/**
 * The rulings that have all the terms and the tag (any where it is ""), the best first, else as they come.
 * @template {Readable} Ruling
 * @param {Ruling[]} rulings
 * @param {string[]} terms
 * @param {string} tag
 * @returns {Ruling[]}
 */
export function ranked(rulings, terms, tag) {
  const hits = [];
  for (const ruling of rulings) {
    if (tag && !ruling.tags.includes(tag)) continue;
    const grades = terms.map((term) => grade(ruling, term));
    if (!grades.includes(-1)) hits.push({ ruling, grade: grades.reduce((sum, each) => sum + each, 0) });
  }
  return hits.sort((one, other) => one.grade - other.grade).map((hit) => hit.ruling);
}

/** The places of a text, of these words, that terms name. @type {(words: Word[], terms: string[]) => Set<number>} */
export function highlighted(words, terms) {
  /** @type {Set<number>} */
  const places = new Set();
  for (const word of words) {
    for (const term of terms.filter((one) => word.text.startsWith(one))) {
      const last = word.places[[...term].length - 1];
      const end = word.places.find((place) => place > last) ?? word.end;
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
