"""Names of players: found and replaced in what people and the program wrote, and shortened for the public."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise, takewhile
from typing import Any, overload

from tourney.runtime.letters import plain

WORD = re.compile(r"\w(?:\S*\w)?")


type Rewording = Callable[[Any], Any]
"""Gives a text, a list or a dict back with other names in it: a `Renaming`, or what leaves all as it is."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """Puts other names in place of these, in texts and in lists and dicts (their values) of them."""

    pattern: re.Pattern[str]
    names: Mapping[str, str]

    @overload
    def __call__(self, value: str) -> str: ...

    @overload
    def __call__(self, value: object) -> object: ...

    def __call__(self, value: object) -> object:
        if isinstance(value, str):
            return self.pattern.sub(lambda found: self.names[found[0]], value)
        if isinstance(value, list):
            return [self(item) for item in value]
        if isinstance(value, dict):
            return {key: self(item) for key, item in value.items()}
        return value


def replacing(name: str, mark: str, others: Iterable[str]) -> Renaming:
    """What puts the mark in place of the name, in texts and in lists and dicts (their values) of them.

    Only whole words of the same spelling are the name, and none within a longer one of `others`: "Vor" is neither in
    "Vorta" nor in "Captain Vor" if somebody is called so.
    """
    longer = {other: other for other in others if name in other}
    return renaming(longer | {name: mark})


def renaming(names: Mapping[str, str]) -> Renaming:
    """As `replacing`, for many names at once: each is found where no longer one stands, and gives way to its value."""
    found = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return Renaming(re.compile(rf"(?<!\w)({found})(?!\w)"), names)


def shortened(names: Iterable[str]) -> dict[str, str]:
    """Each of these names (no two alike) as first word and initial of the last one: "Vor Kestrel" is "Vor K.".

    Where two would read the same, each shows as many letters of its last word as tell them apart ("Vor Ka.",
    "Vor Ke."); who cannot be told apart even so keeps the whole name. A single word, a call sign, stays as it is.
    """
    short, alike = {}, defaultdict(list)
    for name in names:
        words = WORD.findall(name)
        if len(words) > 1:
            alike[words[0].casefold()].append((tuple(map(str.casefold, words[-1])), name))
        else:
            short[name] = name
    for namesakes in alike.values():
        short |= _told_apart(sorted(namesakes))
    return short


def _told_apart(namesakes: list[tuple[tuple[str, ...], str]]) -> dict[str, str]:
    """(letters of the last word, name) of those with one first word, in order: a neighbour has the most in common."""
    last_words = [(), *(last for last, _ in namesakes), ()]
    common = [_letters_in_common(*two) for two in pairwise(last_words)]
    return {name: _short(name, 1 + max(common[place : place + 2])) for place, (_, name) in enumerate(namesakes)}


def _letters_in_common(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(first, second, strict=False)))


def _short(name: str, letters: int) -> str:
    """First word and so many letters of the last; the name itself where that would hide nothing."""
    first, *_, last = words = WORD.findall(name)
    hides = letters < len(last) or (letters == len(last) and len(words) > 2)
    return f"{first} {last[:letters]}." if hides else name


# names that may be the same


def is_one_typo_apart(one: str, other: str) -> bool:
    """Whether one letter is wrong, missing or too many, or two neighbors are exchanged; not for equal texts."""
    if len(one) > len(other):
        one, other = other, one
    same = _letters_in_common(tuple(one), tuple(other))
    left, right = one[same:], other[same:]
    if len(left) + 1 == len(right):
        return left == right[1:]
    is_swapped = left[:2] == right[:2][::-1] and left[2:] == right[2:]
    return len(left) == len(right) > 0 and (left[1:] == right[1:] or is_swapped)


SHORTEST_TYPO = 4
"""In shorter names another letter is another name."""


def similar(name: str, known: Mapping[int, str], most: int = 2) -> list[int]:
    """The ids of those of the known names that may be the same person's, the likeliest first.

    They differ in capitals, accents and signs; or in one typo; or one is the first part of the other. Names with other
    digits are of others.
    """
    asked = _comparable(name)
    found = [(likeness, key) for key, other in known.items() if (likeness := _likeness(asked, _comparable(other)))]
    return [key for _, key in sorted(found)[:most]]


def keys_kept(name: str, store: int) -> list[int]:
    """Under what a known name of that store is found by `keys_asked`: by all that `similar` may find it for."""
    first, is_alone = _first_word(name)
    return _hashed(store, [*_whole_and_typos(name), f"first {first}", *([f"alone {first}"] if is_alone else [])])


def keys_asked(name: str, store: int) -> list[int]:
    """What the keys of a name have in common with this one's, one at least, where the two are `similar`."""
    first, is_alone = _first_word(name)
    return _hashed(store, [*_whole_and_typos(name), f"first {first}" if is_alone else f"alone {first}"])


def _first_word(name: str) -> tuple[str, bool]:
    """It, and whether there is no other."""
    words = _comparable(name)
    return (words[0] if words else ""), len(words) == 1


def _whole_and_typos(name: str) -> set[str]:
    """The name in one word, and with each letter left out: two that are one typo apart have one of these in common."""
    whole = "".join(_comparable(name))
    typos = {whole[:place] + whole[place + 1 :] for place in range(len(whole))}
    return ({whole} | typos if len(whole) >= SHORTEST_TYPO else {whole}) - {""}


def _hashed(store: int, texts: Iterable[str]) -> list[int]:
    """Numbers of 64 bits; those of two stores have nothing in common."""
    digests = (blake2b(f"{store} {text}".encode(), digest_size=8).digest() for text in texts)
    return sorted({int.from_bytes(digest, signed=True) for digest in digests})


def _comparable(name: str) -> tuple[str, ...]:
    return tuple(plain(word) for word in WORD.findall(name))


def _likeness(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """1 for the likeliest; 0 for names that have nothing to do with each other."""
    whole, others = "".join(one), "".join(other)
    if not whole or not others or _digits(whole) != _digits(others):
        return 0
    if whole == others:
        return 1
    if min(len(whole), len(others)) >= SHORTEST_TYPO and is_one_typo_apart(whole, others):
        return 2
    return 3 if one[0] == other[0] and 1 in (len(one), len(other)) else 0


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())
