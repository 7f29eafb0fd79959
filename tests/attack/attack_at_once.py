"""Twenty at once for every verb: twenty times the same form, then twenty different ones; what is left is consistent."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest
from django.db import connection, connections
from django.test import Client

from tests.attack.forms import FORM, UPLOAD, Target, targets
from tests.attack.mutations import SEED, multipart, urlencoded
from tests.attack.world import World, fault_of, forget_kept, make_world, plain_templates, what_stops_the_night
from tests.support.nights import BY, make_store
from tourney.actions import store_players
from tourney.actions.record import Refused
from tourney.models import Event, Player, Seat
from tourney.queries.history import differences

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 20
ROUNDS = 12
"""How often twenty different forms are sent."""


def attack_the_same_verb_at_once(figures):
    """One form after another on one world, which those before have changed already."""
    found = figures(f"The same verb, {HANDS} at once")
    statuses: Counter[int] = Counter()
    faults: dict[str, str] = {}
    with plain_templates():
        world = make_world()
        verbs = targets(world)
        for target in verbs:
            answers = at_once(world, [target] * HANDS, Random(SEED))
            count_answers(answers, [target] * HANDS, statuses, faults)
        tell(found, world, len(verbs), statuses, faults)
    found.hold()


def attack_different_verbs_at_once(figures):
    found = figures(f"{HANDS} different verbs at once, {ROUNDS} times (seed {SEED})")
    statuses: Counter[int] = Counter()
    faults: dict[str, str] = {}
    with plain_templates():
        world = make_world()
        verbs = targets(world)
        dice = Random(SEED)
        for _ in range(ROUNDS):
            chosen = dice.sample(verbs, HANDS)
            count_answers(at_once(world, chosen, dice), chosen, statuses, faults)
        tell(found, world, len(verbs), statuses, faults)
    found.hold()


def attack_merges_at_once(figures):
    found = figures("Merges of six players, twenty at once, ten times")
    store, _ = make_store()
    dice, told = Random(SEED), Counter()
    for night in range(10):
        people = [Player.objects.create(store=store, name=f"Crew {night}-{number}") for number in range(6)]
        pairs = [dice.sample(people, 2) for _ in range(HANDS)]
        told.update(merged_at_once(pairs))
    chains = Player.objects.filter(merged_into__merged_into__isnull=False).count()
    rings = [one.pk for one in Player.objects.filter(merged_into__isnull=False) if not ends(one)]
    found.say("answers", dict(told))
    found.none("other than done and refused", [name for name in told if name not in ("done", "refused")])
    found.at_most("chains", chains, 0)
    found.none("rings", rings)
    found.hold()


def merged_at_once(pairs: list[list[Player]]) -> list[str]:
    barrier = Barrier(len(pairs))

    def one(pair: list[Player]) -> str:
        try:
            connection.ensure_connection()
            barrier.wait(30)
            kept, other = (Player.objects.get(pk=player.pk) for player in pair)
            store_players.merge(kept, other, by=BY)
        except Refused:
            return "refused"
        except Exception as error:
            return fault_of(error)
        finally:
            connections.close_all()
        return "done"

    with ThreadPoolExecutor(len(pairs)) as hands:
        return list(hands.map(one, pairs))


def ends(player: Player) -> bool:
    """Whether following the merges from here comes to somebody who is there."""
    seen = set()
    while player.merged_into_id and player.pk not in seen:
        seen.add(player.pk)
        player = player.merged_into
    return player.merged_into_id is None


def at_once(world: World, chosen: list[Target], dice: Random) -> list[int | str]:
    """Each form as its page has it, with a little typed where nothing stands; statuses, or what went wrong."""
    barrier = Barrier(len(chosen))
    ready = [(world.visitor(target.who), target, *filled(target, number, dice)) for number, target in enumerate(chosen)]

    def one(client: Client, target: Target, kind: str, body: bytes) -> int | str:
        try:
            connection.ensure_connection()
            barrier.wait(30)
            return client.generic("POST", target.form.action, body, kind).status_code
        except Exception as error:
            return fault_of(error)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(chosen)) as hands:
        return list(hands.map(lambda given: one(*given), ready))


def filled(target: Target, number: int, dice: Random) -> tuple[str, bytes]:
    pairs = []
    for name, value in target.plain:
        typed = value or dice.choice((b"Typed", b"Typed %d" % number, b"1", b"12"))
        pairs.append((name, f"{name.decode()}-{number}".encode() if name == b"key" else typed))
    return (UPLOAD, multipart(pairs, [])) if target.form.files else (FORM, urlencoded(pairs))


def count_answers(answers, chosen: list[Target], statuses: Counter, faults: dict[str, str]) -> None:
    for answer, target in zip(answers, chosen, strict=True):
        status = answer if isinstance(answer, int) else 500
        statuses[status] += 1
        if status >= 500:
            faults.setdefault(str(answer), target.name)


def tell(found, world: World, verbs: int, statuses: Counter, faults: dict[str, str]) -> None:
    forget_kept()
    events = list(
        Event.objects.with_context().filter(
            campaign__store__rehearsal=None, pk__in=[one.pk for one in world.events.values()]
        )
    )
    world.events = {name: next(row for row in events if row.pk == one.pk) for name, one in world.events.items()}
    found.say("verbs", verbs)
    found.say("answers", dict(sorted(statuses.items())))
    found.none("5xx", [f"{name}: {fault}" for fault, name in faults.items()])
    for fault, name in faults.items():
        found.say(f"  {name}", fault)
    found.none("nights that did not go on", what_stops_the_night(world))
    found.none("histories unlike their rows", [event.slug for event in events if differences(event)])
    found.at_most("chains of merges", Player.objects.filter(merged_into__merged_into__isnull=False).count(), 0)
    seats = Counter(Seat.objects.values_list("round", "entrant"))
    found.none("players with two seats in a round", [seat for seat, times in seats.items() if times > 1])
