"""Fields, files and archives as nobody types them, by dice: the same seed gives the same ones."""

import copy
import json
import os
from random import Random
from urllib.parse import quote_from_bytes

from tests.domain.test_broken_files import broken

SEED = int(os.environ.get("SEED") or 20261122)
EACH = int(os.environ.get("EACH") or 2000)

PLAIN = (
    "0 -0 -1 1 2 3 7 99 100 101 999 32767 32768 65536 2147483647 2147483648 -2147483649 4294967296 "
    "9223372036854775807 9223372036854775808 1e3 1e999 -1e999 1.5 .5 1. +5 1_000 0x10 0b1 NaN Infinity -inf "
    "٣ ² 𝟙 ½ Ⅷ 一 1,5 007"
).split()
NUMBERS = [*PLAIN, "9" * 131, "-" + "9" * 131, "9" * 4301, "9" * 5000, "0" * 5000 + "1", " 1 ", "1\n", "1 2"]
WORDS = [
    *(
        "",
        " ",
        "\t",
        "\r\n",
        "\0",
        "a\0b",
        "\x1b[31m",
        "\x7f",
        "\x85",
        "\u2028",
        "\u200b",
        "\u202eabc",
        "\ufeff",
        "\ufffe",
    ),
    *(
        "e\u0301" * 40,
        "ﬁ",
        "İ",
        "ß" * 50,
        "Å",
        "🦀" * 60,
        "👩‍👩‍👧‍👦" * 30,
        "\U0010ffff",
        "ａｄｍｉｎ",
        "a" + "\u0300" * 300,
    ),
    *("x" * 256, "x" * 5001, "x " * 3000, "x\n" * 3000, "x" * 100_000),
    *(
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "</textarea></title>",
        "{{ 7|add:7 }}",
        "{% debug %}",
    ),
    *(
        "'; DROP TABLE tourney_event; --",
        "' OR 1=1 --",
        "%s%n%x",
        "%",
        "\\",
        "\\u0000",
        "$(id)",
        "`id`",
        "../../etc/passwd",
    ),
    *(
        "[]",
        "{}",
        "null",
        "true",
        "false",
        '"',
        "'",
        "&",
        "&amp;",
        "&#0;",
        "-",
        "--",
        "=1+1",
        "=cmd|' /C calc'!A0",
        ";",
        ",",
    ),
    *(
        "on",
        "off",
        "undefined",
        "__proto__",
        "__class__",
        "id",
        "pk",
        "javascript:alert(1)",
        "//elsewhere.example",
        "/sign-out/",
    ),
    *(
        "2026-13-45",
        "2026-02-30",
        "0001-01-01",
        "9999-12-31",
        "0000-00-00",
        "10000-01-01",
        "2026-11-20T25:61",
        "2026-11-20T18:45",
    ),
    *(
        "0001-01-01T00:00",
        "9999-12-31T23:59",
        "00:00",
        "24:00",
        "Mars/Olympus",
        "Europe/Berlin",
        "../UTC",
        "a-b",
        "1-2-3",
        "1-1",
    ),
]
BYTES = [
    b"\xff",
    b"\xed\xa0\x80",
    b"\xed\xb0\x80x",
    b"\xc0\x80",
    b"\xf4\x90\x80\x80",
    b"\x80",
    b"a\xe2\x82",
    b"\xfe\xff\x00a",
]
JUNK: list[object] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        2**31,
        2**63,
        2**64,
        10**130,
        -(10**130),
        1.5,
        -0.0,
        1e308,
        float("nan"),
        float("inf"),
    ),
    *(
        "",
        " ",
        "\0",
        "x" * 300,
        "x" * 20_000,
        "<b>",
        "\ud800",
        "e\u0301",
        "9" * 131,
        "2026-02-30T00:00:00Z",
        "0001-01-01T00:00:00Z",
    ),
    *([], {}, [[]], [None], {"": None}, {"a": {"b": []}}, [1] * 300, ["x", 1, None]),
]

type Pairs = list[tuple[bytes, bytes]]


def mutated(fields: list[tuple[str, str]], choices: dict[str, list[str]], dice: Random) -> Pairs:
    """The fields with one to four of them wrong."""
    pairs = [(name.encode(), value.encode(errors="surrogatepass")) for name, value in fields]
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 4))):
        mutate(pairs, choices, dice)
    return pairs


def mutate(pairs: Pairs, choices: dict[str, list[str]], dice: Random) -> None:
    """Change one thing."""
    names = [name for name, _ in pairs] + [name.encode() for name in choices]
    if not names:
        pairs.append((dice.choice((b"do", b"x", b"key")), value(dice)))
        return
    name = dice.choice(names)
    at = next((number for number, (one, _) in enumerate(pairs) if one == name), None)
    what = dice.random()
    if at is None:
        options = choices.get(name.decode(errors="replace"), [])
        pairs.append((name, dice.choice(options).encode() if options and dice.random() < 0.5 else value(dice)))
    elif what < 0.62:
        pairs[at] = name, value(dice)
    elif what < 0.7:
        options = choices.get(name.decode(errors="replace")) or [pairs[at][1].decode(errors="replace")]
        pairs[at] = name, dice.choice(options).encode()
    elif what < 0.76:
        del pairs[at]
    elif what < 0.82:
        pairs.insert(at, (name, value(dice)))
    elif what < 0.86:
        pairs[at] = renamed(name, dice), pairs[at][1]
    elif what < 0.9:
        pairs.append((dice.choice((renamed(name, dice), *BYTES, b"do", b"as_of", b"key", b"preview")), value(dice)))
    elif what < 0.94:
        other = dice.randrange(len(pairs))
        pairs[at] = name, pairs[other][1]
    elif what < 0.98:
        old = pairs[at][1]
        cut = dice.randrange(len(old) + 1)
        pairs[at] = name, old[:cut] + dice.choice((b"", b"0", b"-", b"\0", *BYTES)) + old[cut:]
    else:
        pairs.extend([(name, pairs[at][1])] * dice.choice((2, 50, 1001)))


def value(dice: Random) -> bytes:
    kind = dice.random()
    if kind < 0.4:
        return dice.choice(NUMBERS).encode()
    if kind < 0.9:
        return dice.choice(WORDS).encode()
    return dice.choice(BYTES)


def renamed(name: bytes, dice: Random) -> bytes:
    """Names with numbers in them name rows: other numbers, and what only looks like one."""
    digits = [at for at, one in enumerate(name) if chr(one).isdigit()]
    if digits and dice.random() < 0.7:
        at = dice.choice(digits)
        return name[:at] + dice.choice(NUMBERS).encode() + name[at + 1 :]
    return name + dice.choice((b"[]", b"[0]", b"-0", b"\0", b".x", b"-1", "²".encode()))


def urlencoded(pairs: Pairs) -> bytes:
    return b"&".join(f"{quote_from_bytes(name)}={quote_from_bytes(value)}".encode() for name, value in pairs)


def multipart(pairs: Pairs, files: list[tuple[str, str, bytes]], border: bytes = b"xattackx") -> bytes:
    """`files` are the field, the file's name and its content; the header names the same border."""
    parts = [(b'name="%s"' % name, body) for name, body in pairs]
    parts += [(f'name="{field}"; filename="{name}"'.encode(), body) for field, name, body in files]
    lines = b"".join(b"--%s\r\nContent-Disposition: form-data; %s\r\n\r\n%s\r\n" % (border, *part) for part in parts)
    return lines + b"--%s--\r\n" % border


def mutated_json(data: object, dice: Random) -> bytes:
    """JSON with a few values of other types or sizes, names missing, doubled or new; now and then broken as text."""
    data = copy.deepcopy(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        places = list(inside(data))
        if not places:
            break
        holder, at = dice.choice(places)
        what = dice.random()
        if what < 0.7:
            holder[at] = copy.deepcopy(dice.choice(JUNK))
        elif what < 0.8:
            del holder[at]
        elif what < 0.9 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[at]))
        elif isinstance(holder, dict):
            holder[dice.choice(("x", "", "version", "__proto__", "x" * 500, "\0"))] = copy.deepcopy(dice.choice(JUNK))
        else:
            other, there = dice.choice(places)
            holder[at] = copy.deepcopy(other[there])
    text = json.dumps(data).encode()
    return broken(text, dice.randrange(2**31)) if dice.random() < 0.1 else text


def inside(data: object):
    """Every place in it that holds a value: what it is in, and its name or number there."""
    if isinstance(data, dict | list):
        for at in data if isinstance(data, dict) else range(len(data)):
            yield data, at
            yield from inside(data[at])
