"""Rehearsals: copied, played on, discarded; and what is real stays as it is."""

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from tests.support.built_fleets import bring
from tests.support.nights import BY, Night, make_night
from tourney.actions import entrants, rehearsal, rounds, store_players, tables
from tourney.actions.record import Refused, Stale
from tourney.domain.tables import Needs, Table
from tourney.models import (
    Campaign,
    Event,
    JournalEntry,
    Pace,
    Player,
    Rehearsal,
    Round,
    RowChange,
    Store,
    TokenLine,
)
from tourney.queries.history import rows_at, stored_rows
from tourney.queries.rehearsal import tables_at_once
from tourney.queries.state import state_of
from tourney.queries.tables import needs_of, tables_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return make_night(players=5)


def begun(night: Night, *, made_up: int = 0, pace: str = Pace.STEP, seed: int = 1) -> Event:
    return rehearsal.begin(night.event, rehearsal.RehearsalPlan(made_up, pace), by=BY, seed=seed)


def step(copy: Event) -> str:
    """One step on; what is to do then."""
    copy.refresh_from_db()
    rehearsal.step(copy, expected_version=copy.version, at=BY.at)
    return state_of(Event.objects.with_context().get(pk=copy.pk)).next_step.kind


def play(copy: Event) -> list[str]:
    """Every step to the end."""
    done = []
    while not done or done[-1] != "finished":
        done.append(step(copy))
    return done


def rows() -> dict[str, list[tuple]]:
    """All rows of the whole database, table by table."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return {model._meta.db_table: sorted(map(repr, model.objects.values_list())) for model in models}


# the copy


def test_a_copy_has_settings_people_factions_and_fleets_of_the_event_and_nobody_is_here_yet(night):
    fleet = bring(night.event, 2)
    entrants.drop(night.event, 3, by=BY)

    copy = begun(night)

    there = [(one.number, one.player.name, one.faction, one.checked_in) for one in copy.entrants.all()]
    coming = night.event.entrants.exclude(number=3)
    assert there == [(one.number, one.player.name, one.faction, False) for one in coming]
    assert copy.entrants.get(number=2).fleet.data == fleet.data
    assert (copy.pack, copy.rounds_planned, copy.minutes) == (night.event.pack, 3, night.event.minutes)
    assert copy.name == f"Rehearsal: {night.event.name}"
    assert copy.campaign.storyline == f"Rehearsal: {night.campaign.storyline}"


def test_a_rehearsal_shares_nothing_with_the_store_but_the_pack(night):
    copy = begun(night, made_up=3)

    assert list(night.store.campaigns.all()) == [night.campaign]
    assert list(night.campaign.events.all()) == [night.event]
    assert night.store.players.count() == 5
    assert copy.store.players.count() == 8
    assert {entrant.player.store for entrant in copy.entrants.all()} == {copy.store}
    assert list(Store.objects.real()) == [night.store]


def test_made_up_players_take_numbers_and_names_that_nobody_has(night):
    copy = begun(night, made_up=4)

    names = list(copy.entrants.values_list("player__name", flat=True))
    assert list(copy.entrants.values_list("number", flat=True)) == list(range(1, 10))
    assert len({name.lower() for name in names}) == 9


def test_a_long_name_is_cut_and_still_says_what_it_is(night):
    Event.objects.filter(pk=night.event.pk).update(name="x" * 100)
    Campaign.objects.filter(pk=night.campaign.pk).update(storyline="y" * 80)

    copy = begun(night)

    assert (copy.name, copy.campaign.storyline) == (f"Rehearsal: {'x' * 89}", f"Rehearsal: {'y' * 69}")


def test_nothing_of_the_real_event_changes_while_it_is_rehearsed(night):
    before = rows()

    play(begun(night, made_up=2))

    after = rows()
    gone = {table for table in before if set(before[table]) - set(after[table])}
    assert gone == set()


def test_what_cannot_be_rehearsed_is_refused_in_words(night):
    with pytest.raises(Refused, match=r"2 to 500 players\. This one would have 501"):
        begun(night, made_up=496)
    with pytest.raises(Refused, match=r"2 to 500 players\. This one would have 1\."):
        begun(make_night(players=1, store=night.store))
    copy = begun(night)
    with pytest.raises(Refused, match="already has a rehearsal"):
        begun(night)
    with pytest.raises(Refused, match="This is already a rehearsal"):
        rehearsal.begin(copy, rehearsal.RehearsalPlan(0), by=BY, seed=1)
    with pytest.raises(Refused, match="The event has started"):
        begun(make_night(players=4, open_round=True, store=night.store))


def test_who_could_not_be_checked_in_for_want_of_a_fleet_is_counted_and_plays_all_the_same(night):
    Event.objects.filter(pk=night.event.pk).update(fleets_must_be_legal=True)

    copy = begun(night, made_up=3)

    assert (copy.store.rehearsal.held, copy.fleets_must_be_legal) == (5, False)
    assert step(copy) == "pair"
    assert copy.entrants.filter(checked_in=True).count() == 8


# playing


def test_the_night_goes_on_step_by_step_to_the_final_ranks(night):
    copy = begun(night, made_up=1)

    done = play(copy)

    assert done[:5] == ["pair", "publish", "results", "results", "results"]
    assert done[-2:] == ["finish", "finished"]
    assert list(copy.rounds.values_list("number", "state")) == [(number, "closed") for number in (1, 2, 3)]
    with pytest.raises(Refused, match="The rehearsal is over"):
        step(copy)


def test_the_same_seed_gives_the_same_night():
    ranks = []
    for _ in range(2):
        copy = begun(make_night(players=6), seed=7)
        play(copy)
        ranks.append([line.id for line in state_of(copy).standings(3)])

    assert ranks[0] == ranks[1]


def test_a_page_that_is_older_plays_nothing(night):
    copy = begun(night)
    seen = copy.version
    version = rehearsal.step(copy, expected_version=seen, at=BY.at)

    with pytest.raises(Stale):
        rehearsal.step(copy, expected_version=seen, at=BY.at)

    copy.refresh_from_db()
    assert copy.version == version


def test_somebody_dropped_at_the_desk_is_not_paired_by_the_rehearsal(night):
    copy = begun(night, made_up=1)
    while not copy.rounds.filter(state=Round.State.CLOSED).exists():
        step(copy)

    entrants.drop(copy, 1, by=BY)
    play(copy)

    assert copy.rounds.get(number=1).seats.filter(entrant__number=1).exists()
    assert not copy.rounds.filter(number__gt=1, seats__entrant__number=1).exists()


def test_where_only_one_player_is_left_people_have_to_decide():
    copy = begun(make_night(players=2))
    while not copy.rounds.filter(state=Round.State.CLOSED).exists():
        step(copy)
    entrants.drop(copy, 1, by=BY)

    with pytest.raises(Refused, match="Only one player is checked in"):
        step(copy)


def test_a_draft_discarded_by_hand_is_drawn_again(night):
    copy = begun(night)
    assert (step(copy), step(copy)) == ("pair", "publish")

    rounds.discard_draft(copy, 1, by=BY)

    assert step(copy) == "publish"


@pytest.mark.many
@pytest.mark.parametrize("players", [2, 3, 7, 8, 33])
def test_a_field_of_any_size_is_played_to_its_end(players):
    copy = begun(make_night(players=0), made_up=players)

    play(copy)

    assert len(state_of(copy).standings(3)) == players


@pytest.mark.parametrize(("tables", "in_one_step"), [(1, 1), (4, 1), (7, 2), (16, 3), (72, 12), (250, 12)])
def test_results_come_in_by_portions_of_which_none_takes_long(tables, in_one_step):
    assert tables_at_once(tables) == in_one_step


def test_the_history_of_a_rehearsal_adds_up_as_that_of_any_event(night):
    copy = begun(night, made_up=2)
    play(copy)

    assert rows_at(copy) == stored_rows(copy)


# throwing away


def test_discarded_a_rehearsal_leaves_no_row_in_any_table(night):
    bring(night.event, 2)
    connection.check_constraints()  # chains the journal, as a commit does
    before = rows()
    copy = begun(night, made_up=3)
    play(copy)
    connection.check_constraints()

    rehearsal.discard(copy.store.rehearsal)
    connection.check_constraints()

    assert rows() == before


def test_every_table_is_thought_of():
    handled = {model for model, _ in (*rehearsal.OF_EVENT, *rehearsal.OF_STORE)} | {
        *(Campaign, RowChange, Event, Store, Rehearsal)
    }
    never_there = {
        "Attempt",
        "ChainOrigin",
        "DeletedStore",
        "Delivery",
        "Invitation",
        "Membership",
        "PushKey",
        "PushSubscription",
        "RetiredAddress",
        "SignInAttempt",
        "StoreLogo",
        "StoreRequest",
        "User",
        "Webhook",
    }

    models = set(apps.get_app_config("tourney").get_models())
    assert {model.__name__ for model in models - handled} == never_there


def test_a_rehearsal_is_discarded_when_its_days_are_over(night):
    copy = begun(night)
    ends_at = copy.store.rehearsal.ends_at

    rehearsal.discard_old(ends_at - rehearsal.LIFE / 2)
    there = Rehearsal.objects.count()
    rehearsal.discard_old(ends_at)

    assert (there, Rehearsal.objects.count(), Event.objects.count()) == (1, 0, 1)


def test_whoever_is_erased_stands_in_no_rehearsal_either(night):
    name = night.event.entrants.get(number=1).player.name
    play(begun(night))

    store_players.erase(Player.objects.get(name=name, store=night.store), by=BY)

    assert not Player.objects.filter(name=name).exists()
    assert not Rehearsal.objects.exists()


DELETED = {
    "the journal": lambda event: JournalEntry.objects.filter(event=event),
    "the history": lambda event: RowChange.objects.filter(event=event),
    "the ledger": lambda event: TokenLine.objects.filter(event=event),
    "the event": lambda event: Event.objects.filter(pk=event.pk),
}


@pytest.mark.parametrize("what", DELETED)
def test_nobody_deletes_what_is_real(night, what):
    copy = begun(night)
    first = night.event.entrants.get(number=1)
    facts = {"number": 1, "kind": "granted", "entrant": first, "by_name": "test", "at": BY.at}
    TokenLine.objects.create(event=night.event, **facts)
    TokenLine.objects.create(event=copy, **facts | {"entrant": copy.entrants.get(number=1)})
    connection.check_constraints()
    found = DELETED[what]

    with pytest.raises(IntegrityError, match=r"cannot be changed|is kept"), transaction.atomic():
        found(night.event)._raw_delete("default")
    with transaction.atomic():
        found(copy)._raw_delete("default")
        is_there = found(night.event).exists(), found(copy).exists()
        transaction.set_rollback(True)

    assert is_there == (True, False)


SMUGGLED = (
    "UPDATE tourney_store SET rehearsal_id = (SELECT id FROM tourney_rehearsal) WHERE rehearsal_id IS NULL",
    "UPDATE tourney_store SET rehearsal_id = NULL WHERE rehearsal_id IS NOT NULL",
    "UPDATE tourney_campaign SET store_id = (SELECT id FROM tourney_store WHERE rehearsal_id IS NOT NULL)"
    " WHERE slug <> 'rehearsal'",
    "UPDATE tourney_event SET campaign_id = (SELECT id FROM tourney_campaign WHERE slug = 'rehearsal')"
    " WHERE slug NOT LIKE 'rehearsal-%'",
    "TRUNCATE tourney_change",
)


@pytest.mark.parametrize("statement", SMUGGLED)
def test_nothing_real_becomes_a_rehearsal_in_order_to_be_deleted(night, statement):
    begun(night)
    connection.check_constraints()

    with pytest.raises(IntegrityError, match=r"never becomes a rehearsal|is kept"), transaction.atomic():
        connection.cursor().execute(statement)


def test_the_room_and_what_players_need_of_it_are_rehearsed_too():
    event = make_night(players=0).event
    entrants.register(event, [("Vor", "Klingon"), ("Quill", "Klingon")], by=BY)
    player = event.entrants.get(number=1).player
    tables.change_tables(event, [Table(1, "Corner"), Table(2, closed=True)], True, by=BY)
    tables.change_needs(player, Needs(fixed=1, near_door=True, quiet=True), by=BY)

    copy = rehearsal.begin(event, rehearsal.RehearsalPlan(2), by=BY, seed=1)

    assert tables_of(copy) == (Table(1, "Corner"), Table(2, closed=True))
    assert copy.other_tables
    vor = copy.entrants.get(number=1).player
    assert needs_of(vor) == {vor.pk: Needs(fixed=1, near_door=True, quiet=True)}
