"""Who signed in before there was a list of devices is on it: nobody has to read all sessions to find theirs."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations
from django.utils import timezone


def put_on_the_list(apps: Any, schema_editor: Any) -> None:
    UserSession, User = apps.get_model("usersessions", "UserSession"), apps.get_model("tourney", "User")
    now, users = timezone.now(), {str(pk): pk for pk in User.objects.values_list("pk", flat=True)}
    sessions = apps.get_model("sessions", "Session").objects.filter(expire_date__gt=now)
    unlisted = sessions.exclude(session_key__in=UserSession.objects.values("session_key"))
    for session in unlisted.iterator():
        whose = users.get(str(SessionStore().decode(session.session_data).get(SESSION_KEY)))
        if whose is not None:
            UserSession.objects.create(
                session_key=session.session_key, user_id=whose, ip="0.0.0.0", user_agent="", data={},
                created_at=now, last_seen_at=now,
            )  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("tourney", "0057_players_of_finals"),
        ("sessions", "0001_initial"),
        ("usersessions", "0001_initial"),
    ]

    operations = [migrations.RunPython(put_on_the_list, migrations.RunPython.noop)]
