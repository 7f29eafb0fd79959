"""JSON columns into which nothing goes that cannot be read again."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import models

from tourney.runtime.json_shapes import JSONReader, as_stored


class UnreadableValue(Exception):
    """What should be saved could not be read again; nothing was saved. The text names the column and what is wrong."""


class CheckedJSONField(models.JSONField):
    """A JSON column that is read by `reader`, which decides what can be saved: whatever it raises, refuses the value.

    It is asked whenever a value goes to the database: by `save`, by `bulk_create` and `bulk_update`, by `update`. Only
    an expression that the database works out by itself is not known here.

    What is stored may be older than its reader. With `instead`, a value that cannot be read any more is read as what
    that makes: for small values that are not worth a word. Without it the value comes as it is stored, and who reads
    it asks `is_readable`.
    """

    def __init__(
        self, *args: Any, reader: JSONReader[object], instead: Callable[[], Any] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.reader, self.instead = reader, instead

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        """To migrations this is any JSON column: how it is read is no matter of the database."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs

    def clone(self) -> models.JSONField:  # type: ignore[override]  # on purpose none of its own kind
        """The column without its reader, as migrations know it."""
        _, _, args, kwargs = self.deconstruct()
        return models.JSONField(*args, **kwargs)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        """Raises UnreadableValue."""
        plain = value.value if isinstance(value, models.Value) else value
        if plain is not None and not hasattr(plain, "as_sql"):
            self.check_value(plain)
        return super().get_db_prep_save(value, connection)

    def check_value(self, value: Any) -> None:
        """Raises UnreadableValue for what could not be stored, or not be read again."""
        try:
            self.reader(as_stored(value))
        except Exception as error:  # whatever a reader raises, it does not read the value
            raise UnreadableValue(f"{self.model._meta.label}.{self.name}: {error}") from error

    def is_readable(self, value: Any) -> bool:
        """Whether the reader takes this value of a row."""
        try:
            self.reader(value)
        except Exception:  # as above
            return False
        return True

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """The value as it is read: what stands in for one that cannot be, if the column has that."""
        return self.as_read(super().from_db_value(value, expression, connection))

    def as_read(self, value: Any) -> Any:
        """The stored value, or what stands in for one that cannot be read."""
        if value is None or self.instead is None or value == self.instead() or self.is_readable(value):
            return value
        return self.instead()
