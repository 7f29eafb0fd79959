"""The frames of a request stand in one piece of memory."""

import resource
import sys
from collections.abc import Callable

import pytest

from tourney.runtime.frames import with_preallocated_frames

CALLS = 2000
WHOSE = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)


def most_taken(run: Callable) -> int:
    """How many pages of memory the system hands out while a loop calls something: the most at any depth."""
    return max(run(deep, depth) for depth in range(300))


def deep(depth: int) -> int:
    return deep(depth - 1) if depth else loop()


def loop() -> int:
    before = resource.getrusage(WHOSE).ru_minflt
    for number in range(CALLS):
        called(number)
    return resource.getrusage(WHOSE).ru_minflt - before


def called(number: int) -> int:
    """With a larger frame than `deep` has, so that it meets the end of a piece at some depth."""
    a = b = c = d = e = f = g = h = i = j = k = m = n = o = p = q = r = s = t = number
    return max(a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t)


def test_no_loop_takes_memory_with_each_call():
    assert most_taken(with_preallocated_frames) < CALLS // 10


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="Python 3.12 alone will never keep the piece")
def test_without_that_some_loop_does():
    assert most_taken(lambda call, depth: call(depth)) >= CALLS


def test_what_is_called_gets_its_arguments_and_its_answer_comes_back():
    assert with_preallocated_frames(sorted, [2, 3, 1], reverse=True) == [3, 2, 1]
