"""The Talon power record as a page: everything is in the address, and what does not fit is said in words."""

import html
import re
from html.parser import HTMLParser

import pytest
from django.test import Client

PAGE = "/judge/talon-power/"
WRONG = [
    ("?curves=4-2", "Type three numbers for each speed, such as 4-2-1: Power, Speed, turn radius."),
    ("?curves=", "Type the curves, such as 4-2-1 3-3-2: Power, Speed, turn radius."),
    ("?curves=9-2-1", "9-2-1 doesn’t fit. The impulse chart has Power 0 to 6 and Speed 1 to 6."),
    ("?speed=6", "This class has no curve for speed 6. Its speeds are 2, 3, 4 and 5."),
    ("?speed=fast", "This isn’t one of the choices. Choose one from the list."),
    ("?hull=5", "This isn’t one of the choices. Choose one from the list."),
    ("?name=", "Give the class a name."),
    (f"?name={'x' * 61}", "Use up to 60 characters for the name."),
    ("?name=%00", "Null characters are not allowed."),
    ("?arcs=,", "Name at least one shield arc."),
    ("?arcs=a,b,c,d,e,f,g", "Type up to 6 names, none of them empty."),
    ("?arcs=Bow,bow", "Two arcs have the same name. Give each one its own."),
    (f"?arcs={'x' * 21}", f"“{'x' * 21}” is too long. Use up to 20 characters per arc."),
    ("?play=v3.zz", "“zz” is not a step of a round. The link was cut off or changed."),
    (f"?play={'n.' * 600}n", "These are too many steps for one link. Start the round over."),
]


def shown(client: Client, query: str = "", status: int = 200, **headers: str):
    response = client.get(f"{PAGE}{query}", headers=headers)
    assert response.status_code == status
    return response


def test_the_shields_as_the_round_begins_have_a_field_for_each_arc(client):
    arcs = shown(client, "?arcs=Bow,Stern,Port").context["form"].arc_fields

    assert [field.label for field in arcs] == ["Bow", "Stern", "Port"]


class Reader(HTMLParser):
    """What somebody reads on a page, and the links by their ids, without what is hidden."""

    EMPTY = ("meta", "link", "input", "br", "use")

    def __init__(self):
        super().__init__()
        self.open, self.read, self.links = [], [], {}

    def handle_starttag(self, tag, attrs):
        if tag not in self.EMPTY:
            self.open.append(tag in ("template", "script") or "hidden" in dict(attrs))
        if tag == "a" and {"id", "href"} <= dict(attrs).keys() and not any(self.open):
            self.links[dict(attrs)["id"]] = dict(attrs)["href"]

    def handle_endtag(self, tag):
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_data(self, data):
        if not any(self.open):
            self.read.append(data)


def seen(response) -> Reader:
    reader = Reader()
    reader.feed(response.text)
    return reader


def text_of(response) -> str:
    return " ".join("".join(seen(response).read).split())


def links(response) -> dict[str, str]:
    """The steps that are offered: the query by the id of its link."""
    return seen(response).links


def test_the_page_opens_with_the_ship_of_the_source_and_its_speeds(client):
    text = text_of(shown(client))

    assert "Terran CA" in text
    for curve in ("4-2-1", "3-3-2", "2-4-2"):
        assert curve in text
    assert "1-5-3" not in text.partition("Speeds in reach")[2]


def test_a_speed_of_negative_power_is_shown_with_the_reason_and_without_a_link(client):
    response = shown(client, "?speed=5&hull=-2")

    assert "Speed 5 would put her Power below 0. She must go to speed 4." in text_of(response)
    assert "−1-5-3 Power-Speed-Turn Can’t keep speed Her Power would be −1." in text_of(response)
    assert set(links(response)) == {"do-v4"}


def test_a_ship_without_a_legal_speed_breaks_apart(client):
    response = shown(client, "?speed=5&hull=-2&stuck=on")

    assert "No speed is legal. She breaks apart at the end of the Power Phase." in text_of(response)
    assert links(response) == {}


def test_a_round_is_played_by_links_and_undone_by_one(client):
    visited = [shown(client, "?speed=3")]
    for step in ("do-v2", "do-r1", "do-n", "do-n", "do-w", "do-n"):
        visited.append(shown(client, links(visited[-1])[step]))
    text = text_of(visited[-1])
    assert "Impulse D" in text
    assert "1 of 2 reinforced" in text
    assert "1 AP: Front reinforced, marker A." in text

    for before in reversed(visited[:-1]):
        visited[-1] = shown(client, links(visited[-1])["undo"])
        assert text_of(visited[-1]) == text_of(before)


def test_every_step_has_its_own_way_back(client):
    response = shown(client, "?speed=3&play=v2.w.n.n.s.n")
    backs = re.findall(r'href="(\?[^"]*)"\s+aria-label="(?:Undo|Undo to here,) step', response.text)

    plays = [re.search(r"play=([^&]*)", html.unescape(query)) for query in backs]
    assert [play and play[1] for play in plays] == ["v2.w.n.n.s", "v2.w.n.n", "v2.w.n", "v2.w", "v2", None]


def test_a_second_reinforcement_with_power_three_is_refused_with_the_reason(client):
    response = shown(client, "?speed=3&arc2=C&play=v3.n")

    assert "Left Power 3 allows only 1 reinforcement." in text_of(response)
    assert not [name for name in links(response) if name.startswith("do-r")]


def test_the_undecided_mark_of_five_is_asked_for_and_then_counts(client):
    response = shown(client, "?speed=5&play=v5")
    assert "The row for 5 has one more mark, in D or E; our" in text_of(response)

    response = shown(client, "?speed=5&fifth=D&play=v5.n.n.n")
    assert "The row for 5 has one more mark, in D or E; our" not in text_of(response)
    assert "Move 1 hex, then impulse E" in text_of(response)


def test_what_was_looked_up_goes_along_to_the_next_class(client):
    assert "&amp;fifth=D" in shown(client, "?speed=5&fifth=D").text


def test_a_class_that_somebody_typed_is_in_the_address_alone(client):
    ship = "?name=Home-made&curves=612524&arcs=Bow,Stern"
    assert "Home-made" in text_of(shown(client, f"{ship}&speed=2"))

    text = text_of(shown(client, f"{ship}&speed=1&play=v2.r2"))
    assert "1 AP: Stern reinforced, marker A." in text
    assert "Keeps speed" not in text


@pytest.mark.parametrize(("query", "says"), WRONG)
def test_what_cannot_be_is_said_in_words_and_nothing_typed_is_lost(client, query, says):
    response = shown(client, query, 422)

    assert says in text_of(response)
    assert "Your entries are still here." in text_of(response)


def test_what_was_typed_stays_in_its_field(client):
    response = shown(client, "?name=Home-made&curves=4-2&play=v3.n&hull=-2", 422)

    for value in ("Home-made", "4-2", "v3.n"):
        assert f'value="{value}"' in response.text
    assert '<option value="-2" selected>' in response.text


def test_a_ship_that_no_longer_fits_its_round_keeps_all_steps_and_says_which_one_is_wrong(client):
    response = shown(client, "?speed=4&play=v2.r1.n", 422)

    assert "Step 1 no longer fits this ship. Speed 2 is out of reach from speed 4." in text_of(response)
    assert 'value="v2.r1.n"' in response.text


def test_a_ship_begins_with_the_middle_speed_of_its_class(client):
    assert '<option value="3" selected>' in shown(client).text
    assert '<option value="5" selected>' in shown(client, "?curves=0-6-3+1-5-3+2-4-2").text
    assert '<option value="3" selected>' in shown(client, "?curves=1", 422).text
