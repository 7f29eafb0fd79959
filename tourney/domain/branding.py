"""The look of a store: what becomes of the color it chose, so that everybody can read what is written in it.

Contrast is that of WCAG 2: 4.5:1 for words, 3:1 for lines. Only the lightness (HSL) of a color is ever changed.
"""

import colorsys
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

HEX = re.compile(r"#[0-9a-f]{6}")
WORDS, LINES = 4.5, 3.0
LIGHT = ("#eff3f6", "#ffffff", "#e5ebf0", "#fdf2d0", "#def2e6", "#ffecd2", "#fde5e5", "#e0edf9")
"""The grounds of `tokens.css` on which links and buttons stand by day."""
DARK = ("#0a121c", "#121d2a", "#1b2938", "#2b2715", "#12301f", "#37240b", "#3d1519", "#11293f")
"""The same by night."""
HULLS = ("#10263d", "#1a3149")
"""The header and the next step, by day and by night."""
WHITE, NIGHT = "#ffffff", "#0b1d30"
"""The words on top of the color."""
STEP = 1 / 256


@dataclass(frozen=True, slots=True)
class StoreColors:
    """A color, and what is shown of it: `on_light` and `on_dark` as words on these grounds and as the ground of
    `words_on_light` and `words_on_dark`; the `hover` ones likewise; `line` as a line on the hull.

    Words on the hull, too, are in `on_dark`.
    """

    chosen: str
    on_light: str
    hover_on_light: str
    words_on_light: str
    on_dark: str
    hover_on_dark: str
    words_on_dark: str
    line: str

    @property
    def is_darker_on_light(self) -> bool:
        """Whether light pages show another color than the chosen one."""
        return self.on_light != self.chosen

    @property
    def is_lighter_on_dark(self) -> bool:
        """Whether dark pages show another color than the chosen one."""
        return self.on_dark != self.chosen


def hex_color(typed: str) -> str:
    """The color as `#rrggbb`, from that, three digits, or either without its “#”. Raises ValueError for anything else.

    >>> hex_color("FC0")
    '#ffcc00'
    """
    digits = typed.strip().lower().removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    if not HEX.fullmatch(f"#{digits}"):
        raise ValueError(typed)
    return f"#{digits}"


def luminance(color: str) -> float:
    """The relative luminance of `#rrggbb`, from 0, black, to 1, white."""
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in _parts(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colors, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=256)
def look_of(accent: str) -> StoreColors:
    """What is shown of `#rrggbb`: itself where its contrast is enough, else as much darker or lighter as it takes."""
    on_light = _until(accent, -STEP, LIGHT, WORDS)
    on_dark = _until(accent, STEP, (*DARK, *HULLS, NIGHT), WORDS)
    return StoreColors(
        chosen=accent,
        on_light=on_light,
        hover_on_light=_with_lightness(on_light, _lightness(on_light) * 0.7),
        words_on_light=WHITE,
        on_dark=on_dark,
        hover_on_dark=_with_lightness(on_dark, 1 - (1 - _lightness(on_dark)) * 0.6),
        words_on_dark=NIGHT,
        line=_until(accent, STEP, HULLS, LINES),
    )


@lru_cache(maxsize=256)
def stylesheet(accent: str) -> str:
    """The style sheet of a store's pages, in the layer of `tokens.css`: the tokens that its color replaces.

    States and factions keep their colors, and so does the signal yellow outside of the header and the next step.
    """
    look = look_of(accent)
    by_day = {
        "link": look.on_light,
        "primary": look.on_light,
        "primary-hover": look.hover_on_light,
        "on-primary": look.words_on_light,
    }
    by_night = {
        "link": look.on_dark,
        "primary": look.on_dark,
        "primary-hover": look.hover_on_dark,
        "on-primary": look.words_on_dark,
    }
    both = (f"--{name}:light-dark({color},{by_night[name]})" for name, color in by_day.items())
    older = (f"--{name}:{color}" for name, color in by_day.items())
    on_hull = (f"--signal:{look.on_dark}", f"--signal-hover:{look.hover_on_dark}", f"--on-signal:{look.words_on_dark}")
    return (
        f"@layer tokens{{{_rule(':root', both)}"
        f"@supports not (color:light-dark(#000,#fff)){{{_rule(':root', older)}}}"
        f"{_rule('.app-header,.next-step', on_hull)}}}"
        f"@layer layout{{{_rule('.app-header', [f'border-color:{look.line}'])}}}"
        f"@layer utilities{{{_rule('.wall-event,.wall-head h2', ['color:var(--link)'])}}}\n"
    )


@lru_cache(maxsize=256)
def name_of_stylesheet(accent: str) -> str:
    """What tells this style sheet from every other one: twelve digits, as in the names of static files."""
    return sha256(stylesheet(accent).encode()).hexdigest()[:12]


def _rule(selector: str, declarations: Iterable[str]) -> str:
    return f"{selector}{{{';'.join(declarations)}}}"


def _until(accent: str, step: float, grounds: tuple[str, ...], least: float) -> str:
    """The color, with its lightness changed step by step until it has that contrast with all of the grounds."""
    color, lightness = accent, _lightness(accent)
    while min(contrast(color, ground) for ground in grounds) < least:
        lightness += step
        color = _with_lightness(accent, min(max(lightness, 0), 1))
    return color


def _with_lightness(color: str, lightness: float) -> str:
    hue, _, saturation = colorsys.rgb_to_hls(*_parts(color))
    parts = colorsys.hls_to_rgb(hue, lightness, saturation)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def _lightness(color: str) -> float:
    return colorsys.rgb_to_hls(*_parts(color))[1]


def _parts(color: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(color[1:])
    return red / 255, green / 255, blue / 255
