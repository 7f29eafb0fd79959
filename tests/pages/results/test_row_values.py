"""Rows of the fast entry are written from values; what they show is what a form of the row would."""

import re

import pytest
from django.test.html import parse_html

from tests.support.nights import BY, make_night
from tests.support.tables import match_at, on_time
from tourney.actions import reports
from tourney.forms.results import RowForm, endings_by_letter, row_values
from tourney.queries.reports import reports_of
from tourney.queries.results import names_at
from tourney.queries.state import state_of
from tourney.templatetags.rows import rows
from tourney.views.results.by_keyboard import ResultRow

INPUT = re.compile(r"<input[^>]*>|<select.*?</select>", re.DOTALL)


SENT = (
    {"ending": "time", "sp_left_a": "350", "sp_left_b": "50"},
    {"ending": "", "sp_left_a": "twelve", "out": "b"},
    {"ending": "elimination", "out": "a", "sp_left_b": "<b>"},
)


@pytest.mark.django_db
@pytest.mark.parametrize("pack", [f"dominion-war-{month}" for month in range(1, 7)])
def test_a_row_nobody_sent_has_the_fields_and_values_of_its_form(pack):
    state = state_of(make_night(players=8, pack=pack, open_round=True, tables=3).event)
    for match in state.last_round.tables:
        facts = facts_of(match)
        form = RowForm(table=match.table, rules=state.rules, names=names_at(state, match), **facts)
        values, told = row_values(state.rules, **facts), reports_of(state, [match])[match.table]
        row = ResultRow(match, None, values, (None, None), "", {}, told)

        assert fields_written(state, row) == fields_of(form)


@pytest.mark.django_db
def test_a_row_that_a_player_reported_has_the_values_of_its_form():
    event = make_night(players=2, open_round=True).event
    reports.report(event, 1, match_at(event, 1).numbers[0], on_time(30, 20), by=BY)
    state = state_of(event)
    (match,) = state.last_round.tables
    facts, told = facts_of(match), reports_of(state, [match])[1]
    facts["told"] = told.unconfirmed
    form = RowForm(table=1, rules=state.rules, names=names_at(state, match), **facts)
    row = ResultRow(match, None, row_values(state.rules, **facts), (None, None), "", {}, told)

    assert (form["sp_left_a"].value(), form["ending"].value()) == (30, "time")
    assert fields_written(state, row) == fields_of(form)


@pytest.mark.django_db
@pytest.mark.parametrize("pack", ["dominion-war-1", "dominion-war-6"])
@pytest.mark.parametrize("typed", SENT, ids=["too-much", "no-ending", "html"])
def test_a_row_that_was_sent_is_written_as_it_was_typed_and_says_what_is_wrong(pack, typed):
    state = state_of(make_night(players=2, pack=pack, open_round=True).event)
    (match,) = state.last_round.tables
    data = {f"t1-{name}": value for name, value in {"version": "0", **typed}.items()}
    form = RowForm(data, table=1, rules=state.rules, names=names_at(state, match), **facts_of(match))
    row = ResultRow(match, form, {}, (None, None), "", {}, reports_of(state, [match])[1])

    assert form.errors
    assert fields_written(state, row) == fields_of(form)


def facts_of(match) -> dict[str, object]:
    facts = {"numbers": match.numbers, "result": match.result, "played": match.played}
    return facts | {"fleets": (None, None), "marked": match.destroyed}


def fields_of(form: RowForm) -> dict[str, object]:
    return {field.html_name: parse_html(str(field)) for field in form}


def fields_written(state, row: ResultRow) -> dict[str, object]:
    written = rows("entry.html", row=row, event=state.event, endings=endings_by_letter(state.rules))
    return {name_of(one): parse_html(one) for one in INPUT.findall(written)}


def name_of(field: str) -> str:
    return re.search(r'name="([^"]+)"', field)[1]
