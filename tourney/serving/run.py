"""`make run`: what `manage.py prepare` does, the demo of a first start, then the web server, until Ctrl-C.

With `PREPARE=0` it only serves: then somebody else has prepared.
"""

import io
import os
import sys

from tourney.runtime import embedded
from tourney.serving import serve
from tourney.serving.serve import CannotRun, say


def main() -> int:
    """Prepare and serve until Ctrl-C or SIGTERM; 0 after an orderly stop."""
    return serve.main(None if os.environ.get("PREPARE") == "0" else prepare)


def prepare(url: str) -> list[tuple[str, str]]:
    """Bring everything up to date; the lines that tell the organizer how to get in. Raises CannotRun."""
    from django.core.management import CommandError, call_command

    from tourney.runtime import tables

    try:
        call_command("prepare", stdout=io.StringIO())
    except CommandError as error:
        raise CannotRun(str(error)) from None
    with tables.one_at_a_time():
        return ways_in(url)


def ways_in(url: str) -> list[tuple[str, str]]:
    """The links that the start prints, each with its label."""
    from django.core.management import call_command
    from django.db import transaction

    from tourney.models import DeletedStore, Store

    is_new = not Store.objects.exists() and not DeletedStore.objects.exists()
    if os.environ.get("DEMO") != "0" and is_new:
        say("First start: creating the demo …")
        with transaction.atomic():  # the password is in its file before the demo counts
            call_command("demo", stdout=io.StringIO())
    link = io.StringIO()
    call_command("setup_link", base_url=url, stdout=link)
    if link.getvalue().strip():
        return [("Set up your store", link.getvalue().strip())]
    return password()


def password() -> list[tuple[str, str]]:
    """The login that `demo` made, with the password that it wrote into `organizer-password`."""
    path = embedded.var_dir() / "organizer-password"
    return [("Sign in as", "organizer"), ("Password", path.read_text().strip())] if path.exists() else []


if __name__ == "__main__":
    sys.exit(main())
