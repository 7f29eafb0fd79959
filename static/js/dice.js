/* Dice without a network: what scoring/domain/roll_offs.py rolls from a seed (rule 4.3) and the exact odds of tourney/judge/domain/dice.py
   (rules 4.2, 6.3). A test holds both against one another. Chances are whole numbers out of 8 to the number of dice. */
"use strict";

const dice = (() => {
  const DICE = {
    attack: ["hit", "hit", "hit", "critical", "battle stations", "battle stations", "blank", "blank"],
    defense: ["evade", "evade", "evade", "battle stations", "battle stations", "blank", "blank", "blank"],
  };
  const LETTERS = { h: "hit", c: "critical", b: "battle stations", e: "evade", "-": "blank" };
  const SIDES = 8;

  // ── Rolled from a seed ─────────────────────────────────────────────────────────────────────────────────

  /** The faces of one player's dice: the first byte of the SHA-256 of "seed:throw:player:die", modulo 8. */
  function roll(seed, throwNumber, player, many, die) {
    return Array.from({ length: many }, (_, place) => DICE[die][firstByte(`${seed}:${throwNumber}:${player}:${place}`) % SIDES]);
  }

  const newSeed = () => [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  /** The faces that are written there; null where one of them is none of the die's. */
  function written(text, die) {
    const faces = [...text].map((letter) => LETTERS[letter]);
    return faces.every((face) => DICE[die].includes(face)) ? faces : null;
  }

  const fitting = (hand, die) => [...hand.toLowerCase()].filter((letter) => DICE[die].includes(LETTERS[letter])).join("");

  // ── Odds ───────────────────────────────────────────────────────────────────────────────────────────────

  const isIn = (faces) => (face) => faces.includes(face);
  const hits = (wish, faces) => faces.filter(isIn(wish.faces)).length;
  const isMet = (wish, faces) => hits(wish, faces) >= wish.least;

  /** The weights, out of 8 ** many, of 0, 1, … all of the dice that show one of the faces. */
  function exactly(die, many, faces) {
    const [one, other] = [hits({ faces }, DICE[die]), SIDES - hits({ faces }, DICE[die])].map(BigInt);
    let ways = 1n;
    return Array.from({ length: many + 1 }, (_, count) => {
      if (count) ways = (ways * BigInt(many - count + 1)) / BigInt(count);
      return ways * one ** BigInt(count) * other ** BigInt(many - count);
    });
  }

  const sum = (weights) => weights.reduce((all, one) => all + one, 0n);
  const outOf = (many) => BigInt(SIDES) ** BigInt(many);

  function chance(die, many, wish) {
    return [sum(exactly(die, many, wish.faces).slice(Math.max(wish.least, 0))), outOf(many)];
  }

  /** The same when afterwards the best die, one that missed, is rolled once more. */
  function chanceWithAgain(die, many, wish) {
    const parts = exactly(die, many, wish.faces).map((first, count) => {
      const [then, of] = chance(die, Math.min(1, many - count), { faces: wish.faces, least: wish.least - count });
      return (first * then * BigInt(SIDES)) / of;
    });
    return [sum(parts), outOf(many) * BigInt(SIDES)];
  }

  /** The chance on so many dice when these faces of it lie there already. */
  function chanceFrom(die, many, faces, wish) {
    return chance(die, many - faces.length, { faces: wish.faces, least: wish.least - hits(wish, faces) });
  }

  /** The chance after the best die of those that lie there is rolled once more; null where there is nothing to gain. */
  function chanceAgain(die, faces, wish) {
    const best = faces.findIndex((face) => !wish.faces.includes(face));
    return isMet(wish, faces) || best < 0 ? null : chanceFrom(die, faces.length, faces.filter((_, place) => place !== best), wish);
  }

  /** To a tenth of a percent; what can happen is never shown as 0, what can fail never as 100. */
  function percent([part, whole]) {
    const tenths = (part * 2000n + whole) / (2n * whole);
    if (part > 0n && tenths === 0n) return "under 0.1 %";
    if (part < whole && tenths === 1000n) return "over 99.9 %";
    return `${tenths / 10n}${tenths % 10n ? `.${tenths % 10n}` : ""} %`;
  }

  /** Exact, where that can be read. */
  function fraction([part, whole]) {
    const shared = greatestDivisor(part, whole);
    return whole / shared < 10n ** 9n ? `${part / shared} / ${whole / shared}` : "";
  }

  const greatestDivisor = (one, other) => (other ? greatestDivisor(other, one % other) : one);

  // ── SHA-256, since a page that came without HTTPS has no other ─────────────────────────────────────────

  const PRIMES = [];
  for (let number = 2; PRIMES.length < 64; number++) if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);
  const bits = (number) => Math.floor((number % 1) * 2 ** 32);
  const ROUNDS = PRIMES.map((prime) => bits(Math.cbrt(prime)));
  const START = PRIMES.slice(0, 8).map((prime) => bits(Math.sqrt(prime)));
  const turned = (word, by) => (word >>> by) | (word << (32 - by));

  function firstByte(text) {
    const bytes = new TextEncoder().encode(text);
    const blocks = new DataView(new ArrayBuffer(64 * Math.ceil((bytes.length + 9) / 64)));
    bytes.forEach((byte, place) => blocks.setUint8(place, byte));
    blocks.setUint8(bytes.length, 0x80);
    blocks.setUint32(blocks.byteLength - 4, bytes.length * 8);
    const state = Int32Array.from(START);
    for (let from = 0; from < blocks.byteLength; from += 64) mix(state, blocks, from);
    return state[0] >>> 24;
  }

  function mix(state, blocks, from) {
    const words = new Int32Array(64);
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at++) {
      const [near, far] = [words[at - 15], words[at - 2]];
      words[at] =
        at < 16
          ? blocks.getUint32(from + 4 * at)
          : words[at - 16] + words[at - 7] + (turned(near, 7) ^ turned(near, 18) ^ (near >>> 3)) + (turned(far, 17) ^ turned(far, 19) ^ (far >>> 10));
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[at] + words[at]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => (state[place] += word));
  }

  return { DICE, LETTERS, roll, newSeed, written, fitting, hits, isMet, exactly, sum, outOf, chance, chanceWithAgain, chanceFrom, chanceAgain, percent, fraction };
})();
