"""`make cluster`: the long form, with 2,000 reports."""

import pytest

from tests.cluster.playing import play
from tests.cluster.programs import missing


def cluster_of_three_hosts():
    if packages := missing():
        pytest.fail(f"Programs are missing. On Debian: apt-get install {' '.join(packages)}")

    play(2000, players=60, drafts=10, watchers=60, phones=40).hold()
