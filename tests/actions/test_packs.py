"""Own month packs: versions that never change, drafts that are never lost, and what the journal says."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scoring.models import MonthPack
from scoring.shipped import shipped_pack, shipped_packs
from tests.support.nights import AT, BY, make_store
from tests.support.own_packs import begun, by, saved
from tourney.actions import events
from tourney.actions.record import Refused, Stale
from tourney.models import OwnPack, PackDraft
from tourney.month_packs.actions import packs
from tourney.queries.packs import own_packs, pack_at, packs_for, sides_of, why_not_slug

pytestmark = pytest.mark.django_db


@pytest.fixture
def place():
    store, users = make_store()
    return store, users["organizer"], users["owner"]


def test_a_copy_is_saved_as_version_one_under_an_address_of_its_own(place):
    store, organizer, _ = place

    version = saved(store, organizer, sp_limit=120)

    own = version.own
    assert (own.slug, version.number, version.by_name) == ("dominion-war-6-starbase-games", 1, organizer.username)
    assert version.pack.rules == replace(shipped_pack("dominion-war-6"), slug=own.slug, sp_limit=120)
    assert own.origin.rules == shipped_pack("dominion-war-6")
    assert version.note == (
        "Made from Dominion War, month 6: The Last Battle of DS9. SP limit: set for each event → 120 SP."
    )


def test_every_saved_version_stays_as_it_was(place):
    store, organizer, owner = place
    first = saved(store, organizer, sp_limit=120)
    second = saved(store, owner, own=first.own, sp_limit=130, note="Larger fleets.")

    assert [(one.number, one.note, one.pack.rules.sp_limit, one.by_name) for one in first.own.versions.all()] == [
        (1, first.note, 120, organizer.username),
        (2, "Larger fleets.", 130, owner.username),
    ]
    assert pack_at(store, first.own.slug).version == second
    assert pack_at(store, first.own.slug, 1).rules.sp_limit == 120


def test_an_event_keeps_the_version_it_was_made_with(place):
    store, organizer, _ = place
    first = saved(store, organizer, sp_limit=120)
    campaign = events.make_campaign(store, storyline="Dominion War", by=BY)
    event = events.make_event(campaign, first.pack.rules, starts_at=AT, by=BY)

    saved(store, organizer, own=first.own, sp_limit=130, win=3)
    later = events.make_event(campaign, pack_at(store, first.own.slug).rules, starts_at=AT + timedelta(30), by=BY)

    event.refresh_from_db()
    assert (event.pack, event.rules.sp_limit, event.rules.win) == (first.pack, 120, 2)
    assert (later.pack.version, later.rules.sp_limit, later.rules.win) == (2, 130, 3)


def test_no_address_is_given_twice_whoever_asks(place):
    store, organizer, _ = place
    other, others = make_store("Deck Twelve")
    first = saved(store, organizer)
    second = saved(other, others["owner"])
    again = begun(store, organizer)

    assert [first.own.slug, second.own.slug, *again.typed["slug"]] == [
        "dominion-war-6-starbase-games", "dominion-war-6-deck-twelve", "dominion-war-6-starbase-games-2",
    ]  # fmt: skip
    assert pack_at(other, first.own.slug) is None
    assert [bool(why_not_slug(pack.slug)) for pack in shipped_packs()] == [True] * len(shipped_packs())
    assert all(why_not_slug(slug) for slug in ("import", "drafts", first.own.slug))


def test_a_new_pack_is_refused_under_an_address_that_is_taken(place):
    store, organizer, _ = place
    draft = begun(store, organizer)

    with pytest.raises(Refused, match="comes with Flagship"):
        packs.save(draft, shipped_pack("dominion-war-6"), note="", over=0, by=by(organizer))

    assert not OwnPack.objects.exists()


def test_two_packs_of_a_store_are_never_called_the_same(place):
    store, organizer, _ = place
    first = saved(store, organizer)

    with pytest.raises(Refused, match="Another of your packs is called"):
        saved(store, organizer)
    saved(store, organizer, name="With larger fleets")
    packs.retire(first.own, True, by=by(organizer))
    saved(store, organizer)
    with pytest.raises(Refused, match="Another of your packs is called"):
        packs.retire(first.own, False, by=by(organizer))


def test_whoever_saves_second_is_told_and_both_versions_are_kept(place):
    store, organizer, owner = place
    own = saved(store, organizer, sp_limit=120).own
    mine, theirs = begun(store, organizer, own=own), begun(store, owner, own=own)
    rules = own.versions.get().pack.rules
    packs.save(theirs, replace(rules, rounds=4), note="Four rounds.", over=1, by=by(owner))

    with pytest.raises(Stale, match=f"{owner.username} saved version 2"):
        packs.save(mine, replace(rules, win=3), note="", over=mine.base, by=by(organizer))
    packs.save(mine, replace(rules, win=3), note="", over=2, by=by(organizer))

    kept = [(one.number, one.pack.rules.rounds, one.pack.rules.win) for one in own.versions.all()]
    assert kept == [(1, 3, 2), (2, 4, 2), (3, 3, 3)]


def test_a_draft_that_is_saved_twice_makes_one_version(place):
    store, organizer, _ = place
    draft = begun(store, organizer)
    rules = replace(shipped_pack("dominion-war-6"), slug=draft.typed["slug"][0])

    first, second = (packs.save(draft, rules, note="", over=0, by=by(organizer)) for _ in range(2))

    assert first == second
    assert first.own.versions.count() == 1


def test_a_version_in_which_nothing_differs_is_refused(place):
    store, organizer, _ = place
    own = saved(store, organizer).own

    with pytest.raises(Refused, match="This is the same as version 1"):
        saved(store, organizer, own=own)


def test_a_draft_goes_on_where_it_was_left(place):
    store, organizer, owner = place
    own = saved(store, organizer).own

    assert begun(store, organizer, own=own) == begun(store, organizer, own=own)
    assert begun(store, owner, own=own) != begun(store, organizer, own=own)


def test_two_windows_on_one_draft_lose_nothing(place):
    store, organizer, _ = place
    draft = begun(store, organizer)
    left, right = ({"rounds": [number]} for number in "45")

    packs.keep(draft, left, page="left", expected_edits=0, by=by(organizer))
    packs.keep(draft, left | {"win": ["3"]}, page="left", expected_edits=0, by=by(organizer))
    other = packs.keep(draft, right, page="right", expected_edits=0, by=by(organizer))

    draft.refresh_from_db()
    assert (draft.typed, other.typed) == (left | {"win": ["3"]}, right)
    assert other != draft


def test_a_page_that_knows_what_was_written_goes_on_with_the_draft(place):
    store, organizer, _ = place
    draft = begun(store, organizer)

    packs.keep(draft, {"rounds": ["4"]}, page="before", expected_edits=0, by=by(organizer))
    packs.keep(draft, {"rounds": ["5"]}, page="after", expected_edits=1, by=by(organizer))

    draft.refresh_from_db()
    assert (draft.typed, draft.edits, PackDraft.objects.count()) == ({"rounds": ["5"]}, 2, 1)


def test_nobody_has_drafts_without_end(place):
    store, organizer, _ = place
    for _ in range(packs.MOST_DRAFTS):
        begun(store, organizer)

    with pytest.raises(Refused, match="Save or discard one of them first"):
        begun(store, organizer)


def test_a_retired_pack_is_no_choice_until_it_is_brought_back(place):
    store, organizer, _ = place
    own = saved(store, organizer).own
    offered = []

    for is_retired in (False, True, True, False):
        packs.retire(own, is_retired, by=by(organizer))
        offered.append(own.slug in packs_for(store)[1])

    assert offered == [True, False, False, True]
    assert [entry.what for entry in store.journal.filter(did="retire_pack")] == [
        "Month pack “Dominion War, month 6: The Last Battle of DS9” retired.",
        "Month pack “Dominion War, month 6: The Last Battle of DS9” brought back.",
    ]


def test_the_choice_of_a_store_is_its_own_packs_and_the_shipped_ones(place):
    store, organizer, _ = place
    other, others = make_store("Deck Twelve")
    own = saved(store, organizer).own
    latest = saved(store, organizer, own=own, win=3)
    saved(other, others["owner"])

    offered, made_here = packs_for(store)

    assert offered == (latest.pack.rules, *shipped_packs())
    assert made_here == {own.slug: latest}
    assert [one.is_latest for one in own_packs(store)] == [True]


def test_a_version_can_be_compared_with_every_other_and_with_the_original(place):
    store, organizer, _ = place
    own = saved(store, organizer).own
    saved(store, organizer, own=own, win=3)

    assert [(side.token, str(side.label), side.rules.win) for side in sides_of(own)] == [
        ("origin", "Original: Dominion War, month 6: The Last Battle of DS9, version 1", 2),
        ("1", f"Version 1, {organizer.username}, 20 Nov 2026", 2),
        ("2", f"Version 2, {organizer.username}, 20 Nov 2026", 3),
    ]


def test_saving_is_in_the_journal_of_the_store(place):
    store, organizer, _ = place
    version = saved(store, organizer, sp_limit=120, note="For the league.")

    entry = store.journal.get(did="save_pack")

    assert entry.what == "Month pack “Dominion War, month 6: The Last Battle of DS9”: version 1 saved."
    assert (entry.by, entry.after) == (
        organizer,
        {"pack": version.own.slug, "pack_version": 1, "note": "For the league."},
    )


def test_a_stored_pack_is_one_row_however_often_it_is_begun_from(place):
    store, organizer, _ = place
    for _ in range(3):
        begun(store, organizer)

    assert MonthPack.objects.count() == 1
