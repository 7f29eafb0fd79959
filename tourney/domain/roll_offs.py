"""What the dice of a roll-off decided, in words (rule 4.1)."""

from collections.abc import Mapping, Sequence

from tourney.runtime.messages import Message, in_a_row, message

PLACES = (
    message("{name} is first."),
    message("{name} is second."),
    message("{name} is third."),
    message("{name} is fourth."),
    message("{name} is fifth."),
    message("{name} is sixth."),
    message("{name} is seventh."),
    message("{name} is eighth."),
    message("{name} is ninth."),
    message("{name} is tenth."),
)


def outcome(levels: Sequence[Sequence[int]], names: Mapping[int, str]) -> Message:
    """Like "Vor is first. Kestrel and Quill roll again."; `levels` are best first, as the dice left them."""
    if len(levels) == 1:
        return message("{names} are tied and roll again.", names=tuple(names[number] for number in levels[0]))
    if [len(level) for level in levels] == [1, 1]:
        return message("{winner} is ahead of {other}.", winner=names[levels[0][0]], other=names[levels[1][0]])
    parts, place = [], 1
    for level in levels:
        who = tuple(names[number] for number in level)
        parts.append(message("{names} roll again.", names=who) if len(who) > 1 else _at(place, who[0]))
        place += len(level)
    return in_a_row(parts)


def _at(place: int, name: str) -> Message:
    if place > len(PLACES):
        return message("{name} is number {place}.", name=name, place=place)
    return Message(PLACES[place - 1].id, {"name": name})
