"""The Commendation Award Token of an event: where its ledger says it is, and who should have it (rule 6)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict, cast

from django.db.models import Exists, OuterRef

from scoring.domain.commendation import LedgerKind, Placed, Token, foremost, token_after, why
from tourney.models import Entrant, Event, Round, TokenLine
from tourney.queries.finals import Finals, finals_of
from tourney.queries.matches import TableState
from tourney.queries.sent import last_month_of, sent_of
from tourney.queries.shown_names import in_public_words
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import Message, message

GIVEN = (LedgerKind.GRANTED, LedgerKind.PASSED_ON)


# where it is


@dataclass(frozen=True, slots=True)
class TokenState:
    """The token as the ledger has it: `lines` oldest first; `holder` has it, spent it or lost it.

    `due` should have had it by the ranks as they are known now. `now` is the same for the rules, with entrants as
    their numbers.
    """

    now: Token
    holder: Entrant | None
    due: Entrant | None
    lines: tuple[TokenLine, ...]

    @property
    def state(self) -> str:
        """The state of the token now."""
        return self.now.state

    @property
    def round(self) -> int | None:
        """Where it was spent."""
        return self.now.round

    @property
    def is_given(self) -> bool:
        """Whether the token is anything but free now."""
        return self.now.is_given

    def of(self, entrant: Entrant | None) -> bool:
        """Whether that player has it, spent it or lost it."""
        return entrant is not None and entrant == self.holder


def token_of(state: EventState) -> TokenState | None:
    """Where the token is; None where the month is played without. Memoized by the state."""
    if not state.rules.token:
        return None
    return state.memoized("token", lambda: token_by(state, sent_of(state).token))


def token_by(state: EventState, rows: Collection[TokenLine]) -> TokenState:
    """Where the token is after these lines of the event, oldest first."""
    entrants = {entrant.pk: entrant for entrant in state.entrants}
    for row in rows:
        row.entrant = entrants.get(row.entrant_id or 0)
    now = token_after(row.facts for row in rows)
    return TokenState(now, state.by_number.get(now.holder or 0), state.by_number.get(now.due or 0), tuple(rows))


def spent_in(state: EventState, round_number: int) -> int | None:
    """Who spent the token in that round, by entrant number: that battle stays (rule 6.3)."""
    token = token_of(state)
    is_there = token and token.state == "spent" and token.round == round_number
    return token.now.holder if token and is_there else None


def battles_of(state: EventState, number: int) -> list[TableState]:
    """The Battle Rounds that player sat down for, in the rounds everybody may see: there the token can be spent."""
    found = [round.match_of(number) for round in state.public_rounds]
    return [match for match in found if isinstance(match, TableState)]


def battle_now(state: EventState, number: int) -> TableState | None:
    """The player's match of the round in play, while it is not decided."""
    round = state.public_rounds[-1] if state.public_rounds else None
    if state.is_finished or round is None or round.state != Round.State.PUBLISHED:
        return None
    match = round.match_of(number)
    return match if isinstance(match, TableState) and match.result is None else None


# who should have it


@dataclass(frozen=True, slots=True)
class LastMonth:
    """The month before: its event, its ranks best first by player, and the names of its players.

    `is_final` is whether the ranks are: not while the event is open (again).
    """

    event: Event
    order: tuple[Placed, ...]
    names: Mapping[int, str]

    @property
    def is_final(self) -> bool:
        """Whether that month is finished."""
        return self.event.is_finished

    @property
    def name(self) -> Message:
        """The month as a sentence names it."""
        month = self.event.rules.month
        if month is None:
            return message("“{event}”", event=self.event.name)
        return message("month {month}", month=month)

    def foremost(self, here: Collection[Entrant], declined: Collection[int] = ()) -> list[Entrant]:
        """Rules 6.1, 6.2: who of those here should have the token; several while they are tied.

        `declined` are numbers of entrants.
        """
        found = foremost(self.order, *_players(here, declined))
        return [entrant for entrant in here if entrant.player_id in found]

    def why(self, here: Collection[Entrant], declined: Collection[int] = ()) -> Message:
        """The sentence for that."""
        return self.why_of(*_players(here, declined))

    def why_of(self, present: Collection[int], declined: Collection[int]) -> Message:
        """The same, of players by their ids."""
        return why(self.order, present, self.names, self.name, declined)


def _players(here: Collection[Entrant], declined: Collection[int]) -> tuple[set[int], set[int]]:
    return {one.player_id for one in here}, {one.player_id for one in here if one.number in declined}


def last_month(event: Event, *, public: bool = False) -> LastMonth | None:
    """The last month of the campaign that was played before this event; None before the second month.

    `public` is for names as everybody may read them.
    """
    return _last_month(last_month_of(event), public=public)


def _last_month(key: int | None, *, public: bool) -> LastMonth | None:
    """The event of that id, as the month before another."""
    previous = Event.objects.with_context().get(pk=key) if key else None
    if previous and previous.is_finished:
        return final_ranks_of(previous, finals_of([previous], public=public)[previous.pk])
    return ranks_of(state_of(previous, public=public)) if previous else None


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Played(TypedDict):
        was_played: bool

    type MarkedEvent = WithAnnotations[Event, _Played]


def months_after(event: Event) -> list[Event]:
    """The events whose last month this one is: up to the next that was played, that one included."""
    later = Event.objects.with_context().filter(campaign=event.campaign_id, starts_at__gt=event.starts_at)
    closed = Round.objects.filter(event=OuterRef("pk"), state=Round.State.CLOSED)
    found: list[Event] = []
    marked = later.annotate(was_played=Exists(closed)).order_by("starts_at", "pk")
    for one in cast("Iterable[MarkedEvent]", marked):
        found.append(one)
        if one.was_played:
            break
    return found


def ranks_of(state: EventState) -> LastMonth:
    """The event's ranks, for the month after it."""
    table = state.standings(len(state.closed_rounds))
    order = [(state.by_number[line.id].player, line) for line in table]
    names = {entrant.player_id: entrant.player.name for entrant in state.entrants}
    return LastMonth(state.event, tuple(Placed(player.pk, line.rank, line.title) for player, line in order), names)


def final_ranks_of(event: Event, finals: Finals) -> LastMonth:
    """The ranks of a finished event, for the month after it."""
    names = {line.entrant.player_id: line.entrant.player.name for line in finals.lines}
    order = tuple(Placed(line.entrant.player_id, line.rank, line.title) for line in finals.lines)
    return LastMonth(event, order, names)


def checked_in_at_start(state: EventState) -> list[Entrant]:
    """Rule 6.1: who could get the token at the start: who is checked in, later those who sat in round 1."""
    if state.public_rounds:
        return [entrant for match in state.rounds[0].matches for entrant in match.entrants]
    return state.present(1)


def checked_in_when_given(state: EventState, token: TokenState) -> list[Entrant]:
    """Who could get the token when it was granted, or passed on, last; else who could now."""
    given = [row.here for row in token.lines if row.kind in GIVEN]
    if not given:
        return checked_in_at_start(state)
    return [state.by_number[number] for number in given[-1] if number in state.by_number]


@dataclass(frozen=True, slots=True)
class Offer:
    """What the rules offer the desk now: `kind` is grant, pass_on, stays (to somebody ranked better) or none.

    `entrant` is whom it concerns, `why` a sentence.
    """

    kind: str
    why: str | Message
    entrant: Entrant | None = None
    previous: Event | None = None


FIRST_MONTH = message("This is the first month, so there is no token yet (rule 6.1).")


def not_final_yet(last: LastMonth) -> Message:
    """The sentence for a last month that is not finished."""
    month = last.event.rules.month
    if month is None:
        return message("“{event}” is still open, so its ranks aren’t final. Finish it first.", event=last.event.name)
    return message("Month {month} is still open, so its ranks aren’t final. Finish it first.", month=month)


def offer_of(state: EventState, token: TokenState, last: LastMonth | None) -> Offer:
    """Rules 6.1, 6.2 for who is here, with what can still be done about it."""
    if last is None:
        return Offer("none", FIRST_MONTH)
    if not last.is_final:
        return Offer("none", not_final_yet(last), previous=last.event)
    if state.is_finished or token.state in ("spent", "lost"):
        return Offer("none", "", previous=last.event)
    here, declined = checked_in_at_start(state), token.now.declined
    if not here and not token.is_given:
        first = message(
            "{names} finished {month} first. Who gets the token shows here as players check in.",
            names=tuple(last.names[one.player] for one in last.order if one.rank == 1),
            month=last.name,
        )
        return Offer("none", first, previous=last.event)
    due, why = last.foremost(here, declined), last.why(here, declined)
    if len(due) != 1:
        return Offer("none", why, previous=last.event)
    if not token.is_given:
        return Offer("grant", why, due[0], last.event)
    if due[0] != token.holder and (not state.public_rounds or token.holder not in here):
        return Offer("pass_on", why, due[0], last.event)
    return _stays(state, token, last, here)


def _stays(state: EventState, token: TokenState, last: LastMonth, here: Sequence[Entrant]) -> Offer:
    """Whether somebody ranked better than the holder is here too, but too late."""
    everybody = [*here, *(one for one in state.present(len(state.rounds) + 1) if one not in here)]
    best = last.foremost(everybody, token.now.declined)
    if len(best) != 1 or best[0] == token.holder:
        return Offer("none", "", previous=last.event)
    why = message(
        "{player} ranked better in {month} and is checked in too. But round 1 has begun, so the token stays with "
        "{holder} (rule 6.1).",
        player=str(best[0]),
        month=last.name,
        holder=str(token.holder),
    )
    return Offer("stays", why, best[0], last.event)


@dataclass(frozen=True, slots=True)
class DeskToken:
    """The token for the desk: where it is, what is offered, and last month's ranks."""

    token: TokenState
    offer: Offer
    last: LastMonth

    @property
    def is_open(self) -> bool:
        """Whether the desk is asked to give it to somebody."""
        return self.offer.kind in ("grant", "pass_on")


def desk_token_of(state: EventState, *, public: bool = False) -> DeskToken | None:
    """The token for the desk; None in a first month, and where the month is played without."""
    token = token_of(state)
    last = _last_month(sent_of(state).last_month, public=public) if token else None
    return DeskToken(token, offer_of(state, token, last), last) if token and last else None


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody of last month's ranks: `status` is holder, declined, here or absent; `entrant` where registered."""

    place: Placed
    name: str
    status: str
    entrant: Entrant | None


def candidates_of(state: EventState, desk: DeskToken) -> list[Candidate]:
    """Rule 6.2: everybody of last month, best rank first."""
    by_player = {entrant.player_id: entrant for entrant in state.entrants}
    here = checked_in_at_start(state)
    return [
        Candidate(
            place,
            desk.last.names[place.player],
            _status(by_player.get(place.player), desk.token, here),
            by_player.get(place.player),
        )
        for place in desk.last.order
    ]


def _status(entrant: Entrant | None, token: TokenState, here: Sequence[Entrant]) -> str:
    if token.of(entrant):
        return "holder"
    if entrant and entrant.number in token.now.declined:
        return "declined"
    return "here" if entrant in here else "absent"


# for a player


@dataclass(frozen=True, slots=True)
class MyToken:
    """The token for one player: `kind` is offered, held, spent (in `round`), lost, or gone (to somebody else)."""

    kind: str
    why: str | Message
    round: int | None = None


def my_token_of(state: EventState, entrant: Entrant) -> MyToken | None:
    """What that player's own pages say of the token; None where it is none of their business.

    The state is a public one: others stand in it as everybody may read them.
    """
    token = token_of(state)
    if token is None:
        return None
    given = [row for row in token.lines if row.kind in GIVEN]
    if token.of(entrant):
        return MyToken(token.state, _words(state, given[-1]), token.round)
    if entrant in [row.entrant for row in given]:
        if token.is_given:
            return MyToken(
                "gone", message("{player} has it: {reason}", player=str(token.holder), reason=_words(state, given[-1]))
            )
        return MyToken("gone", _words(state, token.lines[-1]))
    if token.is_given or state.public_rounds:
        return None
    desk = state.memoized("desk_token", lambda: desk_token_of(state, public=True))
    if desk is None or desk.offer.kind != "grant" or desk.offer.entrant != entrant:
        return None
    return MyToken("offered", desk.offer.why)


def _words(state: EventState, row: TokenLine) -> str:
    """The reason of a line as everybody may read it."""
    in_words = state.memoized("public_words", lambda: in_public_words(state.event.store))
    said: str = in_words(str(row.why))
    return said
