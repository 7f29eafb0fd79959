"""Nobody changes or deletes a journal entry: not the pages, not the application's own role by SQL."""

from django.db import migrations

FORBID = """
CREATE FUNCTION journal_is_forever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The journal cannot be changed: entries are only added.' USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER journal_is_forever BEFORE UPDATE OR DELETE ON tourney_journalentry
    FOR EACH ROW EXECUTE FUNCTION journal_is_forever();

CREATE TRIGGER journal_is_forever_truncate BEFORE TRUNCATE ON tourney_journalentry
    FOR EACH STATEMENT EXECUTE FUNCTION journal_is_forever();
"""

ALLOW = """
DROP TRIGGER journal_is_forever ON tourney_journalentry;
DROP TRIGGER journal_is_forever_truncate ON tourney_journalentry;
DROP FUNCTION journal_is_forever();
"""


class Migration(migrations.Migration):
    dependencies = [("tourney", "0001_initial")]

    operations = [migrations.RunSQL(FORBID, ALLOW)]
