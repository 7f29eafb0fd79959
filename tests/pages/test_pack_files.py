"""Packs as files: a version leaves as one, and one that comes is read, or says where it cannot be."""

from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from scoring.domain.pack_file import read, write
from scoring.shipped import shipped_pack
from tests.support.longer import speak_longer_french
from tests.support.nights import make_store
from tests.support.own_packs import saved
from tests.support.pack_pages import send, store_signed_in, text_of, url
from tests.support.pseudo import pseudo
from tourney.models import PackDraft, Store, User

pytestmark = pytest.mark.django_db

DS9 = shipped_pack("dominion-war-6")


@pytest.fixture
def place(client) -> tuple[Store, dict[str, User]]:
    return store_signed_in(client)


def test_a_version_leaves_as_a_file_and_comes_back_as_a_draft(client, place):
    store, users = place
    other, others = make_store("Deck Twelve")
    own = saved(store, users["organizer"], sp_limit=120).own
    file = client.get(reverse("pack_as_file", args=[store.slug, own.slug, 1]))
    assert file.headers["Content-Disposition"] == f'attachment; filename="{own.slug}-1.toml"'
    client.force_login(others["organizer"])

    answer = client.post(
        reverse("import_pack", args=[other.slug]), {"file": SimpleUploadedFile("month.toml", file.content)}
    )
    draft = other.pack_drafts.get()
    assert answer.headers["Location"] == url(draft)
    send(client, draft, "save")

    copied = other.own_packs.get().versions.get()
    assert copied.own.slug == f"{own.slug}-deck-twelve"
    assert replace(copied.pack.rules, slug=own.slug) == read(file.content)
    assert copied.note == "Imported from month.toml"
    assert [entry.did for entry in other.journal.filter(did__endswith="_pack")] == ["import_pack", "save_pack"]


def test_the_file_of_an_own_pack_becomes_its_next_version(client, place):
    store, users = place
    own = saved(store, users["organizer"], sp_limit=120).own
    text = write(replace(own.versions.get().pack.rules, win=3))

    client.post(reverse("import_pack", args=[store.slug]), {"text": text})
    send(client, store.pack_drafts.get(saved=None), "save")

    assert [(v.number, v.pack.rules.win) for v in own.versions.all()] == [(1, 2), (2, 3)]


def test_a_file_from_elsewhere_keeps_its_address_where_that_is_free(client, place):
    store, _ = place

    client.post(reverse("import_pack", args=[store.slug]), {"text": write(replace(DS9, slug="league-finale"))})
    answer = send(client, store.pack_drafts.get(), "save")

    assert answer.headers["Location"] == reverse("pack", args=[store.slug, "league-finale"])
    assert store.own_packs.get().versions.get().pack.rules == replace(DS9, slug="league-finale")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "Choose a file, or paste its text."),
        ({"text": write(DS9).replace("rounds = 3", "rounds = 30")},
         "Line 9, rounds: 30 doesn’t fit here. Type a whole number from 1 to 12."),
        ({"file": SimpleUploadedFile("month.toml", b"rounds: 3\n")}, "Line 1, column 7 isn’t valid TOML:"),
        ({"file": SimpleUploadedFile("month.toml", b"#" * 70_000)}, "The file is larger than 64 KB"),
        ({"text": "a." * 30_000 + "a = 1"}, "The file is nested more than 8 levels deep. Export it again."),
        (
            {"text": write(DS9).replace("rounds = 3", "rounds = 0x" + "f" * 90)},
            "rounds: A number of more than 19 digits doesn’t fit here.",
        ),
        ({"text": "[[bonuses]]\n" * 1_500}, "bonuses: This has too many entries; the most is 100. Remove some."),
        ({"file": SimpleUploadedFile("month.toml", b"")}, "Choose a file, or paste its text."),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_says_where_and_stays_on_the_page(client, place, given, sentence):
    store, _ = place

    answer = client.post(reverse("import_pack", args=[store.slug]), given)

    page = text_of(answer)
    assert answer.status_code == 422
    assert sentence in page
    assert given.get("text", "").strip() in page
    assert not PackDraft.objects.exists()


@pytest.mark.parametrize("rest", ["", "# a remark\n" * 2_000], ids=["here", "in a process of its own"])
def test_what_is_wrong_with_a_file_is_told_in_the_language_of_its_reader(client, place, settings, request, rest):
    store, _ = place
    settings.LANGUAGES = [("en", "English"), ("fr", "Français")]
    speak_longer_french(request)
    text = write(DS9).replace("rounds = 3", "rounds = 30") + rest

    answer = client.post(reverse("import_pack", args=[store.slug]), {"text": text}, headers={"accept-language": "fr"})

    asked = pseudo("Type a whole number from {low} to {high}.").format(low=1, high=12)
    assert f"{pseudo('Line')} 9, rounds: 30 {pseudo('doesn’t fit here.')} {asked}" in text_of(answer)


def test_a_file_that_cannot_be_read_is_put_right_on_the_page(client, place):
    store, _ = place

    answer = client.post(
        reverse("import_pack", args=[store.slug]), {"file": SimpleUploadedFile("month.toml", b"rounds: 3\n")}
    )

    assert "\nrounds: 3\n" in text_of(answer)


def test_a_large_file_is_read_as_a_small_one_is(client, place):
    store, _ = place

    answer = client.post(reverse("import_pack", args=[store.slug]), {"text": write(DS9) + "# a remark\n" * 2_000})

    assert answer.status_code == 302
    assert store.pack_drafts.get().origin.rules == DS9
