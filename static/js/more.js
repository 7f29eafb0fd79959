/* The rest of a long list (parts/more.html): fetched for a script that needs it, and before the page is printed.
   Without it, the links and buttons do. */

import { find } from "./dom.js";

const link = (/** @type {boolean} */ isAll) => find(`#more [hx-get]${isAll ? "[data-all]" : ""}`, HTMLElement);

/** Whether rows are left that this page does not have. */
export const isMore = () => link(true) !== null;

/**
 * The next rows, or all that are left. Without an answer of the site the page stays as it is.
 * @param {boolean} isAll
 */
export async function bring(isAll) {
  const found = link(isAll);
  const path = found?.getAttribute("hx-get");
  if (!found || !path) return;
  const target = found.getAttribute("hx-target") ?? "#more";
  await htmx.ajax("GET", path, { target, swap: "outerHTML" }).catch(() => {}); // the network is away, the page stays
}

// Paper has no links. The browser prints as soon as this returns, so it waits for the answer here.
window.addEventListener("beforeprint", () => {
  const found = link(true);
  const target = found && document.querySelector(found.getAttribute("hx-target") ?? "#more");
  if (!found || !target) return;
  const request = new XMLHttpRequest();
  request.open("GET", new URL(found.getAttribute("hx-get") ?? "", location.href), false);
  request.setRequestHeader("HX-Request", "true");
  request.setRequestHeader("HX-Target", target.id);
  request.send();
  const isThere = request.status === 200 && !request.getResponseHeader("HX-Redirect"); // to the sign-in
  if (isThere) htmx.swap(target, request.responseText, { swapStyle: "outerHTML" });
});
