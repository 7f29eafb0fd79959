"""The form of a store's webhook."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _

from tourney.models import Webhook, WebhookFormat
from tourney.runtime.outgoing import is_public
from tourney.sharing.domain.webhooks import CHOICES, LONGEST, why_not_there
from tourney.sharing.queries.webhook_log import TITLES


class WebhookForm(forms.Form):
    """Where a store's news goes, in which form, and which."""

    address = forms.CharField(
        label=_("Address"),
        max_length=LONGEST,
        help_text=_("Copy it from the program that receives the messages. In Discord: Edit Channel, Integrations."),
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "https://"}),
    )
    format = forms.ChoiceField(
        label=_("Format"),
        choices=(
            (WebhookFormat.DISCORD, _("Discord: a message to read")),
            (WebhookFormat.JSON, _("JSON, signed: for programs")),
        ),
        widget=forms.RadioSelect,
    )
    kinds = forms.MultipleChoiceField(
        label=_("Send"),
        choices=[(news.value, lazystr(TITLES[news])) for news in CHOICES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one.")},
    )

    @staticmethod
    def facts_of(webhook: Webhook | None) -> dict[str, object]:
        """The webhook as this form shows it; before there is one, everything chosen for Discord."""
        if webhook is None:
            return {"format": WebhookFormat.DISCORD, "kinds": [*CHOICES]}
        return {name: getattr(webhook, name) for name in WebhookForm.base_fields}

    def clean_kinds(self) -> list[str]:
        """Each kind once, however often it was sent."""
        return sorted({*self.cleaned_data["kinds"]})

    def clean(self) -> dict[str, Any]:
        """What was typed. An address where nothing can be sent is refused, with the reason."""
        address = self.cleaned_data.get("address")
        if address:
            why = why_not_there(
                address,
                to_discord=self.cleaned_data.get("format") == WebhookFormat.DISCORD,
                is_public=is_public,
                allow_loopback=settings.WEBHOOKS_TO_LOOPBACK,
            )
            if why:
                self.add_error("address", str(why))
        return self.cleaned_data
