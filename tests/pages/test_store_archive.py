"""The archive of a store in its settings, what follows a store that moved, and what an import refuses."""

import gzip
import stat
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.nights import AT, BY, Night, make_night, make_store
from tests.support.phones import phone_with
from tests.support.store_archives import archive_of_store, give_back_ids, leave_nothing, moved
from tourney.actions import entrants, player_cards
from tourney.actions.player_cards import recover
from tourney.actions.record import Stale
from tourney.actions.store_archive import InvalidStoreArchive, import_store
from tourney.actions.stores import invite, move_store
from tourney.domain.store_file import as_bytes, lines_of
from tourney.models import Event, JournalEntry, Membership, Player, Store, User, Webhook
from tourney.queries.integrity import store_problems
from tourney.queries.player_cards import has_words
from tourney.queries.store_archive import event_known_as, staff_of
from tourney.sharing.actions.webhooks import save_webhook
from tourney.views.throttle import MOST_KEYS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def ids_are_given_back(db: None) -> Iterator[None]:
    yield
    give_back_ids()


THERE = "https://cell-2.example/s/harbor/"


@pytest.fixture
def night() -> Night:
    return make_night(players=4, rounds=1)


def player_of(night: Night) -> Player:
    return night.event.entrants.select_related("player__store").get(number=1).player


def test_an_owner_downloads_the_archive_from_the_settings(night, client):
    connection.check_constraints()
    client.force_login(night.owner)

    page = client.get(f"/s/{night.store.slug}/settings/")
    file = client.get(f"/s/{night.store.slug}/settings/archive/")

    assert f'href="/s/{night.store.slug}/settings/archive/"' in page.content.decode()
    assert file.headers["Content-Disposition"] == f'attachment; filename="store-{night.store.slug}.jsonl.gz"'
    assert "no-store" in file.headers["Cache-Control"]
    assert file.content == archive_of_store(night.store)


def test_the_commands_write_and_read_it_and_make_a_link_for_an_owner(night, tmp_path, client):
    connection.check_constraints()
    file, out = tmp_path / "store.jsonl.gz", StringIO()
    call_command("export_store", night.store.slug, str(file), stdout=out)
    archive = file.read_bytes()
    leave_nothing()

    call_command("import_store", str(file), "--as", "moved-here", "--base-url", "https://a.example", stdout=out)

    there = Store.objects.get()
    assert (there.slug, there.name) == ("moved-here", night.store.name)
    said = out.getvalue()
    assert f"owner@{night.store.slug} (owner)" in said
    link = said.split("Link for an owner: https://a.example")[1].strip()
    assert client.get(link).status_code == 200
    assert list(tmp_path.iterdir()) == [file]
    assert gzip.decompress(archive).startswith(b'{"store archive":')
    assert (Membership.objects.count(), User.objects.count()) == (0, 0)


def test_the_personal_link_opens_the_card_in_the_other_installation_too(night):
    player = player_of(night)
    key = player_cards.issue(player, by=BY)

    there = moved(archive_of_store(night.store))

    page = Client().get(f"/card/{key}/")
    assert page.status_code == 200
    assert player.name in page.content.decode()
    mine = phone_with(key, Player.objects.select_related("store").get(store=there, name=player.name))
    assert player.name in mine.get(f"/e/{night.event.slug}/me/").content.decode()


def test_recovery_words_go_along_under_the_same_secret_and_are_not_promised_under_another(night):
    words = player_cards.issue_with_words(player_of(night), by=BY).words
    archive = archive_of_store(night.store)

    there = moved(archive)

    player = Player.objects.get(store=there, name=player_of_file(archive))
    assert has_words(player)
    with override_settings(SECRET_KEY="that of another installation"):
        assert not has_words(player)
        assert recover(there, words, at=AT) is None
        assert archive_of_store(there) == archive
        new = player_cards.make_words(player, by=BY)
        assert has_words(player)
        assert recover(there, new, at=AT)[0] == player
    assert recover(there, words, at=AT) is None


def player_of_file(archive: bytes) -> str:
    """The name of the only player with a card."""
    rows = [next(iter(line.items())) for line in lines_of(archive)]
    (card,) = [row for kind, row in rows if kind == "playercard"]
    return next(row["name"] for kind, row in rows if kind == "player" and row["id"] == card["player_id"])


def test_recovery_words_bring_the_card_back_where_the_secret_is_the_same(night):
    issued = player_cards.issue_with_words(player_of(night), by=BY)

    there = moved(archive_of_store(night.store))

    player, key = recover(there, issued.words, at=AT)
    assert player.name == issued.player.name
    assert Client().get(f"/card/{key}/").status_code == 200


def test_nobody_has_a_role_there_and_the_webhook_signs_with_another_secret(night):
    save_webhook(night.store, address="https://example.com/", format="json", kinds=["round"], site="https://a.b", by=BY)
    secret, staff = Webhook.objects.get().secret, staff_of(night.store)
    archive = archive_of_store(night.store)
    assert secret.encode() not in gzip.decompress(archive)

    there = moved(archive)

    assert Webhook.objects.get().secret not in ("", secret)
    assert staff_of(there) == staff
    assert [role for _, role in staff] == ["judge", "organizer", "owner"]
    names = {entry.by_whom for entry in JournalEntry.objects.filter(store=there)}
    assert names == {"test"}


# where the store went


@pytest.mark.parametrize(
    ("page", "there"),
    [
        ("/s/{store}/", ""),
        ("/s/{store}/campaigns/{campaign}/?a=b", "campaigns/{campaign}/?a=b"),
        ("/e/{event}/", "e/{event}/"),
        ("/e/{event}/standings/?of=1", "e/{event}/standings/?of=1"),
        ("/e/{event}/me/", "e/{event}/me/"),
        ("/e/{event}/event.json", "e/{event}/event.json"),
    ],
)
def test_public_pages_of_a_store_that_moved_lead_to_its_new_address(night, client, page, there):
    names = {"store": night.store.slug, "campaign": night.campaign.slug, "event": night.event.slug}
    assert client.get(page.format(**names)).status_code == 200
    move_store(night.store, THERE, by=BY)

    found = client.get(page.format(**names))

    assert (found.status_code, found.headers["Location"]) == (302, THERE + there.format(**names))


def test_a_card_a_short_address_and_an_open_page_lead_there_too(night, client):
    key = player_cards.issue(player_of(night), by=BY)
    move_store(night.store, THERE, by=BY)

    card = client.get(f"/card/{key}/")
    part = client.get(f"/e/{night.event.slug}/standings/", headers={"HX-Request": "true"})

    assert card.headers["Location"] == f"https://cell-2.example/card/{key}/"
    assert (part.status_code, part.headers["HX-Redirect"]) == (204, f"{THERE}e/{night.event.slug}/standings/")


def test_what_is_sent_to_a_store_that_moved_is_not_saved_and_told_where_to_go(night):
    key = player_cards.issue(player_of(night), by=BY)
    phone = phone_with(key, player_of(night))
    move_store(night.store, THERE, by=BY)

    answer = phone.post(f"/e/{night.event.slug}/me/call/", {"about": "rules"})

    assert answer.status_code == 409
    assert f'href="{THERE}"' in answer.content.decode()


def test_an_archive_from_before_stores_had_a_town_arrives(night):
    lines = list(lines_of(archive_of_store(night.store)))
    for line in lines:
        line.get("store", {}).pop("place", None)
    leave_nothing()

    assert import_store(b"".join(as_bytes(lines)), by=BY).place == ""


def test_a_page_that_stays_open_has_no_stream_from_a_store_that_moved(night, client):
    move_store(night.store, THERE, by=BY)

    stream = client.get(f"/e/{night.event.slug}/live/", headers={"Accept": "text/event-stream"})

    assert (stream.status_code, stream.content) == (204, b"")


def test_staff_find_their_pages_of_a_store_that_moved_and_the_way_to_delete_it(night, client):
    client.force_login(night.owner)
    move_store(night.store, THERE, by=BY)

    home = client.get(f"/s/{night.store.slug}/")

    assert home.status_code == 200
    assert reverse("leave_store", args=[night.store.slug]) in home.text
    assert "you can delete it here" in client.get(reverse("leave_store", args=[night.store.slug])).text


def test_a_role_given_by_a_link_from_before_is_given_there_alone(night, client):
    path = reverse("invitation", args=[invite(night.store, "judge", by=BY)])
    move_store(night.store, THERE, by=BY)

    answer = client.post(path, {"username": "quill", "password": "a fleet of three", "confirm": "a fleet of three"})

    assert (answer.status_code, client.get(path).headers["Location"]) == (409, THERE)
    assert not User.objects.filter(username="quill").exists()


def test_any_number_of_cards_lead_on_from_one_address(night):
    key = player_cards.issue(player_of(night), by=BY)
    move_store(night.store, THERE, by=BY)

    assert {Client().get(f"/card/{key}/").status_code for _ in range(MOST_KEYS + 2)} == {302}


def test_what_was_on_its_way_as_the_store_moved_is_not_saved(night):
    move_store(night.store, THERE, by=BY)

    with pytest.raises(Stale, match="has moved to"):
        entrants.register(night.event, [("Vex", "Federation")], by=BY)


def test_what_staff_send_to_a_store_that_moved_is_not_saved_either_and_their_pages_say_where_it_is(night, client):
    client.force_login(night.owner)
    move_store(night.store, THERE, by=BY)
    event = Event.objects.get(pk=night.event.pk)

    desk = client.get(f"/e/{event.slug}/desk/")
    named = client.post(f"/s/{night.store.slug}/settings/", {"name": "Elsewhere"})
    added = client.post(f"/e/{event.slug}/desk/players/", {"name": "Vex", "faction": "federation"})

    assert "but change nothing" in " ".join(desk.content.decode().split())
    assert [named.status_code, added.status_code] == [409, 409]
    assert f'href="{THERE}"' in added.content.decode()
    assert Event.objects.get(pk=event.pk).version == event.version


def test_who_works_there_still_sees_it_here_and_can_take_it_back(night, client):
    client.force_login(night.owner)
    move_store(night.store, THERE, by=BY)

    settings = client.get(f"/s/{night.store.slug}/settings/")
    desk = client.get(f"/e/{night.event.slug}/desk/")
    move_store(night.store, "", by=BY)

    assert THERE in settings.content.decode()
    assert desk.status_code == 200
    assert client.get(f"/e/{night.event.slug}/").status_code == 200
    said = [entry.what for entry in night.store.journal.filter(did="change_store")]
    assert said == [f"The store has moved to {THERE}.", "The store is here again."]


def test_a_store_whose_archive_cannot_be_written_has_not_moved(night, tmp_path):
    with pytest.raises(CommandError, match="can’t be written"):
        call_command("export_store", night.store.slug, str(tmp_path / "gone" / "file"), "--moved-to", THERE)

    assert Store.objects.get(pk=night.store.pk).moved_to == ""


def test_only_its_owner_may_read_the_file(night, tmp_path):
    call_command("export_store", night.store.slug, str(tmp_path / "file"), stdout=StringIO())

    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


@pytest.mark.parametrize("address", ["harbor", "ftp://a.b/s/c/", "https://a.b/", "https://a.b/s/c/?x=1"])
def test_a_store_moves_to_an_address_of_a_store_alone(night, tmp_path, address):
    with pytest.raises(CommandError, match="address"):
        call_command("export_store", night.store.slug, str(tmp_path / "file"), "--moved-to", address)
    assert Store.objects.get(pk=night.store.pk).moved_to == ""


def test_an_event_whose_address_is_taken_gets_another_and_is_found_by_the_old_one_at_its_store(night, client):
    archive = archive_of_store(night.store)
    leave_nothing()
    other = make_night(players=2)
    assert other.event.slug == night.event.slug

    there = import_store(archive, slug="moved-here", by=BY)

    connection.check_constraints()
    event = Event.objects.with_context().get(campaign__store=there)
    assert event.slug == f"{night.event.slug}-2"
    assert store_problems(there, [event]) == []
    for page in ("", "standings/", "standings/?of=1"):
        found = client.get(f"/s/moved-here/e/{night.event.slug}/{page}")
        assert found.headers["Location"] == f"/e/{event.slug}/{page}"
    assert client.get(f"/s/moved-here/e/{event.slug}/").headers["Location"] == f"/e/{event.slug}/"
    assert client.get("/s/moved-here/e/nothing/").status_code == 404
    assert client.get(f"/s/{other.store.slug}/e/{event.slug}/").status_code == 404
    assert event.journal.last().what.endswith(f"so this one is {event.slug} now.")


def test_an_event_is_found_by_what_it_was_called_without_reading_the_whole_journal(night):
    with connection.cursor() as cursor:
        cursor.execute(LONG_JOURNAL, {"store": night.store.pk})
        cursor.execute("ANALYZE tourney_journalentry")
    with CaptureQueriesContext(connection) as asked:
        assert event_known_as(night.store, "nothing") is None
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {asked[-1]['sql']}")
        plan = "\n".join(line for (line,) in cursor.fetchall())

    assert "entries_that_import_an_event" in plan


LONG_JOURNAL = """
    INSERT INTO tourney_journalentry (store_id, at, by_name, did, what, reason)
    SELECT %(store)s, now(), 'Quill', 'change_store', 'The store has another color.', '' FROM generate_series(1, 5000)
"""


# what an import refuses


def changed(archive: bytes, kind: str, **values: object) -> bytes:
    """The archive with other values in the first row of that kind, written as if by Flagship."""
    lines, is_done = [], False
    for line in lines_of(archive):
        if kind in line and not is_done:
            line, is_done = {kind: line[kind] | values}, True
        lines.append(line)
    assert is_done
    return b"".join(as_bytes(lines))


@pytest.mark.parametrize(
    ("kind", "values", "why"),
    [
        ("store archive", {"version": 2}, "newer version of Flagship"),
        ("player", {"rating": 5}, "“rating” is not known here. It was made by a newer version"),
        ("result", {"sp_left_a": 3}, "isn’t as the history says"),
        ("entrant", {"faction": "Borg"}, "isn’t as the history says"),
        ("journalentry", {"what": "Nothing."}, "was changed after it was written"),
        ("journalentry", {"by_elsewhere": 7}, "was changed after it was written"),
        ("rowchange", {"row": 999_999}, "isn’t as it was recorded"),
        ("journallink", {"chain_hash": "0" * 64}, "doesn’t follow from the one before"),
        ("chainorigin", {"shift": 1}, "isn’t as it was recorded"),
        ("chainorigin", {"until": 1}, "doesn’t say where its history comes from"),
        ("entrant", {"player_id": 999_999}, "points to player 999999, which isn’t there"),
        ("entrant", {"player_id": -3}, "wrong values of player_id"),
        ("event", {"slug": "../x"}, "wrong values of slug"),
        ("event", {"fleets_shown": "nobody"}, "wrong values of fleets_shown"),
        ("event", {"shop_link": "javascript:alert(1)"}, "wrong values of shop_link"),
        ("store", {"accent": "red;}"}, "wrong values of accent"),
        ("store", {"logo": "../../logo.png"}, "wrong values of logo"),
        ("chainorigin", {"packs": {"x" * 65: 1}}, "contradicts itself"),
        ("store", {"time_zone": "Moon/Base"}, "isn’t a time zone"),
        ("store", {"locale": "xx"}, "is no locale"),
        ("store", {"event_template": {"weekday": 9}}, "Store.event_template"),
        ("monthpack", {"data": {"slug": "mine"}}, "the month pack isn’t as it was written"),
        ("monthpack", {"slug": "mine"}, "the month pack isn’t as it was written"),
        ("monthpack", {"version": 77}, "the month pack isn’t as it was written"),
        ("seat", {"id": 2**52}, "too far apart"),
    ],
)
def test_an_archive_that_was_changed_is_refused_and_nothing_is_saved(night, kind, values, why):
    archive = archive_of_store(night.store)
    leave_nothing()

    with pytest.raises(InvalidStoreArchive) as refused:
        import_store(changed(archive, kind, **values), by=BY)

    assert why in str(refused.value)
    assert (Store.objects.count(), Event.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("kind", "values"),
    [("player", {"name": "Dax"}), ("store", {"name": "DS9"}), ("campaign", {"storyline": "New"})],
)
def test_what_is_no_part_of_an_event_is_taken_as_the_file_has_it(night, kind, values):
    """No journal proves it (docs/store-archive.md), so whoever imports a file trusts who gave it."""
    there = moved(changed(archive_of_store(night.store), kind, **values))

    (found,) = [line[kind] for line in lines_of(archive_of_store(there)) if kind in line][:1]
    assert found | values == found


@pytest.mark.parametrize("kind", ["seat", "journalentry", "rowchange", "journallink", "chainorigin", "store", "player"])
def test_an_archive_that_lacks_a_line_is_refused(night, kind):
    lines = list(lines_of(archive_of_store(night.store)))
    leave_nothing()
    lines.remove(next(line for line in lines if kind in line))

    with pytest.raises(InvalidStoreArchive):
        import_store(b"".join(as_bytes(lines)), by=BY)
    assert Store.objects.count() == 0


def test_a_store_that_is_here_already_is_refused(night):
    archive = archive_of_store(night.store)

    with pytest.raises(InvalidStoreArchive, match="Choose another short name with --as"):
        import_store(archive, by=BY)


def test_the_command_says_what_is_wrong_with_a_damaged_file(night, tmp_path):
    file = tmp_path / "store.jsonl.gz"
    file.write_bytes(archive_of_store(night.store)[:-20])

    with pytest.raises(CommandError, match=r"Nothing changed\..*\nThe file ends in the middle"):
        call_command("import_store", str(file))
    with pytest.raises(CommandError, match="can’t be read"):
        call_command("import_store", str(tmp_path / "nothing"))
    for slug in ("a/b", "Upper_Case", "a" * 61, "new"):
        with pytest.raises(CommandError, match="is no short name"):
            call_command("import_store", str(file), "--as", slug)


def test_nothing_else_in_a_transaction_is_quiet_while_no_store_arrives(night):
    """The setting that lets rows arrive without history does nothing for a store that has links."""
    connection.check_constraints()
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('flagship.arriving_store', %s, true)", [str(night.store.pk)])
    before = night.event.changes.count()
    other = make_store("Another Harbor")[0]
    player = Player.objects.create(store=night.store, name="Late")

    night.event.entrants.create(player=player, number=99, registered_at=AT)

    assert night.event.changes.count() == before + 1
    assert other.origins.count() == 0
