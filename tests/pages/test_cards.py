"""The card catalogue of a store: look, search, import."""

from html import unescape
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from fleets.catalogue import take_over
from fleets.domain.cards import Card, CardKind
from fleets.domain.space_dock import MOST_BYTES, Catalogue, CatalogueEntry
from fleets.models import CatalogueCard, CatalogueImport
from fleets.starter import load
from tests.domain.test_broken_files import broken
from tests.domain.test_card_table import TABLE
from tests.domain.test_space_dock import CATALOGUE
from tests.support.nights import make_store
from tests.support.saying import in_english

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client: Client) -> tuple[Client, str]:
    """Somebody who may import, and the address of the page."""
    store, users = make_store()
    client.force_login(users["owner"])
    return client, reverse("cards", args=[store.slug])


def upload(content: bytes, name: str = "Data.xml") -> dict:
    return {"file": SimpleUploadedFile(name, content)}


def part(name: str) -> dict:
    return {"HX-Request": "true", "HX-Target": name}


def text(response) -> str:
    return " ".join(unescape(response.content.decode()).split())


def test_the_page_says_how_many_cards_of_which_kind_there_are_and_where_they_come_from(owner):
    client, url = owner
    load()
    page = client.get(url)

    assert page.context["holdings"].total == CatalogueCard.objects.count()
    assert in_english([name for name, _ in page.context["holdings"].kinds][:3]) == ["Ships", "Captains", "Admirals"]
    assert in_english(page.context["holdings"].sources) == (("Flagship’s own list", CatalogueCard.objects.count()),)
    assert "Flagship’s own list" in text(page)


def test_an_empty_catalogue_says_what_to_do(owner):
    client, url = owner

    assert "The catalogue is empty. Import a file, or run" in text(client.get(url))


def test_an_owner_imports_a_file_and_reads_what_became_of_it(owner):
    client, url = owner
    answer = client.post(url, upload(CATALOGUE.encode()))
    done = CatalogueImport.objects.get()

    assert (answer.status_code, answer.headers["Location"]) == (302, f"{url}?imported={done.pk}")
    page = text(client.get(answer.headers["Location"]))
    assert "Space Dock 7 imported: 3 added, 0 changed, 0 unchanged." in page
    assert "2 lines couldn’t be read" in page
    assert "Upgrade “Broken” (u3) skipped: “Nobody” isn’t a known faction." in page


def test_an_import_stands_in_the_journal_of_the_store(owner):
    client, url = owner
    client.post(url, upload(TABLE.encode(), "cards.csv"))
    journal = text(client.get(url.replace("/cards/", "/journal/")))

    assert "Cards imported from cards.csv." in journal


def test_importing_the_same_file_again_changes_nothing(owner):
    client, url = owner
    for _ in range(2):
        client.post(url, upload(TABLE.encode(), "cards.csv"))
    last = CatalogueImport.objects.first()

    assert (last.added, last.changed, last.unchanged) == (0, 0, 2)


def test_with_htmx_the_part_of_the_catalogue_comes_alone(owner):
    client, url = owner
    answer = client.post(url, upload(TABLE.encode(), "cards.csv"), headers=part("catalogue"), follow=True)

    assert answer.content.decode().strip().startswith('<div id="catalogue"')
    assert "cards.csv imported: 2 added" in text(answer)


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, "Choose a file first."),
        (upload(b""), "The file isn’t valid XML: no element found at line 1, column 1."),
        (upload(b"<Data/>"), "The file has no cards."),
        (upload(b"<Data><Ships>"), "The file isn’t valid XML: no element found at line 1, column 14."),
        (
            upload(b'<!DOCTYPE a [<!ENTITY b "c">]><Data>&b;</Data>'),
            "The file declares a document type, which no catalogue does. Choose another.",
        ),
        (
            upload(b'<?xml version="1.0" encoding="rot13"?><Data/>'),
            "The file’s encoding is “rot13”. Save it as UTF-8.",
        ),
        (upload(b"<a>" * 20_000), "The file is nested more than 12 levels deep. Choose another."),
        (upload(b"kind,title\n", "cards.csv"), "The file has no column “cost”."),
        (upload(b"\xff\xfe", "cards.csv"), "The file’s text isn’t UTF-8."),
        (upload(b" " * (MOST_BYTES + 1)), "The file is larger than 20 MB – too large for a catalogue. Choose another."),
        (upload(b"<Data/>", f"{'x' * 300}.xml"), "The file has no cards."),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_what_is_no_catalogue_is_refused_with_a_sentence_and_nothing_is_changed(owner, files, sentence):
    client, url = owner
    for file in files.values():
        file.seek(0)
    page = client.post(url, files)

    assert page.status_code == 422
    assert sentence in text(page)
    assert (CatalogueCard.objects.count(), CatalogueImport.objects.count()) == (0, 0)


def test_too_many_cards_are_refused(owner):
    client, url = owner
    lines = "".join(f"crew,Ensign {number},1\n" for number in range(20_001))
    page = client.post(url, upload(f"kind,title,cost\n{lines}".encode(), "cards.csv"))

    assert page.status_code == 422
    assert "The file has 20,001 cards; the limit is 20,000. Choose another." in text(page)


def test_of_very_many_sentences_the_first_are_kept_and_a_number(owner):
    client, url = owner
    wrong = "crew,,1\n" * 600
    client.post(url, upload(f"kind,title,cost\n{wrong}crew,Quill,1\n".encode(), "cards.csv"))
    kept = CatalogueImport.objects.get().not_understood

    assert (len(kept), str(CatalogueImport.objects.get().sentences[-1])) == (501, "And 100 more.")


@pytest.mark.parametrize("role", ["organizer", "judge"])
def test_who_runs_events_may_look_and_not_import(client, role):
    store, users = make_store()
    load()
    client.force_login(users[role])
    url = reverse("cards", args=[store.slug])
    page = client.get(url, {"q": "enterprise-d"})

    assert page.status_code == 200
    assert b'type="file"' not in page.content
    assert b"U.S.S. Enterprise-D" in page.content
    assert client.post(url, upload(CATALOGUE.encode())).status_code == 404
    assert not CatalogueImport.objects.exists()


# looking


def test_a_card_is_found_with_all_that_a_player_asks_about(owner):
    client, url = owner
    load()
    page = text(client.get(url, {"q": "galaxy class enterprise"}, headers=part("found")))

    assert page.startswith('<div id="found"')
    for words in ("U.S.S. Enterprise-D", "Unique ship, Galaxy Class", "Federation", "28 <small>SP</small>"):
        assert words in page
    assert "Attack 4, agility 1, hull 5, shields 4" in page


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("", "Several words find cards that match all of them:"),
        ("  \0 ", "Several words find cards that match all of them:"),
        ("no such card", "No card matches “no such card”"),
        ("%", "No card matches “%”"),
        ("<b>", "No card matches “<b>”"),
        ("federation", "Showing the first 30. Add another word to narrow the search."),
    ],
)
def test_every_question_has_an_answer(owner, asked, words):
    client, url = owner
    load()

    assert words in text(client.get(url, {"q": asked}))


def test_the_page_asks_as_many_queries_for_many_cards_as_for_few(owner):
    client, url = owner
    counts = []
    for number in (3, 200):
        cards = (Card(CardKind.CREW, f"Ensign {one}", ("FED",), 1, f"ensign-{one}") for one in range(number))
        take_over(Catalogue("1", tuple(map(CatalogueEntry, cards))), source="test")
        for _ in range(2):
            client.post(url, upload(TABLE.encode(), "cards.csv"))
        with CaptureQueriesContext(connection) as queries:
            client.get(url, {"q": "ensign"})
        counts.append(len(queries))

    assert counts == [8, 8]


@pytest.mark.many
@pytest.mark.parametrize(("name", "whole"), [("Data.xml", CATALOGUE), ("cards.csv", TABLE)])
def test_broken_files_are_imported_or_refused_and_nothing_else_ever_happens(owner, name, whole):
    client, url = owner
    answers = [client.post(url, {"file": _named(broken(whole.encode(), seed), name)}) for seed in range(100)]

    assert {answer.status_code for answer in answers} == {302, 422}
    assert client.get(url, {"q": "e"}).status_code == 200


@pytest.mark.parametrize(
    "row",
    [
        f"<Title>{'x' * 500}</Title><Cost>1</Cost><Id>a</Id>",
        f"<Title>x</Title><Cost>1</Cost><Id>{'a' * 500}</Id>",
        "<Title>x</Title><Cost>-5</Cost><Id>a</Id>",
        "<Title>x\ny</Title><Cost>1</Cost><Id>a</Id>",
        f"<Title>x</Title><ShipClass>{'x' * 500}</ShipClass><Cost>1</Cost><Id>a</Id>",
    ],
)
def test_what_no_card_can_be_is_left_out_and_named(owner, row):
    client, url = owner
    client.post(url, upload(f"<Data><Ships><Ship>{row}</Ship></Ships></Data>".encode()))

    assert CatalogueCard.objects.count() == 0
    assert "skipped" in str(CatalogueImport.objects.get().sentences[0])


def test_a_table_with_bytes_that_no_database_holds_is_named_too(owner):
    client, url = owner
    client.post(url, upload(b"kind,title,cost\ncrew,Qu\0ill,1\ncrew,Onyx,\0\n", "cards.csv"))

    assert CatalogueCard.objects.count() == 0
    assert len(CatalogueImport.objects.get().not_understood) == 2


def _named(content: bytes, name: str) -> BytesIO:
    file = BytesIO(content)
    file.name = name
    return file
