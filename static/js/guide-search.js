/* The search of the guide without a network (tourney/queries/guide.py): in the pages that this device keeps (sw.js),
   which show the guide in place of what the site would have found. */

import { all, find, make, need } from "./dom.js";

const MOST_FOUND = 20;
const MOST_OF_A_PASSAGE = 180;
const HEADINGS = "h1, h2, h3, h4";
const BLOCKS = [HEADINGS, "p", "li", "th", "td"].join();
const NO_TEXT = ".help-contents, .help-pictures, .help-film, h1 + .small"; // of no file of the guide
const RULE = /^r-(\d+-\d+)$/; // the anchor of one

/** @typedef {{ anchor: string, title: string, level: number, passages: string[] }} Section */
/** @typedef {{ address: string, language: string, title: string, sections: Section[] }} GuidePage */
/** @typedef {{ far: number, page: GuidePage, section: Section, passage: string }} Found */

/** Without capitals and accents. @param {string} text */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");

/** @param {string} text */
const searched = (text) =>
  plain(text)
    .replace(/·[\p{L}\p{N}_]*?(s?)(?![\p{L}\p{N}_])/gu, "$1")
    .replace(/[-'‘’]/g, "");

// ── A page ─────────────────────────────────────────────────────────────────────────────────────────────────

/** Its sections, as the site has them. @type {(address: string, html: string) => GuidePage | null} */
function read(address, html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const text = find(".help-text", HTMLElement, page);
  if (!text) return null;
  for (const one of text.querySelectorAll(NO_TEXT)) one.remove();
  const title = textOf(need("h1", HTMLElement, text));
  /** @type {Section[]} */
  const sections = [];
  let chapter = "";
  for (const block of all(BLOCKS, HTMLElement, text)) {
    const said = textOf(block);
    const rule = block.matches("li") && RULE.exec(block.id);
    if (block.matches(HEADINGS)) {
      const level = Number(block.tagName[1]);
      if (level < 3) chapter = said.replace(/^[\d ]+/, "");
      sections.push({ anchor: block.id, title: said, level, passages: [] });
    } else {
      if (rule)
        sections.push({ anchor: block.id, title: `${rule[1].replace("-", ".")} ${chapter}`, level: 3, passages: [] });
      if (said) sections.at(-1)?.passages.push(said);
    }
  }
  return { address, language: text.lang || page.documentElement.lang, title, sections };
}

/** What is written in it, but not in a block inside. @param {HTMLElement} block */
function textOf(block) {
  const own = /** @type {HTMLElement} */ (block.cloneNode(true));
  for (const inner of own.querySelectorAll(BLOCKS)) inner.remove();
  return own.textContent.replace(/\s+/g, " ").trim();
}

// ── The search ─────────────────────────────────────────────────────────────────────────────────────────────

/**
 * The sections that hold every word, in the order of the site.
 * @type {(pages: GuidePage[], text: string) => Found[]}
 */
function search(pages, text) {
  const words = searched(text).split(/\s+/).filter(Boolean);
  const found = words.length ? pages.flatMap((page) => hits(page, words)) : [];
  return found.sort((one, other) => one.far - other.far).slice(0, MOST_FOUND);
}

/** @type {(page: GuidePage, words: string[]) => Found[]} */
function hits(page, words) {
  return page.sections.flatMap((section) => {
    const [title, passages] = [searched(section.title), section.passages.map(searched)];
    const here = [title, ...passages].join(" ");
    const all = `${searched(page.title)} ${here}`;
    if (!words.every((word) => all.includes(word)) || !words.some((word) => here.includes(word))) return [];
    const first = words.find((word) => passages.some((one) => one.includes(word)));
    const place = first === undefined ? 0 : passages.findIndex((one) => one.includes(first));
    const far =
      Number(words.some((word) => !` ${title}`.includes(` ${word}`))) * 4 +
      Number(!here.replaceAll(" ", "").includes(words.join(""))) * 2 +
      Number(words.some((word) => !` ${here}`.includes(` ${word}`)));
    return [{ far, page, section, passage: around(section.passages[place] ?? "", words[0]) }];
  });
}

/** So much of the passage that a line or two show the word. @type {(passage: string, word: string) => string} */
function around(passage, word) {
  if (passage.length <= MOST_OF_A_PASSAGE) return passage;
  const near = Math.max(0, plain(passage).indexOf(word) - MOST_OF_A_PASSAGE / 3);
  const start = near ? passage.lastIndexOf(" ", near - 1) + 1 : 0;
  const end = passage.lastIndexOf(" ", start + MOST_OF_A_PASSAGE - 1);
  return `${start ? "… " : ""}${passage.slice(start, end).replace(/[.,;:]+$/, "")} …`;
}

// ── What is shown ──────────────────────────────────────────────────────────────────────────────────────────

/** A row of the results. @param {Found} found */
function row({ page, section, passage }) {
  const link = make("a", { href: section.anchor ? `${page.address}#${section.anchor}` : page.address });
  link.append(make("b", {}, section.title));
  const text = make("span", { className: "row-text" }, link);
  if (section.anchor) text.append(make("small", { className: "muted" }, page.title));
  if (passage) text.append(make("span", { className: "small" }, passage));
  const item = make("li", { className: "row" }, text);
  if (page.language !== document.documentElement.lang) item.lang = page.language;
  return item;
}

/** Every page of the guide that is at hand, in their order: kept, or else from the site. */
async function pages() {
  const links = all(".help-pages a", HTMLAnchorElement).map((link) => link.pathname);
  const kept = { headers: { "X-Keep": "now" } };
  const answers = await Promise.allSettled(links.map((path) => fetch(path, kept).then((answer) => answer.text())));
  return answers.flatMap((one, place) => (one.status === "fulfilled" ? [read(links[place], one.value)] : []));
}

/** Puts what was found in the place of the page that is shown. @param {string} words */
async function show(words) {
  const page = need(".help-text", HTMLElement);
  page.hidden = true;
  const found = search(
    (await pages()).filter((one) => one !== null),
    words,
  );
  const results = /** @type {DocumentFragment} */ (need("#help-found", HTMLTemplateElement).content.cloneNode(true));
  const title = need("h1", HTMLElement, results).textContent;
  need("ol", HTMLElement, results).append(...found.map(row));
  need(found.length ? "p" : "ol", HTMLElement, results).remove();
  page.replaceWith(results);
  need("#q", HTMLInputElement).value = words;
  for (const current of all("[aria-current]", HTMLElement)) current.removeAttribute("aria-current");
  document.title = `${title} · ${document.title}`;
}

const words = new URLSearchParams(location.search).get("q")?.trim().slice(0, 100);
if (words && !find(".help-found", HTMLElement)) show(words);
