"""The guide's pictures (docs/guide/images, made by `make pictures`) as HTML: the reader's own language, day and night.

A page names them as Markdown does, `![What is to be seen](images/en/overview-light.webp)`; who reads in German gets
what the German product shows. A picture that has a `…-still` beside it moves.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from markdown_it.token import Token

PICTURES = settings.BASE_DIR / "docs" / "guide" / "images"
ADDRESS = re.compile(r"(?:\.\./)?images/[a-z-]+/([a-z0-9-]+)\.webp")
LIGHT, DARK, STILL = "-light", "-dark", "-still"
IN_ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class GuidePicture:
    """The addresses of a picture: by day, by night and without movement, as far as there are such; and its size."""

    day: str
    night: str
    still: str
    width: int
    height: int


def picture_named(name: str, language: str) -> GuidePicture | None:
    """That picture in that language, otherwise in English; None if there is none."""
    for one in (language, IN_ENGLISH):
        file = PICTURES / one / f"{name}.webp"
        if file.is_file():
            night, still = (_address(one, name.removesuffix(LIGHT) + ending) for ending in (DARK, STILL))
            width, height = size_of(file.read_bytes())
            return GuidePicture(_address(one, name), night, still, width, height)
    return None


def _address(language: str, name: str) -> str:
    """Where the file is served; empty if there is none."""
    is_there = (PICTURES / language / f"{name}.webp").is_file()
    return static(f"guide/{language}/{name}.webp") if is_there else ""


def show_pictures(tokens: Sequence[Token], language: str) -> None:
    """Pictures of ours become HTML, alone in their paragraph or beside each other; what is no picture of ours is its
    text."""
    for opened, inline, closed in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if inline.type != "inline" or not any(one.type == "image" for one in inline.children or []):
            continue
        is_all = all(one.type in ("image", "softbreak") for one in inline.children or [])
        inline.children = [_shown(one, language) if one.type == "image" else one for one in inline.children or []]
        if is_all and opened.type == "paragraph_open":
            if any("<details" in one.content for one in inline.children):
                opened.hidden = closed.hidden = True  # no paragraph may have one in it
            else:
                opened.attrSet("class", "help-pictures")


def _shown(image: Token, language: str) -> Token:
    named = ADDRESS.fullmatch(str(image.attrGet("src") or ""))
    picture = picture_named(named[1], language) if named else None
    if picture is None:
        return Token("text", "", 0, content=image.content)
    title = str(image.attrGet("title") or image.content)
    html = _film(picture, title, image.content) if picture.still else _picture(picture, image.content)
    return Token("html_inline", "", 0, content=html)


def _picture(picture: GuidePicture, alt: str) -> SafeString:
    """A picture that can be opened alone, to be looked at closely on a phone."""
    night = _source(picture.night, "prefers-color-scheme:dark")
    kind = "is-tall" if picture.height > picture.width else "is-wide"
    return format_html('<a class="help-picture {}" href="{}">{}</a>', kind, picture.day, _img(picture, night, alt))


def _film(picture: GuidePicture, title: str, alt: str) -> SafeString:
    """It plays while it is open; who wants no movement sees its last picture."""
    still = _source(picture.still, "prefers-reduced-motion:reduce")
    summary = format_html("<summary>{}</summary>", title)
    return format_html('<details class="help-film">{}{}</details>', summary, _img(picture, still, alt))


def _source(address: str, wish: str) -> SafeString:
    """What is shown instead to readers who wish for that; nothing without an address."""
    return format_html('<source srcset="{}" media="({})">', address, wish) if address else SafeString()


def _img(picture: GuidePicture, sources: SafeString, alt: str) -> SafeString:
    return format_html(
        '<picture>{}<img src="{}" alt="{}" width="{}" height="{}" loading="lazy" decoding="async"></picture>',
        *(sources, picture.day, alt, picture.width, picture.height),
    )


def size_of(webp: bytes) -> tuple[int, int]:
    """Width and height, as the head of the file says. Raises ValueError for what is no WebP."""
    kind = webp[12:16] if webp[:4] == b"RIFF" and webp[8:12] == b"WEBP" else b""
    if kind == b"VP8X":
        return int.from_bytes(webp[24:27], "little") + 1, int.from_bytes(webp[27:30], "little") + 1
    if kind == b"VP8 ":
        return int.from_bytes(webp[26:28], "little") & 0x3FFF, int.from_bytes(webp[28:30], "little") & 0x3FFF
    raise ValueError("This is no lossy WebP.")
