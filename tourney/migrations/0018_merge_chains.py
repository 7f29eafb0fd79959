"""A player is merged into a person, never into an alias: old chains are mended, and the database refuses new ones."""

from collections.abc import Mapping

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Q
from django.utils import timezone

NO_CHAIN = """
CREATE FUNCTION merges_make_no_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    person tourney_player;
BEGIN
    IF NEW.merged_into_id IS NOT NULL THEN
        SELECT * INTO person FROM tourney_player WHERE id = NEW.merged_into_id FOR SHARE;
        IF person.id = NEW.id THEN
            RAISE EXCEPTION 'A player cannot be merged into itself.' USING ERRCODE = 'restrict_violation';
        ELSIF person.merged_into_id IS NOT NULL THEN
            RAISE EXCEPTION 'A player is merged into a person, not into one that is merged itself.'
                USING ERRCODE = 'restrict_violation';
        ELSIF person.store_id <> NEW.store_id THEN
            RAISE EXCEPTION 'Players of two stores cannot be merged.' USING ERRCODE = 'restrict_violation';
        ELSIF EXISTS (SELECT FROM tourney_player WHERE merged_into_id = NEW.id) THEN
            RAISE EXCEPTION 'Other players are merged into this one: they have to follow it.'
                USING ERRCODE = 'restrict_violation';
        END IF;
    ELSIF EXISTS (SELECT FROM tourney_player WHERE merged_into_id = NEW.id AND store_id <> NEW.store_id) THEN
        RAISE EXCEPTION 'Players of two stores cannot be merged.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER merges_make_no_chain AFTER INSERT OR UPDATE OF merged_into_id, store_id ON tourney_player
    FOR EACH ROW EXECUTE FUNCTION merges_make_no_chain();
"""
"""Asked at the end of each statement, so that those who follow can be changed with the one they follow. The row of the
person is locked: of two merges at once the second sees what the first did."""

CHAINS_AGAIN = """
DROP TRIGGER merges_make_no_chain ON tourney_player;
DROP FUNCTION merges_make_no_chain();
"""


def end_of(player: int, into: Mapping[int, int]) -> int:
    """As who this player counts: the end of the chain; of a circle the lowest id."""
    way = [player]
    while (following := into.get(way[-1])) is not None:
        if following in way:
            return min(way[way.index(following) :])
        way.append(following)
    return way[-1]


def mend(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Every alias points to its person, who has its entries and fleets. Who became a person again is no merge's other."""
    Player, Entrant, Fleet, PlayerMerge = (
        apps.get_model("tourney", name) for name in ("Player", "Entrant", "Fleet", "PlayerMerge")
    )
    Player.objects.filter(~Q(store=F("merged_into__store"))).exclude(merged_into=None).update(merged_into=None)
    into = dict(Player.objects.exclude(merged_into=None).values_list("pk", "merged_into"))
    for alias in into:
        person = end_of(alias, into)
        Player.objects.filter(pk=alias).update(merged_into=None if person == alias else person)
    for alias, person in Player.objects.exclude(merged_into=None).values_list("pk", "merged_into"):
        there = Entrant.objects.filter(player=person).values("event")
        Entrant.objects.filter(player=alias).exclude(event__in=there).update(player=person)
        kept_with_entry = Q(entrant__player=alias)
        Fleet.objects.filter(player=alias).exclude(kept_with_entry).update(player=person)
    PlayerMerge.objects.filter(undone_at=None, other__merged_into=None).update(undone_at=timezone.now())
    schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # else the table could not get its trigger


class Migration(migrations.Migration):
    dependencies = [("tourney", "0017_talon_classes")]

    operations = [
        migrations.RunPython(mend, migrations.RunPython.noop),
        migrations.RunSQL(NO_CHAIN, CHAINS_AGAIN),
    ]
