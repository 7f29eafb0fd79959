"""Steps of an event in words that need no explaining: seeds stand in the journal, not in headings."""

from django import template

from tourney.queries.history import moment_in_words
from tourney.queries.journal import plainly

register = template.Library()

register.filter("plainly", plainly)
register.filter("in_words", moment_in_words)
