"""The guide (docs/guide): what each page's “?” opens is there, its links lead somewhere, and it is rendered safely."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.urls import URLResolver, get_resolver

from tourney.domain.guide import FOR_STAFF, PAGES, TOPICS, topic_of
from tourney.queries import guide

GUIDE = settings.BASE_DIR / "docs" / "guide"
HREF = re.compile(r'href="([^"]+)"')


def names(resolver: URLResolver) -> Iterator[str]:
    """The name of every address."""
    for pattern in resolver.url_patterns:
        yield from names(pattern) if isinstance(pattern, URLResolver) else [pattern.name]


def everything_on(name: str) -> str:
    page = guide.page_of(name, "en")
    return page.lead + page.html


def anchors_of(name: str) -> set[str]:
    return {"", *re.findall(r' id="([^"]+)"', everything_on(name))}


def test_the_pages_are_the_files_of_the_folder():
    assert {*PAGES} - {"rules"} == {file.stem for file in GUIDE.glob("*.md")}


def test_every_page_of_the_program_has_its_place_in_the_guide():
    assert {*TOPICS} == {*names(get_resolver())} - NO_PAGES
    assert {*FOR_STAFF} <= {*TOPICS}


@pytest.mark.parametrize("name", sorted({*TOPICS, "no-such-page"}))
def test_what_a_page_opens_is_there(name: str):
    for is_staff in (False, True):
        page, anchor = topic_of(name, is_staff=is_staff)

        assert anchor in anchors_of(page)


@pytest.mark.parametrize("name", PAGES)
def test_links_of_the_guide_lead_to_a_page_and_a_heading(name: str):
    links = [one for one in HREF.findall(everything_on(name)) if not one.startswith("/static/guide/")]
    lost = []
    for link in links:
        path, _, anchor = link.partition("#")
        found = re.fullmatch(r"/help/(?:([a-z-]+)/)?", path)
        page = name if not path else (found[1] or "index") if found else None
        if page not in PAGES or anchor not in anchors_of(page):
            lost.append(link)

    assert lost == []


@pytest.mark.parametrize("name", [name for name in PAGES if name != "rules"])
def test_every_heading_names_its_anchor_so_that_translations_keep_it(name: str):
    page = guide.page_of(name, "en")
    anchors = [one.anchor for one in page.sections[1:]]

    assert "" not in anchors
    assert len(anchors) == len({*anchors})
    assert "{#" not in everything_on(name)


def test_every_rule_has_an_anchor_of_its_own():
    numbers = re.findall(r"^- \*\*(\d+\.\d+)\*\*", (GUIDE.parent / "rules.md").read_text("utf-8"), re.M)
    anchors = anchors_of("rules")

    assert len(numbers) > 60
    assert [one for one in numbers if guide.anchor_of_rule(one) not in anchors] == []
    assert guide.numbers_of_rules() == {*numbers}


def test_a_rule_that_names_another_links_to_it():
    html = guide.rendered("rules", "# Rules\n\n- **2.7** Dice (4.1), 81.25 of 4.10.\n", "en").html

    assert '<li id="r-2-7"><strong>2.7</strong> Dice (<a href="#r-4-1">4.1</a>), 81.25 of 4.10.</li>' in html


def test_html_in_a_page_is_text_and_a_link_to_a_script_is_none():
    lead = guide.rendered(
        "index", "# Help\n\n<b>bold</b> [x](javascript:alert(1)) [y](../decisions/rows.md)\n", "en"
    ).lead

    assert lead == "<p>&lt;b&gt;bold&lt;/b&gt; [x](javascript:alert(1)) y</p>\n"


def test_a_translated_page_is_used_where_there_is_one(tmp_path, monkeypatch):
    (tmp_path / "guide" / "de").mkdir(parents=True)
    (tmp_path / "guide" / "de" / "player.md").write_text("# Für Spieler\n\n## Karte {#card}\n\nText.\n", "utf-8")
    (tmp_path / "guide" / "player.md").write_text("# For players\n", "utf-8")
    monkeypatch.setattr(guide, "DOCS", tmp_path)
    guide.page_of.cache_clear()

    found = [guide.page_of("player", language) for language in ("de", "fr")]
    guide.page_of.cache_clear()

    assert [(one.language, one.title) for one in found] == [("de", "Für Spieler"), ("en", "For players")]
    assert 'id="card"' in found[0].html


def test_a_search_finds_all_words_and_puts_headings_first():
    found = guide.search("commendation TOKEN", "en")

    assert found[0].section.title.casefold().count("commendation")
    assert ("player", "token") in {(one.page.name, one.section.anchor) for one in found}
    assert len(found) <= guide.MOST_FOUND
    assert guide.search("token xyzzy", "en") == guide.search("  ", "en") == ()


@pytest.mark.parametrize(
    ("typed", "section"),
    [
        ("late player", "run-the-night#late"),
        ("tie", "run-the-night#ties"),
        ("dice", "judge#dice"),
        ("wifi", "troubleshooting#phone"),
        ("print", "first-night#print"),
        ("undo", "run-the-night#undo"),
        ("wrong result", "run-the-night#corrections"),
        ("forgot password", "troubleshooting#locked-out"),
        ("lost card", "run-the-night#lost-card"),
        ("rename", "run-the-night#player"),
        ("spelling", "run-the-night#player"),
        ("timer", "run-the-night#more-time"),
        ("extra time", "run-the-night#more-time"),
        ("waiting list", "run-the-night#waiting-list"),
        ("no show", "run-the-night#leaving"),
        ("no-show", "run-the-night#leaving"),
        ("swap", "first-night#round-1"),
        ("prize", "first-night#podium"),
        ("export", "coming-from#out"),
        ("discord", "owner#webhook"),
        ("calendar", "player#join"),
        ("offline", "run-the-night#no-network"),
        ("language", "questions#language"),
        ("add player", "first-night#players-join"),
        ("duplicate", "owner#players"),
        ("call judge", "judge#calls"),
        ("bye", "questions#bye"),
        ("qr", "troubleshooting#qr"),
        ("notification", "troubleshooting#sound"),
        ("delete my data", "privacy#erase"),
        ("cancel event", "owner#change-of-plans"),
    ],
)
def test_a_search_finds_what_people_type_among_the_first(typed: str, section: str):
    found = [f"{one.page.name}#{one.section.anchor}" for one in guide.search(typed, "en")]

    assert section in found[:4]


def test_a_search_finds_a_rule_by_its_number():
    assert guide.search("3.4 promise", "en") == ()
    assert [one.section.anchor for one in guide.search("3.11 door", "en")] == ["r-3-11"]


NO_PAGES = {
    *("staff_moved", "page_of_staff_moved"),
    *("alive", "alive_without_slash", "metrics", "event_of_store", "page_of_event_of_store"),
    *("health", "ready", "ready_without_slash", "robots", "security_txt", "csp_reports", "language", "live", "wall"),
    *("poster_svg", "slip", "fleet_file", "shared_picture", "pack_as_file", "card_by_key"),
    *("service_worker", "manifest", "short_address", "short_address_with_slash"),
    *("event_json", "standings_json", "pairings_json", "events_json", "campaign_json", "openapi"),
    *("store_manifest", "tonight", "store_look_css", "store_logo"),
    *("event_calendar", "store_calendar", "event_picture", "player_picture"),
    *("event_png", "player_png", "event_link_picture", "store_link_picture"),
}
"""What has no header with a “?”: answers to programs, files, the wall."""
