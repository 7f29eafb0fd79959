"""Check fleets of a file by the rules of a month (docs/cards.md)."""

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from fleets.catalogue import find
from fleets.domain.check import as_data, as_text, check
from fleets.domain.foreign import Incoming, NotAFleet
from fleets.domain.intake import MOST_BYTES, read
from fleets.models import CatalogueCard
from scoring.domain.pack import MonthPack
from scoring.shipped import shipped_pack
from tourney.queries.fleets import EVERYTHING_GOES, format_of_pack
from tourney.runtime.bounds import shown
from tourney.runtime.installation import command

ILLEGAL, UNREADABLE = 1, 2
"""What the command ends with, beside 0 where all fleets are legal."""


class Command(BaseCommand):
    help = "Check fleets: their costs, what breaks a rule, what isn’t fully checked. Exit code 1 if one is illegal."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="any fleet file that can be imported on the site, or - for standard input")
        parser.add_argument("--pack", metavar="NAME", help="a month pack, such as dominion-war-6 (default: no limits)")
        parser.add_argument("--date", metavar="YYYY-MM-DD", help="the day of the event (default: today)")
        parser.add_argument("--json", action="store_true", help="print JSON (fleets/domain/fleet-check-1.schema.json)")

    def handle(self, *, file: str, pack: str | None, date: str | None, **options: object) -> None:
        month, on = _pack(pack), _day(date)
        fleets = _fleets(file)
        format = format_of_pack(month, month.sp_limit or EVERYTHING_GOES.sp_limit) if month else EVERYTHING_GOES
        limit = month.sp_limit if month else None
        found = [check(one, format, on, limit=limit) for one in fleets]
        if options["json"]:
            facts: dict[str, Any] = {"format": "flagship-fleet-check", "version": 1, "pack": pack}
            facts |= {"date": on.isoformat(), "sp_limit": limit, "fleets": [as_data(one) for one in found]}
            self.stdout.write(json.dumps(facts, ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n\n".join(as_text(one) for one in found))
        if not all(one.is_legal for one in found):
            sys.exit(ILLEGAL)


def _pack(name: str | None) -> MonthPack | None:
    if not name:
        return None
    try:
        return shipped_pack(name)
    except KeyError as error:
        sentence = f"There is no month pack “{shown(name)}”. Use the name of a file in scoring/packs."
        raise _refused(sentence) from error


def _day(text: str | None) -> date:
    if not text:
        return timezone.localdate()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise _refused(f"“{shown(text)}” isn’t a date. Write it like 2014-02-28.") from error


def _fleets(file: str) -> tuple[Incoming, ...]:
    if not CatalogueCard.objects.exists():
        raise _refused(f"The card catalogue is empty. Run “{command('prepare')}”, or import one with import_cards.")
    try:
        if file == "-":
            given = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                given = opened.read(MOST_BYTES + 1)
        return read(given, find)
    except OSError as error:
        raise _refused(f"{file} can’t be read: {error.strerror}.") from error
    except NotAFleet as error:
        raise _refused(str(error)) from error


def _refused(sentence: str) -> CommandError:
    return CommandError(sentence, returncode=UNREADABLE)
