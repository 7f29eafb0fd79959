"""The colours of the poster: those of `tokens.css` by day, for places where no stylesheet reaches."""

PAPER = "#fff"
HULL = "#10263d"
ON_HULL = "#fff"
ON_HULL_MUTED = "#b9c9d9"
SIGNAL = "#f6c33c"
INK = "#0f1d2d"
MUTED = "#4c5d70"
LINE = "#cdd7e0"
LINE_STRONG = "#75879a"
BRASS = "#7a5600"
BRASS_SOFT = "#fdf2d0"

FACTIONS = {
    "federation": "#1a5fae",
    "klingon": "#a8241c",
    "romulan": "#1c6b3a",
    "dominion": "#693da3",
    "borg": "#0d6666",
    "species-8472": "#96306f",
    "kazon": "#87491f",
    "xindi": "#08657f",
    "bajoran": "#a04800",
    "ferengi": "#805900",
    "vulcan": "#784735",
    "independent": "#465566",
    "mirror-universe": "#66570c",
    "q-continuum": "#862f98",
}


def of_faction(mark: str) -> str:
    """The colour of the faction with that mark; grey for one without a mark of its own."""
    return FACTIONS.get(mark, MUTED)
