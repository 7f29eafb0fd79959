"""The short form of `make cluster`, with each change: the same programs and the same failures, fewer reports."""

import pytest

from tests.cluster.playing import play
from tests.cluster.programs import missing


@pytest.mark.skipif(bool(missing()), reason=f"Not installed here: {', '.join(missing())}")
def test_nothing_acknowledged_is_lost_while_hosts_die_and_every_page_catches_up():
    play(200, players=16, drafts=3, watchers=24, phones=10).hold()
