"""At the table: the opponent's sheet is signed at the start of a round, and marked in the battle (rules 7.2, 2.3)."""

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import QuerySet

from tourney.actions.record import Actor, Refused, Stale, locked, locked_at_match, record, refuse_if_done_since
from tourney.domain.progress import why_not_take_part
from tourney.domain.verbs import SEATED, Verb
from tourney.models import Event, Fleet, Result, Round, Seat, SheetCheck
from tourney.queries.matches import TableState
from tourney.runtime.messages import Message, Param, message


@transaction.atomic
def sign(event: Event, number: int, entrant: int, *, by: Actor, version: int | None = None) -> None:
    """Rule 7.2: the opponent's sheet matches the table, says this player. It settles an earlier call of a judge.

    `version` is that of the fleet as the player saw it, if it was seen here. Raises Stale.
    """
    event = locked_at_match(event, number, entrant=entrant)
    seat, other = _seats(event, number, entrant)
    if version is not None and not Fleet.objects.filter(entrant=other.entrant, version=version).exists():
        raise Stale(
            message("Not signed. {player}’s fleet has changed. Compare it again, then sign.", player=str(other.entrant))
        )
    if _saved(seat, SheetCheck.State.SIGNED, by=by):
        what = message(
            "Round {round}: {player} signed {opponent}’s fleet.",
            round=number,
            player=str(seat.entrant),
            opponent=str(other.entrant),
        )
        record(event, by=by, did=Verb.SIGN_FLEET, what=what, after=_facts(number, seat))


@transaction.atomic
def call_judge(event: Event, number: int, entrant: int, *, line: int, words: str, by: Actor) -> None:
    """Rule 7.2: the opponent's sheet does not match the table; which line (0: all of it), in the player's words.

    Raises Refused.
    """
    event = locked_at_match(event, number, entrant=entrant)
    seat, other = _seats(event, number, entrant)
    title = _title(other, line)
    if not words and not line:
        raise Refused(message("Mark the line that doesn’t match, or tell the judge what’s wrong."))
    if _saved(seat, SheetCheck.State.CALLED, line=line, words=words, by=by):
        facts: dict[str, Param] = {
            "round": number,
            "table": seat.match.table or 0,
            "player": str(seat.entrant),
            "opponent": str(other.entrant),
        }
        what = message("Round {round}, table {table}: {player} called a judge about {opponent}’s fleet.", **facts)
        if title:
            what = message(
                "Round {round}, table {table}: {player} called a judge about {opponent}’s fleet ({card}).",
                card=title,
                **facts,
            )
        record(event, by=by, did=Verb.CALL_JUDGE, what=what, after=_facts(number, seat), reason=words)


@transaction.atomic
def settle(event: Event, number: int, entrant: int, *, decided: str, by: Actor) -> None:
    """Rule 7.2: the judge came; the sheet is signed for the player who called, with what was decided.

    Raises Refused.
    """
    event = locked(event)
    seat, other = _seats(event, number, entrant)
    if not decided:
        raise Refused(message("Enter what you decided. It’s kept with the fleet and in the journal."))
    if not SheetCheck.objects.filter(seat=seat, state=SheetCheck.State.CALLED).exists():
        raise Refused(message("{player} isn’t calling a judge.", player=str(seat.entrant)))
    _saved(seat, SheetCheck.State.SIGNED, words=decided, by=by)
    what = message(
        "Round {round}, table {table}: call about {opponent}’s fleet resolved and signed for {player}.",
        round=number,
        table=seat.match.table or 0,
        player=str(seat.entrant),
        opponent=str(other.entrant),
    )
    record(event, by=by, did=Verb.SETTLE_CALL, what=what, after=_facts(number, seat), reason=decided)


@transaction.atomic
def sign_on_paper(event: Event, number: int, table: int, *, by: Actor) -> int:
    """Sign both sheets of a table, as was done by hand; how many of them were not signed before. Raises Refused."""
    event = locked(event)
    refuse_if_done_since(event, by, *SEATED)
    seats = list(_in_play(event, number).filter(match__table=table).select_related("entrant__player", "match"))
    if not seats:
        raise Refused(
            message("There’s no table {table} in round {round}. The round may have changed.", table=table, round=number)
        )
    _refuse_calls(seats, table)
    return len(_sign_on_paper(event, number, seats, by=by))


@transaction.atomic
def sign_all_on_paper(event: Event, number: int, *, by: Actor) -> int:
    """The same for every table with a fleet and without an open call; at how many of them something was not signed."""
    event = locked(event)
    at_tables = _in_play(event, number).filter(match__table__isnull=False)
    with_fleet = at_tables.filter(entrant__fleet__isnull=False).values("match")
    found = at_tables.filter(match__in=with_fleet).select_related("entrant__player", "match")
    seats = list(found.order_by("match__table"))
    waiting = {seat.match_id for seat in _calls(seats)}
    signed = _sign_on_paper(event, number, [seat for seat in seats if seat.match_id not in waiting], by=by)
    return len({seat.match_id for seat in signed})


def sign_table_on_paper(event: Event, match: TableState, *, by: Actor) -> None:
    """The same for a match, under its lock; `match.sheets` follow. Raises Refused."""
    seats = list(Seat.objects.filter(match=match.row).select_related("entrant__player", "match"))
    _refuse_calls(seats, match.table)
    _sign_on_paper(event, match.round.number, seats, by=by)
    match.sheets = tuple((is_recorded, SheetCheck.State.SIGNED) for is_recorded, _ in match.sheets)


@transaction.atomic
def withdraw(event: Event, number: int, entrant: int, *, by: Actor) -> None:
    """A signature or a call taken back, as if it had not been given. Raises Refused."""
    event = locked(event)
    seat, _ = _seats(event, number, entrant)
    check = SheetCheck.objects.filter(seat=seat).first()
    if check is None:
        raise Refused(message("There’s no signature or call to remove."))
    before = _facts(number, seat)
    check.delete()
    facts: dict[str, Param] = {"round": number, "player": str(seat.entrant)}
    what = message("Round {round}: {player}’s signature removed.", **facts)
    if check.state == SheetCheck.State.CALLED:
        what = message("Round {round}: {player}’s call for a judge withdrawn.", **facts)
    record(event, by=by, did=Verb.TAKE_BACK_SIGNATURE, what=what, before=before)


def invalidate_signatures(fleet: Fleet) -> None:
    """The fleet was changed after the lock: in the round in play, the opponent has not signed it as it is now."""
    now = {"seat__round__state": Round.State.PUBLISHED, "seat__match__seats__entrant": fleet.entrant}
    signed = SheetCheck.objects.filter(**now, state=SheetCheck.State.SIGNED).exclude(seat__entrant=fleet.entrant)
    signed.delete()


@transaction.atomic
def mark_destroyed(
    event: Event, number: int, owner: int, lines: Collection[int], *, by: Actor, base: Collection[int] | None = None
) -> None:
    """Rule 2.3: which lines of that player's fleet were destroyed in this round so far, all of them at once.

    With `base`, the lines that the sender saw marked, only what the sender changed is changed: two who mark the same
    fleet on two phones do not undo one another. Raises Refused.
    """
    event = locked_at_match(event, number, entrant=owner)
    seat, _ = _seats(event, number, owner)
    if Result.objects.filter(match=seat.match).exists():
        raise Refused(
            message("Table {table} already has a result. Ask the desk to edit it.", table=seat.match.table or 0)
        )
    fleet = Fleet.objects.filter(entrant=seat.entrant).first()
    known = {line.id for line in fleet.sheet.lines} if fleet else set()
    there, wanted = set(seat.destroyed), set(lines)
    if base is not None:
        wanted = (there | (wanted - set(base))) - (set(base) - wanted)
    marked = sorted(known & wanted)
    if marked == seat.destroyed:
        return
    before, seat.destroyed = seat.destroyed, marked
    seat.save(update_fields=["destroyed"])
    facts = [{"round": number, "entrant": owner, "lines": lines} for lines in (before, marked)]
    titles = [line.card.title for line in fleet.sheet.lines if line.id in marked] if fleet else []
    about: dict[str, Param] = {"round": number, "table": seat.match.table or 0, "player": str(seat.entrant)}
    what = message("Round {round}, table {table}: nothing of {player}’s fleet marked as destroyed.", **about)
    if titles:
        what = message(
            "Round {round}, table {table}: destroyed in {player}’s fleet so far: {cards}.", cards=titles, **about
        )
    record(event, by=by, did=Verb.MARK_DESTROYED, what=what, before=facts[0], after=facts[1])


def _in_play(event: Event, number: int) -> QuerySet[Seat]:
    if reasons := why_not_take_part(event.is_finished):
        raise Refused(*reasons)
    row = event.rounds.filter(number=number, state=Round.State.PUBLISHED).first()
    if row is None:
        raise Refused(message("Round {round} isn’t in play.", round=number))
    return Seat.objects.filter(round=row)


def _seats(event: Event, number: int, entrant: int) -> tuple[Seat, Seat]:
    """The player's seat and the opponent's, in the round in play."""
    seats = _in_play(event, number).filter(match__seats__entrant__number=entrant)
    found = {seat.entrant.number: seat for seat in seats.select_related("entrant__player", "match")}
    own = found.pop(entrant, None)
    if own is None or not found:
        raise Refused(message("This player has no opponent."))
    return own, next(iter(found.values()))


def _sign_on_paper(event: Event, number: int, seats: Sequence[Seat], *, by: Actor) -> list[Seat]:
    """Sign for those who have said nothing yet, and no call is open; who they are."""
    known = set(SheetCheck.objects.filter(seat__in=seats).values_list("seat", flat=True))
    signed = [seat for seat in seats if seat.pk not in known]
    facts = {"state": SheetCheck.State.SIGNED, "on_paper": True, "by_name": by.name, "at": by.at}
    SheetCheck.objects.bulk_create(SheetCheck(seat=seat, **facts) for seat in signed)
    if signed:
        tables = sorted({seat.match.table or 0 for seat in signed})
        after = {"round": number, "entrants": [seat.entrant.number for seat in signed], "on_paper": True}
        what = _signed_at(number, tables)
        record(event, by=by, did=Verb.SIGN_FLEET, what=what, after=after)
    return signed


def _signed_at(number: int, tables: Sequence[int]) -> Message:
    if len(tables) == 1:
        return message("Round {round}, table {table}: fleets signed on paper.", round=number, table=tables[0])
    return message("Round {round}, tables {tables}: fleets signed on paper.", round=number, tables=tables)


def _refuse_calls(seats: Sequence[Seat], table: int) -> None:
    if calls := _calls(seats):
        raise Refused(
            message(
                "{player} is calling a judge to table {table}. Resolve that first.",
                player=str(calls[0].entrant),
                table=table,
            )
        )


def _calls(seats: Sequence[Seat]) -> list[Seat]:
    """Those whose players wait for a judge."""
    calls = SheetCheck.objects.filter(seat__in=seats, state=SheetCheck.State.CALLED)
    waiting = set(calls.values_list("seat", flat=True))
    return [seat for seat in seats if seat.pk in waiting]


def _saved(seat: Seat, state: str, *, by: Actor, line: int = 0, words: str = "") -> bool:
    """Whether this says something new of the seat; what is signed stays as it was signed."""
    facts = {"state": state, "line": line, "words": words}
    old = SheetCheck.objects.filter(seat=seat).first()
    if old and (old.state == state == SheetCheck.State.SIGNED or facts == {name: getattr(old, name) for name in facts}):
        return False
    facts |= {"on_paper": False, "by_name": by.name, "at": by.at}
    check, _ = SheetCheck.objects.update_or_create(seat=seat, defaults=facts)
    seat.check_of_opponent = check
    return True


def _facts(number: int, seat: Seat) -> dict[str, object]:
    check = seat.check_of_opponent
    more = {"line": check.line, "words": check.words, "on_paper": check.on_paper}
    known = {name: value for name, value in more.items() if value}
    return {"round": number, "entrant": seat.entrant.number, "state": check.state, **known}


def _title(seat: Seat, line: int) -> str:
    """What stands in that line of the fleet at the seat; empty for the whole sheet."""
    if not line:
        return ""
    fleet = Fleet.objects.filter(entrant=seat.entrant).first()
    found = [one.card.title for one in fleet.sheet.lines if one.id == line] if fleet else []
    if not found:
        raise Refused(message("This card is no longer in the fleet. Check the fleet again."))
    return found[0]
