/* My card tells when something changes for me: title, vibration and a short tone. Off until it is asked for. */

import { find, onEveryPage } from "./dom.js";

const KEY = "notice";

const card = () => document.getElementById("card");

const title = document.title;
/** @type {string | undefined} */
let state;
/** @type {AudioContext | null} */
let audio = null;

const isOn = () => localStorage.getItem(KEY) === "on";

// A browser lets a page sound only after it was touched.
function wake() {
  if (!isOn() || !window.AudioContext) return;
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

/** @param {string | undefined} news */
function tell(news) {
  document.title = `● ${news}`;
  navigator.vibrate?.([200, 100, 200]);
  tone();
}

function offer() {
  const toggle = find("[data-notice]", HTMLInputElement);
  const label = toggle?.closest("label");
  if (!toggle || !label || !card()) return;
  state = card()?.dataset.state;
  toggle.checked = isOn();
  label.hidden = false;
  toggle.addEventListener("change", () => {
    localStorage.setItem(KEY, toggle.checked ? "on" : "off");
    wake();
    if (toggle.checked) tone();
  });
}

document.addEventListener("pointerdown", () => {
  if (state === undefined) return;
  document.title = title;
  wake();
});

document.addEventListener("htmx:afterSettle", () => {
  const now = card()?.dataset;
  if (state === undefined || now?.state === undefined || now.state === state) return;
  state = now.state;
  if (isOn()) tell(now.news);
});

onEveryPage(offer);
