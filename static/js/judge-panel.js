/* What the calculators of the judge's desk share: the page is worked out on the device, with a network or without one, and its address
   says what was asked. Without scripts the server does it all, and its page has every part that is filled here. */
"use strict";

const judgePanel = (() => {
  const form = document.getElementById("calculator");
  const part = (name) => form.querySelector(`[data-${name}]`);

  function say(name, text) {
    form.querySelectorAll(`[data-${name}]`).forEach((place) => (place.textContent = text));
  }

  function hide(name, isHidden) {
    form.querySelectorAll(`[data-${name}]`).forEach((place) => (place.hidden = isHidden));
  }

  const copy = (name) => document.getElementById(name).content.firstElementChild.cloneNode(true);

  function element(tag, text) {
    return Object.assign(document.createElement(tag), { textContent: text });
  }

  /** Says what is wrong instead of an answer; nothing wrong is an empty list. While somebody types there is only no answer. */
  function complain(sentences, isTyping = false) {
    const place = part("complaints");
    const isWaiting = isTyping && sentences.length > 0;
    part("panel").classList.toggle("is-waiting", isWaiting);
    hide("panel", sentences.length > 0 && !isWaiting);
    hide("steps", sentences.length > 0);
    if (isWaiting) return place.replaceChildren();
    if (!sentences.length) form.querySelectorAll(".field-error, .errorlist").forEach((line) => line.remove());
    form.querySelectorAll("[aria-invalid]").forEach((field) => sentences.length || field.removeAttribute("aria-invalid"));
    const said = [...place.querySelectorAll("li")].map((line) => line.textContent);
    if (sentences.length === said.length && sentences.every((one, at) => said[at] === one)) return;
    place.replaceChildren();
    if (!sentences.length) return;
    const summary = Object.assign(document.createElement("div"), { className: "error-summary" });
    const list = document.createElement("ul");
    list.append(...sentences.map((one) => element("li", one)));
    summary.setAttribute("role", "alert");
    summary.append(element("h2", place.dataset.complaints), list);
    place.append(summary);
  }

  function remember(query) {
    history.replaceState(history.state, "", `${location.pathname}?${query}`);
    linkTo(location.href);
  }

  function linkTo(address) {
    form.querySelector("[data-copy]").dataset.copy = address;
  }

  function picture(place, face) {
    const use = place.querySelector("use");
    use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#die-${face.replace(" ", "-")}`));
  }

  /** The dice of the panel: lying = [{face, isWanted, throw}], each to `pick` or to `take` away, and those that are missing. */
  function layDice(lying, use, missing = 0) {
    const made = lying.map(({ face, isWanted, throw: number = 1 }, place) => {
      const die = copy(`die-${use}`);
      const button = die.querySelector("input") || die;
      const again = number > 1 ? `, throw ${number}` : "";
      button.value = place;
      button.setAttribute("aria-label", use === "pick" ? `Die ${place + 1}: ${face}${again}` : `Take die ${place + 1} away: ${face}`);
      die.classList.toggle("is-wanted", isWanted);
      die.classList.toggle("is-again", number > 1);
      picture(die, face);
      return die;
    });
    const place = part("dice");
    const hadFocus = place.contains(document.activeElement);
    place.replaceChildren(place.querySelector("legend"), ...made, ...Array.from({ length: missing }, () => copy("die-missing")));
    place.hidden = !made.length && !missing;
    if (hadFocus) (made.at(-1)?.querySelector("input") || made.at(-1) || form.querySelector(".judge-key"))?.focus({ preventScroll: true });
  }

  function showKeys(die) {
    form.querySelectorAll("[data-keys]").forEach((keys) => (keys.hidden = keys.dataset.keys !== die));
  }

  /** The hand after a key was pressed, or a die taken away. */
  function afterPress(hand, { name, value }) {
    if (name === "lay") return hand + value;
    return value === "all" ? "" : hand.slice(0, Number(value)) + hand.slice(Number(value) + 1);
  }

  /** A whole number, also one with a real minus; NaN where it is none. */
  const whole = (text) => (/^[+−-]?\d{1,6}$/.test(text.trim()) ? Number(text.trim().replace("−", "-")) : NaN);

  const button = (name, value) => form.querySelector(`button[name="${name}"]${value ? `[value="${value}"]` : ""}`);

  return { form, part, say, hide, copy, element, complain, remember, linkTo, picture, layDice, showKeys, afterPress, whole, button };
})();
