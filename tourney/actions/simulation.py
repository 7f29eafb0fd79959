"""A night played by made-up players, through the same actions as the pages: for the demo, simulations and tests."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count, islice
from random import Random

from django.db.models.functions import Lower

from fleets.domain.by_dice import fleet_by_dice
from fleets.domain.cards import FACTIONS
from fleets.domain.surviving import nearest
from fleets.models import CatalogueCard
from scoring.domain.pack import MonthPack as Rules
from scoring.domain.points import Ending, Played, Side, problems, score_match
from tourney.actions import entrants, events, fleets, reports, results, roll_offs, rounds
from tourney.actions.record import Actor
from tourney.models import Event, ReportedBy, RollOff
from tourney.queries.fleets import FleetState, day_of, fleet_name_for, fleets_of, format_of
from tourney.queries.matches import MatchState, TableState
from tourney.queries.results import ResultInput
from tourney.queries.state import state_of
from tourney.queries.surviving import Fleets, of_sides

RANKS = ("Captain", "Commander", "Ensign", "Lieutenant", "Chief", "Cadet", "Commodore", "Subcommander")
CALL_SIGNS = (
    "Kestrel Vor Quill Onyx Talon Marrow Sable Brine Cinder Harrow Lark Mistral Nadir Orrin Pike Rook "
    "Sorrel Thorn Umbra Vesper Wren Yarrow Zephyr Ash Bracken Coral Dune Ember Flint Gale"
).split()
FREE_FACTIONS = ("Federation", "Klingon", "Romulan", "Dominion", "Borg", "Ferengi", "Independent")
ENDINGS = (
    (Ending.ELIMINATION, 58),
    (Ending.TIME, 26),
    (Ending.SCENARIO, 6),
    (Ending.BOTH_ELIMINATED, 4),
    (Ending.CONCESSION, 4),
    (Ending.NO_SHOW, 2),
)


@dataclass(frozen=True, slots=True)
class Night:
    """How a simulated event goes: players at the start, late arrivals, chance (0 to 1) to drop after a round."""

    players: int
    late: int = 0
    drop_rate: float = 0.0


def call_signs() -> Iterator[str]:
    """Endless made-up names, no two alike: the bare call signs first, then with ranks, then numbered."""
    yield from CALL_SIGNS
    for turn in count(1):
        for rank in RANKS:
            for sign in CALL_SIGNS:
                yield f"{rank} {sign}" if turn == 1 else f"{rank} {sign} {turn}"


def play_event(event: Event, night: Night, *, random: Random, by: Actor) -> None:
    """Register everybody, play every planned round, finish. The same random gives the same event."""
    by = arrive(event, night.players, random=random, by=by)
    arrivals = sorted(random.randint(2, max(2, event.rounds_planned)) for _ in range(night.late))
    for number in range(1, event.rounds_planned + 1):
        if newcomers := arrivals.count(number):
            by = arrive(event, newcomers, random=random, by=by)
        by = draw(event, random=random, by=by)
        by = play_round(event, random=random, by=by, by_phone=True)
        if number < event.rounds_planned:
            by = leave(event, night.drop_rate, random=random, by=by)
    events.finish_event(event, by=by)
    event.refresh_from_db()


def arrive(event: Event, number: int, *, random: Random, by: Actor) -> Actor:
    """Register and check in so many more made-up players."""
    register(event, number, random=random, by=by)
    by = later(by, minutes=10)
    entrants.check_in(event, by=by)
    return later(by, minutes=5)


def register(event: Event, number: int, *, random: Random, by: Actor) -> None:
    """Register so many more made-up players."""
    there = set(event.entrants.values_list(Lower("player__name"), flat=True))
    entrants.register(event, made_up_players(event.rules, there, number, random), by=by)


def made_up_players(rules: Rules, there: Collection[str], number: int, random: Random) -> list[tuple[str, str]]:
    """Names that are not there yet (those are in lower case), so many, each with a faction if the month asks for it."""
    names = islice((name for name in call_signs() if name.lower() not in there), number)
    factions = rules.factions or FREE_FACTIONS
    return [(name, random.choice(factions) if rules.allegiance else "") for name in names]


def equip(event: Event, *, random: Random, by: Actor) -> None:
    """Everybody without a fleet gets a legal one of the catalogue's cards, of their own faction where there is one."""
    cards = [row.card for row in CatalogueCard.objects.all()]
    codes = {name: code for code, name in FACTIONS.items()}
    for entrant in event.entrants.filter(fleet=None).select_related("player"):
        code = codes.get(entrant.faction, "")
        sheet = fleet_by_dice(cards, format_of(event), day_of(event), random=random, faction=code)
        fleet = fleets.make_fleet(entrant.player, fleet_name_for(event), by=by, sheet=sheet)
        fleets.assign_to_event(event, entrant.number, fleet, by=by)


def leave(event: Event, drop_rate: float, *, random: Random, by: Actor) -> Actor:
    """Between rounds each player drops with this chance, as long as two are left."""
    state = state_of(event)
    present = state.present(len(state.rounds) + 1)
    for entrant in list(present):
        if len(present) > 2 and random.random() < drop_rate:
            entrants.drop(event, entrant.number, by=by)
            present.remove(entrant)
    return by


def draw(event: Event, *, random: Random, by: Actor) -> Actor:
    """Pair and publish the next round and start its clock."""
    row = rounds.pair_round(event, seed=random.randrange(2**31), by=by)
    rounds.publish_round(event, row.number, by=later(by, minutes=1))
    rounds.start_clock(event, row.number, by=later(by, minutes=5))
    return later(by, minutes=5)


def play_round(
    event: Event, *, random: Random, by: Actor, tables: int | None = None, close: bool = True, by_phone: bool = False
) -> Actor:
    """Made-up results for the round in play (only the first `tables`, if given), roll off, close.

    The desk enters them; `by_phone`, every other match is reported by both of its players, if they may.
    """
    state = state_of(event)
    round, brought, start = state.rounds[-1], fleets_of(state), by.at
    matches = round.missing if tables is None else round.missing[:tables]
    for place, match in enumerate(matches, start=1):
        by = replace(by, at=start + timedelta(minutes=20) + timedelta(seconds=90 * place))
        play_table(event, match, brought, random=random, by=by, by_phone=by_phone and place % 2 == 1)
    roll_off_tables(event, random=random, by=by)
    if not close:
        return by
    by = replace(by, at=start + timedelta(minutes=event.minutes))
    roll_off_standings(event, random=random, by=by)
    rounds.close_round(event, round.number, by=by)
    return later(by, minutes=5)


def play_table(
    event: Event, match: TableState, brought: Mapping[int, FleetState], *, random: Random, by: Actor, by_phone: bool
) -> None:
    """A made-up result, entered at the desk, or, `by_phone`, reported by both players, if they may."""
    played = make_up(event.rules, random, of_sides(match, brought))
    if by_phone and played.ending in reports.REPORTABLE and event.reported_by == ReportedBy.PLAYERS:
        for side in (0, 1) if played.out != 0 else (1, 0):  # who concedes confirms it
            say(event, match, side, played, by=by)
    else:
        results.report_result(event, match.round.number, match.table, ResultInput(played), version=match.version, by=by)


def say(event: Event, match: MatchState, side: int, played: Played, *, by: Actor, words: str = "") -> None:
    """The player on that side (0 or 1) reports this from the phone."""
    player = match.entrants[side]
    reports.report(
        event,
        match.round.number,
        player.number,
        played,
        by=Actor(user=None, name=player.player.name, at=by.at),
        words=words,
    )


def roll_off_tables(event: Event, *, random: Random, by: Actor) -> None:
    """Roll off every level table of the last round."""
    state = state_of(event)
    for match in state.rounds[-1].tied:
        roll(event, match.round.number, RollOff.Kind.TABLE, tuple(sorted(match.numbers)), random=random, by=by)


def roll_off_standings(event: Event, *, random: Random, by: Actor) -> None:
    """Every tie after the last round, then the tie for the victorious faction if it is the final round."""
    state = state_of(event)
    number = state.rounds[-1].number
    for group in state.ties(number):
        roll(event, number, RollOff.Kind.STANDING, group, random=random, by=by)
    if number >= event.rounds_planned and (champions := state_of(event).faction_tie(number)):
        roll(event, number, RollOff.Kind.FACTION, champions, random=random, by=by)


def roll(event: Event, number: int, kind: str, group: Sequence[int], *, random: Random, by: Actor) -> None:
    """Software rolls the dice for that tie of round `number` until nobody is tied."""
    roll_offs.roll_by_software(event, number, kind, tuple(group), seed=f"{random.getrandbits(64):016x}", by=by)


def make_up(rules: Rules, random: Random, fleets: Fleets = (None, None), only: Ending | None = None) -> Played:
    """A result that these rules accept, with SP left that these fleets can leave; `only` with that ending, if given."""
    endings, weights = zip(*(one for one in ENDINGS if only in (None, one[0])), strict=True)
    while True:
        ending = random.choices(endings, weights)[0]
        out = random.randrange(2) if ending in (Ending.ELIMINATION, Ending.CONCESSION, Ending.NO_SHOW) else None
        a, b = (Side(_sp_left(rules, ending, out == side, random, fleets[side])) for side in (0, 1))
        played = Played(ending=ending, sides=(a, b), out=out)
        if problems(rules, played):
            continue
        played = _with_tallies(rules, played, random)
        if not problems(rules, played):
            return played


def _sp_left(rules: Rules, ending: Ending, is_out: bool, random: Random, fleet: FleetState | None) -> int:
    if ending in (Ending.BOTH_ELIMINATED, Ending.NO_SHOW) or (ending == Ending.ELIMINATION and is_out):
        return 0
    low, high = (1, rules.base * 7 // 10) if ending == Ending.ELIMINATION else (5, rules.base)
    wanted = random.randint(low, max(low, min(high, rules.sp_limit or high)))
    below, above = nearest(fleet.sheet, wanted) if fleet else (wanted, None)
    return below or above or 0


def _with_tallies(rules: Rules, played: Played, random: Random) -> Played:
    """Counts for the month's tallies, kept where they are possible together with the rest."""
    if played.ending == Ending.NO_SHOW:
        return played
    winner = score_match(rules, played).winner
    for tally in rules.tallies:
        for side in (0, 1) if winner is None else (winner, 1 - winner):
            most = min(tally.max_each or 4, tally.max_total or 4)
            counted = random.randint(0, most) if random.random() < 0.6 else 0
            tried = _with_tally(played, side, tally.key, counted)
            if counted and not problems(rules, tried):
                played = tried
    return played


def _with_tally(played: Played, side: int, key: str, counted: int) -> Played:
    a, b = (
        replace(one, tallies=(*one.tallies, (key, counted))) if index == side else one
        for index, one in enumerate(played.sides)
    )
    return replace(played, sides=(a, b))


def later(by: Actor, *, minutes: int) -> Actor:
    """The same actor so many minutes later."""
    return replace(by, at=by.at + timedelta(minutes=minutes))


def actor_at(at: datetime, name: str = "simulation") -> Actor:
    """An actor without an account, at that moment."""
    return Actor(user=None, name=name, at=at)
