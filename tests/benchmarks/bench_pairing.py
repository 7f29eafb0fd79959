"""How long it takes to pair a round and how good the pairing is, side by side with other ways to do it.

Other engines stop at the size that takes them longer than BENCH_SECONDS (10): `BENCH_SECONDS=300 make bench`.
"""

import os
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from statistics import median

import pytest

from tests.benchmarks.bench_night import seconds, table
from tests.benchmarks.engines import ENGINES, STYLES, Engine, Pairs, flagship
from tests.benchmarks.measuring import Measured, measure
from tests.support.fields import field_after, fields
from tourney.domain.swiss import Contender, pair

SIZES = (8, 9, 32, 33, 128, 129, 512, 513, 1000, 1001, 2000, 5000, 9999, 10000)
STORES = (64, 65, 100, 128, 129, 200, 249, 250)
SEEDS = range(10)
PATIENCE = float(os.environ.get("BENCH_SECONDS", "10"))


@pytest.mark.parametrize("rounds", [3, 8])
def bench_one_round_side_by_side(rounds: int):
    """Fails when another engine finds a better pairing than ours."""
    rows = [("players", "engine", "time", "times ours", "memory", "rematches", "squares", "growth")]
    trying, before = dict(ENGINES), 0.0
    for size in SIZES:
        field = field_after(rounds, size, seed=size)
        ours = measure(flagship, field, limit=60)
        growth = f"x {ours.seconds / before:.1f}" if before else ""
        rows.append((f"{size:,}", "Flagship", *figures(ours, ours, field), growth))
        before = ours.seconds
        seated = without_bye(field, ours.answer)
        assert len(seated) == size - size % 2
        for name, engine in list(trying.items()):
            other = tried(engine, seated)
            if isinstance(other, Measured):
                assert without_bye(seated, other.answer) == seated, (size, name)
                assert quality(ours.answer, field) <= quality(other.answer, seated), (size, name)
                rows.append(("", name, *figures(other, ours, field), ""))
            else:
                rows.append(("", name, in_words(other), "", "", "", "", ""))
            if isinstance(other, TimeoutError | ModuleNotFoundError):
                del trying[name]
    table(
        f"Round {rounds + 1}, one in twenty gone: contenders in memory to pairs (median of 5; once where it takes "
        f"more than 1 s; others get {PATIENCE:g} s and then no larger field; squares of Battle Point differences)",
        rows,
    )


def bench_every_round_of_a_store():
    taken = defaultdict(list)
    for players in STORES:
        for seed in SEEDS:
            for number, field in islice(enumerate(fields(8, players, seed=seed), start=1), 3, None):
                taken[players, number].append((once(field), seed))
    rounds = range(4, 10)
    rows = [("players", *(f"round {number}" for number in rounds))]
    rows += [(str(players), *(median_and_worst(taken[players, number]) for number in rounds)) for players in STORES]
    table(f"Rounds 4 to 9, each paired once for {len(SEEDS)} seeds: median / worst ms", rows)
    (slowest, seed), players, number = max((max(times), *key) for key, times in taken.items())
    print(f"slowest: {slowest * 1000:.1f} ms, round {number} of {players} players, seed {seed}")


def bench_every_style():
    rows = [("players", "style", "time", "memory")]
    for size in (64, 256, 1000):
        for name, engine in STYLES.items():
            found = tried(engine, field_after(0 if name.startswith("round 1") else 3, size, seed=size))
            if isinstance(found, Measured):
                rows.append((f"{size:,}", name, duration(found.seconds), megabytes(found.memory)))
            else:
                rows.append((f"{size:,}", name, in_words(found), ""))
    table("Round 4 in each style, and round 1", rows)


def tried(engine: Engine, field: Sequence[Contender]) -> Measured[Pairs] | Exception:
    try:
        return measure(engine, field, limit=PATIENCE)
    except Exception as why:
        return why


def in_words(why: Exception) -> str:
    if isinstance(why, ModuleNotFoundError):
        return "not installed"
    return str(why) if isinstance(why, TimeoutError) else type(why).__name__


def figures(found: Measured[Pairs], ours: Measured[Pairs], field: Sequence[Contender]) -> tuple[str, ...]:
    rematches, squares = quality(found.answer, field)
    times = found.seconds / ours.seconds
    return (
        duration(found.seconds),
        f"{times:,.0f}" if times >= 10 else f"{times:.2f}",
        megabytes(found.memory),
        str(rematches),
        str(squares),
    )


def quality(pairs: Pairs, field: Sequence[Contender]) -> tuple[int, int]:
    """Rules 3.3 b and d: rematches, then squared differences in Battle Points."""
    by_id = {one.id: one for one in field}
    tables = [(by_id[one], by_id[two]) for one, two in pairs]
    return (
        sum(one.met.count(two.id) for one, two in tables),
        sum((one.battle_points - two.battle_points) ** 2 for one, two in tables),
    )


def without_bye(field: Sequence[Contender], pairs: Pairs) -> list[Contender]:
    seated = {id for pair in pairs for id in pair}
    return [one for one in field if one.id in seated]


def once(field: Sequence[Contender]) -> float:
    return seconds(lambda: pair(field, seed=1), times=1)


def median_and_worst(times: Sequence[tuple[float, int]]) -> str:
    taken = [seconds * 1000 for seconds, _ in times]
    return f"{median(taken):.1f} / {max(taken):.1f}"


def duration(taken: float) -> str:
    return f"{taken * 1000:,.2f} ms"


def megabytes(count: int) -> str:
    return f"{count / 10**6:,.2f} MB"
