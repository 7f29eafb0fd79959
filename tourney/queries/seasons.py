"""The season of a campaign (rule 5.7): what each player took home from all its finished months."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from django.db import connection

from scoring.domain.season import MonthRecord, SeasonLine, season, sums_of
from tourney.models import Campaign, Event
from tourney.queries.finals import finals_of
from tourney.queries.shown_names import short_names
from tourney.runtime.kept import VersionedCache
from tourney.runtime.packed import digest


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player's season so far."""

    line: SeasonLine
    name: str


@dataclass(slots=True)
class SeasonSums:
    """What was taken home in a campaign: how many months were played, each month that is shown, the others together.

    `missing` are the finished months of which nothing is kept (yet), `names` the players' own.
    """

    months: int = 0
    missing: list[int] = field(default_factory=list)
    shown: defaultdict[int, list[MonthRecord]] = field(default_factory=lambda: defaultdict(list))
    others: list[MonthRecord] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)


SUMS = """
    WITH month AS MATERIALIZED (
        SELECT e.id, e.campaign_id, f.rounds
        FROM tourney_event e LEFT JOIN tourney_finalranking f ON f.event_id = e.id
        WHERE e.campaign_id = ANY(%(campaigns)s) AND e.finished_at IS NOT NULL
    ), taken AS MATERIALIZED (
        SELECT month.campaign_id, n.player_id, sum(l.battle_points) AS battle_points,
            sum(l.fleet_points) AS fleet_points, count(*) AS months,
            json_agg(json_build_array(month.id, l.battle_points, l.fleet_points))
                FILTER (WHERE month.id = ANY(%(shown)s)) AS shown
        FROM month JOIN tourney_finalline l ON l.event_id = month.id JOIN tourney_entrant n ON n.id = l.entrant_id
        WHERE month.rounds > 0
        GROUP BY month.campaign_id, n.player_id
    )
    SELECT campaign_id, NULL, NULL, 0, 0, count(*) FILTER (WHERE rounds > 0), json_agg(id) FILTER (WHERE rounds IS NULL)
    FROM month GROUP BY campaign_id
    UNION ALL
    SELECT taken.campaign_id, p.id, p.name, taken.battle_points, taken.fleet_points, taken.months, taken.shown
    FROM taken JOIN tourney_player p ON p.id = taken.player_id
"""


VERSIONS = f"""
    SELECT campaign_id, {digest("id", "version")} FROM tourney_event WHERE campaign_id = ANY(%s) GROUP BY campaign_id
"""


def versions_of(campaigns: Sequence[Campaign]) -> dict[int, Hashable]:
    """What is another for a campaign once anything changes that a page of one of its events shows, by its id.

    Read it before what is kept by it.
    """
    with connection.cursor() as cursor:
        cursor.execute(VERSIONS, [[campaign.pk for campaign in campaigns]])
        found: dict[int, Hashable] = dict(cursor.fetchall())
    return dict.fromkeys((campaign.pk for campaign in campaigns), 0) | found


def season_of(campaign: Campaign, shown: Sequence[int], version: Hashable) -> tuple[SeasonRow, ...]:
    """Rule 5.7 over the finished months in which a round was played, `shown` (ids) among them; one alone makes none.

    Only the months that are shown are in the lines' `by_month`. `version` is the campaign's (`versions_of`).
    """
    return seasons_of([campaign], {campaign.pk: version}, {campaign.pk: shown})[campaign.pk]


def seasons_of(
    campaigns: Sequence[Campaign],
    versions: Mapping[int, Hashable],
    shown: Mapping[int, Sequence[int]] = MappingProxyType({}),
) -> dict[int, tuple[SeasonRow, ...]]:
    """The season of each of these campaigns of one store, by its id, in a constant number of queries.

    `shown` are the ids of the finished months that are in the lines' `by_month`, by campaign. Each is kept by the
    campaign's version; names as everybody may read them are put into it anew.
    """
    asked = {(campaign.pk, tuple(shown.get(campaign.pk, ()))): versions[campaign.pk] for campaign in campaigns}
    found = {pk: rows for (pk, _), rows in SEASONS.get_many(asked, _seasons).items()}
    short = short_names(campaigns[0].store) if campaigns else {}
    if not short:
        return found
    return {
        pk: tuple(replace(row, name=short.get(row.line.player, row.name)) for row in rows) for pk, rows in found.items()
    }


SEASONS: VersionedCache[tuple[SeasonRow, ...]] = VersionedCache(256)
"""By the id of the campaign and the months that are shown."""


def _seasons(asked: Sequence[tuple[int, tuple[int, ...]]]) -> dict[tuple[int, tuple[int, ...]], tuple[SeasonRow, ...]]:
    """With the players' own names."""
    sums = _sums([campaign for campaign, _ in asked], [pk for _, shown in asked for pk in shown])
    return {
        (campaign, shown): tuple(
            SeasonRow(line, sums[campaign].names[line.player]) for line in _season(sums[campaign], shown)
        )
        for campaign, shown in asked
    }


def _season(sums: SeasonSums, shown: Sequence[int]) -> tuple[SeasonLine, ...]:
    return season([sums.shown[pk] for pk in shown], sums.others) if sums.months > 1 else ()


def _sums(campaigns: Sequence[int], shown: Sequence[int]) -> defaultdict[int, SeasonSums]:
    """By the campaign's id."""
    with connection.cursor() as cursor:
        cursor.execute(SUMS, {"campaigns": list(campaigns), "shown": list(shown)})
        rows = cursor.fetchall()
    found: defaultdict[int, SeasonSums] = defaultdict(SeasonSums)
    for campaign, player, name, battle_points, fleet_points, months, more in rows:
        sums = found[campaign]
        if player is None:
            sums.months, sums.missing = months, more or []
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
            (sums.shown[pk] if pk in shown else sums.others).append(taken)
        if played:
            sums.others = list(sums_of(sums.others))
