"""What holds for every benchmark."""

from functools import partial

import pytest

from tourney.runtime.frames import with_preallocated_frames


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """Run it with room for its frames, as the server does with every request: a page costs what it costs there."""
    pyfuncitem.obj = partial(with_preallocated_frames, pyfuncitem.obj)
