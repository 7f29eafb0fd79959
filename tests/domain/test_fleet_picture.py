"""The picture of a fleet, whatever it is called and holds."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from fleets.domain.foreign import one_line
from fleets.domain.picture import WIDTH, as_svg
from fleets.domain.sheet import Sheet
from tests.support.sheets_by_dice import sheets


@given(sheets(), st.text(max_size=60))
def test_a_picture_is_well_formed_and_as_high_as_its_last_line(sheet, name):
    drawing = ElementTree.fromstring(as_svg(sheet, one_line(name)))
    lowest = max(int(text.get("y", 0)) for text in drawing.iter("{http://www.w3.org/2000/svg}text"))

    assert drawing.get("viewBox") == f"0 0 {WIDTH} {drawing.get('height')}"
    assert lowest < int(drawing.get("height", 0))
    assert len(list(drawing.iter())) > len(sheet.lines)


def test_what_is_longer_than_the_picture_is_wide_is_squeezed_into_it():
    wide, short = (as_svg(Sheet(), "W" * count).decode() for count in (28, 3))

    assert 'textLength="736"' in wide
    assert "textLength" not in short
