/* What ties and scenarios decide by dice (rules 4.1, 4.5) without a network: tourney/judge/domain/scenario_dice.py and
   the roll-off once more. Both answer tests/vectors/scenario_dice.json alike. Each procedure gets what was typed and a
   function that gives the dice it asks for. */

import * as dice from "./dice.js";

/**
 * The dice of one player in a throw.
 * @typedef {{ throw: number, player: number, who: string, dice: number, die: dice.Die, face: dice.Face }} Asked
 */
/**
 * @typedef {{ who: string, die: dice.Die, faces: dice.Face[], face: dice.Face, count: number, counted: string }} Hand
 */
/** What was decided, throw by throw. @typedef {{ sentence: string, throws: Hand[][], how: string[] }} Outcome */
/**
 * `next` are dice that nobody has typed yet.
 * @typedef {{ outcome: Outcome | null, throws: Hand[][], next: Asked | null }} Played
 */
/** @typedef {(asked: Asked) => dice.Face[]} Roll */
/** @typedef {Record<string, string | number>} Facts what was typed, by the names of the fields */
/** @typedef {{ player: string, cards: number, skill: number }} Team */

/** @type {Record<dice.Face, string>} */
const NAMES = { hit: "Hit", critical: "Critical Hit", "battle stations": "Battle Station", evade: "Evade" };
const PLACES = ["first", "second", "third", "fourth"];
const DICE = 5;
const BEAMS = 2;

/** @type {(number: number, one: string, many?: string) => string} */
const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** @type {(asked: Asked, roll: Roll) => Hand} */
function rolled(asked, roll) {
  const faces = roll(asked);
  const count = faces.filter((face) => face === asked.face).length;
  return { who: asked.who, die: asked.die, faces, face: asked.face, count, counted: counted(count, NAMES[asked.face]) };
}

/** @type {(number: number, player: number, who: string, roll: Roll, die?: dice.Die) => Hand} */
function stations(number, player, who, roll, die = "attack") {
  return rolled({ throw: number, player, who, dice: DICE, die, face: "battle stations" }, roll);
}

/** @type {(sentence: string, throws?: Hand[][], how?: string[]) => Outcome} */
const outcome = (sentence, throws = [], how = []) => ({ sentence, throws, how });

/**
 * Most Battle Stations ahead; who is level rolls again until nobody is.
 * @type {(names: string[], roll: Roll) => Outcome}
 */
function rollOff(names, roll) {
  /** @type {Hand[][]} */
  const throws = [];
  let order = [names.map((_, place) => place)];
  while (order.some((level) => level.length > 1)) {
    const level = order.filter((one) => one.length > 1).flat();
    level.sort((one, other) => one - other);
    const hands = new Map(level.map((place) => [place, stations(throws.length + 1, place + 1, names[place], roll)]));
    throws.push([...hands.values()]);
    order = order.flatMap((one) => (one.length > 1 ? split(one, hands) : [one]));
  }
  const placed = order.map(([place]) => names[place]);
  if (placed.length === 2) return outcome(`${placed[0]} is ahead of ${placed[1]}.`, throws);
  return outcome(`${placed.map((name, place) => `${name} is ${PLACES[place]}.`).join(" ")}`, throws);
}

/**
 * Who is still level, the most Battle Stations first.
 * @type {(level: number[], hands: Map<number, Hand>) => number[][]}
 */
function split(level, hands) {
  /** @param {number} place */
  const countOf = (place) => hands.get(place)?.count ?? 0;
  const counts = [...new Set(level.map(countOf))].sort((one, other) => other - one);
  return counts.map((count) => level.filter((place) => countOf(place) === count));
}

/** @param {Hand[]} hands */
const fewestOf = (hands) => Math.min(...hands.map((hand) => hand.count));

/**
 * DS9 fires at the fewest Battle Stations; those who share the fewest roll again.
 * @type {(names: string[], roll: Roll) => Outcome}
 */
function target(names, roll) {
  const throws = [];
  let level = names.map((_, place) => place);
  let fewest = 0;
  while (level.length > 1 || !throws.length) {
    const hands = level.map((place) => stations(throws.length + 1, place + 1, names[place], roll));
    throws.push(hands);
    fewest = fewestOf(hands);
    level = level.filter((_, at) => hands[at].count === fewest);
  }
  const again = throws.length === 1 ? "" : ` after ${throws.length} throws`;
  return outcome(`DS9 fires at ${names[level[0]]}: the fewest Battle Stations${again}, ${fewest}.`, throws);
}

/**
 * The higher captain skill attacks, then what is left of the other team; equal skill attacks at the same time.
 * @type {(teams: [Team, Team], roll: Roll) => Outcome}
 */
function awayBattle(teams, roll) {
  const order = teams[1].skill > teams[0].skill ? [1, 0] : [0, 1];
  const isSimultaneous = teams[0].skill === teams[1].skill;
  const left = teams.map((team) => team.cards);
  const throws = [];
  const how = [whoBegins(teams[order[0]], teams[order[1]])];
  for (const [attacker, defender] of [order, [order[1], order[0]]]) {
    const [attacking, defending] = [teams[attacker].player, teams[defender].player];
    const cards = isSimultaneous ? teams[attacker].cards : left[attacker];
    if (!cards) {
      how.push(`Nobody of ${attacking}’s team is left to strike back.`);
      break;
    }
    const number = throws.length + 1;
    const attack = { throw: number, player: attacker + 1, who: attacking, dice: cards, die: "attack", face: "hit" };
    const defense = { dice: left[defender], die: "defense", face: "evade" };
    const attacked = rolled(attack, roll);
    const evades = rolled({ throw: number, player: defender + 1, who: defending, ...defense }, roll);
    const lost = Math.min(left[defender], Math.max(0, attacked.count - evades.count));
    left[defender] -= lost;
    throws.push([attacked, evades]);
    const loss = lost ? `${defending} discards ${counted(lost, "card")}` : `${defending} loses nobody`;
    how.push(`${attacking} rolls ${attacked.counted} against ${evades.counted}: ${loss}.`);
  }
  return outcome(whoIsAboard(teams, left), throws, how);
}

/** @type {(attacker: Team, defender: Team) => string} */
function whoBegins({ player, skill }, defender) {
  if (skill !== defender.skill) return `${player} attacks first, captain skill ${skill} against ${defender.skill}.`;
  return `Both have captain skill ${skill}: they attack at the same time, each with all its cards.`;
}

/** @type {(teams: [Team, Team], left: number[]) => string} */
function whoIsAboard([one, other], left) {
  const [ours, theirs] = left;
  if (ours && theirs) {
    return `Nobody controls DS9: ${one.player} has ${counted(ours, "card")} aboard, ${other.player} has ${theirs}.`;
  }
  if (!ours && !theirs) return "Nobody is left aboard, so nobody controls DS9.";
  return `${(ours ? one : other).player} controls DS9, with ${counted(ours || theirs, "card")} left aboard.`;
}

/**
 * A ship that was hit while it holds the small craft; as many Battle Stations are enough for the attacker.
 * @type {(holder: string, attacker: string, roll: Roll) => Outcome}
 */
function tractorCheck(holder, attacker, roll) {
  const hands = [stations(1, 1, attacker, roll), stations(1, 2, holder, roll, "defense")];
  const [theirs, ours] = hands.map((hand) => hand.count);
  const numbers = `${hands[0].counted} against ${ours}`;
  if (theirs < ours) return outcome(`${holder} keeps the tractor beam: only ${numbers}.`, [hands]);
  const tie = theirs === ours ? ", and a tie is the attacker’s" : "";
  return outcome(`${holder} loses the tractor beam: ${numbers}${tie}. Its Target Lock Tokens go.`, [hands]);
}

/**
 * An attack die for each Target Lock Token above 2, the ship’s own counted; a Critical Hit destroys the craft.
 * @type {(ship: string, tokens: number, roll: Roll) => Outcome}
 */
function tooManyBeams(ship, tokens, roll) {
  const over = Math.max(0, tokens - BEAMS);
  if (!over) return outcome(`Nothing to roll: ${BEAMS} tokens are safe, this ship’s own and one more.`);
  const hand = rolled({ throw: 1, player: 1, who: ship, dice: over, die: "attack", face: "critical" }, roll);
  if (hand.count) return outcome(`The small craft is destroyed by ${ship}’s beam: a Critical Hit.`, [[hand]]);
  return outcome(`The small craft holds: no Critical Hit on ${counted(over, "die", "dice")}.`, [[hand]]);
}

/** @param {Facts} facts */
const players = (facts) => PLACES.map((place) => String(facts[place] ?? "")).filter(Boolean);

/** @type {(facts: Facts, which: string) => Team} */
const team = (facts, which) => ({
  player: String(facts[which]),
  cards: Number(facts[`${which}_cards`]),
  skill: Number(facts[`${which}_skill`]),
});

/** @type {Record<string, (facts: Facts, roll: Roll) => Outcome>} */
const PROCEDURES = {
  "roll-off": (facts, roll) => rollOff(players(facts), roll),
  target: (facts, roll) => target(players(facts), roll),
  "away-teams": (facts, roll) => awayBattle([team(facts, "first"), team(facts, "second")], roll),
  "tractor-beam": (facts, roll) => tractorCheck(String(facts.second), String(facts.first), roll),
  "too-many-beams": (facts, roll) => tooManyBeams(String(facts.first), Number(facts.tokens), roll),
};

/** What a procedure comes to with dice from a seed. @type {(what: string, facts: Facts, seed: string) => Played} */
export function played(what, facts, seed) {
  /** @type {Roll} */
  const roll = (asked) => dice.roll(seed, asked.throw, asked.player, asked.dice, asked.die);
  const found = PROCEDURES[what](facts, roll);
  return { outcome: found, throws: found.throws, next: null };
}

/** Dice that nobody has typed yet. */
class NotTyped extends Error {
  /** @param {Asked} asked */
  constructor(asked) {
    super("not typed yet");
    this.asked = asked;
  }
}

/**
 * The same with dice on the table, in the letters of each hand.
 * @type {(what: string, facts: Facts, hands: string[]) => Played}
 */
export function playedByHand(what, facts, hands) {
  /** @type {Hand[][]} */
  const throws = [];
  const coming = [...hands];
  /** @type {Roll} */
  function lying(asked) {
    const typed = dice.written(coming.shift() ?? "?", asked.die);
    if (!typed || typed.length > asked.dice) throw new NotTyped(asked);
    const faces = [...typed, ...Array(asked.dice - typed.length).fill("other")];
    throws[asked.throw - 1] ||= [];
    throws[asked.throw - 1].push(rolled(asked, () => faces));
    return faces;
  }
  try {
    const found = PROCEDURES[what](facts, lying);
    return { outcome: found, throws: found.throws, next: null };
  } catch (error) {
    if (!(error instanceof NotTyped)) throw error;
    return { outcome: null, throws, next: error.asked };
  }
}

/** What the button for all other dice of that hand says. @type {(asked: Asked, hand: string) => string} */
export const rest = (asked, hand) => {
  const some = [...hand].some((letter) => dice.LETTERS[letter] === asked.face) ? "No more" : "No";
  return `${some} ${NAMES[asked.face]}s`;
};
