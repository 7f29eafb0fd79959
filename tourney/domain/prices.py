"""What an entry fee costs, where its text is nothing but a number and a currency."""

import re
from dataclasses import dataclass
from decimal import Decimal

SIGNS = {"€": "EUR", "£": "GBP"}
"""Signs that are one currency's; "$" is the one of the store's country."""
PRICE = re.compile(
    r"(?P<before>[€£$]|[A-Z]{3})?\s?(?P<number>\d{1,4}(?:[.,]\d{1,2})?)\s?(?P<after>[€£$]|[A-Z]{3})?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Price:
    """So many of a currency, by its code."""

    amount: Decimal
    currency: str


def price_in(text: str, of_country: str) -> Price | None:
    """The price that the text is; None for one that says anything else. `of_country`: the code of the store's own."""
    found = PRICE.fullmatch(text.replace("\u00a0", " ").strip())
    if found is None:
        return None
    signs = [sign for sign in (found["before"], found["after"]) if sign]
    if len(signs) != 1:
        return None
    sign = signs[0]
    currency = SIGNS.get(sign) or (of_country if sign == "$" else sign)
    if sign == "$" and not currency.endswith("D"):
        return None
    return Price(Decimal(found["number"].replace(",", ".")), currency)
