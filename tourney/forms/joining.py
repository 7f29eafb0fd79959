"""The form with which a player registers alone: a name, and a faction where the month has allegiance."""

import unicodedata

from django import forms
from django.core.exceptions import ValidationError

from tourney.forms.players import FACTION_LENGTH, NAME_LENGTH
from tourney.models import Event

MOST_ENTRANTS = 200


class JoinForm(forms.Form):
    """`person` is the (name, faction) to register, cleaned of what cannot be seen."""

    name = forms.CharField(
        label="Your name",
        max_length=NAME_LENGTH,
        help_text="As it should stand in the pairings. At your next event here, use the same name.",
        widget=forms.TextInput(
            attrs={
                "autocomplete": "nickname",
                "autocapitalize": "words",
                "spellcheck": "false",
                "enterkeyhint": "done",
            }
        ),
        error_messages={"required": "Write the name you play under."},
    )

    def __init__(self, *args, event: Event, **kwargs):
        super().__init__(*args, **kwargs)
        self.event = event
        if event.rules.allegiance:
            self.fields["faction"] = _faction_field(event.rules.factions)

    @property
    def person(self) -> tuple[str, str]:
        return self.cleaned_data["name"], self.cleaned_data.get("faction", "")

    def clean_name(self) -> str:
        name = visible(self.cleaned_data["name"])
        if not any(letter.isalnum() for letter in name):
            raise ValidationError("Write a name with at least one letter or digit.")
        if self.event.store.players.filter(name__iexact=name).exclude(forgotten_at=None).exists():
            raise ValidationError("This stands for somebody who is forgotten here. Choose another name.")
        return name

    def clean_faction(self) -> str:
        """Where the faction is typed, capitals follow who declared the same one before, so that their points add up."""
        faction = visible(self.cleaned_data["faction"])
        if self.event.rules.factions or not faction:
            return faction
        declared = self.event.entrants.filter(faction__iexact=faction).order_by("number")
        return declared.values_list("faction", flat=True).first() or faction

    def clean(self) -> None:
        if self.event.entrants.count() >= MOST_ENTRANTS:
            raise ValidationError(
                f"{MOST_ENTRANTS} players are registered, and this page takes no more. Ask at the counter."
            )


def visible(text: str) -> str:
    """The text without control and other invisible characters, words divided by one space."""
    spaced = (" " if letter.isspace() else letter for letter in text)
    return " ".join("".join(letter for letter in spaced if unicodedata.category(letter)[0] != "C").split())


def _faction_field(factions: tuple[str, ...]) -> forms.Field:
    missing = {"required": "Declare the faction you play for."}
    if factions:
        choices = [(name, name) for name in factions]
        return forms.ChoiceField(
            label="Your faction", choices=choices, widget=forms.RadioSelect, error_messages=missing
        )
    return forms.CharField(
        label="Your faction",
        max_length=FACTION_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "list": "factions"}),
        error_messages=missing,
    )
