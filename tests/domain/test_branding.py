"""What becomes of a store's color: words in it and on it are readable everywhere, and nothing else of it changes."""

import colorsys
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tourney.domain.branding import (
    DARK,
    HULLS,
    LIGHT,
    contrast,
    hex_color,
    look_of,
    luminance,
    name_of_stylesheet,
    stylesheet,
)

TOKENS = (Path(__file__).parents[2] / "static/css/tokens.css").read_text("utf-8")
ANY = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21),
        ("#ffffff", "#ffffff", 1),
        ("#767676", "#ffffff", 4.54),
        ("#777777", "#ffffff", 4.48),
        ("#ff0000", "#ffffff", 4.0),
        ("#0000ff", "#ffffff", 8.59),
        ("#ffff00", "#000000", 19.56),
    ],
)
def test_contrast_is_that_of_wcag(one: str, other: str, ratio: float):
    assert round(contrast(one, other), 2) == ratio
    assert contrast(one, other) == contrast(other, one)


def test_luminance_goes_from_black_to_white():
    assert (luminance("#000000"), luminance("#ffffff")) == (0, pytest.approx(1))


# what is chosen; whether it becomes darker on light pages, lighter on dark ones; whether the line is as chosen
CASES = [
    ("#ffd400", True, False, True),  # yellow
    ("#0a1f44", False, True, False),  # navy
    ("#c8102e", False, True, False),  # red
    ("#00843d", True, True, False),  # green
    ("#7f7f7f", True, True, True),  # grey
    ("#000000", False, True, False),
    ("#ffffff", True, False, True),
    ("#14385c", False, True, False),  # our own by day
    ("#a5cdf7", True, False, True),  # and by night
]


@pytest.mark.parametrize(("chosen", "darker", "lighter", "same_line"), CASES)
def test_a_color_is_kept_where_it_is_readable(chosen: str, darker: bool, lighter: bool, same_line: bool):
    look = look_of(chosen)

    assert (look.is_darker_on_light, look.is_lighter_on_dark) == (darker, lighter)
    assert (look.line == chosen) == same_line
    assert luminance(look.on_light) <= luminance(chosen) <= luminance(look.on_dark)


@given(ANY)
@example("#000000")
@example("#ffffff")
@example("#ffff00")
@example("#0000ff")
def test_every_color_ends_with_words_that_can_be_read(chosen: str):
    look = look_of(chosen)

    for words in (look.on_light, look.hover_on_light):
        assert min(contrast(words, ground) for ground in LIGHT) >= 4.5
        assert contrast(words, look.words_on_light) >= 4.5
    for words in (look.on_dark, look.hover_on_dark):
        assert min(contrast(words, ground) for ground in (*DARK, *HULLS)) >= 4.5
        assert contrast(words, look.words_on_dark) >= 4.5
    assert min(contrast(look.line, hull) for hull in HULLS) >= 3


@given(ANY)
def test_only_the_lightness_changes_and_no_more_than_it_takes(chosen: str):
    look = look_of(chosen)
    hue, lightness, _ = rgb = hls(chosen)

    for shown, grounds, least, back in (
        (look.on_light, LIGHT, 4.5, 2 / 256),
        (look.on_dark, (*DARK, *HULLS, look.words_on_dark), 4.5, -2 / 256),
        (look.line, HULLS, 3, -2 / 256),
    ):
        if shown == chosen:
            continue
        now = hls(shown)
        if rgb[2] > 0.2 and 0.1 < now[1] < 0.9 and 0.1 < lightness < 0.9:  # near black, grey and white it says little
            assert abs((now[0] - hue + 0.5) % 1 - 0.5) < 0.03
        before = "#" + "".join(f"{round(part * 255):02x}" for part in colorsys.hls_to_rgb(hue, now[1] + back, rgb[2]))
        assert min(contrast(before, ground) for ground in grounds) < least


def hls(color: str) -> tuple[float, float, float]:
    return colorsys.rgb_to_hls(*(part / 255 for part in bytes.fromhex(color[1:])))


@pytest.mark.parametrize(
    ("typed", "color"),
    [("#1B2c3D", "#1b2c3d"), (" 1b2c3d ", "#1b2c3d"), ("#fc0", "#ffcc00"), ("FC0", "#ffcc00")],
)
def test_a_color_is_typed_with_six_digits_or_three(typed: str, color: str):
    assert hex_color(typed) == color


@pytest.mark.parametrize("typed", ["", "#", "red", "#12345", "#1234567", "#12345g", "##123456", "#fff}*{x:y", "#١٢٣"])
def test_anything_else_is_no_color(typed: str):
    with pytest.raises(ValueError, match="^" + re.escape(typed) + "$"):
        hex_color(typed)


# the style sheet


@given(ANY)
def test_the_style_sheet_changes_no_state_and_no_faction(chosen: str):
    css = stylesheet(chosen)

    assert set(re.findall(r"--([\w-]+):", css)) == {
        *("link", "primary", "primary-hover", "on-primary", "signal", "signal-hover", "on-signal")
    }
    assert css.count("{") == css.count("}")
    assert "--signal" not in css.partition(".app-header")[0]
    assert len(css) < 1000


def test_its_name_follows_what_it_says():
    assert re.fullmatch("[0-9a-f]{12}", name_of_stylesheet("#ffd400"))
    assert name_of_stylesheet("#ffd400") != name_of_stylesheet("#ffd401")


def test_the_grounds_are_those_of_the_tokens():
    names = ("ground", "surface", "sunken", "brass-soft", "success-soft", "warning-soft", "danger-soft", "info-soft")

    assert tuple(pair_of(name) for name in names) == tuple(zip(LIGHT, DARK, strict=True))
    assert pair_of("hull") == HULLS


def pair_of(name: str) -> tuple[str, str]:
    by_day, by_night = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", TOKENS).groups()
    return hex_color(by_day), hex_color(by_night)
