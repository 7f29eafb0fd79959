"""A store's own month packs: begin a draft, keep what is typed, save it as a version, retire."""

from collections.abc import Mapping
from dataclasses import replace

from django.db import transaction
from django.utils.text import Truncator

from scoring.domain.pack import MonthPack as Rules
from scoring.domain.pack_difference import differences, in_short
from scoring.models import MonthPack
from tourney.actions.packs import refuse_same_name, save_version
from tourney.actions.record import Actor, Refused, Stale, record_at_store, still_there
from tourney.domain.verbs import Verb
from tourney.models import OwnPack, PackDraft, PackVersion, Store
from tourney.models.packs import NOTE_LENGTH
from tourney.queries.packs import draft_of, latest_of, why_not_slug
from tourney.runtime.messages import Message, in_a_row, message, nmessage

MOST_DRAFTS = 20
DRAFT_GONE = message("This draft has been removed.")


@transaction.atomic
def begin(
    store: Store, origin: Rules, typed: Mapping[str, list[str]], *, by: Actor, own: OwnPack | None = None
) -> PackDraft:
    """A draft of a new pack, or of the next version of an own one; what was left open of that goes on."""
    store = _locked(store)
    if own and by.user and (left := draft_of(by.user, own)):
        return left
    _refuse_too_many(store, by)
    return _new_draft(store, MonthPack.objects.keep(origin), typed, by=by, own=own)


@transaction.atomic
def take_file(
    store: Store, rules: Rules, typed: Mapping[str, list[str]], *, source: str | Message, by: Actor, own: OwnPack | None
) -> PackDraft:
    """A draft of what a file holds: on top of that own pack, or of a new one. It is not saved yet."""
    store = _locked(store)
    _refuse_too_many(store, by)
    draft = _new_draft(store, MonthPack.objects.keep(rules), typed, by=by, own=own)
    what = message("Month pack “{month}” imported from {source} as a draft.", month=rules.heading, source=source)
    record_at_store(
        store, by=by, did=Verb.IMPORT_PACK, what=what, after={"pack": rules.slug, "pack_version": rules.version}
    )
    return draft


@transaction.atomic
def keep(draft: PackDraft, typed: Mapping[str, list[str]], *, page: str, expected_edits: int, by: Actor) -> PackDraft:
    """Keep what a page has typed; where another page wrote meanwhile, as a draft of its own, so that both are kept.

    Raises Refused where that would be one draft too many.
    """
    draft = still_there(PackDraft.objects.select_for_update(), DRAFT_GONE, pk=draft.pk)
    if draft.saved_id and draft.page == page:
        return draft
    if saved := draft.saved:
        return _alone(draft, typed, own=saved.own, base=saved.number, page=page, by=by)
    if draft.edits != expected_edits and draft.page != page:
        return _alone(draft, typed, own=draft.own, base=draft.base, page=page, by=by)
    if draft.typed != typed or draft.page != page:
        draft.typed, draft.page, draft.at, draft.edits = typed, page, by.at, draft.edits + 1
        draft.save()
    return draft


@transaction.atomic
def save(draft: PackDraft, rules: Rules, *, note: str, over: int, by: Actor) -> PackVersion:
    """The draft becomes the next version. Raises Refused, and Stale where somebody saved a version after `over`."""
    store = _locked(draft.store)
    drafts = PackDraft.objects.select_for_update(of=("self",)).select_related("own", "origin", "saved")
    draft = still_there(drafts, DRAFT_GONE, pk=draft.pk)
    if draft.saved:
        return draft.saved
    latest = latest_of(draft)
    if latest and latest.number != over:
        raise Stale(
            message("{name} saved version {number} while you were editing.", name=latest.by_name, number=latest.number)
        )
    before = latest.pack.rules if latest else draft.origin.rules
    own = draft.own or _made(store, draft, rules)
    rules = replace(rules, slug=own.slug, version=latest.number + 1 if latest else 1)
    if latest and replace(rules, version=latest.number) == before:
        raise Refused(message("This is the same as version {number}; there is nothing to save.", number=latest.number))
    note = note or _note(before, rules, is_first=latest is None)
    version = save_version(own, rules, note=note, by=by)
    draft.own, draft.saved = own, version
    draft.save()
    return version


@transaction.atomic
def rebase(draft: PackDraft, typed: Mapping[str, list[str]], *, base: int, by: Actor) -> None:
    """The draft goes on from that version, with what is typed now."""
    PackDraft.objects.filter(pk=draft.pk, saved=None).update(typed=typed, base=base, at=by.at, edits=draft.edits + 1)


def discard(draft: PackDraft) -> None:
    """Discard a draft; a saved one stays, it is the trace of its version."""
    PackDraft.objects.filter(pk=draft.pk, saved=None).delete()


@transaction.atomic
def retire(own: OwnPack, is_retired: bool, *, by: Actor) -> None:
    """Take a pack out of the choice for new events, or back into it. Its events keep it."""
    store = _locked(own.store)
    own = OwnPack.objects.get(pk=own.pk)
    if bool(own.retired_at) == is_retired:
        return
    rules = own.versions.latest("number").pack.rules
    if not is_retired:
        refuse_same_name(own, rules)
    own.retired_at = by.at if is_retired else None
    own.save()
    if is_retired:
        what = message("Month pack “{month}” retired.", month=rules.heading)
    else:
        what = message("Month pack “{month}” brought back.", month=rules.heading)
    record_at_store(store, by=by, did=Verb.RETIRE_PACK, what=what, after={"pack": own.slug, "retired": is_retired})


def _locked(store: Store) -> Store:
    return Store.objects.select_for_update().get(pk=store.pk)


def _refuse_too_many(store: Store, by: Actor) -> None:
    if store.pack_drafts.filter(saved=None, by=by.user).count() >= MOST_DRAFTS:
        raise Refused(message("You have {number} open drafts. Save or discard one of them first.", number=MOST_DRAFTS))


def _alone(
    draft: PackDraft, typed: Mapping[str, list[str]], *, own: OwnPack | None, base: int, page: str, by: Actor
) -> PackDraft:
    """The one draft on which that page goes on beside the other."""
    open_drafts = draft.store.pack_drafts.filter(saved=None, by=by.user)
    if page and (beside := open_drafts.filter(page=page).exclude(pk=draft.pk).first()):
        beside.typed, beside.at, beside.edits = typed, by.at, beside.edits + 1
        beside.save()
        return beside
    _refuse_too_many(draft.store, by)
    return _new_draft(draft.store, draft.origin, typed, by=by, own=own, base=base, page=page)


def _new_draft(
    store: Store,
    origin: MonthPack,
    typed: Mapping[str, list[str]],
    *,
    by: Actor,
    own: OwnPack | None,
    base: int | None = None,
    page: str = "",
) -> PackDraft:
    if by.user is None:
        raise Refused(message("Sign in to edit month packs."))
    if base is None:
        base = own.versions.latest("number").number if own else 0
    return PackDraft.objects.create(
        store=store, own=own, base=base, origin=origin, by=by.user, at=by.at, typed=typed, page=page
    )


def _made(store: Store, draft: PackDraft, rules: Rules) -> OwnPack:
    if reason := why_not_slug(rules.slug):
        raise Refused(reason)
    return OwnPack.objects.create(store=store, slug=rules.slug, origin=draft.origin)


def _note(before: Rules, after: Rules, *, is_first: bool) -> str:
    """What changed, in the words of the comparison, where nobody typed any; in English, as it is kept."""
    start = [message("Made from {month}.", month=before.heading)] if is_first else []
    found = differences(before, after)
    changes = in_short(found) if found else message("Nothing changed.")
    note = in_a_row([*start, changes]).in_english()
    if len(note) > NOTE_LENGTH:
        labels = [one.label for one in found]
        fields = nmessage("{count} field: {labels}.", "{count} fields: {labels}.", len(found), labels=labels)
        note = in_a_row([*start, fields]).in_english()
    return Truncator(note).chars(NOTE_LENGTH)
