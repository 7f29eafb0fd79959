"""The search of the guide without a network: on the device, what the site would have found."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_guide_pictures import ALL_KEPT
from tests.support.browsing import PHONE, assert_accessible

pytestmark = pytest.mark.django_db(transaction=True)

RESULTS = """() => {
  const told = one => one.textContent.replace(/\\s+/g, ' ').trim();
  const rows = [...document.querySelectorAll('.help-found :is(h1, li, p)')].map(one =>
    [one.lang, one.querySelector('a')?.getAttribute('href'), ...[one, ...one.querySelectorAll('b, small, .small')]
      .filter(part => part !== one || !one.matches('li')).map(told)]);
  return [document.title, document.querySelector('#q').value, ...rows];
}"""
"""What a page of results says and where it leads."""
SEARCHES = {
    "en": ["late player", "WiFi", "rule 3.3", "no-show", "3.11 door", "undo", "commendation token", "xyzzy <b>", "tie"],
    "de": ["eilt", "fur alle bei", "WLAN", "3.11 Tisch", "xyzzy <b>"],
    "fr": ["mot de passe oublié", "quand ca presse", "egalite", "WiFi", "liste d'attente", "joueuse", "xyzzy <b>"],
    "pt-br": ["esqueci a senha", "na correria", "classificacao", "WiFi", "botão errado", "3.11 mesa", "xyzzy <b>"],
}


def results(page: Page) -> list:
    expect(page.locator(".help-found")).to_be_visible()
    return page.evaluate(RESULTS)


@pytest.mark.parametrize(
    "language", ["de", *(pytest.param(one, marks=pytest.mark.nightly) for one in SEARCHES if one != "de")]
)
def test_a_search_without_a_network_finds_what_the_site_finds(open_page: Callable[..., Page], language: str):
    plain = open_page({**PHONE, "locale": language}, javascript=False)
    phone = open_page({**PHONE, "locale": language}, worker=True)
    by_site = []
    for words in SEARCHES[language]:
        plain.goto("/help/")
        plain.get_by_role("searchbox").fill(words)
        plain.get_by_role("searchbox").press("Enter")
        by_site.append(results(plain))
    phone.goto("/help/")
    phone.evaluate(ALL_KEPT)
    phone.context.set_offline(True)

    by_device = []
    for words in SEARCHES[language]:
        phone.get_by_role("searchbox").fill(words)
        phone.get_by_role("searchbox").press("Enter")
        phone.wait_for_url(lambda url, words=words: "?q=" in url)
        expect(phone.get_by_role("searchbox")).to_have_value(words)
        by_device.append(results(phone))

    assert_accessible(phone)
    phone.context.set_offline(False)
    assert [one[1] for one in by_site if not one[3][1]] == ["xyzzy <b>"]  # all others lead somewhere
    assert by_device == by_site


def test_what_the_site_found_is_not_kept_in_the_place_of_the_guide(open_page: Callable[..., Page]):
    phone = open_page(PHONE, worker=True)
    phone.goto("/help/?q=tie")
    phone.evaluate(ALL_KEPT)
    phone.goto("/help/?q=undo")
    phone.context.set_offline(True)

    phone.goto("/help/")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Help")
    phone.goto("/help/?q=late+player")
    expect(phone.locator(".help-found li").first).to_contain_text("Late")
    phone.locator(".help-found a").first.click()
    expect(phone.locator(":target")).to_be_in_viewport()
    phone.context.set_offline(False)
