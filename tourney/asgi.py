"""The ASGI application that the server runs."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tourney.settings")
django = get_asgi_application()  # makes the models ready for the import below

from tourney.live import Live  # noqa: E402

application = Live(django)
