"""A store is deleted: everything of it, in one step, and nothing of any other.

What stays is that it was here (`DeletedStore`), without a name of it, and its addresses, which nobody else gets. The
database lets the rows go only together with the store: see migration `stores_come_and_go`.
"""

from collections.abc import Iterator

from django.db import IntegrityError, connection, models, transaction
from django.db.models import Q

from scoring.models import MonthPack
from tourney.actions.record import NOTHING_CHANGED, Actor, Refused, bump_version_and_notify
from tourney.actions.rehearsal import delete_all, delete_rows_of, discard_at
from tourney.domain.verbs import Verb
from tourney.models import (
    ChainOrigin,
    DeletedStore,
    Delivery,
    Event,
    Invitation,
    JournalEntry,
    Membership,
    OwnPack,
    PackDraft,
    PackVersion,
    PlayerCard,
    PushSubscription,
    RetiredAddress,
    SignInAttempt,
    Store,
    StoreLogo,
    StoreRequest,
    Webhook,
)
from tourney.queries.journal_chain import head_of
from tourney.queries.store_archive import packs_of
from tourney.runtime.messages import message

BESIDE: tuple[tuple[type[models.Model], str], ...] = (
    (Delivery, "webhook__store"),
    (Webhook, "store"),
    (PushSubscription, "card__player__store"),
    (PushSubscription, "membership__store"),
    (SignInAttempt, "store"),
    (Invitation, "store"),
    (StoreLogo, "store"),
    (StoreRequest, "store"),
    (Membership, "store"),
    (ChainOrigin, "store"),
)
"""What only a real store has; each before those it points to."""


def delete_store(store: Store, *, by: Actor) -> DeletedStore:
    """Delete the store with its campaigns, events, players, cards, fleets, packs, staff's roles, journal and history.

    The people who signed in there keep their sign-ins. Raises Refused for one that is gone already, and where somebody
    added something to it at the same moment: then all of it is still there.
    """
    try:
        with transaction.atomic():
            return _delete(store, by)
    except IntegrityError as error:
        raise Refused(NOTHING_CHANGED, message("Someone changed this store just now. Try again.")) from error


def _delete(store: Store, by: Actor) -> DeletedStore:
    """Its events are locked first, as every action does, then the store, so that nobody adds anything."""
    _check_constraints()
    _lock_events(store)
    row = Store.objects.select_for_update().real().filter(pk=store.pk).first()
    if row is None:
        raise Refused(message("This store has already been deleted."))
    events = _lock_events(row)
    discard_at(row)
    for event in events:
        bump_version_and_notify(event)
    head = head_of(row)
    deleted = DeletedStore.objects.create(
        number=row.pk,
        deleted_at=by.at,
        by_name=by.name[:150],
        entries=JournalEntry.objects.filter(store=row).count(),
        head=head.hash if head else "",
        moved_to=row.moved_to,
    )
    RetiredAddress.objects.create(path=f"/s/{row.slug}/", store=deleted)
    RetiredAddress.objects.bulk_create(
        RetiredAddress(path=f"/e/{event.slug}/", event=event.pk, store=deleted)
        for event in events
        if event.deleted_at is None
    )
    if row.moved_to:
        keys = PlayerCard.objects.filter(player__store=row).values_list("key_hash", flat=True)
        cards = (RetiredAddress(path=f"/card/{key}/", store=deleted) for key in keys)
        RetiredAddress.objects.bulk_create(cards, ignore_conflicts=True)  # it may have come back, and moved again
    packs = list(PackVersion.objects.filter(own__store=row).values_list("pack", flat=True))
    for model, way in BESIDE:
        delete_all(model._default_manager.filter(**{way: row}))
    delete_rows_of(row)
    _delete_unused(packs)
    _check_constraints()
    return deleted


def _check_constraints() -> None:
    """Now and not at the commit: what was written before is chained, and what somebody added is found."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")


def _lock_events(store: Store) -> list[Event]:
    """Its events, also those that no page knows any more, each locked until the end of the transaction."""
    return list(Event._base_manager.select_for_update().filter(campaign__store=store).order_by("pk"))


def _delete_unused(packs: list[int]) -> None:
    """Month packs that the store made, unless one that was copied from them, or an event, is or was another's."""
    used = {
        *Event._base_manager.filter(pack__in=packs).values_list("pack", flat=True),
        *OwnPack.objects.filter(origin__in=packs).values_list("origin", flat=True),
        *PackDraft.objects.filter(origin__in=packs).values_list("origin", flat=True),
        *PackVersion.objects.filter(pack__in=packs).values_list("pack", flat=True),
    }
    if left := set(packs) - used:
        past = {pack for store in _who_may_have_had(left) for pack in packs_of(store)}
        delete_all(MonthPack.objects.filter(pk__in=left - past))


def _who_may_have_had(packs: set[int]) -> Iterator[Store]:
    """The stores whose history alone may name one of these: they took an event from elsewhere, or came from there."""
    digests = set(MonthPack.objects.filter(pk__in=packs).values_list("digest", flat=True))
    came = {one.store_id for one in ChainOrigin.objects.iterator() if digests.intersection(one.packs)}
    took = JournalEntry.objects.filter(did=Verb.IMPORT_EVENT).values("store")
    return Store.objects.filter(Q(pk__in=came) | Q(pk__in=took)).iterator()
