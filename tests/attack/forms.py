"""Every form of every page, found by reading the pages, and thousands of wrong ways to fill it in."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urlsplit

from django.test import Client
from django.urls import Resolver404, resolve

from tests.attack.mutations import Pairs, multipart, mutated, urlencoded
from tests.attack.reading import Form, forms_of
from tests.attack.world import World, addresses, asked, rolled_back, what_stops_the_night
from tourney.models import Event

FORM, UPLOAD = "application/x-www-form-urlencoded", "multipart/form-data; boundary=xattackx"
TOGETHER, TAKEN_TOGETHER = 200, 40
"""Inputs, and those of them that are taken, that are sent one after another; then the night is looked at, and all of
them are taken back."""

type File = tuple[str, bytes]


@dataclass
class Target:
    """A form with one of its buttons, and who found it where.

    `name` is the same for forms that differ only in the row they are about, `of` also for all buttons and visitors.
    """

    name: str
    who: str
    form: Form
    button: tuple[str, str] | None
    contents: Callable[[Random], File] | None = None
    of: str = ""

    def body(self, dice: Random) -> tuple[str, bytes]:
        """Content type and body of one wrong input."""
        pairs = mutated(self.fields, self.form.choices, dice)
        if not self.form.files:
            return FORM, urlencoded(pairs)
        files = []
        if self.contents and dice.random() < 0.9:
            pairs = pairs if dice.random() < 0.2 else self.plain
            files = [(self.form.files[0], *self.contents(dice))]
        return UPLOAD, multipart(pairs, files)

    @property
    def fields(self) -> list[tuple[str, str]]:
        return [*self.form.fields, *([self.button] if self.button else [])]

    @property
    def plain(self) -> Pairs:
        """As the page has it, untouched."""
        return [(name.encode(), value.encode()) for name, value in self.fields]


@dataclass
class Tried:
    """What became of the inputs of one form."""

    sent: int = 0
    taken: int = 0
    faults: dict[str, str] = field(default_factory=dict)
    stopped: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)


EVERYBODY = ("owner", "player", "stranger")


def targets(world: World, whose: Iterable[str] = EVERYBODY, where: Iterable[str] = ()) -> list[Target]:
    """Every POST form that these find on all pages, or on those named, once for each button."""
    paths = list(where) or list(pages(world))
    found: dict[str, Target] = {}
    for who in whose:
        client = world.visitor(who)
        for path in paths:
            answer = asked(lambda client=client, path=path: client.get(path, follow=False), keep_body=True)
            for form in forms_of(answer.body, path) if answer.status == 200 else []:
                for target in of(form, who):
                    found.setdefault(target.name, target)
    return list(found.values())


def pages(world: World) -> Iterable[str]:
    """All addresses, those of events for each event; and of each fleet and draft there is."""
    yield from dict.fromkeys(path for path, _, _ in addresses(world))
    for draft in world.store.pack_drafts.values_list("pk", flat=True):
        yield f"/s/{world.store.slug}/packs/drafts/{draft}/"


def of(form: Form, who: str) -> Iterable[Target]:
    """The form once for each of its buttons that says something else."""
    path = urlsplit(form.action).path
    try:
        name = resolve(path).url_name
    except Resolver404:
        return
    if form.method != "post" or name == "sign_out":
        return
    kinds = sorted({"".join("#" if one.isdigit() else one for one in field) for field, _ in form.fields})
    does = dict(form.fields).get("do", "")
    buttons = form.buttons[:1] if name == "language" else form.buttons  # one of the languages on every page
    for button in buttons or [None]:
        said = "=".join(button).partition(":")[0] if button else ""
        said = said if not any(map(str.isdigit, said)) else button[0]
        shown = " ".join(kind for kind in kinds if kind not in {"csrfmiddlewaretoken", "as_of", "key", "do"})
        named = f"{name} {does or said} ({shown})"[:120] + f" as {who}"
        yield Target(named, who, form, button, of=f"{name} {does} ({shown})")


def tried(world: World, target: Target, seeds: Iterable[int]) -> Tried:
    """Send that many wrong inputs, look at the night after every few, and take everything back."""
    result, seeds = Tried(), deque(seeds)
    while seeds:
        with rolled_back():
            client, sent, done = world.visitor(target.who), 0, []
            while seeds and sent < TOGETHER and len(done) < TAKEN_TOGETHER:
                seed, sent = seeds.popleft(), sent + 1
                client.defaults["REMOTE_ADDR"] = f"10.{seed >> 16 & 255}.{seed >> 8 & 255}.{seed & 255}"
                kind, body = target.body(Random(seed))
                if was_taken(client, target, kind, body, seed, result):
                    done.append(seed)
            if done and (wrong := what_stops_the_night(world, shown_with(world, target))):
                result.stopped.append(f"{wrong[0]}, after seeds {culprits(world, target, done)}")
    return result


def was_taken(client: Client, target: Target, kind: str, body: bytes, seed: int, result: Tried) -> bool:
    """Whether the input changed something, as far as the answer says it."""
    answer = asked(lambda: client.generic("POST", target.form.action, body, kind))
    result.sent += 1
    if answer.status >= 500 or answer.fault:
        result.faults.setdefault(answer.fault or str(answer.status), f"seed {seed}")
    is_done = answer.status in (200, 204, 302)
    result.taken += is_done
    return is_done


def culprits(world: World, target: Target, seeds: list[int]) -> list[int]:
    """Of the inputs that were taken, the first that stops the night alone; all if none does."""
    for seed in seeds:
        with rolled_back():
            kind, body = target.body(Random(seed))
            client = world.visitor(target.who)
            asked(lambda client=client, kind=kind, body=body: client.generic("POST", target.form.action, body, kind))
            if what_stops_the_night(world, shown_with(world, target)):
                return [seed]
    return seeds


def shown_with(world: World, target: Target) -> list[Event]:
    """The event that the form is about; for forms of the store the one in play."""
    path = urlsplit(target.form.action).path
    return [event for event in world.events.values() if path.startswith(f"/e/{event.slug}/")] or [
        world.events["in play"]
    ]
