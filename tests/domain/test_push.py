"""What devices are told while Flagship is closed: which verb tells what, for how long, and whom."""

from datetime import timedelta

import pytest

from tourney.domain.verbs import Verb
from tourney.runtime.outgoing import is_public
from tourney.runtime.web_push import decoded, encoded, encrypted, new_key
from tourney.sharing.domain.push import (
    OF_PLAYERS,
    OF_STAFF,
    TITLES,
    WAITS,
    WORTH,
    PushKind,
    is_key,
    is_secret,
    kind_of,
    topic_of,
    wait_after,
    why_not_told,
)

TOLD = {
    Verb.PUBLISH_ROUND: "table",
    Verb.MOVE_UP: "place",
    Verb.ASK_FOR_JUDGE: "judge",
    Verb.CALL_JUDGE: "judge",
}
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize("verb", Verb)
def test_which_verb_tells_what(verb: Verb):
    assert kind_of(verb) == TOLD.get(verb)


def test_what_an_archive_brought_from_elsewhere_tells_nothing():
    assert kind_of("beam_up") is None


def test_each_kind_is_for_players_or_for_staff_and_has_its_words_and_time():
    assert sorted([*OF_PLAYERS, *OF_STAFF]) == sorted(PushKind) == sorted(TITLES) == sorted(WORTH)
    assert [str(TITLES[kind]) for kind in PushKind] == ["Your table is ready", "You have a place", "A judge was called"]


@pytest.mark.parametrize(
    ("attempts", "waited", "kind", "wait"),
    [
        (1, timedelta(), PushKind.TABLE, WAITS[0]),
        (2, timedelta(seconds=20), PushKind.TABLE, WAITS[1]),
        (3, 2 * MINUTE, PushKind.TABLE, WAITS[2]),
        (4, 8 * MINUTE, PushKind.PLACE, None),  # the last try
        (3, 5 * MINUTE, PushKind.TABLE, None),  # it would come when the round is ten minutes old
        (3, 4.9 * MINUTE, PushKind.TABLE, WAITS[2]),
        (3, 5 * MINUTE, PushKind.PLACE, WAITS[2]),
        (1, timedelta(hours=12), PushKind.PLACE, None),
    ],
)
def test_it_is_tried_again_while_it_is_worth_telling(attempts: int, waited: timedelta, kind: PushKind, wait):
    assert wait_after(attempts, waited, kind) == wait


def test_a_newer_message_takes_the_place_of_one_of_the_same_kind_and_event_alone():
    topics = {topic_of(kind, event) for kind in PushKind for event in (1, 2)}

    assert len(topics) == 6
    assert topic_of(PushKind.TABLE, 1) == topic_of(PushKind.TABLE, 1)
    assert all(len(topic) == 32 and topic.isascii() and "=" not in topic for topic in topics)


@pytest.mark.parametrize(
    ("url", "is_told"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc:def", True),
        ("https://updates.push.services.mozilla.com/wpush/v2/abc", True),
        ("https://web.push.apple.com/abc", True),
        ("https://discord.com/push", True),
        ("http://fcm.googleapis.com/fcm/send/abc", False),
        ("https://127.0.0.1/", False),
        ("https://[::1]/", False),
        ("https://10.0.0.1/", False),
        ("https://169.254.169.254/latest/", False),
        ("https://localhost/", False),
        ("https://printer.local/", False),
        ("https://me:secret@fcm.googleapis.com/", False),
        ("file:///etc/passwd", False),
        ("https://", False),
        ("", False),
    ],
)
def test_which_addresses_are_told(url: str, is_told: bool):
    why = why_not_told(url, is_public=is_public)

    assert why is None if is_told else "the address it gave isn’t on the internet" in str(why)


# keys


# RFC 8291, appendix A
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"


@pytest.mark.parametrize(
    ("text", "is_good"),
    [
        (PUBLIC, True),
        pytest.param(new_key()[1], True, id="a new one"),
        (PUBLIC + "=", False),
        (PUBLIC[:-1] + "5", False),  # no point of the curve, or not written as everybody writes it
        (encoded(b"\x04" + bytes(64)), False),
        (encoded(b"\x04" + bytes([255]) * 64), False),
        (encoded(b"\x02" + decoded(PUBLIC)[1:33]), False),
        (encoded(b"\x05" + decoded(PUBLIC)[1:]), False),
        ("", False),
        ("é" * 87, False),
        ("A", False),
    ],
)
def test_what_is_a_key_of_a_browser(text: str, is_good: bool):
    assert is_key(text) is is_good


@pytest.mark.parametrize(
    ("text", "is_good"), [(SECRET, True), (SECRET[:-2], False), (SECRET + "==", False), ("", False), ("!" * 22, False)]
)
def test_what_is_a_secret_of_a_browser(text: str, is_good: bool):
    assert is_secret(text) is is_good


def test_the_example_of_the_standard_is_encrypted_as_it_stands_there():
    from cryptography.hazmat.primitives.asymmetric import ec

    own = int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    body = encrypted(
        b"When I grow up, I want to be a watermelon",
        public_key=PUBLIC,
        secret=SECRET,
        salt=decoded("DGv6ra1nlYgDCS1FRnbzlw"),
        own=ec.derive_private_key(own, ec.SECP256R1()),
    )

    assert encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
        "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
