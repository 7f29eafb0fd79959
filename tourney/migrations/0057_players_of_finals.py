"""Whose a line or a seat of a finished event is, is kept in it: all of one player are found by one index."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

PLAYERS = """
    UPDATE tourney_finalline l SET player_id = n.player_id FROM tourney_entrant n WHERE n.id = l.entrant_id;
    UPDATE tourney_finalseat s SET player_id = n.player_id,
        opponent_player_id = (SELECT o.player_id FROM tourney_entrant o WHERE o.id = s.opponent_id)
    FROM tourney_entrant n WHERE n.id = s.entrant_id;
"""
"""Each row once: of one that changed before in this transaction the database would check what it points to at its end,
and let nobody change the table until then.
"""


def of_entrant(**options: Any) -> "models.ForeignKey[Any, Any]":
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.DO_NOTHING,
        related_name="+",
        to="tourney.player",
        **options,
    )


class Migration(migrations.Migration):
    dependencies = [("tourney", "0056_rolls_by_their_name")]

    operations = [
        migrations.AddField("finalline", "player", of_entrant(null=True)),
        migrations.AddField("finalseat", "player", of_entrant(null=True)),
        migrations.AddField("finalseat", "opponent_player", of_entrant(null=True)),
        migrations.RunSQL(PLAYERS, migrations.RunSQL.noop),
        migrations.AlterField("finalline", "player", of_entrant()),
        migrations.AlterField("finalseat", "player", of_entrant()),
        migrations.AddIndex("finalline", models.Index(fields=["player"], name="final_lines_of_player")),
        migrations.AddIndex(
            "finalseat", models.Index(fields=["player"], name="games_of_player", condition=models.Q(is_game=True))
        ),
    ]
