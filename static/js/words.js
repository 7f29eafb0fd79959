/* What scripts say, in the language of the page: sentences are ids in the catalogue, as in tourney/runtime/messages.py.

     format(gettext("{name} is checked in."), { name })
     format(ngettext("{count} step", "{count} steps", count), { count })
     pgettext("a list", "{some} and {last}")

   English is what stands in the scripts; any other language is a file that the page names (templatetags/words.py), made
   of its catalogue (runtime/locale_files.py). The ids are texts in quotation marks: `makemessages -d djangojs` collects
   those. What a module says it asks for when it says it, not as it is loaded. */

/**
 * A sentence by its id, several where it goes with a number, and which of them goes with 0, 1, … 199.
 * @typedef {{ said: Record<string, string | string[]>, plurals: string }} Catalogue
 */

const PATIENCE = 5_000; // ms until the page goes on in English
const OF_CONTEXT = "\u0004"; // between a context and its id, as in catalogues

/** @type {Catalogue} */
let catalogue = { said: {}, plurals: "" };

/** From now on sentences come from there. @param {Catalogue} from */
export function speak(from) {
  catalogue = from;
}

/** The sentence. @param {string} id */
export function gettext(id) {
  const said = catalogue.said[id];
  return typeof said === "string" ? said : id;
}

/** The sentence in that meaning. @type {(context: string, id: string) => string} */
export function pgettext(context, id) {
  const said = catalogue.said[context + OF_CONTEXT + id];
  return typeof said === "string" ? said : id;
}

/** The form that goes with the number. @type {(one: string, many: string, number: number) => string} */
export function ngettext(one, many, number) {
  const said = catalogue.said[one];
  if (!Array.isArray(said)) return number === 1 ? one : many;
  const count = Math.abs(number);
  return said[Number(catalogue.plurals[count < 200 ? count : 100 + (count % 100)])] ?? many;
}

/** The sentence with its parameters. @type {(text: string, params: Record<string, string | number>) => string} */
export function format(text, params) {
  return text.replace(/\{(\w+)\}/g, (hole, name) => String(params[name] ?? hole));
}

/** "Lark, Onyx and Quill". @param {(string | number)[]} some @returns {string} */
export function listed(some) {
  return joined(some, pgettext("a list", "{some} and {last}"));
}

/** "Lark, Onyx or Quill". @param {(string | number)[]} some @returns {string} */
export function either(some) {
  return joined(some, pgettext("a list", "{some} or {last}"));
}

/** @type {(all: (string | number)[], end: string) => string} */
function joined(all, end) {
  const before = all.slice(0, -1).map(String);
  const last = all.at(-1) ?? "";
  if (!before.length) return String(last);
  const comma = pgettext("a list", "{some}, {one}");
  return format(end, { some: before.reduce((some, one) => format(comma, { some, one })), last });
}

// A browser that is not to be kept waiting, or has no network, goes on in English.
const address = globalThis.document?.querySelector("link[data-words]")?.getAttribute("href");
if (address) {
  await fetch(address, { signal: AbortSignal.timeout(PATIENCE) })
    .then(async (answer) => speak(await answer.json()))
    .catch(() => {});
}
