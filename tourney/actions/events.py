"""Campaigns and events: make, change, finish, re-open."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, time
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import translation

from scoring.domain.pack import MonthPack as Rules
from scoring.domain.pack_sheet import SheetBonus
from scoring.domain.season import PLAIN, SeasonRules
from scoring.models import MonthPack
from tourney.actions import rounds, tokens
from tourney.actions.packs import FROM_SHEET, keep_bonuses
from tourney.actions.places import moving_up
from tourney.actions.record import (
    Actor,
    Refused,
    bump_version_and_notify,
    locked,
    locked_with_campaign,
    notify_screens,
    record,
    record_at_store,
    refuse_if_done_since,
    refuse_if_finished,
)
from tourney.actions.stores import free_slug
from tourney.domain import progress
from tourney.domain.verbs import DRAWN, SCORED, Verb
from tourney.models import (
    Campaign,
    Event,
    EventTemplate,
    FleetsRecorded,
    FleetsShown,
    FleetStep,
    Joining,
    JudgeCall,
    PlayerReport,
    ReportedBy,
    Store,
)
from tourney.queries.packs import may_type_bonuses
from tourney.queries.shared import state_under_lock
from tourney.queries.state import EventState, state_of
from tourney.runtime import locales
from tourney.runtime.json_shapes import instant
from tourney.runtime.messages import Message, in_a_row, message, nmessage


@transaction.atomic
def make_campaign(store: Store, *, storyline: str, by: Actor, rules: SeasonRules = PLAIN) -> Campaign:
    """Create a campaign at the store, with a free slug and an entry of the journal."""
    slug = free_slug(store.campaigns.all(), storyline, among=str(store.pk))
    campaign = Campaign.objects.create(store=store, storyline=storyline, slug=slug, **asdict(rules))
    record_at_store(store, by=by, did=Verb.MAKE_CAMPAIGN, what=message("Campaign “{name}” created.", name=storyline))
    return campaign


HABITS = (
    *("fleets_shown", "fleets_must_be_legal", "fleets_recorded", "reported_by", "accept_after"),
    *("description", "address", "ends", "entry_fee", "bring", "break_minutes", "shop_link"),
    *("places", "checks_in_by_phone"),
)
"""The settings that a store keeps from month to month."""


@transaction.atomic
def make_event(
    campaign: Campaign,
    rules: Rules,
    *,
    starts_at: datetime,
    by: Actor,
    sp_limit: int | None = None,
    slug: str = "",
    bonuses: Sequence[SheetBonus] | None = None,
    like: Event | None = None,
) -> Event:
    """An event of one month pack. `sp_limit` is asked for where the pack leaves it open (rule 2.2). Raises Refused.

    `bonuses` are those of the kit's sheet, where the pack lacks them and somebody typed them. `like` is the event whose
    settings are copied, as far as they are the store's habits and not the month's; without one they are those of the
    store's template.
    """
    limit = rules.sp_limit or sp_limit
    if limit is None:
        raise Refused(message("The month pack has no SP limit. Enter the one from the printed overview."))
    if bonuses is not None:
        list(campaign.events.select_for_update().order_by("pk").values_list("pk"))  # before the store
        rules = keep_bonuses(campaign.store, rules, bonuses, by=by)
    with translation.override(locales.language_at(campaign.store.locale)):
        name = rules.name or str(rules.heading)  # from now on it is what the organizer calls the event
    event = Event(
        campaign=campaign,
        slug=free_slug(Event.objects.all(), slug or f"{rules.slug} {starts_at:%Y-%m}", before="/e/"),
        name=name,
        pack=MonthPack.objects.keep(rules),
        sp_limit=limit,
        rounds_planned=rules.rounds,
        minutes=rules.minutes,
        starts_at=starts_at,
    )
    last = Event.objects.filter(campaign__store=campaign.store).order_by("starts_at", "pk").last()
    if last:
        event.tables, event.other_tables = last.tables, last.other_tables  # the room is the same
    if like:
        _copy_habits(like, event)
    else:
        _begin_with(campaign.store.template, event)
    event.save()
    after = {"pack": rules.slug, "pack_version": rules.version, "sp_limit": limit}
    record(event, by=by, did=Verb.MAKE_EVENT, what=message("Event “{name}” created.", name=event.name), after=after)
    notify_campaign_events(event)
    return event


def _copy_habits(like: Event, event: Event) -> None:
    """Rounds and minutes are the month's, unless somebody chose others last time."""
    printed = like.pack.rules
    for habit in HABITS:
        setattr(event, habit, getattr(like, habit))
    event.sign_up_closes_at = closing_before(like, event.starts_at)
    if like.rounds_planned != printed.rounds:
        event.rounds_planned = like.rounds_planned
    if like.minutes != printed.minutes:
        event.minutes = like.minutes


def _begin_with(template: EventTemplate, event: Event) -> None:
    for habit in HABITS:
        value, most = getattr(template, habit), getattr(Event._meta.get_field(habit), "max_length", None)
        setattr(event, habit, value[:most] if isinstance(value, str) else value)  # a mark may be longer than a name
    if template.tables:
        event.tables, event.other_tables = template.row["tables"], template.other_tables


@dataclass(frozen=True, slots=True)
class Settings:
    """What the organizer may change of an event."""

    name: str
    starts_at: datetime
    sp_limit: int
    rounds_planned: int
    minutes: int
    registration_open: bool
    fleets_shown: str = FleetsShown.OPPONENT
    fleets_must_be_legal: bool = False
    fleets_recorded: str = FleetsRecorded.ASKED
    reported_by: str = ReportedBy.PLAYERS
    accept_after: int = 5
    description: str = ""
    address: str = ""
    ends: time | None = None
    entry_fee: str = ""
    bring: str = ""
    break_minutes: int | None = None
    shop_link: str = ""
    places: int | None = None
    sign_up_closes_at: datetime | None = None
    checks_in_by_phone: bool = False


SETTINGS = {
    "name": message("name"),
    "starts_at": message("start"),
    "sp_limit": message("SP limit"),
    "rounds_planned": message("rounds"),
    "minutes": message("minutes"),
    "registration_open": message("registration"),
    "fleets_shown": message("who sees fleets"),
    "fleets_must_be_legal": message("legal fleets at check-in"),
    "fleets_recorded": message("recorded and signed fleets"),
    "reported_by": message("who reports results"),
    "accept_after": message("minutes until “Save all results” includes an unconfirmed report"),
    "description": message("description"),
    "address": message("address"),
    "ends": message("end"),
    "entry_fee": message("entry fee"),
    "bring": message("what to bring"),
    "break_minutes": message("breaks"),
    "shop_link": message("shop link"),
    "places": message("places"),
    "sign_up_closes_at": message("end of sign-up"),
    "checks_in_by_phone": message("check-in by phone"),
}
"""What the journal calls each setting."""


@transaction.atomic
def change_event(event: Event, settings: Settings, *, by: Actor) -> None:
    """Change an event's settings. The SP limit stays once a result is in, or reported; so do rounds that are drawn.

    Raises Refused.
    """
    event = locked_with_campaign(event)
    state = state_of(event)
    refuse_if_finished(event)
    if settings.rounds_planned < len(state.rounds):
        raise Refused(
            message("Round {round} is already paired. Plan at least that many rounds.", round=len(state.rounds))
        )
    if settings.sp_limit != event.sp_limit and _has_results(state):
        raise Refused(
            message("Results are already in, and another SP limit would change their Fleet Points. Keep the SP limit.")
        )
    before = _settings(event)
    refuse_if_done_since(event, by, Verb.CHANGE_EVENT, Verb.OPEN_REGISTRATION)
    with moving_up(event, by=by):
        event.moved_from = moved_from(event, settings.starts_at)
        for name in Settings.__slots__:
            setattr(event, name, getattr(settings, name))
        event.save()
        after = _settings(event)
        different = [name for name in after if before[name] != after[name]]
        if not different:
            return
        what = message("Settings changed: {settings}.", settings=[SETTINGS[name] for name in different])
        was, now = ({name: facts[name] for name in different} for facts in (before, after))
        record(event, by=by, did=Verb.CHANGE_EVENT, what=what, before=was, after=now)
    notify_campaign_events(event)


def moved_from(event: Event, starts_at: datetime) -> datetime | None:
    """The date that the event's players still know, once it starts then; None where nobody knows another."""
    known = event.moved_from or (event.starts_at if event.entrants.exists() else None)
    return known if known != starts_at else None


@transaction.atomic
def type_bonuses(event: Event, lines: Sequence[SheetBonus], *, by: Actor) -> None:
    """The month's bonuses as its kit's sheet prints them, for this event and the store's next one of that month.

    They stay once a result is in, or reported. Raises Refused.
    """
    event = locked(event)
    refuse_if_finished(event)
    refuse_if_done_since(event, by, Verb.TYPE_BONUSES)
    if not may_type_bonuses(event):
        raise Refused(message("This month’s bonuses are already in its pack."))
    if _has_results(state_of(event)):
        raise Refused(
            message("Results are already in, and other bonuses would change their Fleet Points. Keep the bonuses.")
        )
    before, pack = pack_facts(event), MonthPack.objects.keep(keep_bonuses(event.store, event.pack.rules, lines, by=by))
    if event.pack != pack:
        event.pack = pack
        event.save(update_fields=["pack"])
        record(event, by=by, did=Verb.TYPE_BONUSES, what=FROM_SHEET, before=before, after=pack_facts(event))


@transaction.atomic
def dismiss_bonuses(event: Event, *, by: Actor) -> None:
    """The desk no longer reminds of the bonuses that the event's pack lacks."""
    event = locked(event)
    refuse_if_finished(event)
    if not event.journal.filter(did=Verb.DISMISS_BONUSES).exists():
        what = message("Reminder dismissed: the bonuses are not in the month pack.")
        record(event, by=by, did=Verb.DISMISS_BONUSES, what=what)


def pack_facts(event: Event) -> dict[str, object]:
    """The event's month pack, as the journal keeps it."""
    return {"pack": event.pack.slug, "pack_version": event.pack.version}


def _has_results(state: EventState) -> bool:
    entered = any(match.result for round in state.rounds for match in round.matches)
    return entered or PlayerReport.objects.filter(seat__round__event=state.event).exists()


@transaction.atomic
def open_registration(event: Event, is_open: bool, *, by: Actor) -> None:
    """Open or close the public page where players register themselves."""
    event = locked(event)
    refuse_if_finished(event)
    if event.registration_open != is_open:
        event.registration_open = is_open
        event.save()
        what = message("Registration opened to players.") if is_open else message("Registration closed to players.")
        before, after = ({"registration_open": value} for value in (not is_open, is_open))
        record(event, by=by, did=Verb.OPEN_REGISTRATION, what=what, before=before, after=after)


@transaction.atomic
def finish_event(event: Event, *, by: Actor, reason: str = "", instead_of: int | None = None) -> None:
    """Rule 5: the ranks are final and the event is closed. Before the last planned round a reason is asked.

    An unspent token is lost (rule 6.3), and who should have had the next month's is looked at again (rule 6.4).
    `instead_of` is a drafted round that is not to be played: its draft is discarded in the same step (rule 3.7).
    Raises Refused.
    """
    event = locked_with_campaign(event)
    parts = by.for_parts()
    if instead_of is not None:
        refuse_if_done_since(event, by, *DRAWN)
        rounds.discard_draft(event, instead_of, by=parts, stop=True)
    state = state_under_lock(event) if instead_of is None else state_of(event)
    played = _last_round(state, reason)
    refuse_if_done_since(event, by, *SCORED, Verb.CLOSE_ROUND)
    before = _end(event)
    event.finished_at = by.at
    event.registration_open = False
    event.join_word = ""
    event.save()
    Joining.objects.filter(event=event).delete()
    JudgeCall.objects.filter(entrant__event=event).delete()
    FleetStep.objects.filter(fleet__entrant__event=event).delete()  # its fleets are locked for good
    admiral = state.standings(played)[0]
    after = _end(event) | {"ranks": [[line.rank, line.id] for line in state.standings(played)]}
    what = in_a_row([*(parts.parts or ()), _finished(state.names[admiral.id], admiral.title)])
    did = Verb.FINISH_EVENT if instead_of is None else Verb.STOP_EVENT
    record(event, by=by, did=did, what=what, before=before, after=after, reason=reason, state=state)
    tokens.lose(event, state, by=by)
    tokens.correct_months_after(event, by=by)
    notify_screens(event)


def _last_round(state: EventState, reason: str) -> int:
    """The number of the round after which the event may end. Raises Refused."""
    if reasons := progress.why_not_finish(state.facts):
        raise Refused(*reasons)
    played = state.rounds[-1].number
    if state.ties(played):
        raise Refused(message("Players are tied. Roll off every tie, then finish the event (rule 4.4)."))
    if state.faction_tie(played):
        raise Refused(message("Factions are tied for victory. Roll off between their best players first (rule 5.3)."))
    if played < state.event.rounds_planned and not reason:
        raise Refused(
            nmessage(
                "Only {count} of {planned} rounds has been played. Say why the event ends here, then finish it.",
                "Only {count} of {planned} rounds have been played. Say why the event ends here, then finish it.",
                played,
                planned=state.event.rounds_planned,
            )
        )
    return played


@transaction.atomic
def reopen_event(event: Event, *, by: Actor, reason: str) -> None:
    """A finished event is opened again, with a reason. Raises Refused."""
    event = locked_with_campaign(event)
    if reasons := progress.why_not_reopen(event.is_finished):
        raise Refused(*reasons)
    if not reason:
        raise Refused(message("Give a reason to reopen the event."))
    before = _end(event)
    event.finished_at = None
    event.save()
    what = message("Event reopened.")
    record(event, by=by, did=Verb.REOPEN_EVENT, what=what, before=before, after=_end(event), reason=reason)
    tokens.give_again(event, by=by)
    tokens.notify_later_months(event)
    notify_screens(event)


def closing_before(event: Event, starts_at: datetime) -> datetime | None:
    """When sign-up closes if the event starts then: so much earlier or later by the store's clock."""
    if event.sign_up_closes_at is None:
        return None
    zone = ZoneInfo(event.store.time_zone)
    closes, was, then = (at.astimezone(zone) for at in (event.sign_up_closes_at, event.starts_at, starts_at))
    return closes + (then - was)


def notify_campaign_events(event: Event) -> None:
    """Pages of its campaign show which month comes before it (rule 6); those of `notify_screens` notice too."""
    for other in event.campaign.events.exclude(pk=event.pk).order_by("pk"):
        bump_version_and_notify(other)
    notify_screens(event, except_campaign=event.campaign_id)


def _end(event: Event) -> dict[str, object]:
    return {"finished_at": instant(event.finished_at), "registration_open": event.registration_open}


def _finished(admiral: str, title: str) -> Message:
    if title:
        return message("Event finished. {name} is {title}.", name=admiral, title=title)
    return message("Event finished. {name} is first.", name=admiral)


def _settings(event: Event) -> dict[str, object]:
    facts = {name: getattr(event, name) for name in Settings.__slots__}
    ends = event.ends.isoformat("minutes") if event.ends else None
    starts, closes = instant(event.starts_at), instant(event.sign_up_closes_at)
    return facts | {"starts_at": starts, "ends": ends, "sign_up_closes_at": closes}
