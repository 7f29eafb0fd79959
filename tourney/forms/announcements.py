"""What the desk tells everybody."""

from django import forms
from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import WholeNumberInput
from tourney.runtime.messages import message

LENGTH = 200
MOST_MINUTES = 600


class AnnouncementForm(forms.Form):
    """A sentence, and for how long it is shown."""

    text = forms.CharField(
        label=_("Announcement"),
        max_length=LENGTH,
        help_text=lazystr(message("Up to {most} characters, on every screen and phone. Keep it short.", most=LENGTH)),
        widget=forms.Textarea(
            attrs={"rows": 3, "data-count": True, "placeholder": _("Pizza is here. Round 2 starts at 19:50.")}
        ),
        error_messages={"required": _("Type what everyone should know.")},
    )
    minutes = forms.IntegerField(
        label=_("For how long"),
        required=False,
        min_value=1,
        max_value=MOST_MINUTES,
        help_text=_("Empty: until you take it down."),
        widget=WholeNumberInput(),
    )

    def clean_text(self) -> str:
        """The text in one line."""
        return " ".join(self.cleaned_data["text"].split())
