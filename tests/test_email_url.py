"""EMAIL_URL: how it is read, and what is refused in a sentence that repeats no password."""

import pytest

from tourney.runtime.email_url import MailServer, mail_server


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "smtps://desk%40example.org:p%3Aw%2F@mail.example.org",
            MailServer("mail.example.org", 465, "desk@example.org", "p:w/", True, False, "desk@example.org"),
        ),
        (
            "smtp://desk:secret@mail.example.org?tls=1&from=Flagship%20%3Cdesk@example.org%3E",
            MailServer("mail.example.org", 587, "desk", "secret", False, True, "Flagship <desk@example.org>"),
        ),
        ("smtp://localhost", MailServer("localhost", 25, "", "", False, False, "flagship@localhost")),
        (
            "smtp://[::1]:1025/?tls=off&from=a@b.example",
            MailServer("::1", 1025, "", "", False, False, "a@b.example"),
        ),
    ],
)
def test_an_address_says_server_port_user_encryption_and_sender(url, expected):
    assert mail_server(url) == expected
    assert "password" not in repr(expected)


def test_django_is_told_all_of_it():
    told = mail_server("smtp://desk:secret@mail.example.org:2525?tls=yes").mailer()

    assert told["OPTIONS"] == {
        "host": "mail.example.org",
        "port": 2525,
        "username": "desk",
        "password": "secret",
        "use_ssl": False,
        "use_tls": True,
        "timeout": 10,
    }


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.org",
        "http://desk:secret@mail.example.org",
        "smtp://desk:secret@",
        "smtp://desk:secret@mail.example.org:many",
        "smtp://desk:secret@mail.example.org/inbox",
        "smtp://desk:secret@mail.example.org#top",
        "smtp://desk:secret@mail.example.org?tls=maybe",
        "smtp://desk:secret@mail.example.org?ssl=1",
        "smtp://desk:secret@mail.example.org?tls",
        "smtps://desk:secret@mail.example.org?tls=1",
        "smtp://desk:secret@mail.example.org?from=nobody",
        "smtp://desk:secret@mail.example.org?from=a@b.example%0d%0aBcc:c@d.example",
    ],
)
def test_what_is_no_mail_server_is_refused_and_no_password_repeated(url):
    with pytest.raises(ValueError, match=r"^EMAIL_URL") as refused:
        mail_server(url)

    assert "secret" not in str(refused.value)
