"""python -m tests.attack.prepare: on the database of VAR_DIR, an event in play and the keys of who is there, as JSON.

{"event": slug, "store": slug, "owner": "session cookie", "phones": [{"path", "cookie", "number"}, …]}
"""

import json
import os

import django

from tourney.runtime import embedded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tourney.settings")


def main(players: int = 60) -> dict:
    """So many that no card does more than `tourney.actions.card_steps.MOST` while the attack lasts."""
    embedded.ensure_running()
    django.setup()

    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command
    from django.urls import reverse

    from tests.support.nights import BY, make_night
    from tourney import access
    from tourney.actions import player_cards

    call_command("migrate", interactive=False, verbosity=0)
    night = make_night(players=players, open_round=True)
    session = SessionStore()
    session[SESSION_KEY], session[HASH_SESSION_KEY] = str(night.owner.pk), night.owner.get_session_auth_hash()
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session.save()
    phones = []
    for entrant in night.event.entrants.select_related("player__store"):
        cookie = f"{access.card_cookie(night.store)}={player_cards.issue(entrant.player, by=BY)}"
        path = reverse("report", args=[night.event.slug, 1])
        phones.append({"path": path, "cookie": cookie, "number": entrant.number})
    return {
        "event": night.event.slug,
        "store": night.store.slug,
        "owner": f"sessionid={session.session_key}",
        "phones": phones,
    }


if __name__ == "__main__":
    print(json.dumps(main()))
