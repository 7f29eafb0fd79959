"""What the screens in the room show of an event."""

from dataclasses import dataclass

from django.utils import timezone

from tourney.domain.verbs import Verb
from tourney.models import Announcement, Entrant, Event, JournalEntry
from tourney.queries import public
from tourney.queries.state import EventState
from tourney.runtime.alphabet import alphabetical
from tourney.runtime.messages import Message, message

CLOCK, PAIRINGS, STANDINGS, CODE = PANELS = ("clock", "pairings", "standings", "code")

PANEL_NAMES = (
    (CLOCK, message("Clock")),
    (PAIRINGS, message("Tables, A–Z")),
    (STANDINGS, message("Standings")),
    (CODE, message("Code for phones")),
)

BY_ITSELF = {
    "before": (CLOCK, PAIRINGS, CODE),
    "playing": (CLOCK, PAIRINGS, CODE),
    "counted": (CLOCK, STANDINGS),
    "between": (CLOCK, STANDINGS, CODE),
    "over": (CLOCK, STANDINGS),
    "finished": (CLOCK, STANDINGS),
}
"""What a screen shows at each moment when nobody asked for something else."""


@dataclass(frozen=True, slots=True)
class ScreenChoice:
    """A screen that the desk can choose: its panels as they stand in the address; empty: by itself."""

    name: Message
    show: str
    hint: Message


CHOICES = (
    ScreenChoice(
        message("Automatic"), "", message("Tables during the round, standings in between, the podium at the end.")
    ),
    ScreenChoice(
        message("Clock"), "clock", message("Only the clock and the state of the night: for the far end of the room.")
    ),
    ScreenChoice(message("Tables"), "pairings", message("Everyone’s table, A–Z, across the whole screen.")),
    ScreenChoice(message("Standings"), "standings", message("The ranks after the last complete round.")),
    ScreenChoice(message("Clock and code"), "clock,code", message("The clock, and the code for phones.")),
)


def moment_of(situation: public.EventSituation) -> str:
    """before, playing, counted (all results are in, the round is not closed yet), between, over or finished."""
    if situation.kind == "playing" and situation.round and situation.round.is_complete:
        return "counted"
    return situation.kind


def panels_of(asked: str, moment: str) -> tuple[str, ...]:
    """The panels that the address asks for ("pairings,clock"), or what the screen shows by itself."""
    wanted = asked.split(",")
    return tuple(panel for panel in PANELS if panel in wanted) or BY_ITSELF[moment]


def code_place(asked: str, panels: tuple[str, ...], *, is_announced: bool) -> str:
    """Where the code stands: in "spare" room as long as there is any; where the address asks for it, at the "side".

    An announcement takes the room of a clock with a list beside it: then it stands within the "announcement".
    """
    if CODE not in panels:
        return ""
    if CODE not in asked.split(","):
        return "spare"
    is_full = CLOCK in panels and (PAIRINGS in panels or STANDINGS in panels)
    return "announcement" if is_announced and is_full else "side"


def put_up(event: Event) -> list[tuple[Announcement, JournalEntry | None]]:
    """What is announced now, each with when it was last put up, and by whom."""
    announced = event.announced(timezone.now())
    told = event.journal.filter(did=Verb.ANNOUNCE) if announced else ()
    by_text = {entry.after["announcement"]: entry for entry in told}
    return [(one, by_text.get(one.text)) for one in announced]


def registered(state: EventState) -> list[Entrant]:
    """Who is in and has not left: those checked in first, each A–Z."""
    return sorted(
        (entrant for entrant in state.with_place if entrant.dropped_from is None),
        key=lambda entrant: (not entrant.checked_in, alphabetical(entrant.player.name), entrant.number),
    )
