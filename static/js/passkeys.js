/* Passkeys: <form data-passkey> signs in with one, <form data-new-passkey> makes one. Both are hidden until a browser
   is found to have passkeys; what it answers goes into the field `credential`, and the form is sent like any other. */

import { all, find, need } from "./dom.js";
import { gettext } from "./words.js";

const has = isSecureContext && "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** @type {(form: HTMLFormElement, sentence: string) => void} */
function say(form, sentence) {
  need("[data-passkey-says]", HTMLElement, form).textContent = sentence;
}

/** What the site asks of a passkey, which it keeps in mind until the answer. @param {HTMLFormElement} form */
async function question(form) {
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const { publicKey } = await answer.json();
  return PublicKeyCredential.parseRequestOptionsFromJSON(publicKey);
}

/** @type {(form: HTMLFormElement, credential: Credential | null) => void} */
function send(form, credential) {
  if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey");
  let field = find("[name=credential]", HTMLInputElement, form);
  if (!field) {
    field = Object.assign(document.createElement("input"), { type: "hidden", name: "credential" });
    form.append(field);
  }
  field.value = JSON.stringify(credential.toJSON());
  form.submit();
}

/**
 * Sends the form with what the browser answers; says why not, where it does not.
 * @type {(form: HTMLFormElement, answered: () => Promise<Credential | null>) => void}
 */
function onSubmit(form, answered) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    say(form, "");
    try {
      send(form, await answered());
    } catch {
      say(form, gettext("No passkey was used. Try again."));
    }
  });
}

for (const form of all("form[data-passkey]", HTMLFormElement)) {
  form.hidden = !has;
  onSubmit(form, async () => navigator.credentials.get({ publicKey: await question(form) }));
}

const form = find("form[data-new-passkey]", HTMLFormElement);
if (form && has) {
  form.hidden = false;
  find("[data-passkey-none]", HTMLElement)?.remove();
  onSubmit(form, async () => {
    const { publicKey } = JSON.parse(need("#passkey-options", HTMLElement).textContent ?? "");
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) });
  });
}
