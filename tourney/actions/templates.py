"""What a store's new events begin with: typed on a page of the store, or taken from an event."""

from zoneinfo import ZoneInfo

from django.db import transaction
from msgspec.structs import fields

from tourney.actions.events import HABITS, SETTINGS
from tourney.actions.record import Actor, record_at_store
from tourney.domain.verbs import Verb
from tourney.models import Event, EventTemplate, Store
from tourney.models.habits import read_template
from tourney.runtime.messages import message

CALLED = SETTINGS | {
    "weekday": message("weekday"),
    "start": message("start"),
    "tables": message("tables"),
    "other_tables": message("tables"),
}
"""What the journal calls each setting."""


def template_from(event: Event) -> EventTemplate:
    """What a new event would begin with to be like this one: its weekday and time by the store's clock, too."""
    starts = event.starts_at.astimezone(ZoneInfo(event.store.time_zone))
    row: dict[str, object] = {habit: getattr(event, habit) for habit in HABITS}
    row |= {"weekday": starts.weekday(), "start": starts.time().replace(second=0, microsecond=0)}
    template: EventTemplate = read_template(row | {"tables": event.tables, "other_tables": event.other_tables})
    return template


@transaction.atomic
def change_template(store: Store, template: EventTemplate, *, by: Actor) -> bool:
    """The store's new events begin with it, unless a month comes before them; whether that is anything new."""
    store = Store.objects.select_for_update().get(pk=store.pk)
    before, after, was = store.template, template, store.event_template
    different = [one.name for one in fields(template) if getattr(before, one.name) != getattr(after, one.name)]
    if not different:
        return False
    store.event_template = template.row
    store.save(update_fields=["event_template"])
    called = list(dict.fromkeys(CALLED[name] for name in different))
    what = message("Settings for new events changed: {settings}.", settings=called)
    record_at_store(store, by=by, did=Verb.CHANGE_TEMPLATE, what=what, before=was, after=template.row)
    return True
