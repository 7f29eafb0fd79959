"""Reading the PDF that Chromium prints: which text stands on which page.

Only what Skia writes is understood: deflated streams, fonts with a ToUnicode map, text shown by hexadecimal glyphs.
"""

import re
import zlib

OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
SCALE = re.compile(rb" re\nW\* n\nq\n([\d.]+) 0 0 [\d.]+ [-\d.]+ [-\d.]+ cm")
FULL_SCALE = b"3.125"  # Skia counts in 1/300 inch, CSS in 1/96
SHOWN = re.compile(rb"/(\w+) [\d.]+ Tf|<([0-9A-F]+)> Tj")


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page without any spaces, in the order in which it is painted."""
    objects = dict(OBJECT.findall(pdf))
    return [_text(objects, page) for page in _pages(objects, re.search(rb"/Pages (\d+) 0 R", pdf)[1])]


def sizes_of(pdf: bytes) -> set[tuple[int, int]]:
    """Width and height of the pages in points, rounded."""
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return {(round(float(width)), round(float(height))) for width, height in boxes}


def is_shrunk(pdf: bytes) -> bool:
    """Whether something was wider than its page, upon which Chromium prints everything smaller."""
    objects = dict(OBJECT.findall(pdf))
    pages = _pages(objects, re.search(rb"/Pages (\d+) 0 R", pdf)[1])
    return any(SCALE.search(_content(objects, page))[1] != FULL_SCALE for page in pages)


def squeezed(text: str) -> str:
    """The text as `pages_of` has it."""
    return "".join(text.split())


def _pages(objects: dict[bytes, bytes], number: bytes) -> list[bytes]:
    body = objects[number]
    if b"/Type /Pages" not in body:
        return [body]
    kids = re.search(rb"/Kids \[(.*?)\]", body, re.DOTALL)[1]
    return [page for kid in re.findall(rb"(\d+) 0 R", kids) for page in _pages(objects, kid)]


def _text(objects: dict[bytes, bytes], page: bytes) -> str:
    fonts = re.search(rb"/Font <<(.*?)>>", page, re.DOTALL)
    letters = (
        {name: _letters(objects, objects[number]) for name, number in re.findall(rb"/(\w+) (\d+) 0 R", fonts[1])}
        if fonts
        else {}
    )
    content = _content(objects, page)
    text, font = [], {}
    for name, glyphs in SHOWN.findall(content):
        font = letters[name] if name else font
        text += [font.get(glyphs[at : at + 4], "?") for at in range(0, len(glyphs), 4)]
    return squeezed("".join(text))


def _content(objects: dict[bytes, bytes], page: bytes) -> bytes:
    return _stream(objects[re.search(rb"/Contents (\d+) 0 R", page)[1]])


def _letters(objects: dict[bytes, bytes], font: bytes) -> dict[bytes, str]:
    """The letters of each glyph, by its ToUnicode map."""
    cmap = _stream(objects[re.search(rb"/ToUnicode (\d+) 0 R", font)[1]])
    found = {}
    for block in re.findall(rb"beginbfchar\n(.*?)endbfchar", cmap, re.DOTALL):
        found |= {glyph: _word(code) for glyph, code in re.findall(rb"<(\w+)> <(\w+)>", block)}
    for block in re.findall(rb"beginbfrange\n(.*?)endbfrange", cmap, re.DOTALL):
        for first, last, code in re.findall(rb"<(\w+)> <(\w+)> <(\w+)>", block):
            for step in range(int(last, 16) - int(first, 16) + 1):
                found[b"%04X" % (int(first, 16) + step)] = chr(int(code, 16) + step)
    return found


def _word(code: bytes) -> str:
    return bytes.fromhex(code.decode()).decode("utf-16-be")


def _stream(body: bytes) -> bytes:
    return zlib.decompress(body.split(b" stream\n", 1)[1].rsplit(b"\nendstream", 1)[0])
