/* A device that is told something while Flagship is closed: the switches of <form data-push-key="…">, off until they
   are pressed. The browser makes one subscription for the whole site; what it is told, and for whom, the site keeps.
   What was chosen here is remembered for that card or role, and said again to the site when its holder looks. */

import { all, find, need } from "./dom.js";
import { gettext } from "./words.js";

/** @typedef {{ why?: string, kinds?: string[] }} Answer */

/** @type {WeakSet<HTMLFormElement>} */
const ready = new WeakSet();

/** @param {HTMLFormElement} form */
const placeOf = ({ dataset }) => `push ${dataset.pushFor}`;

/** @param {HTMLFormElement} form */
const switchesOf = (form) => all("[name=kinds]", HTMLInputElement, form);

/** @type {(form: HTMLFormElement, sentence: string) => void} */
function say(form, sentence) {
  need("[data-push-says]", HTMLElement, form).textContent = sentence;
}

/** @param {string} key base64url */
const bytesOf = (key) =>
  Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

/** The browser's subscription for this site, made if there is none. @param {HTMLFormElement} form */
async function subscribed(form) {
  await navigator.serviceWorker.register("/sw.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(form.dataset.pushKey ?? "") };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const old = await pushManager.getSubscription(); // of a site that had another key
    if (!old) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(options);
  }
}

/**
 * Tells the site what this device is to be told now; null where it said nothing that can be read.
 * @type {(form: HTMLFormElement, subscription: PushSubscription) => Promise<Answer | null>}
 */
async function tell(form, subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const body = new FormData(form);
  body.set("endpoint", endpoint ?? "");
  body.set("public_key", keys?.p256dh ?? "");
  body.set("secret", keys?.auth ?? "");
  const answer = await fetch(form.action, { method: "POST", body }).catch(() => null);
  return answer && (answer.ok || answer.status === 422) ? answer.json().catch(() => null) : null;
}

let told = Promise.resolve("");

/**
 * Has the site tell this device what the switches say; "", or why it does not. One after another: what is told last
 * is what the switches said last.
 * @param {HTMLFormElement} form
 */
function choose(form) {
  told = told.then(() => chooseNow(form));
  return told;
}

/** @param {HTMLFormElement} form */
async function chooseNow(form) {
  const isOn = switchesOf(form).some(({ checked }) => checked);
  if (isOn && (await Notification.requestPermission()) !== "granted") {
    return gettext("This browser blocks notifications from here. Allow them in its settings, then try again.");
  }
  let subscription;
  try {
    subscription = await subscribed(form);
  } catch {
    return gettext("This browser couldn’t set up notifications. Try again later.");
  }
  const answer = await tell(form, subscription);
  if (!answer?.kinds) return answer?.why ?? gettext("Not saved. Check your connection and try again.");
  if (answer.kinds.length) localStorage.setItem(placeOf(form), JSON.stringify(answer.kinds));
  else localStorage.removeItem(placeOf(form));
  return "";
}

/** @type {(form: HTMLFormElement, pressed: HTMLInputElement) => Promise<void>} */
async function press(form, pressed) {
  const why = await choose(form);
  if (why) pressed.checked = !pressed.checked;
  say(form, why || (pressed.checked ? gettext("On for this device.") : gettext("Off for this device.")));
}

/** The switches as they were left on this device, if the site still knows it. @param {HTMLFormElement} form */
async function restore(form) {
  const kinds = JSON.parse(localStorage.getItem(placeOf(form)) ?? "[]");
  if (!kinds.length || Notification.permission !== "granted") return;
  for (const one of switchesOf(form)) one.checked = kinds.includes(one.value);
  const why = await choose(form);
  if (!why) return;
  for (const one of switchesOf(form)) one.checked = false;
  say(form, why);
}

function offer() {
  const form = find("form[data-push-key]", HTMLFormElement);
  if (!form || ready.has(form) || !isSecureContext || !("PushManager" in window)) return;
  ready.add(form);
  form.hidden = false;
  find("[data-push-none]", HTMLElement)?.remove();
  for (const one of switchesOf(form)) one.addEventListener("change", () => press(form, one));
  restore(form);
}

document.addEventListener("htmx:afterSettle", offer);
offer();
