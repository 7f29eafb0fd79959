"""What this process made lately and may be asked for again by everybody at once."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock


class Kept[Thing]:
    """The last `most` things by their keys. Each is made once, however many ask for it at the same moment.

    A key has to hold everything that the thing depends on: for what an event shows, its pk and its version.
    """

    def __init__(self, most: int):
        self.most = most
        self._lock = Lock()
        self._things: OrderedDict[Hashable, Future[Thing]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """The thing of that key, made now if need be; who comes while it is made waits for it.

        What `make` raises goes to everybody who waits, and the next one tries again.
        """
        with self._lock:
            known = self._things.get(key)
            thing = known or self._things.setdefault(key, Future())
            self._things.move_to_end(key)
            while len(self._things) > self.most:
                self._things.popitem(last=False)
        if known is None:
            self._fill(key, thing, make)
        return thing.result()

    def _fill(self, key: Hashable, thing: Future[Thing], make: Callable[[], Thing]) -> None:
        try:
            thing.set_result(make())
        except BaseException as error:
            with self._lock:
                self._things.pop(key, None)
            thing.set_exception(error)
