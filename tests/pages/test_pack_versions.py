"""A pack of a store's own outside its editor: who reads it, its versions, its copies, and its retirement."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.nights import make_store
from tests.support.own_packs import saved
from tests.support.pack_pages import store_signed_in, text_of
from tourney.models import Store, User
from tourney.month_packs.forms.typed import typed_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def place(client) -> tuple[Store, dict[str, User]]:
    return store_signed_in(client)


def test_everybody_reads_an_own_pack_and_only_its_store_knows_it(client, place):
    store, users = place
    other, _ = make_store("Deck Twelve")
    own = saved(store, users["organizer"], sp_limit=120).own
    saved(store, users["organizer"], own=own, sp_limit=130)
    stranger = Client()

    latest, first = (
        text_of(stranger.get(reverse(name, args=[store.slug, own.slug, *number])))
        for name, number in (("pack", ()), ("pack_version", (1,)))
    )

    assert "Your own pack, version 2" in latest
    assert "130 SP" in latest
    assert "120 SP" in first
    assert "This is an earlier version." in first
    assert "Edit" not in latest
    assert stranger.get(reverse("pack", args=[other.slug, own.slug])).status_code == 404
    assert stranger.get(reverse("pack_version", args=[store.slug, own.slug, 3])).status_code == 404


def test_versions_are_listed_with_their_notes_and_compared_field_by_field(client, place):
    store, users = place
    own = saved(store, users["organizer"], sp_limit=120).own
    saved(store, users["owner"], own=own, sp_limit=130, note="As the league wants it.")

    listed = text_of(client.get(reverse("pack_versions", args=[store.slug, own.slug])))
    compare = reverse("compare_packs", args=[store.slug, own.slug])
    latest = text_of(client.get(compare))
    original = text_of(client.get(compare, {"before": "origin", "after": "2"}))
    same = text_of(client.get(compare, {"before": "1", "after": "1"}, headers={"HX-Request": "true", "HX-Target": "differences"}))  # fmt: skip  # noqa: E501

    assert "As the league wants it." in listed
    assert listed.index("Version 2") < listed.index("Version 1")
    assert all(words in latest for words in ("1 field is different.", "120 SP", "130 SP"))
    assert "set for each event" in original
    assert same.strip().startswith('<section class="section" id="differences"')
    assert "No differences" in same


def test_a_retired_pack_says_so_and_is_brought_back(client, place):
    store, users = place
    own = saved(store, users["organizer"]).own
    retire, page = (reverse(name, args=[store.slug, own.slug]) for name in ("retire_pack", "pack"))

    client.post(retire)
    retired = text_of(client.get(page))
    client.post(retire, {"back": "1"})

    assert "This pack is retired: new events can’t use it." in retired
    assert "This pack is retired" not in text_of(client.get(page))


def test_a_copy_of_an_own_pack_goes_on_from_its_latest_version(client, place):
    store, users = place
    own = saved(store, users["organizer"], sp_limit=120).own

    client.post(reverse("copy_pack", args=[store.slug, own.slug]))

    draft = store.pack_drafts.get(saved=None)
    assert (draft.own, draft.typed["sp_limit"], draft.origin) == (None, ["120"], own.versions.get().pack)
    assert draft.typed == typed_of(own.versions.get().pack.rules) | {"slug": draft.typed["slug"]}
    assert draft.typed["slug"] == [f"{own.slug}-2"]
