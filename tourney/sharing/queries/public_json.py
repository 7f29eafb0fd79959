"""What programs read of the public pages, as JSON-able data of version 1 (tourney/sharing/data/openapi.json).

Players have the names that everybody may read. A finished event is read from what was kept of it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from django.core.paginator import Paginator
from django.utils.timezone import localtime

from scoring.domain.factions import FactionLine
from scoring.domain.points import Score
from tourney.domain.places import waiting_list
from tourney.models import Campaign, Entrant, Event, FinalSeat, Player, Round, Store
from tourney.queries.campaigns import overview_of
from tourney.queries.finals import Finals, finals_of
from tourney.queries.linked_data import Data, Link
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.months import EventOutcome, ListedEvent, RankedPlayer, listed, outcomes_of
from tourney.queries.places import claims_of
from tourney.queries.seasons import SeasonRow
from tourney.queries.shown_names import put_public_names, short_names
from tourney.queries.state import EventState

VERSION = 1
EVENTS_OF_A_PAGE = 50
MATCH_STATES = {"bye": "bye", "playing": "playing", "tied": "roll_off", "done": "done"}
OUTCOMES = {
    "win": "win",
    "loss": "loss",
    "bye": "bye",
    "no-show win": "no_show_win",
    "no-show": "no_show",
    "undecided": "undecided",
}


def _versioned(**facts: object) -> Data:
    return {"version": VERSION, **facts}


# an event


def event_data(event: Event, now: datetime, link: Link) -> Data:
    """The event at that moment, its settings and its players; loads no rounds."""
    (found,) = listed(event.store, [event.pk], [event.campaign])
    entrants = list(Entrant.objects.filter(event=event).select_related("player").order_by("number"))
    put_public_names(event.store, short_names(event.store), entrants)
    return _versioned(
        event=event_reference(event, link),
        store=store_reference(event.store, link),
        campaign=_campaign(event.campaign, link),
        **_facts(found),
        time_zone=event.store.time_zone,
        pack={"slug": event.pack.slug, "name": event.rules.name},
        sp_limit=event.sp_limit,
        minutes=event.minutes,
        **_sign_up(found, now),
        moved_from=_moment_or_none(event.moved_from),
        address=_text(event.address),
        entry_fee=_text(event.entry_fee),
        timetable=[
            {
                "round": slot.round,
                "is_break": slot.is_break,
                "starts_at": moment_data(slot.starts_at),
                "ends_at": moment_data(slot.ends_at),
            }
            for slot in event.timetable
        ],
        players=_registered(event, entrants),
    )


def _registered(event: Event, entrants: Sequence[Entrant]) -> list[Data]:
    queue = {number: place for place, number in enumerate(waiting_list(claims_of(entrants), event.places), start=1)}
    return [
        _entrant(one)
        | {
            "faction": one.faction or None,
            "checked_in": one.checked_in,
            "waiting": queue.get(one.number),
            "dropped_after": _dropped_after(one),
        }
        for one in entrants
    ]


def _dropped_after(entrant: Entrant) -> int | None:
    return None if entrant.dropped_from is None else entrant.dropped_from - 1


def final_standings_data(event: Event, link: Link) -> Data:
    """The final ranks of a finished event."""
    finals = finals_of([event])[event.pk]
    rounds = _rounds_of(event, finals)
    names = {line.entrant.number: line.entrant for line in finals.lines}
    return _versioned(
        event=event_reference(event, link),
        is_final=True,
        after_round=finals.rounds or None,
        standings=[
            {
                "rank": line.rank,
                "shared": line.shared,
                "player": _entrant(line.entrant),
                "faction": line.entrant.faction or None,
                "title": _text(line.title),
                "battle_points": line.battle_points,
                "fleet_points": line.fleet_points,
                "dropped": line.dropped,
                "rounds": rounds[line.entrant_id],
            }
            for line in finals.lines
        ],
        factions=_factions(finals.factions, names),
    )


def _rounds_of(event: Event, finals: Finals) -> Mapping[int, list[Data]]:
    """What each entrant, by the id, did in each round; stored where the ranks are."""
    seats: Iterable[FinalSeat] = finals.seats or FinalSeat.objects.filter(event=event).order_by("round")
    rounds = defaultdict(list)
    for seat in seats:
        rounds[seat.entrant_id].append(_score(seat.round, seat.outcome, seat.battle_points, seat.fleet_points))
    return rounds


def standings_data(state: EventState, after: int, link: Link) -> Data:
    """The standings after so many complete rounds of an event, 0 for none."""
    return _versioned(
        event=event_reference(state.event, link),
        is_final=False,
        after_round=after or None,
        standings=[
            {
                "rank": line.rank,
                "shared": line.shared,
                "player": _entrant(state.by_number[line.id]),
                "faction": state.by_number[line.id].faction or None,
                "title": None,
                "battle_points": line.battle_points,
                "fleet_points": line.fleet_points,
                "dropped": line.dropped,
                "rounds": [
                    _score(number, score.outcome, score.battle_points, score.fleet_points)
                    for number, score in enumerate(line.rounds, start=1)
                    if score
                ],
            }
            for line in (state.standings(after) if after else ())
        ],
        factions=_factions(state.faction_lines(after) if after else (), state.by_number),
    )


def _score(number: int, outcome: str, battle_points: int, fleet_points: int | None) -> Data:
    return {
        "round": number,
        "outcome": OUTCOMES[outcome],
        "battle_points": battle_points,
        "fleet_points": fleet_points,
    }


def _factions(lines: Sequence[FactionLine], entrants: Mapping[int, Entrant]) -> list[Data]:
    return [
        {
            "rank": line.rank,
            "shared": line.shared,
            "faction": line.faction,
            "battle_points": line.battle_points,
            "fleet_points": line.fleet_points,
            "players": line.players,
            "best_player": _entrant(entrants[line.champion]),
        }
        for line in lines
    ]


def pairings_data(state: EventState, round: RoundState | None, link: Link) -> Data:
    """A round that everybody may see, table by table, the bye last; None before the first."""
    return _versioned(
        event=event_reference(state.event, link),
        round=round and round.number,
        in_play=round is not None and round.state == Round.State.PUBLISHED,
        pairings=[_match(round, match) for match in round.matches] if round else [],
    )


def _match(round: RoundState, match: MatchState) -> Data:
    sides = []
    for side in round.lines(match):
        score: Score | None = side.score
        sides.append(
            {
                "player": _entrant(side.entrant),
                "faction": side.entrant.faction or None,
                "won": side.won if match.state in ("done", "bye") else None,
                "outcome": score and OUTCOMES[score.outcome],
                "battle_points": score and score.battle_points,
                "fleet_points": score and score.fleet_points,
            }
        )
    return {"table": match.table, "state": MATCH_STATES[match.state], "sides": sides}


# many events


def events_data(store: Store, now: datetime, page: str | None, link: Link) -> Data:
    """The store's events at that moment, the latest first, in a constant number of queries.

    A page that is not there is the nearest one that is.
    """
    campaigns = {one.pk: one for one in store.campaigns.all()}
    for campaign in campaigns.values():
        campaign.store = store
    keys = Event.objects.filter(campaign__in=campaigns).order_by("-starts_at", "-pk").values_list("pk", flat=True)
    shown = Paginator(list(keys), EVENTS_OF_A_PAGE).get_page(page)
    found = listed(store, list(shown), campaigns.values())
    ended = outcomes_of(found)
    return _versioned(
        store=store_reference(store, link),
        page=shown.number,
        pages=shown.paginator.num_pages,
        events=[_listed(one, ended.get(one.event.pk), now, link) for one in reversed(found)],
    )


def campaign_data(campaign: Campaign, now: datetime, page: str | None, link: Link) -> Data:
    """A campaign's months, first to last, and its season, as its page has them."""
    overview = overview_of(campaign, now, page)
    return _versioned(
        store=store_reference(campaign.store, link),
        campaign=_campaign(campaign, link),
        page=overview.page.number,
        pages=overview.page.paginator.num_pages,
        months=[
            {
                "event": event_reference(month.event, link),
                "month": month.number,
                "starts_at": moment_data(month.event.starts_at),
                "state": _state(month.event, month.round),
                "players": month.players,
                "round": month.round or None,
                "rounds_planned": month.event.rounds_planned,
                **_outcome(month.outcome),
            }
            for month in overview.months
        ],
        season_rules=asdict(overview.rules) | {"pick_order": _text(overview.rules.pick_order)},
        season=[_season_line(row) for row in overview.season],
    )


def _season_line(row: SeasonRow) -> Data:
    line = row.line
    return {
        "rank": line.rank,
        "shared": line.shared,
        "player": {"id": line.player, "name": row.name},
        "title": _text(line.title),
        "battle_points": line.battle_points,
        "fleet_points": line.fleet_points,
        "attendance_points": line.attendance,
        "months": line.months,
        "qualified": line.is_qualified,
        "pick": line.pick,
        "pick_shared": line.pick_shared,
    }


def _listed(found: ListedEvent, outcome: EventOutcome | None, now: datetime, link: Link) -> Data:
    event = found.event
    return {
        "event": event_reference(event, link),
        "campaign": _campaign(event.campaign, link),
        **_facts(found),
        **_sign_up(found, now),
        **_outcome(outcome if event.is_finished else None),
        "players": found.players,
    }


def _facts(found: ListedEvent) -> Data:
    """When the event is, and where it stands."""
    event = found.event
    return {
        "month": event.pack.data.get("month"),
        "starts_at": moment_data(event.starts_at),
        "ends_at": _moment_or_none(event.ends_at),
        "state": _state(event, found.last_round),
        "round": found.last_round,
        "rounds_planned": event.rounds_planned,
    }


def _sign_up(found: ListedEvent, now: datetime) -> Data:
    """How many may play and how many wait, and whether and until when players register themselves."""
    event = found.event
    return {
        "places": event.places,
        "waiting": found.waiting,
        "registration_open": event.takes_sign_ups(now),
        "sign_up_closes_at": _moment_or_none(event.sign_up_closes_at),
    }


def _state(event: Event, last_round: int | None) -> str:
    """What no clock changes: canceled, finished, playing or upcoming."""
    if event.is_canceled:
        return "canceled"
    return "finished" if event.is_finished else "playing" if last_round else "upcoming"


def _outcome(outcome: EventOutcome | None) -> Data:
    """Who won: several where the first rank is shared; nobody yet."""
    first = [one for one in outcome.first if one.standing.rank == 1] if outcome else []
    return {
        "winners": [_ranked(one) for one in first],
        "victorious_faction": _text(outcome.victorious) if outcome else None,
    }


def _ranked(one: RankedPlayer) -> Data:
    return {"id": one.player, "name": one.name}


# what is referred to


def event_reference(event: Event, link: Link) -> Data:
    """The event as other things refer to it."""
    return {"slug": event.slug, "name": event.name, "url": link(event.get_absolute_url())}


def store_reference(store: Store, link: Link) -> Data:
    """The store as other things refer to it."""
    return {"slug": store.slug, "name": store.name, "url": link(store.get_absolute_url())}


def _campaign(campaign: Campaign, link: Link) -> Data:
    return {"slug": campaign.slug, "name": campaign.storyline, "url": link(campaign.get_absolute_url())}


def _entrant(entrant: Entrant) -> Data:
    """`id` is the player's at the store, `number` the one at the event."""
    player: Player = entrant.player
    return {"id": entrant.player_id, "number": entrant.number, "name": player.name}


def _text(text: str) -> str | None:
    return text or None


def _moment_or_none(moment: datetime | None) -> str | None:
    return moment_data(moment) if moment else None


def moment_data(moment: datetime) -> str:
    """ISO 8601 with the offset of the store's time zone."""
    return localtime(moment).isoformat()
