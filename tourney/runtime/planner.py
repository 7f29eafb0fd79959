"""What the planner of PostgreSQL is told with each connection, whichever PostgreSQL it is.

Its own defaults are made for disks that turn and for queries of minutes: an event's one query then reads all players
of all stores, and compiling it takes longer than its answer.
"""

PLANNER_SETTINGS = {"jit": "off", "random_page_cost": "1.1"}


def with_planner_settings(options: str = "") -> str:
    """The `options` of a connection, as libpq takes them; those that somebody gave come last, so they win."""
    ours = (f"-c {name}={value}" for name, value in PLANNER_SETTINGS.items())
    return " ".join((*ours, options)).rstrip()
