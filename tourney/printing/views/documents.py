"""The print centre, and the pages that it prints."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring.domain import words
from tourney import access
from tourney.actions.record import Refused
from tourney.models import Event, Round
from tourney.printing.domain.documents import (
    DOCUMENTS,
    GROUPS,
    NUMBERS_PER_PAGE,
    SIZES,
    SLIPS_PER_PAGE,
    USUAL_SLIPS,
    Document,
    ForEach,
    bundle,
    cut_and_stack,
    group_of,
    letters,
    sheets_in_words,
    usual_set,
)
from tourney.printing.forms.documents import MOST_COPIES, PaperForm, SizeForm, rounds_to_print, standings_to_print
from tourney.printing.queries import documents as queries
from tourney.printing.queries.build_sheets import blank_sheet_of, build_sheets_of
from tourney.printing.queries.counts import sheets_needed
from tourney.printing.queries.slips import Slip, slips_of
from tourney.queries import public
from tourney.queries.awards import awards_of, participants_of
from tourney.queries.journal_chain import head_of
from tourney.queries.matches import RoundState
from tourney.queries.rulings import rulings_until
from tourney.queries.state import EventState, state_of
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, message
from tourney.views import frame, responses
from tourney.views.addresses import for_phones, is_out_of_reach, qr_code, reachable, typed

PUT_UP = ("check-in", "pairings", "tables", "standings")
"""What players read: it has the event's short address."""


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """What to print: the round whose tables, and after how many rounds the standings; None where there are none."""

    request: HttpRequest
    state: EventState
    round: RoundState | None
    after: int | None
    per_page: int

    @property
    def event(self) -> Event:
        """The event of the request."""
        return self.state.event

    @property
    def there(self) -> RoundState:
        """The round. Raises Http404 where there is none."""
        return access.found(self.round)

    @property
    def ranks_after(self) -> int:
        """After how many rounds the standings are. Raises Http404 where there are none."""
        return access.found(self.after)


@login_required
@require_safe
@responses.live(*access.DESK)
def print_centre(request: HttpRequest, event: Event) -> HttpResponse:
    """What to print now, and everything that there is to print."""
    state = state_of(event)
    there, moment = queries.printable_of(state), queries.moment_of(state)
    size = SizeForm(request.GET, locale=event.store.locale).paper
    sheets = {kind: sheets_needed(state, kind, size) for kind in DOCUMENTS if kind in there}
    context = frame.desk_context(
        request,
        state,
        "print",
        moment=moment,
        sizes=SIZES.items(),
        size=size,
        usual=_set(event, usual_set(moment, can_print=there), size, sheets),
        bundle=_set(event, bundle(can_print=there), size, sheets),
        groups=_groups(sheets, first=group_of(moment)),
        group_of_the_moment=group_of(moment),
        later=[document.title for kind, document in DOCUMENTS.items() if kind not in there],
        rounds=rounds_to_print(state),
        standings=standings_to_print(state),
        per_page=[(number, number) for number in SLIPS_PER_PAGE],
        usual_slips=USUAL_SLIPS,
        most_copies=MOST_COPIES,
        copies=max(1, sum(not entrant.has_fleet and entrant.dropped_from is None for entrant in state.with_place)),
    )
    return responses.show(request, "paper/centre.html", context)


def _groups(sheets: dict[str, int], *, first: str) -> list[tuple[str, Message, list[tuple[Document, Message]]]]:
    """Key and title of each group, and its documents with their sheets in words; the one that is looked for first."""
    there = [(DOCUMENTS[kind], sheets_in_words({kind: count})) for kind, count in sheets.items()]
    return [
        (key, GROUPS[key], [(document, words) for document, words in there if document.group == key])
        for key in sorted(GROUPS, key=lambda key: key != first)
    ]


def _set(event: Event, kinds: tuple[str, ...], size: str, sheets: dict[str, int]) -> dict[str, object] | None:
    """Several documents that one press prints."""
    if not kinds:
        return None
    query = urlencode({"doc": kinds, "size": size}, doseq=True)
    return {
        "url": f"{reverse('paper', args=[event.slug])}?{query}",
        "titles": [DOCUMENTS[kind].title for kind in kinds],
        "sheets": sheets_in_words({kind: sheets[kind] for kind in kinds}),
    }


@login_required
@require_safe
def paper(request: HttpRequest, slug: str) -> HttpResponse:
    """Documents to be printed, each beginning on a sheet of its own."""
    event = access.event_for(request, slug, *access.DESK)
    state = state_of(event)
    form = PaperForm(request.GET, state=state)
    back = reverse("print_centre", args=[slug])
    if not form.is_valid():
        return responses.refused(request, Refused(*form.reasons), store=event.store, event=event, back=back)
    responses.speak_as_store(event.store)
    chosen = form.cleaned_data
    after = chosen["after"] or len(state.complete_rounds) or None
    asked = PrintRequest(request, state, _round(state, chosen["round"]), after, chosen["per_page"])
    documents = [
        made for kind in chosen["doc"] for made in [_document(asked, kind)] for _ in range(chosen["copies"] or 1)
    ]
    return show_paper(request, event, documents, size=form.paper, back=back)


def show_paper(
    request: HttpRequest, event: Event, documents: list[dict[str, Any]], *, size: str, back: str
) -> HttpResponse:
    """The page of these documents: a template, a title and what the template asks for."""
    context = responses.event_context(
        request,
        event,
        documents=documents,
        title=", ".join(dict.fromkeys(str(document["title"]) for document in documents)),
        now=timezone.now(),
        size=size,
        sizes=[(key, name, _with_size(request, key)) for key, name in SIZES.items()],
        back=back,
        is_local=is_out_of_reach(request) and any(document.get("has_codes") for document in documents),
        short=""
        if is_out_of_reach(request) or event.store.rehearsal_id
        else typed(for_phones(request, event, short=True)),
        history=None if event.store.rehearsal_id else head_of(event.store),
    )
    return responses.show(request, "paper/page.html", context)


def _with_size(request: HttpRequest, size: str) -> str:
    """The same page for other paper; nothing where the page cannot be asked for again."""
    if request.method == "POST":
        return ""
    query = request.GET.copy()
    query["size"] = size
    return f"?{query.urlencode()}"


@require_safe
def slip(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """Where the code on a slip leads: the desk to the result, a player of that table to the report."""
    event = access.event_for(request, slug)
    state = state_of(event)
    round = access.found(next((one for one in state.public_rounds if one.number == number), None))
    match = access.found(round.match_at(table))
    if access.role_at(request, event.store) in access.DESK:
        return redirect("result", slug, number, table)
    player = access.player_at(request, event.store)
    if player and player.pk in [entrant.player_id for entrant in match.entrants]:
        return redirect("report", slug, number)
    return redirect("pairings", slug, number)


def _round(state: EventState, number: int | None) -> RoundState | None:
    """That round; without a number the one everybody sees, or else the draft."""
    if number is not None:
        return state.round(number)
    return next(reversed(state.public_rounds or state.rounds), None)


fills = ForEach[Callable[[PrintRequest], dict[str, object]]]()
"""Of each document: what its template asks for."""


def _document(asked: PrintRequest, kind: str) -> dict[str, Any]:
    document = DOCUMENTS[kind]
    return {
        "kind": kind,
        "template": document.template,
        "title": document.title,
        "has_head": document.has_head,
        "is_put_up": kind in PUT_UP,
        "is_draft": document.needs == "draft" and asked.there.state == Round.State.DRAFT,
        **fills.works[kind](asked),
    }


@fills("pairings")
def _pairings(asked: PrintRequest) -> dict[str, object]:
    lines = public.names_in(asked.there)
    return {"about": _of(asked), "lines": lines, "letters": letters([line.own.entrant.player.name for line in lines])}


@fills("tables")
def _tables(asked: PrintRequest) -> dict[str, object]:
    longest = [max((one.player.name for one in match.entrants), key=len) for match in asked.there.matches]
    return {"about": _of(asked), "lines": public.tables_of(asked.there), "letters": letters(longest)}


def _of(asked: PrintRequest) -> Message:
    number = asked.there.number
    return message("Round {number} of {rounds}", number=number, rounds=max(asked.event.rounds_planned, number))


@fills("slips")
def _slips(asked: PrintRequest) -> dict[str, object]:
    slips = slips_of(asked.state, asked.there)
    codes = [_slip_code(asked, slip) for slip in slips]
    lying = cut_and_stack(len(slips), asked.per_page)
    return {
        "has_codes": True,
        "round": asked.round,
        "per_page": asked.per_page,
        "sheets": [[(slips[place], codes[place]) for place in sheet] for sheet in lying],
        "marks": asked.state.rules.tallies,
        "base": asked.state.rules.base,
    }


def _slip_code(asked: PrintRequest, slip: Slip) -> str:
    path = reverse("slip", args=[asked.event.slug, asked.there.number, slip.match.table])
    return qr_code(reachable(asked.request, path))


@fills("standings")
def _standings(asked: PrintRequest) -> dict[str, object]:
    lines = public.rank_lines(asked.state, asked.ranks_after)
    names = [line.entrant.player.name for line in lines]
    rulings = rulings_until(asked.state, asked.ranks_after)
    return {"about": _after(asked), "lines": lines, "letters": letters(names), "rulings": rulings}


@fills("factions")
def _factions(asked: PrintRequest) -> dict[str, object]:
    lines = asked.state.faction_lines(asked.ranks_after)
    champions = [(line, asked.state.by_number[line.champion]) for line in lines]
    return {"about": _after(asked), "lines": champions, "letters": letters([line.faction for line in lines])}


def _after(asked: PrintRequest) -> Message:
    is_last = asked.after == len(asked.state.rounds)
    if asked.state.is_finished and is_last:
        return message("Final")
    return message("After round {number}", number=asked.ranks_after)


@fills("score-sheet")
def _score_sheet(asked: PrintRequest) -> dict[str, object]:
    rulings = rulings_until(asked.state, len(asked.state.complete_rounds))
    return _scores(asked, queries.score_lines(asked.state)) | {"rulings": rulings}


@fills("blank-score-sheet")
def _blank_score_sheet(asked: PrintRequest) -> dict[str, object]:
    return _scores(asked, queries.blank_score_lines(asked.event.rounds_planned))


def _scores(asked: PrintRequest, lines: list[queries.ScoreLine]) -> dict[str, object]:
    rounds = range(1, len(lines[0].scores) + 1)
    has_so_far = any(line.so_far and line.standing is None for line in lines)
    columns = range(len(rounds) + has_so_far + 1)
    names = [line.entrant.player.name for line in lines if line.entrant]
    return {
        "lines": lines,
        "rounds": rounds,
        "columns": columns,
        "has_so_far": has_so_far,
        "letters": letters(names, spare=len(lines) - len(names)),
    }


@fills("record")
def _record(asked: PrintRequest) -> dict[str, object]:
    lines, rounds = queries.record_lines(asked.state), [one.number for one in asked.state.public_rounds]
    return {"lines": lines, "rounds": rounds, "letters": letters([line.longest for line in lines])}


@fills("by-hand")
def _by_hand(asked: PrintRequest) -> dict[str, object]:
    state, number = asked.state, len(asked.state.public_rounds) + 1
    is_over, here = number > asked.event.rounds_planned, len(state.present(number))
    return {
        "title": message("Ranks by hand") if is_over else DOCUMENTS["by-hand"].title,
        "about": "" if is_over else message("Round {number}", number=number),
        "number": number,
        "is_over": is_over,
        "rules": state.rules,
        "minutes": asked.event.minutes,
        "match_points": words.match_points_sentence(state.rules),
        "dice": words.roll_off_sentence(state.rules),
        "tables": range(1, max(here // 2, 3) + 2),
    }


@fills("check-in")
def _check_in(asked: PrintRequest) -> dict[str, object]:
    lines, spare = queries.check_in_lines(asked.state), queries.SPARE_LINES * 2
    names = [entrant.player.name for entrant, _ in lines]
    return {"lines": lines, "spare": range(spare), "letters": letters(names, spare)}


@fills("build-sheets")
def _build_sheets(asked: PrintRequest) -> dict[str, object]:
    return {"builds": build_sheets_of(asked.state)}


@fills("blank-sheet")
def _blank_sheet(asked: PrintRequest) -> dict[str, object]:
    return {"builds": [blank_sheet_of(asked.state)]}


@fills("awards")
def _awards(asked: PrintRequest) -> dict[str, object]:
    found, complete = awards_of(asked.state), len(asked.state.complete_rounds)
    lines = [line for line in found.lines if line.gifts]
    names = [line.entrant.player.name for line in lines]
    prizes = [
        message("{pieces} × {prize}", pieces=pieces, prize=prize.what) if pieces > 1 else prize.what
        for prize, pieces in found.left_over
    ]
    so_far = message("So far, after round {number}", number=complete)
    return {
        "about": message("Final") if asked.state.is_finished else so_far,
        "lines": lines,
        "letters": letters(names, sum(len(line.gifts) - 1 for line in lines)),
        "left_over": message("No player holds the rank for: {prizes}.", prizes=prizes) if prizes else "",
    }


@fills("signatures")
def _signatures(asked: PrintRequest) -> dict[str, object]:
    people = participants_of(asked.state)
    return {
        "about": written(asked.event.starts_at, "long day"),
        "people": people,
        "has_factions": any(one.faction for one in people),
        "spare": range(0 if people else queries.EMPTY_LINES),
    }


@fills("table-numbers")
def _table_numbers(asked: PrintRequest) -> dict[str, object]:
    tables = queries.tables_to_number(asked.state)
    lying = cut_and_stack(len(tables), NUMBERS_PER_PAGE)
    return {"sheets": [[tables[place] for place in sheet] for sheet in lying]}


@fills("tents")
def _tents(asked: PrintRequest) -> dict[str, object]:
    return {"tables": queries.tables_to_number(asked.state)}
