"""{% modules "js/results.js" %}: the scripts of a page, and early word of all that they import."""

from functools import cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from tourney.runtime.static_modules import imports_of

register = template.Library()

EVERYWHERE = ("js/flagship.js", "js/outbox.js", "js/live.js")
"""What base.html asks for on every page."""


@register.simple_tag
def modules(*names: str) -> SafeString:
    """Script elements for these modules, EVERYWHERE's where none is named, with a modulepreload for each import.

    Without those a browser would learn of an import only when the file before it is there: one more way to the
    server for each step.
    """
    names = names or EVERYWHERE
    early, scripts = ([(static(name),) for name in some] for some in (_early(names), names))
    preloads = format_html_join("", '<link rel="modulepreload" href="{}">\n', early)
    return preloads + format_html_join("\n", '<script type="module" src="{}"></script>', scripts)


@cache
def _early(names: tuple[str, ...]) -> tuple[str, ...]:
    """What those import and base.html does not bring already."""
    there = () if names == EVERYWHERE else (*EVERYWHERE, *imports_of(EVERYWHERE))
    return tuple(name for name in imports_of(names) if name not in there)
