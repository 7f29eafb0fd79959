/* The page of roll-offs and scenarios: dice rolled here or typed hand by hand, and what they decide (static/js/scenario-dice.js). */
(() => {
  "use strict";

  const { form, part, say, hide, copy, element, complain, remember, linkTo, picture, layDice, showKeys, afterPress, whole, button } = judgePanel;
  const links = [...document.querySelectorAll(".judge-procedures a")];
  const boxes = [...form.querySelectorAll("[data-procedure]")];

  let what = "";
  let seed = "";
  let thrown = null; // the hands typed so far, in letters; null while the software rolls
  let hand = "";

  // ── What is asked ──────────────────────────────────────────────────────────────────────────────────────

  const box = () => boxes.find((one) => one.dataset.procedure === what);
  const fields = () => [...box().querySelectorAll("input")];

  function choose(chosen) {
    what = boxes.some((one) => one.dataset.procedure === chosen) ? chosen : boxes[0].dataset.procedure;
    form.elements.what.value = what;
    boxes.forEach((one) => (one.hidden = one.disabled = one !== box()));
    for (const link of links) {
      if (link.dataset.what === what) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.querySelector("[data-title]").textContent = box().dataset.title;
    links.find((link) => link.dataset.what === what).scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function fill(asked) {
    choose(asked.get("what"));
    for (const field of fields()) field.value = asked.get(field.name) ?? field.defaultValue;
    thrown = asked.get("by") === "hand" ? asked.getAll("thrown").map((one) => one.toLowerCase()) : null;
    hand = thrown ? asked.get("hand") || "" : "";
    seed = thrown ? "" : (asked.get("seed") || "").trim();
  }

  /** What was typed; a name that is left empty is called by its label. */
  function facts() {
    return Object.fromEntries(
      fields().map((field) => [field.name, field.type === "number" ? whole(field.value) : field.value.trim() || field.placeholder]),
    );
  }

  function complaints() {
    const wrong = fields().filter(
      (field) => field.type === "number" && !(whole(field.value) >= Number(field.min) && whole(field.value) <= Number(field.max)),
    );
    return wrong.map((field) => `${field.labels[0].textContent}: Type a whole number from ${field.min} to ${field.max}.`);
  }

  function address() {
    const typed = fields().filter((field) => field.value).map((field) => [field.name, field.value]);
    const table = thrown && [["by", "hand"], ...thrown.map((one) => ["thrown", one]), ...(hand ? [["hand", hand]] : [])];
    return new URLSearchParams([["what", what], ...typed, ...(table || (seed ? [["seed", seed]] : []))]);
  }

  // ── The answer ─────────────────────────────────────────────────────────────────────────────────────────

  function show(isTyping = false) {
    const wrong = complaints();
    complain(wrong, isTyping);
    if (wrong.length) return;
    const played = thrown ? scenarioDice.playedByHand(what, facts(), thrown) : seed ? scenarioDice.played(what, facts(), seed) : null;
    if (thrown) thrown = thrown.slice(0, played.throws.flat().length);
    const { next } = played || {};
    hand = next ? dice.fitting(hand, next.die).slice(0, next.dice) : "";
    say("name", next ? `Throw ${next.throw}` : box().dataset.title);
    say("total", next ? next.who : played ? played.outcome.sentence : box().dataset.says);
    hide("sum", !next);
    if (next) say("sum", `${next.dice} ${next.die} ${next.dice === 1 ? "die" : "dice"}: tap what lies on the table`);
    showTyping(next);
    showButtons(played);
    showThrows(played);
  }

  function showTyping(next) {
    hide("typing", !next);
    const faces = next ? dice.written(hand, next.die) : [];
    layDice(faces.map((face) => ({ face, isWanted: face === next.face })), "take", next ? next.dice - faces.length : 0);
    if (!next) return;
    showKeys(next.die);
    say("rest", scenarioDice.rest(next, hand));
  }

  function showButtons(played) {
    say("roll", seed ? "Roll anew" : thrown ? "Roll here" : "Roll");
    button("roll").classList.toggle("button-signal", !thrown);
    button("back", "1").hidden = !thrown?.length;
    button("back", "all").hidden = !thrown || !played.outcome;
    button("by").hidden = Boolean(thrown);
    hide("seeded", !seed);
    hide("typed", !thrown);
    say("seed", seed);
    hide("steps", !played?.throws.length && !played?.outcome);
  }

  function showThrows(played) {
    const how = played?.outcome?.how || [];
    hide("how", !how.length);
    part("how").replaceChildren(...how.map((sentence) => element("li", sentence)));
    const throws = played?.throws || [];
    part("throws").replaceChildren(
      ...throws.map((hands, at) => {
        const place = copy("throw");
        place.querySelector("h2").textContent = `Throw ${at + 1}`;
        place.querySelector("h2").hidden = throws.length < 2;
        place.querySelector(".throws").replaceChildren(...hands.map(shownHand));
        return place;
      }),
    );
  }

  function shownHand({ who, die, faces, face, counted }) {
    const place = copy("hand");
    place.querySelector("[data-who]").textContent = who;
    place.querySelector("[data-what]").textContent = `${faces.length} ${die} ${faces.length === 1 ? "die" : "dice"}`;
    place.querySelector(".throw-count").textContent = counted;
    const list = place.querySelector(".dice");
    list.setAttribute("aria-label", `Dice of ${who}`);
    list.replaceChildren(
      ...faces.map((one) => {
        const shown = copy("hand-die");
        shown.classList.toggle("is-counted", one === face);
        shown.classList.toggle("is-other", one === "other");
        shown.querySelector(".visually-hidden").textContent = one;
        picture(shown, one);
        return shown;
      }),
    );
    return place;
  }

  // ── What is pressed ────────────────────────────────────────────────────────────────────────────────────

  function typed(letters, isAll) {
    const { next } = scenarioDice.playedByHand(what, facts(), thrown);
    hand = dice.fitting(letters, next.die);
    if (!isAll && hand.length < next.dice) return;
    thrown.push(hand);
    hand = "";
  }

  const PRESSED = {
    roll: () => ([seed, thrown, hand] = [dice.newSeed(), null, ""]),
    by: () => ([seed, thrown, hand] = ["", [], ""]),
    back: ({ value }) => ([thrown, hand] = [value === "all" ? [] : thrown.slice(0, -1), ""]),
    rest: () => typed(hand, true),
    lay: (key) => typed(afterPress(hand, key)),
    take: (key) => typed(afterPress(hand, key)),
  };

  function showAndRemember(isTyping = false) {
    show(isTyping);
    remember(address());
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    PRESSED[event.submitter?.name]?.(event.submitter);
    showAndRemember();
  });
  for (const typed of ["input", "change"]) form.addEventListener(typed, () => showAndRemember(typed === "input"));
  document.querySelector(".judge-procedures").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(link.dataset.what);
    [seed, thrown, hand] = ["", null, ""];
    showAndRemember();
  });

  fill(new URLSearchParams(location.search));
  if (form.querySelector(".error-summary")) return;
  show();
  linkTo(location.href);
})();
