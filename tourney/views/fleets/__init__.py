"""Fleets: a player's own, the builder, files, and one entrant's at the desk."""

from tourney.views.fleets.at_event import entrant_fleet
from tourney.views.fleets.builder import fleet
from tourney.views.fleets.files import fleet_file, import_fleets
from tourney.views.fleets.mine import my_fleets
from tourney.views.fleets.own_sets import own_sets
from tourney.views.fleets.sharing import shared_fleet, shared_picture

__all__ = [
    "entrant_fleet",
    "fleet",
    "fleet_file",
    "import_fleets",
    "my_fleets",
    "own_sets",
    "shared_fleet",
    "shared_picture",
]
