"""The table of documents is complete: each has its template, what fills it, and its count of sheets."""

import pytest
from django.template.loader import get_template

from tourney.printing.domain.documents import DOCUMENTS, GROUPS, ForEach
from tourney.printing.queries.counts import counts
from tourney.printing.views.documents import fills


def test_every_document_is_filled():
    assert fills.works.keys() == DOCUMENTS.keys()


def test_the_sheets_are_counted_of_every_document_that_can_be_longer_than_one():
    assert counts.works.keys() == {kind for kind, document in DOCUMENTS.items() if not document.is_one_sheet}


def test_every_document_has_a_template_a_group_and_a_place_of_its_own_in_the_bundle():
    places = sorted(document.in_bundle for document in DOCUMENTS.values() if document.in_bundle)

    assert all(get_template(document.template) for document in DOCUMENTS.values())
    assert {document.group for document in DOCUMENTS.values()} == GROUPS.keys()
    assert places == list(range(1, len(places) + 1))


def test_the_work_for_a_document_is_registered_once_and_for_no_other_word():
    works = ForEach()

    assert works("tents")(len) is len
    with pytest.raises(LookupError, match="“tents” is no document"):
        works("tents")
    with pytest.raises(LookupError, match="“tent” is no document"):
        works("tent")
