"""No index costs writes for what another one does as well."""

import pytest
from django.db import connection

pytestmark = pytest.mark.django_db

REPEATED = """
    SELECT one.indexrelid::regclass::text, other.indexrelid::regclass::text
    FROM pg_index one JOIN pg_index other ON one.indrelid = other.indrelid AND one.indexrelid <> other.indexrelid
    JOIN pg_class c ON c.oid = one.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    WHERE NOT one.indisunique
    AND one.indpred IS NULL AND other.indpred IS NULL AND one.indexprs IS NULL AND other.indexprs IS NULL
    AND other.indkey::text || ' ' LIKE one.indkey::text || ' %' AND c.relname LIKE 'tourney\\_%'
"""
"""An index, and the one that begins with the same columns."""

OF_DJANGO = ("tourney_user_groups", "tourney_user_user_permissions")
"""Tables that Django makes; Flagship keeps nothing in them."""


def test_no_index_repeats_the_first_columns_of_another():
    with connection.cursor() as cursor:
        cursor.execute(REPEATED)
        found = cursor.fetchall()

    ours = [(one, other) for one, other in found if not one.endswith("_like") and not one.startswith(OF_DJANGO)]
    assert ours == []
    assert len(found) > len(ours)  # the question finds those that are allowed
