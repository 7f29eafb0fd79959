"""The starter list: cards that come with Flagship, in the catalogue before anybody has imported one."""

from functools import cache
from pathlib import Path

from django.db import transaction

from fleets.catalogue import OUR_OWN, ImportReport, take_over
from fleets.domain.card_table import read_table
from fleets.domain.space_dock import Catalogue
from fleets.models import CatalogueCard

FILE = Path(__file__).parent / "cards" / "starter.csv"


@cache
def starter_list() -> Catalogue:
    """The cards of the file, under the keys that the public catalogue gives them, so that an import updates them."""
    return read_table(FILE.read_bytes())


@transaction.atomic
def load() -> ImportReport:
    """Put the list into the catalogue, or bring it up to date; a card that was imported stays as it is."""
    listed = starter_list()
    keys = [entry.card.key for entry in listed.entries]
    imported = set(CatalogueCard.objects.filter(key__in=keys).exclude(source=OUR_OWN).values_list("key", flat=True))
    ours = tuple(entry for entry in listed.entries if entry.card.key not in imported)
    return take_over(Catalogue("", ours, listed.not_understood), source=OUR_OWN)
