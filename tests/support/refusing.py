"""What an action says when it refuses, as a whole."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tourney.actions.record import Refused


@contextmanager
def refused(*reasons: str) -> Iterator[None]:
    """The block is refused with exactly these sentences."""
    with pytest.raises(Refused) as refusal:
        yield
    assert refusal.value.reasons == reasons
