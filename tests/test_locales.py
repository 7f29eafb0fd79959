"""How a store writes days and times, and on which paper it prints."""

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone, translation

from tourney.runtime import locales

EVENING = datetime(2026, 11, 20, 18, 5, 9, tzinfo=UTC)
FORMS = ("time", "seconds", "day", "short day", "long day", "full day", "weekday", "month", "short month")


@pytest.fixture(autouse=True)
def usual():
    with timezone.override("UTC"):
        yield
    locales.activate(locales.USUAL)


@pytest.mark.parametrize(
    ("locale", "as_written"),
    [
        (
            "en_GB",
            "18:05|18:05:09|20 Nov 2026|20 Nov|20 November 2026|Friday, 20 November 2026|Friday, 20 November"
            "|November 2026|Nov",
        ),
        (
            "en_US",
            "6:05 PM|6:05:09 PM|Nov 20, 2026|Nov 20|November 20, 2026|Friday, November 20, 2026|Friday, November 20"
            "|November 2026|Nov",
        ),
    ],
)
def test_days_and_times_are_written_as_the_store_does(locale, as_written):
    locales.activate(locale)
    assert "|".join(locales.written(EVENING, form) for form in FORMS) == as_written.replace("5 PM", "5\xa0PM").replace(
        "9 PM", "9\xa0PM"
    )


@pytest.mark.parametrize(
    ("locale", "language", "as_written"),
    [
        ("en_GB", "de", "20.11.2026, 18:05"),
        ("en_US", "de", "20.11.2026, 6:05\xa0PM"),
        ("de_DE", "en", "20 Nov 2026, 18:05"),
        ("de_AT", "de", "20.11.2026, 18:05"),
        ("pt_BR", "pt-br", "20 de nov. de 2026, 18:05"),
        ("fr_CA", "fr", "20 nov. 2026, 18 h 05"),
    ],
)
def test_words_are_the_readers_and_hours_the_stores(locale, language, as_written):
    locales.activate(locale)
    with translation.override(language):
        assert locales.written(EVENING, "day, time") == as_written


@pytest.mark.parametrize("locale", locales.OFFERED)
def test_a_weekday_stands_without_its_year_in_every_locale(locale):
    locales.activate(locale)
    with translation.override(locales.language_at(locale)):
        full, weekday = locales.written(EVENING, "full day"), locales.written(EVENING, "weekday")
    assert full.startswith(weekday)
    assert full.removeprefix(weekday).strip(", ").removeprefix("de ") == "2026"


def test_a_moment_is_written_in_the_time_of_the_store_and_a_day_as_it_is():
    with timezone.override("Asia/Tokyo"):
        assert locales.written(EVENING, "day, time") == "21 Nov 2026, 03:05"
        assert locales.written(date(2026, 11, 20), "day") == "20 Nov 2026"


def test_what_is_no_form_or_locale():
    with pytest.raises(KeyError):
        locales.written(EVENING, "noon")
    locales.activate("xx_XX")
    assert locales.active() == "en_GB"


@pytest.mark.parametrize(
    ("locale", "paper"),
    [("en_US", "letter"), ("fr_CA", "letter"), ("es_MX", "letter"), ("es_AR", "a4"), ("de_DE", "a4")],
)
def test_paper_is_that_of_the_country(locale, paper):
    assert locales.paper_at(locale) == paper


@pytest.mark.parametrize(
    ("accepted", "time_zone", "locale"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "UTC", "de_AT"),
        ("en;q=0.5,fr-CA", "America/Toronto", "fr_CA"),
        ("en", "America/Chicago", "en_US"),
        ("en", "UTC", "en_GB"),
        ("de", "UTC", "de_DE"),
        ("de-LU,fr-FR;q=0.5", "UTC", "de_DE"),
        ("pt", "America/Sao_Paulo", "pt_BR"),
        ("nl,fr;q=0.5", "UTC", "fr_FR"),
        ("", "Australia/Perth", "en_AU"),
        ("", "America/Sao_Paulo", "pt_BR"),
        ("ja-JP", "Asia/Tokyo", "en_GB"),
        ("garbage;;q=x", "UTC", "en_GB"),
    ],
)
def test_the_locale_of_a_new_store_is_guessed(accepted, time_zone, locale):
    assert locales.locale_asked_for(accepted, time_zone) == locale


def test_every_offered_locale_has_a_name_and_a_language():
    names = dict(locales.choices())
    assert names["de_AT"] == "Deutsch (Österreich)"
    assert set(names) == set(locales.OFFERED)
    assert {locales.language_at(one) for one in ("en_US", "ja_JP")} == {"en"}
