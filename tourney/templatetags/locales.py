"""What pages say in the reader's language: days and times, and texts that are looked up once for all pages."""

from typing import Any

from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, Token, TokenType, Variable
from django.templatetags import i18n
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from tourney.runtime.locales import active, written
from tourney.runtime.messages import minus

register = template.Library()

register.filter(written)
"""`{{ moment|written:"day, time" }}`: as the store writes it."""
register.filter(minus)
"""`{{ points|minus }}`: −2 with a real minus, as people write it."""


@register.simple_tag
def locale_of_store() -> str:
    """The locale of the store whose page this is, as browsers write it: en-US."""
    return active().replace("_", "-")


@register.tag
def once(parser: Parser, token: Token) -> Node:
    """{% once %}…{% endonce %}: what stands inside is the same on every page, and rendered once in each language."""
    nodes = parser.parse(("endonce",))
    parser.delete_first_token()
    return OnceNode(nodes)


class OnceNode(Node):
    def __init__(self, nodes: NodeList):
        self.nodelist = nodes
        self.html: dict[str, SafeString] = {}

    def render(self, context: template.Context) -> SafeString:
        language = get_language()
        if language not in self.html:
            self.html[language] = self.nodelist.render(context)
        return self.html[language]


@register.tag
def translate(parser: Parser, token: Token) -> Node:
    """Django's own tag; a text that no variable is in is looked up once in each language, not for each page."""
    node = i18n.do_translate(parser, token)
    is_same = isinstance(node.filter_expression.var, Variable) and node.filter_expression.var.literal is not None
    return _once(node) if is_same and not node.filter_expression.filters and not node.asvar else node


@register.tag
def blocktranslate(parser: Parser, token: Token) -> Node:
    """Django's own tag; a text that no variable is in is looked up once in each language, not for each page."""
    node = i18n.do_block_translate(parser, token)
    is_same = not node.extra_context and not node.counter and all(t.token_type is TokenType.TEXT for t in node.singular)
    return _once(node) if is_same and not node.asvar else ReadyNode(**vars(node))


MOST_KEPT = 500


class ReadyNode(i18n.BlockTranslateNode):
    """The same with its sentences put together when the template is read, not for each page.

    Those that hold nothing but whole numbers, as “Round 3”, are kept in each language: up to MOST_KEPT.
    """

    def __init__(self, **parts: Any):
        super().__init__(**parts)
        patterns = [(tokens, super().render_token_list(tokens)) for tokens in (self.singular, self.plural or [])]
        self.ready = {id(tokens): pattern for tokens, pattern in patterns}
        self.names = {name for _, (_, names) in patterns for name in names} - {self.countervar, *self.extra_context}
        self.is_kept = not (self.asvar or self.message_context)
        self.kept: dict[tuple[object, ...], str] = {}

    def render(self, context: template.Context, nested: bool = False) -> str:
        """What Django's own node makes."""
        if nested or not self.is_kept:
            return super().render(context, nested)
        given = [value.resolve(context) for value in self.extra_context.values()]
        given += [context.get(name) for name in self.names]
        if self.counter:
            given.append(self.counter.resolve(context))
        if any(value.__class__ is not int for value in given):
            return super().render(context)
        key = (get_language(), *given)
        if key not in self.kept:
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            self.kept[key] = super().render(context)
        return self.kept[key]

    def render_token_list(self, tokens: list[Token]) -> tuple[str, list[str]]:
        """The sentence as the catalogue has it, and the names of what stands in it."""
        pattern, names = self.ready[id(tokens)]
        return pattern, [*names]


def _once(node: i18n.TranslateNode | i18n.BlockTranslateNode) -> Node:
    context = node.message_context
    is_same = context is None or (isinstance(context, FilterExpression) and not isinstance(context.var, Variable))
    return OnceNode(NodeList([node])) if is_same else node
