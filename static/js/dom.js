/* What every script of a page needs of the page: elements of a known kind, found, made and asked of an event. */

/**
 * The first element of that kind, or null.
 * @template {Element} T
 * @param {string} selector
 * @param {{ new (): T }} kind
 * @param {ParentNode} [root]
 * @returns {T | null}
 */
export function find(selector, kind, root = document) {
  return all(selector, kind, root)[0] ?? null;
}

/**
 * The first element of that kind. Throws where there is none, since the page then is another than the script is for.
 * @template {Element} T
 * @param {string} selector
 * @param {{ new (): T }} kind
 * @param {ParentNode} [root]
 * @returns {T}
 */
export function need(selector, kind, root = document) {
  const found = find(selector, kind, root);
  if (!found) throw new Error(`no ${selector} on this page`);
  return found;
}

/**
 * Every element of that kind, in the order of the page.
 * @template {Element} T
 * @param {string} selector
 * @param {{ new (): T }} kind
 * @param {ParentNode} [root]
 * @returns {T[]}
 */
export function all(selector, kind, root = document) {
  return [...root.querySelectorAll(selector)].filter(
    /** @type {(one: Element) => one is T} */ (one) => one instanceof kind,
  );
}

/**
 * The element around the place of an event, itself included; null where there is none.
 * @template {Element} T
 * @param {Event} event
 * @param {string} selector
 * @param {{ new (): T }} kind
 * @returns {T | null}
 */
export function around({ target }, selector, kind) {
  const found = target instanceof Element ? target.closest(selector) : null;
  return found instanceof kind ? found : null;
}

/**
 * A new element with these properties and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Partial<HTMLElementTagNameMap[K]>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** @type {(thing: unknown) => thing is Field} */
export const isField = (thing) =>
  thing instanceof HTMLInputElement || thing instanceof HTMLSelectElement || thing instanceof HTMLTextAreaElement;

/**
 * The field or group of radio buttons of that name. Throws where the form has none.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {Field | RadioNodeList}
 */
export function fieldOf(form, name) {
  const found = form.elements.namedItem(name);
  if (isField(found) || found instanceof RadioNodeList) return found;
  throw new Error(`no field ${name} in this form`);
}

/**
 * The tick box of that name. Throws where the form has none.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export function tickOf(form, name) {
  const found = form.elements.namedItem(name);
  if (found instanceof HTMLInputElement) return found;
  throw new Error(`no tick box ${name} in this form`);
}

/**
 * The time of day of a moment, in ms since 1970, at the store and as it writes it: "19:05", "7:05 PM". A page of no
 * store says that of this device.
 * @param {number} at
 */
export function timeOfDay(at) {
  const { locale, zone } = document.documentElement.dataset;
  /** @param {string} [timeZone] */
  const written = (timeZone) => new Date(at).toLocaleTimeString(locale, { timeStyle: "short", timeZone });
  try {
    return written(zone);
  } catch {
    return written(); // a zone that this browser does not know yet
  }
}

/** When the whole page was put in place of another (outbox.js), and now. @param {() => void} start */
export function onEveryPage(start) {
  document.addEventListener("page", start);
  start();
}
