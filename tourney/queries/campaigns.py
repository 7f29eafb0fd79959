"""The months of a store: what stands where tonight, what comes next, who won."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.paginator import Page, Paginator
from django.db import connection
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q

from scoring.domain.pack import MonthPack as Rules
from scoring.domain.season import PLAIN, SeasonRules
from scoring.domain.season_words import rules_said
from scoring.models import MonthPack
from scoring.shipped import shipped_packs
from tourney.models import Campaign, Entrant, Round, Store
from tourney.queries.months import (
    CampaignMonth,
    computed_outcomes,
    days_from,
    listed,
    month_of,
    outcomes_of,
    state_at,
)
from tourney.queries.seasons import SeasonRow, season_of, versions_of
from tourney.runtime.kept import VersionedCache, memory
from tourney.runtime.messages import Message, message

PAST_RESULTS = 6
MONTHS_OF_A_PAGE = 12
LATELY = timedelta(days=2)
"""Whoever began longer ago does not play today, in whatever time zone."""


@dataclass(frozen=True, slots=True)
class CampaignOverview:
    """A campaign: the months of one page, first to last, and the season over all finished ones, best first.

    Page 1 has the last months. `people` is how many have taken part, `rules` what the store set for the season.
    """

    months: tuple[CampaignMonth, ...]
    rules: SeasonRules
    season: tuple[SeasonRow, ...]
    people: int
    page: Page[int]

    @property
    def played(self) -> tuple[CampaignMonth, ...]:
        """The months that count for the season, in the order of its lines' `by_month`."""
        return tuple(month for month in self.months if month.outcome)

    @property
    def count(self) -> int:
        """The number of months on all pages."""
        return self.page.paginator.count

    @property
    def leaders(self) -> tuple[SeasonRow, ...]:
        """Rule 5.7: the Fleet Admiral, or those who share the first place."""
        return tuple(row for row in self.season if row.line.rank == 1)

    @property
    def rules_said(self) -> tuple[Message, ...]:
        """Rule 5.8 in sentences; none where the store set nothing."""
        return () if self.rules == PLAIN else rules_said(self.rules)

    @property
    def picks(self) -> tuple[SeasonRow, ...]:
        """Who picks a grand prize, in turn."""
        picking = [(row.line.pick, place, row) for place, row in enumerate(self.season) if row.line.pick is not None]
        return tuple(row for *_, row in sorted(picking, key=lambda one: one[:2]))


@dataclass(frozen=True, slots=True)
class Home:
    """What the home page of a store shows.

    `months` are the last of the current campaign, first to last, `past` those of the others, the last one first.
    """

    tonight: tuple[CampaignMonth, ...]
    next: CampaignMonth | None
    campaign: Campaign | None
    months: tuple[CampaignMonth, ...]
    past: tuple[CampaignMonth, ...]
    others: tuple[Campaign, ...]
    archived: tuple[Campaign, ...]

    @property
    def on(self) -> tuple[CampaignMonth, ...]:
        """What of today is still to be played, or being played."""
        return tuple(month for month in self.tonight if month.state != "finished")

    @property
    def ended(self) -> tuple[CampaignMonth, ...]:
        """What of today is over: something else may come first."""
        return tuple(month for month in self.tonight if month.state == "finished")


CHOSEN = """
    SELECT (
        SELECT json_agg(json_build_array(c.id, c.slug, c.storyline,
            (SELECT count(*) FROM tourney_event e WHERE e.campaign_id = c.id AND e.deleted_at IS NULL), c.archived_at)
            ORDER BY c.archived_at IS NOT NULL, c.id DESC)
        FROM tourney_campaign c WHERE c.store_id = %(store)s
    ), (
        SELECT json_agg(json_build_array(e.id, e.campaign_id, e.starts_at, e.finished_at IS NOT NULL,
            EXISTS (SELECT FROM tourney_round r WHERE r.event_id = e.id AND r.state <> %(draft)s))
            ORDER BY e.starts_at, e.id)
        FROM tourney_event e JOIN tourney_campaign c ON c.id = e.campaign_id
        WHERE c.store_id = %(store)s AND (e.finished_at IS NULL OR e.starts_at > %(lately)s)
        AND e.canceled_at IS NULL AND e.deleted_at IS NULL
    ), (
        SELECT e.campaign_id FROM tourney_event e JOIN tourney_campaign c ON c.id = e.campaign_id
        WHERE c.store_id = %(store)s AND c.archived_at IS NULL AND e.deleted_at IS NULL
        ORDER BY e.starts_at DESC, e.id DESC LIMIT 1
    )
"""
"""Of a store: its campaigns, the newest first, those in the archive last; what is not finished or began lately;
the campaign of its last event."""

SHOWN = """
    SELECT ARRAY(
        SELECT e.id FROM tourney_event e WHERE e.campaign_id = %(current)s AND e.deleted_at IS NULL
        ORDER BY e.starts_at DESC, e.id DESC LIMIT %(own)s
    ), ARRAY(
        SELECT e.id FROM tourney_event e
        WHERE e.campaign_id = ANY(%(others)s) AND e.finished_at IS NOT NULL AND e.id <> ALL(%(tonight)s)
        ORDER BY e.starts_at DESC, e.id DESC LIMIT %(past)s
    )
"""


def home_of(store: Store, now: datetime) -> Home:
    """Tonight, the current campaign, and the last results of the others, in a constant number of queries."""
    with connection.cursor() as cursor:
        cursor.execute(CHOSEN, {"store": store.pk, "draft": Round.State.DRAFT, "lately": now - LATELY})
        found, lately, last = cursor.fetchone()
    campaigns = {pk: _campaign(store, pk, *facts) for pk, *facts in found or ()}
    on, planned = _on_and_planned(lately or (), now)
    first = next((of for _, of in (*on, *planned)), last)
    in_use = (campaign for campaign in campaigns.values() if campaign.archived_at is None)
    current = campaigns.get(first) or next(in_use, None)
    tonight, coming = [pk for pk, _ in on], [pk for pk, _ in planned[:1]]
    others = tuple(campaign for campaign in campaigns.values() if campaign != current)
    own, past = _shown(current, others, tonight)
    events = listed(store, [*{*tonight, *coming, *own, *past}], campaigns.values())
    outcomes = outcomes_of(events)
    months = {one.event.pk: month_of(one, now, outcomes) for one in events}
    return Home(
        tonight=_in_order(months, tonight),
        next=next(iter(_in_order(months, coming)), None),
        campaign=current,
        months=_in_order(months, reversed(own)),
        past=_in_order(months, past),
        others=tuple(campaign for campaign in others if campaign.archived_at is None),
        archived=tuple(campaign for campaign in others if campaign.archived_at),
    )


def _on_and_planned(
    lately: Iterable[Sequence[Any]], now: datetime
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The events of today or in play, and those still to come: of each its id and its campaign's."""
    on, planned = [], []
    for pk, of, starts_at, *progress in lately:
        at = datetime.fromisoformat(starts_at)
        state = state_at(now, at, *progress)
        if state == "playing" or days_from(at, now) == 0:
            on.append((pk, of))
        elif state == "planned":
            planned.append((pk, of))
    return on, planned


def _campaign(store: Store, pk: int, slug: str, storyline: str, months: int, archived_at: str | None) -> Campaign:
    at = datetime.fromisoformat(archived_at) if archived_at else None
    campaign = Campaign(pk=pk, store=store, slug=slug, storyline=storyline, archived_at=at)
    campaign.months = months
    return campaign


def _shown(current: Campaign | None, others: Iterable[Campaign], tonight: Sequence[int]) -> tuple[list[int], list[int]]:
    """The ids of the last events of the current campaign, and of the last that are finished of others but tonight's;
    of each the last one first."""
    if current is None and not others:
        return [], []
    asked: dict[str, int | list[int]] = {
        "current": current.pk if current else 0,
        "others": [campaign.pk for campaign in others],
        "tonight": list(tonight),
        "own": MONTHS_OF_A_PAGE,
        "past": PAST_RESULTS,
    }
    with connection.cursor() as cursor:
        cursor.execute(SHOWN, asked)
        own, past = cursor.fetchone()
    return own, past


def _in_order(months: Mapping[int, CampaignMonth], events: Iterable[int]) -> tuple[CampaignMonth, ...]:
    """The months of these ids in this order; one that is gone by now is left out."""
    return tuple(months[pk] for pk in events if pk in months)


def overview_of(campaign: Campaign, now: datetime, page: str | int | None = 1) -> CampaignOverview:
    """The months of that page, first to last, and the season of the campaign, in a constant number of queries.

    A page that is not there is the nearest one that is.
    """
    version = versions_of([campaign])[campaign.pk]
    all_months = list(campaign.events.order_by("-starts_at", "-pk").values_list("pk", flat=True))
    shown = Paginator(all_months, MONTHS_OF_A_PAGE).get_page(page)
    events = listed(campaign.store, list(shown), [campaign])
    ended = outcomes_of(events)
    playing = [one.event.pk for one in events if one.last_round and not one.event.is_finished]
    outcomes = ended | computed_outcomes(playing)
    return CampaignOverview(
        months=tuple(month_of(one, now, outcomes) for one in events),
        rules=campaign.season_rules,
        season=season_of(campaign, [one.event.pk for one in events if one.event.pk in ended], version),
        people=PEOPLE.get(campaign.pk, version.events, lambda _: _people(campaign)),
        page=shown,
    )


PEOPLE: VersionedCache[int] = VersionedCache(memory(0.002), lambda people: 300)
"""How many have taken part, by the id of the campaign."""


def _people(campaign: Campaign) -> int:
    return Entrant.objects.filter(event__campaign=campaign).values("player").distinct().count()


def packs_in(campaign: Campaign) -> tuple[frozenset[tuple[str, int | None]], int]:
    """The slugs and the numbers of all its months' packs, and the furthest month of the storyline that is or was
    played, -1 before the first; in two queries."""
    drawn = Exists(Round.objects.filter(event=OuterRef("pk")).exclude(state=Round.State.DRAFT))
    begun = ExpressionWrapper(Q(finished_at__isnull=False) | Q(drawn), output_field=BooleanField())
    found = set(campaign.events.filter(canceled_at=None).order_by().annotate(begun=begun).values_list("pack", "begun"))
    packs = MonthPack.objects.in_bulk({pack for pack, _ in found})
    numbers = {pk: pack.data.get("month") for pk, pack in packs.items()}
    furthest = max((numbers[pk] for pk, begun in found if begun and numbers[pk] is not None), default=-1)
    return frozenset((pack.slug, numbers[pk]) for pk, pack in packs.items()), furthest


def slugs_planned(campaign: Campaign) -> set[str]:
    """The slugs of the packs that the campaign has an event of."""
    return set(campaign.events.filter(canceled_at=None).values_list("pack__slug", flat=True))


def packs_of(storyline: str, packs: Sequence[Rules] | None = None) -> tuple[Rules, ...]:
    """Of these, or of the shipped ones, the months of that storyline, in their order.

    A campaign may add words to its storyline's name ("Dominion War 2027").
    """
    name = storyline.casefold()
    found = (pack for pack in packs or shipped_packs() if pack.storyline.casefold() in name)
    return tuple(sorted(found, key=lambda pack: pack.month or 0))


def by_storyline(packs: Iterable[Rules]) -> list[tuple[str | Message, list[Rules]]]:
    """Packs under the name of their storyline; storylines of a single month together, last."""
    grouped = defaultdict(list)
    for pack in packs:
        grouped[pack.storyline].append(pack)
    several: list[tuple[str | Message, list[Rules]]] = [
        (name, months) for name, months in grouped.items() if len(months) > 1
    ]
    single = [months[0] for months in grouped.values() if len(months) == 1]
    return [*several, (message("Single months"), single)] if single else several


def storylines(packs: Iterable[Rules]) -> tuple[str, ...]:
    """The storylines of these packs, each once, in their order."""
    return tuple(dict.fromkeys(pack.storyline for pack in packs))
