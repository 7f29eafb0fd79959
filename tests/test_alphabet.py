"""Names in lists: by the alphabet of whoever reads."""

import pytest
from django.utils import translation

from tourney.models import Player, Store
from tourney.queries.players import players_at
from tourney.runtime.alphabet import alphabetical

NAMES = ["Nzinga", "Ñandú", "Ägir", "Bolt", "Œuvre", "zed", "Øre", "Ozon", "Łódź", "Lark"]


@pytest.mark.parametrize(
    ("language", "listed"),
    [
        ("en", ["Ägir", "Bolt", "Lark", "Łódź", "Ñandú", "Nzinga", "Œuvre", "Øre", "Ozon", "zed"]),
        ("es", ["Ägir", "Bolt", "Lark", "Łódź", "Nzinga", "Ñandú", "Œuvre", "Øre", "Ozon", "zed"]),
    ],
)
def test_names_are_listed_as_the_readers_language_lists_them(language, listed):
    with translation.override(language):
        assert sorted(NAMES, key=alphabetical) == listed


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_database_lists_names_as_the_program_does(language):
    store = Store.objects.create(name="Deep Space Games", slug="deep-space")
    Player.objects.bulk_create([Player(store=store, name=name) for name in NAMES if name != "Œuvre"])

    with translation.override(language):
        listed = [player.name for player in players_at(store)]

        assert listed == [name for name in sorted(NAMES, key=alphabetical) if name != "Œuvre"]
