"""Finding a name in what people and the program wrote."""

import re
from collections.abc import Callable, Iterable


def replacing(name: str, mark: str, others: Iterable[str]) -> Callable:
    """A function that puts the mark in place of the name, in texts and in lists and dicts (their values) of them.

    Only whole words of the same spelling are the name, and none within a longer one of `others`: "Vor" is neither in
    "Vorta" nor in "Captain Vor" if somebody is called so.
    """
    longer = {other for other in others if other != name and name in other}
    names = "|".join(map(re.escape, (*sorted(longer, key=len, reverse=True), name)))
    pattern = re.compile(rf"(?<!\w)({names})(?!\w)")

    def replaced(value):
        if isinstance(value, str):
            return pattern.sub(lambda found: mark if found[0] == name else found[0], value)
        if isinstance(value, list):
            return [replaced(item) for item in value]
        if isinstance(value, dict):
            return {key: replaced(item) for key, item in value.items()}
        return value

    return replaced
