"""What devices are told while Flagship is closed: which verb tells what, for how long, and whom."""

from base64 import urlsafe_b64decode
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tests.support.push_browsers import claims_of
from tests.support.push_browsers import text_of as encoded
from tests.support.receiving import Request
from tourney.domain.verbs import Verb
from tourney.runtime.outgoing import is_public
from tourney.runtime.web_push import authorization, encrypted, new_key
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


def decoded(text: str) -> bytes:
    """From base64url without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


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


# what is encrypted


EXAMPLE = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
    "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
OWNS = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"  # the private key of PUBLIC
WATERMELON = b"When I grow up, I want to be a watermelon"


def read_by_the_standard(body: bytes) -> bytes:
    """RFC 8188 and 8291 from the parts of cryptography, as the browser of the example has to read it."""
    salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
    sender, record = body[21 : 21 + length], body[21 + length :]
    own = ec.derive_private_key(int.from_bytes(decoded(OWNS)), ec.SECP256R1())
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    known = HKDF(SHA256(), 32, decoded(SECRET), b"WebPush: info\0" + decoded(PUBLIC) + sender).derive(shared)
    key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(known)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(known)
    assert len(record) <= size <= 4096  # one record, as large as push services take
    content = AESGCM(key).decrypt(nonce, record, None)
    assert content.endswith(b"\x02")
    return content[:-1]


def test_the_example_of_the_standard_is_read_as_it_stands_there():
    assert read_by_the_standard(decoded(EXAMPLE)) == WATERMELON


def test_what_we_encrypt_is_read_by_the_standard_and_never_the_same():
    bodies = [encrypted(WATERMELON, "https://push.example.com/a", public_key=PUBLIC, secret=SECRET) for _ in range(2)]

    assert [read_by_the_standard(body) for body in bodies] == [WATERMELON] * 2
    assert bodies[0] != bodies[1]


# who sends it


STORED = [
    (
        "ueqZIhYiTKzfnA6kFUvt_3usgboHQZTCpD4Qqg9SXUA",
        "BJr71ST4JwTxh8P_eEnwhxxp60gG_bmu05xJ7jl7AL3DuGfchK9K_sOX8ZUrJjgAj2ILepDgrmcjC4rPdtui-U4",
    ),
    (  # its first byte is 0
        "AIMzVIqt3Hcsd5EDC7ka1QBTpLfmQ5IoYRw8XnZkwuk",
        "BB1ioa_jxJTTjHrJL8F77qALuZsUGPj3T_5XqRcY5KXYezTfYAruF2ageUc1eChE3JRRwEXECfQfCN4FmzHXqGg",
    ),
]
"""Keys as installations have stored them since before pywebpush."""
NOW = datetime(2026, 11, 26, 18, tzinfo=UTC)


@pytest.mark.parametrize(("private", "public"), [*STORED, pytest.param(*new_key(), id="a new one")])
@pytest.mark.parametrize("sender", ["https://flagship.example", "https://flagship.lan:8443"])
def test_who_sends_it_is_signed_with_the_key_that_is_stored(private: str, public: str, sender: str):
    header = authorization("http://push.example.com:8080/a", private, sender=sender, now=NOW)

    request = Request("/a", {"Authorization": header, "Host": "push.example.com:8080"}, b"")
    claims = {"aud": "http://push.example.com:8080", "exp": int(NOW.timestamp()) + 3600, "sub": sender}
    assert claims_of(request, public) == claims


def test_a_new_key_is_stored_as_the_old_ones_are():
    assert [len(part) for part in new_key()] == [len(part) for part in STORED[0]]
    assert is_key(new_key()[1])
