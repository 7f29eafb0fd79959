"""The editor of a month of one's own: drafts, what does not fit, and saving, also where two write at once."""

from dataclasses import replace
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.shipped import shipped_pack
from tests.support.nights import BY
from tests.support.own_packs import begun, saved
from tests.support.pack_pages import send, store_signed_in, text_of, url
from tourney.actions import events
from tourney.models import Event, OwnPack, PackDraft
from tourney.month_packs.actions.packs import MOST_DRAFTS

pytestmark = pytest.mark.django_db

DS9 = shipped_pack("dominion-war-6")


@pytest.fixture
def place(client):
    """A store with its organizer signed in, and its owner signed in elsewhere."""
    store, users = store_signed_in(client)
    colleague = Client()
    colleague.force_login(users["owner"])
    return store, users, colleague


def live(client, draft: PackDraft, **change) -> str:
    """What comes back when a field is left."""
    typed = draft.typed | {name.replace("__", "-"): value for name, value in change.items() if value is not None}
    headers = {"HX-Request": "true", "HX-Target": "check"}
    answer = client.post(url(draft), typed | {"page": "one", "seen": draft.edits}, headers=headers)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_a_shipped_pack_is_made_ones_own_saved_and_offered_for_an_event(client, place):
    store, _, _ = place
    begin = client.post(reverse("copy_pack", args=[store.slug, "dominion-war-6"]))
    draft = PackDraft.objects.get()
    assert begin.headers["Location"] == url(draft)

    answer = send(client, draft, "save", sp_limit="120", rounds="4")

    own = OwnPack.objects.get()
    assert answer.headers["Location"] == reverse("pack", args=[store.slug, own.slug])
    assert own.versions.get().pack.rules == replace(DS9, slug=own.slug, sp_limit=120, rounds=4)
    campaign = events.make_campaign(store, storyline="Dominion War", by=BY)
    page = text_of(client.get(reverse("new_event", args=[store.slug, campaign.slug])))
    assert page.count('<span class="badge badge-plain">Your own</span>') == 1
    client.post(
        reverse("new_event", args=[store.slug, campaign.slug]),
        {"pack": own.slug, "day": "2026-12-04", "start": "18:30", "asked_day": "2026-12-04"},
    )
    assert (Event.objects.get().pack, Event.objects.get().rounds_planned) == (own.versions.get().pack, 4)


def test_what_does_not_fit_is_kept_as_typed_and_told_at_its_field_and_on_top(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"])

    answer = send(client, draft, "save", rounds="many")

    page = text_of(answer)
    assert answer.status_code == 422
    assert 'value="many"' in page
    assert page.count("“many” isn’t a whole number. Type digits only, like 12.") == 2
    assert "Not saved. Your entries are still here." in page
    assert text_of(client.get(url(draft))).count("“many” isn’t a whole number.") == 1
    assert not OwnPack.objects.exists()


def test_a_field_that_is_left_is_checked_and_the_example_is_added_up_again(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"])

    wrong = live(client, draft, rounds="13")
    right = live(client, draft, rounds="4", bonuses__0__points="50")

    assert "<html" not in wrong
    assert 'id="said-rounds"' in wrong
    assert "Type a whole number from 1 to 12." in wrong
    assert "Fix the marked fields to see the example." in wrong
    assert "Type a whole number from 1 to 12." not in right
    assert "No problems · 2 changes" in right
    assert "<b>150</b>" in right


def test_typing_in_the_example_leaves_its_fields_alone(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"])

    answer = live(client, draft, **{"one-ending": "time", "one-sp_left_a": "10", "one-sp_left_b": "30"},
                  **{"two-ending": "time", "two-sp_left_a": "40", "two-sp_left_b": "62"})  # fmt: skip

    assert 'name="one-sp_left_a"' not in answer
    assert "<b>70</b>" in answer
    assert "<b>90</b>" in answer


def test_rows_are_added_and_removed_without_a_script(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"])

    added = send(client, draft, "add:tallies")
    draft.refresh_from_db()
    shown = text_of(client.get(added.headers["Location"]))
    removed = send(client, draft, "remove:tallies:0", tallies__1__name="Beacons")

    draft.refresh_from_db()
    assert added.headers["Location"] == f"{url(draft)}?row=tallies-1"
    assert shown.count("autofocus") == 1
    assert removed.headers["Location"] == f"{url(draft)}#rows-tallies"
    assert (draft.typed["tallies-count"], draft.typed["tallies-0-name"]) == (["1"], ["Beacons"])


def test_7_17_what_the_month_prints_about_building_is_edited_saved_and_read(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"], shipped_pack("klingon-civil-war-1"))
    shown = text_of(client.get(url(draft)))
    added = send(client, draft, "add:card_limits")
    draft.refresh_from_db()

    send(client, draft, "save", card_limits__1__title="Lure", fleet__oversized="0", cost_changes__0__points="-3")

    own = OwnPack.objects.get()
    page = text_of(client.get(reverse("pack", args=[store.slug, own.slug])))
    assert "This month’s building rules" in shown
    assert added.headers["Location"] == f"{url(draft)}?row=card_limits-1"
    assert own.versions.get().note == (
        "Made from Klingon Civil War, month 1: Attack on Gowron. 3 fields: Ships with an oversized base, Lure "
        "and Klingon ship, or ship with a Klingon card: Change."
    )
    for sentence in ("No ships with an oversized base.", "Banned: Lure.", "At least one per fleet: Klingon card.",
                     "Klingon ship, or ship with a Klingon card: 3 SP less."):  # fmt: skip
        assert sentence in page


def test_whoever_saves_second_sees_both_and_brings_them_together(client, place):
    store, users, colleague = place
    own = saved(store, users["organizer"], sp_limit=120).own
    mine, theirs = (begun(store, users[role], own=own) for role in ("organizer", "owner"))
    assert "has a draft of this pack too" in text_of(client.get(url(mine)))
    send(colleague, theirs, "save", rounds="4", note="Four rounds.")

    answer = send(client, mine, "save", win="3")
    page = text_of(answer)
    merge = client.post(url(mine), {"do": "merge"})
    mine.refresh_from_db()
    send(client, mine, "save", page="two")

    assert answer.status_code == 409
    for words in ("owner@starbase-games saved version 2", "Four rounds.", "4 rounds", "3 points"):
        assert words in page
    assert merge.headers["Location"] == url(mine)
    assert [(v.pack.rules.rounds, v.pack.rules.win) for v in own.versions.all()] == [(3, 2), (4, 2), (4, 3)]


def test_mine_can_be_saved_as_it_is_after_it_was_told(client, place):
    store, users, colleague = place
    own = saved(store, users["organizer"], sp_limit=120).own
    mine, theirs = (begun(store, users[role], own=own) for role in ("organizer", "owner"))
    send(colleague, theirs, "save", rounds="4")
    send(client, mine, "save", win="3")

    client.post(url(mine), {"do": "save", "over": "2"})

    assert [(v.pack.rules.rounds, v.pack.rules.win) for v in own.versions.all()] == [(3, 2), (4, 2), (3, 3)]


def test_a_second_window_goes_on_with_a_draft_of_its_own(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"])
    send(client, draft, page="one", seen=0, rounds="4")

    answer = send(client, draft, page="two", seen=0, rounds="5")
    draft.refresh_from_db()
    other = PackDraft.objects.exclude(pk=draft.pk).get()

    assert answer.headers["Location"] == url(other)
    assert "is now a second draft" in text_of(client.get(url(other)))
    assert (draft.typed["rounds"], other.typed["rounds"]) == (["4"], ["5"])


def test_what_a_second_window_types_again_goes_on_in_the_draft_it_has(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"])
    send(client, draft, page="one", seen=0, rounds="4")

    for rounds in ("5", "6"):
        send(client, draft, page="two", seen=0, rounds=rounds)

    drafts = PackDraft.objects.order_by("pk")
    assert [one.typed["rounds"] for one in drafts] == [["4"], ["6"]]


@pytest.mark.many
@pytest.mark.parametrize("seen", ["-1", "99", "", "²", "9" * 30])
def test_a_page_that_was_never_shown_makes_no_draft_beyond_the_limit_and_loses_nothing(client, place, seen):
    store, users, _ = place
    draft = begun(store, users["organizer"])
    send(client, draft, page="one", seen=0, rounds="4")

    answers = [send(client, draft, page=f"page-{number}", seen=seen, rounds="5") for number in range(MOST_DRAFTS + 2)]

    assert PackDraft.objects.count() == MOST_DRAFTS
    assert [answer.status_code for answer in answers[-3:]] == [409] * 3
    assert f"You have {MOST_DRAFTS} open drafts." in text_of(answers[-1])
    assert answers[-1].context["form"].typed["rounds"] == ["5"]
    draft.refresh_from_db()
    assert draft.typed["rounds"] == ["4"]


def test_what_a_second_window_types_after_the_first_has_saved_becomes_the_draft_of_a_next_version(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"])
    send(client, draft, "save", page="one", rounds="4")

    answer = send(client, draft, page="two", rounds="5")
    other = PackDraft.objects.exclude(pk=draft.pk).get()

    assert answer.headers["Location"] == url(other)
    assert (other.own, other.base, other.typed["rounds"]) == (OwnPack.objects.get(), 1, ["5"])


def test_pressing_save_twice_makes_one_version(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"])

    first, second = (send(client, draft, "save", sp_limit="120") for _ in range(2))

    assert first.headers["Location"] == second.headers["Location"]
    assert OwnPack.objects.get().versions.count() == 1


def test_what_cannot_be_saved_is_told_and_kept(client, place):
    store, users, _ = place
    own = saved(store, users["organizer"], sp_limit=120).own
    draft = begun(store, users["organizer"], own=own)

    answer = send(client, draft, "save")

    assert answer.status_code == 409
    assert "This is the same as version 1; there is nothing to save." in text_of(answer)


def test_a_draft_belongs_to_whoever_began_it(client, place):
    store, users, colleague = place
    draft = begun(store, users["organizer"])

    assert (client.get(url(draft)).status_code, colleague.get(url(draft)).status_code) == (200, 404)
    assert "A new pack ·" in text_of(colleague.get(reverse("packs", args=[store.slug])))


def test_a_discarded_draft_is_gone_and_versions_stay(client, place):
    store, users, _ = place
    own = saved(store, users["organizer"]).own
    draft = begun(store, users["organizer"], own=own)

    answer = client.post(reverse("discard_draft", args=[store.slug, draft.pk]))

    assert answer.headers["Location"] == reverse("packs", args=[store.slug])
    assert [PackDraft.objects.filter(pk=draft.pk).exists(), own.versions.count()] == [False, 1]


def test_a_list_without_end_in_the_editor_says_how_many_fit(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"])

    answer = send(client, draft, "save", factions=["\n".join(map(str, range(5_000)))])

    assert answer.status_code == 422
    assert "This has too many entries; the most is 100. Remove some." in text_of(answer)


def test_the_editor_asks_as_many_queries_for_many_rows_as_for_few(client, place):
    store, users, _ = place
    counts = []
    for slug in ("dominion-war-6", "temporal-cold-war-2"):
        draft = begun(store, users["organizer"], rules=shipped_pack(slug))
        with CaptureQueriesContext(connection) as queries:
            client.get(url(draft))
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_a_tampered_page_is_no_way_around_the_format(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"])

    answer = send(client, draft, "save", tallies__count="x", bonuses__count="99999999999", anything="else")

    draft.refresh_from_db()
    assert answer.status_code == 302
    assert draft.saved.pack.rules.tallies == ()
    assert "anything" not in draft.typed


def test_a_name_with_a_script_is_only_a_name(client, place):
    store, users, _ = place
    draft = begun(store, users["organizer"])

    page = send(client, draft, "save", name="<script>alert(1)</script>", rounds="x").content.decode()

    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page
