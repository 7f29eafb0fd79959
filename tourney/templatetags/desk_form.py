"""`{% desk_form %}`: what every form of the desk begins with, in place of `{% csrf_token %}`.

It says which version of the event the form was shown with: whoever acts on a page that is not how things stand any more
is told what was done since, and by whom (`views/responses.py`). It is a builtin of all templates (settings).
"""

from django import template
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def desk_form(context: template.Context) -> SafeString:
    """The hidden token, and `as_of` of `frame.desk_context` beside it. Raises KeyError on a page of another kind."""
    seen = format_html('<input type="hidden" name="as_of" value="{}">', context["as_of"])
    return SafeString(CsrfTokenNode().render(context) + seen)
