"""What a store ruled itself."""

from django.db import models

from tourney.models.store import Store


class HouseRuling(models.Model):
    """A ruling of one store, cited as H and its number; `beside` is the published one that it stands beside, if any."""

    store = models.ForeignKey(Store, on_delete=models.PROTECT, related_name="house_rulings", db_index=False)
    number = models.PositiveSmallIntegerField()
    beside = models.CharField(max_length=8, blank=True)
    topic = models.CharField(max_length=60)
    text = models.CharField(max_length=500)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["store", "number"], name="one_house_ruling_per_number")]

    def __str__(self) -> str:
        return f"H{self.number}"
