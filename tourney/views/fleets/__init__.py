"""Fleets: a player's own, the builder, and one entrant's at the desk."""

from tourney.views.fleets.at_event import entrant_fleet
from tourney.views.fleets.builder import fleet
from tourney.views.fleets.mine import my_fleets

__all__ = ["entrant_fleet", "fleet", "my_fleets"]
