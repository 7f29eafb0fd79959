"""Places and the waiting list, as tables of cases."""

from datetime import UTC, datetime, timedelta

import pytest

from tourney.domain.places import PlaceClaim, free_places, how_many_wait, to_release, waiting_list, why_no_sign_up

AT = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)


def claims(said: str) -> list[PlaceClaim]:
    """One for each letter, in order: r registered, H here, d dropped, D here before and dropped, x place released."""
    return [PlaceClaim(n, one in "HD", one in "dD", one == "x") for n, one in enumerate(said.replace(" ", ""), start=1)]


WAITING = [
    pytest.param("rrrr", None, (), id="no number is a place for everybody"),
    pytest.param("", 2, (), id="nobody"),
    pytest.param("rrr", 3, (), id="as many as places"),
    pytest.param("rrrrr", 3, (4, 5), id="those above the number wait, in the order they registered"),
    pytest.param("rdrr", 3, (), id="who dropped needs no place"),
    pytest.param("DHrrr", 3, (5,), id="who played and dropped needs none either"),
    pytest.param("rrrH", 3, (3,), id="who is here has a place before those who are not"),
    pytest.param("HHHH", 3, (), id="nobody who is here waits, even where places became fewer"),
    pytest.param("HHHHr", 3, (5,), id="but then nobody else gets one"),
    pytest.param("xrrr", 3, (1,), id="whose place is released waits behind all others"),
    pytest.param("xxxHr", 4, (3,), id="and keeps it as long as nobody else needs it"),
    pytest.param("xxHHr", 3, (1, 2), id="the first of them is the next"),
    pytest.param("Hxr", 1, (3, 2), id="the released wait last"),
    pytest.param("r", 0, (1,), id="no place at all"),
]


@pytest.mark.parametrize(("said", "places", "waiting"), WAITING)
def test_who_waits(said: str, places: int | None, waiting: tuple[int, ...]):
    assert waiting_list(claims(said), places) == waiting
    assert waiting_list(reversed(claims(said)), places) == waiting
    coming = [one for one in claims(said) if not one.has_dropped]
    assert how_many_wait(sum(one.is_checked_in for one in coming), len(coming), places) == len(waiting)


@pytest.mark.parametrize(("said", "places", "waiting"), WAITING)
def test_everybody_else_has_a_place_and_no_place_is_kept_from_who_waits(said, places, waiting):
    if places is not None:
        here = said.count("H")
        assert sum(one not in "dD" for one in said) - len(waiting) <= max(places, here)
        assert not waiting or sum(one not in "dD" for one in said) - len(waiting) == max(places, here)


@pytest.mark.parametrize(
    ("said", "places", "free"),
    [("rr", None, None), ("rr", 3, 1), ("rd", 3, 2), ("rrr", 3, 0), ("rrrr", 3, 0), ("", 0, 0)],
)
def test_how_many_places_are_free(said: str, places: int | None, free: int | None):
    assert free_places(claims(said), places) == free


@pytest.mark.parametrize(
    ("said", "places", "released"),
    [
        ("rrH", None, ()),
        ("rrH", 3, ()),
        ("rHr", 2, (1,)),
        ("rrHr", 3, (1, 2)),
        ("xrHrr", 3, (2, 4)),
        ("drHr", 2, (2,)),
        ("HHr", 2, ()),
        ("xrH", 2, ()),
    ],
)
def test_whose_places_are_released_for_those_who_wait(said: str, places: int | None, released: tuple[int, ...]):
    assert to_release(claims(said), places) == released


@pytest.mark.parametrize(
    ("is_open", "closes_in", "may"),
    [(True, None, True), (False, None, False), (True, 1, True), (True, 0, False), (True, -1, False), (False, 1, False)],
)
def test_until_when_players_sign_up(is_open: bool, closes_in: int | None, may: bool):
    closes_at = None if closes_in is None else AT + timedelta(minutes=closes_in)

    assert (why_no_sign_up(is_open, closes_at, AT) == ()) is may
