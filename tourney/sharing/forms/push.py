"""What a browser sends that wants to be told something."""

from collections.abc import Collection

from django import forms
from django.conf import settings
from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _

from tourney.runtime.outgoing import is_public
from tourney.sharing.domain.push import LONGEST, TITLES, PushKind, is_key, is_secret, why_not_told

NOT_UNDERSTOOD = _("This browser’s notifications can’t be used here. Update the browser and try again.")

AS_IT_CAME = {"required": NOT_UNDERSTOOD, "max_length": NOT_UNDERSTOOD}
"""Nobody typed it, and nobody can put it right."""


class PushForm(forms.Form):
    """The browser's subscription (static/js/push.js), and what it is to be told; nothing ends it."""

    endpoint = forms.CharField(max_length=LONGEST, error_messages=AS_IT_CAME)
    public_key = forms.CharField(max_length=100, error_messages=AS_IT_CAME)
    secret = forms.CharField(max_length=100, error_messages=AS_IT_CAME)
    kinds = forms.MultipleChoiceField(required=False, label=_("Notifications"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: object, kinds: Collection[PushKind], **more: object) -> None:
        super().__init__(*args, **more)  # type: ignore[arg-type]
        choices = [(kind.value, lazystr(TITLES[kind])) for kind in kinds]
        self.fields["kinds"].choices = choices  # type: ignore[attr-defined]

    def clean_endpoint(self) -> str:
        """The endpoint, if it is on the internet."""
        endpoint: str = self.cleaned_data["endpoint"]
        why = why_not_told(endpoint, is_public=is_public, allow_loopback=settings.WEBHOOKS_TO_LOOPBACK)
        if why:
            raise forms.ValidationError(str(why))
        return endpoint

    def clean_public_key(self) -> str:
        """The key, if something can be encrypted with it."""
        key: str = self.cleaned_data["public_key"]
        if not is_key(key):
            raise forms.ValidationError(NOT_UNDERSTOOD)
        return key

    def clean_secret(self) -> str:
        """The secret, if it is one."""
        secret: str = self.cleaned_data["secret"]
        if not is_secret(secret):
            raise forms.ValidationError(NOT_UNDERSTOOD)
        return secret

    def clean_kinds(self) -> set[PushKind]:
        """The kinds as such, each once, however often it was sent."""
        return {PushKind(one) for one in self.cleaned_data["kinds"]}
