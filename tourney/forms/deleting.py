"""The form of who deletes a store."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tourney.forms.joining import visible
from tourney.models import Store
from tourney.runtime.messages import message


class DeleteStoreForm(forms.Form):
    """No store is deleted by a slip: its name is typed."""

    name = forms.CharField(
        label=_("The name, once more"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
        error_messages={"required": _("Type the name.")},
    )

    def __init__(self, *args: Any, store: Store, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.store = store

    def clean_name(self) -> str:
        """The name that was to be typed. Raises ValidationError for another one."""
        name = visible(self.cleaned_data["name"])
        if name.casefold() != visible(self.store.name).casefold():
            raise ValidationError(str(message("That’s not the name. Type {store}.", store=self.store.name)))
        return name
