"""The form with which a player registers alone, and the desk's forms about registration by phone."""

import re
import secrets
import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tourney.domain.joining import LONGEST_WORD, SHORTEST_WORD, is_word, plain_word
from tourney.forms.entrants import FACTION_LENGTH, NAME_LENGTH
from tourney.models import Event, Player
from tourney.runtime.messages import message

KEY = re.compile("[0-9a-f]{32}")
WHERE = _("It’s on the screen and on the sign at the counter.")
WRONG = _("That’s not the join code. It’s on the screen and on the sign at the counter.")


class JoinForm(forms.Form):
    """`person` is the (name, faction) to register, cleaned of what cannot be seen; `key` names this form.

    Where the event asks for tonight's word, `holder`, whose card the device holds, needs none to register themselves,
    and staff never does.
    """

    name = forms.CharField(
        label=_("Your name"),
        max_length=NAME_LENGTH,
        help_text=_("As it should appear in the pairings. At your next event here, use the same name."),
        widget=forms.TextInput(
            attrs={
                "autocomplete": "nickname",
                "autocapitalize": "words",
                "spellcheck": "false",
                "enterkeyhint": "done",
            }
        ),
        error_messages={"required": _("Enter the name you play under.")},
    )

    def __init__(
        self, *args: Any, event: Event, holder: Player | None = None, is_staff: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.event, self.holder, self.is_staff = event, holder, is_staff
        self.guessed_word = False
        if event.rules.allegiance:
            self.fields["faction"] = own_faction_field(event.rules.factions)
        if event.join_word and not is_staff:
            self.fields["word"] = _word_field(holder)

    @property
    def key(self) -> str:
        """What the page gave this form, so that it counts once however often it is sent; "" for anything else."""
        key = self.data.get("key", "")
        return key if KEY.fullmatch(key) else ""

    @property
    def next_key(self) -> str:
        """The key for showing the form: again the same, or a new one."""
        return self.key or secrets.token_hex(16)

    @property
    def typed_name(self) -> str:
        """The name as it would be cleaned, whatever else is wrong with the form."""
        return visible(self.data.get("name", ""))[:NAME_LENGTH]

    @property
    def is_known(self) -> bool:
        """Whether staff registers somebody, or a player with their card themselves."""
        return self.is_staff or bool(self.holder and self.typed_name.casefold() == self.holder.full_name.casefold())

    @property
    def person(self) -> tuple[str, str]:
        """Name and faction of the player to register."""
        return self.cleaned_data["name"], self.cleaned_data.get("faction", "")

    def clean_name(self) -> str:
        """The name without what nobody sees. Raises ValidationError for one that nobody can play under."""
        name = visible(self.cleaned_data["name"])
        if not any(letter.isalnum() for letter in name):
            raise ValidationError(_("Enter a name with at least one letter or digit."))
        if self.event.store.players.filter(name__iexact=name).exclude(forgotten_at=None).exists():
            raise ValidationError(_("That name marks a player whose data was erased. Choose another name."))
        return name

    def clean_faction(self) -> str:
        """Where the faction is typed, capitals follow who declared the same one before, so that their points add up."""
        faction = visible(self.cleaned_data["faction"])
        return as_declared(self.event, faction)

    def clean_word(self) -> str:
        """The word as typed; a wrong one is noted in `guessed_word`."""
        word: str = self.cleaned_data["word"]
        if self.is_known or is_word(word, self.event.join_word):
            return word
        if not plain_word(word):
            raise ValidationError(_("Enter the join code. It’s on the screen and on the sign at the counter."))
        self.guessed_word = True
        raise ValidationError(WRONG)


def as_declared(event: Event, faction: str) -> str:
    """A typed faction as it was first declared at the event, whatever its capitals; one of the month's as it is."""
    if event.rules.factions or not faction:
        return faction
    declared = event.entrants.filter(faction__iexact=faction).order_by("number")
    return declared.values_list("faction", flat=True).first() or faction


def visible(text: str) -> str:
    """The text without control and other invisible characters, words divided by one space."""
    spaced = (" " if letter.isspace() else letter for letter in text)
    return " ".join("".join(letter for letter in spaced if unicodedata.category(letter)[0] != "C").split())


class WordForm(forms.Form):
    """Tonight's word, as the desk would have it; empty: a new one."""

    word = forms.CharField(
        label=_("Your own join code"),
        max_length=LONGEST_WORD,
        required=False,
        help_text=_("Leave it empty to get a random one."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_word(self) -> str:
        """The word with single spaces, "" for a new one. Raises ValidationError for one that is too short."""
        word = visible(self.cleaned_data["word"])
        if word and len(plain_word(word)) < SHORTEST_WORD:
            raise ValidationError(str(message("Use at least {least} letters or digits.", least=SHORTEST_WORD)))
        return word


def _word_field(holder: Player | None) -> forms.Field:
    where: Any = WHERE
    if holder:
        where = message(
            "It’s on the screen and on the sign at the counter. Leave it empty if you’re {player}.",
            player=holder.full_name,
        )
    return forms.CharField(
        label=_("Join code"),
        max_length=40,
        required=False,
        help_text=where,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
        error_messages={"max_length": WRONG},
    )


def own_faction_field(factions: tuple[str, ...]) -> forms.Field:
    """The faction that a player declares: one of these, or, where there are none, what they type."""
    missing = {"required": _("Choose the faction you play for.")}
    if factions:
        choices = [(name, name) for name in factions]
        return forms.ChoiceField(
            label=_("Your faction"), choices=choices, widget=forms.RadioSelect, error_messages=missing
        )
    return forms.CharField(
        label=_("Your faction"),
        max_length=FACTION_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "list": "factions"}),
        error_messages=missing,
    )
