"""French with every sentence of ours a third longer: how much room German needs."""

import pytest
from django.utils.translation import trans_real

from tests.support.pseudo import forget_what_was_said, pseudo

CONTEXT = "\x04"


def speak_longer_french(request: pytest.FixtureRequest) -> None:
    """Whatever is said in French is the English sentence, longer and with accents; until this test is over."""
    monkeypatch = request.getfixturevalue("monkeypatch")
    request.addfinalizer(forget_what_was_said)
    forget_what_was_said()
    french = trans_real.translation("fr")
    monkeypatch.setattr(french, "gettext", lambda said: pseudo(said.rpartition(CONTEXT)[2]))
    monkeypatch.setattr(
        french,
        "ngettext",
        lambda one, many, number: pseudo((one if number == 1 else many).rpartition(CONTEXT)[2]),
    )
