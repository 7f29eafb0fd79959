"""Lines of the token's ledger keep the message of a reason that Flagship gave; no line is rewritten."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0034_words_of_choices")]

    operations = [migrations.AddField("tokenline", "said", models.JSONField(null=True))]
