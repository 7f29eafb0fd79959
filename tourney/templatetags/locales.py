"""`{{ moment|written:"day, time" }}`: days and times as the store writes them, in the reader's language."""

from django import template

from tourney.runtime.locales import active, written

register = template.Library()

register.filter(written)


@register.simple_tag
def locale_of_store() -> str:
    """The locale of the store whose page this is, as browsers write it: en-US."""
    return active().replace("_", "-")
