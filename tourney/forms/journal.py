"""What a journal, of an event or of a store, is filtered by."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from tourney.domain.verbs import Kind
from tourney.forms.fields import choice_field
from tourney.models import Entrant, Player
from tourney.runtime.messages import Message, message, pmessage

KINDS: dict[Kind, Message] = {
    Kind.RESULTS: pmessage("in the journal", "Results"),
    Kind.PAIRINGS: pmessage("in the journal", "Rounds and pairings"),
    Kind.CLOCK: pmessage("in the journal", "Clock"),
    Kind.CHECK_IN: pmessage("in the journal", "Check-in"),
    Kind.PLAYERS: pmessage("in the journal", "Registration, factions, drops"),
    Kind.RULINGS: pmessage("in the journal", "Rulings and penalties"),
    Kind.ROLL_OFFS: pmessage("in the journal", "Roll-offs"),
    Kind.REQUESTS: pmessage("in the journal", "Requests from players"),
    Kind.FLEETS: pmessage("in the journal", "Fleets"),
    Kind.TOKEN: pmessage("in the journal", "Commendation Award Token"),
    Kind.SETTINGS: pmessage("in the journal", "Event, settings, announcements"),
    Kind.UNDO: pmessage("in the journal", "Undo and redo"),
}
"""What an event's entries are about, as readers choose it."""
STORE_KINDS: dict[Kind, Message] = {
    Kind.STORE: pmessage("in the journal", "Store and staff"),
    Kind.STORE_PLAYERS: pmessage("in the journal", "Players"),
    Kind.CAMPAIGNS: pmessage("in the journal", "Campaigns"),
    Kind.SETTINGS: pmessage("in the journal", "Events and tables"),
    Kind.PACKS: pmessage("in the journal", "Month packs and cards"),
    Kind.HOUSE_RULES: pmessage("in the journal", "House rulings and Talon classes"),
}
"""The same for what was done at the store itself."""


class Filter(forms.Form):
    """Which entries a journal shows. Nonsense in the address filters nothing."""

    @property
    def query(self) -> str:
        """What was chosen, as it stands in addresses before something else; empty where everything is shown."""
        return "".join(f"{name}={value}&" for name in self.fields if (value := self._chosen(name)))

    @property
    def chosen_kind(self) -> Kind | None:
        """What the entries are about, None for anything."""
        kind = self._chosen("kind")
        return Kind(kind) if kind else None

    def _chosen(self, name: str) -> str:
        self.is_valid()
        return str(self.cleaned_data.get(name) or "")


class StoreJournalForm(Filter):
    """Which entries of the store itself: about a player, of a kind."""

    player = forms.ChoiceField(label=_("Player"), required=False)
    kind = forms.ChoiceField(label=_("Kind"), required=False)

    def __init__(self, *args: Any, players: Iterable[Player], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = {str(one.pk): one for one in players}
        choice_field(self, "player").choices = [
            ("", pgettext("players", "All")),
            *((number, str(one)) for number, one in self.players.items()),
        ]
        choice_field(self, "kind").choices = [("", pgettext("kinds of entries", "All")), *STORE_KINDS.items()]

    @property
    def chosen_player(self) -> Player | None:
        """The player, None for all."""
        return self.players.get(self._chosen("player"))


class JournalForm(Filter):
    """Which entries the journal shows: of a round, of a player, of a kind."""

    round = forms.ChoiceField(label=_("Round"), required=False)
    player = forms.ChoiceField(label=_("Player"), required=False)
    kind = forms.ChoiceField(label=_("Kind"), required=False)

    def __init__(self, *args: Any, rounds: int, entrants: Iterable[Entrant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entrants = {str(one.number): one for one in entrants}
        choice_field(self, "round").choices = [
            ("", pgettext("rounds", "All")),
            *((str(n), message("Round {number}", number=n)) for n in range(1, rounds + 1)),
        ]
        choice_field(self, "player").choices = [
            ("", pgettext("players", "All")),
            *((number, str(one)) for number, one in self.entrants.items()),
        ]
        choice_field(self, "kind").choices = [("", pgettext("kinds of entries", "All")), *KINDS.items()]

    @property
    def chosen_round(self) -> int | None:
        """The number of the round, None for all."""
        return int(self._chosen("round") or 0) or None

    @property
    def chosen_entrant(self) -> Entrant | None:
        """The player, None for all."""
        return self.entrants.get(self._chosen("player"))
