"""Forms about the players of a store: whom to forget, and who are one."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tourney.forms.joining import visible
from tourney.models import Player
from tourney.runtime.alphabet import alphabetical_in_database
from tourney.runtime.messages import message


class EraseForm(forms.Form):
    """Nobody is erased by a slip: the name is typed."""

    name = forms.CharField(
        label=_("The name, once more"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
        error_messages={"required": _("Type the name.")},
    )

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player

    def clean_name(self) -> str:
        """The name that was to be typed. Raises ValidationError for another one."""
        name = visible(self.cleaned_data["name"])
        if name.casefold() != self.player.name.casefold():
            raise ValidationError(str(message("That’s not the name. Type {player}.", player=self.player.name)))
        return name


class MergeForm(forms.Form):
    """Which other player of the store is the same person."""

    other = forms.ModelChoiceField(
        Player.objects.none(),
        label=_("The same person is also called"),
        empty_label=_("Choose a name"),
        error_messages={
            "required": _("Choose the other name."),
            "invalid_choice": _("This player no longer exists. Choose another name."),
        },
    )

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = player.store.players.not_merged().filter(forgotten_at=None).exclude(pk=player.pk)
        other = self.fields["other"]
        if isinstance(other, forms.ModelChoiceField):
            other.queryset = others.select_related("store").order_by(alphabetical_in_database("name"), "pk")
