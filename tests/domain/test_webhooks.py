"""A webhook: which addresses are refused, how what is sent is signed, what is told, and when it is sent again."""

from datetime import timedelta

import pytest

from tourney.domain.verbs import Verb
from tourney.runtime.outgoing import is_loopback, is_public
from tourney.sharing.domain.webhooks import NEWS_OF, WAITS, News, news_of, signature, wait_after, why_not_there

PUBLIC = ("8.8.8.8", "162.159.128.233", "2606:4700::6810:84e5", "2a00:1450:4001::200e")
NOT_PUBLIC = (
    *("127.0.0.1", "127.8.9.1", "0.0.0.0", "0.1.2.3", "255.255.255.255"),
    *("10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.178.1", "100.64.0.1"),
    *("169.254.169.254", "224.0.0.1", "239.1.2.3", "240.0.0.1", "198.18.0.1", "192.0.2.7"),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::a00:1", "2002:7f00:1::", "2001:0:7f00:1::1"),
)


@pytest.mark.parametrize("address", PUBLIC)
def test_the_public_internet_is_public(address: str):
    assert is_public(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_what_is_near_or_leads_there_in_disguise_is_not(address: str):
    assert not is_public(address)


@pytest.mark.parametrize(("address", "is_so"), [("127.0.0.1", True), ("::1", True), ("10.0.0.1", False)])
def test_only_this_computer_is_loopback(address: str, is_so: bool):
    assert is_loopback(address) is is_so


NO_ADDRESS = "That isn’t a web address. Copy it from the program that receives the messages."
PLAIN = "Use an address that begins with https://. Anything sent elsewhere can be read on the way."
PRIVATE = "This address is inside a private network. Use one that is on the internet."
CREDENTIALS = "Remove the name and password in front of the @."
DISCORD = "This is an address from Discord. Choose the Discord format for it."


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://hooks.example.com/store/7?key=a", None),
        ("https://hooks.example.com:8443/", None),
        ("https://8.8.8.8/", None),
        ("https://[2606:4700::6810:84e5]/hook", None),
        ("https://xn--hfen-5qa.example/", None),
        ("http://hooks.example.com/", PLAIN),
        ("ftp://hooks.example.com/", PLAIN),
        ("file:///etc/passwd", PLAIN),
        ("hooks.example.com/7", PLAIN),
        ("//hooks.example.com/7", PLAIN),
        ("https://", NO_ADDRESS),
        ("https:///hook", NO_ADDRESS),
        ("https://häfen.example/", NO_ADDRESS),
        ("https://hooks.example.com/a b", NO_ADDRESS),
        ("https://hooks.example.com/a\nHost: x", NO_ADDRESS),
        ("https://hooks.example.com:99999/", NO_ADDRESS),
        ("https://hooks.example.com:port/", NO_ADDRESS),
        ("https://[::1", NO_ADDRESS),
        ("https://owner:word@hooks.example.com/", CREDENTIALS),
        ("https://owner@hooks.example.com/", CREDENTIALS),
        ("https://localhost/", PRIVATE),
        ("https://LOCALHOST:8000/", PRIVATE),
        ("https://printer/", PRIVATE),
        ("https://desk.local/", PRIVATE),
        ("https://desk.local./", PRIVATE),
        ("https://api.internal/", PRIVATE),
        ("https://127.0.0.1/", PRIVATE),
        ("https://192.168.178.1/", PRIVATE),
        ("https://169.254.169.254/latest/meta-data/", PRIVATE),
        ("https://[::1]/", PRIVATE),
        ("https://[::ffff:10.0.0.1]/", PRIVATE),
        ("https://[fe80::1%25eth0]/", PRIVATE),
        ("https://2130706433/", PRIVATE),
        ("https://discord.com/api/webhooks/1/abc", DISCORD),
        ("https://ptb.discord.com/api/webhooks/1/abc", DISCORD),
        ("https://discord.com.example.org/", None),
    ],
)
def test_an_address_is_refused_in_plain_words(url: str, why: str | None):
    found = why_not_there(url, to_discord=False, is_public=is_public)

    assert (None if found is None else str(found)) == why


def test_discord_may_be_told_in_its_own_format():
    url = "https://discord.com/api/webhooks/1/abc"

    assert why_not_there(url, to_discord=True, is_public=is_public) is None


@pytest.mark.parametrize(("allowed", "is_refused"), [(False, True), (True, False)])
def test_this_computer_is_allowed_only_where_it_is_said(allowed: bool, is_refused: bool):
    found = why_not_there("http://127.0.0.1:8000/", to_discord=False, is_public=is_public, allow_loopback=allowed)

    assert (found is not None) is is_refused


def test_a_signature_is_of_the_moment_and_the_body():
    """As `openssl dgst -sha256 -hmac secret` has it."""
    wanted = "7eba336b995337d92663d2f31b99d1a0ec66b3c69f67eb972e4d5152c7855e66"

    assert signature("secret", 1_700_000_000, b'{"kind":"test"}') == f"t=1700000000,v1={wanted}"


@pytest.mark.parametrize(
    ("secret", "seconds", "body"), [("other", 5, b"{}"), ("secret", 6, b"{}"), ("secret", 5, b"{ }")]
)
def test_another_secret_moment_or_body_is_signed_otherwise(secret: str, seconds: int, body: bytes):
    assert signature(secret, seconds, body).split(",")[1] != signature("secret", 5, b"{}").split(",")[1]


def test_each_wait_is_longer_and_after_the_last_there_is_none():
    waits = [wait_after(attempts) for attempts in range(1, 7)]

    assert waits[:-1] == [timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480)]
    assert waits[-1] is None
    assert sorted(WAITS) == [*WAITS]


@pytest.mark.parametrize(
    ("did", "after", "news"),
    [
        (Verb.PUBLISH_ROUND, {"round": 1}, News.TABLES),
        (Verb.CLOSE_ROUND, {"round": 1}, News.CLOSED),
        (Verb.FINISH_EVENT, {}, News.RANKS),
        (Verb.STOP_EVENT, {}, News.RANKS),
        (Verb.MAKE_EVENT, None, News.DATE),
        (Verb.POSTPONE_EVENT, {}, News.DATE),
        (Verb.CANCEL_EVENT, {}, News.DATE),
        (Verb.CHANGE_EVENT, {"starts_at": "2026-12-01T18:00:00Z"}, News.DATE),
        (Verb.CHANGE_EVENT, {"minutes": 60}, None),
        (Verb.CHANGE_EVENT, None, None),
        (Verb.ANNOUNCE, {}, News.ANNOUNCED),
        (Verb.PAIR_ROUND, {"round": 1}, None),
        (Verb.UNDO, None, None),
        ("something_from_elsewhere", None, None),
    ],
)
def test_what_is_told_of_an_action(did: str, after: dict[str, object] | None, news: News | None):
    assert news_of(did, after) == news


def test_every_news_but_a_test_comes_from_an_action():
    assert {*NEWS_OF.values()} == {*News} - {News.TEST}
