"""The form that takes a card catalogue."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from fleets.catalogue import read_file
from fleets.domain.space_dock import MOST_BYTES, Catalogue, NotACatalogue


class CatalogueForm(forms.Form):
    """A file of cards; `cleaned_data["file"]` is the catalogue that was read and its source."""

    file = forms.FileField(
        label=_("Card file"),
        help_text=_("Space Dock’s Data.xml or your own CSV table. Up to 20 MB."),
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".xml,.csv,text/xml,text/csv"}),
        error_messages={
            "required": _("Choose a file first."),
            "missing": _("Choose a file first."),
            "invalid": _("Choose a file first."),
            "max_length": _("The file name is too long. Rename the file and choose it again."),
        },
    )

    def clean_file(self) -> tuple[Catalogue, str]:
        """The catalogue that the file holds, and its source. Raises ValidationError for what is no catalogue."""
        upload = self.cleaned_data["file"]
        data = upload.read(MOST_BYTES + 1)
        try:
            return read_file(upload.name, data)
        except NotACatalogue as error:
            raise ValidationError(error.args[0]) from error
