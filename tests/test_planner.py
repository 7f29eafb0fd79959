import psycopg
import pytest
from django.db import connection

from tourney.runtime.planner import with_planner_settings

pytestmark = pytest.mark.django_db


def shown(cursor, name: str) -> str:
    cursor.execute(f"SHOW {name}")
    return cursor.fetchone()[0]


def test_every_connection_tells_the_planner_what_it_runs_on():
    with connection.cursor() as cursor:
        assert (shown(cursor, "jit"), shown(cursor, "random_page_cost")) == ("off", "1.1")


def test_what_the_address_of_the_database_says_wins_and_stays():
    parameters = connection.get_connection_params() | {
        "options": with_planner_settings("-c random_page_cost=4 -c work_mem=7MB")
    }
    for extra in ("cursor_factory", "context", "pool"):
        parameters.pop(extra, None)
    with psycopg.connect(**parameters) as other, other.cursor() as cursor:
        assert [shown(cursor, name) for name in ("jit", "random_page_cost", "work_mem")] == ["off", "4", "7MB"]
