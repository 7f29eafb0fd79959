/* The Talon power record on the device (rule 10): what tourney/judge/domain/talon_power.py, talon_words.py and
   talon_record.py and the form of tourney/judge/forms/talon.py find, once more, so that a round is played without
   asking the server. Both answer tests/vectors/talon_power.json alike. */

import { format, gettext, listed, ngettext, pgettext } from "./words.js";

/** @typedef {{ power: number, speed: number, turn: number }} Curve */
/** A reinforced arc, by its place, and the letter of the impulse. @typedef {{ arc: number, letter: string }} Marker */
/**
 * `hull` and `criticals` are 0 or below; `down` holds the places of arcs that are; `fifth` is the letter of the fifth
 * mark of 5, "" while nobody looked it up.
 * @typedef {{ curves: Curve[], speed: number, hull: number, criticals: number, maySlow: boolean, arcs: string[],
 *   down: number[], markers: Marker[], fifth: string }} Ship
 */
/** What happens, by its letter, and its number where it has one. @typedef {{ act: string, number: number }} Act */
/**
 * A ship in an impulse ("" in the Power Phase), with the `curve` of this round, the power to spend, and a side slip.
 * @typedef {{ ship: Ship, round: number, impulse: string, curve: Curve | null, ap: number, sideSlip: boolean }} Now
 */
/** @typedef {{ before: Now, step: Act, after: Now }} Line */
/** @typedef {{ id: string, name: string, address: string, note: string, label: string }} Choice */
/** @typedef {(act: string, number?: number, says?: string, note?: string, label?: string) => Choice} Offer */
/** @typedef {Record<string, string>} Values what an address says, by the names of the fields */
/** @typedef {ReturnType<typeof shown>} Shown */
/**
 * All of the page for an address. `arc_states` and `errors` begin with the id of the field.
 * @typedef {{ values: Values, arc_states: string[][], errors: string[][], anew: string, record: Shown | null }} Page
 */

/** @type {Record<string, number[]>} */
const IMPULSES = { A: [4, 5, 6], B: [3, 5, 6], C: [2, 4, 5, 6], D: [3, 4, 6], E: [6], F: [1, 2, 3, 4, 5, 6] };
const LETTERS = Object.keys(IMPULSES);
const UNDECIDED = 5;
const MOST = 6;
const MOST_LOST = 9;
const ELSEWHERE = "stwbcdfm"; // than on an arc, a point may be spent
const ACTS = "vstwbrcdfmnxaouhk";
const OF_ARCS = "rxaou";
const WITH_NUMBER = `${OF_ARCS}vhk`;

/** @param {number} number */
const signed = (number) => String(number).replace("-", "−");
/** What damage takes from the Power. @param {number} number */
const lost = (number) => (number ? `−${number}` : "0");
/** @param {Curve} curve */
const written = ({ power, speed, turn }) => `${signed(power)}-${speed}-${turn}`;
/** The impulses whose row of the chart holds this number. @type {(number: number, fifth: string) => string[]} */
const impulsesOf = (number, fifth) =>
  LETTERS.filter((letter) => IMPULSES[letter].includes(number) || (number === UNDECIDED && letter === fifth));
/** @param {number} power */
const mostMarkers = (power) => Math.max(1, Math.floor(power / 2));
/** The curve of this round. Throws before its speed is chosen. @param {Now} now */
function chosen({ curve }) {
  if (!curve) throw new Error("no curve");
  return curve;
}
/** @param {Now} now */
const moves = ({ curve, impulse, ship }) => curve !== null && impulsesOf(curve.speed, ship.fifth).includes(impulse);

// ── The rules ──────────────────────────────────────────────────────────────────────────────────────────────

/** The curves within reach. @param {Ship} ship */
function options(ship) {
  const near = ship.curves.filter((curve) => Math.abs(curve.speed - ship.speed) <= 1);
  return near.map((curve) => {
    const modified = { ...curve, power: curve.power + ship.hull + ship.criticals };
    const isStuck = curve.speed < ship.speed && !ship.maySlow;
    const stuck = isStuck ? gettext("She can’t slow down.") : "";
    const power = signed(modified.power);
    const below = modified.power < 0 ? format(gettext("Her Power would be {power}."), { power }) : "";
    return { curve: modified, whyNot: below || stuck };
  });
}

/** @param {Ship} ship */
function warning(ship) {
  const legal = options(ship)
    .filter((one) => !one.whyNot)
    .map((one) => one.curve);
  if (!legal.length) return gettext("No speed is legal. She breaks apart at the end of the Power Phase.");
  if (legal.every((curve) => curve.speed !== ship.speed)) {
    const [slower, faster] = legal.map((curve) => curve.speed);
    const one = gettext("Speed {speed} would put her Power below 0. She must go to speed {other}.");
    const two = gettext("Speed {speed} would put her Power below 0. She must go to speed {slower} or {faster}.");
    return format(faster ? two : one, { speed: ship.speed, other: slower, slower, faster });
  }
  return Math.max(...legal.map((curve) => curve.power)) === 0
    ? gettext("If she loses one more point of Power, she breaks apart.")
    : "";
}

/** What stands against a step; "" if nothing does. @type {(now: Now, step: Act) => string} */
function whyNot(now, { act, number }) {
  const { ship, impulse, ap, sideSlip } = now;
  if (act === "v") {
    if (impulse) return gettext("Speed is chosen in the Power Phase.");
    const found = options(ship).find((one) => one.curve.speed === number);
    if (found) return found.whyNot;
    const beyond = gettext("Speed {chosen} is out of reach from speed {speed}.");
    return format(beyond, { chosen: number, speed: ship.speed });
  }
  if (act === "n") return impulse ? "" : gettext("Choose a speed first.");
  if (act === "h" || act === "k") return "";
  const arc = ship.arcs[number];
  const isDown = ship.down.includes(number);
  const hasOne = ship.markers.some((marker) => marker.arc === number);
  if (OF_ARCS.includes(act) && arc === undefined) return gettext("This ship has no such shield arc.");
  if (act === "x" || act === "a") return hasOne ? "" : format(gettext("There is no reinforcement on {arc}."), { arc });
  if (act === "o") return isDown ? format(gettext("{arc} is already down."), { arc }) : "";
  if (act === "u") return isDown ? "" : format(gettext("{arc} isn’t down."), { arc });
  if (!ap) return gettext("There is no power to spend now.");
  if (act === "s") return sideSlip ? gettext("She already has a side slip marker.") : "";
  if (act !== "r") return "";
  if (isDown) return gettext("This arc is down.");
  if (hasOne) return gettext("This arc is already reinforced.");
  const { power } = chosen(now);
  const most = mostMarkers(power);
  if (ship.markers.length < most) return "";
  const limit = ngettext(
    "Power {power} allows only {count} reinforcement.",
    "Power {power} allows only {count} reinforcements.",
    most,
  );
  return format(limit, { power, count: most });
}

/** The record after a step that nothing stands against. @type {(record: Now, step: Act) => Now} */
function after(record, { act, number }) {
  const { ship } = record;
  /** @type {(changed: Partial<Ship>, more?: Partial<Now>) => Now} */
  const refit = (changed, more = {}) => ({ ...record, ...more, ship: { ...ship, ...changed } });
  switch (act) {
    case "v": {
      const curve = options(ship).find((one) => one.curve.speed === number)?.curve ?? null;
      return begun(refit({ speed: number }, { curve }), "A");
    }
    case "n":
      return ended(record);
    case "s":
      return { ...record, ap: 0, sideSlip: true };
    case "r":
      return refit({ markers: [...ship.markers, { arc: number, letter: record.impulse }] }, { ap: 0 });
    case "x":
    case "a":
      return refit({ markers: ship.markers.filter((marker) => marker.arc !== number) });
    case "o":
      return refit({ down: [...ship.down, number] });
    case "u":
      return refit({ down: ship.down.filter((arc) => arc !== number) });
    case "h":
      return refit({ hull: -number });
    case "k":
      return refit({ criticals: -number });
  }
  return { ...record, ap: 0 };
}

/** @type {(record: Now, letter: string) => Now} */
function begun(record, letter) {
  const { ship } = record;
  const markers = ship.markers.filter((marker) => marker.letter !== letter);
  const ap = Number(impulsesOf(chosen(record).power, ship.fifth).includes(letter));
  return { ...record, ship: { ...ship, markers }, impulse: letter, ap };
}

/** @param {Now} record @returns {Now} */
function ended(record) {
  const moved = { ...record, ap: 0, sideSlip: record.sideSlip && !moves(record) };
  if (record.impulse === LETTERS.at(-1)) return { ...moved, round: record.round + 1, impulse: "" };
  return begun(moved, LETTERS[LETTERS.indexOf(record.impulse) + 1]);
}

/**
 * The steps in order, up to the first that cannot happen.
 * @type {(ship: Ship, steps: Act[]) => { now: Now, lines: Line[], refused: string }}
 */
function played(ship, steps) {
  /** @type {Now} */
  let now = { ship, round: 1, impulse: "", curve: null, ap: 0, sideSlip: false };
  /** @type {Line[]} */
  const lines = [];
  for (const step of steps) {
    const reason = whyNot(now, step);
    if (reason) return { now, lines, refused: reason };
    const before = now;
    now = after(before, step);
    lines.push({ before, step, after: now });
  }
  return { now, lines, refused: "" };
}

// ── In words ───────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Now} now */
const moment = ({ impulse }) => (impulse ? format(gettext("Impulse {impulse}"), { impulse }) : gettext("Power Phase"));
/** @param {Act[]} steps */
const spelled = (steps) =>
  steps
    .map(({ act, number }) => act + (WITH_NUMBER.includes(act) ? number + Number(OF_ARCS.includes(act)) : ""))
    .join(".");

/** What a point of power can be spent on, and what to know about it. @returns {Record<string, [string, string]>} */
const spendings = () => ({
  s: [gettext("Side slip"), gettext("with her next move")],
  t: [gettext("Power through a turn"), gettext("marker 1 hex closer")],
  w: [gettext("Charge a weapon"), gettext("one yellow box")],
  b: [gettext("Charge a battery"), gettext("if she has an empty one")],
  c: [gettext("Change initiative"), gettext("puts its marker on her")],
  d: [gettext("Defend initiative"), gettext("puts its marker on her")],
  f: [gettext("Power to fighters"), gettext("carriers and bases")],
  m: [gettext("New missile target"), gettext("ships with launchers")],
});

/** What it was spent on. @returns {Record<string, string>} */
const spent = () => ({
  s: gettext("1 AP: side slip."),
  t: gettext("1 AP: power through a turn."),
  w: gettext("1 AP: weapon charged."),
  b: gettext("1 AP: battery charged."),
  c: gettext("1 AP: initiative changed."),
  d: gettext("1 AP: initiative defended."),
  f: gettext("1 AP: power to fighters."),
  m: gettext("1 AP: new missile target."),
});

/** @param {Line} line */
function told({ before, step: { act, number }, after: now }) {
  const facts = { arc: before.ship.arcs[number], impulse: before.impulse, power: lost(number) };
  switch (act) {
    case "v": {
      const said = speedTold(before.ship.speed, number);
      return inARow([format(said, { speed: number, curve: written(chosen(now)) }), expired(before, now)]);
    }
    case "n":
      return inARow([moveTold(before), before.ap ? gettext("1 AP was not spent.") : "", expired(before, now)]);
    case "r":
      return format(gettext("1 AP: {arc} reinforced, marker {impulse}."), facts);
    case "x":
      return format(gettext("The reinforcement on {arc} is removed."), facts);
    case "a":
      return format(gettext("The reinforcement on {arc} absorbs 1 damage."), facts);
    case "o":
      return format(gettext("{arc} is down."), facts);
    case "u":
      return format(gettext("{arc} is up again."), facts);
    case "h":
      return format(
        before.impulse ? gettext("Hull damage {power} from the next Power Phase.") : gettext("Hull damage {power}."),
        facts,
      );
    case "k":
      return format(
        before.impulse ? gettext("Criticals {power} from the next Power Phase.") : gettext("Criticals {power}."),
        facts,
      );
  }
  return spent()[act];
}

/** Whole sentences, one after another. @param {string[]} sentences */
const inARow = (sentences) => sentences.filter(Boolean).join(" ");

/** @type {(speed: number, other: number) => string} */
function speedTold(speed, other) {
  if (other === speed) return gettext("Keeps speed {speed}, curve {curve}.");
  return other > speed
    ? gettext("Speeds up to {speed}, curve {curve}.")
    : gettext("Slows down to {speed}, curve {curve}.");
}

/** @param {Now} before */
function moveTold(before) {
  if (!moves(before)) return gettext("Doesn’t move.");
  return before.sideSlip ? gettext("Moves 1 hex and can side slip.") : gettext("Moves 1 hex.");
}

/** Which reinforcements are gone with the impulse that begins. @type {(before: Now, now: Now) => string} */
function expired({ ship }, now) {
  const left = now.ship.markers.map((marker) => marker.arc);
  const gone = ship.markers.map((marker) => marker.arc).filter((arc) => !left.includes(arc));
  if (!gone.length) return "";
  const said = ngettext(
    "In {impulse} the reinforcement on {arcs} expires.",
    "In {impulse} the reinforcements on {arcs} expire.",
    gone.length,
  );
  const arcs = gone.sort((one, other) => one - other).map((arc) => ship.arcs[arc]);
  return format(said, { impulse: now.impulse, arcs: listed(arcs) });
}

/** The curves of a text, by speed. Throws an Error that says what does not fit. @param {string} text */
function curvesOf(text) {
  const digits = text.replace(/[^0-9]/g, "");
  if (!digits || digits.length % 3)
    throw new Error(gettext("Type three numbers for each speed, such as 4-2-1: Power, Speed, turn radius."));
  const curves = [...digits.matchAll(/(.)(.)(.)/g)].map((three) => {
    const [, power, speed, turn] = three.map(Number);
    return { power, speed, turn };
  });
  const beyond = curves.find(({ power, speed }) => power > MOST || speed < 1 || speed > MOST);
  const known = gettext("{curve} doesn’t fit. The impulse chart has Power 0 to {most} and Speed 1 to {most}.");
  if (beyond) throw new Error(format(known, { curve: written(beyond), most: MOST }));
  const speeds = curves.map((curve) => curve.speed);
  const twice = speeds.find((speed, index) => speeds.lastIndexOf(speed) !== index);
  if (twice) throw new Error(format(gettext("Speed {speed} has two curves. Remove one of them."), { speed: twice }));
  return curves.sort((one, other) => one.speed - other.speed);
}

/** The steps of an address. Throws an Error that says what does not fit. @param {string} text @returns {Act[]} */
function stepsOf(text) {
  return text ? text.split(".").map(stepOf) : [];
}

/** @param {string} piece @returns {Act} */
function stepOf(piece) {
  const [, act, digit] = /^([a-z])([0-9]?)$/.exec(piece) ?? [];
  if (act && ACTS.includes(act) && Boolean(digit) === WITH_NUMBER.includes(act)) {
    return { act, number: Number(digit || 0) - Number(OF_ARCS.includes(act)) };
  }
  const step = [...piece].slice(0, 20).join("");
  throw new Error(format(gettext("“{step}” is not a step of a round. The link was cut off or changed."), { step }));
}

// ── What the page says of a record ─────────────────────────────────────────────────────────────────────────

/**
 * @param {string} name
 * @param {ReturnType<typeof played>} played
 * @param {(steps: Act[], changed?: Values) => string} address
 */
function shown(name, { now, lines, refused }, address) {
  const { ship, impulse, ap } = now;
  const steps = lines.map((line) => line.step);
  const isLost = !impulse && options(ship).every((one) => one.whyNot);
  /** @type {Offer} */
  const offer = (act, number = 0, says = "", note = "", label = "") => {
    const reason = whyNot(now, { act, number });
    return {
      id: `do-${spelled([{ act, number }])}`,
      name: says,
      address: reason ? "" : address([...steps, { act, number }]),
      note: reason || note,
      label,
    };
  };
  return {
    title: format(gettext("{name} · Round {round}"), { name, round: now.round }),
    moment: moment(now),
    says: says(now, isLost),
    slip: now.sideSlip ? gettext("She has a side slip marker: she can side slip with her next move.") : "",
    figures: impulse ? figures(chosen(now)) : [],
    beats: impulse ? beats(chosen(now), now) : [],
    next: impulse ? offer("n", 0, nextName(now)) : null,
    kind: ap ? "quiet" : "main",
    undo: steps.length ? address(steps.slice(0, -1)) : "",
    start: steps.length ? address([]) : "",
    refused: refused && inARow([misfit(steps.length + 1), refused]),
    go_on: refused && address(steps),
    warning: warning(ship),
    fatal: isLost ? "fatal" : "",
    ahead: impulse && gettext("At the next Power Phase:"),
    fifths: asksFifth(now) ? ["D", "E"].map((letter) => [letter, address(steps, { fifth: letter })]) : [],
    speeds: impulse ? [] : options(ship).map((option) => speedOf(option, now, offer)),
    spendings: ap ? [...ELSEWHERE].map((act) => offer(act, 0, ...spendings()[act])) : [],
    reinforcements: ap ? ship.arcs.map((arc, number) => offer("r", number, arc)) : [],
    on_ship: onShip(now),
    arcs: ship.arcs.map((arc, number) => arcOf(arc, number, ship, offer)),
    counts: impulse ? gettext("Counts from the next Power Phase") : gettext("Counts now"),
    damages: damages(ship, offer),
    lines: lines.map((line, count) => happened(line, count, lines.length, address(steps.slice(0, count)))).reverse(),
  };
}

/** @param {number} number */
const misfit = (number) => format(gettext("Step {number} no longer fits this ship."), { number });

/** @param {Curve} curve */
const figures = ({ power, speed, turn }) => [
  [pgettext("a number of a ship", "Power"), `${power}`],
  [pgettext("a number of a ship", "Speed"), `${speed}`],
  [pgettext("a number of a ship", "Turn"), `${turn}`],
];

/** @type {(now: Now, isLost: boolean) => string} */
function says(now, isLost) {
  if (isLost) return gettext("She breaks apart.");
  if (!now.impulse) return gettext("Keep her speed, or go one up or down.");
  if (now.ap) return moves(now) ? gettext("1 AP to spend before she moves.") : gettext("1 AP to spend.");
  const then = impulsesOf(chosen(now).power, now.ship.fifth).find((letter) => letter > now.impulse);
  return then
    ? format(gettext("No power to spend now. The next AP comes in impulse {impulse}."), { impulse: then })
    : gettext("No more power to spend this round.");
}

/** @type {(curve: Curve, now: Now) => Record<string, string>[]} */
function beats({ power, speed }, { impulse, ship: { fifth } }) {
  const move = pgettext("a ship in an impulse", "move");
  return LETTERS.map((letter) => ({
    letter,
    power: impulsesOf(power, fifth).includes(letter) ? gettext("AP") : "",
    moves: impulsesOf(speed, fifth).includes(letter) ? move : "",
    when: whenIs(letter, impulse),
    current: letter === impulse ? "step" : "",
  }));
}

/** @type {(letter: string, impulse: string) => string} */
function whenIs(letter, impulse) {
  if (letter === impulse) return "now";
  return impulse && letter < impulse ? "past" : "";
}

/** @param {Now} now */
function nextName(now) {
  const impulse = LETTERS[LETTERS.indexOf(now.impulse) + 1];
  if (!impulse) {
    if (now.ap) {
      return moves(now)
        ? gettext("Don’t spend: move, then the Power Phase")
        : gettext("Don’t spend: on to the Power Phase");
    }
    return moves(now) ? gettext("Move 1 hex, then the Power Phase") : gettext("On to the Power Phase");
  }
  const unspent = moves(now) ? gettext("Don’t spend: move, then {impulse}") : gettext("Don’t spend: on to {impulse}");
  const on = moves(now) ? gettext("Move 1 hex, then impulse {impulse}") : gettext("On to impulse {impulse}");
  return format(now.ap ? unspent : on, { impulse });
}

/** @param {Now} now */
function asksFifth(now) {
  const { ship, impulse } = now;
  const legal = options(ship).filter((one) => !one.whyNot);
  const at = impulse ? [chosen(now)] : legal.map((one) => one.curve);
  return !ship.fifth && at.some(({ power, speed }) => power === UNDECIDED || speed === UNDECIDED);
}

/** @type {(option: ReturnType<typeof options>[0], now: Now, offer: Offer) => object} */
function speedOf({ curve, whyNot: reason }, now, offer) {
  const [name, label, notPossible] = speedInWords(now.ship.speed, curve.speed);
  if (reason) return { curve: written(curve), choice: offer("v", curve.speed, notPossible), beats: [] };
  const full = format(label, { speed: curve.speed });
  return { curve: written(curve), choice: offer("v", curve.speed, name, "", full), beats: beats(curve, now) };
}

/**
 * What the choice of the other speed is called, in short and in full, and that it cannot be chosen.
 * @type {(speed: number, other: number) => string[]}
 */
function speedInWords(speed, other) {
  if (other === speed) return [gettext("Keep speed"), gettext("Keep speed {speed}"), gettext("Can’t keep speed")];
  return other < speed
    ? [gettext("Slow down"), gettext("Slow down to speed {speed}"), gettext("Can’t slow down")]
    : [gettext("Speed up"), gettext("Speed up to speed {speed}"), gettext("Can’t speed up")];
}

/** @param {Now} now */
function onShip(now) {
  const count = now.ship.markers.length;
  if (!now.impulse) return format(ngettext("{count} reinforced", "{count} reinforced", count), { count });
  const said = ngettext("{count} of {most} reinforced", "{count} of {most} reinforced", count);
  return format(said, { count, most: mostMarkers(chosen(now).power) });
}

/** @type {(name: string, number: number, ship: Ship, offer: Offer) => object} */
function arcOf(name, number, { markers, down }, offer) {
  const marker = markers.find((one) => one.arc === number);
  const isDown = down.includes(number);
  /** @type {(act: string, says: string, label: string) => Choice} */
  const choice = (act, says, label) => offer(act, number, says, "", format(label, { arc: name }));
  const ofMarker = [
    choice("a", gettext("Absorb 1"), gettext("{arc}: absorb 1 damage")),
    choice("x", gettext("Remove"), gettext("{arc}: remove the reinforcement")),
  ];
  const ofArc = isDown
    ? choice("u", gettext("Bring up"), gettext("{arc}: bring up"))
    : choice("o", gettext("Take down"), gettext("{arc}: take down"));
  return { name, state: stateOf(marker, isDown), choices: [...(marker ? ofMarker : []), ofArc] };
}

/** @type {(marker: Marker | undefined, isDown: boolean) => string} */
function stateOf(marker, isDown) {
  if (!marker) return isDown ? gettext("Down, can’t be reinforced") : pgettext("a shield arc", "Up");
  const said = isDown
    ? gettext("Down, absorbs 1 damage until the next impulse {impulse}")
    : gettext("Absorbs 1 damage until the next impulse {impulse}");
  return format(said, { impulse: marker.letter });
}

/** @type {(ship: Ship, offer: Offer) => object[]} */
function damages({ hull, criticals }, offer) {
  const ofHull = [gettext("Hull damage: give back 1 Power"), gettext("Hull damage: take 1 Power")];
  const ofCriticals = [gettext("Criticals: give back 1 Power"), gettext("Criticals: take 1 Power")];
  return [
    damageOf(offer, "h", -hull, gettext("Hull damage"), ofHull),
    damageOf(offer, "k", -criticals, gettext("Criticals"), ofCriticals),
  ];
}

/** @type {(offer: Offer, act: string, number: number, name: string, labels: string[]) => object} */
function damageOf(offer, act, number, name, [back, take]) {
  /** @param {string} sign */
  const no = (sign) => ({ id: "", name: sign, address: "", note: "", label: "" });
  return {
    name,
    lost: lost(number),
    less: number ? offer(act, number - 1, "+", "", back) : no("+"),
    more: number < MOST_LOST ? offer(act, number + 1, "−", "", take) : no("−"),
  };
}

/** @type {(line: Line, count: number, all: number, address: string) => object} */
function happened(line, count, all, address) {
  const isLast = count === all - 1;
  const says = told(line);
  const label = isLast ? gettext("Undo step {number}: {step}") : gettext("Undo to here, step {number}: {step}");
  return {
    place: placeOf(line.before),
    says,
    name: isLast ? gettext("Undo") : gettext("Undo to here"),
    label: format(label, { number: count + 1, step: says }),
    address,
  };
}

/** @param {Now} now */
const placeOf = ({ round, impulse }) =>
  format(impulse ? gettext("Round {round}, impulse {impulse}") : gettext("Round {round}, Power Phase"), {
    round,
    impulse,
  });

// ── The ship in an address ─────────────────────────────────────────────────────────────────────────────────

const TERRAN = "4-2-1 3-3-2 2-4-2 1-5-3";
/**
 * What an address that does not say it means: the class that ships, with its arcs in the language of the page.
 * @returns {Values}
 */
function usual() {
  const arcs = [
    pgettext("a shield arc", "Front"),
    pgettext("a shield arc", "Right"),
    pgettext("a shield arc", "Rear"),
    pgettext("a shield arc", "Left"),
  ];
  return { name: "Terran CA", curves: TERRAN, hull: "0", criticals: "0", arcs: arcs.join(", ") };
}
const FIRST = ["speed", "hull", "criticals", "name", "curves", "stuck", "fifth", "arcs"];
/** @returns {Values} */
const labelsOf = () => ({
  speed: gettext("Speed now"),
  hull: gettext("Hull damage"),
  criticals: gettext("Criticals"),
  name: gettext("Ship class"),
  curves: gettext("Power curves"),
  fifth: gettext("Fifth mark for 5"),
  arcs: gettext("Shield arcs"),
  play: gettext("Steps so far"),
});
const [MOST_ARCS, NAME_LENGTH, CURVES_LENGTH, ARC_LENGTH, PLAY_LENGTH] = [6, 60, 80, 20, 1200];
const LOST = Array.from({ length: MOST_LOST + 1 }, (_, number) => String(number && -number));
/** @type {Record<string, string[]>} */
const CHOICES = { speed: ["1", "2", "3", "4", "5", "6"], hull: LOST, criticals: LOST, fifth: ["", "D", "E"] };
const STATES = ["", "down", ...LETTERS];

/** @param {string} text */
const namesOf = (text) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean)
    .slice(0, MOST_ARCS);
/** The names, or what stands for one where there is none. @param {string} text */
const arcNames = (text) => (namesOf(text).length ? namesOf(text) : [gettext("Arc")]);
/** @param {Curve[]} curves */
const middle = (curves) => String(curves[Math.floor((curves.length - 1) / 2)].speed);
/** @param {string} text */
const length = (text) => [...text].length;

/** The address of these values (`?speed=3&…`): what is as usual is left out. @param {Values} values */
export function addressOf(values) {
  const names = [...FIRST, ...arcFields(values), "play"];
  const known = usual();
  const said = names.map((name) => [name, values[name] ?? ""]).filter(([name, value]) => value !== (known[name] ?? ""));
  return `?${String(new URLSearchParams(said)).replaceAll("*", "%2A").replaceAll("%7E", "~")}`;
}

/** @param {Values} values */
function arcFields({ arcs }) {
  return arcNames(arcs).map((_, index) => `arc${index + 1}`);
}

/**
 * What an address does not say is the class that ships, its middle speed, nothing damaged.
 * @param {string} query
 * @returns {Values}
 */
function filled(query) {
  /** @type {Values} */
  const values = { ...usual(), ...Object.fromEntries(new URLSearchParams(query)) };
  if (values.speed) return values;
  try {
    return { ...values, speed: middle(curvesOf(values.curves)) };
  } catch {
    return { ...values, speed: middle(curvesOf(TERRAN)) };
  }
}

/**
 * The ship and the steps of these values; `say` is told what does not fit.
 * @type {(values: Values, say: (name: string, sentence: string) => void) => { ship: Ship, steps: Act[] }}
 */
function understood(values, say) {
  /** @type {(name: string, most: number, required: string, tooLong: string) => string} */
  const text = (name, most, required, tooLong) => {
    const typed = (values[name] ?? "").trim();
    if (!typed && required) say(name, required);
    const isLong = length(typed) > most;
    if (isLong) say(name, tooLong);
    if (typed.includes("\0")) say(name, gettext("Null characters are not allowed."));
    return isLong || typed.includes("\0") ? "" : typed;
  };
  /**
   * What the reader makes of it; nothing where it throws.
   * @template Thing
   * @param {string} name
   * @param {string} typed
   * @param {(typed: string) => Thing[]} reader
   * @returns {Thing[]}
   */
  function read(name, typed, reader) {
    try {
      return reader(typed);
    } catch (error) {
      say(name, error instanceof Error ? error.message : String(error));
      return [];
    }
  }
  const states = Object.fromEntries(arcFields(values).map((name) => [name, STATES]));
  for (const [name, known] of Object.entries({ ...CHOICES, ...states })) {
    const value = values[name] ?? "";
    if (!known.includes(value)) say(name, gettext("This isn’t one of the choices. Choose one from the list."));
  }
  const longName = gettext("Use up to {most} characters for the name.");
  text("name", NAME_LENGTH, gettext("Give the class a name."), format(longName, { most: NAME_LENGTH }));
  const typed = text(
    "curves",
    CURVES_LENGTH,
    gettext("Type the curves, such as 4-2-1 3-3-2: Power, Speed, turn radius."),
    gettext("There are more curves than speeds on the chart. Type one for each speed."),
  );
  const curves = typed ? read("curves", typed, curvesOf) : [];
  const longArcs = gettext("Use up to {most} names with up to {length} characters each.");
  const named = text(
    "arcs",
    MOST_ARCS * (ARC_LENGTH + 2),
    gettext("Name at least one shield arc."),
    format(longArcs, { most: MOST_ARCS, length: ARC_LENGTH }),
  );
  const arcs = named ? read("arcs", named, arcsOf) : [];
  const play = text("play", PLAY_LENGTH, "", gettext("These are too many steps for one link. Start the round over."));
  const steps = read("play", play, stepsOf);
  const speeds = curves.map((curve) => String(curve.speed));
  if (curves.length && CHOICES.speed.includes(values.speed) && !speeds.includes(values.speed)) {
    const missing = ngettext(
      "This class has no curve for speed {speed}. Its only speed is {speeds}.",
      "This class has no curve for speed {speed}. Its speeds are {speeds}.",
      speeds.length,
    );
    say("speed", format(missing, { speed: values.speed, speeds: listed(speeds) }));
  }
  const said = arcFields(values).map((name) => values[name] ?? "");
  const ship = {
    curves,
    arcs,
    fifth: values.fifth ?? "",
    speed: Number(values.speed),
    hull: Number(values.hull),
    criticals: Number(values.criticals),
    maySlow: ["", "false"].includes((values.stuck ?? "").toLowerCase()),
    down: said.flatMap((state, arc) => (state === "down" ? [arc] : [])),
    markers: said.flatMap((state, arc) => (LETTERS.includes(state) ? [{ arc, letter: state }] : [])),
  };
  return { ship, steps };
}

/** The names of the arcs. Throws an Error that says what does not fit. @param {string} text */
function arcsOf(text) {
  const names = namesOf(text);
  if (!names.length) throw new Error(gettext("Name at least one shield arc."));
  const typed = text.replace(/^[, ]+|[, ]+$/g, "").split(",");
  if (names.length < typed.length) {
    throw new Error(format(gettext("Type up to {most} names, none of them empty."), { most: MOST_ARCS }));
  }
  const longest = names.find((name) => length(name) > ARC_LENGTH);
  const tooLong = gettext("“{arc}” is too long. Use up to {most} characters per arc.");
  if (longest) throw new Error(format(tooLong, { arc: longest, most: ARC_LENGTH }));
  const different = new Set(names.map((name) => name.toLowerCase()));
  if (different.size < names.length) throw new Error(gettext("Two arcs have the same name. Give each one its own."));
  return names;
}

/** @param {string} query @returns {Page} */
export function page(query) {
  const values = filled(query);
  const fields = arcFields(values);
  const names = arcNames(values.arcs);
  /** @type {Values} */
  const labels = {
    ...labelsOf(),
    ...Object.fromEntries(fields.map((field, index) => [field, [...names[index]].slice(0, ARC_LENGTH).join("")])),
  };
  const order = [...FIRST, "play", ...fields];
  /** @type {string[][]} */
  const errors = [];
  const { ship, steps } = understood(values, (name, sentence) => errors.push([`id_${name}`, labels[name], sentence]));
  errors.sort((one, other) => order.indexOf(one[0].slice(3)) - order.indexOf(other[0].slice(3)));
  /** @type {(done: Act[], changed?: Values) => string} */
  const address = (done, changed = {}) => addressOf({ ...values, ...changed, play: spelled(done) });
  return {
    values,
    arc_states: fields.map((field) => [`id_${field}`, field, labels[field], values[field] ?? ""]),
    errors,
    anew: errors.some(([id]) => id === "id_play") ? address([]) : "",
    record: errors.length ? null : shown(values.name.trim(), played(ship, steps), address),
  };
}
