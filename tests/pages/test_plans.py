"""Before an event begins plans change: another date or month, canceled, held after all, deleted; campaigns archived."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.shipped import shipped_pack
from tests.support.built_fleets import bring_all
from tests.support.nights import BY, Night, make_night, now
from tests.support.phones import phone_of
from tourney.actions import campaigns, entrants, events, history, plans, rounds
from tourney.actions.record import Refused
from tourney.models import Event, JournalEntry
from tourney.queries.history import history_of
from tourney.queries.integrity import event_problems

pytestmark = pytest.mark.django_db


def text_of(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def url(night: Night, name: str) -> str:
    return reverse(name, args=[night.event.slug])


def fresh(night: Night) -> Event:
    return Event.objects.with_context().get(pk=night.event.pk)


@pytest.fixture
def night(client) -> Night:
    """An event a week ahead with four players registered, its organizer signed in."""
    night = make_night(players=4)
    Event.objects.filter(pk=night.event.pk).update(starts_at=timezone.now() + timedelta(days=7))
    night.event = fresh(night)
    client.force_login(night.organizer)
    return night


def public(night: Night) -> str:
    return text_of(Client().get(url(night, "event")))


# another date


def test_a_moved_event_says_its_new_date_to_everybody(client, night):
    then = timezone.localdate() + timedelta(days=30)

    answer = client.post(url(night, "plans"), {"do": "postpone", "new-date": then.isoformat(), "new-time": "19:00"})

    event = fresh(night)
    assert answer.headers["Location"] == url(night, "desk")
    assert (event.starts_at.date(), event.moved_from) == (then, night.event.starts_at)
    assert event.entrants.count() == 4
    assert "New date:" in public(night)
    assert JournalEntry.objects.latest("pk").did == "postpone_event"


def test_sign_up_closes_as_long_before_the_new_date_by_the_stores_clock(client, night):
    zone = ZoneInfo(night.store.time_zone)
    starts, closes = datetime(2027, 3, 26, 19, tzinfo=zone), datetime(2027, 3, 25, 23, 30, tzinfo=zone)
    Event.objects.filter(pk=night.event.pk).update(starts_at=starts, sign_up_closes_at=closes)

    client.post(url(night, "plans"), {"do": "postpone", "new-date": "2027-04-02", "new-time": "20:00"})

    moved = datetime(2027, 4, 2, 0, 30, tzinfo=zone)
    assert fresh(night).sign_up_closes_at == moved
    after = JournalEntry.objects.latest("pk").after
    assert datetime.fromisoformat(after["sign_up_closes_at"]) == moved


def test_an_event_that_nobody_knows_of_moves_in_silence(client, night):
    night.event.entrants.all().delete()

    plans.postpone_event(night.event, timezone.now() + timedelta(days=30), by=BY)

    assert fresh(night).moved_from is None
    assert "New date" not in public(night)


def test_the_settings_move_it_too_and_back_again_is_no_new_date(night):
    was = night.event.starts_at
    plans.postpone_event(night.event, was + timedelta(days=1), by=BY)
    plans.postpone_event(night.event, was + timedelta(days=2), by=BY)
    assert fresh(night).moved_from == was

    settings = events.Settings(**{name: getattr(fresh(night), name) for name in events.Settings.__slots__})
    events.change_event(night.event, replace(settings, starts_at=was), by=BY)

    assert fresh(night).moved_from is None


def test_a_date_long_past_is_asked_about_before_the_event_moves(client, night):
    typed = {"do": "postpone", "new-date": "1999-12-17", "new-time": "19:00"}

    asked = client.post(url(night, "plans"), typed)

    assert asked.status_code == 422
    assert "more than a year ago" in text_of(asked)
    assert client.post(url(night, "plans"), typed | {"asked_day": "1999-12-17"}).status_code == 302


# canceled, and held after all


def test_canceling_asks_for_a_word_where_players_are_registered(client, night):
    asked = client.post(url(night, "plans"), {"do": "cancel"})

    assert asked.status_code == 422
    assert "Type “cancel” to confirm." in text_of(asked)
    assert not fresh(night).is_canceled
    assert client.post(url(night, "plans"), {"do": "cancel", "cancel-words": "Cancel"}).status_code == 302
    assert fresh(night).is_canceled


def test_canceling_an_event_without_players_asks_for_nothing(client):
    night = make_night(players=0)
    client.force_login(night.organizer)

    client.post(url(night, "plans"), {"do": "cancel"})

    assert fresh(night).is_canceled


def test_a_canceled_event_says_so_wherever_it_is_shown(client, night):
    card = phone_of(night.event.entrants.first().player)
    plans.cancel_event(night.event, by=now())

    said = "This event is canceled."
    assert said in public(night)
    assert said in text_of(client.get(url(night, "desk")))
    assert said in text_of(Client().get(url(night, "join")))
    assert said in text_of(card.get(reverse("my_card", args=[night.store.slug])))
    mine = text_of(card.get(url(night, "me")))
    assert said in mine
    assert "You’re registered" not in mine
    assert "Canceled" in text_of(client.get(reverse("campaign", args=[night.store.slug, night.campaign.slug])))
    home = client.get(reverse("store_home", args=[night.store.slug]))
    assert home.context["home"].next is None
    assert "Canceled" in text_of(home)


def test_nobody_joins_checks_in_or_is_paired_at_a_canceled_event(night):
    plans.cancel_event(night.event, by=BY)

    for act in (
        lambda: entrants.register(night.event, [("Quark", "")], by=BY),
        lambda: entrants.register(night.event, [("Quark", "")], by=BY, by_self=True),
        lambda: entrants.check_in(night.event, by=BY),
        lambda: rounds.pair_round(night.event, number=1, seed=1, by=BY),
    ):
        with pytest.raises(Refused, match="canceled"):
            act()


@pytest.mark.parametrize("is_open", [True, False])
def test_held_after_all_it_has_registration_as_it_was(client, night, is_open):
    events.open_registration(night.event, is_open, by=BY)
    plans.cancel_event(night.event, by=BY)
    assert fresh(night).registration_open is False

    client.post(url(night, "plans"), {"do": "hold"})

    event = fresh(night)
    assert (event.is_canceled, event.registration_open) == (False, is_open)


def test_another_date_is_called_a_move_wherever_it_is_offered(client):
    night = make_night(players=2)
    client.force_login(night.organizer)

    offers = text_of(client.get(url(night, "event_settings"))), text_of(client.get(url(night, "plans")))

    assert "Move, cancel or delete" in offers[0]
    assert "Move event" in offers[1]
    assert not any("ostpone" in text for text in offers)


@pytest.mark.parametrize("change", ["cancel", "postpone", "month"])
def test_each_change_is_undone_and_done_again_and_the_history_adds_up(change):
    night = make_night(players=4)
    before = fresh(night)
    if change == "cancel":
        plans.cancel_event(night.event, by=BY)
    elif change == "postpone":
        plans.postpone_event(night.event, before.starts_at + timedelta(days=7), by=BY)
    else:
        plans.change_month(night.event, plans.Month(shipped_pack("dominion-war-5"), 120), by=BY)
    columns = ("starts_at", "moved_from", "canceled_at", "registration_open", "pack_id", "sp_limit", "name")
    done = [getattr(fresh(night), name) for name in columns]

    history.undo(night.event, history_of(night.event).last.pk, by=BY)
    undone = [getattr(fresh(night), name) for name in columns]
    history.redo(night.event, history_of(night.event).next.pk, by=BY)

    assert undone == [getattr(before, name) for name in columns]
    assert [getattr(fresh(night), name) for name in columns] == done != undone
    assert event_problems(fresh(night)) == []


# deleted


def test_a_deleted_event_is_gone_and_the_journal_of_the_store_keeps_one_entry(client, night):
    known = JournalEntry.objects.filter(store=night.store).count()
    campaign = reverse("campaign", args=[night.store.slug, night.campaign.slug])

    assert client.post(url(night, "plans"), {"do": "delete"}).status_code == 422
    answer = client.post(url(night, "plans"), {"do": "delete", "delete-words": "delete"})

    assert answer.headers["Location"] == campaign
    assert [Client().get(url(night, name)).status_code for name in ("event", "join", "standings")] == [404] * 3
    assert client.get(url(night, "desk")).status_code == 404
    entries = JournalEntry.objects.filter(store=night.store)
    assert entries.count() == known + 1
    assert (entries.last().did, entries.last().event) == ("delete_event", None)
    for page in (campaign, reverse("store_home", args=[night.store.slug])):
        assert night.event.get_absolute_url() not in client.get(page).content.decode()
    assert night.campaign.events.count() == 0
    assert night.store.players.count() == 4


@pytest.mark.parametrize(
    "page", ["", "event.json", "share/", "live/", "standings/", "join/", "pairings.json", "event.ics", "wall/", "me/"]
)
def test_a_deleted_event_has_no_page_at_the_address_that_its_row_keeps_either(client, night, page):
    assert Client().get(f"{night.event.get_absolute_url()}{page}").status_code != 404
    plans.delete_event(night.event, by=BY)

    for reader in (client, Client()):
        assert reader.get(f"/e/deleted-{night.event.pk}/{page}").status_code == 404


def test_its_address_is_free_for_the_next_event(night):
    plans.delete_event(night.event, by=BY)

    again = events.make_event(
        night.campaign, night.event.pack.rules, starts_at=night.event.starts_at, sp_limit=100, by=BY
    )

    assert again.slug.startswith(night.event.pack.slug)


@pytest.mark.parametrize(
    ("begun", "sentence"),
    [
        ({"open_round": True}, "Round 1 has begun, so the event stays as it is."),
        ({"rounds": 1}, "Round 1 has begun, so the event stays as it is."),
        ({"rounds": 3, "finish": True}, "The event is finished"),
    ],
)
@pytest.mark.parametrize("do", ["cancel", "delete", "postpone"])
def test_an_event_that_has_begun_stays(client, begun, sentence, do):
    night = make_night(players=4, **begun)
    client.force_login(night.organizer)
    before = JournalEntry.objects.count()
    typed = {f"{do}-words": do, "new-date": "2026-12-24", "new-time": "19:00", "asked_day": "2026-12-24"}

    answer = client.post(url(night, "plans"), typed | {"do": do})

    assert answer.status_code == 409
    assert sentence in text_of(answer)
    assert JournalEntry.objects.count() == before


def test_a_draft_has_to_be_discarded_first(client, night):
    rounds.pair_round(night.event, number=1, seed=1, by=BY)

    answer = client.post(url(night, "plans"), {"do": "cancel", "cancel-words": "cancel"})

    assert answer.status_code == 409
    assert "Round 1 is drafted. Discard the draft first." in text_of(answer)


# another month


def test_another_month_shows_what_changes_and_then_changes_it(client, night):
    asked = {"pack": "dominion-war-5", "sp_limit": "120"}

    preview = client.get(url(night, "change_month"), asked)

    assert preview.status_code == 200
    assert preview.context["preview"].differences
    assert fresh(night).pack.slug == "dominion-war-6"
    assert client.post(url(night, "change_month"), asked).status_code == 302
    event = fresh(night)
    rules = shipped_pack("dominion-war-5")
    assert (event.pack.slug, event.name) == ("dominion-war-5", rules.name)
    assert event.sp_limit == (rules.sp_limit or 120)
    assert event.entrants.count() == 4


def test_the_preview_names_whose_fleet_is_no_longer_legal(client, night):
    bring_all(night.event)
    names = {entrant.player.name for entrant in night.event.entrants.select_related("player")}

    same = client.get(url(night, "change_month"), {"pack": "dominion-war-6", "sp_limit": "100"})
    less = client.get(url(night, "change_month"), {"pack": "dominion-war-6", "sp_limit": "10"})

    assert same.context["preview"].illegal == ()
    assert set(less.context["preview"].illegal) == names
    assert "4 fleets are no longer legal" in text_of(less)
    assert fresh(night).sp_limit == 100


def test_another_month_names_and_asks_again_whose_faction_it_does_not_have(client, night):
    gone = night.event.entrants.select_related("player").get(number=2)
    entrants.change_faction(night.event, gone.number, "Ferengi", by=BY)
    declared = dict(night.event.entrants.values_list("pk", "faction"))
    asked = {"pack": "dominion-war-5", "sp_limit": "120"}

    preview = client.get(url(night, "change_month"), asked)

    assert preview.context["preview"].undeclared == (gone.player.name,)
    assert f"1 player has to declare another faction (rule 1.4): {gone.player.name}." in text_of(preview)
    assert dict(night.event.entrants.values_list("pk", "faction")) == declared
    assert client.post(url(night, "change_month"), asked).status_code == 302
    assert dict(night.event.entrants.values_list("pk", "faction")) == declared | {gone.pk: ""}
    assert JournalEntry.objects.latest("pk").after["entrants"] == [[gone.number, gone.player.name, ""]]
    assert client.get(reverse("journal", args=[night.event.slug])).status_code == 200

    history.undo(night.event, history_of(night.event).last.pk, by=BY)
    assert dict(night.event.entrants.values_list("pk", "faction")) == declared
    assert event_problems(fresh(night)) == []


def test_a_month_without_factions_drops_those_that_were_declared(client, night):
    declared = dict(night.event.entrants.values_list("pk", "faction"))
    asked = {"pack": "tournament-2016", "sp_limit": "120"}

    preview = client.get(url(night, "change_month"), asked)
    changed = client.post(url(night, "change_month"), asked)

    assert preview.context["preview"].undeclared == ()
    assert "has to declare" not in text_of(preview)
    assert changed.status_code == 302
    assert all(declared.values())
    assert set(fresh(night).entrants.values_list("faction", flat=True)) == {""}

    history.undo(night.event, history_of(night.event).last.pk, by=BY)
    assert dict(night.event.entrants.values_list("pk", "faction")) == declared
    assert event_problems(fresh(night)) == []


def test_a_name_and_minutes_of_ones_own_stay(night):
    settings = events.Settings(**{name: getattr(night.event, name) for name in events.Settings.__slots__})
    events.change_event(night.event, replace(settings, name="Our night", minutes=77), by=BY)

    plans.change_month(night.event, plans.Month(shipped_pack("dominion-war-5"), 100), by=BY)

    event = fresh(night)
    assert (event.name, event.minutes) == ("Our night", 77)


def test_a_month_with_an_open_limit_asks_for_it(client, night):
    open_one = next(
        slug for slug in ("dominion-war-6", "dominion-war-5", "tournament-2016") if not shipped_pack(slug).sp_limit
    )

    answer = client.get(url(night, "change_month"), {"pack": open_one})

    assert answer.status_code == 422
    assert "Enter it from the printed overview." in text_of(answer)


def test_a_month_does_not_change_once_round_1_is_published(client):
    night = make_night(players=4, open_round=True)
    client.force_login(night.organizer)

    answer = client.post(url(night, "change_month"), {"pack": "dominion-war-5", "sp_limit": "100"})

    assert answer.status_code == 409
    assert fresh(night).pack.slug == "dominion-war-6"


# campaigns


def test_a_campaign_is_renamed_on_every_page_and_keeps_its_address(client, night):
    edit = reverse("edit_campaign", args=[night.store.slug, night.campaign.slug])
    assert "The Dominion War" in public(night)

    wrong = client.post(edit, {"do": "rename", "name": "Something else"})
    client.post(edit, {"do": "rename", "name": "Dominion War 2027"})

    assert wrong.status_code == 422
    assert "Type “Dominion War, Something else”." in text_of(wrong)
    night.campaign.refresh_from_db()
    assert (night.campaign.storyline, night.campaign.slug) == ("Dominion War 2027", "the-dominion-war")
    assert "Dominion War 2027" in public(night)
    assert JournalEntry.objects.latest("pk").did == "rename_campaign"


def test_a_campaign_in_the_archive_is_folded_at_the_end_and_comes_back(client, night):
    other = events.make_campaign(night.store, storyline="Klingon Civil War", by=BY)
    edit = reverse("edit_campaign", args=[night.store.slug, other.slug])
    home = reverse("store_home", args=[night.store.slug])

    client.post(edit, {"do": "archive"})
    folded = client.get(home)
    client.post(edit, {"do": "bring_back"})
    back = client.get(home)

    assert [one.storyline for one in folded.context["home"].archived] == ["Klingon Civil War"]
    assert folded.context["home"].others == ()
    assert "1 campaign in the archive" in text_of(folded)
    assert [one.storyline for one in back.context["home"].others] == ["Klingon Civil War"]
    assert client.get(reverse("campaign", args=[night.store.slug, other.slug])).status_code == 200


def test_a_store_whose_only_campaign_is_archived_is_offered_a_new_one(client):
    night = make_night(players=4, rounds=3, finish=True)
    client.force_login(night.organizer)
    campaigns.archive_campaign(night.campaign, by=BY)

    home = client.get(reverse("store_home", args=[night.store.slug]))

    assert home.context["home"].campaign is None
    assert [month.event.pk for month in home.context["home"].past] == [night.event.pk]
    assert "Create a campaign" in text_of(home)
