"""The ASGI application that the server runs."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tourney.settings")
django.setup(set_prefix=False)  # makes the models ready for the imports below

from tourney.serving.front_door import FrontDoor  # noqa: E402
from tourney.serving.handler import Handler  # noqa: E402
from tourney.serving.live import Live  # noqa: E402
from tourney.serving.unchanged import Unchanged  # noqa: E402
from tourney.views.responses import build_id  # noqa: E402


def make() -> FrontDoor:
    """All of it, with the settings as they are now."""
    return FrontDoor(Live(Unchanged(Handler(), build_id)))


application = make()
