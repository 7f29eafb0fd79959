"""Short codes that people read from a screen and type (/7F3): one for each number, and the number again.

A code begins with a digit and has no vowel: so it is no word in any language, and no address of another page. Of each
length half are used, spread over all of them: what is mistyped mostly leads nowhere.
"""

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none looks like another
FIRST = "23456789"
REST = "".join(letter for letter in LETTERS if letter not in "AEUY")
SHORTEST, LONGEST = 3, 8
PATTERN = f"[{FIRST}][{REST}{REST.lower()}]{{{SHORTEST - 1},{LONGEST - 1}}}"


def code_of(number: int) -> str:
    """The code of a number from 1 on."""
    rest, length = number - 1, SHORTEST
    while rest >= _how_many(length) // 2:
        rest -= _how_many(length) // 2
        length += 1
    all_codes = _how_many(length)
    return _written((rest * _stride(all_codes) + all_codes // 3) % all_codes, length)


def number_of(code: str) -> int | None:
    """The number whose code it is, in capitals or not; None if it is none's."""
    code = code.upper()
    all_codes = _how_many(len(code))
    rest = (_read(code) - all_codes // 3) * pow(_stride(all_codes), -1, all_codes) % all_codes
    if rest >= all_codes // 2:
        return None
    return rest + 1 + sum(_how_many(shorter) // 2 for shorter in range(SHORTEST, len(code)))


def _how_many(length: int) -> int:
    return len(FIRST) * int(len(REST) ** (length - 1))


def _stride(all_codes: int) -> int:
    """How far the next code is: near the golden section of all, and prime to their number, made of 2 and 7."""
    stride = all_codes * 618 // 1000 | 1
    return stride if stride % 7 else stride + 2


def _written(place: int, length: int) -> str:
    letters = ""
    for _ in range(length - 1):
        place, letter = divmod(place, len(REST))
        letters = REST[letter] + letters
    return FIRST[place] + letters


def _read(code: str) -> int:
    place = FIRST.index(code[0])
    for letter in code[1:]:
        place = place * len(REST) + REST.index(letter)
    return place
