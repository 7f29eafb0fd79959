/* The result of an event as a picture: shared with a link where the browser can, else saved, and the link copied.
   <div data-share="address of the SVG" data-name="name of the file" data-link="page">; without scripts it links to the
   PNG. */

import { all, around, find, onEveryPage } from "./dom.js";
import { canShare, painted, saved } from "./picture.js";

const [WIDTH, HEIGHT] = [1080, 1350];

/** Whether this browser refused what it promised: then it isn’t offered again. */
let refused = false;

/** @type {Map<string, Promise<File>>} Of each address the picture, so that a press finds it made. */
const made = new Map();

/** @param {HTMLElement} share */
function pictureOf({ dataset }) {
  const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const address = `${dataset.share}?theme=${theme}`;
  const picture = made.get(address) ?? load(address, `${dataset.name}.png`);
  made.set(address, picture);
  picture.catch(() => made.delete(address));
  return picture;
}

/** @type {(address: string, name: string) => Promise<File>} */
async function load(address, name) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  return painted(await answer.text(), WIDTH, HEIGHT, name);
}

/** @param {HTMLElement} share */
const pageOf = ({ dataset }) => new URL(dataset.link ?? "", location.href).href;

/** @type {(share: HTMLElement, file: File) => Promise<void>} */
const hand = (share, file) => navigator.share({ files: [file], title: document.title, url: pageOf(share) });

/** Sharing, or else saving and the link. @type {(share: HTMLElement, shares: boolean) => void} */
function offer(share, shares) {
  const names = ["now", "save", "link", "print"];
  const [now, save, link, paper] = names.map((one) => find(`[data-share-${one}]`, HTMLElement, share));
  now?.toggleAttribute("hidden", !shares);
  save?.toggleAttribute("hidden", shares);
  link?.toggleAttribute("hidden", shares);
  paper?.toggleAttribute("hidden", false);
  if (link) link.dataset.copy = pageOf(share);
}

function show() {
  for (const share of all("[data-share]", HTMLElement)) {
    const shares = canShare() && !refused;
    offer(share, shares);
    if (shares) pictureOf(share).catch(() => {}); // a browser shares only what is there soon after the press
  }
}

document.addEventListener("click", (event) => {
  if (around(event, "[data-share-print]", HTMLElement)) print();
});

document.addEventListener("click", async (event) => {
  const button = around(event, "[data-share-now], [data-share-save]", HTMLElement);
  const share = button?.closest("[data-share]");
  if (!button || !(share instanceof HTMLElement)) return;
  event.preventDefault();
  const failed = find("[data-share-failed]", HTMLElement, share);
  failed?.setAttribute("hidden", "");
  try {
    const file = await pictureOf(share);
    if ("shareNow" in button.dataset) await hand(share, file);
    else saved(file);
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    refused ||= name === "NotAllowedError";
    if (refused) offer(share, false);
    else failed?.toggleAttribute("hidden", name === "AbortError");
  }
});

document.addEventListener("htmx:afterSwap", () => {
  made.clear(); // what was swapped may say something else
  show();
});
onEveryPage(show);
