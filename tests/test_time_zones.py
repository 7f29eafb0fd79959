"""Time zones by what people type."""

import zoneinfo

import pytest

from tourney.runtime.time_zones import time_zones, zones_called


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("America/Chicago", "America/Chicago"),
        ("america/chicago", "America/Chicago"),
        ("Chicago", "America/Chicago"),
        ("  new york ", "America/New_York"),
        ("Berlin", "Europe/Berlin"),
        ("São Paulo", "America/Sao_Paulo"),
        ("sao paulo", "America/Sao_Paulo"),
        ("St. John’s", "America/St_Johns"),
        ("Port-au-Prince", "America/Port-au-Prince"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("Calcutta", "Asia/Kolkata"),
        ("Wien", "Europe/Vienna"),
        ("Bruxelles", "Europe/Brussels"),
        ("Ciudad de México", "America/Mexico_City"),
        ("Austria", "Europe/Vienna"),
        ("Österreich", "Europe/Vienna"),
        ("UTC", "UTC"),
        ("utc", "UTC"),
    ],
)
def test_a_city_or_a_country_with_one_time_zone_is_found(typed, zone):
    assert zones_called(typed) == (zone,)


def test_a_country_with_several_time_zones_offers_them():
    assert zones_called("Deutschland") == ("Europe/Berlin", "Europe/Busingen")
    assert {"America/Chicago", "America/New_York"} < set(zones_called("United States"))


@pytest.mark.parametrize("typed", ["", " ", "Nowhere", "\0", "../etc", "x" * 5000])
def test_what_is_no_place_is_no_time_zone(typed):
    assert zones_called(typed) == ()


def test_every_offered_time_zone_is_found_by_its_name_and_its_city():
    known = zoneinfo.available_timezones()

    for zone in time_zones():
        assert zones_called(zone) == (zone,)
        cities = zones_called(zone.rpartition("/")[2].replace("_", " "))
        assert cities
        assert known >= {*cities}
