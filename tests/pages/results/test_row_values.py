"""Rows of the fast entry are written from values; what they show is what a form of the row would."""

import re

import pytest
from django.test.html import parse_html

from tests.support.nights import make_night
from tourney.forms.results import RowForm, endings_by_letter, row_values
from tourney.queries.results import names_at
from tourney.queries.state import state_of
from tourney.templatetags.rows import rows
from tourney.views.results.by_keyboard import ResultRow

INPUT = re.compile(r"<input[^>]*>|<select.*?</select>", re.DOTALL)


@pytest.mark.django_db
@pytest.mark.parametrize("pack", [f"dominion-war-{month}" for month in range(1, 7)])
def test_a_row_nobody_sent_has_the_fields_and_values_of_its_form(pack):
    state = state_of(make_night(players=8, pack=pack, open_round=True, tables=3).event)
    for match in state.last_round.tables:
        facts = {"numbers": match.numbers, "result": match.result, "played": match.played}
        facts |= {"fleets": (None, None), "marked": match.destroyed}
        form = RowForm(table=match.table, rules=state.rules, names=names_at(state, match), **facts)
        row = ResultRow(match, None, row_values(state.rules, **facts), (None, None), "", {})
        written = rows("entry.html", row=row, rules=state.rules, endings=endings_by_letter(state.rules))
        fields = {field.html_name: parse_html(str(field)) for field in form}
        shown = {name_of(one): parse_html(one) for one in INPUT.findall(written)}
        assert shown == fields


def name_of(field: str) -> str:
    return re.search(r'name="([^"]+)"', field)[1]
