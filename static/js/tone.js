/* A short tone and a vibration, on a device that was asked for them: the setting is a tick box of the page. */

import { find } from "./dom.js";

/** @type {AudioContext | null} */
let audio = null;

/** Whether this device is to sound. @param {string} key of the setting */
export const isOn = (key) => localStorage.getItem(key) === "on";

/** A browser lets a page sound only after it was touched: to be called with a touch. @param {string} key */
export function wake(key) {
  if (!isOn(key) || !window.AudioContext) return;
  audio ??= new AudioContext();
  audio.resume();
}

function tone() {
  if (!audio) return;
  const [sound, volume] = [audio.createOscillator(), audio.createGain()];
  sound.frequency.value = 880;
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  sound.connect(volume).connect(audio.destination);
  sound.start();
  sound.stop(audio.currentTime + 0.4);
}

export function sound() {
  navigator.vibrate?.([200, 100, 200]);
  tone();
}

/**
 * Shows the tick box, if the page has it; who turns it on hears what it is about.
 * @type {(box: string, key: string) => void}
 */
export function offer(box, key) {
  const toggle = find(box, HTMLInputElement);
  const label = toggle?.closest("label");
  if (!toggle || !label) return;
  toggle.checked = isOn(key);
  label.hidden = false;
  toggle.addEventListener("change", () => {
    localStorage.setItem(key, toggle.checked ? "on" : "off");
    wake(key);
    if (toggle.checked) tone();
  });
}
