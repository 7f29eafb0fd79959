"""The brand of a store, as what is drawn for it has it."""

from base64 import b64encode

from tourney.models import Store
from tourney.printing.domain.poster import PLAIN, Brand
from tourney.queries.stores import logo_of


def color_of(store: Store) -> str:
    """The color of words and lines on the night sky."""
    return store.look.on_dark if store.look else PLAIN.color


def brand_of(store: Store) -> Brand:
    """Its color, and its logo with the content of its file."""
    file = logo_of(store)
    if file is None:
        return Brand(color_of(store))
    address = f"data:image/{file.kind};base64,{b64encode(file.content).decode()}"
    return Brand(color_of(store), address, store.logo_width, store.logo_height)
