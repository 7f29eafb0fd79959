"""The season of a campaign (rules 5.7, 5.8): what each player took home from all its finished months."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from django.db import connection

from scoring.domain.season import PLAIN, MonthRecord, SeasonLine, SeasonRules, season, sums_of
from scoring.domain.season_words import why
from tourney.models import Campaign, Event
from tourney.queries.finals import finals_of
from tourney.queries.shown_names import short_names
from tourney.runtime.kept import VersionedCache, memory
from tourney.runtime.locales import written
from tourney.runtime.messages import Message
from tourney.runtime.packed import digest


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player's season so far; `why` the line is as it is, where the campaign has rules of its own (rule 5.8)."""

    line: SeasonLine
    name: str
    why: Message | None = None


@dataclass(frozen=True, slots=True)
class Season:
    """The rows of a season. By rules of its own, the lines are over all `months` played, else over those shown."""

    rows: tuple[SeasonRow, ...]
    rules: SeasonRules
    months: Mapping[int, datetime]


@dataclass(slots=True)
class SeasonSums:
    """What was taken home in a campaign: how many months were played, each month that is shown, the others together.

    Where the campaign has rules of its own, there are no others, and the `dates` of all months, first to last.
    `missing` are the finished months of which nothing is kept (yet), `names` the players' own.
    """

    rules: SeasonRules = PLAIN
    dates: dict[int, datetime] = field(default_factory=dict)
    months: int = 0
    missing: list[int] = field(default_factory=list)
    shown: defaultdict[int, list[MonthRecord]] = field(default_factory=lambda: defaultdict(list))
    others: list[MonthRecord] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)


SUMS = """
    WITH month AS MATERIALIZED (
        SELECT e.id, e.campaign_id, e.starts_at, f.rounds,
            c.best_of IS NOT NULL OR c.at_least IS NOT NULL OR c.for_attendance > 0 OR c.pick_order <> '' AS has_rules
        FROM tourney_event e JOIN tourney_campaign c ON c.id = e.campaign_id
        LEFT JOIN tourney_finalranking f ON f.event_id = e.id
        WHERE e.campaign_id = ANY(%(campaigns)s) AND e.finished_at IS NOT NULL
    ), taken AS MATERIALIZED (
        SELECT month.campaign_id, l.player_id, sum(l.battle_points) AS battle_points,
            sum(l.fleet_points) AS fleet_points, count(*) AS months,
            json_agg(json_build_array(month.id, l.battle_points, l.fleet_points))
                FILTER (WHERE month.has_rules OR month.id = ANY(%(shown)s)) AS shown
        FROM month JOIN tourney_finalline l ON l.event_id = month.id
        WHERE month.rounds > 0
        GROUP BY month.campaign_id, l.player_id
    )
    SELECT c.id, NULL, NULL, 0, 0, count(*) FILTER (WHERE month.rounds > 0),
        json_agg(month.id) FILTER (WHERE month.rounds IS NULL),
        json_build_array(c.best_of, c.at_least, c.for_attendance, c.pick_order),
        json_agg(json_build_array(month.id, month.starts_at) ORDER BY month.starts_at, month.id)
            FILTER (WHERE month.has_rules)
    FROM month JOIN tourney_campaign c ON c.id = month.campaign_id GROUP BY c.id
    UNION ALL
    SELECT taken.campaign_id, p.id, p.name, taken.battle_points, taken.fleet_points, taken.months, taken.shown, NULL,
        NULL
    FROM taken JOIN tourney_player p ON p.id = taken.player_id
"""


@dataclass(frozen=True, slots=True)
class CampaignVersion:
    """What is another for a campaign once anything changes that a page of one of its events shows (`events`), or one
    that its season follows from (`season`): its rules, and the events that are finished.
    """

    events: Hashable = 0
    season: Hashable = 0


VERSIONS = f"""
    SELECT c.id, v.events, v.finished, c.best_of, c.at_least, c.for_attendance, c.pick_order
    FROM tourney_campaign c CROSS JOIN LATERAL (
        SELECT {digest("e.id", "e.version")} AS events,
            {digest("e.id", "e.version")} FILTER (WHERE e.finished_at IS NOT NULL) AS finished
        FROM tourney_event e WHERE e.campaign_id = c.id
    ) AS v
    WHERE c.id = ANY(%s)
"""


def versions_of(campaigns: Sequence[Campaign]) -> dict[int, CampaignVersion]:
    """The version of each, by its id. Read it before what is kept by it.

    What is played tonight changes no season, so that who reads one then waits for nobody's result.
    """
    with connection.cursor() as cursor:
        cursor.execute(VERSIONS, [[campaign.pk for campaign in campaigns]])
        found = {pk: CampaignVersion(events, tuple(season)) for pk, events, *season in cursor.fetchall()}
    return {campaign.pk: found.get(campaign.pk, CampaignVersion()) for campaign in campaigns}


def season_of(campaign: Campaign, shown: Sequence[int], version: CampaignVersion) -> tuple[SeasonRow, ...]:
    """Rules 5.7, 5.8 over the finished months in which a round was played, `shown` (ids) among them; one alone makes
    none.

    Only the months that are shown are in the lines' `by_month`. `version` is the campaign's (`versions_of`).
    """
    found = _kept([campaign], {campaign.pk: version}, {campaign.pk: shown})[campaign.pk]
    rows = _in_public(found.rows, short_names(campaign.store))
    if found.rules == PLAIN:
        return rows
    names = [written(moment, "month") for moment in found.months.values()]
    places = {pk: place for place, pk in enumerate(found.months)}
    columns = [places.get(pk) for pk in shown]
    return tuple(replace(row, line=_cut(row.line, columns), why=why(row.line, found.rules, names)) for row in rows)


def seasons_of(
    campaigns: Sequence[Campaign], versions: Mapping[int, CampaignVersion]
) -> dict[int, tuple[SeasonRow, ...]]:
    """The season of each of these campaigns of one store, by its id, in a constant number of queries.

    Each is kept by the campaign's version; names as everybody may read them are put into it anew.
    """
    short = short_names(campaigns[0].store) if campaigns else {}
    return {pk: _in_public(found.rows, short) for pk, found in _kept(campaigns, versions).items()}


def _bytes_of(season: Season) -> int:
    return 500 + len(season.rows) * (300 + 16 * len(season.rows[0].line.by_month)) if season.rows else 500


SEASONS: VersionedCache[Season] = VersionedCache(memory(0.01), _bytes_of)
"""By the id of the campaign and the months that are shown."""


def _kept(
    campaigns: Sequence[Campaign],
    versions: Mapping[int, CampaignVersion],
    shown: Mapping[int, Sequence[int]] = MappingProxyType({}),
) -> dict[int, Season]:
    """`shown` are the ids of the finished months that are to be in the lines' `by_month`, by campaign."""
    asked = {(campaign.pk, tuple(shown.get(campaign.pk, ()))): versions[campaign.pk].season for campaign in campaigns}
    return {pk: found for (pk, _), found in SEASONS.get_many(asked, _seasons).items()}


def _in_public(rows: tuple[SeasonRow, ...], short: Mapping[int, str]) -> tuple[SeasonRow, ...]:
    """With the names that everybody may read."""
    return tuple(replace(row, name=short.get(row.line.player, row.name)) for row in rows) if short else rows


def _cut(line: SeasonLine, columns: Sequence[int | None]) -> SeasonLine:
    """The line with these of its months alone (None: one that no round was played in); the others are `earlier`."""
    months = [None if place is None else line.by_month[place] for place in columns]
    left_out = tuple(column for column, place in enumerate(columns) if place in line.left_out)
    elsewhere = line.months - sum(points is not None for points in months)
    return replace(line, by_month=tuple(months), left_out=left_out, earlier=elsewhere)


def _seasons(asked: Sequence[tuple[int, tuple[int, ...]]]) -> dict[tuple[int, tuple[int, ...]], Season]:
    """With the players' own names."""
    sums = _sums([campaign for campaign, _ in asked], [pk for _, shown in asked for pk in shown])
    return {(campaign, shown): _season(sums[campaign], shown) for campaign, shown in asked}


def _season(sums: SeasonSums, shown: Sequence[int]) -> Season:
    over = shown if sums.rules == PLAIN else tuple(sums.dates)
    lines = season([sums.shown[pk] for pk in over], sums.others, sums.rules) if sums.months > 1 else ()
    return Season(tuple(SeasonRow(line, sums.names[line.player]) for line in lines), sums.rules, sums.dates)


def _sums(campaigns: Sequence[int], shown: Sequence[int]) -> defaultdict[int, SeasonSums]:
    """By the campaign's id."""
    with connection.cursor() as cursor:
        cursor.execute(SUMS, {"campaigns": list(campaigns), "shown": list(shown)})
        rows = cursor.fetchall()
    found: defaultdict[int, SeasonSums] = defaultdict(SeasonSums)
    for campaign, player, name, battle_points, fleet_points, months, more, rules, dates in rows:
        sums = found[campaign]
        if player is None:
            sums.months, sums.missing, sums.rules = months, more or [], SeasonRules(*rules)
            sums.dates = {pk: datetime.fromisoformat(moment) for pk, moment in dates or ()}
            continue
        sums.names[player] = name
        for event, *points in more or ():
            sums.shown[event].append(MonthRecord(player, *points))
            battle_points, fleet_points, months = battle_points - points[0], fleet_points - points[1], months - 1
        if months:
            sums.others.append(MonthRecord(player, battle_points, fleet_points, months))
    _add_missing(found, set(shown))
    return found


def _add_missing(found: Mapping[int, SeasonSums], shown: set[int]) -> None:
    """The finished months of which nothing is kept, by their rows."""
    missing = [pk for sums in found.values() for pk in sums.missing]
    finals = finals_of(list(Event.objects.with_context().filter(pk__in=missing))) if missing else {}
    for sums in found.values():
        played = [pk for pk in sums.missing if finals[pk].rounds]
        sums.months += len(played)
        for pk, line in ((one, line) for one in played for line in finals[one].lines):
            taken = MonthRecord(line.entrant.player_id, line.battle_points, line.fleet_points)
            sums.names[taken.player] = line.entrant.player.name
            (sums.shown[pk] if pk in shown or pk in sums.dates else sums.others).append(taken)
        if played:
            sums.others = list(sums_of(sums.others))
