/* What ties and scenarios decide by dice (rules 4.1, 4.5) without a network: tourney/judge/domain/scenario_dice.py and
   the roll-off once more. Both answer tests/vectors/scenario_dice.json alike. Each procedure gets what was typed and a
   function that gives the dice it asks for. */

import * as dice from "./dice.js";
import { format, gettext, ngettext, pgettext } from "./words.js";

/**
 * The dice of one player in a roll.
 * @typedef {{ number: number, player: number, who: string, dice: number, die: dice.Die, face: dice.Face }} Asked
 */
/**
 * @typedef {{ who: string, die: dice.Die, faces: dice.Face[], face: dice.Face, count: number, counted: string }} Hand
 */
/** What was decided, roll by roll. @typedef {{ sentence: string, rolls: Hand[][], how: string[] }} Outcome */
/**
 * `next` are dice that nobody has typed yet.
 * @typedef {{ outcome: Outcome | null, rolls: Hand[][], next: Asked | null }} Played
 */
/** @typedef {(asked: Asked) => dice.Face[]} Roll */
/** @typedef {Record<string, string | number>} Facts what was typed, by the names of the fields */
/** @typedef {{ player: string, cards: number, skill: number }} Team */

const PLACES = ["first", "second", "third", "fourth"];
const DICE = 5;
const BEAMS = 2;

/** So many dice with that face, in words. @type {(face: dice.Face, count: number) => string} */
function counted(face, count) {
  const said = {
    hit: ngettext("{count} Hit", "{count} Hits", count),
    critical: ngettext("{count} Critical Hit", "{count} Critical Hits", count),
    "battle stations": ngettext("{count} Battle Station", "{count} Battle Stations", count),
    evade: ngettext("{count} Evade", "{count} Evades", count),
  }[face];
  return format(said ?? "", { count });
}

/** How many dice of which kind: 5 attack dice. @type {(die: dice.Die, count: number) => string} */
export function diceInWords(die, count) {
  const defense = ngettext("{count} defense die", "{count} defense dice", count);
  const attack = ngettext("{count} attack die", "{count} attack dice", count);
  return format(die === "defense" ? defense : attack, { count });
}

/** @param {number} count */
const cards = (count) => format(ngettext("{count} card", "{count} cards", count), { count });

/** @type {(asked: Asked, roll: Roll) => Hand} */
function rolled(asked, roll) {
  const faces = roll(asked);
  const count = faces.filter((face) => face === asked.face).length;
  return { who: asked.who, die: asked.die, faces, face: asked.face, count, counted: counted(asked.face, count) };
}

/** @type {(number: number, player: number, who: string, roll: Roll, die?: dice.Die) => Hand} */
function stations(number, player, who, roll, die = "attack") {
  return rolled({ number, player, who, dice: DICE, die, face: "battle stations" }, roll);
}

/** @type {(sentence: string, rolls?: Hand[][], how?: string[]) => Outcome} */
const outcome = (sentence, rolls = [], how = []) => ({ sentence, rolls, how });

/**
 * Most Battle Stations ahead; who is tied rolls again until nobody is.
 * @type {(names: string[], roll: Roll) => Outcome}
 */
function rollOff(names, roll) {
  /** @type {Hand[][]} */
  const rolls = [];
  let order = [names.map((_, place) => place)];
  while (order.some((level) => level.length > 1)) {
    const level = order.filter((one) => one.length > 1).flat();
    level.sort((one, other) => one - other);
    const hands = new Map(level.map((place) => [place, stations(rolls.length + 1, place + 1, names[place], roll)]));
    rolls.push([...hands.values()]);
    order = order.flatMap((one) => (one.length > 1 ? split(one, hands) : [one]));
  }
  const placed = order.map(([place]) => names[place]);
  if (placed.length === 2) {
    const [winner, other] = placed;
    return outcome(format(gettext("{winner} is ahead of {other}."), { winner, other }), rolls);
  }
  const said = [
    gettext("{name} is first."),
    gettext("{name} is second."),
    gettext("{name} is third."),
    gettext("{name} is fourth."),
  ];
  const parts = placed.map((name, place) => format(said[place], { name }));
  const together = pgettext("two sentences", "{first} {second}");
  return outcome(
    parts.reduce((first, second) => format(together, { first, second })),
    rolls,
  );
}

/**
 * Who is still tied, the most Battle Stations first.
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
  const rolls = [];
  let level = names.map((_, place) => place);
  let fewest = 0;
  while (level.length > 1 || !rolls.length) {
    const hands = level.map((place) => stations(rolls.length + 1, place + 1, names[place], roll));
    rolls.push(hands);
    fewest = fewestOf(hands);
    level = level.filter((_, at) => hands[at].count === fewest);
  }
  const count = rolls.length;
  const said =
    count === 1
      ? gettext("DS9 fires at {name}: fewest Battle Stations ({fewest}).")
      : ngettext(
          "DS9 fires at {name}: fewest Battle Stations ({fewest}) after {count} roll.",
          "DS9 fires at {name}: fewest Battle Stations ({fewest}) after {count} rolls.",
          count,
        );
  return outcome(format(said, { name: names[level[0]], fewest, count }), rolls);
}

/**
 * The higher captain skill attacks, then what is left of the other team; equal skill attacks at the same time.
 * @type {(teams: [Team, Team], roll: Roll) => Outcome}
 */
function awayBattle(teams, roll) {
  const order = teams[1].skill > teams[0].skill ? [1, 0] : [0, 1];
  const isSimultaneous = teams[0].skill === teams[1].skill;
  const left = teams.map((team) => team.cards);
  const rolls = [];
  const how = [whoBegins(teams[order[0]], teams[order[1]])];
  for (const [attacker, defender] of [order, [order[1], order[0]]]) {
    const [attacking, defending] = [teams[attacker].player, teams[defender].player];
    const cards = isSimultaneous ? teams[attacker].cards : left[attacker];
    if (!cards) {
      how.push(format(gettext("No one on {name}’s team is left to strike back."), { name: attacking }));
      break;
    }
    const number = rolls.length + 1;
    const attack = { number, player: attacker + 1, who: attacking, dice: cards, die: "attack", face: "hit" };
    const defense = { dice: left[defender], die: "defense", face: "evade" };
    const attacked = rolled(attack, roll);
    const evades = rolled({ number, player: defender + 1, who: defending, ...defense }, roll);
    const lost = Math.min(left[defender], Math.max(0, attacked.count - evades.count));
    left[defender] -= lost;
    rolls.push([attacked, evades]);
    const loss = ngettext(
      "{attacker} rolls {hits} against {evades}: {defender} discards {count} card.",
      "{attacker} rolls {hits} against {evades}: {defender} discards {count} cards.",
      lost,
    );
    const said = lost ? loss : gettext("{attacker} rolls {hits} against {evades}: {defender} loses no cards.");
    const names = { attacker: attacking, defender: defending };
    how.push(format(said, { ...names, hits: attacked.counted, evades: evades.counted, count: lost }));
  }
  return outcome(whoIsAboard(teams, left), rolls, how);
}

/** @type {(attacker: Team, defender: Team) => string} */
function whoBegins({ player, skill }, defender) {
  const both = gettext("Both have captain skill {skill}, so they attack at the same time, each with all their cards.");
  const first = gettext("{name} attacks first: captain skill {skill} against {other}.");
  return format(skill === defender.skill ? both : first, { name: player, skill, other: defender.skill });
}

/** @type {(teams: [Team, Team], left: number[]) => string} */
function whoIsAboard([one, other], left) {
  const [ours, theirs] = left;
  if (ours && theirs) {
    const said = gettext("No one controls DS9: {first} has {cards} aboard, {second} has {others}.");
    return format(said, { first: one.player, cards: cards(ours), second: other.player, others: cards(theirs) });
  }
  if (!ours && !theirs) return gettext("No one is left aboard, so no one controls DS9.");
  const count = ours || theirs;
  const said = ngettext(
    "{name} controls DS9 with {count} card left aboard.",
    "{name} controls DS9 with {count} cards left aboard.",
    count,
  );
  return format(said, { name: (ours ? one : other).player, count });
}

/**
 * A ship that was hit while it holds the small craft; as many Battle Stations are enough for the attacker.
 * @type {(holder: string, attacker: string, roll: Roll) => Outcome}
 */
function tractorCheck(holder, attacker, roll) {
  const hands = [stations(1, 1, attacker, roll), stations(1, 2, holder, roll, "defense")];
  const [theirs, ours] = hands.map((hand) => hand.count);
  const facts = { name: holder, counts: hands[0].counted, ours };
  const keeps = gettext("{name} keeps the tractor beam: only {counts} against {ours}.");
  const loses = gettext("{name} loses the tractor beam: {counts} against {ours}. Remove its Target Lock Tokens.");
  const tied = gettext(
    "{name} loses the tractor beam: {counts} against {ours}; the attacker wins ties. Remove its Target Lock Tokens.",
  );
  if (theirs < ours) return outcome(format(keeps, facts), [hands]);
  return outcome(format(theirs === ours ? tied : loses, facts), [hands]);
}

/**
 * An attack die for each Target Lock Token above 2, the ship’s own counted; a Critical Hit destroys the craft.
 * @type {(ship: string, tokens: number, roll: Roll) => Outcome}
 */
function tooManyBeams(ship, tokens, roll) {
  const over = Math.max(0, tokens - BEAMS);
  const safe = gettext("No roll needed: {count} tokens are safe – the ship’s own and one more.");
  if (!over) return outcome(format(safe, { count: BEAMS }));
  const hand = rolled({ number: 1, player: 1, who: ship, dice: over, die: "attack", face: "critical" }, roll);
  const destroyed = gettext("{name}’s beam destroys the small craft: a Critical Hit.");
  const holds = ngettext(
    "The small craft holds: no Critical Hit on {count} die.",
    "The small craft holds: no Critical Hit on {count} dice.",
    over,
  );
  return outcome(format(hand.count ? destroyed : holds, { name: ship, count: over }), [[hand]]);
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
  const roll = (asked) => dice.roll(seed, asked.number, asked.player, asked.dice, asked.die);
  const found = PROCEDURES[what](facts, roll);
  return { outcome: found, rolls: found.rolls, next: null };
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
  const rolls = [];
  const coming = [...hands];
  /** @type {Roll} */
  function lying(asked) {
    const typed = dice.written(coming.shift() ?? "?", asked.die);
    if (!typed || typed.length > asked.dice) throw new NotTyped(asked);
    const faces = [...typed, ...Array(asked.dice - typed.length).fill("other")];
    rolls[asked.number - 1] ||= [];
    rolls[asked.number - 1].push(rolled(asked, () => faces));
    return faces;
  }
  try {
    const found = PROCEDURES[what](facts, lying);
    return { outcome: found, rolls: found.rolls, next: null };
  } catch (error) {
    if (!(error instanceof NotTyped)) throw error;
    return { outcome: null, rolls, next: error.asked };
  }
}

/** What the button for all other dice of that hand says. @type {(asked: Asked, hand: string) => string} */
export function rest(asked, hand) {
  const hasSome = [...hand].some((letter) => dice.LETTERS[letter] === asked.face);
  /** @type {Record<dice.Face, string>} */
  const none = {
    hit: gettext("No Hits"),
    critical: gettext("No Critical Hits"),
    "battle stations": gettext("No Battle Stations"),
    evade: gettext("No Evades"),
  };
  /** @type {Record<dice.Face, string>} */
  const others = {
    hit: gettext("No more Hits"),
    critical: gettext("No more Critical Hits"),
    "battle stations": gettext("No more Battle Stations"),
    evade: gettext("No more Evades"),
  };
  return (hasSome ? others : none)[asked.face];
}
