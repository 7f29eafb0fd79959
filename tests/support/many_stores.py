"""A year of many stores in about a minute: a few are played by the actions, the others are their rows once more.

world = make_first_store(Random(1))
add_other_stores(200, Random(1))
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from random import Random

from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection, models, transaction

from scoring.domain.commendation import LedgerKind
from scoring.models import MonthPack
from scoring.shipped import shipped_packs
from tests.attack.world import World, make_world
from tests.support.built_fleets import bring_all
from tests.support.copied import WITHOUT_TRIGGERS, forget_kept, triggers_off
from tests.support.nights import AT, BY, make_night, make_store, now
from tests.support.years import A_MONTH, STEP
from tourney.actions import events, packed_history, rehearsal, simulation
from tourney.actions.accounts import NO_ADDRESS
from tourney.models import (
    Attempt,
    CardSteps,
    ChainOrigin,
    DeletedStore,
    Delivery,
    Entrant,
    Event,
    Fleet,
    FleetStep,
    HouseRuling,
    IdempotencyKey,
    Joining,
    JudgeCall,
    OwnPack,
    Pace,
    PackVersion,
    Penalty,
    Player,
    PlayerCard,
    PlayerMerge,
    PushSubscription,
    RetiredAddress,
    Seat,
    SheetCheck,
    SignInAttempt,
    SignInOutcome,
    Store,
    StoreLogo,
    StoreRequest,
    TalonClass,
    TokenLine,
    Webhook,
    Wish,
)
from tourney.sharing.domain.webhooks import News

PLAYED = 4
"""Stores whose events are played; one is that of the world."""
MONTHS, PLAYERS = 12, (8, 40)
SIGN_INS, STEPS, OF_EACH = 120, 4, 8
"""A store's sign-ins in a year; steps in which a fleet was built; rulings, classes, packs and merges of a store."""


def make_first_store(random: Random, *, months: int = MONTHS, players: tuple[int, int] = PLAYERS) -> World:
    """The world of the attacks, whose store has had a finished event each month before; `a month ago` is the last.

    In three more a round is in play, has all its results, and all rounds are over; one is rehearsed.
    """
    world = make_world()
    world.events |= {
        "at the tables": make_night(players=8, open_round=True, store=world.store).event,
        "round over": make_night(players=8, rounds=1, open_round=True, tables=4, store=world.store).event,
        "all over": make_night(players=8, rounds=3, store=world.store).event,
        "a month ago": play_year(world.store, months, players, random),
    }
    by = replace(now(), user=world.users["owner"], name=world.users["owner"].username)
    plan = rehearsal.RehearsalPlan(made_up=4, pace=Pace.STEP)
    world.events["rehearsed"] = rehearsal.begin(world.events["before"], plan, by=by, seed=1)
    add_what_stands_beside(world.store, random)
    add_what_not_all_have(world.store)
    return world


def add_other_stores(
    stores: int, random: Random, *, played: int = PLAYED, months: int = MONTHS, players: tuple[int, int] = PLAYERS
) -> None:
    """Others, so that there are about so many, with keys before and behind those of the first."""
    for number in range(2, played + 1):
        store, _ = make_store(f"Outpost {number}")
        play_year(store, months, players, random)
        add_what_stands_beside(store, random)
        add_what_not_all_have(store)
    copies = stores // played - 1
    copy_stores([number for number in range(-copies // 2, copies - copies // 2 + 1) if number])
    forget_kept()


def play_year(store: Store, months: int, players: tuple[int, int], random: Random) -> Event:
    """So many events in two campaigns, the last one four weeks ago, which is returned; every other one has fleets."""
    packs = random.sample(shipped_packs(), months)
    campaigns = [events.make_campaign(store, storyline=name, by=BY) for name in ("First half", "Second half")]
    for number, pack in enumerate(packs):
        starts_at = AT - (months - number) * A_MONTH
        by = replace(BY, at=starts_at)
        campaign = campaigns[number * len(campaigns) // months]
        event = events.make_event(campaign, pack, starts_at=starts_at, sp_limit=100, by=by)
        night = simulation.Night(random.randint(*players), late=random.randrange(3), drop_rate=0.05)
        if number % 2:
            by = simulation.arrive(event, night.players // 2, random=random, by=by)
            bring_all(event)
            night = replace(night, players=night.players - night.players // 2)
        simulation.play_event(event, night, random=random, by=by)
    return event


def add_what_stands_beside(store: Store, random: Random) -> None:
    """What phones, signatures, tokens and sign-ins leave besides, in as many rows as a year would have."""
    entrants = Entrant.objects.filter(event__campaign__store=store)
    cards = (
        PlayerCard(player=one, key_hash=digest("card", one.pk), issued_at=AT)
        for one in Player.objects.filter(store=store, card=None)
    )
    PlayerCard.objects.bulk_create(cards)
    keys = (IdempotencyKey(entrant=one, key=digest("key", one.pk, k), at=AT) for one in entrants for k in range(3))
    IdempotencyKey.objects.bulk_create(keys)
    seats = Seat.objects.filter(entrant__in=entrants, sheet__isnull=False, check_of_opponent=None)
    SheetCheck.objects.bulk_create(SheetCheck(seat=one, state="signed", by_name="a player", at=AT) for one in seats)
    steps = (
        FleetStep(fleet=one, number=number, did="Card added.", before=one.data)
        for one in Fleet.objects.filter(player__store=store, steps=None)
        for number in range(1, STEPS + 1)
    )
    FleetStep.objects.bulk_create(steps)
    granted = (
        TokenLine(event=one.event, number=1, kind=LedgerKind.GRANTED, entrant=one, by_name="owner", at=AT)
        for one in entrants.filter(number=1, event__finished_at__isnull=False)
    )
    TokenLine.objects.bulk_create(granted)
    joinings = (
        Joining(event=one.event, entrant=one, at=AT, network="x" * 32, device="x" * 32, key_hash=digest("join", one.pk))
        for one in entrants.filter(event__finished_at=None)
    )
    Joining.objects.bulk_create(joinings)
    seats = Seat.objects.filter(entrant__in=entrants, entrant__number=3, round__event__finished_at__isnull=False)
    Wish.objects.bulk_create(Wish(seat=one, kind=Wish.Kind.DROP, at=AT, answer=Wish.Answer.DECLINED) for one in seats)
    penalties = (
        Penalty(round=one.round, entrant=one.entrant, battle_points=-1, reason="late", given_by="owner", given_at=AT)
        for one in seats.filter(round__number=1)
    )
    Penalty.objects.bulk_create(penalties)
    add_what_is_the_stores_own(store)
    add_sign_ins(store, random)


def add_what_not_all_have(store: Store) -> None:
    """Calls for a judge, webhooks, logos, notifications, packed nights, and what stores that came or went leave."""
    players = Entrant.objects.filter(event__campaign__store=store, event__finished_at=None).order_by("pk")
    calls = (JudgeCall(entrant=one, about=JudgeCall.About.RULES, at=AT) for one in players.filter(judge_call=None))
    JudgeCall.objects.bulk_create(calls)
    told = {"address": "https://chat.example/hook", "format": "json", "kinds": [], "secret": "x", "site": "https://x"}
    webhook, _ = Webhook.objects.get_or_create(store=store, defaults=told)
    made = (Delivery(webhook=webhook, kind=News.CLOSED, made_at=AT, tried_at=AT) for _ in range(OF_EACH))
    Delivery.objects.bulk_create(made)
    StoreLogo.objects.get_or_create(store=store, defaults={"kind": "png", "content": b"x" * 5_000})
    cards = list(PlayerCard.objects.filter(player__store=store).order_by("pk")[:OF_EACH])
    CardSteps.objects.bulk_create(CardSteps(player=one.player, since=AT, done=1) for one in cards)
    PushSubscription.objects.bulk_create(
        PushSubscription(endpoint=f"https://push.example/{one.pk}", kinds=[], site="https://x", asked_at=AT, card=one)
        for one in cards
    )
    numbers = range(STEP // 2 + store.pk * OF_EACH, STEP // 2 + (store.pk + 1) * OF_EACH)
    with transaction.atomic(), triggers_off():  # which let no store come or go without its rows
        ChainOrigin.objects.create(store=store, until=0, shift=0, packs={})
        gone = DeletedStore.objects.create(number=numbers[0], deleted_at=AT, by_name="owner", entries=9)
        RetiredAddress.objects.bulk_create(
            RetiredAddress(path=f"/e/gone-{one}/", event=one, store=gone) for one in numbers
        )
    for _ in packed_history.pack_cold(AT - A_MONTH * MONTHS // 2):
        pass


def add_what_is_the_stores_own(store: Store) -> None:
    """Rulings, classes, packs, and players who came under two names."""
    numbers = range(11, 11 + OF_EACH)
    HouseRuling.objects.bulk_create(
        HouseRuling(store=store, number=number, topic=f"Topic {number}", text="They play on.") for number in numbers
    )
    TalonClass.objects.bulk_create(
        TalonClass(store=store, number=number, name=f"Class {number}", curves="4-1-2", saved_by="owner", saved_at=AT)
        for number in numbers
    )
    pack = MonthPack.objects.order_by("pk").first()
    own = OwnPack.objects.bulk_create(
        OwnPack(store=store, slug=f"own-{store.pk}-{number}", origin=pack) for number in numbers
    )
    PackVersion.objects.bulk_create(PackVersion(own=one, number=1, pack=pack, at=AT, by_name="owner") for one in own)
    people = store.players.not_merged().order_by("pk")[:OF_EACH]
    others = [Player(store=store, name=f"{one.name} once more", merged_into=one) for one in people]
    merges = (
        PlayerMerge(store=store, kept=one.merged_into, other=one, at=AT) for one in Player.objects.bulk_create(others)
    )
    PlayerMerge.objects.bulk_create(merges)


def add_sign_ins(store: Store, random: Random) -> None:
    users = [one.user for one in store.memberships.select_related("user")]
    times = [AT - timedelta(hours=random.randrange(24 * 365)) for _ in range(SIGN_INS)]
    SignInAttempt.objects.bulk_create(
        SignInAttempt(
            store=store,
            user=random.choice(users),
            at=at,
            outcome=random.choice(SignInOutcome.values),
            network="203.0.113.0",
            device="Firefox on Windows",
        )
        for at in times
    )
    Attempt.objects.bulk_create(Attempt(who=f"{store.slug} {number}", at=at) for number, at in enumerate(times))
    keys = {digest(store.slug, number)[:32]: at for number, at in enumerate(times)}
    Session.objects.bulk_create(
        Session(session_key=key, session_data="x" * 200, expire_date=at) for key, at in keys.items()
    )
    UserSession.objects.bulk_create(
        UserSession(session_key=key, user=random.choice(users), ip=NO_ADDRESS, last_seen_at=at)
        for key, at in keys.items()
    )


def digest(*said: object) -> str:
    return sha256(repr(said).encode()).hexdigest()


def growing_models() -> list[type[models.Model]]:
    """What gets rows with stores, their events and who comes to them."""
    ours = [*apps.get_app_config("tourney").get_models(), *apps.get_app_config("scoring").get_models()]
    return [*(model for model in ours if model._meta.managed), Session, UserSession]


@transaction.atomic
def copy_stores(numbers: Sequence[int]) -> None:
    """All stores with everything of theirs, once more for each number."""
    with connection.cursor() as cursor:
        cursor.execute(WITHOUT_TRIGGERS, ["replica"])
        for model in growing_models():
            cursor.execute(copied_rows(model), [list(numbers)])
        cursor.execute(WITHOUT_TRIGGERS, ["origin"])


def copied_rows(model: type[models.Model]) -> str:
    """The statement that copies them: other keys, other values where none may be there twice, other days of events."""
    fields = [one for one in model._meta.concrete_fields if not one.generated]
    quote = connection.ops.quote_name
    columns, table = ", ".join(quote(one.column) for one in fields), quote(model._meta.db_table)
    values = ", ".join(copied_value(one, f"t.{quote(one.column)}") for one in fields)
    return f"INSERT INTO {table} ({columns}) SELECT {values} FROM {table} t, unnest(%s::bigint[]) k"


def copied_value(field: models.Field, value: str) -> str:
    key = field
    while key.is_relation and key.related_model in growing_models():
        key = key.target_field
    if isinstance(key, models.IntegerField) and key.unique:
        return f"{value} + k * {STEP}"
    if key.unique:
        return f"left(encode(sha256(({value} || ' ' || k)::bytea), 'hex'), {min(key.max_length, 64)})"
    if (field.model, field.name) == (Event, "starts_at"):
        return f"{value} + k * interval '1 day'"
    if (field.model, field.name) == (StoreRequest, "username"):  # of one that waits, nobody else asks for
        return f"{value} || CASE {value} WHEN '' THEN '' ELSE ' ' || k END"
    return value
