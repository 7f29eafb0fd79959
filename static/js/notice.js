/* My card tells when something changes for me: title, vibration and a short tone. Off until it is asked for. */
(() => {
  "use strict";

  const KEY = "notice";
  const toggle = document.querySelector("[data-notice]");
  const card = () => document.getElementById("card");
  if (!toggle || !card()) return;

  const title = document.title;
  let state = card().dataset.state;
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

  function tell() {
    document.title = `● ${card().dataset.news}`;
    navigator.vibrate?.([200, 100, 200]);
    tone();
  }

  toggle.checked = isOn();
  toggle.closest("label").hidden = false;
  toggle.addEventListener("change", () => {
    localStorage.setItem(KEY, toggle.checked ? "on" : "off");
    wake();
    if (toggle.checked) tone();
  });

  document.addEventListener("pointerdown", () => {
    document.title = title;
    wake();
  });

  document.addEventListener("htmx:afterSettle", () => {
    const now = card()?.dataset.state;
    if (now === undefined || now === state) return;
    state = now;
    if (isOn()) tell();
  });
})();
