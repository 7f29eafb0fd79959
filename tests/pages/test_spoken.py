"""What pages say in each language that is offered: with the catalogues as they are."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from scoring.shipped import shipped_packs
from tests.support.months import two_months
from tests.support.nights import BY, make_night, make_store
from tests.support.tables import eliminated, enter
from tourney.actions import tokens
from tourney.forms.results import endings_by_letter
from tourney.judge.actions import house_rulings
from tourney.judge.queries.published import published, tag_in_language
from tourney.models import JournalEntry, Store

LANGUAGES = [code for code, _ in settings.LANGUAGES]
OTHERS = [code for code in LANGUAGES if code != "en"]


def page(address: str, language: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(address, headers={"accept-language": language})
    return answer.content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_ending_of_the_fast_entry_has_a_first_letter_of_its_own(language):
    with translation.override(language):
        for pack in shipped_packs():
            letters = [label[0] for _, label in endings_by_letter(pack)]

            assert len(set(letters)) == len(letters), pack.slug


@pytest.mark.django_db
@pytest.mark.parametrize("language", OTHERS)
def test_a_step_is_kept_once_and_read_by_each_in_their_own_language(language):
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, eliminated(1, left=40))
    entry = JournalEntry.objects.filter(event=night.event).latest("pk")

    with translation.override(language):
        theirs = entry.sentence
    with translation.override("en"):
        english = entry.sentence

    assert english == entry.what
    assert theirs != english
    assert "Vor" in theirs


@pytest.mark.django_db
def test_why_somebody_has_the_token_is_read_in_the_readers_language():
    months = two_months([0, 1])
    tokens.grant(months.event, months.number(0), by=BY)
    line = months.event.token_lines.last()

    with translation.override("de"):
        assert str(line.why) != line.reason
        assert months.order[0] in str(line.why)
    with translation.override("en"):
        assert str(line.why) == line.reason


@pytest.mark.django_db
@pytest.mark.parametrize("language", OTHERS)
def test_what_a_month_counts_is_in_the_readers_language_and_its_titles_are_names(language):
    address = reverse("event", args=[make_night(players=4).event.slug])

    assert "Controls Deep Space 9" in page(address, "en")
    assert "Controls Deep Space 9" not in page(address, language)
    assert 'lang="en"' not in page(address, language).split("</head>")[1].split("<footer")[0]


@pytest.mark.django_db
def test_a_ruling_is_found_by_words_and_tags_of_the_readers_language():
    with translation.override("de"):
        mines = tag_in_language("mines")
        tagged = [one.number for section in published() for one in section.rulings if mines in one.tags]

    german = page(f"/judge/rulings/?tag={mines}", "de")

    assert mines != "mines"
    assert german == page("/judge/rulings/?tag=mines", "de").replace("tag=mines", f"tag={mines}")
    assert all(f'id="{number}"' in german for number in tagged)


@pytest.mark.django_db
def test_a_house_ruling_says_in_which_language_it_is():
    store, _ = make_store()
    Store.objects.filter(pk=store.pk).update(locale="de_DE")
    house_rulings.add(store, by=BY, topic="Minen", text="Minen explodieren sofort.")
    address = reverse("store_rulings", args=[store.slug])

    assert 'lang="de"' in page(address, "fr").split('id="H1"')[1].partition("<h3>")[0]
    assert 'lang="de"' not in page(address, "de").split('id="H1"')[1].partition("<h3>")[0]
