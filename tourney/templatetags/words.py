"""{% words %}: the file of what scripts say in the language of the page; nothing in English, which they know."""

from functools import cache, lru_cache

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template import Context
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import translation
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from tourney.runtime.locale_files import SCRIPTS_FOLDER

register = template.Library()

PLACE = "ADDRESS-OF-THE-PAGE"
"""Where the address stands in what is the same on every page."""


@register.simple_tag
def words() -> SafeString:
    """The element by which words.js finds it; the browser asks for it before it comes to the scripts."""
    name = f"{SCRIPTS_FOLDER}/{translation.get_language()}.json"
    if not words_are_there(name):
        return SafeString()
    return format_html('<link rel="preload" as="fetch" crossorigin href="{}" data-words>', static(name))


@register.simple_tag(takes_context=True)
def language_choice(context: Context) -> SafeString:
    """The buttons for another language, each by its own name, where there are several; then this page comes again.

    Nothing on the answer to a form: what was typed would be lost.
    """
    offered, request = tuple(settings.LANGUAGES), context.get("request")
    is_answer_to_form = request is not None and request.method not in ("GET", "HEAD")
    if len(offered) < 2 or is_answer_to_form:
        return SafeString()
    path = request.get_full_path() if request else "/"
    return mark_safe(_choice(offered, translation.get_language()).replace(PLACE, conditional_escape(path)))


@lru_cache(maxsize=50)
def _choice(offered: tuple[tuple[str, str], ...], spoken: str) -> SafeString:
    return render_to_string("parts/languages.html", {"offered": dict(offered), "spoken": spoken, "next": PLACE})


@cache
def words_are_there(name: str) -> bool:
    """Whether there is that file of words among the static files."""
    return finders.find(name) is not None
