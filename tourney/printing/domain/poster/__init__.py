"""The poster of a campaign (rule 5.6) as a drawing: what stands where on one sheet of paper.

`draw` takes plain content and a paper and gives boxes, rules, marks and texts, in tenths of a millimetre. Every text is
fitted by measured widths (`text.py`), so that it stays inside its room in every font the poster names.
"""

from tourney.printing.domain.poster import ink
from tourney.printing.domain.poster.brand import PLAIN, Brand
from tourney.printing.domain.poster.content import NextMonth, Poster, PosterMonth, PosterName, Victories
from tourney.printing.domain.poster.drawing import Drawing, FactionEmblem, Logo, Rectangle, Room, Rule, Text
from tourney.printing.domain.poster.paint import draw
from tourney.printing.domain.poster.paper import PAPERS, SHAPES, Paper, sheets

__all__ = [
    "PAPERS",
    "PLAIN",
    "SHAPES",
    "Brand",
    "Drawing",
    "FactionEmblem",
    "Logo",
    "NextMonth",
    "Paper",
    "Poster",
    "PosterMonth",
    "PosterName",
    "Rectangle",
    "Room",
    "Rule",
    "Text",
    "Victories",
    "draw",
    "ink",
    "sheets",
]
