"""Sentences as values: what they say, in which language, and that they come back from JSON."""

import json
import pickle

import pytest

from tourney.runtime import messages
from tourney.runtime.messages import Message, Printed, in_english, message, nmessage, pmessage, said


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (message("Nothing changed."), "Nothing changed."),
        (message("{name} is checked in.", name="Lark"), "Lark is checked in."),
        (message("100 % of {count}", count=3), "100 % of 3"),
        (message("{name} is checked in.", name="{count} {name}"), "{count} {name} is checked in."),
        (message("{who} have no table.", who=("Lark",)), "Lark have no table."),
        (message("{who} have no table.", who=("Lark", "Onyx")), "Lark and Onyx have no table."),
        (message("{who} have no table.", who=("Lark", "Onyx", "Quill")), "Lark, Onyx and Quill have no table."),
        (message("{who} have no table.", who=()), " have no table."),
        (nmessage("{count} table is playing.", "{count} tables are playing.", 1), "1 table is playing."),
        (nmessage("{count} table is playing.", "{count} tables are playing.", 0), "0 tables are playing."),
        (pmessage("two players", "tied"), "tied"),
        (message("{what} Nothing changed.", what=message("{a} is here.", a="Lark")), "Lark is here. Nothing changed."),
    ],
)
def test_a_message_says_its_sentence_and_comes_back_from_json(one, text):
    assert str(one) == text
    again = Message.from_data(json.loads(json.dumps(one.as_data())))
    assert str(again) == text
    assert again.as_data() == one.as_data()


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"id": 7},
        {"id": "{name}"},
        {"id": "{name.__class__}", "with": {"name": "Lark"}},
        {"id": "{name[0]}", "with": {"name": "Lark"}},
        {"id": "{name:>999999999}", "with": {"name": "Lark"}},
        {"id": "{name!r}", "with": {"name": "Lark"}},
        {"id": "{", "with": {}},
        {"id": "{0}", "with": {"0": "Lark"}},
        {"id": "{name}", "with": {"name": None}},
        {"id": "{name}", "with": {"name": 0.5}},
        {"id": "{count} table", "plural": "{count} tables"},
        {"id": "{count} table", "plural": "{count} tables", "with": {"count": "3"}},
        {"id": "a", "context": []},
        {"id": "a", "with": {"name": {"id": 7}}},
    ],
)
def test_what_is_no_message_is_not_read_as_one(data):
    with pytest.raises((LookupError, TypeError, ValueError)):
        Message.from_data(data)


class Loud:
    """A language in which everything is shouted, and where two are counted as one."""

    def gettext(self, message):
        return f"!{message}"

    def pgettext(self, context, message):
        return f"!{context}: {message}"

    def ngettext(self, singular, plural, number):
        return "!" + (singular if number < 3 else plural)


@pytest.fixture
def loudly():
    before = messages._translator
    messages.speak(Loud())
    yield
    messages.speak(before)


def test_a_message_is_said_in_the_language_of_the_moment(loudly):
    assert str(message("{name} is checked in.", name=pmessage("rank", "Admiral"))) == "!!rank: Admiral is checked in."
    assert str(nmessage("{count} table", "{count} tables", 2)) == "!2 table"
    assert said(["Lark", "Onyx"]) == "!a list: Lark and Onyx"


def test_equal_messages_are_equal_and_can_be_kept_in_a_set():
    one, other = (message("{who} have no table.", who=("Lark", "Onyx")) for _ in range(2))
    assert one == other
    assert len({one, other, message("{who} have no table.", who=("Onyx",))}) == 2


def test_a_text_of_data_is_translated_for_readers_and_stays_itself_for_programs(loudly):
    name = Printed("prime target")

    assert name == "prime target"
    assert json.dumps([name]) == '["prime target"]'
    assert (str(name), f"{name}", f"{message('{name} counts.', name=name)}") == (
        "!prime target",
        "!prime target",
        "!!prime target counts.",
    )
    assert in_english(message("{name} counts.", name=name)) == "prime target counts."


def test_a_text_of_data_in_another_language_is_shown_as_it_was_written(loudly):
    assert str(Printed("Hauptziel", "de")) == "Hauptziel"
    assert str(Printed("hauptziel", "de", begins=True)) == "Hauptziel"
    assert str(Printed("")) == ""


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        (Printed("prime target"), {"id": "prime target"}),
        (Printed("Hauptziel", "de"), "Hauptziel"),
        (Printed("{prime target"), "{prime target"),
        (Printed(""), ""),
    ],
)
def test_a_text_of_data_in_a_kept_sentence_is_read_in_the_language_of_whoever_reads_it_then(name, kept):
    sentence = message("{name} counts.", name=name)

    data = json.loads(json.dumps(sentence.as_data()))

    assert data["with"] == {"name": kept}
    assert str(Message.from_data(data)) == str(sentence)


def test_a_text_of_data_is_escaped_in_html_and_comes_through_a_process_of_its_own():
    name = pickle.loads(pickle.dumps(Printed("a < b", "de", begins=True)))

    assert (name, name.language, str(name)) == ("a < b", "de", "A < b")
    assert name.__html__() == "A &lt; b"
