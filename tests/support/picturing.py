"""One night from check-in to podium, and what its desk, phones, wall and paper show: the guide's pictures.

It is the same night each time: its clock stands still at each moment, for the pages and for the browser, and chance,
names and addresses are its own. Nothing moves while a picture is taken.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from random import Random
from unittest import mock
from urllib.parse import urlsplit

import pypdfium2
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, BrowserContext, Page

from fleets import starter
from scoring.domain.points import Ending
from scoring.shipped import shipped_pack
from tests.support.browsing import MOST_WAIT, NOWHERE, chromium, launched
from tests.support.pictures import beside, film_of, webp_of
from tourney import access
from tourney.actions import entrants, events, player_cards, prizes, rounds, simulation, stores, tokens
from tourney.actions.record import Actor
from tourney.models import Event, User
from tourney.queries.fleets import fleets_of
from tourney.queries.guide import WRITTEN_IN
from tourney.queries.state import state_of
from tourney.queries.surviving import of_sides
from tourney.queries.tokens import desk_token_of
from tourney.runtime import locales

LANGUAGES = tuple(code for code, _ in settings.LANGUAGES)
THEMES = {"en": ("light", "dark")}
"""Of the languages that have pictures by night, too."""
LOCALES = {**locales.OF_LANGUAGES, "en": "en_US"}
DOORS = datetime(2026, 11, 20, 17, 30, tzinfo=UTC)
HOST = "192.168.1.20:8000"
ADDRESS = f"http://{HOST}"
"""Where phones reach the laptop of a store, as the pages write it."""
FIRST_KEY = 4711
"""Of events: the short address follows from it."""


@dataclass(frozen=True, slots=True)
class Device:
    """A screen: its size in CSS pixels, how many of its own it has for each, and how wide its pictures are.

    Both are whole numbers: on a screen of one and a half, the same page is a pixel higher now and then.
    """

    width: int
    height: int
    scale: int
    wide: int
    is_phone: bool = False


DESK = Device(1100, 800, 2, 1240)
PHONE = Device(390, 780, 2, 585, is_phone=True)
WALL = Device(1920, 1080, 1, 1280)
STILL = """() => document.fonts.ready
    .then(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
    .then(() => document.readyState === "complete" && !document.querySelector(".htmx-request")
        && document.getAnimations().every((one) => one.playState !== "running"))"""
"""Letters are there, what was asked for came, and nothing moves."""
ON_WHOLE_PIXELS = ("--font-render-hinting=none", "--disable-font-subpixel-positioning")
"""Otherwise letters are a pixel lower on one showing of a page and not on the next."""
PAPER_SCALE = 1.25


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: what it is called, when it is taken, on what, where, whose page it is, what is done there first."""

    name: str
    moment: str
    device: Device
    path: str
    reader: str = ""
    first: Callable[[Page], None] = lambda page: None
    is_paper: bool = False


def to_check_in(page: Page) -> None:
    """The list of who is there, with its heading on top."""
    page.locator("#list").evaluate("one => scrollTo(0, Math.round(one.getBoundingClientRect().top) - 150)")


def begin_report(page: Page) -> None:
    """The player won, with one of two ships left."""
    page.locator(".ending input").first.check()
    page.locator(".number-row input:visible").first.fill("63")
    page.locator("#verdict b").wait_for()
    page.evaluate("scrollTo(0, 0)")


SHOTS = (
    Shot("check-in", "doors", DESK, "/e/{event}/desk/players/", "owner", to_check_in),
    Shot("join", "doors", PHONE, "/e/{event}/join/"),
    Shot("wall-before", "doors", WALL, "/e/{event}/wall/"),
    Shot("draft", "drafted", DESK, "/e/{event}/desk/rounds/1/", "owner"),
    Shot("overview", "playing", DESK, "/e/{event}/desk/", "owner"),
    Shot("results", "playing", DESK, "/e/{event}/desk/rounds/1/results/", "owner"),
    Shot("my-card", "playing", PHONE, "/e/{event}/me/", "player"),
    Shot("report", "playing", PHONE, "/e/{event}/rounds/1/report/", "player", begin_report),
    Shot("builder", "doors", PHONE, "/s/{store}/fleets/{fleet}/", "player"),
    Shot("wall", "playing", WALL, "/e/{event}/wall/"),
    Shot("slips", "playing", DESK, "/e/{event}/desk/print/paper/?doc=slips", "owner", is_paper=True),
    Shot("build-sheet", "playing", DESK, "/s/{store}/fleets/{fleet}/sheet/", "player", is_paper=True),
    Shot("dispute", "disputed", DESK, "/e/{event}/desk/rounds/1/tables/{table}/", "owner"),
    Shot("podium", "finished", DESK, "/e/{event}/desk/", "owner"),
    Shot("my-rank", "finished", PHONE, "/e/{event}/me/", "admiral"),
    Shot("wall-podium", "finished", WALL, "/e/{event}/wall/"),
    Shot("poster", "finished", DESK, "/s/{store}/campaigns/{campaign}/poster/", "owner", is_paper=True),
    Shot("store", "finished", DESK, "/s/{store}/", "owner"),
)
FILM = (
    Shot("desk", "", DESK, "/e/{event}/desk/", "owner"),
    Shot("phone", "", PHONE, "/e/{event}/me/", "player"),
    Shot("wall", "", WALL, "/e/{event}/wall/"),
)
FILMED = dict.fromkeys(("drafted", "published", "started", "playing"), FILM) | {
    "drafted": (replace(FILM[0], path="/e/{event}/desk/rounds/1/"), *FILM[1:])
}
SHOWN = (2500, 2500, 2500, 3500)
"""Milliseconds for which each moment of the film is shown."""


@dataclass
class Clock:
    """What time it is."""

    at: datetime = DOORS

    def __call__(self) -> datetime:
        return self.at


@dataclass
class Story:
    """The night as far as it is told."""

    clock: Clock
    event: Event
    owner: User
    places: dict[str, object]
    cards: dict[str, str]
    """The cards of "player" and, in the end, of "admiral"."""
    random: Random = field(default_factory=lambda: Random(20))

    def tell(self) -> Iterator[str]:
        """Goes on to the next moment, whose name it yields."""
        event, random = self.event, self.random
        yield "doors"
        self.clock.at += timedelta(minutes=28)
        entrants.check_in(event, by=self.by)
        if (desk := desk_token_of(state_of(event))) and desk.offer.entrant:
            tokens.grant(event, desk.offer.entrant.number, by=self.by)
        row = rounds.pair_round(event, seed=random.randrange(2**31), by=self.by)
        yield "drafted"
        rounds.publish_round(event, row.number, by=self.by)
        yield "published"
        self.clock.at += timedelta(minutes=4)
        rounds.start_clock(event, row.number, by=self.by)
        yield "started"
        simulation.play_round(event, random=random, by=self.by, tables=1, close=False, by_phone=True)
        self.clock.at += timedelta(minutes=31)
        yield "playing"
        self._dispute()
        yield "disputed"
        by = simulation.play_round(event, random=random, by=self.by)
        for _ in range(event.rounds_planned - 1):
            by = simulation.draw(event, random=random, by=by)
            by = simulation.play_round(event, random=random, by=by)
        self.clock.at = by.at
        events.finish_event(event, by=self.by)
        prizes.set_prizes(event, "1: flagship model\n2-4: booster\neverybody: card", expected="", by=self.by)
        admiral = state_of(event).standings(event.rounds_planned)[0].id
        self.cards["admiral"] = player_cards.issue(event.entrants.get(number=admiral).player, by=self.by)
        yield "finished"

    @property
    def by(self) -> Actor:
        """The organizer, now."""
        return Actor(self.owner, self.owner.username, self.clock.at)

    def _dispute(self) -> None:
        """Both players of a table have reported, each another result."""
        state = state_of(self.event)
        match = next(one for one in state.rounds[-1].missing if one.table == self.places["table"])
        fleets = of_sides(match, fleets_of(state))
        for side in (0, 1):
            played = simulation.make_up(self.event.rules, self.random, fleets, only=Ending.TIME)
            simulation.say(self.event, match, side, played, by=self.by)


def begin(language: str, clock: Clock) -> Story:
    """A store in its second month, an hour before round 1: nine players, six of them here."""
    starter.load()
    restart("tourney_event")
    owner = User.objects.create_user("robin")
    by = Actor(owner, owner.username, DOORS - timedelta(days=30))
    store = stores.make_store(
        name="Harbor Lights Games", time_zone="Europe/Berlin", locale=LOCALES[language], by=by, owner=owner
    )
    campaign = events.make_campaign(store, storyline="The Dominion War", by=by)
    start = DOORS - timedelta(days=28)
    before = events.make_event(campaign, shipped_pack("dominion-war-5"), starts_at=start, sp_limit=100, by=by)
    random, by = Random(5), Actor(owner, owner.username, start)
    simulation.play_event(before, simulation.Night(players=8), random=random, by=by)
    by = Actor(owner, owner.username, clock.at - timedelta(minutes=40))
    start = DOORS + timedelta(minutes=30)
    event = events.make_event(campaign, shipped_pack("dominion-war-6"), starts_at=start, sp_limit=100, by=by)
    simulation.register(event, 9, random=random, by=by)
    simulation.equip(event, random=random, by=by)
    entrants.check_in(event, numbers=(1, 2, 4, 5, 7, 8), by=by)
    me = event.entrants.select_related("player", "fleet").get(number=1)
    places = {"store": store.slug, "campaign": campaign.slug, "event": event.slug, "fleet": me.fleet.pk, "table": 2}
    return Story(clock, event, owner, places, {"player": player_cards.issue(me.player, by=by)})


def restart(table: str) -> None:
    """The next key of that table is the same each time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s, false)", [table, FIRST_KEY])


@dataclass
class Photographer:
    """A Chromium for which the address of the store's laptop is that of the test's server, and what it took."""

    browser: Browser
    story: Story
    language: str
    taken: dict[str, Image.Image] = field(default_factory=dict)
    film: list[tuple[Image.Image, ...]] = field(default_factory=list)
    contexts: dict[tuple[Device, str], BrowserContext] = field(default_factory=dict)

    def take_all(self, themes: Sequence[str]) -> None:
        """Every picture, in the order of the night."""
        for moment in self.story.tell():
            for shot in (one for one in SHOTS if one.moment == moment):
                for theme in themes[:1] if shot.is_paper else themes:
                    self.taken[f"{shot.name}-{theme}"] = self.take(shot, theme)
            if moment in FILMED:
                self.film.append(tuple(self.take(shot, "light") for shot in FILMED[moment]))

    def take(self, shot: Shot, theme: str) -> Image.Image:
        """One picture of the page as it is now."""
        page = self.context(shot.device, shot.reader).new_page()
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.clock.set_fixed_time(self.story.clock.at)
        answer = page.goto(shot.path.format(**self.story.places))
        assert answer
        assert answer.ok, f"{shot.name}: {answer.status}"
        page.wait_for_function(STILL)
        shot.first(page)
        page.wait_for_function(STILL)
        if shot.is_paper:
            picture = first_sheet(page.pdf(prefer_css_page_size=True, print_background=True))
        else:
            picture = opened(page.screenshot(animations="disabled"), shot.device.wide)
        page.close()
        return picture

    def context(self, device: Device, reader: str) -> BrowserContext:
        """The browser of that reader on that device."""
        if (device, reader) not in self.contexts:
            context = self.browser.new_context(
                viewport={"width": device.width, "height": device.height},
                device_scale_factor=device.scale,
                is_mobile=device.is_phone,
                has_touch=device.is_phone,
                base_url=ADDRESS,
            )
            context.set_default_timeout(MOST_WAIT)
            context.add_cookies([{"name": n, "value": v, "url": ADDRESS} for n, v in self.cookies(reader)])
            self.contexts[device, reader] = context
        return self.contexts[device, reader]

    def cookies(self, reader: str) -> list[tuple[str, str]]:
        """What the browser of such a reader sends."""
        found = [(settings.LANGUAGE_COOKIE_NAME, self.language)]
        if reader == "owner":
            client = Client()
            client.force_login(self.story.owner)
            found.append((settings.SESSION_COOKIE_NAME, client.cookies[settings.SESSION_COOKIE_NAME].value))
        if reader in self.story.cards:
            found.append((access.card_cookie(self.story.event.store), self.story.cards[reader]))
        return found


def opened(png: bytes, wide: int) -> Image.Image:
    """The picture of a screen, so wide."""
    with Image.open(BytesIO(png)) as picture:
        size = wide, round(picture.height * wide / picture.width)
        return picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def first_sheet(pdf: bytes) -> Image.Image:
    """The first sheet as it is printed, with a thin edge."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        picture = document[0].render(scale=PAPER_SCALE).to_pil().convert("RGB")
    ImageDraw.Draw(picture).rectangle((0, 0, picture.width - 1, picture.height - 1), outline="#c6ced6")
    return picture


def pictures_of(language: str, browser: Browser, server: str, themes: Sequence[str] = ("light",)) -> dict[str, bytes]:
    """The files of that language, by their names: every picture in these themes, all three screens, and the film."""
    clock, port = Clock(), urlsplit(server).port
    with mock.patch.object(timezone, "now", clock):
        chrome = launched(
            browser.browser_type, chromium() or "", *ON_WHOLE_PIXELS, hosts=f"MAP {HOST} 127.0.0.1:{port}, {NOWHERE}"
        )
        try:
            photographer = Photographer(chrome, begin(language, clock), language)
            photographer.take_all(themes)
        finally:
            chrome.close()
    taken = {name: webp_of(picture) for name, picture in photographer.taken.items()}
    frames = [(beside(*three), shown) for three, shown in zip(photographer.film, SHOWN, strict=True)]
    made = taken | {"film": film_of(frames), "film-still": webp_of(frames[-1][0])}
    if language == WRITTEN_IN:
        made["night-light"] = made["film-still"]  # of the README
    return {f"{language}/{name}.webp": data for name, data in made.items()}
