"""Entries of the journal keep their message, from which each reader's language makes a sentence.

No entry is rewritten. The hash of one without a message is what it was, so that every link of the chain still fits.
"""

from django.db import migrations, models

HASH = """
CREATE OR REPLACE FUNCTION journal_content_hash(e tourney_journalentry, nonce text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT sha256_hex(
        netstring(nonce) || netstring(e.id::text) || netstring(e.store_id::text) || netstring(e.event_id::text)
        || netstring(e.version::text) || netstring(to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
        || netstring(e.by_id::text) || netstring(e.by_name) || netstring(e.did) || netstring(e.what)
        || netstring(e.before::text) || netstring(e.after::text) || netstring(e.reason){said}
    )
$$;
"""
WITH_MESSAGE = HASH.replace("{said}", " || CASE WHEN e.said IS NULL THEN '' ELSE netstring(e.said::text) END")
WITHOUT_MESSAGE = HASH.replace("{said}", "")


class Migration(migrations.Migration):
    dependencies = [("tourney", "0032_player_card_sets")]

    operations = [
        migrations.AddField("journalentry", "said", models.JSONField(null=True)),
        migrations.RunSQL(WITH_MESSAGE, WITHOUT_MESSAGE),
    ]
