"""Make the demo: a store whose campaign has one finished month and one that is played tonight."""

import os
import secrets
from datetime import datetime, timedelta
from random import Random

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from fleets import starter
from scoring.domain.points import Ending
from scoring.shipped import shipped_pack
from tourney.actions import events, rounds, sign_off, simulation, stores, tokens
from tourney.actions.record import Actor
from tourney.judge.actions import house_rulings
from tourney.models import Campaign, Event, Fleet, Store, User
from tourney.queries.fleets import fleets_of
from tourney.queries.state import state_of
from tourney.queries.surviving import of_sides
from tourney.queries.tokens import desk_token_of
from tourney.runtime import embedded

SEED = 6
OFF_THE_MAT = (
    "Re-roll a die that leaves the mat or leans on something, and only that die. "
    "It counts as the same roll, so it doesn’t use a token."
)


class Command(BaseCommand):
    help = "Create the demo store: month five finished with 12 players, month six tonight in round 2 with 13."

    def handle(self, **options: object) -> None:
        if Store.objects.exists():
            self.stdout.write("There is already a store, so no demo was created.")
            return
        password = "-".join(secrets.token_hex(3) for _ in range(3))
        with transaction.atomic():
            starter.load()
            self._make(password)
        path = embedded.var_dir() / "organizer-password"
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(password + "\n")
        self.stdout.write(f"Demo created. Sign in as “organizer”; the password is in {path}.")

    def _make(self, password: str) -> None:
        now = timezone.now()
        random = Random(SEED)
        organizer = User.objects.create_user("organizer", password=password)
        by = Actor(organizer, organizer.username, now - timedelta(days=40))
        store = stores.make_store(name="Harbor Lights Games", time_zone="UTC", by=by, owner=organizer)
        campaign = events.make_campaign(store, storyline="The Dominion War", by=by)
        house_rulings.add(store, by=by, topic="Dice off the mat", text=OFF_THE_MAT)
        self._month_five(campaign, random, by, now - timedelta(days=28))
        self._tonight(campaign, random, by, now)

    def _month_five(self, campaign: Campaign, random: Random, by: Actor, start: datetime) -> None:
        by = Actor(by.user, by.name, start - timedelta(hours=1))
        event = events.make_event(campaign, shipped_pack("dominion-war-5"), starts_at=start, sp_limit=100, by=by)
        simulation.play_event(event, simulation.Night(players=12), random=random, by=by)

    def _tonight(self, campaign: Campaign, random: Random, by: Actor, now: datetime) -> None:
        """Round 1 is closed; round 2 has run for 25 minutes and has two results, one of them agreed by both players."""
        start = now - timedelta(minutes=100)
        by = Actor(by.user, by.name, start - timedelta(minutes=30))
        event = events.make_event(campaign, shipped_pack("dominion-war-6"), starts_at=start, sp_limit=100, by=by)
        by = simulation.arrive(event, 13, random=random, by=by)
        simulation.equip(event, random=random, by=by)
        self._give_the_token(event, by)
        by = simulation.draw(event, random=random, by=by)
        by = simulation.play_round(event, random=random, by=by, by_phone=True)
        row = rounds.pair_round(event, seed=random.randrange(2**31), by=by)
        rounds.publish_round(event, row.number, by=by)
        rounds.start_clock(event, row.number, by=Actor(by.user, by.name, now - timedelta(minutes=25)))
        early = Actor(by.user, by.name, now - timedelta(minutes=25))
        simulation.play_round(event, random=random, by=early, tables=2, close=False, by_phone=True)
        self._at_the_tables(event, row.number, early)
        self._on_the_phones(event, random, Actor(by.user, by.name, now - timedelta(minutes=2)))

    def _give_the_token(self, event: Event, by: Actor) -> None:
        state = state_of(event)
        if (desk := desk_token_of(state)) and desk.offer.entrant:
            tokens.grant(event, desk.offer.entrant.number, by=by)

    def _at_the_tables(self, event: Event, number: int, by: Actor) -> None:
        """All but two tables have signed; at one a judge is called, at one the first losses are marked."""
        state = state_of(event)
        tables = state.rounds[-1].tables
        *signed, called, marked = [match.table for match in tables]
        for table in (*signed, marked):
            sign_off.sign_on_paper(event, number, table, by=by)
        first, second = next(match for match in tables if match.table == called).numbers
        line = Fleet.objects.get(entrant__event=event, entrant__number=second).sheet.ships[0].cards[-1].id
        sign_off.call_judge(event, number, first, line=line, words="This card is not on the table.", by=by)
        for owner in next(match for match in tables if match.table == marked).numbers:
            sheet = Fleet.objects.get(entrant__event=event, entrant__number=owner).sheet
            sign_off.mark_destroyed(event, number, owner, [sheet.ships[-1].line.id], by=by)

    def _on_the_phones(self, event: Event, random: Random, by: Actor) -> None:
        """At one table a player waits for the other's yes; at the next the two say different things."""
        state = state_of(event)
        waiting, disputed = state.rounds[-1].missing[:2]
        brought = fleets_of(state)
        for match, sides in ((waiting, (0,)), (disputed, (0, 1))):
            for side in sides:
                played = simulation.make_up(event.rules, random, of_sides(match, brought), only=Ending.TIME)
                simulation.say(event, match, side, played, by=by)
