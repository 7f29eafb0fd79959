"""What is a price among the texts of an entry fee."""

from decimal import Decimal

import pytest

from tourney.domain.prices import Price, price_in

CASES = [
    ("5 €", "EUR", ("5", "EUR")),
    ("€5", "USD", ("5", "EUR")),
    ("7,50 €", "EUR", ("7.50", "EUR")),
    ("£7.50", "GBP", ("7.50", "GBP")),
    ("$10", "USD", ("10", "USD")),
    ("$10", "CAD", ("10", "CAD")),
    ("$10", "EUR", None),
    ("10 CHF", "CHF", ("10", "CHF")),
    ("AUD 12", "USD", ("12", "AUD")),
    ("10\u00a0€", "EUR", ("10", "EUR")),
    ("5", "EUR", None),
    ("free", "EUR", None),
    ("", "EUR", None),
    ("5 €, at the counter", "EUR", None),
    ("€5 €", "EUR", None),
    ("1.000 €", "EUR", None),
    ("-5 €", "EUR", None),
    ("٥ €", "EUR", None),
]


@pytest.mark.parametrize(("text", "of_country", "found"), CASES)
def test_a_price_is_a_number_and_a_currency_and_nothing_else(text: str, of_country: str, found):
    assert price_in(text, of_country) == (found and Price(Decimal(found[0]), found[1]))
