"""Every field of a month pack for people: its name, what it does in one sentence, and its values in words.

`SECTIONS` is the whole format (docs/month-packs.md) in the order in which people think of a month.
"""

from dataclasses import dataclass
from typing import Any

from scoring.domain.building import CHANGE_KINDS, FACTION_NAMES, LIMIT_KINDS
from scoring.domain.pack import BEST_OF_EACH_FACTION
from scoring.domain.reading import FieldError
from scoring.domain.words import yes_or_no
from tourney.runtime.languages import LANGUAGES
from tourney.runtime.messages import Message, in_a_row, message, nmessage

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
    label: Message
    explains: Message
    unit: Message | None = None
    if_empty: Message | None = None
    fits: Message | None = None
    missing: Message | None = None
    choices: tuple[tuple[str, str | Message], ...] = ()

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
    title: Message
    one: Message
    explains: Message
    guides: tuple[Guide, ...]
    by_choices: bool = False


@dataclass(frozen=True, slots=True)
class GuideSection:
    slug: str
    title: Message
    intro: Message
    guides: tuple[Guide, ...] = ()
    rows: tuple[GuideTable, ...] = ()


TALLIES = GuideTable(
    "tallies",
    message("What is counted"),
    message("count"),
    message("What players count or tick at their table. What it is worth follows below."),
    (
        Guide(
            "name",
            TEXT,
            message("Name"),
            message("As players and staff see it next to the field."),
            missing=message("Name what is counted. Players see it at the table."),
        ),
        Guide(
            "key",
            KEY,
            message("Short name in files"),
            message("Bonuses refer to it. Leave it empty to make it from the name."),
            fits=message("Start with a lower-case letter; then letters, digits and underscores: mission_tokens."),
        ),
        Guide(
            "max_each",
            NUMBER,
            message("Most for one player"),
            message("1 makes it a checkbox instead of a number."),
            if_empty=message("no limit"),
        ),
        Guide(
            "max_total",
            NUMBER,
            message("Most for both together"),
            message("How many there are in play at a table."),
            if_empty=message("no limit"),
        ),
        Guide(
            "excludes",
            CHECKS,
            message("Cannot happen together with"),
            message("When one of them is counted, the others stay at zero on both sides."),
        ),
        Guide("reminder", TEXT, message("Reminder"), message("One line in your own words: when it counts.")),
    ),
)
BONUSES = GuideTable(
    "bonuses",
    message("What it is worth"),
    message("bonus"),
    message("What a count is worth in Fleet Points. Several bonuses can use one count."),
    (
        Guide(
            "tally",
            CHOICE,
            message("Awarded for"),
            message("What is counted at the table."),
            missing=message("Choose what these points are for."),
        ),
        Guide(
            "name",
            TEXT,
            message("Name in the total"),
            message("What players see where their Fleet Points are added up."),
            missing=message("Name the bonus. It appears wherever Fleet Points are added up."),
        ),
        Guide(
            "points",
            NUMBER,
            message("Fleet Points"),
            message("A number below zero is a penalty."),
            unit=message("points"),
            missing=message("Type how many Fleet Points: above 0 for a bonus, below 0 for a penalty."),
        ),
        Guide(
            "per",
            CHOICE,
            message("How often"),
            message("Once, or for every one counted."),
            choices=(("flat", message("Once")), ("count", message("For each"))),
        ),
        Guide(
            "to",
            CHOICE,
            message("Who gets it"),
            message("If both have the same count, neither gets it."),
            choices=(
                ("each", message("Each player who has any")),
                ("winner", message("The winner, if they have any")),
                ("most", message("The player with more than their opponent")),
                ("fewest", message("The player with fewer than their opponent")),
            ),
        ),
        Guide(
            "decides_winner",
            FLAG,
            message("Helps decide the winner"),
            message("Counts when Fleet Points decide who wins; otherwise it is added afterwards."),
        ),
    ),
)
KINDS = {
    "card": message("Card"),
    "ship": message("Ship"),
    "captain": message("Captain"),
    "admiral": message("Admiral"),
    "upgrade": message("Upgrade"),
    "captain or upgrade": message("Captain or upgrade"),
    "talent": message("Elite talent"),
    "crew": message("Crew card"),
    "tech": message("Tech card"),
    "weapon": message("Weapon"),
    "borg": message("Borg upgrade"),
    "squadron": message("Squadron upgrade"),
    "resource": message("Resource"),
}
"""The kinds of cards of rule 7.17, as a choice."""
ANY_FACTION: tuple[tuple[str, str | Message], ...] = (
    ("", message("Any faction")),
    *((name, name) for name in FACTION_NAMES),
)
CARD_LIMITS = GuideTable(
    "card_limits",
    message("Banned and required cards"),
    message("card rule"),
    message("A rule can cover one card by its title, or all cards of a faction or kind."),
    (
        Guide(
            "how_many",
            CHOICE,
            message("How many"),
            message("How many of these cards a fleet may have."),
            choices=(
                ("none", message("None: banned")),
                ("at most one", message("At most one")),
                ("exactly one", message("Exactly one")),
                ("at least one", message("At least one")),
            ),
        ),
        Guide(
            "title",
            TEXT,
            message("Title"),
            message("As printed on the card; covers all its printings."),
            if_empty=message("any title"),
        ),
        Guide(
            "kind",
            CHOICE,
            message("Kind"),
            message("A card is a ship, captain, admiral or upgrade; with a title, of any kind."),
            choices=tuple((kind, KINDS[kind]) for kind in LIMIT_KINDS),
        ),
        Guide(
            "faction",
            CHOICE,
            message("Faction"),
            message("A card with two factions counts for both."),
            choices=ANY_FACTION,
        ),
        Guide(
            "cost",
            NUMBER,
            message("Printed cost"),
            message("Limits the rule to one printing."),
            unit=message("SP"),
            if_empty=message("any printing"),
        ),
    ),
    by_choices=True,
)
COST_CHANGES = GuideTable(
    "cost_changes",
    message("Cards that cost less or more"),
    message("cost change"),
    message("Changes never add up: the first one that covers a card counts. No cost drops below 0."),
    (
        Guide(
            "kind",
            CHOICE,
            message("Kind"),
            message("Which cards on a ship, or the ship itself."),
            choices=tuple((kind, KINDS[kind]) for kind in CHANGE_KINDS),
        ),
        Guide(
            "faction",
            CHOICE,
            message("Faction"),
            message("A card with two factions counts for both."),
            choices=ANY_FACTION,
        ),
        Guide(
            "other_factions",
            FLAG,
            message("All but this faction"),
            message("The change covers cards of this kind from every other faction."),
        ),
        Guide(
            "with_card",
            FLAG,
            message("Also ships with a card of the faction"),
            message("A ship of another faction counts too while such a card is on it."),
        ),
        Guide(
            "points",
            NUMBER,
            message("Change"),
            message("A number below zero makes the cards cheaper."),
            unit=message("SP"),
            missing=message(
                "Type the SP: below 0 for cheaper, above 0 for more expensive, 0 if only the penalty is lifted."
            ),
        ),
        Guide(
            "no_penalty",
            FLAG,
            message("No faction penalty"),
            message("These cards pay no penalty on ships of other factions."),
        ),
        Guide("side", TEXT, message("Side"), message("One of the sides above."), if_empty=message("every fleet")),
    ),
    by_choices=True,
)
SECTIONS = (
    GuideSection(
        "month",
        message("The month"),
        message("Its name, here and on every page of its events."),
        (
            Guide(
                "storyline",
                TEXT,
                message("Storyline"),
                message("Campaigns with this name offer the month."),
                missing=message("Name the storyline. It appears on every event of this month."),
            ),
            Guide(
                "month",
                NUMBER,
                message("Month"),
                message("Its place in the storyline."),
                if_empty=message("a single month"),
            ),
            Guide("name", TEXT, message("Name"), message("The month’s own name; its events are named after it.")),
            Guide(
                "released",
                TEXT,
                message("First played"),
                message("Year and month."),
                fits=message("Type year and month like 2014-03."),
            ),
            Guide(
                "language",
                CHOICE,
                message("Language"),
                message("The language of the texts below."),
                choices=tuple(LANGUAGES.items()),
            ),
            Guide(
                "slug",
                TEXT,
                message("Address"),
                message("Its name in web addresses and files; it can’t change once saved."),
                missing=message("Type a short name for the address, like dominion-war-6."),
                fits=message("Use lower-case letters and digits with single hyphens between them: dominion-war-6."),
            ),
        ),
    ),
    GuideSection(
        "rounds",
        message("Rounds and pairing"),
        message("How many battles are played, and who plays whom."),
        (
            Guide(
                "rounds",
                NUMBER,
                message("Battle Rounds"),
                message("Each event can change this."),
                unit=message("rounds"),
            ),
            Guide(
                "minutes",
                NUMBER,
                message("Round time"),
                message("Where the round clock starts."),
                unit=message("minutes"),
            ),
            Guide(
                "pairing_style",
                CHOICE,
                message("Pairings after round 1"),
                message("Always between players with the same record."),
                choices=(
                    ("neighbours", message("Neighbors in the standings")),
                    ("halves", message("Top half against bottom half")),
                    ("random", message("At random")),
                ),
            ),
            Guide(
                "keep_factions_apart",
                FLAG,
                message("Keep factions apart in round 1"),
                message("Avoids pairing players of the same faction where possible."),
            ),
            Guide(
                "roll_offs_between_rounds",
                CHOICE,
                message("Ties between rounds"),
                message("After the last round, every tie is rolled off."),
                choices=(
                    ("every", message("Roll off every tie")),
                    ("pairing", message("Only ties that affect pairings")),
                ),
            ),
        ),
    ),
    GuideSection(
        "fleets",
        message("Fleets"),
        message("What a fleet may contain."),
        (
            Guide(
                "sp_limit",
                NUMBER,
                message("SP limit"),
                message("The most a fleet may cost."),
                unit=message("SP"),
                if_empty=message("set for each event"),
            ),
            Guide(
                "fleet.format",
                CHOICE,
                message("How fleets are built"),
                message("The 2016 format adds: at least 3 ships, at most 50 SP per ship, one oversized base."),
                choices=(
                    ("storyline", message("As in a storyline month")),
                    ("2016", message("2016 tournament format")),
                ),
            ),
            Guide(
                "fleet.booster",
                NUMBER,
                message("Reserved for the blind booster"),
                message("How much of the limit is for cards from the booster; 0 without a booster."),
                unit=message("SP"),
            ),
            Guide(
                "resource.rule",
                CHOICE,
                message("Resources per fleet"),
                message("How many a fleet may have."),
                choices=(
                    ("exactly one", message("Exactly one")),
                    ("at most one", message("One or none")),
                    ("any number", message("Any number")),
                    ("one per ship", message("At least one, at most one per ship")),
                    ("none", message("None")),
                ),
            ),
            Guide(
                "resource.choice",
                CHOICE,
                message("Which resources"),
                message("Which resources players can choose from."),
                choices=(
                    ("storyline", message("Only this storyline’s")),
                    ("any", message("Any")),
                    ("not retired", message("Any that isn’t retired")),
                ),
            ),
            Guide(
                "resource.only",
                TEXTS,
                message("Only these resources"),
                message("Their titles, one per line."),
                if_empty=message("any resource"),
            ),
            Guide("resource.name", TEXT, message("New resource"), message("The resource that comes with this month.")),
            Guide("resource.cost", TEXT, message("Its cost"), message("In SP as printed: 20, or a formula in words.")),
        ),
    ),
    GuideSection(
        "building",
        message("This month’s building rules"),
        message("What the printed overview says about building, besides the limit. The fleet builder checks it."),
        (
            Guide(
                "fleet.oversized",
                NUMBER,
                message("Ships with an oversized base"),
                message("The most in one fleet: Borg cubes and Nor-class stations; 0 for none."),
                unit=message("ships"),
                if_empty=message("as in the format"),
            ),
            Guide(
                "fleet.allowed_factions",
                CHECKS,
                message("Only these factions"),
                message("No other faction is allowed."),
                if_empty=message("all factions"),
                choices=ANY_FACTION[1:],
            ),
            Guide(
                "fleet.factions_of",
                CHOICE,
                message("Applies to"),
                message("Which cards must be from one of these factions."),
                choices=(
                    ("ships", message("Ships")),
                    ("ships and captains", message("Ships and captains")),
                    ("cards", message("Ships, captains, admirals and upgrades")),
                ),
            ),
            Guide(
                "fleet.sides",
                TEXTS,
                message("Sides"),
                message("If players bring a fleet for each side; one per line."),
                if_empty=message("one fleet for each player"),
            ),
            Guide(
                "fleet.away_team",
                NUMBER,
                message("Away team"),
                message("How many extra crew cards each player brings; they don’t count toward the SP limit."),
                unit=message("cards"),
            ),
            Guide(
                "fleet.away_team_sp",
                NUMBER,
                message("SP of the away team"),
                message("What they may cost in total, as printed."),
                unit=message("SP"),
                if_empty=message("no limit"),
            ),
        ),
        (CARD_LIMITS, COST_CHANGES),
    ),
    GuideSection(
        "battle-points",
        message("Battle Points"),
        message("They come first in the standings."),
        (
            Guide("win", NUMBER, message("Win"), message("For winning a battle."), unit=message("points")),
            Guide(
                "loss", NUMBER, message("Loss"), message("For losing a battle that was played."), unit=message("points")
            ),
            Guide("bye", NUMBER, message("Bye"), message("For a round without an opponent."), unit=message("points")),
            Guide(
                "no_show",
                NUMBER,
                message("No-show"),
                message("For a player who didn’t show up."),
                unit=message("points"),
            ),
            Guide(
                "bye_counts_as_win",
                FLAG,
                message("A bye counts as a win"),
                message("In each player’s record of wins and losses."),
            ),
        ),
    ),
    GuideSection(
        "fleet-points",
        message("Fleet Points"),
        message("They break ties: the base, minus what the opponent has left, plus bonuses."),
        (
            Guide(
                "fleet_point_base",
                NUMBER,
                message("Base"),
                message("Where Fleet Points start from."),
                unit=message("points"),
                if_empty=message("the SP limit"),
            ),
            Guide(
                "bye_fleet_points",
                NUMBER,
                message("For a bye"),
                message("A fixed number instead of the average."),
                unit=message("points"),
                if_empty=message("the average of the others, rounded up"),
            ),
            Guide(
                "concession",
                CHOICE,
                message("When a player concedes"),
                message("How the conceding fleet is scored."),
                choices=(
                    ("eliminated", message("It counts as eliminated")),
                    ("as it stands", message("The score at that moment")),
                ),
            ),
        ),
    ),
    GuideSection(
        "battle",
        message("The battle"),
        message("What ends it and who wins, besides elimination, time and Fleet Points."),
        (
            Guide(
                "win_conditions",
                TEXTS,
                message("Wins outright"),
                message("What wins before anything else, strongest first; one per line."),
            ),
            Guide(
                "ends_when",
                TEXT,
                message("Also ends when"),
                message("What ends a battle besides elimination and time."),
            ),
            Guide(
                "table_roll_off",
                CHOICE,
                message("Dice for a tied battle"),
                message("Most Battle Stations wins."),
                choices=(
                    ("attack", message("Both roll 5 attack dice")),
                    ("attack against defense", message("5 attack dice against 5 defense dice")),
                ),
            ),
        ),
    ),
    GuideSection(
        "bonuses",
        message("Bonuses"),
        message("What else earns or costs Fleet Points."),
        (
            Guide(
                "bonuses_known",
                FLAG,
                message("All bonuses are listed"),
                message("Untick this if some are only on the printed overview; every page then says so."),
            ),
        ),
        (TALLIES, BONUSES),
    ),
    GuideSection(
        "factions",
        message("Factions"),
        message("Which side each player takes."),
        (
            Guide(
                "allegiance", FLAG, message("Players declare a faction"), message("They choose it when they register.")
            ),
            Guide(
                "factions",
                TEXTS,
                message("Factions to choose from"),
                message("One per line."),
                if_empty=message("players type their own"),
            ),
        ),
    ),
    GuideSection(
        "ranks",
        message("Ranks and awards"),
        message("What players win at the end of the event."),
        (
            Guide("titles", TEXTS, message("Titles"), message("For rank 1, rank 2 and so on; one per line.")),
            Guide(
                "awards",
                CHECKS,
                message("Awards"),
                message("What is awarded besides the ranks."),
                choices=((BEST_OF_EACH_FACTION, message("Map elements for the best of each faction")),),
            ),
            Guide(
                "token",
                FLAG,
                message("Commendation Award Token"),
                message("From the second month on, last month’s Admiral may re-roll one die."),
            ),
            Guide("prize_ship", TEXT, message("Prize ship"), message("As it appears on the poster.")),
        ),
    ),
    GuideSection(
        "notes",
        message("Notes"),
        message("What else players should know, in your own words."),
        (Guide("notes", LONG, message("Notes"), message("They appear at the end of the month’s page.")),),
    ),
)
GUIDES = tuple(guide for section in SECTIONS for guide in section.guides)
ROWS = tuple(rows for section in SECTIONS for rows in section.rows)


def value_at(data: dict[str, Any], path: str) -> Any:
    """The value under a path of GUIDES in data like `as_data` gives."""
    table, _, key = path.rpartition(".")
    return (data[table] if table else data)[key]


def in_words(guide: Guide, value: Any) -> str | Message:
    """A field's value as people say it: "120 SP", "yes", "Neighbors in the standings"."""
    if isinstance(value, bool):
        return yes_or_no(value)
    if value is None or value in ("", [], ()):
        return guide.if_empty or message("none")
    names = dict(guide.choices)
    if isinstance(value, list | tuple):
        return in_a_row([[names.get(one, one) for one in map(str, value)]])
    if isinstance(value, int):
        return _number(guide, value)
    return names.get(value, str(value))


def _number(guide: Guide, number: int) -> str | Message:
    if guide.unit is None or number < 0:
        said = str(number).replace("-", "−")
        return in_a_row([said, guide.unit]) if guide.unit else said
    return {
        "SP": nmessage("{count} SP", "{count} SP", number),
        "cards": nmessage("{count} card", "{count} cards", number),
        "minutes": nmessage("{count} minute", "{count} minutes", number),
        "points": nmessage("{count} point", "{count} points", number),
        "rounds": nmessage("{count} round", "{count} rounds", number),
        "ships": nmessage("{count} ship", "{count} ships", number),
    }[guide.unit.id]


def plainly(guide: Guide | None, error: FieldError) -> Message:
    """What the parser complains of, for people who see the field and no file: what is wrong, then what to do."""
    if guide and guide.fits and error.is_form:
        return guide.fits
    return error.plain or error.message
