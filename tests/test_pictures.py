"""Pictures of the guide: small, named with what they show, rewritten only if a reader would see a change."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from PIL import Image, ImageDraw, ImageFilter

from tests.support import pictures
from tourney.queries import guide, guide_pictures

FILES = sorted(pictures.FOLDER.rglob("*.webp"))
PAGES = sorted([settings.BASE_DIR / "README.md", *settings.BASE_DIR.glob("docs/guide/**/*.md")])
NAMED = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)(?: \"([^\"]*)\")?\)")
MOST_OF_ALL = 6_000_000


def screen(word: str = "Publish round 1", *, shade: str = "#10263d") -> Image.Image:
    """Something like a page: a bar, rows, a button with a word."""
    picture = Image.new("RGB", (800, 600), "#eff3f6")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 800, 48), fill=shade)
    for top in range(80, 560, 40):
        draw.text((40, top), "Kestrel against Talon", fill="#10263d", font_size=16)
    draw.text((600, 300), word, fill="#10263d", font_size=16)
    return picture


def webp(picture: Image.Image) -> bytes:
    return pictures.webp_of(picture)


def test_every_picture_is_small_and_all_of_them_are_no_burden():
    films = [file for file in FILES if file.stem == "film"]
    others = [file for file in FILES if file not in films]

    assert len(films) == len(settings.LANGUAGES)
    assert [file.name for file in others if file.stat().st_size > pictures.MOST_BYTES] == []
    assert [file.name for file in films if file.stat().st_size > pictures.MOST_OF_A_FILM] == []
    assert sum(file.stat().st_size for file in FILES) <= MOST_OF_ALL


@pytest.mark.parametrize("file", [file for file in FILES if file.stem == "film"], ids=lambda file: file.parent.name)
def test_a_film_is_short_and_ends_with_the_picture_that_does_not_move(file: Path):
    frames = pictures.frames_of(file.read_bytes())
    still = pictures.frames_of(file.with_stem("film-still").read_bytes())

    assert len(frames) > 2
    assert sum(shown for _, shown in frames) <= pictures.LONGEST_FILM
    assert frames[-1][0].size == still[0][0].size


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pictures_that_a_page_names_are_there_and_say_what_they_show(page: Path):
    named = NAMED.findall(page.read_text("utf-8"))

    assert [address for _, address, _ in named if not (page.parent / address).is_file()] == []
    assert [address for alt, address, _ in named if len(alt) < 12] == []


def test_the_guide_shows_every_picture_that_is_made():
    """What nobody sees is not kept."""
    named = {Path(address).name for page in PAGES for _, address, _ in NAMED.findall(page.read_text("utf-8"))}
    made = {file.name for file in (pictures.FOLDER / "en").iterdir()}

    assert {one for one in made if not one.endswith(("-dark.webp", "-still.webp"))} == named
    assert {file.name for file in FILES} == made
    assert {file.name for file in FILES if file.parent.name == "fr"} == {
        one for one in made if not one.endswith("-dark.webp") and one != "night-light.webp"
    }


def test_another_word_is_seen_and_another_drawing_of_letters_is_not(tmp_path):
    before = webp(screen())
    softer = webp(screen().filter(ImageFilter.GaussianBlur(0.4)))

    assert not pictures.differ(before, before)
    assert not pictures.differ(before, softer)
    assert pictures.differ(before, webp(screen("Close round 1")))
    assert pictures.differ(before, webp(screen(shade="#55155a")))
    assert pictures.differ(before, webp(screen().crop((0, 0, 800, 580))))


def test_only_what_changed_is_written(tmp_path):
    made = {"en/desk.webp": webp(screen()), "de/desk.webp": webp(screen("Runde 1"))}
    assert pictures.write_changed(made, tmp_path) == ["de/desk.webp", "en/desk.webp"]

    softer = webp(screen().filter(ImageFilter.GaussianBlur(0.4)))
    again = {"en/desk.webp": softer, "de/desk.webp": webp(screen("Runde 2"))}

    assert pictures.write_changed(again, tmp_path) == ["de/desk.webp"]
    assert (tmp_path / "en/desk.webp").read_bytes() == made["en/desk.webp"]
    assert (tmp_path / "de/desk.webp").read_bytes() == again["de/desk.webp"]


def test_a_film_whose_pictures_change_or_stay_longer_is_another():
    frames = [(screen(), 500), (screen("Close round 1"), 700)]
    film = pictures.film_of(frames)

    assert not pictures.differ(film, pictures.film_of(frames))
    assert pictures.differ(film, pictures.film_of([frames[0], (screen("Finish event"), 700)]))
    assert pictures.differ(film, pictures.film_of([frames[0], (frames[1][0], 900)]))


def test_what_cannot_be_small_is_refused():
    noise = Image.effect_noise((1400, 1400), 200).convert("RGB")

    with pytest.raises(ValueError, match="show less"):
        pictures.webp_of(noise)


def test_the_size_of_a_picture_is_read_from_its_head():
    film = pictures.film_of([(screen(), 500), (screen("Close round 1"), 700)])

    assert guide_pictures.size_of(webp(screen())) == guide_pictures.size_of(film) == (800, 600)
    with pytest.raises(ValueError, match="WebP"):
        guide_pictures.size_of(b"\x89PNG\r\n\x1a\n" + b"x" * 40)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A desk by day and night in English, by day in German, and a film."""
    for name in ("en/desk-light", "en/desk-dark", "de/desk-light", "en/film", "en/film-still"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.webp").write_bytes(webp(screen()))
    monkeypatch.setattr(guide_pictures, "PICTURES", tmp_path)
    return tmp_path


def shown(text: str, language: str = "en") -> str:
    return guide.rendered("index", f"# Help\n\nLead.\n\n{text}\n", "en", pictures_in=language).html


def test_a_picture_is_shown_by_day_and_night_with_its_size_and_what_it_shows(folder):
    html = shown('![The desk & its "next step"](images/en/desk-light.webp)')

    assert html.startswith('<p class="help-pictures"><a class="help-picture is-wide" href="/static/guide/en/desk-light')
    assert '<source srcset="/static/guide/en/desk-dark.webp" media="(prefers-color-scheme:dark)">' in html
    assert 'alt="The desk &amp; its &quot;next step&quot;" width="800" height="600" loading="lazy"' in html


def test_readers_see_the_product_in_their_language_or_else_in_english(folder):
    text = "![The desk](images/en/desk-light.webp)"
    german, french = shown(text, "de"), shown(text, "fr")

    assert "/static/guide/de/desk-light.webp" in german
    assert "<source" not in german  # rather by day in German than by night in English
    assert french == shown(text)


def test_a_film_is_started_by_the_reader_and_stands_still_for_who_wants_that(folder):
    html = shown('![A round is published](images/en/film.webp "Watch it")')

    assert html.startswith('<details class="help-film"><summary>Watch it</summary><picture>')
    assert '<source srcset="/static/guide/en/film-still.webp" media="(prefers-reduced-motion:reduce)">' in html
    assert "<p>" not in html


@pytest.mark.parametrize(
    "address",
    [
        "images/en/nothing-light.webp",
        "https://elsewhere.example/x.webp",
        "../../static/img/icon-192.png",
        "images/en/../x",
    ],
)
def test_what_is_no_picture_of_ours_is_its_text(folder, address: str):
    assert shown(f"![A <b>desk</b>]({address})") == '<p class="help-pictures">A &lt;b&gt;desk&lt;/b&gt;</p>\n'


def test_a_search_does_not_find_the_html_of_a_picture(folder):
    page = guide.rendered("index", "# Help\n\nLead.\n\n![The desk](images/en/desk-light.webp)\n", "en")

    assert page.sections[0].passages == ("Lead.",)
