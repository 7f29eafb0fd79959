"""The garbage collector, set here alone: fewer objects, less often."""

import gc

NEW_OBJECTS = 100_000
"""So many more objects made than gone before the youngest are searched; Python's own default is some hundreds."""


def collect_less_garbage() -> None:
    """What is loaded by now is not searched any more, and what is made from now on is seldom.

    An event is loaded anew for every page that acts: tens of thousands of objects that nearly all go by counting
    references alone. With Python's defaults the collector walks through them again and again while they are made,
    which is 40 % of the time for a thousand players; and through all of Django besides, which never goes.
    Called when the apps are loaded, and again by a worker once it has loaded everything.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 20, 20)
