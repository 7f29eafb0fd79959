#!/usr/bin/env python
"""Management commands; without DATABASE_URL the embedded PostgreSQL is started first."""

import os
import sys

WITHOUT_DATABASE = {"help", "version", "--help", "--version", "-h", "collectstatic"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tourney.settings")
    if not os.environ.get("DATABASE_URL") and sys.argv[1:] and not WITHOUT_DATABASE & set(sys.argv):
        from tourney import embedded

        try:
            embedded.ensure_running()
        except embedded.DatabaseDidNotStart as error:
            sys.exit(str(error))

    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
