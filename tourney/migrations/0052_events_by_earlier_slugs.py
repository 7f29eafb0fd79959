"""An event that came from elsewhere and got another address is found by the old one, which its journal knows."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0051_request_passed_on")]

    operations = [
        migrations.AddIndex(
            model_name="journalentry",
            index=models.Index(
                fields=["store"], condition=models.Q(("did", "import_event")), name="entries_that_import_an_event"
            ),
        ),
    ]
