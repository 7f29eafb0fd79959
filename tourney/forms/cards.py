"""The form that takes a card catalogue."""

from django import forms
from django.core.exceptions import ValidationError

from fleets.catalogue import read_file
from fleets.domain.space_dock import MOST_BYTES, Catalogue, NotACatalogue


class CatalogueForm(forms.Form):
    """A file of cards; `cleaned_data["file"]` is the catalogue that was read and its source."""

    file = forms.FileField(
        label="File of cards",
        help_text="Data.xml of Space Dock, or a CSV table of your own. At most 20 MB.",
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".xml,.csv,text/xml,text/csv"}),
        error_messages={
            "required": "Choose a file first.",
            "missing": "Choose a file first.",
            "invalid": "Choose a file first.",
            "max_length": "The name of the file is too long. Rename it, and choose it again.",
        },
    )

    def clean_file(self) -> tuple[Catalogue, str]:
        """The catalogue that the file holds, and its source. Raises ValidationError for what is no catalogue."""
        upload = self.cleaned_data["file"]
        data = upload.read(MOST_BYTES + 1)
        try:
            return read_file(upload.name, data)
        except NotACatalogue as error:
            raise ValidationError(str(error)) from error
