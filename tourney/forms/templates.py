"""What a store's new events begin with, as it is typed."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tourney.forms.events_settings import HabitsForm
from tourney.forms.fields import choice_field
from tourney.models import EventTemplate
from tourney.models.habits import read_template
from tourney.runtime.locales import weekdays


class TemplateForm(HabitsForm):
    """The habits of a store, with the weekday and the time at which its events begin."""

    weekday = forms.TypedChoiceField(
        label=_("Weekday"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_("A new event is proposed for the next such day."),
    )
    start = forms.TimeField(
        label=_("Start"), required=False, widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"})
    )
    keeps_tables = forms.BooleanField(label=_("Start with these tables"), required=False)

    def __init__(self, data: Mapping[str, Any] | None = None, *, template: EventTemplate) -> None:
        self.template = template
        facts = {name: getattr(template, name) for name in self.base_fields if name != "keeps_tables"}
        super().__init__(data, initial=facts | {"keeps_tables": True})
        choice_field(self, "weekday").choices = [("", _("Any day")), *enumerate(weekdays())]
        if not template.tables:
            del self.fields["keeps_tables"]

    @property
    def typed(self) -> EventTemplate:
        """The template as it was typed."""
        facts = {name: value for name, value in self.cleaned_data.items() if name != "keeps_tables"}
        if self.cleaned_data.get("keeps_tables"):
            kept = self.template.row
            facts |= {name: kept[name] for name in ("tables", "other_tables") if name in kept}
        template: EventTemplate = read_template(facts)
        return template
