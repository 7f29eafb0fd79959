"""The form of a store's look."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from tourney.domain.branding import hex_color
from tourney.domain.pictures import MOST_BYTES, NotAPicture, Picture, read_picture
from tourney.models import Store

NO_FILE = _("Choose a file first.")


class LookForm(forms.Form):
    """A color as `#rrggbb`, or empty; `cleaned_data["logo"]` is the picture that was read, None without a new one."""

    accent = forms.CharField(
        label=_("Color"),
        max_length=20,
        required=False,
        help_text=_("Six digits or letters A to F, like #1A5FAE. Leave it empty for Flagship’s own colors."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    logo = forms.FileField(
        label=_("Logo"),
        required=False,
        help_text=_("PNG, JPEG or WebP, at most 256 kB and 2,000 × 2,000 pixels. The logo is shown on white."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        error_messages={
            "invalid": NO_FILE,
            "missing": NO_FILE,
            "empty": _("This file is empty. Choose another one."),
            "max_length": _("The file name is too long. Rename the file and choose it again."),
        },
    )
    remove_logo = forms.BooleanField(label=_("Remove logo"), required=False)

    def __init__(
        self, data: QueryDict | None, files: MultiValueDict[str, UploadedFile[Any]] | None, store: Store
    ) -> None:
        super().__init__(data, files, initial={"accent": store.accent})
        if not store.logo:
            del self.fields["remove_logo"]

    def clean_accent(self) -> str:
        """The color in the form in which it is stored. Raises ValidationError for what is none."""
        typed: str = self.cleaned_data["accent"]
        try:
            return hex_color(typed) if typed else ""
        except ValueError as error:
            raise ValidationError(_("This isn’t a color. Type six digits or letters A to F, like #1A5FAE.")) from error

    def clean_logo(self) -> Picture | None:
        """The picture in the file. Raises ValidationError, with the reason, for what is not taken."""
        upload = self.cleaned_data["logo"]
        try:
            return read_picture(upload.read(MOST_BYTES + 1)) if upload else None
        except NotAPicture as error:
            raise ValidationError(str(error.reason)) from error
