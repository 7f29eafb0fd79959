"""A ship for the Talon power record, as an address or somebody at the table describes it, and what happened to it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _

from tourney.judge.domain.talon_power import ARCS, CLASSES, IMPULSES, MOST, Curve, Marker, ShipState, TalonStep
from tourney.judge.domain.talon_record import MOST_LOST
from tourney.judge.domain.talon_words import curves_of, lost, steps_of, written
from tourney.runtime.messages import message, nmessage, pmessage

MOST_ARCS = 6
NAME_LENGTH = 60
PLAY_LENGTH = 1200
ARC_LENGTH = 20
DOWN = "down"
LOST = [(str(-power), lost(power)) for power in range(MOST_LOST + 1)]
STATES = [
    ("", lazystr(pmessage("a shield arc", "Up"))),
    (DOWN, lazystr(pmessage("a shield arc", "Down"))),
    *((letter, lazystr(message("Reinforced in {impulse}", impulse=letter))) for letter in IMPULSES),
]
FIFTHS = [
    ("", _("Not looked up")),
    *((letter, lazystr(message("In {impulse}", impulse=letter))) for letter in "DE"),
]
NO_ARC = _("Name at least one shield arc.")


def address_of(name: str, curves: str, fifth: str = "") -> str:
    """The address of a ship of this class as it leaves the yard, for whoever looked up the fifth mark of 5."""
    return "?" + urlencode({"name": name, "curves": curves} | ({"fifth": fifth} if fifth else {}))


class TalonClassForm(forms.Form):
    """A class: its name, and its curves as somebody types them."""

    name = forms.CharField(
        label=_("Ship class"),
        max_length=NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "enterkeyhint": "next"}),
        error_messages={
            "required": _("Give the class a name."),
            "max_length": lazystr(message("Use up to {most} characters for the name.", most=NAME_LENGTH)),
        },
    )
    curves = forms.CharField(
        label=_("Power curves"),
        max_length=80,
        help_text=_("Power, Speed, turn radius: one curve per speed, such as 4-2-1 3-3-2. Digits alone are fine."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "numeric", "enterkeyhint": "done"}
        ),
        error_messages={
            "required": _("Type the curves, such as 4-2-1 3-3-2: Power, Speed, turn radius."),
            "max_length": _("There are more curves than speeds on the chart. Type one for each speed."),
        },
    )

    seen = forms.DateTimeField(widget=forms.HiddenInput, required=False)
    """When the class that is changed was saved."""

    def clean_curves(self) -> tuple[Curve, ...]:
        """The power curves in the order of their speeds. Raises ValidationError for what are none."""
        return _understood(curves_of, self.cleaned_data["curves"])

    def look_again(self, saved_at: datetime) -> None:
        """What is stored now has been shown."""
        self.data = {**{name: self.data[name] for name in self.data}, "seen": saved_at.isoformat()}

    @property
    def facts(self) -> dict[str, str]:
        """The class as it is stored."""
        return {"name": self.cleaned_data["name"], "curves": " ".join(map(str, self.cleaned_data["curves"]))}


class TalonForm(TalonClassForm):
    """`ship` as the round begins, and `steps` since then; made from any part of an address, the rest is as usual."""

    field_order = ("speed", "hull", "criticals", "name", "curves")
    states = STATES
    speed = forms.ChoiceField(label=_("Speed now"), choices=[(str(speed), str(speed)) for speed in range(1, MOST + 1)])
    hull = forms.ChoiceField(label=_("Hull damage"), choices=LOST)
    criticals = forms.ChoiceField(label=_("Criticals"), choices=LOST)
    stuck = forms.BooleanField(label=_("Something keeps her from slowing down"), required=False)
    fifth = forms.ChoiceField(
        label=_("Fifth mark for 5"),
        required=False,
        choices=FIFTHS,
        help_text=_("The row for 5 has one more mark, in D or E. Check your impulse chart."),
    )
    arcs = forms.CharField(
        label=_("Shield arcs"),
        max_length=MOST_ARCS * (ARC_LENGTH + 2),
        help_text=lazystr(message("Up to {most} names, separated by commas.", most=MOST_ARCS)),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "enterkeyhint": "done"}),
        error_messages={
            "required": NO_ARC,
            "max_length": lazystr(
                message(
                    "Use up to {most} names with up to {length} characters each.", most=MOST_ARCS, length=ARC_LENGTH
                )
            ),
        },
    )
    play = forms.CharField(
        label=_("Steps so far"),
        required=False,
        max_length=PLAY_LENGTH,
        widget=forms.HiddenInput(attrs={"form": "ship"}),
        error_messages={"max_length": _("These are too many steps for one link. Start the round over.")},
    )

    def __init__(self, query: Mapping[str, str]) -> None:
        super().__init__(_filled(query), label_suffix="")
        for number, name in enumerate(_names(self.data["arcs"]) or [str(message("Arc"))], start=1):
            label = name[:ARC_LENGTH]
            self.fields[f"arc{number}"] = forms.ChoiceField(label=label, required=False, choices=STATES)
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField):
                field.error_messages["invalid_choice"] = _("This isn’t one of the choices. Choose one from the list.")

    @property
    def ship(self) -> ShipState:
        """The ship as it was set up."""
        values = self.cleaned_data
        states = [values[f"arc{number}"] for number in range(1, len(values["arcs"]) + 1)]
        return ShipState(
            curves=values["curves"],
            speed=int(values["speed"]),
            hull=int(values["hull"]),
            criticals=int(values["criticals"]),
            may_slow=not values["stuck"],
            arcs=values["arcs"],
            down=frozenset(arc for arc, state in enumerate(states) if state == DOWN),
            markers=frozenset(Marker(arc, state) for arc, state in enumerate(states) if state in IMPULSES),
            fifth=values["fifth"],
        )

    @property
    def steps(self) -> tuple[TalonStep, ...]:
        """The steps so far, in order."""
        steps: tuple[TalonStep, ...] = self.cleaned_data["play"]
        return steps

    @property
    def arc_fields(self) -> list[BoundField]:
        """The fields of the shield arcs."""
        return [self[name] for name in self.fields if name.startswith("arc") and name != "arcs"]

    @property
    def wrong(self) -> list[tuple[str, str, str]]:
        """What does not fit: the field, its label, and a sentence."""
        return [(field.id_for_label, str(field.label), str(error)) for field in self for error in field.errors]

    @property
    def anew(self) -> str:
        """Where this ship stands before the round."""
        return self.address([])

    @property
    def class_address(self) -> str:
        """Its class alone, as somebody typed it."""
        return address_of(self.data["name"], self.data["curves"])

    @property
    def is_wrong_below(self) -> bool:
        """Whether something does not fit that stands below the first line of the form."""
        return bool(self.errors.keys() - {"speed", "hull", "criticals", "play"})

    def address(self, steps: Iterable[TalonStep] | None = None, **changed: str) -> str:
        """Where this ship stands after these steps, or those it has: "?speed=3&play=v3"; what is usual is left out."""
        data = {**self.data, **changed}
        if steps is not None:
            data["play"] = written(steps)
        named = {name: data.get(name, "") for name in (*(n for n in self.fields if n != "play"), "play")}
        usual = _usual()
        return "?" + urlencode({name: value for name, value in named.items() if value != usual.get(name, "")})

    def clean_play(self) -> tuple[TalonStep, ...]:
        """The steps so far, in order. Raises ValidationError for what are none."""
        return _understood(steps_of, self.cleaned_data["play"])

    def clean_arcs(self) -> tuple[str, ...]:
        """The names of the shield arcs. Raises ValidationError for none, too many, one too long, or one twice."""
        names = _names(self.cleaned_data["arcs"])
        if not names:
            raise ValidationError(NO_ARC)
        if len(names) < len(self.cleaned_data["arcs"].strip(", ").split(",")):
            raise ValidationError(str(message("Type up to {most} names, none of them empty.", most=MOST_ARCS)))
        if longest := next((name for name in names if len(name) > ARC_LENGTH), None):
            raise ValidationError(
                str(message("“{arc}” is too long. Use up to {most} characters per arc.", arc=longest, most=ARC_LENGTH))
            )
        if len({name.casefold() for name in names}) < len(names):
            raise ValidationError(_("Two arcs have the same name. Give each one its own."))
        return tuple(names)

    def clean(self) -> None:
        curves, speed = self.cleaned_data.get("curves"), self.cleaned_data.get("speed")
        if not curves or not speed:
            return
        speeds = [str(curve.speed) for curve in curves]
        if speed not in speeds:
            missing = nmessage(
                "This class has no curve for speed {speed}. Its only speed is {speeds}.",
                "This class has no curve for speed {speed}. Its speeds are {speeds}.",
                len(speeds),
                speed=speed,
                speeds=speeds,
            )
            self.add_error("speed", str(missing))


def _usual() -> dict[str, str]:
    """What an address that does not say it means: the class that ships, with its arcs in the reader's language."""
    return {
        "name": CLASSES[0].name,
        "curves": " ".join(map(str, CLASSES[0].curves)),
        "hull": "0",
        "criticals": "0",
        "arcs": ", ".join(map(str, ARCS)),
    }


def _filled(query: Mapping[str, str]) -> dict[str, str]:
    """The query with what it does not say: the class that ships, its middle speed, nothing damaged."""
    data = _usual() | {name: query[name] for name in query}
    if not data.get("speed"):
        try:
            curves = curves_of(data["curves"])
        except ValueError:
            return data | {"speed": _middle(CLASSES[0].curves)}
        data["speed"] = _middle(curves)
    return data


def _middle(curves: Sequence[Curve]) -> str:
    return str(curves[(len(curves) - 1) // 2].speed)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()][:MOST_ARCS]


def _understood[Meaning](read: Callable[[str], Meaning], text: str) -> Meaning:
    try:
        return read(text)
    except ValueError as error:
        raise ValidationError(str(error)) from None
