/* The Talon power record on the device (rule 10): what tourney/judge/domain/talon_power.py, talon_words.py and
   talon_record.py and the form of tourney/judge/forms/talon.py find, once more, so that a round is played without
   asking the server. Both answer tests/vectors/talon_power.json alike. */

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
/** @type {Record<string, [name: string, note: string]>} */
const SPENDINGS = {
  s: ["Side slip", "with her next move"],
  t: ["Power through a turn", "marker 1 hex closer"],
  w: ["Charge a weapon", "one yellow box"],
  b: ["Charge a battery", "if she has an empty one"],
  r: ["Reinforce a shield arc", "absorbs 1 damage"],
  c: ["Change initiative", "puts its marker on her"],
  d: ["Defend initiative", "puts its marker on her"],
  f: ["Power to fighters", "carriers and bases"],
  m: ["New missile target", "ships with launchers"],
};
const ELSEWHERE = Object.keys(SPENDINGS).filter((act) => act !== "r"); // than on an arc
const ACTS = "vstwbrcdfmnxaouhk";
const OF_ARCS = "rxaou";
const WITH_NUMBER = `${OF_ARCS}vhk`;

/** @param {number} number */
const signed = (number) => String(number).replace("-", "−");
/** @param {number} number */
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
  if (!curve) throw new Error("the speed is still to be chosen");
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
    const stuck = isStuck ? "she cannot slow down" : "";
    return { curve: modified, whyNot: modified.power < 0 ? `her Power would be ${signed(modified.power)}` : stuck };
  });
}

/** @param {Ship} ship */
function warning(ship) {
  const legal = options(ship)
    .filter((one) => !one.whyNot)
    .map((one) => one.curve);
  if (!legal.length) return "No speed can be chosen: at the end of the Power Phase she breaks apart.";
  if (legal.every((curve) => curve.speed !== ship.speed)) {
    const speeds = legal.map((curve) => curve.speed).join(" or ");
    return `Her speed of ${ship.speed} would leave her Power below 0: she must go to speed ${speeds}.`;
  }
  return Math.max(...legal.map((curve) => curve.power)) === 0
    ? "One point of Power less, and no speed is left: she would break apart."
    : "";
}

/** What stands against a step; "" if nothing does. @type {(now: Now, step: Act) => string} */
function whyNot(now, { act, number }) {
  const { ship, impulse, ap, sideSlip } = now;
  if (act === "v") {
    if (impulse) return "the speed is chosen in the Power Phase";
    const found = options(ship).find((one) => one.curve.speed === number);
    return found ? found.whyNot : `speed ${number} is out of reach from ${ship.speed}`;
  }
  if (act === "n") return impulse ? "" : "the speed is still to be chosen";
  if (act === "h" || act === "k") return "";
  const arc = ship.arcs[number];
  const isDown = ship.down.includes(number);
  const hasOne = ship.markers.some((marker) => marker.arc === number);
  if (OF_ARCS.includes(act) && arc === undefined) return "the ship has no such arc";
  if (act === "x" || act === "a") return hasOne ? "" : `there is no reinforcement on ${arc}`;
  if (act === "o") return isDown ? `${arc} is down already` : "";
  if (act === "u") return isDown ? "" : `${arc} is not down`;
  if (!ap) return "there is no power to spend now";
  if (act === "s") return sideSlip ? "she has a side slip marker" : "";
  if (act !== "r") return "";
  if (isDown) return "the arc is down";
  if (hasOne) return "it is reinforced already";
  const { power } = chosen(now);
  const most = mostMarkers(power);
  return ship.markers.length >= most ? `Power ${power} allows only ${most} on the ship` : "";
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
    if (reason) return { now, lines, refused: `${reason[0].toUpperCase()}${reason.slice(1)}.` };
    const before = now;
    now = after(before, step);
    lines.push({ before, step, after: now });
  }
  return { now, lines, refused: "" };
}

// ── In words ───────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Now} now */
const moment = ({ impulse }) => (impulse ? `Impulse ${impulse}` : "Power Phase");
/** @param {Act[]} steps */
const spelled = (steps) =>
  steps
    .map(({ act, number }) => act + (WITH_NUMBER.includes(act) ? number + Number(OF_ARCS.includes(act)) : ""))
    .join(".");

/** @param {Line} line */
function told({ before, step: { act, number }, after: now }) {
  const arc = before.ship.arcs[number];
  const left = now.ship.markers.map((marker) => marker.arc);
  const gone = before.ship.markers
    .filter((marker) => !left.includes(marker.arc))
    .sort((one, other) => one.arc - other.arc);
  const names = gone.map((marker) => before.ship.arcs[marker.arc]).join(" and ");
  const expired = names && ` In ${now.impulse} the reinforcement on ${names} expires.`;
  const from = before.impulse && " from the next Power Phase on";
  switch (act) {
    case "v": {
      const verb = number === before.ship.speed ? "Keeps" : number > before.ship.speed ? "Goes up to" : "Slows to";
      return `${verb} speed ${number}, curve ${written(chosen(now))}.${expired}`;
    }
    case "n": {
      const moved = !moves(before)
        ? "Does not move."
        : before.sideSlip
          ? "Moves 1 hex, and may side slip."
          : "Moves 1 hex.";
      return `${moved}${before.ap ? " Its power was not spent." : ""}${expired}`;
    }
    case "r":
      return `1 AP: ${arc} reinforced, marker ${before.impulse}.`;
    case "x":
      return `The reinforcement on ${arc} is taken off.`;
    case "a":
      return `The reinforcement on ${arc} absorbs 1 damage.`;
    case "o":
      return `${arc} is down.`;
    case "u":
      return `${arc} is up again.`;
    case "h":
      return `Hull damage ${lost(number)}${from}.`;
    case "k":
      return `Criticals ${lost(number)}${from}.`;
  }
  return `1 AP: ${SPENDINGS[act][0].toLowerCase()}.`;
}

/** The curves of a text, by speed. Throws an Error that says what does not fit. @param {string} text */
function curvesOf(text) {
  const digits = text.replace(/[^0-9]/g, "");
  if (!digits || digits.length % 3)
    throw new Error("Type three numbers for each speed, such as 4-2-1: Power, Speed, turn radius.");
  const curves = [...digits.matchAll(/(.)(.)(.)/g)].map((three) => {
    const [, power, speed, turn] = three.map(Number);
    return { power, speed, turn };
  });
  const beyond = curves.find(({ power, speed }) => power > MOST || speed < 1 || speed > MOST);
  const known = `Power 0 to ${MOST} and Speed 1 to ${MOST}`;
  if (beyond) throw new Error(`${written(beyond)} does not fit: the impulse chart knows ${known}.`);
  const speeds = curves.map((curve) => curve.speed);
  const twice = speeds.find((speed, index) => speeds.lastIndexOf(speed) !== index);
  if (twice) throw new Error(`Speed ${twice} has two curves: leave one of them.`);
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
  const said = [...piece].slice(0, 20).join("");
  throw new Error(`“${said}” is nothing that can happen in a round: the address was cut off or changed.`);
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
    title: `${name} · Round ${now.round}`,
    moment: moment(now),
    says: says(now, isLost),
    slip: now.sideSlip ? "A side slip marker is on her: she may side slip with her next move." : "",
    figures: impulse ? figures(chosen(now)) : [],
    beats: impulse ? beats(chosen(now), now) : [],
    next: impulse ? offer("n", 0, nextName(now)) : null,
    kind: ap ? "quiet" : "main",
    undo: steps.length ? address(steps.slice(0, -1)) : "",
    start: steps.length ? address([]) : "",
    refused: refused && `Step ${steps.length + 1} no longer fits this ship. ${refused}`,
    go_on: refused && address(steps),
    warning: warning(ship),
    fatal: isLost ? "fatal" : "",
    ahead: impulse && "At the next Power Phase:",
    fifths: asksFifth(now) ? ["D", "E"].map((letter) => [letter, address(steps, { fifth: letter })]) : [],
    speeds: impulse ? [] : options(ship).map((option) => speedOf(option, now, offer)),
    spendings: ap ? ELSEWHERE.map((act) => offer(act, 0, ...SPENDINGS[act])) : [],
    reinforcements: ap ? ship.arcs.map((arc, number) => offer("r", number, arc)) : [],
    on_ship: `${ship.markers.length}${impulse ? ` of ${mostMarkers(chosen(now).power)}` : ""} reinforced`,
    arcs: ship.arcs.map((arc, number) => arcOf(arc, number, ship, offer)),
    counts: impulse ? "From the next Power Phase" : "Counts now",
    damages: [damageOf("h", "Hull damage", -ship.hull, offer), damageOf("k", "Criticals", -ship.criticals, offer)],
    lines: lines.map((line, count) => happened(line, count, lines.length, address(steps.slice(0, count)))).reverse(),
  };
}

/** @param {Curve} curve */
const figures = ({ power, speed, turn }) => Object.entries({ Power: `${power}`, Speed: `${speed}`, Turn: `${turn}` });

/** @type {(now: Now, isLost: boolean) => string} */
function says(now, isLost) {
  if (isLost) return "She breaks apart.";
  if (!now.impulse) return "Keep her speed, or one up or down.";
  if (now.ap) return `1 AP to spend${moves(now) ? " before she moves" : ""}.`;
  const then = impulsesOf(chosen(now).power, now.ship.fifth).find((letter) => letter > now.impulse);
  return then ? `No power to spend now. The next comes in ${then}.` : "No more power to spend in this round.";
}

/** @type {(curve: Curve, now: Now) => Record<string, string>[]} */
function beats({ power, speed }, { impulse, ship: { fifth } }) {
  return LETTERS.map((letter) => ({
    letter,
    power: impulsesOf(power, fifth).includes(letter) ? "AP" : "",
    moves: impulsesOf(speed, fifth).includes(letter) ? "move" : "",
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
  const then = LETTERS[LETTERS.indexOf(now.impulse) + 1] ?? "the Power Phase";
  if (now.ap) return `Unspent: ${moves(now) ? "move, then" : "on to"} ${then}`;
  const where = then.length === 1 ? `impulse ${then}` : then;
  return moves(now) ? `Move 1 hex, then ${where}` : `On to ${where}`;
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
  const change = curve.speed < now.ship.speed ? "Slow down" : "Speed up";
  const name = curve.speed === now.ship.speed ? "Keep speed" : change;
  const choice = reason
    ? offer("v", curve.speed, `${name}: not possible`)
    : offer("v", curve.speed, name, "", `${name}: speed ${curve.speed}`);
  return { curve: written(curve), choice, beats: reason ? [] : beats(curve, now) };
}

/** @type {(name: string, number: number, ship: Ship, offer: Offer) => object} */
function arcOf(name, number, { markers, down }, offer) {
  const marker = markers.find((one) => one.arc === number);
  const isDown = down.includes(number);
  const ofMarker = marker ? { a: "Absorbs 1", x: "Take off" } : {};
  const acts = Object.entries({ ...ofMarker, ...(isDown ? { u: "Up again" } : { o: "Goes down" }) });
  const state = marker ? `Absorbs 1 damage, until the next ${marker.letter}` : "";
  const fallen = state ? "Down" : "Down: cannot be reinforced";
  const stands = isDown ? fallen : "";
  return {
    name,
    state: [state, stands].filter(Boolean).join("; ") || "Up",
    choices: acts.map(([act, says]) => offer(act, number, says, "", `${name}: ${says}`)),
  };
}

/** @type {(act: string, name: string, number: number, offer: Offer) => object} */
function damageOf(act, name, number, offer) {
  /** @param {string} sign */
  const no = (sign) => ({ id: "", name: sign, address: "", note: "", label: "" });
  return {
    name,
    lost: lost(number),
    less: number ? offer(act, number - 1, "+", "", `${name}: one point of Power more`) : no("+"),
    more: number < MOST_LOST ? offer(act, number + 1, "−", "", `${name}: one point of Power less`) : no("−"),
  };
}

/** @type {(line: Line, count: number, all: number, address: string) => object} */
function happened(line, count, all, address) {
  const [says, name] = [told(line), count === all - 1 ? "Undo" : "Undo to here"];
  return {
    place: `Round ${line.before.round}, ${moment(line.before)}`,
    says,
    name,
    label: `${name}, step ${count + 1}: ${says}`,
    address,
  };
}

// ── The ship in an address ─────────────────────────────────────────────────────────────────────────────────

const TERRAN = "4-2-1 3-3-2 2-4-2 1-5-3";
/** @type {Values} */
const USUAL = { name: "Terran CA", curves: TERRAN, hull: "0", criticals: "0", arcs: "Front, Right, Rear, Left" };
const FIRST = ["speed", "hull", "criticals", "name", "curves", "stuck", "fifth", "arcs"];
/** @type {Values} */
const LABELS = {
  speed: "Speed now",
  hull: "Hull damage",
  criticals: "Criticals",
  name: "Class",
  curves: "Power curves",
  fifth: "Fifth mark of 5",
  arcs: "Shield arcs",
  play: "What happened",
};
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
/** @param {Curve[]} curves */
const middle = (curves) => String(curves[Math.floor((curves.length - 1) / 2)].speed);
/** @param {string} text */
const length = (text) => [...text].length;

/** The address of these values (`?speed=3&…`): what is as usual is left out. @param {Values} values */
export function addressOf(values) {
  const names = [...FIRST, ...arcFields(values), "play"];
  const said = names.map((name) => [name, values[name] ?? ""]).filter(([name, value]) => value !== (USUAL[name] ?? ""));
  return `?${String(new URLSearchParams(said)).replaceAll("*", "%2A").replaceAll("%7E", "~")}`;
}

/** @param {Values} values */
function arcFields({ arcs }) {
  return (namesOf(arcs).length ? namesOf(arcs) : ["Arc"]).map((_, index) => `arc${index + 1}`);
}

/**
 * What an address does not say is the class that ships, its middle speed, nothing damaged.
 * @param {string} query
 * @returns {Values}
 */
function filled(query) {
  /** @type {Values} */
  const values = { ...USUAL, ...Object.fromEntries(new URLSearchParams(query)) };
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
    if (typed.includes("\0")) say(name, "Null characters are not allowed.");
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
    if (!known.includes(value)) say(name, `“${value}” is not possible here. Choose one of the list.`);
  }
  text("name", NAME_LENGTH, "Give the class a name.", `Up to ${NAME_LENGTH} characters. Shorten the name.`);
  const typed = text(
    "curves",
    CURVES_LENGTH,
    "Type the curves, such as 4-2-1 3-3-2: Power, Speed, turn radius.",
    "This is more than one curve for each speed of the chart. Leave one for each.",
  );
  const curves = typed ? read("curves", typed, curvesOf) : [];
  const named = text(
    "arcs",
    MOST_ARCS * (ARC_LENGTH + 2),
    "Name at least one shield arc.",
    `Up to ${MOST_ARCS} names of ${ARC_LENGTH} characters. Shorten them.`,
  );
  const arcs = named ? read("arcs", named, arcsOf) : [];
  const play = text("play", PLAY_LENGTH, "", "These are too many steps for one address. Begin the round anew.");
  const steps = read("play", play, stepsOf);
  const speeds = curves.map((curve) => String(curve.speed));
  if (curves.length && CHOICES.speed.includes(values.speed) && !speeds.includes(values.speed)) {
    const known = `${speeds.join(", ")}${speeds.length > 1 ? "" : " alone"}`;
    say("speed", `The class has no curve for speed ${values.speed}; its speeds are ${known}.`);
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
  if (!names.length) throw new Error("Name at least one shield arc.");
  const typed = text.replace(/^[, ]+|[, ]+$/g, "").split(",");
  if (names.length < typed.length) {
    throw new Error(`There are more than ${MOST_ARCS} names, or an empty one. Leave up to ${MOST_ARCS}.`);
  }
  const longest = names.find((name) => length(name) > ARC_LENGTH);
  if (longest) throw new Error(`“${longest}” is too long: up to ${ARC_LENGTH} characters for each arc.`);
  const different = new Set(names.map((name) => name.toLowerCase()));
  if (different.size < names.length) throw new Error("Two arcs have the same name. Give each its own.");
  return names;
}

/** @param {string} query @returns {Page} */
export function page(query) {
  const values = filled(query);
  const fields = arcFields(values);
  const names = namesOf(values.arcs).length ? namesOf(values.arcs) : ["Arc"];
  /** @type {Values} */
  const labels = {
    ...LABELS,
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
