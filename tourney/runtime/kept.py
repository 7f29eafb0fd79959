"""What this process made lately and may be asked for again by everybody at once."""

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import Any
from weakref import WeakSet

_all: "WeakSet[VersionedCache[Any]]" = WeakSet()


def forget_everything() -> None:
    """Keep nothing of what there is in any of them: another database took the place of the one it is of."""
    for cache in list(_all):
        cache.forget()


MEGABYTES = 240
"""For all caches of a process together, where neither the environment nor the server (`serving.serve`) says it."""


def memory(share: float) -> int:
    """Bytes of that share of the memory that this process has for everything it keeps (`CACHE_MB`)."""
    return int(share * int(os.environ.get("CACHE_MB") or MEGABYTES) * 1_000_000)


class VersionedCache[Thing]:
    """Per-process cache by key and version, least recently used first out; concurrent misses compute once.

    It holds things, each in one version, whose sizes by `size_of` are `most` together, or so many things where each
    counts as one; the last one is held whatever it takes. Key and version have to say everything that the thing
    depends on.
    """

    def __init__(self, most: int, size_of: Callable[[Thing], int] = lambda thing: 1) -> None:
        self.most, self.size_of = most, size_of
        self._lock = Lock()
        self._things: OrderedDict[Hashable, tuple[Hashable, Future[Thing]]] = OrderedDict()
        self._sizes: dict[Hashable, int] = {}
        _all.add(self)
        self._size = 0

    def get(self, key: Hashable, version: Hashable, make: Callable[[Thing | None], Thing]) -> Thing:
        """The thing in that version, made now if need be in place of another; who comes meanwhile waits for it.

        `make` gets the one that was there, None if there is none. What it raises goes to everybody who waits, and the
        next one tries again.
        """
        last = None
        with self._lock:
            there, thing = self._things.get(key, (None, None))
            if is_new := thing is None or there != version:
                last = _made(thing)
                thing = Future()
                self._things[key] = version, thing
            self._things.move_to_end(key)
        if is_new:
            self._fill(key, thing, lambda: make(last))
        return thing.result()

    def get_many[Key: Hashable](
        self, asked: Mapping[Key, Hashable], make: Callable[[Sequence[Key]], Mapping[Key, Thing]]
    ) -> dict[Key, Thing]:
        """The things of these keys in these versions, in this order; `make` makes all at once that are not there, and
        is not asked where all are. Who comes meanwhile makes them too."""
        found: dict[Key, Thing] = {}
        with self._lock:
            for key, version in asked.items():
                there, thing = self._things.get(key, (None, None))
                if thing and there == version and thing.done() and not thing.exception():
                    found[key] = thing.result()
                    self._things.move_to_end(key)
        missing = [key for key in asked if key not in found]
        made = make(missing) if missing else {}
        found |= {key: self.get(key, asked[key], partial(_given, made[key])) for key in missing}
        return {key: found[key] for key in asked}

    def peek(self, key: Hashable) -> Thing | None:
        """The thing as it was made last, in whatever version; None if there is none yet."""
        with self._lock:
            _, thing = self._things.get(key, (None, None))
            if thing:
                self._things.move_to_end(key)
        return _made(thing)

    def forget(self) -> None:
        """Keep nothing of what there is."""
        with self._lock:
            self._things.clear()
            self._sizes.clear()
            self._size = 0

    def _fill(self, key: Hashable, thing: Future[Thing], make: Callable[[], Thing]) -> None:
        try:
            made = make()
            thing.set_result(made)
        except BaseException as error:
            with self._lock:
                if self._things.get(key, (None, None))[1] is thing:
                    del self._things[key]
                    self._size -= self._sizes.pop(key, 0)
            thing.set_exception(error)
            return
        self._make_room(key, thing, self.size_of(made))

    def _make_room(self, key: Hashable, thing: Future[Thing], size: int) -> None:
        with self._lock:
            if self._things.get(key, (None, None))[1] is thing:
                self._size += size - self._sizes.get(key, 0)
                self._sizes[key] = size
            while len(self._things) > 1 and self._size > self.most:
                first, _ = self._things.popitem(last=False)
                self._size -= self._sizes.pop(first, 0)


def _given[Thing](thing: Thing, last: Thing | None) -> Thing:
    """What is made already, in place of the last one."""
    return thing


def _made[Thing](thing: Future[Thing] | None) -> Thing | None:
    return thing.result() if thing and thing.done() and not thing.exception() else None
