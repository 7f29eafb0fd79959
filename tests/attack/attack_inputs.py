"""Thousands of wrong inputs for every form and importer: no 5xx, the night goes on, the import takes the export.

EACH=200 for fewer of each, SEED=7 for others, -k join for the forms of that address.
"""

import sys
from random import Random
from time import perf_counter

import pytest

from tests.attack.forms import Target, Tried, targets, tried
from tests.attack.importers import CONTENTS, archive_tried, attach
from tests.attack.mutations import EACH, SEED
from tests.attack.world import make_world, plain_templates

pytestmark = pytest.mark.django_db

PARTS = 2
"""Of the forms, for as many processes (ARGS='-n 2')."""


@pytest.mark.parametrize("part", range(PARTS))
def attack_every_form(figures, part):
    found = figures(f"Forms, part {part + 1} of {PARTS}, {EACH} wrong inputs each (seed {SEED})")
    with plain_templates():
        world = make_world()
        results = {}
        found_forms = by_form(targets(world))
        for number, buttons in [*enumerate(found_forms.values())][part::PARTS]:
            for place, target in enumerate(buttons):
                start = perf_counter()
                seeds = range(SEED + number * EACH, SEED + (number + 1) * EACH)[place :: len(buttons)]
                results[target.name] = one = tried(world, target, seeds)
                seconds = f"{perf_counter() - start:.0f} s"
                # beside the output of pytest, which a process of xdist does not show
                print(f"{target.name}: {one.sent} in {seconds}", one.faults, one.stopped, file=sys.__stderr__)
    found.say("forms, buttons", f"{len([*found_forms][part::PARTS])}, {len(results)}")
    tell(found, results)
    found.hold()


@pytest.mark.parametrize("name", CONTENTS)
def attack_importer(figures, name):
    found = figures(f"Importer: {name}, {EACH} wrong files (seed {SEED})")
    with plain_templates():
        world = make_world()
        target = attach(world, name)
        results = {name: tried(world, target, range(SEED, SEED + EACH))}
    tell(found, results)
    found.hold()


def attack_archives(figures):
    found = figures(f"Archives, {EACH} wrong ones (seed {SEED})")
    with plain_templates():
        world = make_world()
        results = {"import_event": archive_tried(world, [Random(SEED + number) for number in range(EACH)])}
    tell(found, results)
    found.hold()


def by_form(found: list[Target]) -> dict[str, list[Target]]:
    """The buttons of each form, and its visitors, which share its inputs."""
    forms: dict[str, list[Target]] = {}
    for target in found:
        forms.setdefault(target.of, []).append(target)
    return forms


def tell(found, results: dict[str, Tried]) -> None:
    found.say("inputs", sum(one.sent for one in results.values()))
    found.say("taken", sum(one.taken for one in results.values()))
    faults: dict[str, str] = {}
    for name, one in results.items():
        for fault, seed in one.faults.items():
            faults.setdefault(fault, f"{name}, {seed}")
    for fault, where in faults.items():
        found.say(f"  {where}", fault)
    found.none("5xx or traceback", [f"{where}: {fault}" for fault, where in faults.items()])
    stopped = [f"{name}: {words}" for name, one in results.items() for words in one.stopped]
    for words in stopped[:20]:
        found.say("  the night stops", words)
    found.none("nights that did not go on", stopped)
