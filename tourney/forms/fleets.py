"""Forms of fleets: names, cards typed by hand, what somebody writes on a line."""

from django import forms

from fleets.domain.card_data import LONGEST, MOST_SP
from fleets.domain.cards import FACTIONS, Card, Kind
from tourney.models import Fleet

NUMERIC = {"inputmode": "numeric", "autocomplete": "off"}
NO_FACTION = ("", "None")
KINDS = [(kind.value, kind.value.capitalize()) for kind in Kind]


class NameForm(forms.Form):
    """The name of a fleet."""

    name = forms.CharField(
        label="Name of the fleet",
        max_length=Fleet._meta.get_field("name").max_length - 5,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Give the fleet a name."},
    )


class CardForm(forms.Form):
    """Rule 7.15: a card that no catalogue knows: type, title, factions, SP."""

    title = forms.CharField(
        label="Title",
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Type the title as it stands on the card."},
    )
    kind = forms.ChoiceField(label="Type", choices=KINDS)
    cost = forms.IntegerField(
        label="SP",
        min_value=0,
        max_value=MOST_SP,
        widget=forms.NumberInput(attrs=NUMERIC),
        error_messages={"required": "Type what the card costs, 0 if nothing."},
    )
    faction = forms.ChoiceField(label="Faction", choices=[NO_FACTION, *FACTIONS.items()], required=False)
    second = forms.ChoiceField(label="Second faction", choices=[NO_FACTION, *FACTIONS.items()], required=False)
    booster = forms.BooleanField(label="From the blind booster", required=False)

    def __init__(self, *args, booster: bool = False, **kwargs):
        super().__init__(*args, **kwargs)
        if not booster:
            del self.fields["booster"]

    @property
    def card(self) -> Card:
        """The card that was typed."""
        facts = self.cleaned_data
        codes = dict.fromkeys(code for code in (facts["faction"], facts["second"]) if code)
        title = " ".join(facts["title"].split())
        return Card(Kind(facts["kind"]), title, tuple(codes), facts["cost"])


class LineForm(forms.Form):
    """What somebody writes on a line instead of what the rules make of it."""

    cost_by_hand = forms.IntegerField(
        label="SP by hand",
        min_value=0,
        max_value=MOST_SP,
        required=False,
        widget=forms.NumberInput(attrs=NUMERIC),
        help_text="Leave it empty to let the rules count.",
    )
    note = forms.CharField(
        label="Note", max_length=LONGEST, required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    booster = forms.BooleanField(label="From the blind booster", required=False)

    def __init__(self, *args, booster: bool = False, **kwargs):
        super().__init__(*args, **kwargs)
        if not booster:
            del self.fields["booster"]

    @property
    def words(self) -> dict:
        """The arguments of `editing.write`."""
        facts = self.cleaned_data
        note = " ".join(facts["note"].split())
        return {"cost_by_hand": facts["cost_by_hand"], "note": note, "booster": facts.get("booster", False)}
