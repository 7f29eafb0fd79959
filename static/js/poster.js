/* The poster as a picture: this browser paints the drawing, so no network is needed. Print, save, share.
   Without this file the SVG and the browser's own print remain. */

import { need } from "./dom.js";
import { canShare, painted, saved } from "./picture.js";

const PIXELS_PER_UNIT = 2400 / 2100; // 2400 pixels across an upright A4 sheet
const drawing = need(".poster-drawing", SVGSVGElement);
const save = need("[data-poster-save]", HTMLButtonElement);
const share = need("[data-poster-share]", HTMLButtonElement);
const print = need("[data-poster-print]", HTMLButtonElement);
const failed = need("[data-poster-failed]", HTMLElement);

/** The drawing as a PNG. Throws where the browser paints none. */
function picture() {
  const { width, height } = drawing.viewBox.baseVal;
  const [across, down] = [Math.round(width * PIXELS_PER_UNIT), Math.round(height * PIXELS_PER_UNIT)];
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  copy.setAttribute("width", String(across));
  copy.setAttribute("height", String(down));
  return painted(new XMLSerializer().serializeToString(copy), across, down, save.dataset.posterSave ?? "poster.png");
}

/** @param {File} file */
const shared = (file) => navigator.share({ files: [file], title: document.title });

/** @type {(button: HTMLButtonElement, use: (file: File) => void | Promise<void>) => void} */
function when(button, use) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    failed.hidden = true;
    try {
      await use(await picture());
    } catch (error) {
      failed.hidden = error instanceof Error && error.name === "AbortError";
    } finally {
      button.disabled = false;
    }
  });
}

when(save, saved);
if (canShare()) when(share, shared);
print.hidden = false;
print.addEventListener("click", () => window.print());
