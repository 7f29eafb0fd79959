"""A store's look: its owners choose a color and a logo, everybody's pages have them, and files stay for ever."""

import re
import xml.etree.ElementTree as ET
from base64 import b64encode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.support.logos import JPEG, WEBP, WEBP_WITH_EXIF, chunk, png, png_that_says
from tests.support.nights import BY, Night, make_night, make_store
from tests.support.saying import html_of
from tourney.actions.stores import change_look
from tourney.domain.branding import look_of, name_of_stylesheet, stylesheet
from tourney.domain.pictures import read_picture
from tourney.models import Event, JournalEntry, Store, StoreLogo
from tourney.printing.domain.poster import ink

pytestmark = pytest.mark.django_db

YELLOW, NAVY = "#ffd400", "#0a1f44"
FOR_EVER = "public, max-age=31536000, immutable"


@pytest.fixture
def night() -> Night:
    return make_night(players=4, rounds=1, open_round=True)


@pytest.fixture
def owner(night: Night, client: Client) -> Client:
    client.force_login(night.owner)
    return client


def page_of(night: Night) -> str:
    return reverse("store_look", args=[night.store.slug])


def save(owner: Client, night: Night, logo: bytes | None = None, *, name: str = "logo.png", **typed: str):
    files = {} if logo is None else {"logo": SimpleUploadedFile(name, logo)}
    return owner.post(page_of(night), {"accent": ""} | typed | files)


def branded(night: Night, *, accent: str = YELLOW, logo: bytes | None = None) -> Store:
    change_look(night.store, accent=accent, logo=read_picture(logo or png()), by=BY)
    return night.store


# the owners' page


def test_the_settings_lead_there(owner: Client, night: Night):
    assert f'href="{page_of(night)}"' in owner.get(reverse("store_settings", args=[night.store.slug])).text


def test_a_color_and_a_logo_are_saved_and_shown(owner: Client, night: Night):
    answer = save(owner, night, png(), accent="FFD400")
    store = Store.objects.get(pk=night.store.pk)
    page = html_of(owner.get(answer.url))

    assert (answer.status_code, answer.url) == (302, page_of(night))
    assert (store.accent, store.logo_width, store.logo_height) == (YELLOW, 24, 16)
    assert re.fullmatch(r"[0-9a-f]{12}\.png", store.logo)
    assert f'src="{store.logo_url}"' in page
    assert f'value="{YELLOW}"' in page


@pytest.mark.parametrize(
    ("accent", "said"),
    [(YELLOW, "On light pages it’s shown darker"), (NAVY, "On dark pages it’s shown lighter")],
)
def test_the_page_says_what_is_shown_differently(owner: Client, night: Night, accent: str, said: str):
    other = {"On light pages it’s shown darker", "On dark pages it’s shown lighter"} - {said}
    page = html_of(owner.get(save(owner, night, accent=accent).url))

    assert said in page
    assert other.pop() not in page


def test_without_a_color_nothing_is_said_of_one(owner: Client, night: Night):
    page = html_of(owner.get(page_of(night)))

    assert "shown lighter" not in page
    assert "look-shown" not in page
    assert "Remove logo" not in page


def test_a_change_is_in_the_journal_without_the_file(owner: Client, night: Night):
    save(owner, night, png(), accent=YELLOW)
    entry = JournalEntry.objects.filter(store=night.store).latest("pk")

    assert entry.did == "change_store"
    assert entry.before == {"accent": "", "logo": "", "logo_width": 0, "logo_height": 0}
    assert entry.after["accent"] == YELLOW
    assert entry.after["logo"] == Store.objects.get(pk=night.store.pk).logo
    journal = html_of(owner.get(reverse("store_journal", args=[night.store.slug])))
    assert "The store’s look changed." in journal


def test_saved_as_it_was_it_is_no_change(owner: Client, night: Night):
    branded(night)
    entries, version = JournalEntry.objects.count(), Event.objects.get(pk=night.event.pk).version

    assert save(owner, night, png(), accent=YELLOW).status_code == 302
    assert JournalEntry.objects.count() == entries
    assert Event.objects.get(pk=night.event.pk).version == version


def test_a_color_is_changed_without_the_logo(owner: Client, night: Night):
    logo = branded(night).logo
    save(owner, night, accent=NAVY)

    assert Store.objects.values_list("accent", "logo").get(pk=night.store.pk) == (NAVY, logo)
    assert StoreLogo.objects.count() == 1


def test_a_logo_is_replaced_and_removed(owner: Client, night: Night):
    old = branded(night).logo_url

    save(owner, night, JPEG, accent=YELLOW, remove_logo="on")
    store = Store.objects.get(pk=night.store.pk)
    assert store.logo.endswith(".jpeg")
    assert (owner.get(old).status_code, owner.get(store.logo_url).status_code) == (404, 200)

    save(owner, night, accent=YELLOW, remove_logo="on")
    assert owner.get(store.logo_url).status_code == 404
    assert not StoreLogo.objects.exists()
    assert store.logo_url not in owner.get(page_of(night)).text


@pytest.mark.parametrize("accent", ["yellow", "#12", "#12345g", "#fff}*{display:none"])
def test_what_is_no_color_is_refused_and_kept_in_the_field(owner: Client, night: Night, accent: str):
    page = save(owner, night, accent=accent)

    assert page.status_code == 422
    assert "This isn’t a color. Type six digits or letters A to F, like #1A5FAE." in html_of(page)
    assert f'value="{accent}"' in html_of(page)
    assert Store.objects.get(pk=night.store.pk).accent == ""


SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HOSTILE = {
    "svg called png": (SVG, "This isn’t a picture."),
    "page called png": (b"<!DOCTYPE html><script>alert(1)</script>", "This isn’t a picture."),
    "gif before a script": (b"GIF89a/*" + bytes(20) + b"*/=1;alert(1)", "This isn’t a picture."),
    "empty": (b"", "This file is empty."),
    "cut off": (png()[:-20], "This picture is damaged."),
    "too wide": (png_that_says(2001, 1), "The picture has 2001 × 1 pixels. Make it at most 2000 × 2000."),
    "huge": (png_that_says(0x7FFFFFFF, 0x7FFFFFFF), "Make it at most 2000 × 2000."),
    "too large": (png() + bytes(256_001), "The file is too large. Choose one of at most 256 kB."),
}


@pytest.mark.parametrize(("content", "said"), HOSTILE.values(), ids=list(HOSTILE))
def test_what_is_no_logo_is_refused_in_plain_words(owner: Client, night: Night, content: bytes, said: str):
    page = save(owner, night, content, accent=YELLOW)

    assert page.status_code == 422
    assert said in html_of(page)
    assert not StoreLogo.objects.exists()
    assert Store.objects.get(pk=night.store.pk).accent == ""


# what everybody gets


@pytest.mark.parametrize(
    ("content", "kind"), [(png(), "image/png"), (JPEG, "image/jpeg"), (WEBP, "image/webp")], ids=["png", "jpeg", "webp"]
)
def test_a_logo_is_served_as_what_it_is_for_ever(client: Client, night: Night, content: bytes, kind: str):
    answer = client.get(branded(night, logo=content).logo_url)

    assert answer.content == content
    assert answer.headers["Content-Type"] == kind
    assert answer.headers["Cache-Control"] == FOR_EVER
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert "Cookie" not in answer.headers.get("Vary", "")


def test_nothing_but_the_picture_is_served(client: Client, night: Night):
    """Whatever else the file was: a page in a comment, an archive behind the end, the place where it was taken."""
    talking = png(more=chunk(b"tEXt", b"Comment\0<script>alert(1)</script>")) + b"PK\x03\x04<script>"

    assert client.get(branded(night, logo=talking).logo_url).content == png()
    assert b"EXIF" not in client.get(branded(night, logo=WEBP_WITH_EXIF).logo_url).content


def test_another_content_has_another_address(night: Night):
    first = branded(night).logo_url

    assert branded(night, logo=png(rgb=(1, 2, 3))).logo_url != first
    assert branded(night).logo_url == first


def test_the_style_sheet_is_kept_for_ever_by_its_address(client: Client, night: Night):
    store = branded(night)
    answer = client.get(store.look_url)

    assert answer.text == stylesheet(YELLOW)
    assert answer.headers["Content-Type"] == "text/css"
    assert answer.headers["Cache-Control"] == FOR_EVER


def test_a_page_of_before_gets_the_color_of_now_and_does_not_keep_it(client: Client, night: Night):
    old = branded(night).look_url
    branded(night, accent=NAVY)
    answer = client.get(old)

    assert answer.text == stylesheet(NAVY)
    assert answer.headers["Cache-Control"] == "no-cache"


def test_a_store_without_a_look_has_neither_file(client: Client, night: Night):
    css = reverse("store_look_css", args=[night.store.slug, name_of_stylesheet(YELLOW)])
    logo = reverse("store_logo", args=[night.store.slug, "0123456789ab.png"])

    assert [client.get(place).status_code for place in (css, logo)] == [404, 404]


def test_another_store_does_not_have_it(client: Client, night: Night):
    other, _ = make_store(name="Elsewhere")
    branded(night)

    assert client.get(reverse("store_logo", args=[other.slug, night.store.logo])).status_code == 404


PUBLIC = (
    "/s/{store}/",
    "/s/{store}/me/",
    "/s/{store}/judge/",
    "/s/{store}/packs/",
    "/e/{event}/",
    "/e/{event}/standings/",
    "/e/{event}/rounds/2/",
    "/e/{event}/join/",
    "/e/{event}/wall/",
)


def text_of(client: Client, night: Night, page: str) -> str:
    answer = client.get(page.format(store=night.store.slug, event=night.event.slug))
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("page", PUBLIC)
def test_public_pages_have_it(client: Client, night: Night, page: str):
    plain = text_of(client, night, page)
    store = branded(night)
    shown = text_of(client, night, page)

    for file in (store.look_url, store.logo_url, "css/logo.css"):
        assert file in shown
        assert file not in plain
    assert "look." not in plain
    assert "logo" not in plain


@pytest.mark.parametrize("page", ["/e/{event}/desk/", "/e/{event}/desk/players/", "/e/{event}/desk/print/"])
def test_the_desk_has_the_logo_but_keeps_its_own_colors(owner: Client, night: Night, page: str):
    store = branded(night)
    shown = text_of(owner, night, page)

    assert store.logo_url in shown
    assert store.look_url not in shown


@pytest.mark.parametrize("doc", ["pairings", "standings", "slips"])
def test_paper_has_the_logo_in_its_head(owner: Client, night: Night, doc: str):
    store = branded(night)
    paper = reverse("paper", args=[night.event.slug])

    assert store.logo_url in owner.get(paper, {"doc": doc}).text


# drawings


def test_the_poster_has_the_color_and_the_logo_in_it(client: Client, night: Night):
    place = reverse("poster_svg", args=[night.store.slug, night.campaign.slug])
    plain = client.get(place).text
    branded(night, accent="#c8102e", logo=JPEG)
    drawing = client.get(place).text
    color = look_of("#c8102e").on_dark

    assert f'href="data:image/jpeg;base64,{b64encode(JPEG).decode()}"' in drawing
    assert drawing.count(color) == plain.count(ink.SIGNAL) - drawing.count(ink.SIGNAL) > 3
    assert "<image" not in plain
    assert color not in plain
    ET.fromstring(drawing)


@pytest.mark.many
@pytest.mark.parametrize("content", [png(), JPEG, WEBP], ids=["png", "jpeg", "webp"])
def test_the_picture_of_a_link_has_them_too(client: Client, night: Night, content: bytes):
    places = [
        reverse("event_link_picture", args=[night.event.slug]),
        reverse("store_link_picture", args=[night.store.slug]),
    ]
    plain = [client.get(place).content for place in places]
    change_look(night.store, accent=NAVY, logo=None, by=BY)
    colored = [client.get(place).content for place in places]
    branded(night, accent=NAVY, logo=content)
    whole = [client.get(place).content for place in places]

    assert all(picture.startswith(b"\x89PNG") for picture in whole)
    assert len({*plain, *colored, *whole}) == 6


def test_the_picture_of_the_podium_has_the_color(client: Client):
    night = make_night(players=4, rounds=3, finish=True)
    place = reverse("event_picture", args=[night.event.slug])
    plain = client.get(place).text
    change_look(night.store, accent=NAVY, logo=None, by=BY)
    picture = client.get(place).text

    assert picture.count(look_of(NAVY).on_dark) == plain.count(ink.SIGNAL) - picture.count(ink.SIGNAL) == 2
