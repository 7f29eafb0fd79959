"""Two thousand broken files: each is read or refused with a sentence, and nothing else ever happens."""

import json
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from fleets.domain.card_data import InvalidData, sheet_as_data, sheet_from_data
from fleets.domain.card_table import read_table
from fleets.domain.cost import costs
from fleets.domain.space_dock import NotACatalogue, read_catalogue
from fleets.domain.space_dock_fleets import NotAFleet, read_fleets
from fleets.domain.surviving import reachable
from fleets.domain.texts import NotAText, as_text, read_text
from tests.domain.test_card_table import TABLE
from tests.domain.test_fleet_texts import OURS, find
from tests.domain.test_space_dock import CATALOGUE, FLEET

FILES = 500
CARDS = {entry.card.key: entry.card for entry in read_catalogue(CATALOGUE.encode()).entries}
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
    assert as_text(sheet, "Broken").startswith("Broken")
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


def test_broken_fleets():
    for seed in range(FILES):
        data = broken(json.dumps(FLEET).encode(), seed)
        found = read_or_refused(partial(read_fleets, data, CARDS), NotAFleet)
        if isinstance(found, str):
            assert found.endswith("."), seed
        else:
            for fleet in found:
                look_at_everything(fleet.sheet)


def test_broken_texts():
    for seed in range(FILES):
        text = broken(OURS.encode(), seed).decode(errors="replace")
        found = read_or_refused(partial(read_text, text, find), NotAText)
        if isinstance(found, str):
            assert found.endswith("."), seed
        else:
            look_at_everything(found.sheet)


def test_broken_fleet_files_of_our_own():
    whole = json.dumps(sheet_as_data(read_text(OURS, find).sheet)).encode()
    read = 0
    for seed in range(FILES):
        try:
            sheet = sheet_from_data(json.loads(broken(whole, seed)))
        except (ValueError, InvalidData):
            continue
        look_at_everything(sheet)
        read += 1
    assert read > 0
