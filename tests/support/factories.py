"""Rows that stand alone. Whole stores and events come from tests/support/nights.py, through the actions."""

import factory

from tourney.models import User

PASSWORD = "correct horse battery"


class UserFactory(factory.django.DjangoModelFactory):
    """Somebody who can sign in with PASSWORD."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda number: f"officer-{number}")

    @classmethod
    def _create(cls, model_class, *args, **kwargs):
        return model_class.objects.create_user(*args, password=PASSWORD, **kwargs)
