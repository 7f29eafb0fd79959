"""Every field of a month pack for people: its name, what it does in one sentence, and its values in words.

`SECTIONS` is the whole format (docs/month-packs.md) in the order in which somebody thinks of a month.
"""

import re
from dataclasses import dataclass
from typing import Any

from scoring.domain.building import CHANGE_KINDS, FACTION_NAMES, LIMIT_KINDS
from scoring.domain.pack import BEST_OF_EACH_FACTION
from scoring.domain.reading import FieldError
from scoring.domain.words import KIND_WORDS

TEXT, LONG, NUMBER, FLAG, CHOICE, TEXTS, CHECKS, KEY = (
    "text", "long", "number", "flag", "choice", "texts", "checks", "key",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Guide:
    """One field. `field` is its path; in a table of rows the path within the row.

    if_empty: what an absent value means; a number without it must be there. fits: what to type, where a pattern asks.
    missing: what to say while a field that must be there is empty.
    """

    field: str
    kind: str
    label: str
    explains: str
    unit: str = ""
    if_empty: str = ""
    fits: str = ""
    missing: str = ""
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The field's name on a page: "resource-rule"."""
        return self.field.replace(".", "-")


@dataclass(frozen=True, slots=True)
class GuideTable:
    """A list of tables: its title, what one of them is called, and its fields.

    by_choices: a row in which something is chosen is one, even if nothing is typed.
    """

    field: str
    title: str
    one: str
    explains: str
    guides: tuple[Guide, ...]
    by_choices: bool = False


@dataclass(frozen=True, slots=True)
class GuideSection:
    slug: str
    title: str
    intro: str
    guides: tuple[Guide, ...] = ()
    rows: tuple[GuideTable, ...] = ()


TALLIES = GuideTable(
    "tallies",
    "What is counted",
    "thing to count",
    "What players count or tick at their table. What it is worth follows below.",
    (
        Guide("name", TEXT, "Name", "As players and the desk read it beside the field.",
              missing="Name what is counted; players read it at the table."),
        Guide("key", KEY, "Short name in files",
              "Bonuses point to it. Left empty, it is made of the name.",
              fits="Start with a lower-case letter; then letters, digits and underscores: mission_tokens."),
        Guide("max_each", NUMBER, "Most for one player", "1 makes it a tick instead of a number.",
              if_empty="no limit"),
        Guide("max_total", NUMBER, "Most for both together", "How many there are in play at a table.",
              if_empty="no limit"),
        Guide("excludes", CHECKS, "Cannot happen together with",
              "When one of them is counted, the others stay at zero on both sides."),
        Guide("reminder", TEXT, "Reminder", "One line in your own words: when it counts."),
    ),
)  # fmt: skip
BONUSES = GuideTable(
    "bonuses",
    "What it is worth",
    "bonus",
    "What a count is worth in Fleet Points. Several bonuses can use one count.",
    (
        Guide("tally", CHOICE, "Given for", "What is counted at the table.",
              missing="Choose what these points are given for."),
        Guide("name", TEXT, "Name in the sum", "What players read where their Fleet Points are added up.",
              missing="Name the bonus; it stands in every sum of Fleet Points."),
        Guide("points", NUMBER, "Fleet Points", "Below zero it is a penalty.", unit="points",
              missing="Type how many Fleet Points: above 0 for a bonus, below 0 for a penalty."),
        Guide("per", CHOICE, "How often", "Once, or for every one counted.",
              choices=(("flat", "Once"), ("count", "For each"))),
        Guide("to", CHOICE, "Who gets it", "Level counts are nobody's.",
              choices=(("each", "Each player who has any"), ("winner", "The winner, if they have any"),
                       ("most", "Whoever has more than the opponent"),
                       ("fewest", "Whoever has fewer than the opponent"))),
        Guide("decides_winner", FLAG, "Helps to decide the winner",
              "Counts already when Fleet Points decide who wins; otherwise it is added afterwards."),
    ),
)  # fmt: skip
ANY_FACTION = (("", "Any faction"), *((name, name) for name in FACTION_NAMES))
CARD_LIMITS = GuideTable(
    "card_limits",
    "Cards that are banned or asked for",
    "card rule",
    "A rule can be about one card by its title, or about all cards of a faction or kind.",
    (
        Guide("how_many", CHOICE, "How many", "What a fleet may have of it.",
              choices=(("none", "None: banned"), ("at most one", "At most one"), ("exactly one", "Exactly one"),
                       ("at least one", "At least one"))),
        Guide("title", TEXT, "Title", "As it stands on the card; all printings of it.", if_empty="any title"),
        Guide("kind", CHOICE, "Kind", "A card is a ship, captain, admiral or upgrade; with a title, of any kind.",
              choices=tuple((kind, KIND_WORDS[kind].capitalize()) for kind in LIMIT_KINDS)),
        Guide("faction", CHOICE, "Faction", "A card of two factions is of both.", choices=ANY_FACTION),
        Guide("cost", NUMBER, "Printed cost", "Tells one printing from others.", unit="SP", if_empty="any printing"),
    ),
    by_choices=True,
)  # fmt: skip
COST_CHANGES = GuideTable(
    "cost_changes",
    "Cards that cost less or more",
    "cost change",
    "Changes never add up: the first that is about a card counts. No cost falls below 0.",
    (
        Guide("kind", CHOICE, "Kind", "Which cards on a ship, or the ship itself.",
              choices=tuple((kind, KIND_WORDS[kind].capitalize()) for kind in CHANGE_KINDS)),
        Guide("faction", CHOICE, "Faction", "A card of two factions is of both.", choices=ANY_FACTION),
        Guide("other_factions", FLAG, "All but this faction", "The change is about every other card of the kind."),
        Guide("with_card", FLAG, "Also ships with a card of the faction",
              "A ship of another faction counts too while such a card is on it."),
        Guide("points", NUMBER, "Change", "Below zero it is cheaper.", unit="SP",
              missing="Type the SP: below 0 for cheaper, above 0 for dearer, 0 where only the penalty goes."),
        Guide("no_penalty", FLAG, "No faction penalty", "Such cards pay none on ships of other factions."),
        Guide("side", TEXT, "Side", "One of the sides above.", if_empty="every fleet"),
    ),
    by_choices=True,
)  # fmt: skip
SECTIONS = (
    GuideSection("month", "The month", "What it is called, here and on every page of its event.", (
        Guide("storyline", TEXT, "Storyline", "Campaigns of this name offer the month.",
              missing="Name the storyline; it stands over every event of this month."),
        Guide("month", NUMBER, "Month", "Its place in the storyline.", if_empty="a single month"),
        Guide("name", TEXT, "Name", "The month's own name; events are called by it."),
        Guide("released", TEXT, "First played", "Year and month.", fits="Type year and month like 2014-03."),
        Guide("slug", TEXT, "Address", "Its name in addresses and files; it stays as it is once saved.",
              missing="Type a short name for the address, like dominion-war-6.",
              fits="Use lower-case letters and digits with single hyphens between them: dominion-war-6."),
    )),
    GuideSection("rounds", "Rounds and pairing", "How many battles the night has, and who meets whom.", (
        Guide("rounds", NUMBER, "Battle Rounds", "Each event can still change it.", unit="rounds"),
        Guide("minutes", NUMBER, "Time for a round", "What the clock starts from.", unit="minutes"),
        Guide("pairing_style", CHOICE, "Who meets after round 1", "Always among players with the same record.",
              choices=(("neighbours", "Neighbours in the standings"),
                       ("halves", "Top half against bottom half"), ("random", "At random"))),
        Guide("keep_factions_apart", FLAG, "Keep factions apart in round 1",
              "Opponents of one faction are avoided where that is possible."),
        Guide("roll_offs_between_rounds", CHOICE, "Ties between rounds", "At the end every tie is rolled off.",
              choices=(("every", "Roll off every tie"), ("pairing", "Only ties that change the pairing"))),
    )),
    GuideSection("fleets", "Fleets", "What a fleet may be built of.", (
        Guide("sp_limit", NUMBER, "SP limit", "The most a fleet may cost.", unit="SP",
              if_empty="typed when the event is planned"),
        Guide("fleet.format", CHOICE, "How fleets are built",
              "The format of 2016 adds: 3 ships or more, 50 SP for a ship, one oversized base.",
              choices=(("storyline", "As in a storyline month"), ("2016", "Tournament format 2016"))),
        Guide("fleet.booster", NUMBER, "Kept for the blind booster",
              "That much of the limit is for the booster's own cards; 0 without a booster.", unit="SP"),
        Guide("resource.rule", CHOICE, "Resources of a fleet", "How many a fleet may have; one without is legal.",
              choices=(("exactly one", "Exactly one"), ("at most one", "One or none"),
                       ("any number", "Any number"), ("one per ship", "At least one, at most one for each ship"),
                       ("none", "None"))),
        Guide("resource.choice", CHOICE, "Which resources", "What may be chosen from.",
              choices=(("storyline", "Only this storyline's"), ("any", "Any"), ("not retired", "Any not retired"))),
        Guide("resource.only", TEXTS, "Only these resources", "Their titles, one per line.", if_empty="no such list"),
        Guide("resource.name", TEXT, "New resource", "The one that comes with this month."),
        Guide("resource.cost", TEXT, "Its cost", "In SP as printed: 20, or a formula in words."),
    )),
    GuideSection("building", "Building rules of the month",
                 "What the overview prints about building besides the limit; the builder checks it.", (
        Guide("fleet.oversized", NUMBER, "Ships with an oversized base",
              "The most in one fleet: Borg cubes and stations of the Nor class; 0 for none.", unit="ships",
              if_empty="as the format says"),
        Guide("fleet.allowed_factions", CHECKS, "Only these factions", "No other may be built with.",
              if_empty="all factions", choices=ANY_FACTION[1:]),
        Guide("fleet.factions_of", CHOICE, "They are for", "Which cards have to be of one of these factions.",
              choices=(("ships", "Ships"), ("ships and captains", "Ships and captains"),
                       ("cards", "Ships, captains, admirals and upgrades"))),
        Guide("fleet.sides", TEXTS, "Sides", "A fleet for each, where players bring several; one per line.",
              if_empty="one fleet for each player"),
        Guide("fleet.away_team", NUMBER, "Away team", "So many more crew cards beside the ships; they cost no SP.",
              unit="cards"),
        Guide("fleet.away_team_sp", NUMBER, "SP of the away team", "What they may cost together, as printed.",
              unit="SP", if_empty="no limit"),
    ), (CARD_LIMITS, COST_CHANGES)),
    GuideSection("battle-points", "Battle Points", "They come first in the standings.", (
        Guide("win", NUMBER, "Win", "For winning a battle.", unit="points"),
        Guide("loss", NUMBER, "Loss", "For losing one that was played.", unit="points"),
        Guide("bye", NUMBER, "Bye", "For a round without an opponent.", unit="points"),
        Guide("no_show", NUMBER, "No-show", "For a player who never sat down.", unit="points"),
        Guide("bye_counts_as_win", FLAG, "A bye counts as a win", "In a record of wins and losses."),
    )),
    GuideSection("fleet-points", "Fleet Points",
                 "They break ties: base, minus what the opponent has left, plus bonuses.", (
        Guide("fleet_point_base", NUMBER, "Base", "Where Fleet Points start from.", unit="points",
              if_empty="the SP limit"),
        Guide("bye_fleet_points", NUMBER, "For a bye", "A fixed number instead of the mean.", unit="points",
              if_empty="the mean of the others, rounded up"),
        Guide("concession", CHOICE, "When somebody gives up", "What counts of the fleet that gave up.",
              choices=(("eliminated", "It counts as eliminated"), ("as it stands", "The score as it stands"))),
    )),
    GuideSection("battle", "The battle", "What ends it and who wins, besides elimination, time and Fleet Points.", (
        Guide("win_conditions", TEXTS, "Won first by", "What wins before anything else, the best first; one per line."),
        Guide("ends_when", TEXT, "Also ends when", "What ends a battle besides elimination and time."),
        Guide("table_roll_off", CHOICE, "Dice when a battle is level", "Who has most Battle Stations wins.",
              choices=(("attack", "Both roll 5 attack dice"),
                       ("attack against defense", "5 attack dice against 5 defense dice"))),
    )),
    GuideSection("bonuses", "Bonuses", "What else earns or costs Fleet Points.", (
        Guide("bonuses_known", FLAG, "The bonuses are complete",
              "Without the tick every page says that they stand on the printed overview."),
    ), (TALLIES, BONUSES)),
    GuideSection("factions", "Factions", "Whose side each player takes for the night.", (
        Guide("allegiance", FLAG, "Players declare a faction", "They choose it when they register."),
        Guide("factions", TEXTS, "Factions to choose from", "One per line.",
              if_empty="players type any they like"),
    )),
    GuideSection("ranks", "Ranks and awards", "What the night ends with.", (
        Guide("titles", TEXTS, "Titles", "Of rank 1, rank 2 and so on; one per line."),
        Guide("awards", CHECKS, "Awards", "What is handed out besides the ranks.",
              choices=((BEST_OF_EACH_FACTION, "Map elements for the best of each faction"),)),
        Guide("token", FLAG, "Commendation Award Token",
              "From the second month on, last month's Admiral may roll one die again."),
        Guide("prize_ship", TEXT, "Prize ship", "What stands on the poster."),
    )),
    GuideSection("notes", "Notes", "What players should read besides all this, in your own words.", (
        Guide("notes", LONG, "Notes", "They stand at the end of the month's page."),
    )),
)  # fmt: skip
GUIDES = tuple(guide for section in SECTIONS for guide in section.guides)
ROWS = tuple(rows for section in SECTIONS for rows in section.rows)


def value_at(data: dict[str, Any], path: str) -> Any:
    """The value under a path of GUIDES in data like `as_data` gives."""
    table, _, key = path.rpartition(".")
    return (data[table] if table else data)[key]


def in_words(guide: Guide, value: Any) -> str:
    """A field's value as people say it: "120 SP", "yes", "Neighbours in the standings"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ("", [], ()):
        return guide.if_empty or "none"
    names = dict(guide.choices)
    if isinstance(value, list | tuple):
        return ", ".join(names.get(one, one) for one in map(str, value))
    words = names.get(value, str(value)).replace("-", "−" if isinstance(value, int) else "-")
    return f"{words} {guide.unit}".strip()


def plainly(guide: Guide, error: FieldError) -> str:
    """What the parser complains of, for somebody who sees the field and no file: what, why, what to do."""
    if error.plain:
        return error.plain
    message = error.message
    if too_long := re.fullmatch(r"has (\d+) characters; at most (\d+) are expected", message):
        return "This has {} characters, and {} is the most. Shorten it.".format(*too_long.groups())
    if twice := re.fullmatch(r"says (.+) a second time; each may stand there once", message):
        return f"{_quoted(twice[1])} stands here twice. Leave it once."
    if guide.fits:
        return guide.fits
    seen, _, expected = message.removeprefix("is ").removesuffix(" is expected").rpartition("; ")
    return f"{_quoted(seen)} does not fit here. Type {expected}."


def _quoted(seen: str) -> str:
    return f"“{seen[1:-1]}”" if seen[:1] in "'\"" else seen
