/* A drawing of ours as a PNG: this browser paints it, so that no network and no other program is needed. */

import { make } from "./dom.js";

/**
 * The SVG as a picture of that many pixels. Throws where the browser paints none.
 * @type {(svg: string, width: number, height: number, name: string) => Promise<File>}
 */
export async function painted(svg, width, height, name) {
  const canvas = make("canvas", { width, height });
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  /** @type {Blob | null} */
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("no picture");
  return new File([blob], name, { type: "image/png" });
}

/** @param {File} file */
export function saved(file) {
  const link = make("a", { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Whether this browser hands pictures on to other programs. */
export const canShare = () =>
  Boolean(navigator.canShare?.({ files: [new File([""], "picture.png", { type: "image/png" })] }));
