"""What is deleted by itself while the server runs: sessions that ended, tries that no longer count, old sign-ins."""

import logging
import time
from datetime import datetime

import psycopg
from django.contrib.sessions.models import Session
from django.db import Error, connection
from django.utils import timezone

from tourney.actions import accounts, attempts, card_steps, new_stores, sign_ins
from tourney.runtime import restored

PAUSE = 60  # seconds between two sweeps of wrong tries
EVERY = 60  # of which there is one for all else: once an hour

logger = logging.getLogger(__name__)


def tidy(now: datetime) -> None:
    """Delete all that is over."""
    sweep(now)
    Session.objects.filter(expire_date__lt=now).delete()
    accounts.forget_ended()
    sign_ins.forget_old(now)
    new_stores.forget_old(now)


def sweep(now: datetime) -> None:
    """Delete what is too old to count."""
    attempts.sweep(now)
    card_steps.sweep(now)


def keep_tidy() -> None:
    """Do so for ever, for a thread of each worker. While the database does not answer, it waits for the next time."""
    turn = 0
    while True:
        time.sleep(PAUSE)
        turn += 1
        try:
            connection.ensure_connection()
            restored.seen.look(connection.connection)  # should nobody have told that it is another database
            if turn % EVERY:
                sweep(timezone.now())
            else:
                tidy(timezone.now())
        except (Error, psycopg.Error, OSError) as error:
            logger.info("Not tidied: %s", error)
        finally:
            connection.close()
