"""Forms of fleets: names, cards typed by hand, what somebody writes on a line."""

from base64 import b64decode, b64encode
from typing import Any, TypedDict
from zlib import compress, decompressobj
from zlib import error as CompressionError

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from fleets.domain.card_data import LONGEST, LONGEST_NOTES, MOST_SP
from fleets.domain.cards import FACTIONS, KIND_LABELS, Card, CardKind
from fleets.domain.foreign import one_line
from fleets.domain.intake import MOST_BYTES
from tourney.forms.fields import longest
from tourney.models import Fleet

NUMERIC = {"inputmode": "numeric", "autocomplete": "off"}
NO_FACTION = ("", pgettext_lazy("faction", "None"))
KINDS = [(kind.value, KIND_LABELS[kind]) for kind in CardKind]


def packed(given: bytes | str) -> str:
    """What was given to read, short enough to go to the page and back."""
    return b64encode(compress(given if isinstance(given, bytes) else given.encode(), 9)).decode()


def unpacked(text: str) -> bytes:
    """What was packed, at most a little more than any fleet file has; nothing where it was changed on its way."""
    try:
        return decompressobj().decompress(b64decode(text, validate=True), MOST_BYTES + 1)
    except (ValueError, CompressionError):
        return b""


class NotesForm(forms.Form):
    """Notes about the whole fleet."""

    notes = forms.CharField(
        label=_("Notes"),
        max_length=LONGEST_NOTES,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("Printed on the Fleet Build Sheet."),
    )

    def clean_notes(self) -> str:
        """In one line, without letters that nobody sees."""
        return one_line(self.cleaned_data["notes"], LONGEST_NOTES)


class NameForm(forms.Form):
    """The name of a fleet."""

    name = forms.CharField(
        label=_("Fleet name"),
        max_length=longest(Fleet, "name") - 5,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Name the fleet.")},
    )


class CardForm(forms.Form):
    """Rule 7.15: a card that no catalogue knows: type, title, factions, SP."""

    title = forms.CharField(
        label=_("Card title"),
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Enter the title as printed on the card.")},
    )
    kind = forms.ChoiceField(label=pgettext_lazy("of a card", "Type"), choices=KINDS)
    cost = forms.IntegerField(
        label=_("SP"),
        min_value=0,
        max_value=MOST_SP,
        widget=forms.NumberInput(attrs=NUMERIC),
        error_messages={"required": _("Enter the card’s cost, or 0.")},
    )
    faction = forms.ChoiceField(label=_("Faction"), choices=[NO_FACTION, *FACTIONS.items()], required=False)
    second = forms.ChoiceField(label=_("Second faction"), choices=[NO_FACTION, *FACTIONS.items()], required=False)
    booster = forms.BooleanField(label=_("From the blind booster"), required=False)

    def __init__(self, *args: Any, booster: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not booster:
            del self.fields["booster"]

    def clean_title(self) -> str:
        """The title without letters that nobody sees: no sheet holds them."""
        title = one_line(self.cleaned_data["title"])
        if not title:
            raise forms.ValidationError(self.fields["title"].error_messages["required"])
        return title

    @property
    def card(self) -> Card:
        """The card that was typed."""
        facts = self.cleaned_data
        codes = dict.fromkeys(code for code in (facts["faction"], facts["second"]) if code)
        return Card(CardKind(facts["kind"]), facts["title"], tuple(codes), facts["cost"])


class LineWords(TypedDict):
    """What `editing.write` writes on a line."""

    cost_by_hand: int | None
    note: str
    booster: bool


class LineForm(forms.Form):
    """What somebody writes on a line instead of what the rules make of it."""

    cost_by_hand = forms.IntegerField(
        label=_("SP by hand"),
        min_value=0,
        max_value=MOST_SP,
        required=False,
        widget=forms.NumberInput(attrs=NUMERIC),
        help_text=_("Leave empty to use the calculated cost."),
    )
    note = forms.CharField(
        label=_("Note"), max_length=LONGEST, required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    booster = forms.BooleanField(label=_("From the blind booster"), required=False)

    def __init__(self, *args: Any, booster: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not booster:
            del self.fields["booster"]

    @property
    def words(self) -> LineWords:
        """The arguments of `editing.write`."""
        facts = self.cleaned_data
        note = one_line(facts["note"])
        return {"cost_by_hand": facts["cost_by_hand"], "note": note, "booster": facts.get("booster", False)}


class ImportForm(forms.Form):
    """A fleet from elsewhere: a file, or text that is pasted."""

    text = forms.CharField(
        label=_("Paste a fleet"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
        help_text=_("Text or a link from another fleet builder, table rows, or one card per line: Kestrel 20 SP."),
    )
    file = forms.FileField(
        label=_("Or choose a file"),
        required=False,
        allow_empty_file=True,
        help_text=_(".spacedock, .spacedocksquads, CSV, or a Flagship fleet file."),
    )

    packed = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)

    @property
    def chosen(self) -> frozenset[int]:
        """The places of the fleets that were chosen among those of the file."""
        sent = self.data.getlist("chosen") if isinstance(self.data, QueryDict) else []
        return frozenset(int(one) for one in sent if one.isdecimal() and len(one) < 5)

    @property
    def is_choice(self) -> bool:
        """Whether the fleets of the file were shown, and some could be chosen."""
        return bool(self.cleaned_data.get("packed"))

    def clean(self) -> dict[str, object]:
        if self.cleaned_data.get("packed"):
            return self.cleaned_data
        if not self.errors and not self.cleaned_data.get("file") and not self.cleaned_data.get("text", "").strip():
            raise forms.ValidationError(_("Paste a fleet or choose a file."))
        return self.cleaned_data

    @property
    def given(self) -> bytes | str:
        """What to read; at most a little more than any fleet file has."""
        if self.is_choice:
            return unpacked(self.cleaned_data["packed"])
        file = self.cleaned_data.get("file")
        given: bytes | str = file.read(MOST_BYTES + 1) if file else self.cleaned_data["text"]
        return given
