"""The Rule of 3, dice and scenarios: pages whose address holds everything (rules 4, 8)."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import Client

from scoring.domain.roll_offs import ATTACK_DIE, DEFENSE_DIE, roll_faces
from tests.support.nights import make_store
from tourney.judge.forms.rule_of_three import EXAMPLES
from tourney.judge.queries.dice import FACES

pytestmark = pytest.mark.django_db

RULE = "/judge/rule-of-3/"
DICE = "/judge/dice/"
SCENARIOS = "/judge/scenarios/"


def get(url):
    return Client().get(url)


def without_templates(response):
    """The page without what its script copies."""
    return response.content.decode().partition("<template")[0]


def text(response):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", response.content.decode())))


def total(response):
    """What the page says hugely."""
    found = re.search(r"data-total>(.*?)</p>", response.content.decode(), re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", found[1]))).strip() if found else None


EXPECTED = ("7", "4", "0", "5", "5", "1", "7", "6", "8", "2", "16", "11", "11", "105")


@pytest.mark.parametrize(
    ("query", "expected"), [(query, number) for (_, query), number in zip(EXAMPLES, EXPECTED, strict=True)]
)
def test_every_example_is_a_link_to_its_answer(query, expected):
    """Rule 8: the worked examples of the source."""
    response = get(f"{RULE}?{query}")

    assert (response.status_code, total(response)) == (200, expected)
    assert f'href="?{query}"' in unescape(get(RULE).content.decode())


def test_the_six_steps_stand_below_the_number():
    said = text(get(f"{RULE}?value=agility&printed=1&cloak=yes&mod=4&mod_label=Evasion&mod=1&bonus=on"))

    for words in (
        "Printed value on the card 1",
        "Fixed replacement Cloak: 1 + 4 5",
        "Double or half none 5",
        "Sum of the modifiers +4 Evasion, +1 +5",
        "Rule of 3 +5 is cut to +3 +3",
        "Range bonus outside the Rule of 3 +1",
        "Total 9",
    ):
        assert words in said


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "3"),
        ("value=agility&printed=2&cloak=last&set=4", "6"),
        ("value=agility&printed=2&cloak=yes&set=4", "4"),
        ("value=hull&printed=2&cloak=yes&bonus=on", "2"),
        ("value=primary&printed=5&half=on", "3"),
        ("value=primary&printed=5&mod=%E2%88%922", "3"),
        ("value=primary&printed=5&mod=%2B2&mod=&mod_label=", "7"),
        ("where=cost&value=agility&printed=5&cloak=yes&double=on&mod=-9", "−4"),
    ],
)
def test_the_address_is_the_question(query, expected):
    assert total(get(f"{RULE}?{query}")) == expected


def test_a_cost_says_why_nothing_is_cut():
    response = get(f"{RULE}?where=cost&value=sp&printed=40&mod=-10")

    assert total(response) == "30"
    assert "The Rule of 3 only limits values in play." in text(response)


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ("value=agility", "Enter the printed number."),
        ("value=agility&printed=", "Enter the printed number."),
        ("value=agility&printed=x", "Enter a whole number, such as 3."),
        ("value=agility&printed=-1", "Printed numbers can’t be below 0."),
        ("value=warp&printed=1", "That isn’t a value of the game. Choose one of these."),
        ("value=agility&printed=1&mod=two", "“two” isn’t a valid modifier. Enter a whole number of one or two digits."),
        ("value=agility&printed=1&mod=&mod_label=Scan", "Enter the number for the modifier “Scan”."),
        ("value=agility&printed=1&set=x", "“x” isn’t a valid replacement. Enter a whole number of one or two digits."),
    ],
)
def test_what_cannot_be_added_up_is_said_and_kept(query, complaint):
    response = get(f"{RULE}?{query}")

    assert response.status_code == 422
    assert complaint in text(response)
    assert "Your entries are still here." in text(response)
    for name, typed in parse_qsl(query):
        assert name == "value" or f'value="{typed}"' in response.content.decode()


def test_a_tap_adds_a_modifier_and_another_takes_it_away():
    added = get(f"{RULE}?value=agility&printed=1&mod=2&mod_label=Scan&add=-1")
    removed = get(f"{RULE}?value=agility&printed=1&mod=2&mod_label=Scan&mod=-1&mod_label=&without=0")

    assert added["Location"] == f"{RULE}?value=agility&printed=1&mod=2&mod_label=Scan&mod=-1&mod_label="
    assert removed["Location"] == f"{RULE}?value=agility&printed=1&mod=-1"
    assert total(get(added["Location"])) == "2"


# dice


def test_the_odds_are_shown_before_anything_is_rolled():
    response = get(f"{DICE}?die=attack&dice=5&least=1&face=battle+stations")

    assert total(response) == "76.3%"
    assert "781 / 1024" in text(response)


def test_a_roll_has_a_seed_of_its_own_in_its_address():
    first, second = (get(f"{DICE}?die=attack&dice=4&least=2&roll=1")["Location"] for _ in range(2))

    assert first != second
    assert re.fullmatch(r"/judge/dice/\?die=attack&dice=4&least=2&face=hit&face=critical&seed=[0-9a-f]{8}", first), (
        first
    )


def faces_shown(response):
    names = {str(name): face for face, name in FACES.items()}
    return [names[said] for said in re.findall(r"aria-label=\"Die \d+: ([A-Za-z ]+)[,\"]", without_templates(response))]


def test_an_address_always_shows_the_same_dice():
    url = f"{DICE}?die=defense&dice=6&least=2&seed=abc"

    assert faces_shown(get(url)) == faces_shown(get(url)) == list(roll_faces("abc", 1, 1, 6, DEFENSE_DIE))


def test_only_the_chosen_dice_are_rolled_again():
    url = f"{DICE}?die=attack&dice=4&least=2&seed=abc"
    again = get(f"{url}&roll_again=1&pick=2&pick=0")["Location"]
    once = roll_faces("abc", 1, 1, 4, ATTACK_DIE)
    twice = roll_faces("abc", 2, 1, 4, ATTACK_DIE)

    assert dict(parse_qsl(urlsplit(again).query))["again"] == "0-2"
    assert faces_shown(get(again)) == [twice[0], once[1], twice[2], once[3]]
    assert "Roll 2: dice 1 and 3 again" in text(get(again))


def test_without_a_choice_nothing_is_rolled_again():
    url = f"{DICE}?die=attack&dice=4&least=2&face=hit&seed=abc"

    assert get(f"{url}&roll_again=1")["Location"] == url


def test_a_die_that_is_taken_away_is_not_rolled_again():
    url = f"{DICE}?die=attack&dice=2&least=1&seed=abc"

    assert faces_shown(get(f"{url}&again=1-3")) == [
        *roll_faces("abc", 1, 1, 1, ATTACK_DIE),
        roll_faces("abc", 2, 1, 2, ATTACK_DIE)[1],
    ]
    assert "Roll 2: die 2 again" in text(get(f"{url}&again=1-3"))
    assert "Roll 3: die 1 again" in text(get(f"{url}&again=3&again=0"))
    assert get(f"{url}&pick={'9' * 5000}&pick=x&roll_again=1").status_code == 302


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ("die=attack&dice=&least=1", "Enter how many dice."),
        ("die=attack&dice=31&least=1", "This page rolls up to 30 dice."),
        ("die=attack&dice=x&least=1", "Enter a whole number of dice, such as 4."),
        ("die=attack&dice=4&least=", "Enter how many dice must show it."),
        ("die=attack&dice=4&least=-1", "Enter 0 or more."),
        ("die=luck&dice=4&least=1", "Choose attack or defense dice."),
        ("die=attack&dice=4&least=1&seed=a&again=x", "This link doesn’t say which dice were re-rolled. Start over."),
    ],
)
def test_what_cannot_be_rolled_is_said(query, complaint):
    response = get(f"{DICE}?{query}")

    assert response.status_code == 422
    assert complaint in text(response)


@pytest.mark.parametrize(("pressed", "status"), [("roll=1", 302), ("by=hand", 200)])
def test_dice_rolled_anew_or_by_hand_forget_what_was_rolled_again(pressed, status):
    assert get(f"{DICE}?die=attack&dice=4&least=1&again=x&{pressed}").status_code == status


def test_at_least_none_is_a_question_that_can_be_asked():
    assert get(f"{DICE}?die=attack&dice=4&least=0").status_code == 200


# scenarios


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("what=roll-off&first=Vor&second=Kestrel", r"(Vor is ahead of Kestrel|Kestrel is ahead of Vor)\."),
        (
            "what=roll-off&first=Vor&second=Kestrel&third=Anvil",
            r"(Vor|Kestrel|Anvil) is first\. (Vor|Kestrel|Anvil) is second\. (Vor|Kestrel|Anvil) is third\.",
        ),
        ("what=target", r"DS9 fires at Player [12]: fewest Battle Stations \(\d\)( after \d+ rolls)?\."),
        (
            "what=away-teams&first=Vor&first_cards=3&first_skill=8&second=Kestrel&second_cards=2&second_skill=8",
            r"(No one controls DS9: Vor .*|No one is left .*|(Vor|Kestrel) controls DS9 with .* left aboard)\.?",
        ),
        ("what=tractor-beam&first=Vor&second=Kestrel", r"Kestrel (loses|keeps) the tractor beam: .*"),
        ("what=too-many-beams&tokens=4", r"(The small craft holds: .*|The ship’s beam destroys the small craft: .*)"),
    ],
)
def test_a_procedure_ends_in_one_sentence_that_its_address_repeats(query, sentence):
    asked = get(f"{SCENARIOS}?{query}&roll=1")
    url = asked["Location"]

    assert url.startswith(f"{SCENARIOS}?{query}&seed=")
    assert re.fullmatch(sentence, total(get(url)))
    assert total(get(url)) == total(get(url))


def test_the_dice_of_a_procedure_can_be_worked_out_again():
    response = get(f"{SCENARIOS}?what=tractor-beam&seed=abc")
    shown = re.findall(r'visually-hidden">([A-Za-z ]+)</span>\s*</li>', without_templates(response))

    faces = [*roll_faces("abc", 1, 1, 5, ATTACK_DIE), *roll_faces("abc", 1, 2, 5, DEFENSE_DIE)]
    assert shown == [str(FACES[face]) for face in faces]


def test_what_is_asked_before_the_dice_must_be_a_number():
    response = get(f"{SCENARIOS}?what=away-teams&first=Vor&first_cards=0&first_skill=x&roll=1")

    assert response.status_code == 422
    assert "Enter a whole number from 1 to 30." in text(response)
    assert 'value="Vor"' in response.content.decode()


@pytest.mark.parametrize(("letters", "status"), [(60, 302), (61, 422)])
def test_a_name_of_a_procedure_has_sixty_letters_at_most(letters, status):
    assert get(f"{SCENARIOS}?what=roll-off&first={'V' * letters}&second=Kestrel&roll=1").status_code == status


def test_an_unknown_procedure_is_the_roll_off():
    assert "most Battle Stations wins" in text(get(f"{SCENARIOS}?what=chess"))


# dice on the table


@pytest.mark.parametrize(
    ("hand", "expected", "words"),
    [
        ("", "68.8%", "0 of 4 entered"),
        ("h-", "75%", "2 of 4 entered"),
        ("hc-", "100%", "3 of 4 entered"),
        ("hc-b", "2 of 4", "Met: at least 2"),
        ("h-bb", "1 of 4", "Not met: fewer than 2 50% with one re-roll"),
        ("hhhhh", "4 of 4", "Met: at least 2"),
        ("eHx-!", "75%", "2 of 4 entered"),
    ],
)
def test_faces_that_lie_on_the_table_are_typed(hand, expected, words):
    response = get(f"{DICE}?die=attack&dice=4&least=2&by=hand&hand={hand}")

    assert total(response) == expected
    assert words in text(response)


@pytest.mark.parametrize(
    ("pressed", "hand"),
    [("lay=c", "h-c"), ("lay=e", "h-"), ("take=0", "-"), ("take=9", "h-"), ("take=all", ""), ("take=x&lay=b", "h-b")],
)
def test_a_key_lays_a_die_and_a_press_takes_it_away(pressed, hand):
    asked = get(f"{DICE}?die=attack&dice=4&least=2&by=hand&hand=h-&{pressed}")

    assert dict(parse_qsl(urlsplit(asked["Location"]).query, keep_blank_values=True))["hand"] == hand


BY_HAND = f"{SCENARIOS}?what=roll-off&first=Vor&second=Kestrel&by=hand"


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("", "Vor"),
        ("&thrown=bb", "Kestrel"),
        ("&thrown=BB&thrown=b", "Vor is ahead of Kestrel."),
        ("&thrown=bbhc-&thrown=bbbe-", "Kestrel"),  # no attack die shows an Evade
        ("&thrown=bb&thrown=bb", "Vor"),
        ("&thrown=bb&thrown=bb&thrown=&thrown=b", "Kestrel is ahead of Vor."),
        ("&thrown=bbbbbb", "Vor"),
    ],
)
def test_dice_on_the_table_are_typed_hand_by_hand_until_it_is_decided(query, says):
    """Rule 4.3: a hand with fewer faces than dice has the ones that count."""
    assert total(get(BY_HAND + query)) == says


@pytest.mark.parametrize(
    ("query", "query_after"),
    [
        ("&lay=b", "&by=hand&hand=b"),
        ("&hand=bbhc&lay=-", "&by=hand&thrown=bbhc-"),
        ("&hand=b&rest=1", "&by=hand&thrown=b"),
        ("&rest=1", "&by=hand&thrown="),
        ("&thrown=b&hand=hb&take=0", "&by=hand&thrown=b&hand=b"),
        ("&thrown=b&thrown=bb&back=1", "&by=hand&thrown=b"),
        ("&thrown=b&thrown=bb&back=all", "&by=hand"),
    ],
)
def test_each_press_leads_to_an_address_with_the_dice_so_far(query, query_after):
    response = get(BY_HAND + query)

    assert (response.status_code, response["Location"]) == (302, BY_HAND.replace("&by=hand", "") + query_after)


@pytest.mark.parametrize(
    "pressed", ["back=1", "lay=b", "take=0", "rest=1", "back=1&seed=abc", "rest=1&by=chess", "hand=%00"]
)
def test_a_press_for_dice_of_which_none_lie_there_changes_nothing(pressed):
    for page in (DICE, SCENARIOS):
        assert get(f"{page}?{pressed}").status_code in (200, 302, 422)
        assert get(f"{SCENARIOS}?what=target&first=Vor&{pressed}").status_code == 200


def test_a_team_that_got_smaller_is_asked_for_its_dice_again():
    url = f"{SCENARIOS}?what=away-teams&first_cards={{}}&first_skill=9&second_cards=1&second_skill=1&by=hand&thrown=hhh"

    assert total(get(url.format(3))) == "Player 2"
    assert total(get(url.format(2))) == "Player 1"


# at a store


@pytest.mark.parametrize("page", ["rule-of-3", "dice", "scenarios"])
def test_the_tools_of_a_store_keep_its_name_and_the_way_back(page):
    store = make_store()[0]
    url = f"{store.get_absolute_url()}judge/{page}/"
    response = get(url)

    assert f'href="{store.get_absolute_url()}"' in response.content.decode()
    assert f'href="{url}"' in get(f"{store.get_absolute_url()}judge/").content.decode()
    assert store.name in text(response)


def test_a_roll_at_a_store_stays_there():
    store = make_store()[0]

    assert get(f"{store.get_absolute_url()}judge/dice/?die=attack&dice=4&least=2&roll=1")["Location"].startswith(
        f"{store.get_absolute_url()}judge/dice/?"
    )
