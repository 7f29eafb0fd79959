/* A store's look before it is saved: the color can be picked, and a chosen logo is shown. Without this file the digits
   are typed, and the logo is seen once it is saved. */

import { all, find, need } from "./dom.js";

for (const picker of all("[data-picks]", HTMLInputElement)) {
  const digits = need(`#${picker.dataset.picks}`, HTMLInputElement);
  picker.hidden = false;
  picker.addEventListener("input", () => {
    digits.value = picker.value;
  });
  digits.addEventListener("input", () => {
    if (/^#[0-9a-f]{6}$/i.test(digits.value)) picker.value = digits.value;
  });
}

for (const preview of all("[data-preview-of]", HTMLElement)) {
  const file = need(`#${preview.dataset.previewOf}`, HTMLInputElement);
  const image = find("img", HTMLImageElement, preview);
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    if (!chosen || !image) return;
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      image.src = String(reader.result);
      preview.hidden = false;
    });
    reader.readAsDataURL(chosen);
  });
}
