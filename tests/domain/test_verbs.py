"""The table of verbs: what the code records is in it, and what is in it is recorded."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tourney.domain.verbs import (
    BACK,
    DRAWN,
    PENALIZED,
    SCORED,
    SEATED,
    SNAPSHOTS,
    STEPS,
    VERBS_OF,
    WITH_TABLES,
    Kind,
    Verb,
    facts_of,
)

TOURNEY = Path(__file__).parents[2] / "tourney"
ASKS = ("refuse_if_done_since", "filter", "new_number")
"""Calls that ask whether something was done; naming a verb there records nothing."""
OF_A_FLEET = ("fleets.py", "builder.py")
"""Here a step of a fleet has words of its own, as its player reads them (`FleetStep.did`)."""


def trees(folder: str = "") -> Iterator[tuple[Path, ast.Module]]:
    for path in TOURNEY.rglob("*.py"):
        if f"/{folder}" in f"{path.parent}/" and "migrations" not in path.parts and path.name != "verbs.py":
            yield path, ast.parse(path.read_text())


def verbs_in(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == "Verb":
            yield inner.attr


def asked_in(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (getattr(node.func, "id", "") or getattr(node.func, "attr", "")) in ASKS:
            yield node


def test_every_verb_has_the_name_that_the_journal_holds_and_no_two_share_one():
    assert [verb.value for verb in Verb] == [name.lower() for name in Verb.__members__]
    assert all(len(verb) <= 40 for verb in Verb)


def test_nobody_types_the_name_of_a_verb():
    typed = [
        f"{path.name}:{node.value.lineno} {inner.value}"
        for path, tree in trees()
        if path.name not in OF_A_FLEET
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg in ("did", "did__in")
        for inner in ast.walk(node.value)
        if isinstance(inner, ast.Constant)
    ]

    assert typed == []


def test_every_verb_that_is_named_is_in_the_table():
    named = {verb for _, tree in trees() for verb in verbs_in(tree)}

    assert named - Verb.__members__.keys() == set()


def test_every_verb_of_the_table_is_recorded_somewhere():
    recorded = {WITH_TABLES[verb].name for verb in WITH_TABLES}
    for _, tree in trees("actions"):
        asked = [verb for call in asked_in(tree) for verb in verbs_in(call)]
        named = list(verbs_in(tree))
        recorded |= {verb for verb in named if named.count(verb) > asked.count(verb)}
    by_migrations = "".join(path.read_text() for path in (TOURNEY / "migrations").glob("*.py"))

    left = {verb for verb in Verb if verb.name not in recorded}
    assert left == {Verb.BEGIN_CHAIN}
    assert f"'{Verb.BEGIN_CHAIN}'" in by_migrations


def test_what_the_lists_of_the_table_hold():
    assert set(BACK) == {Verb.UNDO, Verb.REDO, Verb.RESTORE}
    assert set(SEATED) < set(DRAWN)
    assert set(PENALIZED) < set(SCORED) < set(STEPS)
    assert set(SNAPSHOTS) < set(STEPS)
    assert set(STEPS).isdisjoint({Verb.UNDO, Verb.REDO})
    for plain, repaired in WITH_TABLES.items():
        assert repaired in SEATED
        assert plain.facts.moves & repaired.facts.moves == plain.facts.moves


def test_a_verb_from_elsewhere_is_nothing_but_its_name():
    facts = facts_of("sailed_away")

    assert (facts.name, facts.undone, facts.moment, facts.is_snapshot) == ("sailed_away", None, None, False)
    assert facts_of("swap") is Verb.SWAP.facts


def test_every_verb_is_about_one_thing():
    listed = [verb for verbs in VERBS_OF.values() for verb in verbs]

    assert sorted(listed) == sorted(Verb)
    assert VERBS_OF.keys() == {*Kind}
