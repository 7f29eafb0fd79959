"""The card catalogue. Fleets keep their own copy of every card, so that nothing here can change them."""

from datetime import date
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models

from fleets.domain.card_data import MOST_SP, InvalidData, card_as_data, card_from_data
from fleets.domain.cards import FACTIONS, Card, CardKind
from tourney.runtime import json_shapes as shapes
from tourney.runtime.checked_json import CheckedJSONField
from tourney.runtime.messages import Message, message

_sentences = shapes.reader_of(shapes.list_of(shapes.text(1000) | dict[str, Any]))


def read_sentences(data: object) -> list[str | Message]:
    """Stored messages, and sentences from before there were any. Raises ValueError and others for what is neither."""
    return [one if isinstance(one, str) else Message.from_data(one) for one in _sentences(data)]


class CatalogueCard(models.Model):
    """A card of the catalogue. `data` is the whole card; the other columns are there to be found by."""

    key = models.CharField(max_length=120, unique=True)
    kind = models.CharField(max_length=20, choices=[(kind.value, kind.value) for kind in CardKind])
    title = models.CharField(max_length=120)
    factions = ArrayField(models.CharField(max_length=3), default=list)
    cost = models.PositiveSmallIntegerField()
    released = models.DateField(null=True)
    sets = ArrayField(models.CharField(max_length=160), default=list, help_text="the names of those it comes in")
    source = models.CharField(max_length=80)
    words = models.CharField(max_length=400, help_text="title, class, factions and kind in small letters")
    data = CheckedJSONField(reader=card_from_data)

    class Meta:
        ordering = ["title", "key"]

    def __str__(self) -> str:
        return self.title

    @property
    def card(self) -> Card:
        """The card; of one whose data cannot be read any more, what the other columns say, as a card by hand."""
        try:
            return card_from_data(self.data)
        except InvalidData:
            return Card(CardKind(self.kind), self.title, cost=min(self.cost, MOST_SP))

    @classmethod
    def of(cls, card: Card, *, released: date | None, source: str, sets: tuple[str, ...] = ()) -> "CatalogueCard":
        """The row of a card, not saved."""
        names = [FACTIONS[code] for code in card.factions]
        words = " ".join([card.title, card.ship_class, *names, *card.factions, card.kind.value]).casefold()
        return cls(
            key=card.key,
            kind=card.kind.value,
            title=card.title,
            factions=list(card.factions),
            cost=card.cost,
            released=released,
            sets=list(sets),
            source=source,
            words=words[:400],
            data=card_as_data(card),
        )


class CatalogueImport(models.Model):
    """A file that was taken over, and what became of its cards. `not_understood` holds messages (`sentences`)."""

    at = models.DateTimeField()
    by_name = models.CharField(max_length=150)
    source = models.CharField(max_length=80)
    added = models.PositiveIntegerField()
    changed = models.PositiveIntegerField()
    unchanged = models.PositiveIntegerField()
    not_understood = CheckedJSONField(default=list, reader=read_sentences, instead=list)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return str(
            message(
                "{source}: {added} added, {changed} changed, {unchanged} unchanged",
                source=self.source,
                added=self.added,
                changed=self.changed,
                unchanged=self.unchanged,
            )
        )

    @property
    def sentences(self) -> list[str | Message]:
        """What was not understood."""
        return read_sentences(self.not_understood)
