"""What the pages of the desk share: where the night stands, the ways through it, and what is still to do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zlib import crc32

from django import forms
from django.http import HttpRequest
from django.urls import reverse

from scoring.domain.words import yes_or_no
from tourney import access
from tourney.forms.fields import choices_of
from tourney.models import Event, RollOff, Round
from tourney.queries.by_hand import board_of
from tourney.queries.judge_calls import PlayerCall, player_calls
from tourney.queries.matches import MatchState, RoundState, SeatScore
from tourney.queries.reports import TableReports, reports_in
from tourney.queries.roll_offs import ties_of
from tourney.queries.rulings import RulingNote, rulings_at
from tourney.queries.sign_off import SheetStatus, TableChecks, checks_of
from tourney.queries.state import EventState
from tourney.queries.surviving import count_destroyed
from tourney.runtime.messages import Message, Param, message
from tourney.templatetags.flagship import address
from tourney.views import parts, responses

STATES = {"playing": "playing", "tied": "roll-off", "done": "entered"}
"""What the row of a match is coloured by, by its state."""


@dataclass(frozen=True, slots=True)
class NightStep:
    """A step of the night: a Battle Round with its `number`, which is `round` as well once it is drawn, or another."""

    name: str | Message
    number: int = 0
    round: int | None = None
    is_done: bool = False
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class ToDo:
    """Something a round waits for, and the page where it is done."""

    text: Message
    url: str


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """Somebody who waits for a judge: a table, with the page where it is resolved, or the player of a `call`."""

    text: Message
    since: datetime
    url: str = ""
    call: PlayerCall | None = None

    def order(self) -> tuple[bool, datetime]:
        """The next one comes first."""
        return bool(self.call and self.call.row.is_answered), self.since


@dataclass(frozen=True, slots=True)
class Next:
    """What to do after this: a page, or a button that does it at once (`is_press`), whose page shows it before."""

    label: Message
    url: str
    is_desk: bool = False
    is_press: bool = False


@dataclass(frozen=True, slots=True)
class DeskTable:
    """A match for the desk: its sides, where a tap goes, and what to know of it before it is published.

    `checks` is whether its fleets are signed; None where nobody's fleet is known here. `reports` is what its players
    say of it, once it is published; `rulings` what was decided beside the play.
    """

    match: MatchState
    sides: list[SeatScore]
    url: str | None
    flags: tuple[Message, ...] = ()
    checks: TableChecks | None = None
    reports: TableReports | None = None
    rulings: tuple[RulingNote, ...] = ()

    @property
    def key(self) -> int:
        """Changes with the reasons, so that those that somebody has opened stay open until they do."""
        score, result = self.match.score, self.match.result
        return crc32(repr((self.match.why, score and score.why, result and result.sp_ruling)).encode())

    @property
    def state(self) -> str:
        """What its row is coloured by: disputed, draft, roll-off, entered or playing; empty for a bye that is drawn."""
        is_called = self.checks is not None and bool(self.checks.calls)
        if is_called or (self.reports is not None and self.reports.kind == "disputed"):
            return "disputed"
        if self.match.round.state == Round.State.DRAFT:
            return "draft"
        return STATES.get(self.match.state, "")


@dataclass(frozen=True, slots=True)
class SignOff:
    """Rule 7.2: at how many of the tables with fleets both of them are signed."""

    signed: int
    tables: int

    @property
    def is_done(self) -> bool:
        """Whether every table has signed."""
        return self.signed == self.tables


def desk_context(request: HttpRequest, state: EventState, section: str, **more: object) -> dict[str, object]:
    """The context of `desk/frame.html`: the event, its state, the marks, and which section this page is in.

    A page that comes back as something could not be done says what others did (`responses.entries_since_page_load`).

    Sections: desk, players, round, results, screens, journal, settings.
    """
    done = responses.entries_since_page_load(request, state.event)
    return responses.event_context(
        request,
        state.event,
        state=state,
        section=section,
        marks=state.memoized("marks", lambda: night_steps(state)),
        round_in_play=in_play(state),
        as_of=done[0].version if done else state.event.version,
        done_since=done,
        **more,
    )


def both_versions(typed: forms.Form, stored: forms.Form) -> list[tuple[str, str, str, bool]]:
    """(what, stored, typed, whether they differ) for `parts/versions.html`: the facts in which the two forms differ."""
    rows = [(str(field.label), _as_read(stored[field.name]), _as_read(field)) for field in typed if not field.is_hidden]
    return [(what, there, here, True) for what, there, here in rows if there != here]


def read_only(stored: forms.Form, written: Mapping[str, str]) -> list[tuple[str, str]]:
    """(what, text) of each field of the form, to be read alone; those fields that are `written` otherwise, so."""
    return [(str(field.label), written.get(field.name) or _as_read(field)) for field in stored if not field.is_hidden]


def _as_read(field: forms.BoundField) -> str:
    value = field.value()
    if isinstance(field.field, forms.BooleanField):
        return str(yes_or_no(bool(value) and value != "False"))
    if isinstance(field.field, forms.ChoiceField):
        return str(dict(choices_of(field.form, field.name)).get(str(value), value or "–"))
    return str(field.field.widget.format_value(value) or "–")


def night_steps(state: EventState) -> tuple[NightStep, ...]:
    """The night in steps: players, each planned round, final ranks."""
    step = state.next_step
    drawn = {round.number: round.state for round in state.rounds}
    numbers = range(1, max(state.event.rounds_planned, len(drawn)) + 1)
    here = {"check_in": "players", "finish": "final", "finished": ""}.get(step.kind, step.round)
    return (
        NightStep(message("Players"), is_done=here != "players", is_current=here == "players"),
        *(
            NightStep(
                message("Round {number}", number=number),
                number,
                number if number in drawn else None,
                is_done=drawn.get(number) == Round.State.CLOSED,
                is_current=here == number,
            )
            for number in numbers
        ),
        NightStep(message("Final ranks"), is_done=state.is_finished, is_current=here == "final"),
    )


def autofocus_first_error(form: forms.Form, name: str) -> forms.Form:
    """The form with the cursor in its first wrong field, or else in that one."""
    wrong = next((field for field in form.fields if field in form.errors), name)
    form.fields[wrong].widget.attrs["autofocus"] = True
    return form


def sign_off_of(tables: Sequence[DeskTable]) -> SignOff | None:
    """How far the fleets of these tables are signed; None where nobody's fleet is known here."""
    checks = [line.checks for line in tables if line.checks]
    return SignOff(sum(one.is_signed for one in checks), len(checks)) if checks else None


def in_play(state: EventState) -> int | None:
    """The number of the published round, if one is in play."""
    last = state.last_round
    return last.number if last and last.state == Round.State.PUBLISHED else None


def to_do(state: EventState) -> tuple[ToDo, ...]:
    """What the last round still waits for, in the order of `progress.unfinished`."""
    round, slug = state.last_round, state.event.slug
    if round is None or round.state == Round.State.DRAFT:
        return ()
    return (
        *corrected_to_do(state),
        *(
            ToDo(
                message("Table {table}, {players}: no result yet", table=match.table or 0, players=_against(match)),
                table_url(slug, match),
            )
            for match in round.missing
        ),
        *(
            ToDo(
                message(
                    "Table {table}, {players}: tied, roll off at the table",
                    table=match.table or 0,
                    players=_against(match),
                ),
                table_url(slug, match),
            )
            for match in round.tied
        ),
        *(tie_to_do(state, round.number, kind, group) for kind, group in state.rolls_to_do()),
    )


def corrected_to_do(state: EventState) -> tuple[ToDo, ...]:
    """The tables of rounds before the last one that are tied again, which no list of its tables shows."""
    return tuple(
        ToDo(
            message(
                "Round {number}, table {table}, {players}: tied after a correction, roll off",
                number=earlier.number,
                table=match.table or 0,
                players=_against(match),
            ),
            table_url(state.event.slug, match),
        )
        for earlier in state.rounds[:-1]
        for match in earlier.tied
    )


def judge_cases(state: EventState) -> tuple[JudgeCase, ...]:
    """Whom a judge is needed by, the next one first: those to whom nobody is coming, each the longest wait first.

    The disputes and calls about sheets at the tables of the last published round, and the players' calls for anything.
    Memoized by the state.
    """
    return state.memoized("judge cases", lambda: tuple(sorted(_judge_cases(state), key=JudgeCase.order)))


def _judge_cases(state: EventState) -> Iterator[JudgeCase]:
    slug = state.event.slug
    tables = tables_of(state, state.public_rounds[-1]) if state.public_rounds else []
    for line in tables:
        if line.reports and line.reports.kind == "disputed":
            text = message(
                "Table {table}, {players}: disputed", table=line.match.table or 0, players=_against(line.match)
            )
            since = max(report.row.at for report in line.reports.reports)
            yield JudgeCase(text, since, table_url(slug, line.match))
        for call in line.checks.calls if line.checks else ():
            if call.row:
                url = reverse("sheet", args=[slug, call.owner.number])
                yield JudgeCase(_call(line.match, call), call.row.at, url)
    for one in player_calls(state):
        facts: dict[str, Param] = {"player": str(one.by), "about": one.about}
        text = message("{player} calls a judge: {about}", **facts)
        if one.table:
            text = message("Table {table}: {player} calls a judge: {about}", table=one.table, **facts)
        yield JudgeCase(text, one.row.at, call=one)


def _call(match: MatchState, call: SheetStatus) -> Message:
    facts: dict[str, Param] = {"table": match.table or 0, "player": str(call.by), "owner": str(call.owner)}
    if call.title and call.words:
        return message(
            "Table {table}: {player} calls a judge about {owner}’s fleet, {sheet}: “{words}”",
            **facts,
            sheet=call.title,
            words=call.words,
        )
    if call.title:
        return message(
            "Table {table}: {player} calls a judge about {owner}’s fleet, {sheet}", **facts, sheet=call.title
        )
    if call.words:
        return message(
            "Table {table}: {player} calls a judge about {owner}’s fleet: “{words}”", **facts, words=call.words
        )
    return message("Table {table}: {player} calls a judge about {owner}’s fleet", **facts)


def tables_of(state: EventState, round: RoundState) -> list[DeskTable]:
    """The matches of the round in table order; a draft's tables lead nowhere yet. Memoized by the state."""
    return state.memoized(("desk tables", round.number), lambda: _tables_of(state, round))


def fits(line: DeskTable, text: str) -> bool:
    """Whether a search for that text finds the table: by its number, or by who sits there."""
    return parts.fits_match(line.match, text)


def _tables_of(state: EventState, round: RoundState) -> list[DeskTable]:
    is_draft = round.state == Round.State.DRAFT
    checks = checks_of(state, round.matches) if round.state == Round.State.PUBLISHED else {}
    reports = {} if is_draft else reports_in(state, round)
    warnings = board_of(state, round).warnings if is_draft else {}
    count_destroyed(state, round.matches)
    return [
        DeskTable(
            match,
            round.lines(match),
            None if match.is_bye or is_draft else table_url(state.event.slug, match),
            tuple(warnings.get(match.table, ())),
            checks.get(match.table or 0),
            reports.get(match.table or 0),
            () if is_draft else rulings_at(round, match),
        )
        for match in round.matches
    ]


def tie_to_do(state: EventState, number: int, kind: str, group: Sequence[int]) -> ToDo:
    """A tie after that round, with the page of its roll-off."""
    names, address = [state.names[entrant] for entrant in group], roll_off_url(state.event, number, kind, group)
    if kind == RollOff.Kind.FACTION:
        return ToDo(message("{players}: tied for the victorious faction, roll off", players=names), address)
    return ToDo(message("{players}: tied in the standings, roll off", players=names), address)


def other_ties(state: EventState, number: int, kind: str, group: Sequence[int]) -> dict[str, object]:
    """What the page of a tie says of the others of its round: where the `next_tie` is, and whether to roll all."""
    ties, this = ties_of(state, number), (kind, tuple(group))
    place = ties.index(this) if this in ties else -1
    others = [*ties[place + 1 :], *ties[: max(place, 0)]]
    return {"next_tie": _tie_url(state, number, *others[0]) if others else "", "may_roll_all": place >= 0 and others}


def next_after(request: HttpRequest, state: EventState, number: int) -> Next:
    """The next roll-off of the round, or the step after them; for a judge, the desk."""
    slug = state.event.slug
    if state.rounds[-1].number == number and not state.is_finished:
        for kind, group in state.rolls_to_do():
            label = message("Roll off {players}", players=[state.names[entrant] for entrant in group])
            return Next(label, roll_off_url(state.event, number, kind, sorted(group)))
        may_organize = access.role_at(request, state.event.store) in access.ORGANIZERS
        if may_organize and state.next_step.kind == "close":
            close = reverse("close", args=[slug, number])
            return Next(message("Close round {number}", number=number), close, is_press=True)
        if may_organize and state.next_step.kind == "finish":
            return Next(message("Finish event"), reverse("finish", args=[slug]))
    return Next(message("Back to the desk"), reverse("desk", args=[slug]), is_desk=True)


def _tie_url(state: EventState, number: int, kind: str, group: Sequence[int]) -> str:
    match = state.rounds[number - 1].match_of(group[0]) if kind == RollOff.Kind.TABLE else None
    return table_url(state.event.slug, match) if match else roll_off_url(state.event, number, kind, group)


def table_url(slug: str, match: MatchState) -> str:
    """Where the desk goes on with a table: the result, or the dice while it is tied."""
    page = "table_roll_off" if match.state == "tied" else "result"
    return address(page, slug, match.round.number, str(match.table))


def roll_off_url(event: Event, number: int, kind: str, group: Sequence[int]) -> str:
    """The address of a roll-off at the desk."""
    return reverse("roll_off", args=[event.slug, number, kind, "-".join(map(str, group))])


def _against(match: MatchState) -> Message | str:
    names = [entrant.player.name for entrant in match.entrants]
    return names[0] if len(names) == 1 else message("{player} against {opponent}", player=names[0], opponent=names[1])
