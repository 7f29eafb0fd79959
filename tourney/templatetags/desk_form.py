"""`{% desk_form %}`: what every form of the desk begins with, in place of `{% csrf_token %}`.

It says which version of the event the form was shown with: whoever acts on a page that is not how things stand any more
is told what was done since, and by whom (`views/responses.py`). It is a builtin of all templates (settings).

What is kept for many readers (`{% kept %}`, `{% rows %}`) holds PLACE instead, and each reader's own comes there when
it is shown. Nobody can type PLACE: what people typed is escaped.
"""

from django import template
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

KEPT = "is_kept"
"""The name by which a context says that what it renders is kept for others too."""
PLACE = mark_safe("<!--desk_form-->")


@register.simple_tag(takes_context=True)
def desk_form(context: template.Context) -> SafeString:
    """The hidden token, and `as_of` of `frame.desk_context` beside it; PLACE in what is kept.

    Raises KeyError on a page of another kind.
    """
    if context.get(KEPT):
        return PLACE
    seen = format_html('<input type="hidden" name="as_of" value="{}">', context["as_of"])
    return SafeString(CsrfTokenNode().render(context) + seen)


def with_desk_forms(context: template.Context, html: str) -> str:
    """The HTML with this reader's own forms in every PLACE; untouched inside of what is kept itself.

    Raises KeyError where it has one on a page that is not the desk's.
    """
    return html.replace(PLACE, desk_form(context)) if PLACE in html else html
