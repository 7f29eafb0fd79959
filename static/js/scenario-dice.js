/* What ties and scenarios decide by dice (rules 4.1, 4.5) without a network: tourney/judge/domain/scenario_dice.py and the roll-off once more.
   A test holds both against one another. Each procedure gets what was typed and a function that gives the dice it asks for. */
"use strict";

const scenarioDice = (() => {
  const NAMES = { hit: "Hit", critical: "Critical Hit", "battle stations": "Battle Station", evade: "Evade" };
  const PLACES = ["first", "second", "third", "fourth"];
  const DICE = 5;
  const BEAMS = 2;

  const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
  const namesOf = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]);

  /** asked: {throw, player, who, dice, die, face} */
  function rolled(asked, roll) {
    const faces = roll(asked);
    const count = faces.filter((face) => face === asked.face).length;
    return { who: asked.who, die: asked.die, faces, face: asked.face, count, counted: counted(count, NAMES[asked.face]) };
  }

  function stations(number, player, who, roll, die = "attack") {
    return rolled({ throw: number, player, who, dice: DICE, die, face: "battle stations" }, roll);
  }

  const outcome = (sentence, throws = [], how = []) => ({ sentence, throws, how });

  /** Most Battle Stations ahead; who is level rolls again until nobody is. */
  function rollOff(names, roll) {
    const throws = [];
    let order = [names.map((_, place) => place)];
    while (order.some((level) => level.length > 1)) {
      const level = order.filter((one) => one.length > 1).flat().sort((one, other) => one - other);
      const hands = new Map(level.map((place) => [place, stations(throws.length + 1, place + 1, names[place], roll)]));
      throws.push([...hands.values()]);
      order = order.flatMap((one) => (one.length > 1 ? split(one, hands) : [one]));
    }
    const placed = order.map(([place]) => names[place]);
    if (placed.length === 2) return outcome(`${placed[0]} is ahead of ${placed[1]}.`, throws);
    return outcome(`${placed.map((name, place) => `${name} is ${PLACES[place]}`).join("; ")}.`, throws);
  }

  function split(level, hands) {
    const counts = [...new Set(level.map((place) => hands.get(place).count))].sort((one, other) => other - one);
    return counts.map((count) => level.filter((place) => hands.get(place).count === count));
  }

  /** DS9 fires at the fewest Battle Stations; those who share the fewest roll again. */
  function target(names, roll) {
    const throws = [];
    let level = names.map((_, place) => place);
    while (level.length > 1 || !throws.length) {
      const hands = level.map((place) => stations(throws.length + 1, place + 1, names[place], roll));
      throws.push(hands);
      const fewest = Math.min(...hands.map((hand) => hand.count));
      level = level.filter((_, at) => hands[at].count === fewest);
    }
    const fewest = Math.min(...throws.at(-1).map((hand) => hand.count));
    const again = throws.length === 1 ? "" : ` after ${throws.length} throws`;
    return outcome(`DS9 fires at ${names[level[0]]}: the fewest Battle Stations${again}, ${fewest}.`, throws);
  }

  /** The higher captain skill attacks, then what is left of the other team; equal skill attacks at the same time. */
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
      const hits = rolled({ throw: number, player: attacker + 1, who: attacking, dice: cards, die: "attack", face: "hit" }, roll);
      const evades = rolled({ throw: number, player: defender + 1, who: defending, dice: left[defender], die: "defense", face: "evade" }, roll);
      const lost = Math.min(left[defender], Math.max(0, hits.count - evades.count));
      left[defender] -= lost;
      throws.push([hits, evades]);
      const loss = lost ? `${defending} discards ${counted(lost, "card")}` : `${defending} loses nobody`;
      how.push(`${attacking} rolls ${hits.counted} against ${evades.counted}: ${loss}.`);
    }
    return outcome(whoIsAboard(teams, left), throws, how);
  }

  function whoBegins(attacker, defender) {
    if (attacker.skill === defender.skill) return `Both have captain skill ${attacker.skill}: they attack at the same time, each with all its cards.`;
    return `${attacker.player} attacks first, captain skill ${attacker.skill} against ${defender.skill}.`;
  }

  function whoIsAboard(teams, left) {
    const aboard = [0, 1].filter((one) => left[one]);
    if (!aboard.length) return "Nobody is left aboard, so nobody controls DS9.";
    if (aboard.length === 1) return `${teams[aboard[0]].player} controls DS9, with ${counted(left[aboard[0]], "card")} left aboard.`;
    return `Nobody controls DS9: ${teams[0].player} has ${counted(left[0], "card")} aboard, ${teams[1].player} has ${left[1]}.`;
  }

  /** A ship that was hit while it holds the small craft; as many Battle Stations are enough for the attacker. */
  function tractorCheck(holder, attacker, roll) {
    const hands = [stations(1, 1, attacker, roll), stations(1, 2, holder, roll, "defense")];
    const [theirs, ours] = hands.map((hand) => hand.count);
    const numbers = `${hands[0].counted} against ${ours}`;
    if (theirs < ours) return outcome(`${holder} keeps the tractor beam: only ${numbers}.`, [hands]);
    const tie = theirs === ours ? ", and a tie is the attacker’s" : "";
    return outcome(`${holder} loses the tractor beam: ${numbers}${tie}. Its Target Lock Tokens go.`, [hands]);
  }

  /** An attack die for each Target Lock Token above 2; a Critical Hit destroys the craft. */
  function tooManyBeams(ship, tokens, roll) {
    const over = Math.max(0, tokens - BEAMS);
    if (!over) return outcome(`Nothing to roll: up to ${BEAMS} tractor beams are no danger.`);
    const hand = rolled({ throw: 1, player: 1, who: ship, dice: over, die: "attack", face: "critical" }, roll);
    if (hand.count) return outcome(`The small craft is destroyed by ${ship}’s beam: a Critical Hit.`, [[hand]]);
    return outcome(`The small craft holds: no Critical Hit on ${counted(over, "die", "dice")}.`, [[hand]]);
  }

  const players = (facts) => [facts.first, facts.second, facts.third, facts.fourth].filter(Boolean);
  const team = (facts, which) => ({ player: facts[which], cards: facts[`${which}_cards`], skill: facts[`${which}_skill`] });

  const PROCEDURES = {
    "roll-off": (facts, roll) => rollOff(players(facts), roll),
    target: (facts, roll) => target(players(facts), roll),
    "away-teams": (facts, roll) => awayBattle([team(facts, "first"), team(facts, "second")], roll),
    "tractor-beam": (facts, roll) => tractorCheck(facts.second, facts.first, roll),
    "too-many-beams": (facts, roll) => tooManyBeams(facts.first, facts.tokens, roll),
  };

  /** {outcome, throws} of dice from a seed. */
  function played(what, facts, seed) {
    const found = PROCEDURES[what](facts, (asked) => dice.roll(seed, asked.throw, asked.player, asked.dice, asked.die));
    return { outcome: found, throws: found.throws, next: null };
  }

  /** The same with dice on the table; `next` are those that nobody has typed yet. */
  function playedByHand(what, facts, hands) {
    const throws = [];
    const coming = [...hands];
    let next = null;
    function lying(asked) {
      const typed = dice.written(coming.shift() ?? "?", asked.die);
      if (!typed || typed.length > asked.dice) {
        next = asked;
        throw asked;
      }
      const faces = [...typed, ...Array(asked.dice - typed.length).fill("other")];
      (throws[asked.throw - 1] ||= []).push(rolled(asked, () => faces));
      return faces;
    }
    try {
      const found = PROCEDURES[what](facts, lying);
      return { outcome: found, throws: found.throws, next };
    } catch (error) {
      if (error !== next) throw error;
      return { outcome: null, throws, next };
    }
  }

  const rest = (asked, hand) => {
    const some = [...hand].some((letter) => dice.LETTERS[letter] === asked.face) ? "No more" : "No";
    return `${some} ${NAMES[asked.face]}s`;
  };

  return { played, playedByHand, rest, namesOf };
})();
