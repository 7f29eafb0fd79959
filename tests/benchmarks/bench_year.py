"""A year of two hundred stores: what pages and forms of one of them ask, read and take, alone and among the others.

Where the server has pg_stat_statements, its own table of statements is printed too.
"""

import re
from collections import Counter, defaultdict
from random import Random
from statistics import median

import pytest
from django.db import DatabaseError, connection, transaction

from tests.attack.world import World, plain_templates
from tests.benchmarks.bench_night import table
from tests.benchmarks.bench_store import cpu
from tests.support.factories import PASSWORD
from tests.support.many_stores import add_other_stores, growing_models, make_first_store
from tests.support.reading import Statement, plan_of, whole_reads
from tests.support.touring import Visit, form_to, tour, visit_of

STORES = 200
RUNS = 5
TOP = 20
OF_ARCHIVES, OF_STORES = {"GET store_archive"}, {"GET front", "GET backups", "GET backup_file", "GET store_requests"}
LISTED_WHOLE = {
    "tourney_store": OF_STORES,
    "tourney_rehearsal": None,
    "tourney_pushkey": None,
    **dict.fromkeys(("tourney_campaign", "tourney_judge_call", "tourney_wish"), OF_ARCHIVES),
}
"""The front page lists every store, and those of the whole installation ask whose all of them are. Of rehearsals there
are rows only while they go on, and an installation has one key; any page may ask (None). An archive has everything of
a store, of which some tables have so little that they are read as a whole.
"""

type Cost = tuple[int, int, float]
"""Statements, rows that PostgreSQL read, milliseconds of processor."""


@pytest.mark.django_db(transaction=True)
def bench_a_year_of_two_hundred_stores():
    random = Random(1)
    try:
        with plain_templates():
            worlds: list[World] = []
            filled = cpu(lambda: worlds.append(make_first_store(random)), times=1)
            world = worlds[0]
            run("VACUUM (ANALYZE)")
            alone = costs(world)
            filled += cpu(lambda: add_other_stores(STORES, random), times=1)
            run("VACUUM (ANALYZE)")
            among = costs(world)
            has_own_table = count_statements_anew()
            visits = list(tour(world))
            by_server = {order: of_server(order) for order in ("total_exec_time", "calls")} if has_own_table else {}
        print_sizes(filled)
        print_costs(alone, among)
        print_statements(visits)
        for order, rows in by_server.items():
            table(f"pg_stat_statements by {order}", [("calls", "ms", "rows", "statement"), *rows])
        whole = print_whole_reads(visits)
        print_unused(visits)
        assert whole == []
    finally:
        empty()


def costs(world: World) -> dict[str, Cost]:
    return {name: cost(world, *asked) for name, asked in what_is_measured(world).items()}


def what_is_measured(world: World) -> dict[str, tuple[str, str, dict[str, str] | None]]:
    """Name → who, address, and what is sent."""
    store, tonight = f"/s/{world.places['store']}", f"/e/{world.places['event']}"
    before, over, draft, closed, playing, round_over, all_over = (
        f"/e/{world.events[name].slug}"
        for name in ("before", "a month ago", "draft", "closed", "at the tables", "round over", "all over")
    )
    report = f"{playing}/rounds/1/report/"
    one, other, owner = world.places["player"], world.places["other"], world.users["owner"].username
    match = {"ending": "time", "sp_left_a": "35", "sp_left_b": "50", "version": "0"}
    return {
        "front": ("stranger", "/", None),
        "store": ("stranger", f"{store}/", None),
        "campaign": ("stranger", f"{store}/campaigns/first-half/", None),
        "a player": ("stranger", f"{store}/players/{one}/", None),
        "head to head": ("stranger", f"{store}/players/{one}/against/{other}/", None),
        "event": ("stranger", f"{tonight}/", None),
        "event, finished": ("stranger", f"{over}/", None),
        "event, search": ("stranger", f"{tonight}/?q=kestrel", None),
        "standings": ("stranger", f"{tonight}/standings/", None),
        "my card": ("player", f"{tonight}/me/", None),
        "my data": ("player", f"{store}/me/data/", None),
        "my fleets": ("player", f"{store}/fleets/", None),
        "desk": ("owner", f"{tonight}/desk/", None),
        "desk, players": ("owner", f"{tonight}/desk/players/", None),
        "desk, a card": ("owner", f"{tonight}/desk/players/1/card/", None),
        "desk, arrivals": ("owner", f"{tonight}/desk/arrivals/1/", None),
        "desk, cards on paper": ("owner", f"{tonight}/desk/print/cards/", None),
        "desk, history": ("owner", f"{over}/desk/history/", None),
        "store, players": ("owner", f"{store}/players/", None),
        "store, players, search": ("owner", f"{store}/players/?q=kestrel", None),
        "store, journal": ("owner", f"{store}/journal/", None),
        "store, sign-ins": ("owner", f"{store}/staff/sign-ins/", None),
        "POST join": ("stranger", f"{before}/join/", {"name": "Ensign Newcomer", "faction": "Federation"}),
        "POST join, known name": ("stranger", f"{before}/join/", {"name": "Kestrel", "faction": "Federation"}),
        "POST sign-in": ("stranger", "/sign-in/", {"username": owner, "password": PASSWORD}),
        "POST sign-in, wrong": ("stranger", "/sign-in/", {"username": owner, "password": "wrong"}),
        "POST card": ("owner", f"{tonight}/desk/players/1/card/", {"sure": "on"}),
        "POST result": ("owner", f"{tonight}/desk/rounds/2/tables/2/", match),
        "POST report": ("player", report, form_to(world.visitor("player"), report, report) | match),
        **{
            f"POST {name}": ("owner", path, form_to(world.visitor("owner"), page, path))
            for name, page, path in (
                ("pair", f"{closed}/desk/", f"{closed}/desk/pair/"),
                ("publish", f"{draft}/desk/rounds/1/", f"{draft}/desk/rounds/1/publish/"),
                ("close", f"{round_over}/desk/rounds/2/close/", f"{round_over}/desk/rounds/2/close/"),
                ("finish", f"{all_over}/desk/finish/", f"{all_over}/desk/finish/"),
                ("undo", f"{all_over}/desk/history/", f"{all_over}/desk/history/undo/"),
            )
        },
    }


def cost(world: World, who: str, path: str, sent: dict[str, str] | None) -> Cost:
    seen = visit_of(world, who, path, sent)
    taken = median(cpu(lambda: visit_of(world, who, path, sent), times=1) for _ in range(RUNS))
    return len(seen.statements), seen.rows, taken * 1000


def run(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def rows_of(sql: str) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


def empty() -> None:
    """In no time, where a test's end would delete row by row."""
    names = ", ".join(f'"{model._meta.db_table}"' for model in growing_models())
    with transaction.atomic():
        run("SET LOCAL session_replication_role = replica")
        run(f"TRUNCATE {names} CASCADE")


def print_sizes(taken: float) -> None:
    found = rows_of(
        "SELECT relname, n_live_tup, pg_total_relation_size(relid) FROM pg_stat_user_tables "
        f"ORDER BY n_live_tup DESC LIMIT {TOP}"
    )
    rows = [(name, f"{rows:,}", f"{size / 1e6:.0f} MB") for name, rows, size in found]
    table(f"A year of {STORES} stores, filled in {taken:.0f} s of CPU", [("table", "rows", "with indexes"), *rows])


def print_costs(alone: dict[str, Cost], among: dict[str, Cost]) -> None:
    rows = [
        (name, str(asked), f"{alone[name][1]:,}", f"{read:,}", f"{alone[name][2]:.0f}", f"{taken:.0f}")
        for name, (asked, read, taken) in among.items()
    ]
    head = ("", "statements", "rows, alone", f"among {STORES}", "CPU ms, alone", f"among {STORES}")
    table(f"Rows read and CPU of page + database (median of {RUNS})", [head, *rows])


def print_statements(visits: list[Visit]) -> None:
    calls, taken, rows = Counter(), Counter(), Counter()
    for statement in (one for visit in visits for one in visit.statements if one.has_plan):
        shape = short(statement.shape)
        calls[shape] += 1
        taken[shape] += statement.seconds
        rows[shape] += max(statement.rows, 0)
    head = ("calls", "ms", "rows", "statement")
    for title, order in (("time", taken), ("calls", calls)):
        top = [one for one, _ in order.most_common(TOP)]
        lines = [(str(calls[one]), f"{taken[one] * 1000:.0f}", str(rows[one]), one) for one in top]
        table(f"Statements of {len(visits)} visits by {title}", [head, *lines])


def short(statement: str) -> str:
    """Its tables and what it asks for, without its columns."""
    plain = statement.replace('"', "").replace("tourney_", "")
    return re.sub(r"^SELECT .*? FROM ", "SELECT … FROM ", plain)[:130]


def count_statements_anew() -> bool:
    """Whether the server counts its statements itself."""
    try:
        with transaction.atomic():
            run("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
            run("SELECT pg_stat_statements_reset()")
    except DatabaseError:
        return False
    return True


def of_server(order: str) -> list[tuple[str, ...]]:
    found = rows_of(
        "SELECT calls, total_exec_time, rows, regexp_replace(query, '\\s+', ' ', 'g') "
        "FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) "
        f"AND query NOT LIKE '%pg_stat_get_xact%' AND query NOT LIKE '%SAVEPOINT%' ORDER BY {order} DESC LIMIT {TOP}"
    )
    return [(str(calls), f"{taken:.0f}", str(rows), short(query)) for calls, taken, rows, query in found]


def print_whole_reads(visits: list[Visit]) -> list[tuple[str, ...]]:
    """What is read from beginning to end: by the plan of each statement, and as it was counted, triggers included."""
    growing = {model._meta.db_table for model in growing_models()}
    of_index = dict(rows_of("SELECT indexrelid::regclass::text, indrelid::regclass::text FROM pg_index"))
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    first: dict[str, tuple[str, Statement]] = {}
    for visit in visits:
        for name, read in visit.reads.items():
            if name in growing:
                counted[name][visit.name] += read.rows
        for statement in visit.statements:
            if statement.has_plan:
                first.setdefault(statement.shape, (visit.name, statement))
    found = [
        (of_index.get(what, what), where, node, short(statement.shape))
        for where, statement in first.values()
        for node, what in whole_reads(plan_of(statement))
    ]
    found += [(name, where, f"{rows} rows", "") for name, of_page in counted.items() for where, rows in of_page.items()]
    found = [one for one in found if one[0] in growing]
    unlisted = [one for one in found if not is_listed(*one[:2])]
    listed = [one for one in found if one[-1] and one not in unlisted]
    table("Growing tables read whole", [("table", "page", "how", "statement"), *unlisted, *listed])
    return unlisted


def is_listed(name: str, page: str) -> bool:
    pages = LISTED_WHOLE.get(name, set())
    return pages is None or page in pages


def print_unused(visits: list[Visit]) -> None:
    used = {name for visit in visits for name in visit.reads}
    found = rows_of(
        "SELECT i.indexrelid::regclass::text, i.indrelid::regclass::text, "
        "CASE WHEN i.indisunique THEN 'unique' ELSE '' END, pg_relation_size(i.indexrelid) / 1000 || ' kB' "
        "FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'public'::regnamespace "
        "ORDER BY pg_relation_size(i.indexrelid) DESC"
    )
    growing = {model._meta.db_table for model in growing_models()}
    rows = [one for one in found if one[1] in growing and one[0] not in used]
    table("Indexes that no page and no form used", [("index", "table", "", "size"), *rows])
