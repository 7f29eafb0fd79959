/* The poster as a picture: this browser paints the drawing, so no network is needed. Print, save, share.
   Without this file the SVG and the browser's own print remain. */

import { make, need } from "./dom.js";

const PIXELS_PER_UNIT = 2400 / 2100; // 2400 pixels across an upright A4 sheet
const drawing = need(".poster-drawing", SVGSVGElement);
const save = need("[data-poster-save]", HTMLButtonElement);
const share = need("[data-poster-share]", HTMLButtonElement);
const print = need("[data-poster-print]", HTMLButtonElement);
const failed = need("[data-poster-failed]", HTMLElement);

/** The drawing as a PNG. Throws where the browser paints none. */
async function picture() {
  const { width, height } = drawing.viewBox.baseVal;
  const canvas = make("canvas");
  canvas.width = Math.round(width * PIXELS_PER_UNIT);
  canvas.height = Math.round(height * PIXELS_PER_UNIT);
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  copy.setAttribute("width", String(canvas.width));
  copy.setAttribute("height", String(canvas.height));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("no picture");
  return new File([blob], save.dataset.posterSave ?? "poster.png", { type: "image/png" });
}

/** @param {File} file */
function saved(file) {
  const link = make("a", { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
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
const sample = new File([""], "poster.png", { type: "image/png" });
if (navigator.canShare?.({ files: [sample] })) when(share, shared);
print.hidden = false;
print.addEventListener("click", () => window.print());
