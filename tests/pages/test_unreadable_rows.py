"""What is stored and cannot be read any more: it is shown at its place, can be removed, and the night goes on."""

import re
from random import Random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory
from django.urls import reverse

from fleets.models import CatalogueCard
from tests.actions.test_roll_offs import tied_table
from tests.support.built_fleets import bring, bring_all, night_with_fleets, two_ships
from tests.support.fleets_for_tests import ship_card
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tests.support.unreadable import BROKEN, break_fleet, exported_and_imported, not_shown, overwrite, pages_about
from tourney.actions import events, fleets, rehearsal, roll_offs, rounds, simulation
from tourney.actions.record import Refused
from tourney.models import (
    Entrant,
    Event,
    Fleet,
    JournalEntry,
    Match,
    PlayedSheet,
    Result,
    Roll,
    Round,
    Seat,
    SheetCheck,
)
from tourney.queries.fleets import fleets_of, statuses
from tourney.queries.state import state_of
from tourney.runtime.checked_json import UnreadableValue
from tourney.runtime.messages import message
from tourney.serving.middleware import RefuseWhatCannotBeRead

pytestmark = pytest.mark.django_db

SAYS = "can’t be read"


def entrant(night: Night, number: int) -> Entrant:
    return night.event.entrants.select_related("player__store").get(number=number)


def desk_of(night: Night) -> Client:
    client = Client()
    client.force_login(night.organizer)
    return client


def text_of(response) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def play(night: Night) -> None:
    simulation.play_round(night.event, random=Random(1), by=BY)


def test_a_night_goes_on_with_everything_broken_that_could_be():
    night = make_night(players=4, open_round=True)
    bring_all(night.event)
    play(night)
    rounds.pair_round(night.event, seed=2, by=BY)
    rounds.publish_round(night.event, 2, by=BY)
    break_fleet(night.event, 1)
    overwrite(Fleet.objects.get(entrant__number=2), "rulings", [{"rule": 7}])
    overwrite(night.event, "tables", [{"number": "one"}])
    overwrite(night.event, "announcements", [["Pizza", "soon"], "x"])
    for round in Round.objects.all():
        overwrite(round, "relaxed_rules", [{"kind": "rematch", "ids": [], "numbers": []}, 5])
    for match in Match.objects.all():
        overwrite(match, "reason", {"kind": ["by_hand"]})
    for result in Result.objects.all():
        overwrite(result, "tallies_a", {"ds9": "many"})
    overwrite(PlayedSheet.objects.get(), "data", {"format": "another"})

    assert not_shown(pages_about(night, 1, phone_of(entrant(night, 1).player), desk_of(night))) == {}

    play(night)
    events.finish_event(night.event, by=BY, reason="the shop closes")
    archive, again = exported_and_imported(night)
    assert archive["left_out"] == [f"The fleet of {entrant(night, 1)} can’t be read, so it isn’t in this archive."]
    assert again.entrants.filter(fleet__isnull=False).count() == 3
    assert again.rounds.filter(state="closed").count() == 2


def test_an_unreadable_fleet_is_named_on_each_page_where_it_would_stand():
    night = make_night(players=2)
    bring_all(night.event)
    fleet, phone, desk = break_fleet(night.event, 1), phone_of(entrant(night, 1).player), desk_of(night)
    slug, store = night.event.slug, night.store.slug
    paper = reverse("paper", args=[slug])

    said = {
        path: SAYS in text_of(client.get(path))
        for client, path in (
            (desk, reverse("players", args=[slug])),
            (desk, reverse("player", args=[slug, 1])),
            (desk, reverse("entrant_fleet", args=[slug, 1])),
            (desk, reverse("sheet", args=[slug, 1])),
            (desk, reverse("fleet", args=[store, fleet.pk])),
            (desk, f"{paper}?doc=check-in"),
            (desk, f"{paper}?doc=build-sheets"),
            (phone, reverse("me", args=[slug])),
            (phone, reverse("sheet", args=[slug, 1])),
            (phone, reverse("my_fleets", args=[store])),
            (phone, reverse("fleet", args=[store, fleet.pk])),
            (phone, reverse("fleet_sheet", args=[store, fleet.pk])),
        )
    }

    assert said == dict.fromkeys(said, True)
    state = state_of(Event.objects.with_context().get(pk=night.event.pk))
    assert {number: one.kind for number, one in statuses(state, fleets_of(state)).items()} == {
        1: "unreadable",
        2: "legal",
    }


def test_the_desk_removes_an_unreadable_fleet_in_play_and_enters_another_one():
    night = night_with_fleets(players=2)
    fleet, desk = break_fleet(night.event, 1), desk_of(night)
    page = reverse("entrant_fleet", args=[night.event.slug, 1])

    removed = desk.post(page, {"do": "take_off"}, follow=True)

    assert "Fleet removed from the event." in text_of(removed)
    assert "No fleet yet" in text_of(removed)
    assert Fleet.objects.get(pk=fleet.pk).entrant is None
    assert JournalEntry.objects.last().what == f"{entrant(night, 1)}’s fleet removed from the event because it {SAYS}."
    desk.post(page, {"do": "import", "text": "Kestrel [24]", "reason": "the first one was damaged"})
    assert Fleet.objects.get(entrant__number=1).sheet.lines[0].card.title == "Kestrel"


def test_a_judge_removes_no_fleet_and_nobody_one_that_can_be_read():
    night = night_with_fleets(players=2)
    page, judge = reverse("entrant_fleet", args=[night.event.slug, 1]), Client()
    judge.force_login(night.judge)

    refused = desk_of(night).post(page, {"do": "take_off"})
    break_fleet(night.event, 1)

    assert (refused.status_code, "This fleet can be read, so it stays." in text_of(refused)) == (409, True)
    assert "Remove fleet" not in text_of(judge.get(page))
    assert judge.post(page, {"do": "take_off"}).status_code == 404
    assert Fleet.objects.filter(entrant__number=1).exists()


def test_a_player_deletes_an_unreadable_fleet_and_builds_another():
    night = make_night(players=2)
    bring(night.event, 1)
    fleet, phone = break_fleet(night.event, 1), phone_of(entrant(night, 1).player)

    phone.post(reverse("fleet", args=[night.store.slug, fleet.pk]), {"do": "delete"})
    phone.post(reverse("my_fleets", args=[night.store.slug]), {"do": "make", "event": night.event.slug})

    assert not Fleet.objects.filter(pk=fleet.pk).exists()
    assert Fleet.objects.get(entrant__number=1).sheet.lines == ()


def test_an_unreadable_fleet_gives_way_to_another_before_the_first_round():
    night = make_night(players=2)
    old = bring(night.event, 1)
    break_fleet(night.event, 1)

    new = bring(night.event, 1, name="Another")

    assert Fleet.objects.get(entrant__number=1) == new
    assert Fleet.objects.get(pk=old.pk).entrant is None


def test_nothing_is_done_with_an_unreadable_fleet_but_to_remove_it():
    night = make_night(players=2)
    bring(night.event, 1)
    row = break_fleet(night.event, 1)
    row.refresh_from_db()
    loose = fleets.make_fleet(row.player, "Loose", by=BY)
    overwrite(loose, "data", [])
    loose.refresh_from_db()

    for act in (
        lambda: fleets.step(row, lambda sheet: two_ships(), did=message("Changed"), by=BY),
        lambda: fleets.copy_fleet(row, by=BY),
        lambda: fleets.assign_to_event(night.event, 1, loose, by=BY),
    ):
        with pytest.raises(Refused, match=f"This fleet {SAYS}. Import it again or build a new one."):
            act()


def test_a_step_whose_sheet_before_it_is_unreadable_is_not_undone():
    night = make_night(players=2)
    row = bring(night.event, 1)
    fleets.step(row, lambda sheet: two_ships(None), did=message("Resource removed"), by=BY)
    overwrite(row.steps.get(), "before", {"format": "another"})

    with pytest.raises(Refused, match=f"The fleet before this step {SAYS}, so the step can’t be undone."):
        fleets.undo(row, by=BY)


def test_undoing_the_last_step_brings_a_fleet_back_that_it_made_unreadable():
    night = make_night(players=2)
    row = bring(night.event, 1)
    before = row.sheet
    fleets.step(row, lambda sheet: two_ships(None), did=message("Resource removed"), by=BY)
    break_fleet(night.event, 1)

    fleets.undo(row, by=BY)

    assert Fleet.objects.get(pk=row.pk).sheet == before


def test_an_unreadable_fleet_is_no_legal_one_where_the_event_asks_for_that():
    night = make_night(players=2)
    bring_all(night.event)
    break_fleet(night.event, 1)
    state = state_of(night.event)
    fleet = fleets_of(state)[1]

    assert (fleet.is_legal, fleet.violations, fleet.total) == (False, (), 0)


def test_a_round_that_closes_keeps_no_unreadable_sheet():
    night = night_with_fleets(players=2)
    break_fleet(night.event, 1)

    play(night)

    ((number, sheet),) = Seat.objects.all().sheets("entrant__number")
    assert (number, len(sheet["ships"])) == (2, 2)


def test_a_signature_goes_with_the_unreadable_fleet_it_was_about():
    night = night_with_fleets(players=2)
    seat = Seat.objects.get(entrant__number=2)
    SheetCheck.objects.create(seat=seat, state=SheetCheck.State.SIGNED, by_name="test", at=BY.at)
    break_fleet(night.event, 1)

    fleets.take_off(night.event, 1, by=BY)

    assert not SheetCheck.objects.exists()


def test_a_rehearsal_goes_without_the_unreadable_fleet():
    night = make_night(players=2)
    bring_all(night.event)
    break_fleet(night.event, 1)

    copy = rehearsal.begin(night.event, rehearsal.RehearsalPlan(0), by=BY, seed=1)

    assert list(copy.entrants.filter(fleet__isnull=False).values_list("number", flat=True)) == [2]


@pytest.mark.parametrize("form", ["text", "spacedock", "json"])
def test_an_unreadable_fleet_is_exported_as_no_empty_one(form):
    night = make_night(players=2)
    bring(night.event, 1)
    fleet, phone = break_fleet(night.event, 1), phone_of(entrant(night, 1).player)

    answer = phone.get(reverse("fleet_file", args=[night.store.slug, fleet.pk, form]), follow=True)

    assert answer.redirect_chain == [(reverse("fleet", args=[night.store.slug, fleet.pk]), 302)]
    assert f"{fleet.name} {SAYS}, so it can’t be exported." in text_of(answer)


def test_what_is_kept_about_a_player_names_the_fleet_that_is_unreadable():
    night = make_night(players=2)
    bring(night.event, 1)
    phone = phone_of(break_fleet(night.event, 1).player)

    (kept,) = phone.get(reverse("my_data", args=[night.store.slug])).json()["fleets"]

    assert (kept["can_be_read"], kept["sheet"]) == (False, BROKEN)


def test_a_sheet_that_no_reader_takes_for_whatever_cause_is_unreadable():
    night = make_night(players=2)
    bring(night.event, 1)
    deep: dict = {}
    for _ in range(200):
        deep = {"format": "flagship-fleet", "version": 1, "ships": [deep], "other": []}
    break_fleet(night.event, 1, deep)

    answers = pages_about(night, 1, phone_of(entrant(night, 1).player), desk_of(night))

    assert not_shown(answers) == {}
    assert Fleet.objects.get(entrant__number=1).readable_sheet is None


def test_a_pairing_whose_reason_is_unreadable_says_so():
    night = make_night(players=2, open_round=True)
    overwrite(Match.objects.get(), "reason", {"kind": "neighbours", "ids": [99], "numbers": [1]})
    match = state_of(night.event).rounds[0].matches[0]
    overwrite(Match.objects.get(), "reason", [])

    assert str(match.why) == "The reason for this pairing can’t be read."
    assert state_of(night.event).rounds[0].matches[0].why == match.why


def test_an_unreadable_roll_is_left_out_and_rolled_again():
    event, group = tied_table()
    roll_offs.roll_dice(event, 1, "table", group, dict.fromkeys(group, 2), by=BY)
    roll_offs.roll_dice(event, 1, "table", group, dict(zip(group, (4, 1), strict=True)), by=BY)
    overwrite(Roll.objects.get(number=2), "counts", {"4": "many"})

    left = state_of(event).roll_offs[0]
    assert ([roll.number for roll in left.rolls], left.is_broken) == ([1], False)

    roll_offs.roll_dice(event, 1, "table", group, dict(zip(group, (0, 3), strict=True)), by=BY, roll=2)
    assert state_of(event).roll_offs[0].levels == ((group[1],), (group[0],))
    assert Roll.objects.count() == 2


def test_a_card_of_the_catalogue_that_is_unreadable_is_known_by_its_title_and_cost():
    row = CatalogueCard.of(ship_card("Kestrel", 24), released=None, source="test")
    row.save()
    overwrite(row, "data", {"kind": "ship", "title": "K" * 500})

    card = CatalogueCard.objects.get().card

    assert (card.title, card.cost, card.key) == ("Kestrel", 24, "")


def test_what_cannot_be_stored_is_answered_with_a_sentence_and_not_with_an_error(caplog):
    def view(request):
        Fleet(data=BROKEN).save()

    request = RequestFactory().post("/")
    request.user, request.htmx = AnonymousUser(), False
    with pytest.raises(UnreadableValue) as found:
        view(request)

    answer = RefuseWhatCannotBeRead(view).process_exception(request, found.value)

    assert (answer.status_code, "Something you entered can’t be stored." in text_of(answer)) == (422, True)
    assert "Not saved: tourney.Fleet.data: " in caplog.text
    assert RefuseWhatCannotBeRead(view).process_exception(request, ValueError()) is None


def test_a_typed_card_whose_title_holds_letters_that_nobody_sees_is_saved_without_them():
    night = make_night(players=2)
    fleet, phone = bring(night.event, 1), phone_of(entrant(night, 1).player)
    page = reverse("fleet", args=[night.store.slug, fleet.pk])
    card = {"do": "by_hand", "kind": "crew", "cost": 3, "at": 1}

    phone.post(page, card | {"title": "Quill\u200b the\u202e Second"})
    refused = phone.post(page, card | {"title": "\u200b\u202e"})

    assert "Quill the Second" in [line.card.title for line in Fleet.objects.get(pk=fleet.pk).sheet.lines]
    assert refused.status_code == 422
    assert len(Fleet.objects.get(pk=fleet.pk).sheet.lines) == len(two_ships().lines) + 1
