import psycopg
from django.db.backends.postgresql import base

from tourney.runtime.availability import database


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes connections from the pool while the database answers, and fails at once while it does not."""

    def get_new_connection(self, conn_params: dict) -> psycopg.Connection:
        database.refuse_if_away()
        try:
            return super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            database.doubt()
            raise
