"""Choices in plain words, and networks without a number as keys: they are said in the reader's language.

No column changes.
"""

from typing import Any

from django.db import migrations, models

KEYS = "UPDATE tourney_signinattempt SET network = '{}' WHERE network = '{}'"


def text(length: int, default: str | None = None, **choices: str) -> Any:
    offered = list(choices.items())
    if default is None:
        return models.CharField(max_length=length, choices=offered)
    return models.CharField(max_length=length, choices=offered, default=default)


class Migration(migrations.Migration):
    dependencies = [("tourney", "0033_journal_messages")]

    operations = [
        migrations.AlterField(
            "event",
            "fleets_recorded",
            text(
                10,
                "asked",
                asked="Asked: the desk sees what’s missing and can go on anyway",
                required="Required: round 1 and results wait for them",
            ),
        ),
        migrations.AlterField(
            "event",
            "fleets_shown",
            text(
                10,
                "opponent",
                **{"round 1": "Everyone, once round 1 is published"},
                opponent="Only their current opponent",
                all="Everyone, at any time",
            ),
        ),
        migrations.AlterField(
            "rehearsal",
            "pace",
            text(10, step="Step by step", minute="One round per minute", fast="As fast as possible"),
        ),
        migrations.AlterField(
            "round", "state", text(10, "draft", draft="Draft", published="Published", closed="Closed")
        ),
        migrations.AlterField(
            "signinattempt",
            "outcome",
            text(20, signed_in="Signed In", wrong_password="Wrong Password", not_tried="Not Tried"),
        ),
        migrations.AlterField("store", "names_shown", text(10, "full", full="Full", initial="Initial")),
        migrations.AlterField("wish", "kind", text(10, concede="Concede", drop="Drop")),
        migrations.RunSQL(
            [KEYS.format("loopback", "this computer"), KEYS.format("unknown", "unknown network")],
            [KEYS.format("this computer", "loopback"), KEYS.format("unknown network", "unknown")],
        ),
    ]
