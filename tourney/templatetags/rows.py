"""`{% rows "names.html" names=names %}`: lists that may have hundreds of rows, which take Django's templates too long.

They are templates of Jinja2 (`templates/rows`), which escapes whatever people typed, as Django does. Lines that hold
nothing but a block are left out of what is sent.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from django import template
from django.template import engines
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, ngettext, pgettext
from jinja2 import Environment, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup

from scoring.domain.points import Score
from scoring.domain.words import roll_off_sentence
from tourney.runtime.locales import written
from tourney.runtime.messages import minus, pmessage
from tourney.templatetags.desk_form import PLACE, with_desk_forms
from tourney.templatetags.flagship import address, faction, signed
from tourney.templatetags.guide import rule_links

register = template.Library()

NOTES = {
    "bye": pmessage("a round of the standings", "bye"),
    "no-show": pmessage("a round of the standings", "no-show"),
    "no-show win": pmessage("a round of the standings", "no-show"),
}
"""What stands beside the points of a round in which nobody was met, by the outcome."""


class Flush(Extension):
    """Lines begin with one space instead of those for readers of templates, which are a fifth of a long list.

    One stays, since the end of a line that ends with a block is left out.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The template as it is compiled."""
        return INDENT.sub(" ", source)


INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def environment(**options: Any) -> Environment:
    """What these templates are made with: `options` of Django's backend, and the few functions that they call."""
    options |= {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    made = Environment(**options, extensions=["jinja2.ext.i18n", Flush])
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_callables(gettext, ngettext, newstyle=True, pgettext=pgettext)  # type: ignore[attr-defined]
    made.globals |= {
        "_": said,
        "address": address,
        "desk_form": PLACE,
        "faction": faction,
        "gettext": said,
        "icon": icon,
        "part": render_to_string,
        "roll_off_sentence": roll_off_sentence,
    }
    made.filters |= {
        "capfirst": capfirst,
        "minus": minus,
        "quoted": quoted,
        "round_cells": round_cells,
        "signed": signed,
    }
    made.filters["rule_links"] = rule_links
    made.filters["with_its_number"] = with_its_number
    made.filters["written"] = written
    return made


@register.simple_tag(takes_context=True, name="rows")
def rows_on_page(context: template.Context, file: str, **facts: object) -> SafeString:
    """The list by that template, with this reader's own forms where it has some (`desk_form`)."""
    return mark_safe(with_desk_forms(context, rows(file, **facts)))


def rows(file: str, **facts: object) -> SafeString:
    """The list by that template, which sees these facts alone. Raises UndefinedError where it asks for another."""
    return mark_safe(engines["jinja2"].get_template(file).render(facts))


def said(sentence: str, **facts: object) -> Markup:
    """The sentence in the reader's language with these facts: what has none is looked up once, not for each row."""
    if not facts:
        return whole_of(sentence, get_language())
    pattern = pattern_of(sentence, get_language())
    if all(type(fact) is int for fact in facts.values()):
        return Markup(str.__mod__(pattern, facts))  # numbers, of which nothing is to be escaped
    return pattern % facts


@lru_cache(maxsize=5000)
def pattern_of(sentence: str, language: str | None) -> Markup:
    """The sentence as the catalogue of that language has it, with its %(facts)s."""
    return Markup(gettext(sentence))


@lru_cache(maxsize=5000)
def whole_of(sentence: str, language: str | None) -> Markup:
    """The same of a sentence without facts, in which %% stands for a percent sign."""
    return pattern_of(sentence, language) % {}


@lru_cache(maxsize=100)
def icon(name: str) -> SafeString:
    """The icon of that name (parts/icon.html), made once."""
    return render_to_string("parts/icon.html", {"icon": name})


def with_its_number(text: Markup) -> Markup:
    """The sentence with its first number on the line of the word before it: “at table 4”."""
    return Markup(NUMBER.sub("\N{NO-BREAK SPACE}", text, count=1))


NUMBER = re.compile(r" (?=\d)")


def quoted(text: str) -> str:
    """A text as a value in the query of an address."""
    return quote(text, safe="")


def round_cells(scores: Iterable[Score | None]) -> SafeString:
    """What a player got in each round, as cells of a row: each made once, for few of all scores differ."""
    language = get_language()
    facts = ((None, None, "") if one is None else (one.battle_points, one.fleet_points, one.outcome) for one in scores)
    return mark_safe("".join(_round_cell(*one, language) for one in facts))


@lru_cache(maxsize=2000)
def _round_cell(battle_points: int | None, fleet_points: int | None, outcome: str, language: str) -> SafeString:
    return rows("round.html", battle_points=battle_points, fleet_points=fleet_points, note=NOTES.get(outcome))
