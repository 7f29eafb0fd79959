"""Forms of the players of an event: many names at once, one at a time, allegiance, drop."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazystr
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from scoring.domain.pack import MonthPack
from tourney.forms.fields import longest
from tourney.models import Entrant, Player
from tourney.runtime.messages import message

NAME_LENGTH = longest(Player, "name")
FACTION_LENGTH = longest(Entrant, "faction")
MOST_LINES = 300
LONGEST_LIST = 50_000


class NoFaction(ValueError):
    """A text that names no faction of the month; the message says what is allowed."""


def faction_of(text: str, rules: MonthPack) -> str:
    """Rule 1.4: the faction meant by its name or the beginning of it, capitals aside; "" for nothing.

    A month with allegiance and no list takes any text; without allegiance there is none. Raises NoFaction.
    """
    text = " ".join(text.split())
    if not text or not rules.allegiance:
        return ""
    if not rules.factions:
        if len(text) > FACTION_LENGTH:
            raise NoFaction(
                message(
                    "“{text}” is too long for a faction. Use at most {most} letters.", text=text, most=FACTION_LENGTH
                )
            )
        return text
    key = text.casefold()
    meant = [name for name in rules.factions if name.casefold() == key]
    meant = meant or [name for name in rules.factions if name.casefold().startswith(key)]
    if len(meant) > 1:
        raise NoFaction(
            message(
                "“{text}” could mean more than one faction: {factions}. Type more letters.", text=text, factions=meant
            )
        )
    if not meant:
        raise NoFaction(
            message("“{text}” isn’t a faction this month. Choose from {factions}.", text=text, factions=rules.factions)
        )
    return meant[0]


@dataclass(frozen=True, slots=True)
class Names:
    """A list as it was read: (name, faction) pairs, and the factions left out because the month has none."""

    people: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...] = ()


def read_names(text: str, rules: MonthPack) -> Names:
    """One name per line, then maybe a comma and a faction. Raises ValidationError with every bad line."""
    people, left_out, errors = [], [], []
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) > MOST_LINES:
        raise ValidationError(
            str(
                message(
                    "{count} names are too many. Register at most {most} at a time.", count=len(lines), most=MOST_LINES
                )
            )
        )
    for number, line in lines:
        name, faction = _parts(line)
        try:
            people.append((_name(name), faction_of(faction, rules)))
        except ValueError as error:
            errors.append(message("Line {number}: {problem}", number=number, problem=error.args[0]))
        if faction and not rules.allegiance:
            left_out.append(faction)
    if errors:
        raise ValidationError(errors)
    return Names(tuple(people), tuple(left_out))


NUMBERING = re.compile(r"^\s*(?:\(?[0-9]{1,4}(?:[.):]|\t)\s*|[-*•]\s+)")
"""What stands before a name in a list of another program: “1. Talon”, “(2) Talon”, a number and a tab, “- Talon”."""
ADDRESS = re.compile(r"<?[^\s,;@<>]+@[^\s,;@<>]+\.[^\s,;@<>]+>?")


def _parts(line: str) -> tuple[str, str]:
    """Name and faction of a line, without its numbering, e-mail addresses and empty columns."""
    plain = ADDRESS.sub("", NUMBERING.sub("", line.strip(" "), count=1))
    name, *rest = [" ".join(column.split()) for column in re.split(r"[,;\t]", plain)]
    return name, " ".join(filter(None, rest))


def _name(name: str) -> str:
    if not name:
        raise ValueError(message("There is no name before the comma."))
    if len(name) > NAME_LENGTH:
        raise ValueError(
            message("“{name}…” is too long for a name. Use at most {most} letters.", name=name[:20], most=NAME_LENGTH)
        )
    return name


class RenameForm(forms.Form):
    """What a player is called."""

    name = forms.CharField(
        label=_("Name"),
        max_length=NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": _("Enter the player’s name.")},
    )

    def __init__(self, data: Mapping[str, Any] | None = None, **more: Any) -> None:
        super().__init__(data, auto_id="id_rename_%s", **more)

    def clean_name(self) -> str:
        """The name with single spaces."""
        return " ".join(self.cleaned_data["name"].split())


class ManyForm(forms.Form):
    """A pasted or typed list; `cleaned_data["names"]` is a `Names`."""

    names = forms.CharField(
        label=_("One name per line"),
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
        max_length=LONGEST_LIST,
        error_messages={
            "required": _("Enter at least one name."),
            "max_length": format_lazy(
                _("The list is too long. Register at most {most} players at a time."), most=MOST_LINES
            ),
        },
    )
    here = forms.BooleanField(label=_("Check them in"), required=False)

    def __init__(self, data: Mapping[str, Any] | None = None, *, rules: MonthPack, **more: Any) -> None:
        super().__init__(data, auto_id="id_many_%s", **more)
        self.rules = rules
        if rules.factions:
            self.fields["names"].help_text = lazystr(
                message(
                    "Optional: a comma and a faction ({factions}). The first letters are enough.",
                    factions=rules.factions,
                )
            )
        elif rules.allegiance:
            self.fields["names"].help_text = _("Optional: a comma and a faction.")

    def clean_names(self) -> Names:
        """The people of the list. Raises ValidationError for a line that is none."""
        return read_names(self.cleaned_data["names"], self.rules)


class OneForm(forms.Form):
    """One player: a name, those known at the store suggested (datalist `known-players`), and the faction."""

    name = forms.CharField(
        label=_("Name"),
        max_length=NAME_LENGTH,
        widget=forms.TextInput(attrs={"list": "known-players", "autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": _("Enter the player’s name.")},
    )
    here = forms.BooleanField(label=_("Check in"), required=False, initial=True)

    field_order = ("name", "faction", "here")

    def __init__(self, data: Mapping[str, Any] | None = None, *, rules: MonthPack, **more: Any) -> None:
        super().__init__(data, auto_id="id_one_%s", **more)
        if rules.allegiance:
            self.fields["faction"] = faction_field(rules)
            self.order_fields(self.field_order)

    def clean_name(self) -> str:
        """The name with single spaces."""
        return " ".join(self.cleaned_data["name"].split())

    @property
    def person(self) -> tuple[str, str]:
        """Name and faction of the player to register."""
        return self.cleaned_data["name"], self.cleaned_data.get("faction", "")


class FactionForm(forms.Form):
    """A changed allegiance, with its reason once round 1 is public (rule 1.4)."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("Round 1 is published, so the reason goes in the journal."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Give a reason for changing the faction (rule 1.4).")},
    )

    def __init__(self, *args: Any, rules: MonthPack, needs_reason: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = {"faction": faction_field(rules)} | (self.fields if needs_reason else {})


class DeclareForm(forms.Form):
    """A first allegiance, chosen or typed at the list of those who have none (rule 1.4)."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, rules: MonthPack, **more: Any) -> None:
        super().__init__(data, **more)
        field = faction_field(rules)
        field.required = True
        field.error_messages["required"] = _("Choose a faction, or press “No faction”.")
        self.fields["faction"] = field


class DropForm(forms.Form):
    """Why somebody leaves, if anybody wants to know."""

    reason = forms.CharField(
        label=_("Reason"), max_length=200, required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, data: Mapping[str, Any] | None = None, **more: Any) -> None:
        super().__init__(data, auto_id="id_drop_%s", **more)


def faction_field(rules: MonthPack) -> forms.Field:
    """The month's factions to choose from, or a line to type one where the month has no list."""
    if rules.factions:
        choices = [("", _("Not declared yet")), *((name, name) for name in rules.factions)]
        return forms.ChoiceField(label=_("Faction"), choices=choices, required=False)
    return forms.CharField(
        label=_("Faction"),
        max_length=FACTION_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class FilterForm(forms.Form):
    """Which players the list shows. Nonsense in the address shows everybody."""

    SHOWS = (
        ("", _("All")),
        ("waiting", _("Not checked in")),
        ("present", _("Checked in")),
        ("queued", _("Waiting list")),
        ("no_faction", _("No faction")),
        ("no_fleet", _("No fleet")),
        ("dropped", _("Dropped")),
    )
    SORTS = (
        ("", _("By name")),
        ("faction", _("By faction")),
        ("order", _("By registration")),
        ("state", _("Not checked in first")),
    )

    q = forms.CharField(
        label=_("Find a player"),
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off", "placeholder": _("Name")}),
    )
    show = forms.ChoiceField(label=_("Show"), choices=SHOWS, required=False)
    sort = forms.ChoiceField(choices=SORTS, required=False, widget=forms.HiddenInput)

    def chosen(self) -> tuple[str, str, str]:
        """The text and the group to filter by, and the order; empty where none is chosen."""
        self.is_valid()
        text, show, sort = (self.cleaned_data.get(name, "") for name in ("q", "show", "sort"))
        return text, show, sort
