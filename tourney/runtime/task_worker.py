"""What Django's tasks have to do, done: one after another, by a process of its own (`manage.py worker`)."""

import logging
import threading
from datetime import datetime, timedelta
from typing import Any

from django.db import Error, InterfaceError, OperationalError, connection, transaction
from django.db.models import Q
from django.tasks import TaskResultStatus
from django.utils import timezone
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult, get_date_max

LOOK = 2.0  # seconds between two looks for something to do
TIDY = timedelta(minutes=1)
LOST = timedelta(minutes=5)
"""No task takes so long: what has been running since then was a worker's that was killed."""
AGAIN = timedelta(minutes=1)
OF_THE_DATABASE = tuple(f"{one.__module__}.{one.__qualname__}" for one in (OperationalError, InterfaceError))
"""Errors by which no task is over: locked, ended, out of room. Each task can run twice."""
KEPT = timedelta(days=1)
"""For who looks into the database for what failed."""
NAME = "flagship"

logger = logging.getLogger(__name__)


def run_next(now: datetime) -> bool:
    """Run the task whose time has come first, with whatever comes of it; whether there was one."""
    task = _next(now)
    if task:
        Worker(
            queue_names=["*"],
            excluded_queue_names=[],
            interval=0,
            batch=True,
            backend_name="default",
            startup_delay=False,
            max_tasks=1,
            worker_id=NAME,
        ).run_task(task)
        if task.status == TaskResultStatus.FAILED and task.exception_class_path in OF_THE_DATABASE:
            logger.warning("Done again in a minute, after an error of the database: %s", task.task_path)
            DBTaskResult.objects.filter(pk=task.pk).update(status=TaskResultStatus.READY, run_after=now + AGAIN)
    return task is not None


def _next(now: datetime) -> DBTaskResult[..., Any] | None:
    """The next task, which is now this worker's; several never take the same."""
    ready = DBTaskResult.objects.filter(status=TaskResultStatus.READY)
    with transaction.atomic():
        task = ready.filter(Q(run_after=get_date_max()) | Q(run_after__lte=now)).get_locked()
        if task:
            task.claim(NAME)
    return task


def tidy(now: datetime) -> None:
    """What a killed worker left is to be done again, and what is over for a day is deleted."""
    lost = DBTaskResult.objects.running().filter(started_at__lt=now - LOST)
    lost.update(status=TaskResultStatus.READY)
    DBTaskResult.objects.finished().filter(finished_at__lt=now - KEPT).delete()


def work_until(stopped: threading.Event) -> None:
    """Do what is due until that is set. While the database doesn't answer, wait for it."""
    tidied_at = datetime.min.replace(tzinfo=timezone.get_default_timezone())
    while not stopped.is_set():
        now = timezone.now()
        try:
            if now - tidied_at >= TIDY:
                tidy(now)
                tidied_at = now
            while not stopped.is_set() and run_next(now):
                pass
        except Error as error:
            logger.info("No work done: %s", error)
            connection.close()
        stopped.wait(LOOK)
