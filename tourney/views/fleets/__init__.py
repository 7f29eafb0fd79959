"""Fleets: a player's own, the builder, files and paper, and one entrant's at the desk."""

from tourney.views.fleets.at_event import entrant_fleet
from tourney.views.fleets.builder import fleet
from tourney.views.fleets.files import blank_sheet, fleet_file, fleet_sheet, import_fleets
from tourney.views.fleets.mine import my_fleets

__all__ = ["blank_sheet", "entrant_fleet", "fleet", "fleet_file", "fleet_sheet", "import_fleets", "my_fleets"]
