/* The page of dice: odds while somebody types, and dice rolled here or typed as they lie on the table (static/js/dice.js). */
(() => {
  "use strict";

  const { form, part, say, hide, complain, remember, linkTo, layDice, showKeys, afterPress, whole, button } = judgePanel;
  const START = "die=attack&dice=4&least=2";
  const MOST = 30;
  const MOST_AGAIN = 20;
  const PLAYER = 1;
  const USUAL = { attack: ["hit", "critical"], defense: ["evade"] };

  let seed = "";
  let again = []; // "0-3": the places that were rolled once more, throw by throw
  let hand = null; // the letters of dice on the table; null while the software rolls

  // ── What is asked ──────────────────────────────────────────────────────────────────────────────────────

  const ticks = (die) => [...form.querySelectorAll(`[data-kinds="${die}"] [name="face"]`)];

  function fill(asked) {
    const params = asked.size ? asked : new URLSearchParams(START);
    const die = params.get("die") in USUAL ? params.get("die") : "attack";
    form.elements.die.value = die;
    for (const name of ["dice", "least"]) form.elements[name].value = params.get(name) ?? "";
    const wished = ticks(die).filter((tick) => params.getAll("face").includes(tick.value)).map((tick) => tick.value);
    ticks(die).forEach((tick) => (tick.checked = (wished.length ? wished : USUAL[die]).includes(tick.value)));
    hand = params.get("by") === "hand" ? params.get("hand") || "" : null;
    seed = hand === null ? (params.get("seed") || "").trim() : "";
    again = seed ? params.getAll("again").filter((places) => /^\d{1,2}(-\d{1,2})*$/.test(places)).slice(0, MOST_AGAIN) : [];
  }

  /** A browser that came back, or took every tick away, wishes for the usual. */
  function wish(die) {
    const chosen = ticks(die).filter((tick) => tick.checked);
    const shown = chosen.length ? chosen : ticks(die).filter((tick) => USUAL[die].includes(tick.value));
    const names = shown.map((tick) => tick.nextElementSibling.textContent);
    const words = names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : names[0];
    return { faces: shown.map((tick) => tick.value), words, least: whole(form.elements.least.value) };
  }

  function* complaints() {
    const { dice: many, least } = form.elements;
    if (!many.value.trim()) yield "How many: Type how many dice.";
    else if (!Number.isInteger(whole(many.value))) yield "How many: The dice are a whole number, for example 4.";
    else if (whole(many.value) < 0) yield "How many: No dice are the fewest.";
    else if (whole(many.value) > MOST) yield `How many: ${MOST} dice are the most that this page rolls.`;
    if (!least.value.trim()) yield "At least: Type how many of the dice must show it.";
    else if (!Number.isInteger(whole(least.value))) yield "At least: How many must show it is a whole number, for example 2.";
    else if (whole(least.value) < 0) yield "At least: At least 0 is always met.";
    else if (whole(least.value) > MOST) yield `At least: ${MOST} dice are the most that this page rolls.`;
  }

  function address(die, faces) {
    const asked = new URLSearchParams([["die", die], ["dice", form.elements.dice.value], ["least", form.elements.least.value]]);
    faces.forEach((face) => asked.append("face", face));
    if (hand !== null) [["by", "hand"], ["hand", hand]].forEach((pair) => asked.append(...pair));
    else if (seed) [["seed", seed], ...again.map((places) => ["again", places])].forEach((pair) => asked.append(...pair));
    return asked;
  }

  // ── What lies there ────────────────────────────────────────────────────────────────────────────────────

  const places = (text) => text.split("-").map(Number);

  /** Each die with its face and the throw it was last in. */
  function rolled(die, many) {
    const last = Array.from({ length: many }, (_, place) => 1 + again.findLastIndex((text) => places(text).includes(place)) + 1);
    const throws = Array.from({ length: again.length + 1 }, (_, at) => dice.roll(seed, at + 1, PLAYER, many, die));
    return last.map((number, place) => ({ face: throws[number - 1][place], throw: number }));
  }

  function againInWords(many) {
    const throws = again.map((text, at) => [at + 2, [...new Set(places(text))].filter((place) => place < many).sort((one, other) => one - other)]);
    const inWords = ([number, which]) => {
      const names = which.map((place) => place + 1);
      const said = names.length > 1 ? `dice ${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : `die ${names[0]}`;
      return `; throw ${number}: ${said} again`;
    };
    return throws.filter(([, which]) => which.length).map(inWords).join("");
  }

  // ── The answer ─────────────────────────────────────────────────────────────────────────────────────────

  function show(isTyping = false) {
    const wrong = [...complaints()];
    complain(wrong, isTyping);
    const die = form.elements.die.value;
    if (wrong.length) return;
    const many = whole(form.elements.dice.value);
    const asked = wish(die);
    if (hand !== null) hand = dice.fitting(hand, die).slice(0, many);
    const lying = hand !== null ? dice.written(hand, die).map((face) => ({ face })) : seed ? rolled(die, many) : null;
    showPanel(die, many, asked, lying);
    showOdds(die, many, asked);
    return address(die, asked.faces);
  }

  function showPanel(die, many, asked, lying) {
    const faces = (lying || []).map((one) => one.face);
    const missing = lying ? many - faces.length : 0;
    const isDone = Boolean(lying) && !missing;
    const isMet = dice.isMet(asked, faces);
    const wished = `At least ${asked.least} of ${many} show ${asked.words}`;
    say("name", isDone ? asked.words : wished);
    if (isDone) part("total").replaceChildren(`${dice.hits(asked, faces)}`, judgePanel.element("small", ` of ${many}`));
    else say("total", dice.percent(lying ? dice.chanceFrom(die, many, faces, asked) : dice.chance(die, many, asked)));
    hide("verdict", !isDone);
    say("verdict", isMet ? `Met: at least ${asked.least}` : `Not met: fewer than ${asked.least}`);
    showSum(die, many, asked, lying, faces, missing);
    layDice((lying || []).map((one) => ({ ...one, isWanted: asked.faces.includes(one.face) })), hand === null ? "pick" : "take", missing);
    say("legend", hand === null ? "The dice; choose those to roll again" : "The dice on the table; press one to take it away");
    hide("typing", hand === null || !missing);
    showKeys(die);
    showButtons(lying);
    part("panel").classList.toggle("judge-sticky", !lying);
    hide("counts", !lying);
    part("counts").replaceChildren(...(lying ? counts(die, faces) : []));
    hide("seeded", !seed || hand !== null);
    say("seed", seed);
    say("again", againInWords(many));
  }

  function showSum(die, many, asked, lying, faces, missing) {
    const best = lying && !missing ? dice.chanceAgain(die, faces, asked) : null;
    hide("sum", Boolean(lying) && !missing && !best);
    if (!lying) say("sum", `${dice.percent(dice.chanceWithAgain(die, many, asked))} if the best die is rolled again`);
    else if (missing) say("sum", `${faces.length} of ${many} typed: tap what lies on the table`);
    else if (best) say("sum", `${dice.percent(best)} to meet it with one die rolled again`);
  }

  function showButtons(lying) {
    say("roll", hand !== null ? "Roll here" : lying ? "Roll all anew" : "Roll");
    button("roll").classList.toggle("button-signal", hand === null);
    button("roll_again").hidden = hand !== null || !lying?.length;
    button("by").hidden = hand !== null;
    button("take", "all").hidden = hand === null;
  }

  function counts(die, faces) {
    return [...new Set(dice.DICE[die])].map((face) => {
      const row = judgePanel.copy("count");
      const tick = ticks(die).find((one) => one.value === face);
      row.querySelector("dt").textContent = tick.nextElementSibling.textContent;
      row.querySelector("dd").textContent = faces.filter((one) => one === face).length;
      return row;
    });
  }

  function showOdds(die, many, asked) {
    const chances = [dice.chance(die, many, asked), dice.chanceWithAgain(die, many, asked)];
    form.querySelectorAll("[data-chance]").forEach((place, at) => (place.textContent = dice.percent(chances[at])));
    form.querySelectorAll("[data-fraction]").forEach((place, at) => (place.textContent = dice.fraction(chances[at])));
    say("least", `At least ${asked.least}`);
    say("wished", asked.words);
    const exactly = dice.exactly(die, many, asked.faces);
    const rows = exactly.map((weight, hits) => {
      const row = judgePanel.copy("odds-row");
      const numbers = [[weight, dice.outOf(many)], [dice.sum(exactly.slice(hits)), dice.outOf(many)]].map(dice.percent);
      [String(hits), ...numbers].forEach((text, at) => (row.children[at].textContent = text));
      row.classList.toggle("is-me", hits === asked.least);
      return row;
    });
    part("rows").replaceChildren(...rows);
  }

  // ── What is pressed ────────────────────────────────────────────────────────────────────────────────────

  const PRESSED = {
    roll: () => ([seed, again, hand] = [dice.newSeed(), [], null]),
    roll_again: () => {
      const picked = [...form.querySelectorAll("[name='pick']:checked")].map((one) => one.value);
      if (picked.length && again.length < MOST_AGAIN) again.push(picked.join("-"));
    },
    by: () => ([seed, again, hand] = ["", [], ""]),
    lay: (key) => (hand = afterPress(hand, key)),
    take: (key) => (hand = afterPress(hand, key)),
  };

  function showAndRemember(isTyping = false) {
    const query = show(isTyping);
    if (query) remember(query);
  }

  if (!form.querySelector(".error-summary")) {
    fill(new URLSearchParams(location.search));
    form.dispatchEvent(new Event("input")); // other fields are offered
    show();
    linkTo(location.href);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    PRESSED[event.submitter?.name]?.(event.submitter);
    showAndRemember();
  });
  for (const typed of ["input", "change"]) {
    form.addEventListener(typed, ({ target }) => {
      if (target.name !== "pick") showAndRemember(typed === "input");
    });
  }

})();
