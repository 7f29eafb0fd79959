"""One storyline night, from the set-up link to the final ranks, by clicking: a laptop at the counter and a phone.

What the pages must show is worked out with pencil and paper (`Paper`) from what was typed. Round 1 is drawn at
random; its results are planned by table, so that the night goes the same way whoever sits there.
"""

from dataclasses import replace

import pytest
from playwright.sync_api import Page

from tests.support.clicking import Desk, Phone, assert_final, look_at
from tests.support.paper import Paper, Result

REGISTERED = {
    "Vor": "Klingon",
    "Kestrel": "Federation",
    "Quill": "Romulan",
    "Onyx": "Dominion",
    "Sable": "Klingon",
    "Marrow": "Federation",
    "Brine": "Romulan",
    "Nine of Ten": "Dominion",
}
BY_PHONE, LATE = "Ensign Lark", "Talon"
FACTIONS = REGISTERED | {BY_PHONE: "Federation", LATE: "Klingon"}
NUMBERS = {name: number for number, name in enumerate(FACTIONS, start=1)}

# Three winners end with 100 Fleet Points, two losers with 75; table 4 rolls off.
ROUND_1 = {
    1: Result("Time", left=(60, 20), ds9=1, wins=1),
    2: Result("One fleet eliminated", out=2, left=(25, 0), wins=1),
    3: Result("One fleet eliminated", out=1, left=(0, 25), wins=2),
    4: Result("Time", left=(50, 50), wins=2),
}
ROUND_2 = {
    1: Result("One fleet eliminated", out=2, left=(35, 0), ds9=1, wins=1),
    2: Result("Time", left=(20, 60), wins=2),
    3: Result("Time", left=(55, 30), wins=1),
    4: Result("One fleet eliminated", out=1, left=(0, 70), wins=2),
}
# The loser of table 1 and the winner of table 2 end level, for Vice Admiral.
ROUND_3 = {
    1: Result("One fleet eliminated", out=1, left=(0, 55), wins=2),
    2: Result("One fleet eliminated", out=2, left=(40, 0), wins=1),
    3: Result("Concession", out=1, left=(0, 31), ds9=2, wins=2),
}


@pytest.mark.nightly
def test_a_new_owner_runs_a_whole_night_by_clicking_and_a_phone_follows(laptop: Page, phone: Page, server: str):
    desk, phone, paper = Desk(laptop), Phone(phone), Paper(FACTIONS)

    # A store, a campaign, a month
    desk.set_up_a_store(server)
    desk.begin_the_campaign("Dominion War")
    desk.plan_the_month("Month 6: The Last Battle of DS9", sp_limit=100)

    # Doors: eight are typed in, the ninth joins alone
    desk.register_all(REGISTERED)
    phone.join(desk.address_for_phones(), BY_PHONE, FACTIONS[BY_PHONE])
    phone.assert_answer("Registered, not checked in yet")
    desk.check_in_all(9)
    phone.assert_answer("Not paired yet")

    # Round 1: a time-out win by Fleet Points with +20, a corrected result, a roll-off at a table with a tied roll
    tables, bye = desk.pair(1)
    assert sorted([*tables[1], *tables[2], *tables[3], *tables[4], bye]) == sorted([*REGISTERED, BY_PHONE])
    desk.publish(1)
    phone.assert_table(BY_PHONE, tables, bye)
    desk.start_the_clock()
    phone.assert_shows("No results yet.")
    desk.enter(1, tables[1], ROUND_1[1])
    desk.enter(2, tables[2], replace(ROUND_1[2], left=(52, 0)))
    desk.correct(2, tables[2], ROUND_1[2])
    desk.enter(3, tables[3], ROUND_1[3])
    desk.enter(4, tables[4], ROUND_1[4])
    desk.roll(1, tables[4], (2, 2), " are tied and roll again.")
    desk.roll(2, tables[4], (1, 3))
    paper.write(1, tables, ROUND_1, bye)
    phone.assert_standings(paper, ranks=[1, 1, 1, 4, 5, 6, 6, 8, 9])

    # Three winners are tied and need two rolls; two losers are tied too, and the software rolls
    first, second, third = tables[2][0], tables[1][0], tables[3][1]
    desk.do_next("Roll off")
    desk.roll(1, (first, second, third), (3, 1, 1), f"{first} is first. ")
    desk.roll(2, (second, third), (2, 0), f"{first} is first. {second} is second. {third} is third.")
    desk.follow("Roll off")
    losers = desk.roll_by_software({name: NUMBERS[name] for name in (tables[2][1], tables[3][0])})
    paper.roll_offs += [(first, second, third), losers]
    desk.close_after_the_dice(1, bye=paper.points[bye][0][1])
    phone.assert_standings(paper, ranks=range(1, 10))
    look_at(phone.page)

    # One leaves; one comes late and would have the bye (rule 3.5), which is given to another by hand
    gone, gives_way = tables[4][1], tables[1][1]
    desk.drop(gone, "Has to lock the shop next door")
    paper.dropped = {gone}
    desk.register_late(LATE, FACTIONS[LATE])
    phone.find_my_table("tal")
    phone.assert_answer("Not paired yet")
    tables, bye = desk.pair(2)
    assert (tables, bye) == (paper.neighbours(), LATE)
    desk.swap(LATE, gives_way, "Came late and would only watch")
    tables, bye = tables | {4: (tables[4][0], LATE)}, gives_way
    assert desk.tables() == (tables, bye)
    desk.publish(2)
    phone.assert_answer(f"Table 4 against {tables[4][0]}")
    phone.assert_by_hand(2, {*tables[4], bye}, "Came late and would only watch")

    # Round 2 by keyboard alone; at table 3 the bonus goes to the loser at first, which cannot be
    desk.enter_by_keyboard(ROUND_2 | {3: replace(ROUND_2[3], ds9=2)}, saved=3)
    desk.take_the_last_tick_back(3)
    paper.write(2, tables, ROUND_2, bye)
    phone.assert_standings(paper, ranks=range(1, 11))
    desk.do_next("Close round 2")

    # One is dropped by mistake; two have lost twice and leave
    desk.drop(tables[2][1])
    desk.bring_back(tables[2][1])
    desk.drop(tables[3][1])
    desk.drop(tables[4][0])
    paper.dropped |= {tables[3][1], tables[4][0]}

    # Round 3: a missed round was no bye (rule 3.6), so the one who came late has it now
    tables, bye = desk.pair(3)
    assert (tables, bye) == (paper.neighbours(), LATE)
    phone.open()
    desk.publish(3)
    phone.assert_shows("Round 3 starts soon.")
    desk.enter(1, tables[1], ROUND_3[1])
    desk.enter(2, tables[2], ROUND_3[2])
    desk.enter(3, tables[3], ROUND_3[3])
    paper.write(3, tables, ROUND_3, bye)
    admiral, vice_admiral = tables[1][1], tables[1][0]
    desk.do_next("Roll off")
    desk.roll(1, (vice_admiral, tables[2][0]), (4, 1))
    paper.roll_offs += [(vice_admiral, tables[2][0])]
    desk.close_after_the_dice(3, bye=paper.points[bye][2][1])

    # The end
    desk.finish()
    faction = paper.factions_in_order()[0]
    assert paper.order()[:2] == [admiral, vice_admiral]
    phone.assert_final(admiral, vice_admiral, faction)
    assert_final(laptop, admiral, vice_admiral, faction)
    phone.assert_standings(paper, ranks=range(1, 11))
