"""What the printed texts of cards say about building: clauses that are honoured, and clauses left to a person."""

import pytest

from fleets.domain import card_texts
from fleets.domain.card_rules import not_checked
from fleets.domain.card_texts import InvalidCardTexts, clauses, rules_by_text
from fleets.domain.space_dock import read_catalogue

NEW = """<Data><Upgrades><Upgrade><Title>Relay</Title><Type>Tech</Type><Faction>Federation</Faction><Cost>4</Cost>
  <Id>{id}</Id><Ability>{text}</Ability></Upgrade></Upgrades></Data>"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ACTION: Roll 2 dice. You may fire this weapon from your rear firing arc as a free Action.", []),
        (
            "Roll 1 die. This Upgrade may only be purchased for a Lark. Discard it.",
            ["This Upgrade may only be purchased for a Lark"],
        ),
        ("All of your [CREW] Upgrades cost -1 SP.", ["All of your [CREW] Upgrades cost -1 SP"]),
        ("Add 1 [TECH] Upgrade slot to your Upgrade Bar.", ["Add 1 [TECH] Upgrade slot to your Upgrade Bar"]),
        (
            "No ship may be equipped with more than one Relay; none.",
            ["No ship may be equipped with more than one Relay; none"],
        ),
        (
            "You do not pay a faction penalty here. It does not require an Upgrade slot.",
            ["You do not pay a faction penalty here", "It does not require an Upgrade slot"],
        ),
        ("You may field " + "many " * 40 + "talents.", ["You may field " + "many " * 17 + "…"]),
    ],
)
def test_clauses_about_building_are_found_in_a_printed_text(text, found):
    assert list(clauses(text)) == found


def test_a_card_that_nobody_has_read_says_what_is_left_to_a_person():
    (entry,) = read_catalogue(
        NEW.format(id="new", text="This costs +5 SP for any other ship; so be it.").encode()
    ).entries

    assert not_checked(entry.card) == ("This costs +5 SP for any other ship, so be it",)


def test_of_a_card_that_was_read_only_a_clause_that_is_not_quoted_is_left():
    known = "This Upgrade costs +5 Squadron Points for any ship other than the U.S.S. Defiant."
    (as_printed,) = read_catalogue(NEW.format(id="3068", text=known).encode()).entries
    (reprinted,) = read_catalogue(
        NEW.format(id="3068", text=f"{known} It cannot be deployed to a Lark.").encode()
    ).entries

    rule = "costs 5 more unless on title U.S.S. Defiant"
    assert as_printed.card.rules == (rule,)
    assert reprinted.card.rules == (rule, "not checked: It cannot be deployed to a Lark")


def test_without_a_printed_text_the_card_says_what_was_read_once():
    assert rules_by_text("fluidic_space_72012", "", ("only on faction SPE",)) == (
        "costs 5 more unless on faction SPE",
        "one per ship",
    )
    assert rules_by_text("new", "", ("only on faction SPE",)) == ("only on faction SPE",)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("[a]\n'may fill' = ['flies']", "x.toml: a: “may fill”: “flies” isn’t a rule for cards"),
        ("[a]\n'may fill' = 'one per ship'", "x.toml: a: “may fill” should be a list of rules"),
        ("[a]\nnote = 3", "x.toml: a: the note should be a text"),
        ("a = 3", "x.toml: a should be a table of clauses"),
    ],
)
def test_a_file_of_card_texts_is_checked_when_it_is_read(file, message, tmp_path, monkeypatch):
    (tmp_path / "x.toml").write_text(file)
    monkeypatch.setattr(card_texts, "FOLDER", tmp_path)

    with pytest.raises(InvalidCardTexts) as refused:
        card_texts.card_texts.__wrapped__()
    assert str(refused.value) == message


def test_no_card_stands_in_two_files(tmp_path, monkeypatch):
    for name in ("x.toml", "y.toml"):
        (tmp_path / name).write_text("[a]\n'may fill' = []")
    monkeypatch.setattr(card_texts, "FOLDER", tmp_path)

    with pytest.raises(InvalidCardTexts, match=r"y\.toml: a stands twice"):
        card_texts.card_texts.__wrapped__()
