"""Reading the PDF that Chromium prints: which text stands on which page.

Only what Skia writes is understood: deflated streams, fonts with a ToUnicode map, text shown by hexadecimal glyphs.
"""

import re
import zlib

OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
SHOWN = re.compile(rb"/(\w+) [\d.]+ Tf|<([0-9A-F]+)> Tj")


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page without any spaces, in the order in which it is painted."""
    objects = {number: body for number, body in OBJECT.findall(pdf)}
    return [_text(objects, page) for page in _pages(objects, re.search(rb"/Pages (\d+) 0 R", pdf)[1])]


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
    content = _stream(objects[re.search(rb"/Contents (\d+) 0 R", page)[1]])
    text, font = [], {}
    for name, glyphs in SHOWN.findall(content):
        font = letters[name] if name else font
        text += [font.get(glyphs[at : at + 4], "?") for at in range(0, len(glyphs), 4)]
    return squeezed("".join(text))


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
