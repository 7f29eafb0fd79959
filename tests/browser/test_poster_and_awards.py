"""The poster and the papers of the end, as Chromium prints and paints them."""

import struct
from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page

from tests.support.browsing import LAPTOP, PHONE
from tests.support.nights import AT, BY, Night, make_night
from tests.support.pdf import is_shrunk, pages_of, sizes_of, squeezed
from tourney.actions.prizes import set_prizes
from tourney.models import Event, Player
from tourney.printing.domain.poster import draw, sheets
from tourney.printing.queries.poster import poster_of

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = {"a4": (595, 842), "letter": (612, 792)}
FORMATS = {"a4": "A4", "letter": "Letter"}
BLANK = """async (url) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [60, 80];
  const brush = canvas.getContext("2d");
  brush.drawImage(image, 0, 0, 60, 80);
  const seen = new Set(new Uint32Array(brush.getImageData(0, 0, 60, 80).data.buffer));
  return seen.size < 50;
}"""


def long_name(number: int) -> str:
    """60 letters."""
    return f"{number:02} Rear Commandant Bartholomew Featherstone of the Reaches"[:60].ljust(60, "x")


def with_long_names(night: Night) -> list[str]:
    people = list(Player.objects.filter(store=night.store))
    for number, player in enumerate(people, start=1):
        player.name = long_name(number)
        player.save()
    return [player.name for player in people]


def campaign_of(*players: int) -> Night:
    """A month for each number of players, all finished."""
    night = None
    for month, count in enumerate(players, start=1):
        pack = f"dominion-war-{month}"
        night = make_night(players=count, rounds=3, finish=True, pack=pack, store=night and night.store, seed=month)
        Event.objects.filter(pk=night.event.pk).update(starts_at=AT + timedelta(days=28 * month))
    return night


def poster_url(night: Night) -> str:
    return reverse("poster", args=[night.store.slug, night.campaign.slug])


def as_organizer(page: Page, night: Night, server: str) -> Page:
    client = Client()
    client.force_login(night.store.memberships.get(role="organizer").user)
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])
    return page


@pytest.mark.many
@pytest.mark.parametrize("months", [(8,), (12, 7, 33)], ids=["one month", "three months"])
@pytest.mark.parametrize("paper", POINTS)
@pytest.mark.parametrize("shape", ["portrait", "landscape"])
def test_the_poster_fills_exactly_one_page_of_each_paper(months, paper, shape, laptop: Page):
    night = campaign_of(*months)
    names = with_long_names(night)

    laptop.goto(f"{poster_url(night)}?paper={paper}&shape={shape}")

    wanted = POINTS[paper] if shape == "portrait" else POINTS[paper][::-1]
    own = laptop.pdf(prefer_css_page_size=True)
    assert (sizes_of(own), len(pages_of(own))) == ({wanted}, 1)
    assert [name for name in names if squeezed(name) not in pages_of(own)[0]] == []
    for other in FORMATS.values():
        assert len(pages_of(laptop.pdf(format=other))) == 1


@pytest.mark.nightly
def test_no_text_is_wider_than_it_was_measured(laptop: Page):
    night = campaign_of(12, 7, 20)
    with_long_names(night)
    with timezone.override(night.store.time_zone):
        drawing = draw(poster_of(night.campaign, timezone.now()), sheets("a4"))

    laptop.goto(f"{poster_url(night)}?paper=a4")
    shown = laptop.locator(".poster-drawing > g > text").evaluate_all(
        "texts => texts.map(text => [text.textContent, text.getComputedTextLength()])"
    )

    assert [words for words, _ in shown] == [text.words for text in drawing.texts]
    assert [words for (words, wide), text in zip(shown, drawing.texts, strict=True) if wide > text.width] == []


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize(
    ("query", "size"), [("?paper=a4&shape=portrait", (2400, 3394)), ("?paper=letter&shape=landscape", (3193, 2467))]
)
def test_the_poster_is_saved_as_a_picture(query, size, laptop: Page):
    night = campaign_of(8, 9)
    laptop.goto(poster_url(night) + query)

    with laptop.expect_download() as download:
        laptop.get_by_role("button", name="Save as image").click()

    picture = Path(download.value.path()).read_bytes()
    assert download.value.suggested_filename == f"{night.campaign.slug}.png"
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == size
    assert not laptop.evaluate(BLANK, f"data:image/png;base64,{b64encode(picture).decode()}")


@pytest.mark.nightly
def test_without_scripts_the_file_and_the_print_remain(open_page: Callable[..., Page]):
    night = campaign_of(8)
    page = open_page(LAPTOP, javascript=False)
    page.goto(poster_url(night))

    assert page.locator(".page-actions > :visible").all_inner_texts() == ["SVG"]
    assert len(pages_of(page.pdf(prefer_css_page_size=True))) == 1


@pytest.mark.nightly
def test_on_a_phone_the_whole_poster_is_on_the_screen(phone: Page):
    night = campaign_of(8, 9)
    phone.goto(poster_url(night))

    box = phone.locator(".poster-drawing").bounding_box()

    assert (box["x"] >= 0, box["x"] + box["width"] <= PHONE["viewport"]["width"]) == (True, True)
    assert box["height"] / box["width"] == pytest.approx(2970 / 2100, abs=0.01)


@pytest.mark.many(each=["paper"])
@pytest.mark.parametrize(("players", "pages"), [(1, 1), (8, 1), (33, 2)])
@pytest.mark.parametrize("paper", POINTS)
def test_the_list_to_sign_cuts_no_row(players, pages, paper, laptop: Page, server: str):
    night = make_night(players=players)
    names = with_long_names(night)

    found = printed(as_organizer(laptop, night, server), night, "signatures", paper)

    assert len(found) == pages
    assert [sum(squeezed(name) in page for page in found) for name in names] == [1] * players
    heads = [squeezed(night.event.name), "Signature", "asof", f"/{pages}"]
    assert [[words for words in heads if words not in page] for page in found] == [[]] * pages


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("paper", POINTS)
def test_the_hand_over_list_is_one_sheet_with_a_box_for_everything(paper, laptop: Page, server: str):
    night = make_night(players=20, rounds=3, finish=True)
    set_prizes(night.event, "1: flagship model\n2-4: booster\neverybody: promo card", expected="", by=BY)

    (text,) = printed(as_organizer(laptop, night, server), night, "awards", paper)

    counts = {words: text.count(squeezed(words)) for words in ("flagship model", "booster", "promo card")}
    assert counts == {"flagship model": 1, "booster": 3, "promo card": 20}
    assert laptop.locator(".gifts .tick").count() == text.count("Setofmapelements") + 24


def printed(page: Page, night: Night, kind: str, paper: str) -> list[str]:
    """The text of each sheet of a document; fails on other paper, or if something is wider than its page."""
    page.goto(f"{reverse('paper', args=[night.event.slug])}?doc={kind}&size={paper}")
    pdf = page.pdf(prefer_css_page_size=True)
    assert (sizes_of(pdf), is_shrunk(pdf)) == ({POINTS[paper]}, False)
    return pages_of(pdf)
