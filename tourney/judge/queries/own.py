"""What the store of a judge's desk has of its own: rulings, and classes for Talon power."""

from tourney.models import HouseRuling, Store, TalonClass


def ruling_of(store: Store, number: int) -> HouseRuling | None:
    return HouseRuling.objects.select_related("store").filter(store=store, number=number).first()


def talon_class_of(store: Store, number: int) -> TalonClass | None:
    return TalonClass.objects.select_related("store").filter(store=store, number=number).first()
