/* The poster as a picture: this browser paints the drawing, so no network is needed. Print, save, share.
   Without this file the SVG and the browser's own print remain. */
(() => {
  "use strict";

  const PIXELS_PER_UNIT = 2400 / 2100; // 2400 pixels across an upright A4 sheet
  const drawing = document.querySelector(".poster-drawing");
  const save = document.querySelector("[data-poster-save]");
  const share = document.querySelector("[data-poster-share]");
  const print = document.querySelector("[data-poster-print]");
  const failed = document.querySelector("[data-poster-failed]");

  async function picture() {
    const { width, height } = drawing.viewBox.baseVal;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * PIXELS_PER_UNIT);
    canvas.height = Math.round(height * PIXELS_PER_UNIT);
    const copy = drawing.cloneNode(true);
    copy.setAttribute("width", canvas.width);
    copy.setAttribute("height", canvas.height);
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
    await image.decode();
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (!blob) throw new Error("no picture");
    return new File([blob], save.dataset.posterSave, { type: "image/png" });
  }

  const saved = (file) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };

  const shared = (file) => navigator.share({ files: [file], title: document.title });

  const when = (button, use) => {
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true;
      failed.hidden = true;
      try {
        await use(await picture());
      } catch (error) {
        failed.hidden = error.name === "AbortError";
      } finally {
        button.disabled = false;
      }
    });
  };

  when(save, saved);
  const sample = new File([""], "poster.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [sample] })) when(share, shared);
  print.hidden = false;
  print.addEventListener("click", () => window.print());
})();
