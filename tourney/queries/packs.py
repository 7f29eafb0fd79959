"""The month packs of a store: the shipped ones and its own, their versions, and what differs between two."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from scoring.domain.pack import MonthPack as Rules
from scoring.domain.pack_sheet import is_said_by_lines
from scoring.shipped import shipped_packs
from tourney.domain.verbs import Verb
from tourney.models import Event, OwnPack, PackDraft, PackVersion, Store, User
from tourney.queries.campaigns import by_storyline
from tourney.queries.state import EventState
from tourney.runtime.letters import plain
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, message

ORIGIN = "origin"
SLUG_LENGTH = 60
RESERVED = frozenset({"import", "drafts"})
"""Words that stand in addresses where a pack's slug may stand."""


@dataclass(frozen=True, slots=True)
class FoundPack:
    """A pack with its rules; `version` is the saved version of a store's own pack, nothing for a shipped one."""

    rules: Rules
    version: PackVersion | None = None
    is_latest: bool = True

    @property
    def own(self) -> OwnPack | None:
        """The store's own pack that it is a version of, None for a shipped one."""
        return self.version.own if self.version else None


@dataclass(frozen=True, slots=True)
class PackSide:
    """One side of a comparison: how its address names it, what it is called, and its rules."""

    token: str
    label: Message
    rules: Rules


def shipped(slug: str) -> Rules | None:
    """The rules of a shipped pack by its slug, None if there is none."""
    return next((pack for pack in shipped_packs() if pack.slug == slug), None)


def pack_at(store: Store, slug: str, number: int | None = None) -> FoundPack | None:
    """The store's own pack or the shipped one of that name, in that version or the latest; nobody else's."""
    versions = PackVersion.objects.filter(own__store=store, own__slug=slug).select_related("own__origin", "pack")
    if latest := versions.last():
        found = latest if number in (None, latest.number) else versions.filter(number=number).first()
        return FoundPack(found.pack.rules, found, found == latest) if found else None
    rules = shipped(slug)
    return FoundPack(rules) if rules and number in (None, rules.version) else None


def own_packs(store: Store, *, retired: bool = False) -> tuple[FoundPack, ...]:
    """The latest version of each own pack that is in use, or of each that was retired, by name."""
    rows = PackVersion.objects.filter(own__store=store, own__retired_at__isnull=not retired)
    latest = rows.order_by("own", "-number").distinct("own").select_related("own", "pack")
    found = (FoundPack(row.pack.rules, row) for row in latest)
    return tuple(sorted(found, key=lambda one: (one.rules.storyline, one.rules.month or 0, one.rules.name)))


def own_pack_called(store: Store, rules: Rules) -> FoundPack | None:
    """The store's own pack in use that these are the rules of, or else the one that is called the same."""
    own = own_packs(store)
    same = (one for one in own if one.rules.slug == rules.slug)
    return next(same, None) or next((one for one in own if _called(one.rules) == _called(rules)), None)


def _called(rules: Rules) -> str:
    return str(rules.heading).casefold()


def packs_for(store: Store) -> tuple[tuple[Rules, ...], dict[str, PackVersion]]:
    """What an event at this store can be made with, its own packs first; and the versions of those by slug.

    A shipped month without its bonuses is not offered beside the store's own one of that name that has them.
    """
    own = own_packs(store)
    complete = {_called(one.rules) for one in own if one.rules.bonuses_known}
    others = (one for one in shipped_packs() if one.bonuses_known or _called(one) not in complete)
    return (*(one.rules for one in own), *others), {one.rules.slug: one.version for one in own if one.version}


def asks_bonuses(state: EventState) -> bool:
    """Whether the desk still reminds of the bonuses that the pack lacks: until round 1, and until it is told not to."""
    if state.event.pack.rules.bonuses_known or state.public_rounds or state.is_finished:
        return False
    return not state.event.journal.filter(did=Verb.DISMISS_BONUSES).exists()


def may_type_bonuses(event: Event) -> bool:
    """Whether the event's bonuses are missing, or were typed so that they can be typed again."""
    rules = event.pack.rules
    if not rules.bonuses_known:
        return True
    return is_said_by_lines(rules) and OwnPack.objects.filter(store=event.store, slug=rules.slug).exists()


@dataclass(frozen=True, slots=True)
class PackGroup:
    """The months of a storyline that a search leaves, under its name."""

    name: str | Message
    packs: tuple[Rules, ...]

    @property
    def known(self) -> int:
        """How many of them have their bonuses."""
        return sum(pack.bonuses_known for pack in self.packs)


def has_words(rules: Rules, text: str) -> bool:
    """Whether each of these words is in what the month is called, its prize ship or its resource."""
    where = plain(f"{rules.heading} {rules.prize_ship} {rules.resource.name}")
    return all(word in where for word in plain(text).split())


def groups_with(text: str) -> tuple[PackGroup, ...]:
    """The shipped months that have these words, under their storylines; all of them without any."""
    found = (
        PackGroup(name, tuple(pack for pack in packs if has_words(pack, text)))
        for name, packs in by_storyline(shipped_packs())
    )
    return tuple(group for group in found if group.packs)


def open_drafts(store: Store) -> list[PackDraft]:
    """What is being typed at the store and not saved yet, the last one first."""
    return list(store.pack_drafts.filter(saved=None).select_related("own", "origin", "by"))


def others_at_work(draft: PackDraft) -> list[PackDraft]:
    """Drafts that other people have of the same pack."""
    if draft.own is None:
        return []
    return list(draft.own.drafts.filter(saved=None).exclude(by=draft.by).select_related("by"))


def base_of(draft: PackDraft) -> Rules:
    """The pack that the draft goes on from: the version under it, or what a new pack was copied from."""
    version = draft.own and draft.own.versions.filter(number=draft.base).select_related("pack").first()
    return (version.pack if version else draft.origin).rules


def latest_of(draft: PackDraft) -> PackVersion | None:
    """The last published version of the draft's pack, None before the first."""
    return draft.own.versions.select_related("pack").last() if draft.own else None


def why_not_slug(slug: str) -> Message | None:
    """Why a new pack cannot have that address; None when it can."""
    if slug in RESERVED:
        return message("“{address}” is reserved. Choose a different address.", address=slug)
    if shipped(slug):
        return message("“{address}” is a pack that comes with Flagship. Choose a different address.", address=slug)
    if OwnPack.objects.filter(slug=slug).exists():
        return message("“{address}” is taken. Choose a different address.", address=slug)
    return None


def free_address(rules: Rules, store: Store) -> str:
    """A free address for the store's own pack made from these: "dominion-war-6-starbase-games"."""
    start = f"{rules.slug}-{store.slug}" if not rules.slug.endswith(f"-{store.slug}") else rules.slug
    tries = (start, *(f"{start[: SLUG_LENGTH - 4]}-{number}" for number in range(2, 1000)))
    return next(slug for one in tries if not why_not_slug(slug := one[:SLUG_LENGTH].strip("-")))


def versions_of(own: OwnPack) -> QuerySet[PackVersion]:
    """The saved versions of a store's own pack, newest first."""
    return own.versions.order_by("-number")


def sides_of(own: OwnPack) -> tuple[PackSide, ...]:
    """What the versions of an own pack can be compared with, oldest first: the original, then each version."""
    found = [PackSide(ORIGIN, _original(own.origin.rules), own.origin.rules)]
    today = shipped(own.origin.slug)
    if today and today != own.origin.rules:
        found.append(PackSide("shipped", _current(today), today))
    return (*found, *(_side(row) for row in own.versions.select_related("pack")))


def side_at(sides: Iterable[PackSide], token: str | None) -> PackSide | None:
    """The side of that token, None if there is none."""
    return next((side for side in sides if side.token == token), None)


def _side(row: PackVersion) -> PackSide:
    day = written(row.at, "day")
    name = message("Version {number}, {name}, {day}", number=row.number, name=row.by_name, day=day)
    return PackSide(str(row.number), name, row.pack.rules)


def _original(rules: Rules) -> Message:
    return message("Original: {month}, version {version}", month=rules.heading, version=rules.version)


def _current(rules: Rules) -> Message:
    return message(
        "Current version in Flagship: {month}, version {version}", month=rules.heading, version=rules.version
    )


def draft_of(user: User, own: OwnPack) -> PackDraft | None:
    """The draft of that pack that this person left open."""
    return own.drafts.filter(saved=None, by=user).first()


def own_draft(user: User, store: Store, number: int) -> PackDraft | None:
    """The draft of that id; it belongs to whoever began it."""
    drafts = PackDraft.objects.select_related("own__origin", "origin", "saved__own")
    return drafts.filter(pk=number, store=store, by=user).first()
