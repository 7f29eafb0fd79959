"""The ways from a page to the guide: “?” in its header, and the numbers of rules in its sentences."""

import re
from functools import cache
from html import escape

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from tourney.domain.guide import topic_of
from tourney.queries.guide import address_of, address_of_rule, numbers_of_rules
from tourney.runtime.messages import Message

register = template.Library()

RULE = re.compile(r"\b([Rr](?:ule|egel|ègle|egla|egra)\s(\d{1,2}\.\d{1,2}))\b")
"""“rule 3.3” as English, German, French, Spanish and Portuguese write it."""


@register.simple_tag(takes_context=True)
def help_link(context: template.Context) -> SafeString:
    """“?”: to what the guide says of this page."""
    match = getattr(context.get("request"), "resolver_match", None)
    page, anchor = topic_of(match.url_name if match else None, is_staff=bool(context.get("role")))
    says = gettext("Help with this page")
    return format_html('<a class="help-link" href="{}" aria-label="{}"><b>?</b></a>', address_of(page, anchor), says)


@register.filter
def rule_links(text: Message | str) -> SafeString:
    """A sentence in which the number of a rule is a link to the rule in words."""
    return mark_safe(RULE.sub(_link, text.__html__() if isinstance(text, SafeString) else escape(str(text))))


def _link(found: re.Match[str]) -> str:
    return _linked(found[1], found[2])


@cache
def _linked(said: str, number: str) -> str:
    return f'<a href="{address_of_rule(number)}">{said}</a>' if number in numbers_of_rules() else said
