"""An event that came from elsewhere and got another address is found by the old one without reading all history."""

from django.db import migrations, models
from django.db.models.fields.json import KeyTransform


class Migration(migrations.Migration):
    dependencies = [("tourney", "0051_request_passed_on")]

    operations = [
        migrations.AddIndex(
            model_name="rowchange",
            index=models.Index(
                KeyTransform("slug", "before"),
                name="events_by_earlier_slugs",
                condition=models.Q(table="tourney_event", before__has_key="slug"),
            ),
        ),
    ]
