"""What the store of a judge's desk has of its own: rulings, and classes for Talon power."""

from django.db.models import QuerySet

from tourney.models import HouseRuling, Store, TalonClass


def ruling_of(store: Store, number: int) -> HouseRuling | None:
    """The store's own ruling of that number, None if there is none."""
    return HouseRuling.objects.select_related("store").filter(store=store, number=number).first()


def talon_class_of(store: Store, number: int) -> TalonClass | None:
    """The store's own ship class of that number, None if there is none."""
    return TalonClass.objects.select_related("store").filter(store=store, number=number).first()


def talon_classes_of(store: Store) -> QuerySet[TalonClass]:
    """The store's own ship classes, in the order of its list."""
    return store.talon_classes.all()
