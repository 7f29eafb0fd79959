"""The link by which the owner of a fleet shares it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0026_what_others_wrote_stays_unread")]

    operations = [
        migrations.AddField(
            model_name="fleet",
            name="share_key",
            field=models.CharField(blank=True, default="", max_length=32),
        ),
        migrations.AddConstraint(
            model_name="fleet",
            constraint=models.UniqueConstraint(
                condition=models.Q(("share_key", ""), _negated=True),
                fields=("share_key",),
                name="a_share_link_leads_to_one_fleet",
            ),
        ),
    ]
