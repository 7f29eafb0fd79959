"""The steps from a new store to its first finished event, which tick themselves from what there is."""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.urls import reverse

from tourney.models import Round, Store
from tourney.queries.campaigns import LATELY, Home
from tourney.queries.guide import address_of
from tourney.runtime.messages import Message, message


@dataclass(frozen=True, slots=True)
class Step:
    """A step: whether it is done, where that is ("" where nothing leads there yet), and what the guide says of it."""

    title: Message
    is_done: bool
    address: str
    help: str
    is_optional: bool = False


FACTS = """
    SELECT
        (SELECT count(*) > 1 FROM tourney_membership m WHERE m.store_id = %(store)s)
            OR EXISTS (SELECT FROM tourney_invitation i WHERE i.store_id = %(store)s),
        e.slug,
        EXISTS (SELECT FROM tourney_rehearsal r WHERE r.event_id = e.id),
        (SELECT count(*) FROM (SELECT FROM tourney_entrant p WHERE p.event_id = e.id LIMIT 2) two),
        (SELECT count(*) FROM (
            SELECT FROM tourney_entrant p WHERE p.event_id = e.id AND p.checked_in LIMIT 2
        ) two),
        (SELECT r.state FROM tourney_round r WHERE r.event_id = e.id AND r.number = 1)
    FROM (SELECT) one LEFT JOIN LATERAL (
        SELECT e.id, e.slug FROM tourney_event e JOIN tourney_campaign c ON c.id = e.campaign_id
        WHERE c.store_id = %(store)s AND e.canceled_at IS NULL AND e.deleted_at IS NULL
        ORDER BY
            EXISTS (SELECT FROM tourney_round r WHERE r.event_id = e.id) DESC, e.starts_at < %(lately)s, e.starts_at
        LIMIT 1
    ) e ON true
    WHERE NOT EXISTS (
        SELECT FROM tourney_event e JOIN tourney_campaign c ON c.id = e.campaign_id
        WHERE c.store_id = %(store)s AND e.finished_at IS NOT NULL
    )
"""
"""Of a store without a finished event: whether there are helpers, and how far the event has come that is on or comes
next; no row of any other store."""


def steps_to_first_event(store: Store, home: Home, now: datetime) -> tuple[Step, ...]:
    """The steps of a store that has not finished an event; none for any other, nor where they are hidden.

    A store that has is seen by what its home shows, so that only a new one costs a query.
    """
    shown = (*home.tonight, *home.months, *home.past)
    if store.first_event_hidden or store.rehearsal_id or any(month.outcome for month in shown):
        return ()
    with connection.cursor() as cursor:
        cursor.execute(FACTS, {"store": store.pk, "lately": now - LATELY})
        found = cursor.fetchone()
    if found is None:
        return ()
    has_staff, event, rehearsed, joined, here, round_1 = found
    campaign = home.campaign.slug if home.campaign else ""

    def at(name: str) -> str:
        return reverse(name, args=[event]) if event else ""

    return (
        _step(message("Set up your store"), True, reverse("store_settings", args=[store.slug]), "set-up"),
        Step(
            message("Invite someone to help"),
            has_staff,
            reverse("staff", args=[store.slug]),
            address_of("owner", "staff"),
            is_optional=True,
        ),
        _step(message("Create a campaign"), bool(campaign), reverse("new_campaign", args=[store.slug]), "campaign"),
        _step(
            message("Schedule an event"),
            bool(event),
            reverse("new_event", args=[store.slug, campaign]) if campaign else "",
            "campaign",
        ),
        Step(
            message("Rehearse event"),
            bool(rehearsed),
            at("rehearsal"),
            address_of("first-night", "rehearse"),
            is_optional=True,
        ),
        _step(message("Print or show the QR code so that players can join"), joined > 1, at("qr"), "players-join"),
        _step(message("Check in the players"), here > 1, at("players"), "players-join"),
        _step(message("Pair and publish round 1"), round_1 not in (None, Round.State.DRAFT), at("desk"), "round-1"),
        _step(message("Enter all results and close round 1"), round_1 == Round.State.CLOSED, at("desk"), "results"),
        _step(message("Play the other rounds and finish the event"), False, at("desk"), "podium"),
    )


def _step(title: Message, is_done: bool, address: str, anchor: str) -> Step:
    return Step(title, is_done, address, address_of("first-night", anchor))
