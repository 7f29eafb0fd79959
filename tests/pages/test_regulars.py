"""A player with a card at the store: joins as last time in one tap, declares another faction, can't make it."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.pages.test_me import text_of
from tests.support.arriving import arrange
from tests.support.built_fleets import bring
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tests.support.tables import match_at
from tests.support.undoing import undo
from tourney.actions import entrants, events, fleets, history, joining, rounds
from tourney.domain.arrivals import ArrivalOption, ArrivalWay, Moment
from tourney.models import Entrant, Event, Fleet, JournalEntry, Player
from tourney.queries.history import history_of
from tourney.queries.integrity import differences

pytestmark = pytest.mark.django_db


def regular(*, faction: str = "Klingon", pack: str = "dominion-war-6") -> tuple[Night, Player, Client]:
    """A new event of a store where that player flew a fleet last month, and their phone."""
    last = make_night(players=0)
    entrants.register(last.event, [("Vor", faction)], by=BY)
    bring(last.event, 1)
    Event.objects.filter(pk=last.event.pk).update(name="Last month", starts_at=timezone.now() - timedelta(days=30))
    night = make_night(players=0, pack=pack, store=last.store)
    Event.objects.filter(pk=night.event.pk).update(starts_at=timezone.now() + timedelta(days=3))
    player = Player.objects.get(name="Vor")
    return night, player, phone_of(player)


def coming(phone: Client, night: Night, do: str, **facts):
    return phone.post(reverse("coming", args=[night.event.slug]), {"do": do, **facts})


def card(phone: Client, night: Night):
    return phone.get(reverse("my_card", args=[night.store.slug]))


def fields(page, do: str) -> dict[str, str]:
    """What the form of the page with that button sends."""
    form = next(one for one in page.content.decode().split("<form")[1:] if f'value="{do}"' in one.split("</form>")[0])
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form.split("</form>")[0]))


def own(night: Night) -> Entrant:
    return night.event.entrants.get(player__name="Vor")


# joining


def test_one_tap_on_the_card_joins_with_the_faction_and_a_copy_of_the_fleet_of_last_time():
    night, _, phone = regular()
    page = card(phone, night)

    assert "I’m coming" in text_of(page)
    answer = coming(phone, night, **fields(page, "come") | {"do": "come"})

    entrant = own(night)
    assert answer.headers["Location"] == f"{reverse('join', args=[night.event.slug])}?in={entrant.number}"
    assert (entrant.faction, entrant.by_self, entrant.fleet.name) == ("Klingon", True, "Vanguard 2")
    assert Fleet.objects.filter(player=entrant.player).count() == 2
    assert JournalEntry.objects.get(event=night.event, did="register").by_name == "Vor"
    assert "I’m coming" not in text_of(card(phone, night))


def test_the_second_tap_changes_nothing():
    night, _, phone = regular()
    facts = fields(card(phone, night), "come") | {"do": "come"}

    answers = [coming(phone, night, **facts) for _ in range(2)]

    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    assert JournalEntry.objects.filter(event=night.event, did="register").count() == 1
    assert Fleet.objects.count() == 2


def test_the_page_to_join_has_the_faction_and_the_fleet_chosen_and_takes_others():
    night, player, phone = regular()
    other = fleets.make_fleet(player, "Reserve", by=BY, sheet=Fleet.objects.get().sheet)
    page = phone.get(reverse("join", args=[night.event.slug]))

    form = page.context["mine"]
    assert "Join as Vor" in text_of(page)
    assert (form["faction"].value(), form["fleet"].value()) == ("Klingon", str(Fleet.objects.get(name="Vanguard").pk))
    coming(phone, night, "come", faction="Romulan", fleet=other.pk)
    assert (own(night).faction, own(night).fleet.pk) == ("Romulan", other.pk)


def test_without_a_fleet_chosen_none_is_entered():
    night, _, phone = regular()

    coming(phone, night, "come", faction="Romulan", fleet="")

    assert not Fleet.objects.filter(entrant=own(night)).exists()


def test_where_the_faction_of_last_time_is_not_possible_the_page_says_so_and_asks():
    night, _, phone = regular(faction="Borg")
    page = card(phone, night)

    assert f'href="{reverse("join", args=[night.event.slug])}">I’m coming' in " ".join(page.content.decode().split())
    asked = text_of(phone.get(reverse("join", args=[night.event.slug])))
    assert "You last played for Borg, which isn’t one of this month’s factions. Choose another." in asked
    refused = coming(phone, night, "come", faction="Borg")
    assert refused.status_code == 422
    assert not night.event.entrants.exists()


def test_a_month_without_factions_asks_for_none():
    night, _, phone = regular(pack="temporal-cold-war-2")

    coming(phone, night, **fields(card(phone, night), "come") | {"do": "come"})

    assert own(night).faction == ""


def test_nobody_joins_with_the_fleet_of_another_player_or_without_a_card():
    night, _, phone = regular()
    entrants.register(night.event, [("Kestrel", "Klingon")], by=BY)
    theirs = bring(night.event, 1, name="Theirs")

    assert coming(phone, night, "come", faction="Klingon", fleet=theirs.pk).status_code == 422
    assert coming(Client(), night, "come", faction="Klingon").status_code == 404
    assert coming(phone, night, "anything").status_code == 404
    assert night.event.entrants.count() == 1


def test_a_card_needs_no_code_to_join_and_waits_for_nobody_but_closed_stays_closed():
    night, _, phone = regular()
    joining.ask_for_word(night.event, "amber 12", by=BY)
    events.open_registration(night.event, False, by=BY)

    closed = coming(phone, night, "come", faction="Klingon")
    assert (closed.status_code, "Registration is closed. Ask at the counter." in text_of(closed)) == (409, True)
    assert "I’m coming" not in text_of(card(phone, night))
    events.open_registration(night.event, True, by=BY)
    assert coming(phone, night, "come", faction="Klingon").status_code == 302


def test_a_friend_is_still_registered_with_the_same_phone():
    night, _, phone = regular()

    assert "Register another player" in text_of(phone.get(reverse("join", args=[night.event.slug])))
    phone.post(reverse("join", args=[night.event.slug]), {"name": "Kestrel", "faction": "Klingon"})

    assert [str(one) for one in night.event.entrants.all()] == ["Kestrel"]


# afterwards


def test_another_faction_is_declared_on_the_card_until_round_1_is_paired():
    night, _, phone = regular()
    entrants.register(night.event, [("Vor", "Klingon"), ("Kestrel", "Klingon")], by=BY, checked_in=True)

    assert "Change faction" in text_of(card(phone, night))
    coming(phone, night, "faction", faction="Romulan")
    assert own(night).faction == "Romulan"
    assert coming(phone, night, "faction", faction="Borg").status_code == 409
    rounds.pair_round(night.event, seed=1, by=BY)
    late = coming(phone, night, "faction", faction="Klingon")
    assert (late.status_code, "Round 1 is being paired. Ask at the counter." in text_of(late)) == (409, True)
    assert own(night).faction == "Romulan"
    assert "Change faction" not in text_of(card(phone, night))


def test_who_cannot_make_it_withdraws_and_the_desk_undoes_it():
    night, _, phone = regular()
    coming(phone, night, "come", faction="Klingon")

    page = card(phone, night)
    assert "I can’t make it" in text_of(page)
    answer = phone.post(reverse("coming", args=[night.event.slug]), {"do": "withdraw"}, follow=True)

    assert f"You’re no longer registered for {night.event.name}." in text_of(answer)
    assert not night.event.entrants.exists()
    entry = JournalEntry.objects.get(event=night.event, did="withdraw")
    assert (entry.by_name, entry.what) == ("Vor", "Vor withdrew from the event.")
    history.undo(night.event, history_of(night.event).last.pk, by=BY)
    assert own(night).faction == "Klingon"
    assert differences(Event.objects.get(pk=night.event.pk)) == []
    history.redo(night.event, history_of(night.event).next.pk, by=BY)
    assert not night.event.entrants.exists()


def test_who_withdrew_twice_or_comes_again_is_registered_once():
    night, _, phone = regular()
    coming(phone, night, "come", faction="Klingon")

    assert [coming(phone, night, "withdraw").status_code for _ in range(2)] == [302, 302]
    coming(phone, night, "come", faction="Romulan")

    assert [one.faction for one in night.event.entrants.all()] == ["Romulan"]
    assert JournalEntry.objects.filter(did="withdraw").count() == 1


def test_from_round_1_on_the_desk_is_asked():
    night, _, phone = regular()
    entrants.register(night.event, [("Vor", "Klingon"), ("Kestrel", "Klingon")], by=BY, checked_in=True)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)

    late = coming(phone, night, "withdraw")

    assert (late.status_code, "Round 1 has started. Ask at the counter." in text_of(late)) == (409, True)
    assert own(night).dropped_from is None
    assert "I can’t make it" not in text_of(card(phone, night))


def test_nobody_withdraws_another_player():
    night, _, _ = regular()
    entrants.register(night.event, [("Vor", "Klingon")], by=BY)
    other = phone_of(Player.objects.create(store=night.store, name="Kestrel"))

    assert coming(other, night, "withdraw").status_code == 302
    assert coming(Client(), night, "withdraw").status_code == 404
    assert own(night)


def test_the_fleet_of_who_withdraws_stays_theirs():
    night, _, phone = regular()
    coming(phone, night, **fields(card(phone, night), "come") | {"do": "come"})

    coming(phone, night, "withdraw")

    assert [fleet.name for fleet in Fleet.objects.filter(entrant=None)] == ["Vanguard 2"]


def test_once_the_last_round_is_paired_nobody_joins_with_one_tap():
    night, _, phone = regular()
    others = [("Kestrel", "Klingon"), ("Onyx", "Klingon")]
    entrants.register(night.event, others, by=BY, checked_in=True)
    Event.objects.filter(pk=night.event.pk).update(rounds_planned=1)
    rounds.pair_round(night.event, seed=1, by=BY)
    assert "I’m coming" in text_of(card(phone, night))
    rounds.publish_round(night.event, 1, by=BY)

    late = coming(phone, night, "come", faction="Klingon")

    assert (late.status_code, "The last round is already paired." in text_of(late)) == (409, True)
    assert "I’m coming" not in text_of(card(phone, night))
    assert night.event.entrants.count() == 2


def test_who_gave_a_seat_away_in_a_round_that_can_be_restored_asks_at_the_counter():
    event = make_night(players=5, open_round=True).event
    gone = match_at(event, 1).a
    arrange(event, gone.number, ArrivalOption(Moment.DROPS_NOW, ArrivalWay.REPLACED))
    while undo(event) != "publish_round":
        pass
    rounds.discard_draft(event, 1, by=BY)

    refused = phone_of(gone.player).post(reverse("coming", args=[event.slug]), {"do": "withdraw"})

    said = "You were paired in a round that can be restored. Ask at the counter."
    assert (refused.status_code, said in text_of(refused)) == (409, True)
    assert event.entrants.filter(number=gone.number).exists()
