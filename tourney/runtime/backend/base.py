import time
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

from tourney.runtime.availability import database

PATIENCE = 2  # seconds for a connection of the pool, in turns as long as the pool's own "timeout"


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes connections from the pool while the database answers, and fails at once while it does not."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> psycopg.Connection:
        """A connection of the pool. Raises `Away` while the database does not answer, PoolTimeout if none is free."""
        give_up = time.monotonic() + PATIENCE
        while True:
            database.refuse_if_away()
            try:
                connection: psycopg.Connection = super().get_new_connection(conn_params)
                return connection
            except PoolTimeout:
                database.doubt()
                if time.monotonic() > give_up:
                    raise
            except psycopg.OperationalError:
                database.doubt()
                raise
