"""The judge's rules answer what tests/vectors says, in Python and in the scripts of the browser alike."""

import random
import subprocess
from collections.abc import Callable

import pytest

from tests.support import javascript
from tests.support.rule_vectors import FOLDER, MADE_BY, VECTORS, Cases, as_text, talon_page, talon_query


@pytest.mark.parametrize("make", VECTORS, ids=lambda make: make.__name__)
def test_the_rules_answer_what_the_vectors_say(make: Callable[[], Cases]):
    written = (FOLDER / f"{make.__name__}.json").read_text("utf-8").splitlines()

    now = as_text(make()).splitlines()

    different = [(one, other) for one, other in zip(written, now, strict=False) if one != other]
    assert different[:3] == [], f"if the rule changed, and its script with it: {MADE_BY}"
    assert len(written) == len(now)


def test_the_drawn_talon_records_have_all_that_can_be_told():
    told = str([talon_page(talon_query(random.Random(seed))) for seed in range(150)])

    for words in ("expires", "breaks apart", "no longer fits", "side slip", "absorbs", "Undo to here", "is up again"):
        assert words in told


def test_the_scripts_answer_what_the_vectors_say():
    javascript.need(with_tools=False)

    done = subprocess.run(
        ["node", "--test", *map(str, sorted((javascript.ROOT / "tests/js").glob("*.test.js")))],
        cwd=javascript.ROOT,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stdout + done.stderr
