"""What rules answer, with every message in it said, so that a test can write the sentence itself."""

from dataclasses import fields, is_dataclass, replace

from tourney.runtime.messages import Message


def in_words(answer):
    if isinstance(answer, Message):
        return str(answer)
    if isinstance(answer, dict):
        return {key: in_words(value) for key, value in answer.items()}
    if isinstance(answer, list | tuple):
        return type(answer)(map(in_words, answer))
    if is_dataclass(answer):
        return replace(answer, **{one.name: in_words(getattr(answer, one.name)) for one in fields(answer)})
    return answer
