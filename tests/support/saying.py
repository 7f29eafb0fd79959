"""Sentences as they are read in English, however deep they lie in what is looked at."""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tourney.runtime.messages import Message


def in_english(thing: Any) -> Any:
    """The same, with each message in it as its sentence."""
    if isinstance(thing, Message):
        return str(thing)
    if isinstance(thing, Mapping):
        return {in_english(key): in_english(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple | set | frozenset):
        return type(thing)(map(in_english, thing))
    if is_dataclass(thing) and not isinstance(thing, type):
        return replace(thing, **{one.name: in_english(getattr(thing, one.name)) for one in fields(thing)})
    return thing


def html_of(response: Any) -> str:
    """The page that was answered, with the numbers of rules as text: so sentences that name one are whole."""
    return re.sub(r'<a href="/help/rules/#[^"]*">([^<]*)</a>', r"\1", response.content.decode())
