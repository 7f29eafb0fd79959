"""A pairing is explained when somebody asks, with the very reasons it would have been drawn with."""

from random import Random

import pytest

from tests.support.fields import fields
from tourney.domain.swiss import Contender, Options, Pairing, Seating, pair
from tourney.domain.swiss.levels import costs
from tourney.domain.swiss.lookahead import keep_later_rounds
from tourney.domain.swiss.matching import best_choice
from tourney.domain.swiss.order import field_of
from tourney.domain.swiss.reasons import bye_reason, relaxed_reasons, table_reasons

EXPLAINED = ("tables", "bye_reason", "relaxed", "costs")
STYLES = (Options(), Options("random"), Options("halves"), Options(no_second_bye=True))


def explained_at_once(
    contenders: list[Contender], *, seed: int, rounds_left: int, options: Options, first_round: bool
) -> Pairing:
    """The pairing with everything that is known of it, worked out as soon as it is drawn."""
    field = field_of(contenders, seed, options, first_round)
    best = best_choice(field)
    choice = keep_later_rounds(field, best, rounds_left)
    seated, reasons = choice.line.seated, table_reasons(field, choice, best)
    return Pairing(
        tables=tuple(
            Seating(seated[high].id, seated[low].id, reason)
            for (high, low), reason in zip(choice.tables, reasons, strict=True)
        ),
        bye=choice.bye.id if choice.bye else None,
        bye_reason=bye_reason(field, choice, best),
        relaxed=relaxed_reasons(field, choice, reasons),
        costs=costs(field, choice),
        seed=seed,
    )


@pytest.mark.parametrize("players", [2, 5, 8, 11, 12, 25, 64, 129])
def test_whenever_somebody_asks_it_is_what_it_was_when_it_was_drawn(players: int):
    random = Random(players)
    for seed in range(6):
        for number, field in enumerate(fields(random.randint(1, 9), players, seed=seed), start=1):
            asked = {"seed": seed, "rounds_left": random.randint(0, 3), "options": random.choice(STYLES)}
            asked["first_round"] = number == 1
            contenders = list(field)
            drawn = pair(contenders, **asked)
            contenders.clear()

            told = explained_at_once(field, **asked)
            assert (drawn.pairs, drawn.bye, drawn.seed) == (told.pairs, told.bye, told.seed)
            for name in random.sample(EXPLAINED, len(EXPLAINED)):
                assert getattr(drawn, name) == getattr(told, name), (players, seed, number, name)


def test_who_only_compares_pairings_has_nothing_explained_and_who_asks_has_it_explained_once():
    *_, field = fields(4, 33, seed=3)
    drawn, again = pair(field, seed=3), pair(list(reversed(field)), seed=3)

    assert (drawn.pairs, drawn.bye, drawn.seed) == (again.pairs, again.bye, again.seed)
    assert vars(drawn).keys().isdisjoint(EXPLAINED)
    assert drawn.tables is drawn.tables
    assert drawn == again
    assert drawn != pair(field, seed=4)
