"""`{% csrf_token %}` on the pages of the desk also says which version of the event the form was shown with.

It is a builtin of all templates (settings), so no form can do without it: whoever acts on a page that is not how things
stand any more is told what was done since, and by whom (`views/responses.py`).
"""

from django import template
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.tag
def csrf_token(parser: template.base.Parser, token: template.base.Token) -> "SeenNode":
    return SeenNode()


class SeenNode(CsrfTokenNode):
    """The hidden token, and where the context has `as_of`, the version of the event beside it."""

    def render(self, context: template.Context) -> SafeString:
        html, version = super().render(context), context.get("as_of")
        return html if version is None else html + format_html('<input type="hidden" name="as_of" value="{}">', version)
