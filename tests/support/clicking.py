"""What people do at the desk and see on a phone, a sentence each, by clicking in a real browser."""

import hashlib
from collections.abc import Iterable, Sequence
from io import StringIO
from itertools import count

from django.core.management import call_command
from playwright.sync_api import Locator, Page, expect

from tests.support.browsing import COLOURS, assert_accessible, violations
from tests.support.paper import Paper, Result, Tables
from tests.support.tenth import everything_runs


def press(page: Page, button: Locator) -> None:
    """Click what leads to another page, and wait until that one is there with its scripts."""
    with page.expect_event("load"):
        button.click()


def look_at(page: Page) -> None:
    """With --all, axe-core finds nothing by day, and nothing in the colours by night (`assert_accessible`)."""
    if everything_runs():
        page.emulate_media(color_scheme="dark")
        assert violations(page, rules=COLOURS) == [], page.url
        page.emulate_media(color_scheme="light")
        assert_accessible(page)


class Desk:
    """The organizer's laptop, from the set-up link on."""

    def __init__(self, page: Page):
        self.page = page

    # before the night

    def set_up_a_store(self, server: str) -> None:
        link = StringIO()
        call_command("setup_link", base_url=server, stdout=link)
        self.page.goto(link.getvalue().strip())
        self.page.get_by_label("Sign-in name").fill("owner")
        self.page.get_by_label("Password", exact=True).fill("three quiet words")
        self.page.get_by_label("Password, once more").fill("three quiet words")
        self.page.get_by_label("Name of the store").fill("Starbase Games")
        self.page.get_by_label("Time zone").fill("Europe/Berlin")
        self.press("Create store")
        self.assert_told("Starbase Games is ready.")

    def begin_the_campaign(self, storyline: str) -> None:
        self.follow("Create campaign")
        self.page.get_by_label("Storyline").select_option(storyline)
        self.press("Create campaign")

    def plan_the_month(self, month: str, *, sp_limit: int) -> None:
        """The SP limit is asked for as soon as a month is chosen that has it only on its printed overview."""
        self.page.get_by_role("radio", name=month).check()
        self.page.get_by_label("SP limit", exact=True).fill(str(sp_limit))
        self.press("Schedule event")
        expect(self.page.get_by_role("heading", name="Register the players")).to_be_visible()

    # players

    def register_all(self, people: dict[str, str]) -> None:
        self.open("Players")
        lines = "\n".join(f"{name}, {faction}" for name, faction in people.items())
        self.page.get_by_label("One name per line").fill(lines)
        self.press("Register all players")
        self.assert_told(f"{len(people)} players registered.")

    def address_for_phones(self) -> str:
        """What the QR code says, read from the line below it."""
        press(self.page, self.page.get_by_role("link", name="QR code").first)
        address = self.page.get_by_role("region", name="Join").locator(".url").inner_text()
        self.follow("Desk")
        return f"http://{address}/"

    def check_in_all(self, number: int) -> None:
        self.open("Players")
        self.page.get_by_role("button", name=f"Check in all {number}").click()
        expect(self.page.locator("#list")).to_contain_text(f"{number} of {number} checked in")

    def register_late(self, name: str, faction: str) -> None:
        self.open("Players")
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_label("Faction").select_option(faction)
        self.press("Register player")
        self.assert_told(f"{name} is registered and checked in.")

    def drop(self, name: str, reason: str = "") -> None:
        self._open_player(name)
        self.page.get_by_text("Drop before the next round").click()
        self.page.get_by_role("form", name="Drop before the next round").get_by_label("Reason").fill(reason)
        self.press(f"Drop {name}")
        self.assert_told(f"{name} won’t be paired from round ")

    def bring_back(self, name: str) -> None:
        self._open_player(name)
        self.page.get_by_text("Return for the next round").click()
        self.press(f"Bring {name} back")
        self.assert_told(f"{name} is back and will be paired from")

    # a round

    def pair(self, number: int) -> tuple[Tables, str]:
        """Draft the round: who sits where, and who has the bye."""
        self.do_next(f"Pair round {number}")
        expect(self.page.locator("h1")).to_have_text(f"Round {number}")
        return self.tables()

    def tables(self) -> tuple[Tables, str]:
        """The tables that the page shows, and who has the bye."""
        rows = self.page.locator(".pairing").evaluate_all(
            """rows => rows.map(row => [
                row.querySelector(".table-number").innerText.match(/[0-9]+|Bye/i)[0],
                ...[...row.querySelectorAll(".side-name")].map(name => name.innerText.trim()),
            ])"""
        )
        ((bye,),) = [names for place, *names in rows if not place.isdecimal()]
        return {int(place): tuple(names) for place, *names in rows if place.isdecimal()}, bye

    def swap(self, first: str, second: str, reason: str) -> None:
        for seat, name in ("a.seat", first), ("button.seat", second):
            found = self.page.locator(f"#board {seat}")
            found.filter(has=self.page.get_by_text(name, exact=True)).click()
        self.page.get_by_role("textbox", name="Reason").fill(reason)
        self.page.get_by_role("button", name="Save change").click()
        expect(self.page.locator(".board-steps")).to_contain_text(f"{first} and {second} swapped seats")
        look_at(self.page)

    def publish(self, number: int) -> None:
        self.press(f"Publish round {number}")
        self.assert_told(f"Round {number} is published.")

    def start_the_clock(self) -> None:
        self.do_next("Start the clock")
        expect(self.page.locator("#clock .clock")).to_have_attribute("data-phase", "running")
        look_at(self.page)

    def close_after_the_dice(self, number: int, *, bye: int) -> None:
        """Close the round after its last roll-off; before that its page shows how the bye's Fleet Points come about."""
        expect(self.page.get_by_role("button", name=f"Close round {number}")).to_be_in_viewport()
        self.follow("Review points")
        expect(self.page.locator("dt:text-is('Fleet Points') + dd")).to_have_text(str(bye))
        self.press(f"Close round {number}")
        self.assert_told(f"Round {number} is closed.")

    def finish(self) -> None:
        self.do_next("Final ranks")
        self.press("Finish event")

    # results

    def enter(self, table: int, names: Sequence[str], result: Result) -> None:
        """On the page of the table: the sum stands there before anything is saved."""
        self._fill_in(f"Enter result of table {table}", names, result)
        self._save("Save result", table, names, result)

    def correct(self, table: int, names: Sequence[str], result: Result) -> None:
        self._fill_in(f"Edit result of table {table}", names, result)
        look_at(self.page)
        self._save("Save correction", table, names, result)

    def _fill_in(self, link: str, names: Sequence[str], result: Result) -> None:
        self.open("Overview")
        self.follow(link)
        self.page.get_by_role("radio", name=result.ending, exact=True).check()
        if result.out:
            self._group("Whose fleet was eliminated?").get_by_label(names[result.out - 1]).check()
        for name, left in zip(names, result.left, strict=True):
            if left:
                self._group("SP left").get_by_label(name).fill(str(left))
        if result.ds9:
            self._group("Controls Deep Space 9").get_by_label(names[result.ds9 - 1]).check()
        sums = self.page.locator("#preview dt:text-is('Fleet Points') + dd")
        expect(sums).to_have_text([str(fleet_points) for _, fleet_points in result.points])

    def _save(self, button: str, table: int, names: Sequence[str], result: Result) -> None:
        won, lost = result.won_and_lost
        is_tied = result.ending == "Time" and won == lost
        verdict = f"{names[result.wins - 1]} wins, {won} Fleet Points to {lost}."
        self.press(button)
        self.assert_told(f"Table {table} is saved. It’s tied" if is_tied else f"Table {table}: {verdict}")

    def enter_by_keyboard(self, results: dict[int, Result], *, saved: int) -> None:
        """The whole round without the mouse: the cursor stands at the first table when the page opens."""
        self.open("Results")
        for table, result in results.items():
            if table > 1:
                self.page.keyboard.press("Enter")
            for place, keys in enumerate(_keys_of(result)):
                if place:
                    self.page.keyboard.press("Tab")
                self.page.keyboard.type(keys)
        self.page.keyboard.press("Control+Enter")
        expect(self.page.locator(".entry-row[data-saved]")).to_have_count(saved)

    def take_the_last_tick_back(self, table: int) -> None:
        """This table alone was refused, all that was typed is still there, and the cursor stands at what is wrong."""
        row = self._group(f"Table {table}:")
        expect(row.get_by_role("alert")).to_be_visible()
        expect(row.locator("[aria-invalid=true]")).to_be_focused()
        look_at(self.page)
        self.page.keyboard.press("Space")
        with self.page.expect_event("load"):
            self.page.keyboard.press("Control+Enter")

    # dice

    def roll(self, number: int, names: Sequence[str], counts: Sequence[int], outcome: str = "") -> None:
        """Type the Battle Stations of one roll of physical dice."""
        dice = self.page.locator("#dice")
        for name, battle_stations in zip(names, counts, strict=True):
            dice.get_by_label(name).fill(str(battle_stations))
        self.press(f"Save roll {number}")
        if outcome:
            expect(dice.locator(".dice-outcome")).to_contain_text(outcome)

    def roll_by_software(self, numbers: dict[str, int]) -> tuple[str, str]:
        """The order of two that the dice decide, worked out from the seed as the register tells everybody to."""
        self.press("Roll for me")
        seed = self.page.locator("#dice code").first.text_content()
        for roll in count(1):
            first, second = (_rolled(seed, roll, number) for number in numbers.values())
            if first != second:
                break
        ahead, behind = numbers if first > second else reversed(numbers)
        expect(self.page.locator(".dice-outcome")).to_have_text(f"{ahead} is ahead of {behind}.")
        return ahead, behind

    # getting about

    def do_next(self, name: str) -> None:
        """Press what the desk offers as the next step, which must be this."""
        self.open("Overview")
        expect(self.page.locator("#next-action")).to_have_text(name)
        press(self.page, self.page.locator("#next-action"))

    def open(self, tab: str) -> None:
        tabs = self.page.get_by_role("navigation", name="Desk")
        press(self.page, tabs.get_by_role("link", name=tab, exact=True))

    def follow(self, link: str) -> None:
        press(self.page, self.page.get_by_role("link", name=link))

    def press(self, button: str) -> None:
        press(self.page, self.page.get_by_role("button", name=button, exact=True))

    def assert_told(self, sentence: str) -> None:
        expect(self.page.locator(".messages")).to_contain_text(sentence)

    def _open_player(self, name: str) -> None:
        self.open("Players")
        press(self.page, self.page.locator("#list").get_by_role("link", name=name, exact=True))

    def _group(self, name: str) -> Locator:
        return self.page.get_by_role("group", name=name)


class Phone:
    """A player's phone: it finds the event by the address under the QR code, and its page is never reloaded."""

    def __init__(self, page: Page):
        self.page = page
        self.event = ""

    def join(self, address: str, name: str, faction: str) -> None:
        self.page.goto(address)
        look_at(self.page)
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("radio", name=faction).check()
        press(self.page, self.page.get_by_role("button", name="Join"))
        expect(self.page.get_by_role("heading", name=name)).to_be_visible()
        press(self.page, self.page.get_by_role("link", name="Go to the event"))
        self.event = self.page.url.partition("?")[0]
        self._mark()

    def open(self) -> None:
        self.page.goto(self.event)
        self._mark()

    def find_my_table(self, beginning: str) -> None:
        self.open()
        self.page.get_by_label("Find my table").press_sequentially(beginning)

    def assert_answer(self, answer: str) -> None:
        """The page answers "Where do I sit?" like this within a few seconds, by itself."""
        expect(self.page.locator("#answer")).to_have_text(answer)
        self._assert_never_reloaded()

    def assert_table(self, name: str, tables: Tables, bye: str) -> None:
        """The answer is this player's table and opponent, or the bye."""
        if name == bye:
            return self.assert_answer("You have the bye this round")
        table, pair = next((table, pair) for table, pair in tables.items() if name in pair)
        return self.assert_answer(f"You’re at table {table} against {pair[1 - pair.index(name)]}")

    def assert_shows(self, sentence: str) -> None:
        expect(self.page.locator("#now")).to_contain_text(sentence)
        self._assert_never_reloaded()

    def assert_by_hand(self, number: int, names: set[str], reason: str) -> None:
        """The public pairings say who was seated by hand, and why."""
        self.page.goto(f"{self.event}rounds/{number}/")
        by_hand = self.page.locator(".pairing").filter(has_text=f"By hand: {reason}")
        assert {*by_hand.locator(".side-name").all_inner_texts()} == names
        look_at(self.page)

    def assert_standings(self, paper: Paper, *, ranks: Iterable[int]) -> None:
        """Rank, name, both points, and both points of each round, exactly as on paper."""
        self.page.goto(f"{self.event}standings/")
        rows = self.page.get_by_role("region", name="Table of standings").locator("tbody tr")
        shown = rows.evaluate_all(
            """rows => rows.map(row => [
                row.querySelector(".rank").textContent.match(/[0-9]+/)[0],
                row.querySelector(".ranked-name > a").textContent,
                ...[...row.querySelectorAll("td")].map(cell => cell.innerText),
            ])"""
        )
        expected = [
            (rank, name, *paper.totals(name), *paper.points[name])
            for rank, name in zip(ranks, paper.order(), strict=True)
        ]
        # Players who share a rank stand in any order.
        assert sorted(map(_standing, shown), key=str) == sorted(expected, key=str)

    def assert_final(self, admiral: str, vice_admiral: str, faction: str) -> None:
        assert_final(self.page, admiral, vice_admiral, faction)
        self._assert_never_reloaded()

    def _mark(self) -> None:
        self.page.evaluate("window.neverReloaded = true")

    def _assert_never_reloaded(self) -> None:
        assert self.page.evaluate("window.neverReloaded") is True


def assert_final(page: Page, admiral: str, vice_admiral: str, faction: str) -> None:
    sentence = f"{admiral} is Admiral, and {faction} is the victorious faction."
    expect(page.locator("#situation")).to_have_text(sentence)
    places = page.get_by_role("list", name="Top ranks").get_by_role("listitem")
    expect(places.locator(".title")).to_have_text(["Admiral", "Vice Admiral", "Rank 3", "Victorious faction"])
    for place, name in ((0, admiral), (1, vice_admiral), (3, faction)):
        expect(places.locator(".podium-name").nth(place)).to_have_text(name)
    look_at(page)


def _keys_of(result: Result) -> list[str]:
    """What is typed field by field: how it ended, who is out, and for each side SP left and a tick for DS9."""
    how = "E" if result.ending == "One fleet eliminated" else result.ending[0]
    keys = [how, str(result.out)] if result.out else [how]
    for side, left in enumerate(result.left, start=1):
        keys += [] if side == result.out else [str(left)]
        keys += [" " if side == result.ds9 else ""]
    return keys


def _rolled(seed: str, roll: int, player: int) -> int:
    """Battle Stations of five dice: they are the fifth and the sixth of an attack die's eight faces (rule 4.2)."""
    texts = (f"{seed}:{roll}:{player}:{die}" for die in range(5))
    return sum(hashlib.sha256(text.encode()).digest()[0] % 8 in (4, 5) for text in texts)


def _standing(row: list[str]) -> tuple:
    rank, name, battle_points, fleet_points, *rounds = row
    played = (None if score == "–" else tuple(int(part) for part in score.split()[:2]) for score in rounds)
    return int(rank), name, int(battle_points), int(fleet_points), *played
