"""The card catalogue, as far as people change it: they import a file."""

from django.db import transaction

from fleets.catalogue import import_cards
from fleets.domain.space_dock import Catalogue
from fleets.models import CatalogueImport
from tourney.actions.record import Actor, record_at_store
from tourney.domain.verbs import Verb
from tourney.models import Store
from tourney.runtime.messages import message


@transaction.atomic
def take_over(store: Store, catalogue: Catalogue, *, source: str, by: Actor) -> CatalogueImport:
    """Bring the catalogue up to date from a file; the journal of the store says from which."""
    done = import_cards(catalogue, source=source, by_name=by.name, at=by.at)
    numbers = {"added": done.added, "changed": done.changed, "unchanged": done.unchanged}
    what = message("Cards imported from {source}.", source=source)
    record_at_store(store, by=by, did=Verb.IMPORT_CARDS, what=what, after=numbers)
    return done
