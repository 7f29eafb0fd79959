"""What the dice of a roll-off decided, in words (rule 4.1)."""

from collections.abc import Mapping, Sequence

from tourney.domain.progress import names_of

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def outcome(levels: Sequence[Sequence[int]], names: Mapping[int, str]) -> str:
    """One sentence, "Vor is first; Kestrel and Quill roll again."; `levels` are best first, as the dice left them."""
    if len(levels) == 1:
        return f"{names_of([names[number] for number in levels[0]])} are level and roll again."
    if [len(level) for level in levels] == [1, 1]:
        return f"{names[levels[0][0]]} is ahead of {names[levels[1][0]]}."
    parts, place = [], 1
    for level in levels:
        who = names_of([names[number] for number in level])
        parts.append(f"{who} roll again" if len(level) > 1 else f"{who} is {_place(place)}")
        place += len(level)
    return f"{'; '.join(parts)}."


def _place(number: int) -> str:
    return PLACES[number - 1] if number <= len(PLACES) else f"number {number}"
