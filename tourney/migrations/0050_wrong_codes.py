from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0049_store_archive")]

    operations = [
        migrations.RemoveConstraint(model_name="signinattempt", name="sign_in_outcome_known"),
        migrations.AlterField(
            model_name="signinattempt",
            name="outcome",
            field=models.CharField(
                choices=[
                    ("signed_in", "Signed In"),
                    ("wrong_password", "Wrong Password"),
                    ("wrong_code", "Wrong Code"),
                    ("not_tried", "Not Tried"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="signinattempt",
            constraint=models.CheckConstraint(
                condition=models.Q(("outcome__in", ["signed_in", "wrong_password", "wrong_code", "not_tried"])),
                name="sign_in_outcome_known",
            ),
        ),
    ]
