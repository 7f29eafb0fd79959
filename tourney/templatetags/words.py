"""{% words %}: the file of what scripts say in the language of the page; nothing in English, which they know."""

from functools import cache

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tourney.runtime.locale_files import SCRIPTS_FOLDER

register = template.Library()


@register.simple_tag
def words() -> SafeString:
    """The element by which words.js finds it; the browser asks for it before it comes to the scripts."""
    name = f"{SCRIPTS_FOLDER}/{translation.get_language()}.json"
    if not _is_there(name):
        return SafeString()
    return format_html('<link rel="preload" as="fetch" crossorigin href="{}" data-words>', static(name))


@register.simple_tag
def languages() -> dict[str, str]:
    """The languages that a reader may choose, by code: each by its own name."""
    return dict(settings.LANGUAGES)


@cache
def _is_there(name: str) -> bool:
    return finders.find(name) is not None
