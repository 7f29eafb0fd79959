"""Room for the frames of a request, in one piece of memory. Goes with Python 3.12."""

from collections.abc import Callable

FRAME_SLOTS = 16_384
"""Slots of a frame: 128 kB of a piece of 256 kB, whose other half is deep enough for every page."""


def with_preallocated_frames[**Given, Done](
    call: Callable[Given, Done], *args: Given.args, **options: Given.kwargs
) -> Done:
    """What `call` returns, with room for all frames inside it. Raises what it raises.

    Python 3.12 takes the memory for frames in pieces of 16 kB. A loop whose calls are the first in a new piece has the
    system give and take that piece each time: the same table of 500 rows takes 180 ms instead of 65, where the frames
    around it happen to fill a piece. A frame that needs more gets a larger piece, and those inside are in there too.

    3.13.13 and 3.14.4 keep the piece (python/cpython, gh-142183): with `requires-python` at 3.13 this module goes.
    """
    return call(*args, **options)


with_preallocated_frames.__code__ = with_preallocated_frames.__code__.replace(co_stacksize=FRAME_SLOTS)
