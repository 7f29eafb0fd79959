"""The months of a player at a store by what is kept of each finished event, for everybody to read."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import connection

from scoring.domain.commendation import LedgerKind, LedgerLine, token_after
from scoring.domain.points import Score
from scoring.domain.standings import Standing
from tourney.models import Campaign, Entrant, Event, FleetsShown, Player
from tourney.queries.months import OF_EVENT, PACK, packs_of_events
from tourney.queries.past_rulings import past_rulings
from tourney.queries.rulings import RulingNote
from tourney.queries.tokens import GIVEN
from tourney.runtime.messages import Message, message
from tourney.runtime.packed import Packed, with_columns


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A player's seat in a round; `opponent` is None with a bye, `score` while the table plays or rolls off.

    `is_by_dice`: the roll-off at the table decided it (rule 4.1).
    """

    round: int
    opponent: Entrant | None
    score: Score | None
    opponent_score: Score | None = None
    rulings: tuple[RulingNote, ...] = ()
    is_by_dice: bool = False


@dataclass(frozen=True, slots=True)
class PlayerMonth:
    """A player at one event, in the published rounds; `final` is the line of the final ranks once it is finished.

    `has_fleet` is whether a fleet of theirs flies there, `shows_fleet` whether the reader may open it. `token` says
    what became of the commendation token there, empty for who never had it.
    """

    event: Event
    entrant: Entrant
    sittings: tuple[PlayedRound, ...]
    final: Standing | None
    has_fleet: bool
    shows_fleet: bool
    token: Message | None


@dataclass(slots=True)
class KeptMonth:
    """A month as it was read: `after` so many rounds the event was finished (None: nothing is kept of it)."""

    event: Event
    entrant: Entrant
    has_fleet: bool
    after: int | None
    final: Standing | None
    token: Message | None
    sittings: list[PlayedRound]
    ruled: list[int] = field(default_factory=list)


OF_ENTRANT = ("id", "event_id", "player_id", "number", "faction")
"""The columns that are read of an entrant, in the order of its model."""

MONTHS = f"""
    SELECT e.{", e.".join(OF_EVENT)}, pack.digest, c.slug, c.storyline, json_build_array(n.{", n.".join(OF_ENTRANT)}),
        EXISTS (SELECT FROM tourney_fleet fleet WHERE fleet.entrant_id = n.id), f.rounds, (
            SELECT json_build_array(l.rank, l.shared, l.battle_points, l.fleet_points, l.dropped, l.title)
            FROM tourney_finalline l WHERE l.entrant_id = n.id
        ), (
            SELECT json_agg(json_build_array(t.kind, h.number, t.round) ORDER BY t.number)
            FROM tourney_tokenline t LEFT JOIN tourney_entrant h ON h.id = t.entrant_id WHERE t.event_id = e.id
        ), (
            SELECT json_agg(json_build_array(s.round, s.outcome, s.battle_points, s.fleet_points,
                s.opponent_fleet_points, s.is_by_dice, s.is_ruled, p.name, o.{", o.".join(OF_ENTRANT)}
            ) ORDER BY s.round)
            FROM tourney_finalseat s LEFT JOIN tourney_entrant o ON o.id = s.opponent_id
            LEFT JOIN tourney_player p ON p.id = o.player_id
            WHERE s.entrant_id = n.id
        )
    FROM tourney_entrant n JOIN tourney_event e ON e.id = n.event_id
    JOIN tourney_campaign c ON c.id = e.campaign_id JOIN scoring_monthpack pack ON pack.id = e.pack_id
    LEFT JOIN tourney_finalranking f ON f.event_id = e.id
    WHERE n.id = ANY(%s)
    ORDER BY e.starts_at DESC, e.id DESC
"""


def player_months(
    person: Player, entries: Collection[int], names: Mapping[int, str], *, viewer: Player | None, sees_all: bool
) -> list[PlayerMonth]:
    """The person's months of these entries (ids), the last first, in two queries, or one where nothing was ruled.

    `names` stand in for the players' own (`shown_names.short_names`); `viewer` and `sees_all` (a role at the store)
    only say which fleets may be opened. Of an event of which nothing is kept there are no rounds and no rank.
    """
    with connection.cursor() as cursor:
        cursor.execute(MONTHS, [list(entries)])
        rows = cursor.fetchall()
    width = len(OF_EVENT)
    packs = packs_of_events({(row[PACK], row[width]) for row in rows})
    months, campaigns = [], dict[int, Campaign]()
    for row in rows:
        event = with_columns(Event, OF_EVENT, row[:width])
        _, slug, storyline, *facts = row[width:]
        if event.campaign_id not in campaigns:
            campaigns[event.campaign_id] = Campaign(
                pk=event.campaign_id, store=person.store, slug=slug, storyline=storyline
            )
        event.campaign = campaigns[event.campaign_id]
        event.pack = packs[event.pack_id]
        months.append(_kept_month(person, names, event, *facts))
    ruled = [(month.event, number, month.entrant.pk) for month in months for number in month.ruled]
    rulings = past_rulings(ruled, names)
    return [_shown(month, rulings, viewer, sees_all) for month in months]


def _kept_month(
    person: Player,
    names: Mapping[int, str],
    event: Event,
    entrant: Packed,
    has_fleet: bool,
    after: int | None,
    final: Packed | None,
    token: list[tuple[str, int | None, int | None]] | None,
    seats: list[Packed] | None,
) -> KeptMonth:
    own = _entrant(person, entrant)
    return KeptMonth(
        event=event,
        entrant=own,
        has_fleet=has_fleet,
        after=after,
        final=_standing(own.number, *final) if final else None,
        token=_token_words(event, own.number, token or ()),
        sittings=[_kept_round(person, names, *seat) for seat in seats or ()],
        ruled=[number for number, _, _, _, _, _, is_ruled, *_ in seats or () if is_ruled],
    )


def _standing(
    number: int, rank: int, shared: bool, battle_points: int, fleet_points: int, dropped: bool, title: str
) -> Standing:
    return Standing(number, rank, shared, battle_points, fleet_points, (), dropped, title)


def _kept_round(
    person: Player,
    names: Mapping[int, str],
    number: int,
    outcome: str,
    battle_points: int,
    fleet_points: int | None,
    opponent_fleet_points: int | None,
    is_by_dice: bool,
    is_ruled: bool,
    name: str | None,
    *entrant: Any,
) -> PlayedRound:
    score = Score(battle_points, fleet_points, (), outcome)
    if name is None:
        return PlayedRound(number, None, score, is_by_dice=is_by_dice)
    other = entrant[OF_ENTRANT.index("player_id")]
    opponent = with_columns(Player, ("id", "store_id", "name"), (other, person.store_id, names.get(other, name)))
    theirs = Score(0, opponent_fleet_points, (), "")
    return PlayedRound(number, _entrant(opponent, entrant), score, theirs, is_by_dice=is_by_dice)


def _entrant(player: Player, values: Sequence[Any]) -> Entrant:
    entrant = with_columns(Entrant, OF_ENTRANT, values)
    entrant.player = player
    return entrant


def _shown(
    month: KeptMonth, rulings: Mapping[tuple[int, int], tuple[RulingNote, ...]], viewer: Player | None, sees_all: bool
) -> PlayerMonth:
    event = month.event
    return PlayerMonth(
        event=event,
        entrant=month.entrant,
        sittings=tuple(
            replace(one, rulings=rulings[event.pk, one.round]) if (event.pk, one.round) in rulings else one
            for one in month.sittings
        ),
        final=month.final,
        has_fleet=month.has_fleet,
        shows_fleet=month.has_fleet and (sees_all or _may_see(month, viewer)),
        token=month.token,
    )


def _may_see(month: KeptMonth, viewer: Player | None) -> bool:
    """As `fleets.may_see` of a finished event."""
    last = month.sittings[-1] if month.sittings and month.sittings[-1].round == month.after else None
    match month.event.fleets_shown:
        case FleetsShown.ALL:
            return True
        case FleetsShown.ROUND_1:
            return bool(month.after) or viewer == month.entrant.player
    opponent = last.opponent.player if last and last.opponent else None
    return viewer is not None and viewer in (month.entrant.player, opponent)


def _token_words(event: Event, number: int, lines: Iterable[tuple[str, int | None, int | None]]) -> Message | None:
    """What became of the token where the player had it (rule 6)."""
    facts = [LedgerLine(LedgerKind(kind), who, round) for kind, who, round in lines]
    if not facts or not event.rules.token:
        return None
    token = token_after(facts)
    if token.holder == number:
        if token.state == "spent":
            return message("spent in round {round}", round=token.round or 0)
        return message("has it") if token.state == "held" else message("lost unspent")
    return message("passed on") if any(line.kind in GIVEN and line.player == number for line in facts) else None
