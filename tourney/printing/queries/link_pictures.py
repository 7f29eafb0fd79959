"""What the pictures of links say, in the language that is active: nobody's name, and nothing that changes each hour."""

from tourney.models import Event, Store
from tourney.printing.domain.link_pictures import Linked
from tourney.printing.queries.branding import brand_of
from tourney.runtime.locales import written
from tourney.runtime.messages import message


def link_to_event(event: Event) -> Linked:
    """The event: its campaign and month, its name, when and where."""
    campaign, month = event.campaign.storyline, event.rules.month
    eyebrow = message("{campaign}, month {number}", campaign=campaign, number=month) if month is not None else campaign
    when = written(event.starts_at, "full day, time")
    state = str(message("Canceled")) if event.is_canceled else ""
    facts = (when, *filter(None, [event.address]))
    return Linked(event.store.name, str(eyebrow), event.name, facts, state, brand_of(event.store))


def link_to_store(store: Store) -> Linked:
    """The store and what happens there."""
    facts = (str(message("Monthly storyline events: tables, clock, results and standings.")),)
    return Linked("Flagship", "", store.name, facts, brand=brand_of(store))
