"""Thousands of broken files: each is read or refused with a sentence, and nothing else ever happens."""

import json
from base64 import b64encode
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from fleets.domain.card_data import sheet_as_data, sheet_from_data
from fleets.domain.card_table import read_table
from fleets.domain.cost import costs
from fleets.domain.foreign import KnownCards, NotAFleet
from fleets.domain.intake import read, write
from fleets.domain.space_dock import NotACatalogue, read_catalogue
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.surviving import reachable
from fleets.domain.texts import as_text, read_text
from tests.domain.test_card_table import TABLE
from tests.domain.test_fleet_texts import KNOWN, OURS, UTOPIA
from tests.domain.test_intake import ADDRESS, LISTED, SAVED, find
from tests.domain.test_space_dock import CATALOGUE, FLEET
from tests.support.fleets_for_tests import SHARED

FILES = 10 * settings.default.max_examples
FLEETS = 40 * settings.default.max_examples
SCRAPS = [*b'< > " \x00 \xff &#x0; null -1 99999999999 [[ {} true , ; : /'.split(), b"\n\n"]


def broken(data: bytes, seed: int) -> bytes:
    """The file with a few places cut out, doubled, turned round or written over."""
    dice = Random(seed)
    for _ in range(dice.randint(1, 6)):
        start = dice.randrange(len(data) + 1)
        stop = min(len(data), start + dice.randint(0, 12))
        piece = dice.choice([b"", data[start:stop] * 2, data[start:stop][::-1], dice.choice(SCRAPS), dice.randbytes(3)])
        data = data[:start] + piece + data[stop:]
    return data


def look_at_everything(sheet) -> None:
    """What a page would do with it."""
    found = costs(sheet)
    assert found.total >= 0
    assert sheet_from_data(sheet_as_data(sheet)) == sheet
    assert as_text(sheet, "Broken").startswith("Fleet: Broken")
    assert reachable(sheet)[0] == 0


def read_or_refused(read: Callable[[], Any], refusal: type[Exception]) -> Any:
    """What was read, or the sentence of the refusal."""
    try:
        return read()
    except refusal as refused:
        return str(refused)


@pytest.mark.parametrize(("read", "whole"), [(read_catalogue, CATALOGUE), (read_table, TABLE)], ids=["XML", "table"])
def test_broken_catalogues(read, whole):
    for seed in range(FILES):
        found = read_or_refused(partial(read, broken(whole.encode(), seed)), NotACatalogue)
        if isinstance(found, str):
            assert found.endswith("."), seed
        else:
            assert found.entries or found.not_understood, seed


def whole_fleets() -> list[bytes]:
    """A fleet in each form in which one can come, and the real files where they are at hand."""
    sheet = read_text(OURS, KnownCards(KNOWN)).sheet
    ours = [write(sheet, "Night watch"), write_fleet(sheet, "Night watch"), json.dumps([FLEET, FLEET]).encode()]
    utopias = [ADDRESS.encode(), json.dumps(SAVED).encode(), json.dumps(LISTED).encode(), UTOPIA.encode()]
    real = [file.read_bytes() for file in sorted(SHARED.glob("*.spacedock*"))]
    return [*ours, *utopias, OURS.encode(), *real]


def test_broken_fleets():
    """Half of them as bytes, half as text; addresses are also broken inside their base64."""
    wholes = whole_fleets()
    read_at_all = 0
    for seed in range(FLEETS):
        whole = wholes[seed % len(wholes)]
        data = broken(whole, seed)
        if whole == ADDRESS.encode() and seed % 3 == 0:
            data = b"#" + b64encode(broken(json.dumps(SAVED).encode(), seed))
        given = data if seed % 2 else data.decode(errors="replace")
        found = read_or_refused(partial(read, given, find), NotAFleet)
        if isinstance(found, str):
            assert found.endswith("."), seed
            continue
        read_at_all += 1
        for fleet in found:
            assert fleet.name.isprintable(), seed
            look_at_everything(fleet.sheet)
    assert read_at_all > FLEETS // 10
