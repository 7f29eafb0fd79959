"""The form that takes a month pack as a file."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.domain import pack_file
from scoring.domain.pack import MonthPack
from tourney.month_packs.forms.typed import MOST_ROWS
from tourney.runtime.isolated import call_if_large
from tourney.runtime.messages import Message, message


class PackFileForm(forms.Form):
    """A file, or its text. `rules` and `source` of a valid form; the text of a file that cannot be read is kept."""

    file = forms.FileField(
        label=_("Month pack file"),
        help_text=_("A .toml file exported from a pack’s page. At most 64 KB."),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".toml,application/toml"}),
    )
    text = forms.CharField(
        label=_("Or paste its text"),
        help_text=_("Paste the file’s text here, or correct what couldn’t be read."),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 12, "spellcheck": "false", "autocapitalize": "none", "class": "pack-text"}
        ),
    )

    rules: MonthPack
    source: str | Message = message("pasted text")

    def clean(self) -> dict[str, object]:
        upload, file = self.cleaned_data.get("file"), b""
        if upload:
            self.source, file = upload.name[:80], upload.read(pack_file.MOST_BYTES + 1)
        given: bytes | str = file if upload else self.cleaned_data.get("text") or ""
        if not given.strip():
            raise ValidationError(_("Choose a file, or paste its text."))
        try:
            self.rules = call_if_large(pack_file.read, given, refusal=pack_file.NotAPack)
        except pack_file.NotAPack as error:
            if upload:
                self._keep(file)
            raise ValidationError(list(error.reasons)) from error
        if max(len(self.rules.tallies), len(self.rules.bonuses)) > MOST_ROWS:
            raise ValidationError(
                str(message("The pack has too many counts or bonuses; the most is {most} of each.", most=MOST_ROWS))
            )
        return self.cleaned_data

    def _keep(self, given: bytes) -> None:
        """Show the file's text, so that it can be put right on the page."""
        if len(given) <= pack_file.MOST_BYTES:
            self.data = {**self.data, "text": given.decode("utf-8", "replace").replace("\0", "�")}
