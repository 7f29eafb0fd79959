"""The Talon classes that a store knows."""

from django.db import models

from tourney.models.store import Store


class TalonClass(models.Model):
    """A class with its curves, written 4-2-1 3-3-2, and who saved it so and when (rule 10.1)."""

    store = models.ForeignKey(Store, on_delete=models.PROTECT, related_name="talon_classes", db_index=False)
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    curves = models.CharField(max_length=80)
    saved_by = models.CharField(max_length=150)
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["name", "number"]
        constraints = [models.UniqueConstraint(fields=["store", "number"], name="one_talon_class_per_number")]

    def __str__(self) -> str:
        return self.name
