"""A JSON schema as one function that says whether a value is right, many times faster than naming what is wrong."""

import re
from collections.abc import Callable, Mapping
from typing import Any

type Check = Callable[[Any], bool]
type Schema = Mapping[str, Any]

KEYWORDS = {
    "object": {"properties", "required", "additionalProperties", "propertyNames", "maxProperties"},
    "array": {"items", "minItems", "maxItems", "uniqueItems"},
    "string": {"minLength", "maxLength", "pattern", "not", "format"},
    "integer": {"minimum", "maximum"},
    "boolean": set[str](),
    "null": set[str](),
}
NOTES = {"$schema", "title", "description", "type"}
PLAIN: Mapping[str, type] = {"boolean": bool, "null": type(None)}
ENDLESS = float("inf")


class NotCompiled(Exception):
    """The schema says something that no function is made of."""


def acceptor(schema: Schema, formats: Mapping[str, Check]) -> Check:
    """A function of a value read from JSON: True only where the schema allows it; whatever else it is asked, False.

    `formats` has a check of texts for each "format". Raises NotCompiled for a keyword that is not known here.
    """
    return _compiled(schema, formats)


def _compiled(schema: Schema, formats: Mapping[str, Check]) -> Check:
    for name, make in (("const", _const), ("enum", _enum)):
        if name in schema:
            _only(schema, {name, *NOTES})
            return make(schema[name])
    if "anyOf" in schema:
        _only(schema, {"anyOf", *NOTES} - {"type"})
        return _any([_compiled(one, formats) for one in schema["anyOf"]])
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return _any([_compiled({**schema, "type": kind}, formats) for kind in kinds])
    if kinds not in KEYWORDS:
        raise NotCompiled(f"a schema without a known type: {sorted(schema)}")
    _only(schema, KEYWORDS[kinds] | NOTES)
    if kinds in PLAIN:
        return _of_type(PLAIN[kinds])
    return {"object": _object, "array": _array, "string": _string, "integer": _integer}[kinds](schema, formats)


def _only(schema: Schema, known: set[str]) -> None:
    if unknown := sorted(set(schema) - known):
        raise NotCompiled(f"keywords that are not known here: {unknown}")


def _const(value: object) -> Check:
    return _enum([value])


def _enum(values: list[Any]) -> Check:
    if not all(isinstance(value, str | int | None) for value in values):
        raise NotCompiled("a constant that is a list, an object or a fraction")
    allowed = frozenset((type(value), value) for value in values)
    kinds = tuple(kind for kind, _ in allowed)
    return lambda value: type(value) in kinds and (type(value), value) in allowed


def _any(checks: list[Check]) -> Check:
    return lambda value: any(check(value) for check in checks)


def _of_type(kind: type) -> Check:
    return lambda value: type(value) is kind


def _everything(value: object) -> bool:
    return True


def _nothing(value: object) -> bool:
    return False


def _object(schema: Schema, formats: Mapping[str, Check]) -> Check:
    fields = {name: _compiled(inner, formats) for name, inner in schema.get("properties", {}).items()}
    required, most = frozenset(schema.get("required", ())), schema.get("maxProperties", ENDLESS)
    more = schema.get("additionalProperties", True)
    others = (_everything if more else _nothing) if isinstance(more, bool) else _compiled(more, formats)
    # of names alone it is known that they are texts
    names = _compiled({"type": "string", **schema["propertyNames"]}, formats) if "propertyNames" in schema else None

    def check(value: Any) -> bool:
        if type(value) is not dict or len(value) > most or not required <= value.keys():
            return False
        if names is not None and not all(map(names, value)):
            return False
        return all(fields.get(name, others)(inner) for name, inner in value.items())

    return check


def _array(schema: Schema, formats: Mapping[str, Check]) -> Check:
    item = _compiled(schema["items"], formats) if "items" in schema else _everything
    least, most, unique = schema.get("minItems", 0), schema.get("maxItems", ENDLESS), schema.get("uniqueItems", False)
    if unique and schema.get("items", {}).get("type") not in ("integer", "string"):
        raise NotCompiled("a list of other things than numbers or texts, each once")

    def check(value: Any) -> bool:
        if type(value) is not list or not least <= len(value) <= most or not all(map(item, value)):
            return False
        return not unique or len(set(value)) == len(value)

    return check


def _string(schema: Schema, formats: Mapping[str, Check]) -> Check:
    least, most = schema.get("minLength", 0), schema.get("maxLength", ENDLESS)
    found = re.compile(schema["pattern"]).search if "pattern" in schema else _everything
    _only(schema.get("not", {}), {"pattern"})
    wrong = re.compile(schema["not"]["pattern"]).search if "not" in schema else _nothing
    if (wanted := schema.get("format")) and wanted not in formats:
        raise NotCompiled(f"the format {wanted}")
    fits = formats[wanted] if wanted else _everything
    return lambda value: (
        type(value) is str and least <= len(value) <= most and bool(found(value)) and not wrong(value) and fits(value)
    )


def _integer(schema: Schema, formats: Mapping[str, Check]) -> Check:
    low, high = schema.get("minimum", -ENDLESS), schema.get("maximum", ENDLESS)
    return lambda value: type(value) is int and low <= value <= high
