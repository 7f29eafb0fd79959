"""Rows of the tables that may have hundreds: written here, which takes a tenth of the time of a template.

Whatever people typed gets into them through `escape`; all else are numbers and words of our own.
"""

from collections.abc import Sequence
from html import escape

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from scoring.domain.points import Score
from tourney.queries.public import NameLine, RankLine
from tourney.queries.rulings import RulingNote
from tourney.templatetags.flagship import address, faction

register = template.Library()

NOTES = {"bye": " bye", "no-show": " no-show", "no-show win": " no-show"}
"""What stands beside the points of a round in which nobody was met."""
SHARED = '<span class="visually-hidden"> shared</span>'
WON = '<span class="badge badge-won">Won</span>\n'
BY_HAND = '<span class="badge badge-by-hand">By hand</span>\n'
BYE = '<span class="badge badge-bye">Bye</span>'


@register.simple_tag
def name_row(line: NameLine) -> SafeString:
    """A player in the list A–Z of a round: whom they meet, where, and whether they won."""
    match, own, other = line.match, line.own.entrant, line.other
    against = f"against {escape(other.entrant.player.name)}" if other else "no opponent this round"
    place = f" · {escape(match.table_name)}" if match.table_name else ""
    won = WON if line.own.won and match.state == "done" else ""
    by_hand = BY_HAND if match.row.manual_reason else ""
    table = f'<span class="table-number"><span class="visually-hidden">Table</span> {match.table}</span>'
    return mark_safe(
        f'<li class="row me-{own.number}-">\n<span class="row-text">\n<b>{escape(own.player.name)}</b>\n'
        f'<small class="muted">{against}{place}</small>\n</span>\n'
        f"{won}{by_hand}{BYE if match.is_bye else table}\n</li>\n"
    )


@register.simple_tag
def rank_row(line: RankLine, store: str, after: int, *, short: bool, finished: bool) -> SafeString:
    """A row of the standings after a round at the store with that slug; `short` without rounds and reasons."""
    standing, entrant = line.standing, line.entrant
    dropped = "is-dropped " if line.left_after is not None else ""
    shared, said = (" rank-shared", SHARED) if standing.shared else ("", "")
    title = f'<span class="title">{escape(standing.title)}</span>\n' if finished and standing.title else ""
    reasons, rounds = ("", "") if short else (_reasons(line, after), "".join(map(_round, standing.rounds)))
    return mark_safe(
        f'<tr class="{dropped}me-{standing.id}-">\n<th scope="row">\n<span class="ranked">\n'
        f'<span class="rank{shared}">{standing.rank}{said}</span>\n'
        f'<span class="ranked-name">\n{faction(entrant.faction, short=True)}\n'
        f'<a href="{address("store_player", store, entrant.player_id)}">{escape(entrant.player.name)}</a>\n'
        f"{title}</span>\n{_came_and_left(line.came_in, line.left_after)}{reasons}</span>\n</th>\n"
        f'<td class="n total">{standing.battle_points}</td><td class="n">{standing.fleet_points}</td>{rounds}\n</tr>\n'
    )


def _came_and_left(came_in: int | None, left_after: int | None) -> str:
    if came_in is None and left_after is None:
        return ""
    came = "" if came_in is None else f"came in round {came_in} "
    left = "" if left_after is None else f"dropped after round {left_after}"
    return f'<span class="ranked-note">{came}{left}</span>\n'


def _reasons(line: RankLine, after: int) -> str:
    return (
        f'{_rulings(line.rulings)}<details class="why ranked-note" id="rank-{after}-{line.key}" hx-preserve="true">\n'
        f"<summary>Why?</summary>\n<p>{escape(line.why)}</p>\n</details>\n"
    )


def _rulings(rulings: Sequence[RulingNote]) -> str:
    return render_to_string("parts/rulings.html", {"rulings": rulings, "with_round": True}) if rulings else ""


def _round(score: Score | None) -> str:
    if score is None:
        return '<td class="n">–</td>'
    fleet_points = "–" if score.fleet_points is None else score.fleet_points
    note = NOTES.get(score.outcome, "")
    return (
        f'<td class="n"><span class="round-score">{score.battle_points} <small>{fleet_points}{note}</small></span></td>'
    )
