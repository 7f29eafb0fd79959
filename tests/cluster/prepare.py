"""python -m tests.cluster.prepare EVENTS PLAYERS DRAFTS: events in play, drafts to publish, and who is there, as JSON.

{"events": [{"slug", "tables": [[phone, phone], …]}, …], "drafts": [{"slug", "owner"}, …]}, where a phone is
{"path", "cookie"}.
"""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tourney.settings")


def main(events: int, players: int, drafts: int) -> dict:
    django.setup()

    from tests.support.nights import BY, make_night
    from tourney.actions import rounds

    playing = [make_night(players=players, open_round=True) for _ in range(events)]
    planned = [make_night(players=8) for _ in range(drafts)]
    for night in planned:
        rounds.pair_round(night.event, seed=1, by=BY)
    return {
        "events": [{"slug": night.event.slug, "tables": tables_of(night)} for night in playing],
        "drafts": [{"slug": night.event.slug, "owner": session_of(night.owner)} for night in planned],
    }


def tables_of(night) -> list[list[dict]]:
    from django.urls import reverse

    from tests.support.nights import BY
    from tourney import access
    from tourney.actions import player_cards
    from tourney.queries.state import state_of

    path = reverse("report", args=[night.event.slug, 1])
    cookie = access.card_cookie(night.store)
    return [
        [
            {"path": path, "cookie": f"{cookie}={player_cards.issue(entrant.player, by=BY)}"}
            for entrant in match.entrants
        ]
        for match in state_of(night.event).last_round.tables
    ]


def session_of(user) -> str:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session.save()
    return f"sessionid={session.session_key}"


if __name__ == "__main__":
    print(json.dumps(main(*map(int, sys.argv[1:]))))
