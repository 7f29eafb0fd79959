"""Wrong files for every page that takes one, and wrong archives for the command that takes those."""

import json
from collections.abc import Callable, Iterable
from random import Random

from django.db import transaction
from django.urls import reverse

from fleets.domain.intake import write
from fleets.domain.space_dock_fleets import write_fleet
from scoring.domain import pack_file
from scoring.shipped import shipped_pack
from tests.attack.forms import UPLOAD, File, Target, Tried
from tests.attack.mutations import JUNK, NUMBERS, WORDS, multipart, mutated_json
from tests.attack.reading import Form, forms_of
from tests.attack.world import World, fault_of, rolled_back, what_stops_the_night
from tests.domain.test_broken_files import broken
from tests.domain.test_card_table import TABLE
from tests.domain.test_fleet_texts import OURS, UTOPIA
from tests.domain.test_intake import LISTED, SAVED
from tests.domain.test_space_dock import CATALOGUE, FLEET
from tests.support.built_fleets import bring_all, two_ships
from tests.support.nights import BY, make_night, make_store
from tourney.actions import stores
from tourney.actions.archive import InvalidArchive, import_event
from tourney.actions.record import Refused
from tourney.models import Role, Store
from tourney.queries.archive import archive_of

ENCODINGS = [*"rot13 utf-16 utf-7 idna hex zlib undefined unicode_escape latin-1".split(), "x" * 500]
IN_TOML = ("1979-05-27", "1979-05-27T07:32:00Z", "07:32:00", "inf", "nan", "{}", "[[]]", "{a.b = 1}", "{a = {a = {}}}")


def json_files(dice: Random) -> File:
    """Our own fleets, those of Space Dock, and those of two builders."""
    sheet = two_ships()
    wholes = (json.loads(write(sheet, "Vanguard")), json.loads(write_fleet(sheet, "Vanguard")), FLEET, LISTED, SAVED)
    return dice.choice(("a.json", "a.spacedock", "a.txt", "")), mutated_json(dice.choice(wholes), dice)


def text_files(dice: Random) -> File:
    return "a.txt", mutated_lines(dice.choice((OURS, UTOPIA)), dice)


def catalogues(dice: Random) -> File:
    """XML and tables; the encodings that an XML file says it has are tried, too."""
    if dice.random() < 0.5:
        return "cards.csv", mutated_lines(TABLE, dice)
    data = mutated_lines(CATALOGUE if isinstance(CATALOGUE, str) else CATALOGUE.decode(), dice)
    if dice.random() < 0.15:
        data = data.replace(b'"1.0"', f'"1.0" encoding="{dice.choice(ENCODINGS)}"'.encode(), 1)
    return "Data.xml", data


def packs(dice: Random) -> File:
    """TOML that is right, with values of other types and sizes; now and then broken as text."""
    slug = dice.choice(("dominion-war-6", "dominion-war-1", "temporal-cold-war-2"))
    text = pack_file.write(shipped_pack(slug))
    if dice.random() < 0.4:
        return "pack.toml", mutated_lines(text, dice)
    lines = text.splitlines()
    for _ in range(dice.randint(1, 3)):
        at = dice.choice([number for number, line in enumerate(lines) if " = " in line])
        lines[at] = f"{lines[at].partition(' = ')[0]} = {as_toml(dice)}"
    return "pack.toml", "\n".join(lines).encode(errors="surrogatepass")


def as_toml(dice: Random) -> str:
    """A value of TOML, right or not."""
    junk = dice.choice(JUNK)
    shapes = (dice.choice(NUMBERS), json.dumps(dice.choice(WORDS)), "null" if junk is None else json.dumps(junk))
    return dice.choice((*shapes, dice.choice(IN_TOML)))


def mutated_lines(text: str, dice: Random) -> bytes:
    """Lines doubled, taken away, turned round; numbers and words in them that nobody types; bytes broken."""
    lines = text.splitlines()
    for _ in range(dice.choice((1, 1, 2, 3))):
        at = dice.randrange(len(lines))
        what = dice.random()
        if what < 0.35:
            lines[at] = replaced(lines[at], dice, str.isdigit, NUMBERS)
        elif what < 0.6:
            lines[at] = replaced(lines[at], dice, str.isalpha, WORDS)
        elif what < 0.7:
            lines[at] = lines[at] * dice.choice((2, 50))
        elif what < 0.8:
            lines.insert(at, dice.choice(lines))
        elif what < 0.9 and len(lines) > 1:
            del lines[at]
        else:
            lines[at : at + 1] = [lines[at]] * dice.choice((2, 300))
    data = "\n".join(lines).encode(errors="surrogatepass")
    return broken(data, dice.randrange(2**31)) if dice.random() < 0.3 else data


def replaced(line: str, dice: Random, kind: Callable[[str], bool], by: Iterable[str]) -> str:
    """One run of such letters becomes something else."""
    starts = [at for at, one in enumerate(line) if kind(one) and (at == 0 or not kind(line[at - 1]))]
    if not starts:
        return line + dice.choice(list(by))
    start = dice.choice(starts)
    stop = next((at for at in range(start, len(line)) if not kind(line[at])), len(line))
    return line[:start] + dice.choice(list(by)) + line[stop:]


def names(dice: Random) -> File:
    return "", mutated_lines("Zephyr, Romulan\nYarrow\nWidget, Klingon\nUmber, Borg", dice)


def prizes(dice: Random) -> File:
    return "", mutated_lines("1: Raven\n2-4: Dice\n5: Sleeves\nall: Card", dice)


CONTENTS = {
    "fleets as files": ("player", "import_fleets", "file", json_files),
    "fleets as text": ("player", "import_fleets", "text", text_files),
    "fleets for an entrant": ("owner", "entrant_fleet", "file", json_files),
    "catalogue": ("owner", "cards", "file", catalogues),
    "pack as a file": ("owner", "import_pack", "file", packs),
    "pack as text": ("owner", "import_pack", "text", packs),
    "names": ("owner", "players", "names", names),
    "prizes": ("owner", "awards", "prizes", prizes),
}
"""Of each importer: who, at which page, the field, and what comes in."""


class Upload(Target):
    """A form one of whose fields is a file, or its text; the others stay as the page has them."""

    field = ""

    def body(self, dice: Random) -> tuple[str, bytes]:
        name, content = self.contents(dice)
        plain = [(key, value) for key, value in self.plain if key != self.field.encode()]
        if self.field in self.form.files:
            return UPLOAD, multipart(plain, [(self.field, name, content)])
        return UPLOAD, multipart([*plain, (self.field.encode(), content)], [])


def attach(world: World, name: str) -> Upload:
    """The form of that importer, as its page has it."""
    who, page, field, contents = CONTENTS[name]
    event = world.events["before" if page in ("entrant_fleet", "players") else "in play"]
    arguments = {"entrant_fleet": [event.slug, 2], "players": [event.slug], "awards": [event.slug]}
    path = reverse(page, args=arguments.get(page, [world.store.slug]))
    read = forms_of(world.visitor(who).get(path).content.decode(), path)
    form = next(one for one in read if one.method == "post" and field in {*one.files, *(key for key, _ in one.fields)})
    form = Form(form.action, "post", form.fields, form.files, form.buttons)
    target = Upload(f"{page} {field}", who, form, next(iter(form.buttons), None), contents)
    target.field = field
    return target


def archive_tried(world: World, all_dice: list[Random]) -> Tried:
    """Each wrong archive is refused with its reasons, or an event whose pages are there and whose export is taken."""
    result = Tried()
    full = make_night(players=5, rounds=2, open_round=True, tables=1, store=world.store, seed=9).event
    bring_all(full)
    wholes = [archive_of(event) for event in (full, *world.events.values())]
    for number, dice in enumerate(all_dice):
        text = mutated_json(dice.choice(wholes), dice)
        with rolled_back():
            result.sent += 1
            try_archive(world, text, number, result)
    return result


def try_archive(world: World, text: bytes, number: int, result: Tried) -> None:
    store, _ = make_store("Elsewhere")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # the command says so
        return
    if isinstance(data, dict) and isinstance(data.get("event"), dict) and isinstance(data["event"].get("slug"), str):
        data["event"]["slug"] = f"{data['event']['slug'][:30]}-x"
    try:
        with transaction.atomic():
            event = import_event(store, data, by=BY)
    except (InvalidArchive, Refused):
        return
    except Exception as error:
        result.faults.setdefault(fault_of(error), f"number {number}")
        return
    result.taken += 1
    if stopped := what_stops_the_night(other_world(world, store), [event]):
        result.stopped.append(f"{stopped[0]} after number {number}")


def other_world(world: World, store: Store) -> World:
    """The imported event's own store, whose owner is the one of the world."""
    stores.give_role(store, world.users["owner"], Role.OWNER, by=BY)
    return World(world.places, world.users, store, world.elsewhere, {}, world.cookies)
