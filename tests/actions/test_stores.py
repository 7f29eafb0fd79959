from datetime import timedelta

import pytest

from tests.support.factories import UserFactory
from tests.support.nights import AT, BY, make_store
from tourney.actions import stores
from tourney.actions.record import Actor, Refused
from tourney.domain.keys import hash_of
from tourney.models import Invitation, JournalEntry, Membership, Role, Store, User

pytestmark = pytest.mark.django_db

LATER = Actor(None, "test", AT + timedelta(days=stores.INVITATION_DAYS, seconds=1))


def invitation_of(key: str) -> Invitation:
    return Invitation.objects.get(key_hash=hash_of(key))


def journal() -> list[tuple[str, str]]:
    """Who did what, oldest first."""
    return list(JournalEntry.objects.values_list("by_name", "what"))


def test_a_store_gets_a_slug_that_nobody_has():
    slugs = [
        stores.make_store(name=name, time_zone="UTC", locale="en_GB", by=BY).slug
        for name in ("Deck 12", "Deck 12", "☆", "new")
    ]

    assert slugs == ["deck-12", "deck-12-2", "unnamed", "new-2"]


def test_a_new_store_and_its_owner_stand_in_the_journal():
    owner = UserFactory(username="vor")

    stores.make_store(name="Deck Twelve", time_zone="UTC", by=BY, owner=owner)

    assert Membership.objects.values_list("user", "role").get() == (owner.pk, "owner")
    assert journal() == [("test", "Store “Deck Twelve” created."), ("test", "vor now has this role: owner.")]


def test_a_changed_store_keeps_its_slug_and_the_journal_says_what_changed():
    store = stores.make_store(name="Deck Twelve", time_zone="UTC", locale="en_GB", by=BY)

    stores.change_store(store, name="Deck Nine", time_zone="Europe/Berlin", by=BY)

    entry = JournalEntry.objects.last()
    assert Store.objects.values_list("name", "slug", "time_zone").get() == ("Deck Nine", "deck-twelve", "Europe/Berlin")
    assert entry.before == {"name": "Deck Twelve", "time_zone": "UTC"}
    assert entry.after == {"name": "Deck Nine", "time_zone": "Europe/Berlin"}


def test_an_invitation_gives_its_role_once():
    store, _ = make_store()
    key = stores.invite(store, Role.JUDGE, by=BY, note="Quill")
    first, second = (UserFactory(username=name) for name in ("quill", "onyx"))

    assert stores.accept_invitation(invitation_of(key), first, by=BY) == store
    with pytest.raises(Refused, match="was already used"):
        stores.accept_invitation(invitation_of(key), second, by=BY)

    used = invitation_of(key)
    assert (used.used_by, used.used_at) == (first, AT)
    assert list(Membership.objects.filter(user__in=[first, second]).values_list("user", "role")) == [
        (first.pk, "judge")
    ]
    assert journal()[-2:] == [
        ("test", "Invitation created for Quill (judge)."),
        ("test", "quill now has this role: judge."),
    ]


def test_an_invitation_runs_out():
    store, _ = make_store()
    key = stores.invite(store, Role.JUDGE, by=BY)

    with pytest.raises(Refused, match="has expired: it was good for 14 days"):
        stores.accept_invitation(invitation_of(key), UserFactory(username="quill"), by=LATER)

    assert invitation_of(key).used_at is None


def test_an_invitation_withdrawn_meanwhile_gives_nothing():
    store, _ = make_store()
    key = stores.invite(store, Role.JUDGE, by=BY)
    opened = invitation_of(key)
    stores.withdraw_invitation(invitation_of(key), by=BY)

    with pytest.raises(Refused, match="has been withdrawn"):
        stores.accept_invitation(opened, UserFactory(username="quill"), by=BY)


def test_whoever_has_a_role_gets_no_second_one_and_the_link_stays_unused():
    store, users = make_store()
    key = stores.invite(store, Role.OWNER, by=BY)

    with pytest.raises(Refused, match="already has a role at Starbase Games: judge"):
        stores.accept_invitation(invitation_of(key), users["judge"], by=BY)

    assert invitation_of(key).used_at is None
    assert Membership.objects.get(user=users["judge"]).role == "judge"


def test_a_role_is_taken_away_once():
    store, users = make_store()
    judge = Membership.objects.get(user=users["judge"])
    stores.take_role(judge, by=BY)

    with pytest.raises(Refused, match="already been taken away"):
        stores.take_role(judge, by=BY)
    assert store.journal.filter(did="take_role").count() == 1


def test_a_role_is_taken_away_and_the_journal_says_so():
    _, users = make_store()

    stores.take_role(Membership.objects.get(user=users["judge"]), by=BY)

    assert not Membership.objects.filter(user=users["judge"]).exists()
    assert journal()[-1] == ("test", "judge@starbase-games no longer has this role: judge.")


def test_a_store_keeps_an_owner():
    store, users = make_store()
    only = Membership.objects.get(user=users["owner"])

    with pytest.raises(Refused, match="is the only owner"):
        stores.take_role(only, by=BY)
    stores.give_role(store, UserFactory(username="second"), Role.OWNER, by=BY)
    stores.take_role(only, by=BY)

    assert list(store.memberships.filter(role="owner").values_list("user__username", flat=True)) == ["second"]


def test_a_set_up_link_is_made_while_there_is_no_owner_and_replaces_the_unused_one():
    first, second = stores.set_up_key(by=BY), stores.set_up_key(by=BY)

    assert list(Invitation.objects.values_list("key_hash", flat=True)) == [hash_of(second)]
    assert first != second


def test_set_up_makes_the_first_store_and_no_second_link():
    link = invitation_of(stores.set_up_key(by=BY))
    owner = UserFactory(username="vor")

    store = stores.set_up(link, owner, store_name="Deck Twelve", time_zone="UTC", locale="en_GB", by=BY)

    assert store.memberships.values_list("user", "role").get() == (owner.pk, "owner")
    assert stores.set_up_key(by=BY) is None
    with pytest.raises(Refused, match="was already used"):
        stores.set_up(link, owner, store_name="Deck Nine", time_zone="UTC", locale="en_GB", by=BY)


@pytest.mark.parametrize(
    ("name", "password", "sentence"),
    [
        ("vor", "long range scan", "The sign-in name “vor” is taken."),
        ("quill", "password1", "This password is too common."),
        ("quill", "quill123", "The password is too similar to the username."),
    ],
)
def test_a_user_with_a_taken_name_or_a_weak_password_is_refused(name, password, sentence):
    stores.make_user("vor", "another long password")

    with pytest.raises(Refused, match=sentence):
        stores.make_user(name, password)

    assert list(User.objects.values_list("username", flat=True)) == ["vor"]
