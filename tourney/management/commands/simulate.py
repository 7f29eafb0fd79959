"""Play a whole event with made-up players and print its score sheet."""

import json
from datetime import UTC, datetime
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from scoring.domain.pack import MonthPack
from scoring.shipped import shipped_pack, shipped_packs
from tourney.actions import events, simulation, stores
from tourney.actions.simulation_in_memory import play_in_memory
from tourney.domain.joining import MOST_ENTRANTS
from tourney.printing.queries.score_sheet import as_data, as_text
from tourney.queries.archive import archive_of

START = datetime(2000, 1, 1, 18, 0, tzinfo=UTC)


class Command(BaseCommand):
    help = (
        "Play a whole event with made-up players and results, and print the score sheet. Nothing is saved. The same "
        "options give the same event, byte for byte. With --archive, the event is played by the site’s own actions."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, default=8, help=f"players at the start (2 to {MOST_ENTRANTS})")
        parser.add_argument("--rounds", type=int, help="rounds to play (default: the month pack’s)")
        parser.add_argument(
            "--pack", default="dominion-war-6", help="a month pack: the name of a file in scoring/packs"
        )
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same event")
        parser.add_argument("--sp-limit", type=int, default=100, help="the SP limit, if the month pack leaves it open")
        parser.add_argument("--drop-rate", type=float, default=0.0, help="chance to drop after a round, 0 to 1")
        parser.add_argument("--late", type=int, default=0, help="players who arrive before a later round")
        parser.add_argument("--json", action="store_true", help="print JSON instead of the score sheet")
        parser.add_argument("--archive", action="store_true", help="print the event's archive instead")

    def handle(self, **options: Any) -> None:
        rules = self._rules(options)
        random = Random(options["seed"])
        with transaction.atomic():
            by = simulation.actor_at(START)
            store = stores.make_store(name="Simulation", time_zone="UTC", by=by)
            campaign = events.make_campaign(store, storyline=rules.storyline, by=by)
            event = events.make_event(
                campaign,
                rules,
                starts_at=START,
                sp_limit=options["sp_limit"],
                slug=f"simulation-{rules.slug}-{options['seed']}",
                by=by,
            )
            night = simulation.Night(options["players"], options["late"], options["drop_rate"])
            if options["archive"]:
                simulation.play_event(event, night, random=random, by=by)
                self.stdout.write(json.dumps(archive_of(event), ensure_ascii=False, indent=1))
            else:
                state = play_in_memory(event, night, random=random, by=by)
                self.stdout.write(
                    json.dumps(as_data(state), ensure_ascii=False, indent=1, default=str)
                    if options["json"]
                    else as_text(state)
                )
            transaction.set_rollback(True)

    def _rules(self, options: dict[str, Any]) -> MonthPack:
        try:
            rules = shipped_pack(options["pack"])
        except KeyError as error:
            known = ", ".join(pack.slug for pack in shipped_packs())
            raise CommandError(f"There is no month pack “{options['pack']}”. Choose one of: {known}.") from error
        for name, low, high in (
            ("players", 2, MOST_ENTRANTS),
            ("late", 0, 1000),
            ("drop_rate", 0, 1),
            ("sp_limit", 1, 1000),
        ):
            if not low <= options[name] <= high:
                raise CommandError(f"--{name.replace('_', '-')} must be from {low} to {high}.")
        rounds = options["rounds"] or rules.rounds
        if not 1 <= rounds <= 12:
            raise CommandError("--rounds must be from 1 to 12.")
        return rules.with_choices(rounds=rounds)
