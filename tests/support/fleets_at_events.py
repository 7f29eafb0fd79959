"""Fleets that are built and brought to an event."""

from fleets.domain import editing
from fleets.domain.sheet import Sheet
from tests.support.built_fleets import bring_all
from tests.support.copied import copied
from tests.support.fleets_for_tests import ship_card
from tests.support.nights import BY, make_night
from tourney.actions import fleets, rounds
from tourney.models import Event, Fleet
from tourney.runtime.messages import message

LARK = ship_card("Lark", 22)


def add(fleet: Fleet, what=LARK, at: int = 0, **facts):
    return fleets.step(
        fleet, lambda sheet: editing.add(sheet, what, at), did=message("{card} added.", card=what.title), by=BY, **facts
    )


def new_fleet(event: Event, name: str = "Vanguard", sheet: Sheet | None = None) -> Fleet:
    return fleets.make_fleet(event.entrants.first().player, name, by=BY, sheet=sheet)


@copied
def published(players: int = 4) -> Event:
    event = make_night(players=players).event
    bring_all(event)
    rounds.pair_round(event, seed=1, by=BY)
    rounds.publish_round(event, 1, by=BY)
    return event


def titles(fleet: Fleet) -> list[str]:
    return [line.card.title for line in Fleet.objects.get(pk=fleet.pk).sheet.lines]
