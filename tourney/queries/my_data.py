"""Everything that is kept about one player at a store, JSON-able."""

from collections.abc import Iterable
from datetime import datetime
from urllib.parse import urlsplit

from tourney.models import JournalEntry, Player, PlayerCard, PushSubscription, Seat, SheetCheck, TokenLine
from tourney.queries.archive import RESULT_FIELDS
from tourney.queries.my_card import MyEvent, events_of
from tourney.queries.naming import entries_naming, names_of_player
from tourney.queries.player_cards import cards_in_use, with_words
from tourney.queries.shown_names import for_the_eyes_of
from tourney.queries.tables import needs_of
from tourney.runtime.json_shapes import instant
from tourney.runtime.messages import Message, message


def data_of(player: Player, now: datetime) -> dict[str, object]:
    """Name, card, fleets, checks, the journal where it names them.

    Of each event the seats, the results, the final rank, and the token. Others stand in it under the names that
    everybody may read.
    """
    coming, past = events_of(player, now)
    cards = PlayerCard.objects.filter(player=player)
    card = cards.first()
    seats, ledger = list(_seats(player)), list(TokenLine.objects.filter(entrant__player=player))
    needs = needs_of(player)[player.pk]
    data = {
        "store": player.store.name,
        "name": player.name,
        "earlier_names": [name for name in names_of_player(player) if name != player.name],
        "needs": {"fixed_table": needs.fixed, "near_door": needs.near_door, "quiet": needs.quiet},
        "card_issued_at": instant(card.issued_at if card else None),
        "has_recovery_words": with_words(cards).exists(),
        "language": card.language if card else "",
        "sets": card.sets if card else [],
        "notifications": [_device(one) for one in PushSubscription.objects.filter(card__in=cards_in_use(player))],
        "events": [
            _event(mine)
            | {
                "rounds": [_seat(seat) for seat in seats if seat.entrant_id == mine.entry.pk],
                "token": [_token(row) for row in ledger if row.entrant_id == mine.entry.pk],
            }
            for mine in (*reversed(past), *coming)
        ],
        "fleets": [
            {
                "name": fleet.name,
                "can_be_read": fleet.readable_sheet is not None,
                "sheet": fleet.data,
                "changed_at": instant(fleet.changed_at),
            }
            for fleet in player.fleets.all()
        ],
        "checks": [_check(check, player) for check in _checks(player)],
        "journal": [_entry(entry) for entry in entries_naming(player)],
    }
    shown: dict[str, object] = for_the_eyes_of(player)(data)
    return shown


def _device(one: PushSubscription) -> dict[str, object]:
    """A browser that is told something, as far as it can be told apart; who has all of its address can write to it."""
    service = urlsplit(one.endpoint).hostname
    return {"service": service, "kinds": one.kinds, "language": one.language, "asked_at": instant(one.asked_at)}


def _event(mine: MyEvent) -> dict[str, object]:
    entry, final = mine.entry, mine.final
    facts = ("number", "faction", "plays_without", "checked_in", "dropped_from", "by_self", "paid")
    ranks = ("rank", "title", "battle_points", "fleet_points")
    return {
        "event": entry.event.name,
        "starts_at": instant(entry.event.starts_at),
        "registered_at": instant(entry.registered_at),
        **{name: getattr(entry, name) for name in facts},
        "final": final and {name: getattr(final, name) for name in ranks},
    }


def _seats(player: Player) -> Iterable[Seat]:
    """The seats of the player in the rounds that everybody may see, in their order."""
    seats = Seat.objects.in_published_rounds().filter(entrant__player=player).order_by("round", "pk")
    return seats.select_related("round", "match__result").prefetch_related("match__seats__entrant__player")


def _seat(seat: Seat) -> dict[str, object]:
    result = getattr(seat.match, "result", None)
    against = [other.entrant.player.name for other in seat.match.seats.all() if other.pk != seat.pk]
    return {
        "round": seat.round.number,
        "table": seat.match.table,
        "side": seat.side,
        "against": against[0] if against else None,
        "destroyed": seat.destroyed,
        "result": result and {name: getattr(result, name) for name in RESULT_FIELDS},
    }


def _token(row: TokenLine) -> dict[str, object]:
    return {"kind": row.kind, "round": row.round, "reason": str(row.why), "at": instant(row.at)}


def _checks(player: Player) -> Iterable[SheetCheck]:
    """What the player said of opponents' sheets, and what was said of theirs."""
    checks = SheetCheck.objects.filter(seat__match__seats__entrant__player=player).order_by("at", "pk")
    return checks.select_related("seat__round__event", "seat__entrant")


def _whose(check: SheetCheck, player: Player) -> Message:
    if check.seat.entrant.player_id == player.pk:
        return message("the opponent’s fleet")
    return message("my fleet")


def _check(check: SheetCheck, player: Player) -> dict[str, object]:
    return {
        "event": check.seat.round.event.name,
        "round": check.seat.round.number,
        "of": str(_whose(check, player)),
        "state": check.state,
        "line": check.line,
        "words": check.words,
        "by": check.by_name,
        "at": instant(check.at),
    }


def _entry(entry: JournalEntry) -> dict[str, object]:
    return {
        "event": entry.event and entry.event.name,
        "at": instant(entry.at),
        "by": entry.by_name,
        "what": entry.sentence,
        "before": entry.before,
        "after": entry.after,
        "reason": entry.reason,
    }
