"""Reading the PDF that Chromium prints: which text stands on which page."""

import math
from collections.abc import Iterator
from contextlib import closing

import pypdfium2
from pypdfium2 import PdfPage, PdfTextObj
from pypdfium2.raw import FPDF_PAGEOBJ_TEXT

FULL_SCALE = 0.75  # a CSS pixel in points


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page without any spaces, in the order in which it is painted."""
    return [squeezed("".join(text.extract() for text in _texts(page))) for page in _pages(pdf)]


def sizes_of(pdf: bytes) -> set[tuple[int, int]]:
    """Width and height of the pages in points, rounded."""
    return {(round(page.get_width()), round(page.get_height())) for page in _pages(pdf)}


def is_shrunk(pdf: bytes) -> bool:
    """Whether something was wider than its page, upon which Chromium prints everything smaller."""
    return not all(any(_is_full_scale(text) for text in _texts(page)) for page in _pages(pdf))


def squeezed(text: str) -> str:
    """The text as `pages_of` has it."""
    return "".join(text.split())


def _pages(pdf: bytes) -> Iterator[PdfPage]:
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        yield from document


def _texts(page: PdfPage) -> Iterator[PdfTextObj]:
    return page.get_objects([FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage())


def _is_full_scale(text: PdfTextObj) -> bool:
    matrix = text.get_matrix()
    return math.isclose(math.hypot(matrix.a, matrix.b), FULL_SCALE, rel_tol=1e-3)
