"""The forms of a player who comes again: what to join with, and another faction before round 1."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tourney.forms.joining import as_declared, own_faction_field, visible
from tourney.models import Event, Fleet


class OwnFactionForm(forms.Form):
    """The faction that the player declares at the event; nothing is asked in a month without (rule 1.4)."""

    def __init__(self, *args: Any, event: Event, **more: Any) -> None:
        super().__init__(*args, **{"auto_id": f"id_own_{event.pk}_%s"} | more)
        self.event = event
        if event.rules.allegiance:
            self.fields["faction"] = own_faction_field(event.rules.factions)

    @property
    def chosen_faction(self) -> str:
        """The faction as it is to be saved."""
        return as_declared(self.event, visible(self.cleaned_data.get("faction", "")))


class ComeForm(OwnFactionForm):
    """What a player whose card the phone holds joins with: the faction, and one of their fleets or none."""

    def __init__(self, *args: Any, fleets: Iterable[Fleet], **more: Any) -> None:
        super().__init__(*args, **more)
        self._fleets = {str(fleet.pk): fleet for fleet in fleets}
        if self._fleets:
            choices = [("", _("No fleet yet")), *((pk, fleet.name) for pk, fleet in self._fleets.items())]
            self.fields["fleet"] = forms.ChoiceField(label=_("Your fleet"), choices=choices, required=False)

    @property
    def chosen_fleet(self) -> Fleet | None:
        """The fleet to enter."""
        return self._fleets.get(self.cleaned_data.get("fleet", ""))
