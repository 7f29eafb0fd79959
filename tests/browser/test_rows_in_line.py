"""What stands in one row stands in line, whole, and in colours that can be told from their ground."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.utils import timezone, translation
from playwright.sync_api import Page

from tests.browser.test_at_the_table import give_card, sign_in
from tests.support.browsing import LAPTOP, PHONE
from tests.support.built_fleets import bring_all
from tests.support.nights import AT, BY, Night, make_night
from tourney.actions import by_hand, rounds
from tourney.models import Player
from tourney.queries.state import state_of
from tourney.runtime import locales

pytestmark = pytest.mark.django_db(transaction=True)

LOPSIDED = """rows => rows.map(row => {
    const box = row.getBoundingClientRect(), words = document.createRange();
    words.selectNodeContents(row);
    const lines = [...words.getClientRects()].filter(line => line.width && line.height < 30);
    const top = Math.min(...lines.map(line => line.top)), bottom = Math.max(...lines.map(line => line.bottom));
    return Math.abs((top - box.top) - (box.bottom - bottom));
})"""
CUT = """fields => fields.map(field => {
    const style = getComputedStyle(field), pen = document.createElement("canvas").getContext("2d");
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const arrow = 20, words = pen.measureText(field.selectedOptions[0].text).width;
    return words + arrow - (field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
})"""
GROUNDS = ("card", "pairing is-me", "answer", "next-step", "clock-panel", "podium-place podium-first", "app-header")
CONTRAST = """grounds => {
    const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const light = (colour) => {
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data].map(one => one / 255)
            .map(one => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one, other) => {
        const [less, more] = [light(one), light(other)].sort((a, b) => a - b);
        return (more + 0.05) / (less + 0.05);
    };
    const factions = [...document.querySelectorAll(".faction:has(.mark)")];
    return grounds.flatMap(ground => {
        const place = document.createElement("div");
        place.className = ground;
        place.append(...factions.map(one => one.cloneNode(true)));
        place.insertAdjacentHTML("beforeend", '<p class="side is-winner"><span class="side-name">Vor</span></p>');
        document.querySelector("main").append(place);
        const below = getComputedStyle(place).backgroundColor;
        const flag = getComputedStyle(place.querySelector(".side-name"), "::after").backgroundColor;
        const marks = [...place.querySelectorAll(".mark")].map(one => getComputedStyle(one).color);
        return [flag, ...marks].map(colour => [contrast(colour, below), `${colour} on ${ground}`]);
    }).sort(([one], [other]) => one - other);
}"""
WRITTEN = """async ([locales, zone, at]) => {
    const files = performance.getEntriesByType("resource").map(one => one.name);
    const { timeOfDay } = await import(files.find(one => /js.dom[.]/.test(one)));
    document.documentElement.dataset.zone = zone;
    return locales.map(locale => {
        document.documentElement.dataset.locale = locale.replace("_", "-");
        return timeOfDay(at);
    });
}"""
TOPS = """rows => rows.map(row => {
    return row.querySelector(".seat").getBoundingClientRect().top - row.getBoundingClientRect().top;
})"""


@pytest.fixture(scope="module")
def device(request) -> dict:
    return {"phone": PHONE, "laptop": LAPTOP}[request.param]


def named(night: Night, *names: str) -> Night:
    for number, name in enumerate(names, 1):
        Player.objects.filter(entries__event=night.event, entries__number=number).update(name=name)
    return night


@pytest.mark.many
@pytest.mark.parametrize("device", ["phone", "laptop"], indirect=True)
@pytest.mark.parametrize(
    "path", ["/s/{store}/", "/s/{store}/packs/", "/s/{store}/players/", "/e/{event}/desk/arrivals/"]
)
def test_a_row_whose_title_is_a_link_has_as_much_room_above_as_below(open_page, server: str, device: dict, path: str):
    night = make_night(players=4, rounds=1, open_round=True)
    page = sign_in(open_page(device), night, night.owner, server)
    page.goto(path.format(store=night.store.slug, event=night.event.slug))

    rows = page.locator(".row-text:has(> a)").evaluate_all(LOPSIDED)
    assert rows
    assert max(rows) <= 2


def test_a_long_name_in_the_results_is_whole_while_there_is_room_beside_it(open_page: Callable[..., Page], server: str):
    night = named(make_night(players=2, open_round=True), "Nightwatch Commander", "Christopher Montgomery")
    page = sign_in(open_page(LAPTOP), night, night.organizer, server)
    page.goto(f"/e/{night.event.slug}/desk/rounds/1/results/")

    names = page.locator(".entry-name").evaluate_all(
        "names => names.map(one => [one.scrollWidth - one.clientWidth, one.getClientRects()[0].height])"
    )
    assert [wide for wide, _ in names] == [0, 0]
    assert max(high for _, high in names) < 25
    labels = page.locator(".entry-row .entry-field > span").evaluate_all("all => all.map(one => one.clientHeight)")
    assert max(labels) < 25


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_field_shows_all_of_its_choice_on_a_phone(open_page: Callable[..., Page], server: str, language: str):
    night = make_night(players=2)
    page = sign_in(open_page(PHONE), night, night.organizer, server)
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": server}])
    page.goto(f"/e/{night.event.slug}/desk/players/")

    assert max(page.locator(".card .field select").evaluate_all(CUT)) <= 0


def test_words_of_another_language_leave_the_text_of_a_row_its_room(open_page: Callable[..., Page], server: str):
    night = make_night(players=4, open_round=True)
    bring_all(night.event)
    phone = open_page(PHONE)
    phone.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "de", "url": server}])
    give_card(phone, night.event.entrants.get(number=1), server)

    widths = phone.locator(".my-fleets .row-text").evaluate_all("all => all.map(one => one.clientWidth)")
    assert len(widths) == 2
    assert min(widths) >= 170


def test_a_change_by_hand_moves_no_seat(open_page: Callable[..., Page], server: str):
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    (one, _), (other, _) = (match.numbers for match in state_of(night.event).last_round.matches)
    page = sign_in(open_page(LAPTOP), night, night.organizer, server)
    page.goto(f"/e/{night.event.slug}/desk/rounds/1/")
    before = page.locator(".board .pairing:has(> .sides > .seat)").evaluate_all(TOPS)

    by_hand.place(night.event, 1, one, other, reason="They came together", by=BY)
    page.reload()

    assert page.locator(".board-by-hand").all_inner_texts() == ["By hand: They came together"] * 2
    assert page.locator(".board .pairing:has(> .sides > .seat)").evaluate_all(TOPS) == before


@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
def test_marks_of_factions_and_winners_can_be_told_from_every_ground(open_page, server: str, dark: bool):
    page = open_page(LAPTOP, dark=dark)
    page.goto("/style/")

    worst, *_ = page.evaluate(CONTRAST, list(GROUNDS))
    assert worst[0] >= 3, worst


def test_scripts_write_the_time_as_pages_do_whatever_the_device_is_set_to(open_page: Callable[..., Page], server: str):
    night = make_night(players=2)
    page = open_page(PHONE | {"timezone_id": "Asia/Tokyo", "locale": "ja-JP"})
    page.goto(f"/e/{night.event.slug}/")

    by_scripts = page.evaluate(WRITTEN, [locales.OFFERED, "America/Chicago", AT.timestamp() * 1000])
    assert [one.split() for one in by_scripts] == [written_at(one).split() for one in locales.OFFERED]


def written_at(locale: str) -> str:
    """The time of day as the pages of such a store write it in Chicago, in its language."""
    locales.activate(locale)
    with timezone.override("America/Chicago"), translation.override(locales.language_at(locale)):
        return locales.written(AT, "time")
