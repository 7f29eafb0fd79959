"""The journal: who did what, when, and why.

A database trigger forbids changing or deleting an entry; only an erased name becomes a mark. Entries are chained
by hash, so that a change is found even where somebody switched the trigger off (docs/journal.md).
"""

from django.db import models

from tourney.domain.verbs import Verb
from tourney.models.event import Event
from tourney.models.store import Store, User
from tourney.runtime import json_shapes as shapes
from tourney.runtime.checked_json import CheckedJSONField
from tourney.runtime.messages import Message, kept_message, message

NAMELESS = {
    "a player": message("a player"),
    "command line": message("command line"),
    "rehearsal": message("rehearsal"),
    "the command line": message("the command line"),
}
"""What entries keep as the name of those who act without one, and how readers know them."""


class JournalEntry(models.Model):
    """One action. `before` and `after` are the facts it changed.

    `what` is the sentence in English, and `said` the message (`runtime.messages`) of which `sentence` is made in the
    reader's language; None for entries from before messages were kept, and for those that are people's own words.
    `version` is the one that its event got by it, None where that is not known. `by_elsewhere` is the number of the
    account that did it, where that was at another installation (`ChainOrigin`): `by` is None then.
    """

    store = models.ForeignKey(Store, on_delete=models.PROTECT, related_name="journal")
    event = models.ForeignKey(Event, on_delete=models.PROTECT, null=True, related_name="journal", db_index=False)
    version = models.PositiveIntegerField(null=True)
    at = models.DateTimeField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    by_elsewhere = models.BigIntegerField(null=True)
    by_name = models.CharField(max_length=150)
    did = models.CharField(max_length=40)
    what = models.TextField()
    before = CheckedJSONField(null=True, reader=shapes.reader_of(dict))
    after = CheckedJSONField(null=True, reader=shapes.reader_of(dict))
    reason = models.TextField(blank=True)
    said = CheckedJSONField(null=True, reader=Message.from_data)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "journal entries"
        indexes = [
            models.Index(fields=["event", "id"], name="journal_of_an_event"),
            models.Index(fields=["store", "id"], condition=models.Q(event=None), name="journal_of_a_store_itself"),
            models.Index(fields=["store"], condition=models.Q(did=Verb.FORGET.value), name="entries_that_forget"),
            models.Index(
                fields=["store"],
                condition=models.Q(did=Verb.IMPORT_EVENT.value),
                name="entries_that_import_an_event",
            ),
        ]

    def __str__(self) -> str:
        return self.what

    @property
    def by_whom(self) -> str:
        """Who did it: a name, or what they are called in the reader's language where nobody gave one."""
        return self.by_name if self.is_by_staff else str(NAMELESS.get(self.by_name, self.by_name))

    @property
    def is_by_staff(self) -> bool:
        """Whether somebody did it who had signed in, here or where the store was before."""
        return self.by_id is not None or self.by_elsewhere is not None

    @property
    def message(self) -> str | Message:
        """What was done, to be said in any language; the English sentence where no message was kept."""
        return kept_message(self.said, self.what)

    @property
    def sentence(self) -> str:
        """What was done, in the reader's language."""
        return str(self.message)


class JournalLink(models.Model):
    """A link of the store's hash chain; the database writes it with the commit (migration `journal_chain`).

    `content_hash` is of the entry, `changes_hash` of the rows it changed (`models.Change`), both salted with `nonce`;
    `chain_hash` is of the link before and these two. When a name in the entry is erased, another link with
    `redacted_for`, the entry that says so, takes the place of this one, and the nonce goes.
    """

    store = models.ForeignKey(Store, on_delete=models.PROTECT, related_name="links", db_index=False)
    number = models.PositiveIntegerField()
    entry = models.ForeignKey(JournalEntry, on_delete=models.PROTECT, related_name="links")
    redacted_for = models.ForeignKey(JournalEntry, on_delete=models.PROTECT, null=True, related_name="+")
    nonce = models.CharField(max_length=36, blank=True)
    content_hash = models.CharField(max_length=64)
    changes_hash = models.CharField(max_length=64)
    chain_hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["store", "number"]
        constraints = [
            models.UniqueConstraint(fields=["store", "number"], name="one_link_per_number_and_store"),
            models.UniqueConstraint(
                fields=["entry"], condition=models.Q(redacted_for=None), name="one_first_link_per_entry"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.chain_hash}"
