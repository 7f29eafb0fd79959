"""The Talon power record: a ship in the address, its legal speeds, and a round played impulse by impulse."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url

from fleets.domain.talon_power import (
    CLASSES,
    IMPULSES,
    POWER_PHASE,
    SPENDINGS,
    UNDECIDED,
    Act,
    Curve,
    Played,
    Record,
    Step,
    breaks_apart,
    marks,
    most_markers,
    options,
    played,
    warning,
    why_not,
)
from fleets.domain.talon_words import moment, told, written
from tourney.forms.talon import MOST_LOST, TalonForm, query_of
from tourney.views import shell


@dataclass(frozen=True, slots=True)
class Choice:
    """A step that is offered: a link to the record after it, or a clause why not."""

    step: Step
    name: str
    query: str
    note: str = ""
    why_not: str = ""
    label: str = ""

    @property
    def id(self) -> str:
        return f"do-{written([self.step])}"


@dataclass(frozen=True, slots=True)
class Beat:
    """An impulse of a curve: whether it brings power and moves the ship. `when` is past, now, or empty."""

    letter: str
    power: bool
    moves: bool
    when: str = ""


@dataclass(frozen=True, slots=True)
class Speed:
    """A speed in reach, its modified curve and what the impulses bring with it."""

    choice: Choice
    curve: Curve
    beats: list[Beat]


@dataclass(frozen=True, slots=True)
class Arc:
    """A shield arc: the letter of its reinforcement, empty without one, and what can be done with it."""

    name: str
    letter: str
    is_down: bool
    choices: list[Choice]


@dataclass(frozen=True, slots=True)
class Damage:
    """What damage takes from the Power (2 for −2), and how it can become more or less."""

    name: str
    lost: int
    more: Choice | None
    less: Choice | None


@require_safe
def talon_power(request: HttpRequest) -> HttpResponse:
    """Everything is in the query: the same address shows the same record. 422 where it does not fit together."""
    form = TalonForm(request.GET.dict())
    context = {"form": form, "classes": [(one.name, query_of(one)) for one in CLASSES], "anew": form.query([])}
    if form.is_valid():
        context |= _record(form, played(form.ship, form.steps))
    context["share"] = request.build_absolute_uri(f"{reverse('judge_talon_power')}?{form.query()}")
    status = 200 if form.is_valid() and not context["played"].refused else 422
    response = shell.show(request, "judge/talon.html", context, parts=("talon", "record"), status=status)
    return replace_url(response, context["share"]) if request.htmx.target == "record" else response


def _record(form: TalonForm, found: Played) -> dict:
    """What the page shows of the round so far."""
    now = found.now
    steps = [line.step for line in found.lines]

    def offer(act: Act, number: int = 0, name: str = "", **more: str) -> Choice:
        step = Step(act, number)
        return Choice(step, name, form.query([*steps, step]), why_not=why_not(now, step), **more)

    return {
        "played": found,
        "now": now,
        "moment": moment(now),
        "in_power_phase": now.impulse == POWER_PHASE,
        "is_lost": now.impulse == POWER_PHASE and breaks_apart(now.ship),
        "warning": warning(now.ship),
        "speeds": list(_speeds(now, offer)) if now.impulse == POWER_PHASE else [],
        "beats": _beats(now.curve, now) if now.curve else [],
        "asks_fifth": not now.ship.fifth and _needs_fifth(now),
        "fifths": [(letter, form.query(steps, fifth=letter)) for letter in "DE"],
        "next": offer(Act.NEXT, name=_next_name(now)),
        "next_kind": "button button-quiet" if now.ap else "button button-primary button-large",
        "next_power": next((letter for letter in _later(now) if letter in _powered(now)), ""),
        "spendings": [offer(act, name=name, note=note) for act, (name, note) in SPENDINGS.items()],
        "reinforcements": sorted(
            (offer(Act.REINFORCE, arc, name) for arc, name in enumerate(now.ship.arcs)),
            key=lambda choice: choice.why_not != "",
        ),
        "arcs": list(_arcs(now, offer)),
        "most": most_markers(now.curve.power) if now.curve else None,
        "damages": list(_damages(now, offer)),
        "lines": list(_lines(found, form)),
        "undo": form.query(steps[:-1]) if steps else "",
        "start": form.query([]),
        "go_on": form.query(steps),
        "refused_number": len(steps) + 1,
    }


def _speeds(now: Record, offer) -> Iterator[Speed]:
    for option in options(now.ship):
        speed = option.curve.speed
        name = "Keep speed" if speed == now.ship.speed else "Slow down" if speed < now.ship.speed else "Speed up"
        yield Speed(
            offer(Act.SPEED, speed, name, label=f"{name}: speed {speed}"), option.curve, _beats(option.curve, now)
        )


def _beats(curve: Curve, now: Record) -> list[Beat]:
    powered, moving = marks(curve.power, now.ship.fifth), marks(curve.speed, now.ship.fifth)
    return [Beat(letter, letter in powered, letter in moving, _when(letter, now)) for letter in IMPULSES]


def _when(letter: str, now: Record) -> str:
    if now.impulse == POWER_PHASE or letter > now.impulse:
        return ""
    return "now" if letter == now.impulse else "past"


def _needs_fifth(now: Record) -> bool:
    if now.impulse != POWER_PHASE:
        shown = [now.curve]
    else:
        shown = [option.curve for option in options(now.ship) if not option.why_not]
    return any(UNDECIDED in (curve.power, curve.speed) for curve in shown)


def _next_name(now: Record) -> str:
    then = "the Power Phase" if now.impulse == max(IMPULSES) else f"impulse {chr(ord(now.impulse or '@') + 1)}"
    if now.ap:
        return f"Spend nothing: {'move, then' if now.moves else 'on to'} {then.removeprefix('impulse ')}"
    return f"Move 1 hex, then {then}" if now.moves else f"On to {then}"


def _powered(now: Record) -> tuple[str, ...]:
    return marks(now.curve.power, now.ship.fifth) if now.curve else ()


def _later(now: Record) -> list[str]:
    return [letter for letter in IMPULSES if letter > now.impulse]


def _arcs(now: Record, offer) -> Iterator[Arc]:
    letters = {marker.arc: marker.letter for marker in now.ship.markers}
    for arc, name in enumerate(now.ship.arcs):
        is_down = arc in now.ship.down
        acts = [(Act.ABSORB, "Absorbs 1"), (Act.REMOVE, "Take off")] if arc in letters else []
        acts.append((Act.UP, "Up again") if is_down else (Act.DOWN, "Goes down"))
        yield Arc(
            name, letters.get(arc, ""), is_down, [offer(act, arc, says, label=f"{name}: {says}") for act, says in acts]
        )


def _damages(now: Record, offer) -> Iterator[Damage]:
    for act, name, lost in (
        (Act.HULL, "Hull damage", -now.ship.hull),
        (Act.CRITICALS, "Criticals", -now.ship.criticals),
    ):
        more = offer(act, lost + 1, f"{name}: one point of Power less") if lost < MOST_LOST else None
        less = offer(act, lost - 1, f"{name}: one point of Power more") if lost else None
        yield Damage(name, lost, more, less)


def _lines(found: Played, form: TalonForm) -> Iterator[dict]:
    """The newest first, each with the address of the record before it."""
    steps = [line.step for line in found.lines]
    for count, line in reversed(list(enumerate(found.lines))):
        place, says = f"Round {line.before.round}, {moment(line.before)}", told(line)
        name = "Undo" if line is found.lines[-1] else "Undo to here"
        label = f"{name}, step {count + 1}: {says}"
        yield {"place": place, "says": says, "name": name, "label": label, "undo": form.query(steps[:count])}
