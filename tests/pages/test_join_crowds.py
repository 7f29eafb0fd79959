"""Crowds: the desk is told of many registrations from one device or network, and removes them in one step."""

import re
from datetime import timedelta

import pytest

from tests.pages.test_me import text_of
from tests.support.joining import crowd, desk, names, url
from tests.support.nights import AT, BY, make_night
from tourney.actions import entrants, history, joining, rounds, store_players
from tourney.actions.joining import Sender
from tourney.actions.record import Actor, Refused
from tourney.models import Event, JournalEntry, Player
from tourney.queries.history import differences, history_of
from tourney.queries.joining import MANY

pytestmark = pytest.mark.django_db


def test_the_desk_is_told_of_many_from_one_device_and_removes_them_in_one_step_that_can_be_undone():
    night = make_night(players=0)
    crowd(night, 20)
    joining.join(night.event, ("Vor", "Klingon"), by=BY, sender=Sender("network", "a phone"))
    client = desk(night)

    told = text_of(client.get(url("players", night)))
    review = client.get(url("crowds", night))
    ticked = re.findall(r'name="number"\s+value="(\d+)"\s+checked', review.content.decode())
    removed = client.post(url("crowds", night), {"number": ticked}, follow=True)

    assert "20 players joined in one minute from one device. Review players" in told
    assert len(ticked) == 20
    assert "20 registrations removed. You can undo it." in text_of(removed)
    assert "joined in one minute" not in text_of(removed)
    assert names(night) == ["Vor"]
    entry = JournalEntry.objects.get(event=night.event, did="remove_many")
    assert entry.what.startswith("20 registrations removed: ")
    history.undo(night.event, history_of(night.event).last.pk, by=BY)
    assert sorted(names(night)) == sorted(["Vor", *(f"Bot {place}" for place in range(20))])
    assert differences(Event.objects.get(pk=night.event.pk)) == []
    history.redo(night.event, history_of(night.event).next.pk, by=BY)
    assert names(night) == ["Vor"]


def test_one_of_a_crowd_is_removed_alone():
    night = make_night(players=0)
    crowd(night, 20)
    number = night.event.entrants.get(player__name="Bot 7").number

    desk(night).post(url("crowds", night), {"number": [number]})

    assert JournalEntry.objects.get(did="remove_many").what == "1 registration removed: Bot 7."
    assert len(names(night)) == 19


def test_removed_players_who_registered_again_or_were_merged_come_back_to_nobody_twice():
    night = make_night(players=0)
    crowd(night, 3)
    entrants.remove_many(night.event, [1, 2], by=BY)
    step = history_of(night.event).last.pk
    entrants.register(night.event, [("Bot 0", "Klingon")], by=BY)

    with pytest.raises(Refused, match="Bot 0 has registered again"):
        history.undo(night.event, step, by=BY)

    entrants.remove(night.event, 4, by=BY)
    other = make_night(players=0, store=night.store).event
    entrants.register(other, [("Real Name", "Klingon")], by=BY)
    store_players.merge(Player.objects.get(name="Real Name"), Player.objects.get(name="Bot 0"), by=BY)
    history.undo(night.event, step, by=BY)
    assert sorted(names(night)) == ["Bot 1", "Bot 2", "Real Name"]


def test_who_is_checked_in_is_no_part_of_a_crowd_and_who_has_a_seat_is_not_removed():
    night = make_night(players=4)
    crowd(night, MANY["device"])
    told = "10 players joined in one minute from one device."
    assert told in text_of(desk(night).get(url("players", night)))
    bot = night.event.entrants.get(player__name="Bot 0").number

    entrants.check_in(night.event, [bot], by=BY)
    rounds.pair_round(night.event, seed=1, by=BY)

    assert told not in text_of(desk(night).get(url("players", night)))
    answer = desk(night).post(url("crowds", night), {"number": [bot]})
    assert answer.status_code == 409
    assert "Bot 0 is in the draft of round 1." in text_of(answer)
    assert desk(night).post(url("crowds", night), {"number": [bot, bot + 1]}).status_code == 302
    assert "Bot 0" in names(night)
    assert "Bot 1" not in names(night)


def test_a_crowd_from_one_device_comes_before_a_larger_one_from_a_network():
    night = make_night(players=0)
    for place in range(MANY["network"]):
        joining.join(night.event, (f"Guest {place}", ""), by=BY, sender=Sender("Wi-Fi", f"phone {place}"))
    crowd(night, MANY["device"])

    told = text_of(desk(night).get(url("crowds", night)))

    assert told.index("10 players joined in one minute from one device") < told.index("30 players joined in one minute")


def test_a_full_store_behind_one_address_is_no_device_and_a_network_of_many_is_only_a_hint():
    night = make_night(players=0)
    for place in range(MANY["network"]):
        by = Actor(None, "a player", AT + timedelta(seconds=place))
        joining.join(night.event, (f"Guest {place}", ""), by=by, sender=Sender("Wi-Fi", f"phone {place}"))

    told = text_of(desk(night).get(url("players", night)))
    review = desk(night).get(url("crowds", night))

    assert "30 players joined in one minute from one network. That can be your store’s Wi-Fi." in told
    assert "checked" not in review.content.decode().split("<section")[1]
    ticked = desk(night).get(url("crowds", night), {"tick": "all"}).content.decode()
    assert ticked.count("checked>") == MANY["network"]


def test_a_tablet_at_the_counter_that_registers_one_every_ten_seconds_is_no_crowd():
    night = make_night(players=0)
    crowd(night, 20, seconds=10)

    assert "joined in one minute" not in text_of(desk(night).get(url("players", night)))
    assert "Nothing to review" in text_of(desk(night).get(url("crowds", night)))
