/* The Talon power record on the device (rule 10): what tourney/judge/domain/talon_power.py, talon_words.py and talon_record.py and the
   form of tourney/judge/forms/talon.py find, once more, so that a round is played without asking the server. A test holds both
   against one another. A ship is {curves, speed, hull, criticals, maySlow, arcs, down, markers, fifth}. */

const IMPULSES = { A: [4, 5, 6], B: [3, 5, 6], C: [2, 4, 5, 6], D: [3, 4, 6], E: [6], F: [1, 2, 3, 4, 5, 6] };
const LETTERS = Object.keys(IMPULSES);
const UNDECIDED = 5;
const MOST = 6;
const MOST_LOST = 9;
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
const OF_ARCS = "rxaou";
const WITH_NUMBER = `${OF_ARCS}vhk`;

const signed = (number) => String(number).replace("-", "−");
const lost = (number) => (number ? `−${number}` : "0");
const written = ({ power, speed, turn }) => `${signed(power)}-${speed}-${turn}`;
const marks = (number, fifth) => LETTERS.filter((letter) => IMPULSES[letter].includes(number) || (number === UNDECIDED && letter === fifth));
const mostMarkers = (power) => Math.max(1, Math.floor(power / 2));
const moves = ({ curve, impulse, ship }) => curve !== null && marks(curve.speed, ship.fifth).includes(impulse);

// ── The rules ──────────────────────────────────────────────────────────────────────────────────────────────

function options(ship) {
  const near = ship.curves.filter((curve) => Math.abs(curve.speed - ship.speed) <= 1);
  return near.map((curve) => {
    const modified = { ...curve, power: curve.power + ship.hull + ship.criticals };
    const isStuck = curve.speed < ship.speed && !ship.maySlow;
    return { curve: modified, whyNot: modified.power < 0 ? `her Power would be ${signed(modified.power)}` : isStuck ? "she cannot slow down" : "" };
  });
}

function warning(ship) {
  const legal = options(ship).filter((one) => !one.whyNot).map((one) => one.curve);
  if (!legal.length) return "No speed can be chosen: at the end of the Power Phase she breaks apart.";
  if (legal.every((curve) => curve.speed !== ship.speed)) {
    const speeds = legal.map((curve) => curve.speed).join(" or ");
    return `Her speed of ${ship.speed} would leave her Power below 0: she must go to speed ${speeds}.`;
  }
  return Math.max(...legal.map((curve) => curve.power)) === 0 ? "One point of Power less, and no speed is left: she would break apart." : "";
}

function whyNot({ ship, impulse, curve, ap, sideSlip }, { act, number }) {
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
  const most = mostMarkers(curve.power);
  return ship.markers.length >= most ? `Power ${curve.power} allows only ${most} on the ship` : "";
}

/** The record after a step that nothing stands against. */
function after(record, { act, number }) {
  const { ship } = record;
  const refit = (changed, more) => ({ ...record, ...more, ship: { ...ship, ...changed } });
  switch (act) {
    case "v": return begun({ ...refit({ speed: number }), curve: options(ship).find((one) => one.curve.speed === number).curve }, "A");
    case "n": return ended(record);
    case "s": return { ...record, ap: 0, sideSlip: true };
    case "r": return refit({ markers: [...ship.markers, { arc: number, letter: record.impulse }] }, { ap: 0 });
    case "x":
    case "a": return refit({ markers: ship.markers.filter((marker) => marker.arc !== number) });
    case "o": return refit({ down: [...ship.down, number] });
    case "u": return refit({ down: ship.down.filter((arc) => arc !== number) });
    case "h": return refit({ hull: -number });
    case "k": return refit({ criticals: -number });
  }
  return { ...record, ap: 0 };
}

function begun(record, letter) {
  const { ship, curve } = record;
  const markers = ship.markers.filter((marker) => marker.letter !== letter);
  return { ...record, ship: { ...ship, markers }, impulse: letter, ap: Number(marks(curve.power, ship.fifth).includes(letter)) };
}

function ended(record) {
  const moved = { ...record, ap: 0, sideSlip: record.sideSlip && !moves(record) };
  if (record.impulse === LETTERS.at(-1)) return { ...moved, round: record.round + 1, impulse: "" };
  return begun(moved, LETTERS[LETTERS.indexOf(record.impulse) + 1]);
}

/** {now, lines: [{before, step, after}], refused}: the steps in order, up to the first that cannot happen. */
function played(ship, steps) {
  let now = { ship, round: 1, impulse: "", curve: null, ap: 0, sideSlip: false };
  const lines = [];
  for (const step of steps) {
    const reason = whyNot(now, step);
    if (reason) return { now, lines, refused: `${reason[0].toUpperCase()}${reason.slice(1)}.` };
    lines.push({ before: now, step, after: (now = after(now, step)) });
  }
  return { now, lines, refused: "" };
}

// ── In words ───────────────────────────────────────────────────────────────────────────────────────────────

const moment = ({ impulse }) => (impulse ? `Impulse ${impulse}` : "Power Phase");
const spelled = (steps) => steps.map(({ act, number }) => act + (WITH_NUMBER.includes(act) ? number + Number(OF_ARCS.includes(act)) : "")).join(".");

function told({ before, step: { act, number }, after: now }) {
  const arc = before.ship.arcs[number];
  const left = now.ship.markers.map((marker) => marker.arc);
  const gone = before.ship.markers.filter((marker) => !left.includes(marker.arc)).sort((one, other) => one.arc - other.arc);
  const names = gone.map((marker) => before.ship.arcs[marker.arc]).join(" and ");
  const expired = names && ` In ${now.impulse} the reinforcement on ${names} expires.`;
  const from = before.impulse && " from the next Power Phase on";
  switch (act) {
    case "v": {
      const verb = number === before.ship.speed ? "Keeps" : number > before.ship.speed ? "Goes up to" : "Slows to";
      return `${verb} speed ${number}, curve ${written(now.curve)}.${expired}`;
    }
    case "n": {
      const moved = !moves(before) ? "Does not move." : before.sideSlip ? "Moves 1 hex, and may side slip." : "Moves 1 hex.";
      return `${moved}${before.ap ? " Its power was not spent." : ""}${expired}`;
    }
    case "r": return `1 AP: ${arc} reinforced, marker ${before.impulse}.`;
    case "x": return `The reinforcement on ${arc} is taken off.`;
    case "a": return `The reinforcement on ${arc} absorbs 1 damage.`;
    case "o": return `${arc} is down.`;
    case "u": return `${arc} is up again.`;
    case "h": return `Hull damage ${lost(number)}${from}.`;
    case "k": return `Criticals ${lost(number)}${from}.`;
  }
  return `1 AP: ${SPENDINGS[act][0].toLowerCase()}.`;
}

function curvesOf(text) {
  const digits = text.replace(/[^0-9]/g, "");
  if (!digits || digits.length % 3) throw new Error("Type three numbers for each speed, such as 4-2-1: Power, Speed, turn radius.");
  const curves = digits.match(/.../g).map((three) => ({ power: Number(three[0]), speed: Number(three[1]), turn: Number(three[2]) }));
  const beyond = curves.find(({ power, speed }) => power > MOST || speed < 1 || speed > MOST);
  if (beyond) throw new Error(`${written(beyond)} does not fit: the impulse chart knows Power 0 to ${MOST} and Speed 1 to ${MOST}.`);
  const speeds = curves.map((curve) => curve.speed);
  const twice = speeds.find((speed, index) => speeds.lastIndexOf(speed) !== index);
  if (twice) throw new Error(`Speed ${twice} has two curves: leave one of them.`);
  return curves.sort((one, other) => one.speed - other.speed);
}

function stepsOf(text) {
  return !text ? [] : text.split(".").map((piece) => {
    const [, act, digit] = /^([a-z])([0-9]?)$/.exec(piece) ?? [];
    if (act && "vstwbrcdfmnxaouhk".includes(act) && Boolean(digit) === WITH_NUMBER.includes(act)) return { act, number: Number(digit || 0) - Number(OF_ARCS.includes(act)) };
    throw new Error(`“${[...piece].slice(0, 20).join("")}” is nothing that can happen in a round: the address was cut off or changed.`);
  });
}

// ── What the page says of a record ─────────────────────────────────────────────────────────────────────────

function shown(name, { now, lines, refused }, address) {
  const { ship, impulse, curve, ap } = now;
  const steps = lines.map((line) => line.step);
  const isLost = !impulse && options(ship).every((one) => one.whyNot);
  const offer = (act, number = 0, says = "", note = "", label = "") => {
    const reason = whyNot(now, { act, number });
    return { id: `do-${spelled([{ act, number }])}`, name: says, address: reason ? "" : address([...steps, { act, number }]), note: reason || note, label };
  };
  return {
    title: `${name} · Round ${now.round}`,
    moment: moment(now),
    says: says(now, isLost),
    slip: now.sideSlip ? "A side slip marker is on her: she may side slip with her next move." : "",
    figures: impulse ? [["Power", String(curve.power)], ["Speed", String(curve.speed)], ["Turn", String(curve.turn)]] : [],
    beats: impulse ? beats(curve, now) : [],
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
    spendings: ap ? Object.keys(SPENDINGS).filter((act) => act !== "r").map((act) => offer(act, 0, ...SPENDINGS[act])) : [],
    reinforcements: ap ? ship.arcs.map((arc, number) => offer("r", number, arc)) : [],
    on_ship: `${ship.markers.length}${impulse ? ` of ${mostMarkers(curve.power)}` : ""} reinforced`,
    arcs: ship.arcs.map((arc, number) => arcOf(arc, number, ship, offer)),
    counts: impulse ? "From the next Power Phase" : "Counts now",
    damages: [damageOf("h", "Hull damage", -ship.hull, offer), damageOf("k", "Criticals", -ship.criticals, offer)],
    lines: lines.map((line, count) => happened(line, count, lines.length, address(steps.slice(0, count)))).reverse(),
  };
}

function says(now, isLost) {
  if (isLost) return "She breaks apart.";
  if (!now.impulse) return "Keep her speed, or one up or down.";
  if (now.ap) return `1 AP to spend${moves(now) ? " before she moves" : ""}.`;
  const then = marks(now.curve.power, now.ship.fifth).find((letter) => letter > now.impulse);
  return then ? `No power to spend now. The next comes in ${then}.` : "No more power to spend in this round.";
}

function beats({ power, speed }, { impulse, ship: { fifth } }) {
  return LETTERS.map((letter) => ({
    letter,
    power: marks(power, fifth).includes(letter) ? "AP" : "",
    moves: marks(speed, fifth).includes(letter) ? "move" : "",
    when: letter === impulse ? "now" : impulse && letter < impulse ? "past" : "",
    current: letter === impulse ? "step" : "",
  }));
}

function nextName(now) {
  const then = LETTERS[LETTERS.indexOf(now.impulse) + 1] ?? "the Power Phase";
  if (now.ap) return `Unspent: ${moves(now) ? "move, then" : "on to"} ${then}`;
  const where = then.length === 1 ? `impulse ${then}` : then;
  return moves(now) ? `Move 1 hex, then ${where}` : `On to ${where}`;
}

function asksFifth({ ship, impulse, curve }) {
  const at = impulse ? [curve] : options(ship).filter((one) => !one.whyNot).map((one) => one.curve);
  return !ship.fifth && at.some(({ power, speed }) => power === UNDECIDED || speed === UNDECIDED);
}

function speedOf({ curve, whyNot: reason }, now, offer) {
  const name = curve.speed === now.ship.speed ? "Keep speed" : curve.speed < now.ship.speed ? "Slow down" : "Speed up";
  const choice = reason ? offer("v", curve.speed, `${name}: not possible`) : offer("v", curve.speed, name, "", `${name}: speed ${curve.speed}`);
  return { curve: written(curve), choice, beats: reason ? [] : beats(curve, now) };
}

function arcOf(name, number, { markers, down }, offer) {
  const marker = markers.find((one) => one.arc === number);
  const isDown = down.includes(number);
  const acts = marker ? [["a", "Absorbs 1"], ["x", "Take off"]] : [];
  acts.push(isDown ? ["u", "Up again"] : ["o", "Goes down"]);
  const state = marker ? `Absorbs 1 damage, until the next ${marker.letter}` : "";
  const stands = isDown ? (state ? "Down" : "Down: cannot be reinforced") : "";
  return {
    name,
    state: [state, stands].filter(Boolean).join("; ") || "Up",
    choices: acts.map(([act, says]) => offer(act, number, says, "", `${name}: ${says}`)),
  };
}

function damageOf(act, name, number, offer) {
  const no = (sign) => ({ id: "", name: sign, address: "", note: "", label: "" });
  return {
    name,
    lost: lost(number),
    less: number ? offer(act, number - 1, "+", "", `${name}: one point of Power more`) : no("+"),
    more: number < MOST_LOST ? offer(act, number + 1, "−", "", `${name}: one point of Power less`) : no("−"),
  };
}

function happened(line, count, all, address) {
  const [says, name] = [told(line), count === all - 1 ? "Undo" : "Undo to here"];
  return { place: `Round ${line.before.round}, ${moment(line.before)}`, says, name, label: `${name}, step ${count + 1}: ${says}`, address };
}

// ── The ship in an address ─────────────────────────────────────────────────────────────────────────────────

const TERRAN = "4-2-1 3-3-2 2-4-2 1-5-3";
const USUAL = { name: "Terran CA", curves: TERRAN, hull: "0", criticals: "0", arcs: "Front, Right, Rear, Left" };
const FIRST = ["speed", "hull", "criticals", "name", "curves", "stuck", "fifth", "arcs"];
const LABELS = { speed: "Speed now", hull: "Hull damage", criticals: "Criticals", name: "Class", curves: "Power curves", fifth: "Fifth mark of 5", arcs: "Shield arcs", play: "What happened" };
const [MOST_ARCS, NAME_LENGTH, CURVES_LENGTH, ARC_LENGTH, PLAY_LENGTH] = [6, 60, 80, 20, 1200];
const LOST = Array.from({ length: MOST_LOST + 1 }, (_, number) => String(number && -number));
const CHOICES = { speed: ["1", "2", "3", "4", "5", "6"], hull: LOST, criticals: LOST, fifth: ["", "D", "E"] };
const STATES = ["", "down", ...LETTERS];

const namesOf = (text) => text.split(",").map((name) => name.trim()).filter(Boolean).slice(0, MOST_ARCS);
const middle = (curves) => String(curves[Math.floor((curves.length - 1) / 2)].speed);
const length = (text) => [...text].length;

/** The address of these values (`?speed=3&…`): what is as usual is left out. */
function addressOf(values) {
  const names = [...FIRST, ...arcFields(values), "play"];
  const said = names.map((name) => [name, values[name] ?? ""]).filter(([name, value]) => value !== (USUAL[name] ?? ""));
  return `?${String(new URLSearchParams(said)).replaceAll("*", "%2A").replaceAll("%7E", "~")}`;
}

function arcFields({ arcs }) {
  return (namesOf(arcs).length ? namesOf(arcs) : ["Arc"]).map((_, index) => `arc${index + 1}`);
}

/** What an address does not say is the class that ships, its middle speed, nothing damaged. */
function filled(query) {
  const values = { ...USUAL, ...Object.fromEntries(new URLSearchParams(query)) };
  if (values.speed) return values;
  try {
    return { ...values, speed: middle(curvesOf(values.curves)) };
  } catch {
    return { ...values, speed: middle(curvesOf(TERRAN)) };
  }
}

/** The ship and the steps of these values; `say` is told what does not fit. */
function understood(values, say) {
  const text = (name, most, required, tooLong) => {
    const typed = (values[name] ?? "").trim();
    if (!typed && required) say(name, required);
    const isLong = length(typed) > most;
    if (isLong) say(name, tooLong);
    if (typed.includes("\0")) say(name, "Null characters are not allowed.");
    return isLong || typed.includes("\0") ? "" : typed;
  };
  const read = (name, typed, reader) => {
    try {
      return reader(typed);
    } catch (error) {
      say(name, error.message);
    }
  };
  for (const [name, known] of [...Object.entries(CHOICES), ...arcFields(values).map((name) => [name, STATES])]) {
    const value = values[name] ?? "";
    if (!known.includes(value)) say(name, `“${value}” is not possible here. Choose one of the list.`);
  }
  text("name", NAME_LENGTH, "Give the class a name.", `Up to ${NAME_LENGTH} characters. Shorten the name.`);
  const typed = text("curves", CURVES_LENGTH, "Type the curves, such as 4-2-1 3-3-2: Power, Speed, turn radius.", "This is more than one curve for each speed of the chart. Leave one for each.");
  const curves = typed && read("curves", typed, curvesOf);
  const named = text("arcs", MOST_ARCS * (ARC_LENGTH + 2), "Name at least one shield arc.", `Up to ${MOST_ARCS} names of ${ARC_LENGTH} characters. Shorten them.`);
  const arcs = named && read("arcs", named, arcsOf);
  const play = text("play", PLAY_LENGTH, "", "These are too many steps for one address. Begin the round anew.");
  const steps = read("play", play, stepsOf);
  if (curves && CHOICES.speed.includes(values.speed) && !curves.some((curve) => String(curve.speed) === values.speed)) {
    const speeds = curves.map((curve) => curve.speed);
    say("speed", `The class has no curve for speed ${values.speed}; its speeds are ${speeds.join(", ")}${speeds.length > 1 ? "" : " alone"}.`);
  }
  const states = arcFields(values).map((name) => values[name] ?? "");
  const ship = {
    curves, arcs, fifth: values.fifth ?? "", speed: Number(values.speed), hull: Number(values.hull), criticals: Number(values.criticals),
    maySlow: ["", "false"].includes((values.stuck ?? "").toLowerCase()),
    down: states.flatMap((state, arc) => (state === "down" ? [arc] : [])),
    markers: states.flatMap((state, arc) => (LETTERS.includes(state) ? [{ arc, letter: state }] : [])),
  };
  return { ship, steps };
}

function arcsOf(text) {
  const names = namesOf(text);
  if (!names.length) throw new Error("Name at least one shield arc.");
  if (names.length < text.replace(/^[, ]+|[, ]+$/g, "").split(",").length) throw new Error(`There are more than ${MOST_ARCS} names, or an empty one. Leave up to ${MOST_ARCS}.`);
  const longest = names.find((name) => length(name) > ARC_LENGTH);
  if (longest) throw new Error(`“${longest}” is too long: up to ${ARC_LENGTH} characters for each arc.`);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) throw new Error("Two arcs have the same name. Give each its own.");
  return names;
}

/** {values, arc_states: [[field, label]], errors: [[field, label, sentence]], anew, record}: all of the page for an address. */
export function page(query) {
  const values = filled(query);
  const fields = arcFields(values);
  const names = namesOf(values.arcs).length ? namesOf(values.arcs) : ["Arc"];
  const labels = { ...LABELS, ...Object.fromEntries(fields.map((field, index) => [field, [...names[index]].slice(0, ARC_LENGTH).join("")])) };
  const order = [...FIRST, "play", ...fields];
  const errors = [];
  const { ship, steps } = understood(values, (name, sentence) => errors.push([`id_${name}`, labels[name], sentence]));
  errors.sort((one, other) => order.indexOf(one[0].slice(3)) - order.indexOf(other[0].slice(3)));
  const address = (done, changed = {}) => addressOf({ ...values, ...changed, play: spelled(done) });
  return {
    values,
    arc_states: fields.map((field) => [`id_${field}`, field, labels[field], values[field] ?? ""]),
    errors,
    anew: errors.some(([id]) => id === "id_play") ? address([]) : "",
    record: errors.length ? null : shown(values.name.trim(), played(ship, steps), address),
  };
}

export { addressOf };
