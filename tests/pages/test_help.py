"""The guide inside the product: its pages, the “?” of every page, and the rules behind their numbers."""

import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.test import Client
from django.utils.safestring import mark_safe

from tests.support.every_page import CORE, FOR_A_PLAYER, FOR_EVERYBODY, FOR_THE_OWNER, make_places, name_of
from tests.support.nights import make_night
from tests.support.tenth import PART, runs_all
from tourney import access
from tourney.models import Store, User
from tourney.queries import guide
from tourney.templatetags.guide import RULE, rule_links

pytestmark = pytest.mark.django_db

WITHOUT_HEADER = re.compile(r"/wall/|/desk/print/(paper|cards)/|/sheet/$")
ENTERED = {"button", "option", "textarea", "title", "summary", "script", "label"}
"""Where no link may be."""
VOID = {"input", "meta", "link", "br", "img", "hr", "use", "wbr", "col", "path", "circle", "rect", "line", "source"}


class Reader(HTMLParser):
    """The links of a page by their class, and the numbers of rules that stand in it outside of a link to them."""

    def __init__(self, html: str):
        super().__init__()
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.help: list[dict[str, str | None]] = []
        self.unlinked: list[str] = []
        self.linked: list[str] = []
        self.nested: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append((tag, dict(attrs)))
        if tag == "a" and any(name in ("a", "button") for name, _ in self.open[:-1]):
            self.nested.append(self.get_starttag_text() or "")
        if tag == "a" and dict(attrs).get("class") == "help-link":
            self.help.append(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if any(tag in ENTERED for tag, _ in self.open):
            return
        links = [attrs.get("href") or "" for tag, attrs in self.open if tag == "a"]
        for said, number in RULE.findall(data):
            (self.linked if guide.address_of_rule(number) in links else self.unlinked).append(said)


def pages(looks_at_all: bool) -> Iterator[tuple[str, Reader]]:
    """Every page that has a header, as those see it for whom it is; or what a night cannot do without, and a tenth."""
    places = make_places()
    store = Store.objects.get(slug=places["store"])
    clients = Client(), Client(), Client()
    clients[1].force_login(User.objects.get(username=f"owner@{store.slug}"))
    clients[2].cookies[access.card_cookie(store)] = places["card"]
    for client, paths in zip(clients, (FOR_EVERYBODY, FOR_THE_OWNER, FOR_A_PLAYER), strict=True):
        for number, path in enumerate(paths):
            if not looks_at_all and number % PART and name_of(path) not in CORE:
                continue
            answer = client.get(path.format(**places))
            if answer.status_code in (200, 404) and not WITHOUT_HEADER.search(path) and "/help/rules" not in path:
                yield path, Reader(answer.content.decode())


def anchors(address: str) -> set[str]:
    page = Client().get(address)
    return {"", *re.findall(r' id="([^"]+)"', page.content.decode())} if page.status_code == 200 else set()


@pytest.mark.usefixtures("stores_on_request")
def test_every_page_has_one_way_to_what_the_guide_says_of_it_and_links_the_rules_that_it_names(pytestconfig):
    without, lost, unlinked, linked = [], set(), set(), 0
    known: dict[str, set[str]] = {}
    for path, page in pages(runs_all(pytestconfig)):
        if len(page.help) != 1:
            without.append(path)
            continue
        address, _, anchor = (page.help[0]["href"] or "").partition("#")
        if address not in known:
            known[address] = anchors(address)
        if anchor not in known[address]:
            lost.add(page.help[0]["href"])
        assert page.help[0]["aria-label"] == "Help with this page"
        unlinked |= {(path, said) for said in (*page.unlinked, *page.nested)}
        linked += len(page.linked)

    assert len(known) > 4
    assert linked > 5
    assert (without, lost, unlinked) == ([], set(), set())


def test_a_page_of_the_guide_asks_the_database_nothing_and_is_kept_until_it_changes(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = client.get("/help/player/")
        again = client.get("/help/player/", headers={"if-none-match": page.headers["ETag"]})
        other = client.get("/help/judge/", headers={"if-none-match": page.headers["ETag"]})

    assert (page.status_code, again.status_code, other.status_code) == (200, 304, 200)
    assert "<h1>For players</h1>" in page.content.decode()


def test_a_page_is_not_kept_for_somebody_who_signs_in_or_reads_another_language(client):
    tag = client.get("/help/", headers={"accept-language": "en"}).headers["ETag"]
    german = client.get("/help/", headers={"accept-language": "de", "if-none-match": tag})
    client.force_login(make_night(players=0).owner)
    signed_in = client.get("/help/", headers={"if-none-match": tag})

    assert (german.status_code, signed_in.status_code) == (200, 200)
    assert "ETag" not in signed_in.headers


@pytest.fixture
def untranslated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The guide as it would be without its translations."""
    (tmp_path / "guide").mkdir()
    for file in (guide.DOCS / "rules.md", *(guide.DOCS / "guide").glob("*.md")):
        shutil.copy(file, tmp_path / file.relative_to(guide.DOCS))
    monkeypatch.setattr(guide, "DOCS", tmp_path)
    guide.page_of.cache_clear()
    yield
    guide.page_of.cache_clear()


def test_what_is_not_translated_is_marked_as_english(client, untranslated):
    english, german = (
        client.get("/help/rules/", headers={"accept-language": language}).content.decode() for language in ("en", "de")
    )

    assert '<html lang="de"' in german
    assert '<article class="help-text" lang="en">' in " ".join(german.split())
    assert '<article class="help-text" lang' not in " ".join(english.split())


def test_a_page_that_the_guide_does_not_have_is_not_found(client):
    assert client.get("/help/no-such-page/").status_code == 404


def test_a_search_leads_to_the_heading(client):
    page = client.get("/help/", {"q": "roll-off"}).content.decode()
    nothing = client.get("/help/", {"q": "xyzzy <b>"}).content.decode()

    assert 'href="/help/run-the-night/#ties"' in page or 'href="/help/glossary/"' in page
    assert "Nothing found. Try fewer words, or the beginning of a word." in nothing
    assert 'value="xyzzy &lt;b&gt;"' in nothing


def test_owners_and_guests_are_told_of_a_store_page_what_concerns_them(client):
    night = make_night(players=0)
    guest = Reader(client.get(night.store.get_absolute_url()).content.decode())
    client.force_login(night.owner)
    owner = Reader(client.get(night.store.get_absolute_url()).content.decode())

    assert [one.help[0]["href"] for one in (guest, owner)] == ["/help/player/#find-table", "/help/owner/#home"]


@pytest.mark.parametrize(
    ("sentence", "linked"),
    [
        ("Drawn (rule 3.1, seed 5).", 'Drawn (<a href="/help/rules/#r-3-1">rule 3.1</a>, seed 5).'),
        ("Regel 4.1", '<a href="/help/rules/#r-4-1">Regel 4.1</a>'),
        ("la règle\u00a02.10", 'la <a href="/help/rules/#r-2-10">règle\u00a02.10</a>'),
        ("rule 9.99 and <b>", "rule 9.99 and &lt;b&gt;"),
        (mark_safe("<b>regla 5.1</b>"), '<b><a href="/help/rules/#r-5-1">regla 5.1</a></b>'),
    ],
)
def test_the_number_of_a_rule_is_a_link_in_every_language(sentence, linked):
    assert rule_links(sentence) == linked
