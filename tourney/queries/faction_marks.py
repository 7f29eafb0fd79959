"""Which drawn mark stands beside the name of a faction, on pages and on the poster."""

from django.utils.text import slugify

MARKS = frozenset(
    {
        "federation",
        "klingon",
        "romulan",
        "dominion",
        "borg",
        "species-8472",
        "kazon",
        "xindi",
        "bajoran",
        "ferengi",
        "vulcan",
        "independent",
        "mirror-universe",
        "q-continuum",
    }
)
"""Those that `static/img/factions.svg` has, "other" aside."""


def faction_slug(name: str) -> str:
    """The mark of a faction by its display name (rule 7.4), "other" for any name without a mark of its own."""
    slug = slugify(name)
    return slug if slug in MARKS else "other"
