"""Stores and the people who run their events."""

import zoneinfo
from collections.abc import Sequence
from typing import Self

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.contrib.postgres.indexes import GinIndex
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Upper
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tourney.domain import branding
from tourney.domain.pictures import PictureKind
from tourney.models.habits import EventTemplate, read_template
from tourney.runtime import locales
from tourney.runtime.checked_json import CheckedJSONField
from tourney.runtime.found_by import FoundByField
from tourney.runtime.messages import message


class User(AbstractUser):
    """Somebody who signs in: an owner, organizer or judge of one or more stores. Players have no account."""

    store_names: Sequence[str] = ()
    """The stores of who is about to sign up: no password is one of them (`tourney.runtime.passwords`)."""

    class Meta(AbstractUser.Meta):
        indexes = [models.Index(Upper("username"), name="users_by_name_in_capitals")]


class Role(models.TextChoices):
    OWNER = "owner", _("Owner")
    ORGANIZER = "organizer", _("Organizer")
    JUDGE = "judge", _("Judge")


def known_time_zone(name: str) -> None:
    """Validator of an IANA time zone name. Raises ValidationError."""
    if name not in zoneinfo.available_timezones():
        says = message("“{name}” isn’t a time zone. Enter one like Europe/Berlin or America/Chicago.", name=name)
        raise ValidationError(str(says))


class NamesShown(models.TextChoices):
    """How everybody may read the names of players; the desk, paper and a player's own card show them in full."""

    FULL = "full"
    INITIAL = "initial"


class StoreQuerySet(models.QuerySet["Store"]):
    def real(self) -> Self:
        """The stores without those of rehearsals."""
        return self.filter(rehearsal=None)

    def with_role(self, user: User | AnonymousUser, *roles: str) -> Self:
        """The stores where this user has one of the roles (any role if none is named)."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(pk__in=Membership.objects.filter(user=user, role__in=roles or Role.values).values("store"))


WORDS = models.Func(
    models.Func(models.F("found_by"), models.Value(" "), function="string_to_array"), function="array_to_tsvector"
)
"""What a word of a store’s name or town, or the beginning of one, is looked up in."""


class Store(models.Model):
    """A venue with its campaigns, events and players; or a rehearsal, which looks like one to its organizers alone."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    place = models.CharField(max_length=80, default="", help_text="its town, for who looks for it; empty: nobody said")
    found_by = FoundByField(of=("name", "place"), help_text="the words of both; lists are in their order")
    time_zone = models.CharField(max_length=60, default="UTC", validators=[known_time_zone])
    locale = models.CharField(max_length=12, default=locales.USUAL, help_text="by CLDR: en_US")
    names_shown = models.CharField(max_length=10, choices=NamesShown, default=NamesShown.FULL)
    rehearsal = models.OneToOneField("tourney.Rehearsal", on_delete=models.PROTECT, null=True, related_name="store")
    first_event_hidden = models.BooleanField(default=False, help_text="the steps on the home page")
    event_template = CheckedJSONField(
        default=dict, reader=read_template, instead=dict, help_text="what its events begin with; empty: nobody said"
    )
    accent = models.CharField(max_length=7, default="", help_text="its color, #rrggbb; empty: none")
    logo = models.CharField(max_length=20, default="", help_text="the name of its file, which follows its content")
    logo_width = models.PositiveSmallIntegerField(default=0)
    logo_height = models.PositiveSmallIntegerField(default=0)
    moved_to = models.CharField(max_length=300, default="", help_text="its address elsewhere; empty: it is here")

    objects = StoreQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(names_shown__in=NamesShown.values), name="store_names_shown_known"
            ),
        ]
        indexes = [
            models.Index(fields=["found_by", "id"], name="stores_in_order", condition=models.Q(rehearsal=None)),
            GinIndex(WORDS, name="stores_by_words", fastupdate=False, condition=models.Q(rehearsal=None)),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("store_home", args=[self.slug])

    @property
    def template(self) -> EventTemplate:
        """What a new event begins with."""
        template: EventTemplate = read_template(self.event_template)
        return template

    @property
    def look(self) -> branding.StoreColors | None:
        """What is shown of its color; None where it chose none."""
        return branding.look_of(self.accent) if self.accent else None

    @property
    def look_url(self) -> str:
        """The address of the style sheet with its color, another for every content; empty without a color."""
        name = branding.name_of_stylesheet(self.accent) if self.accent else ""
        return reverse("store_look_css", args=[self.slug, name]) if name else ""

    @property
    def logo_url(self) -> str:
        """The address of its logo, another for every content; empty without a logo."""
        return reverse("store_logo", args=[self.slug, self.logo]) if self.logo else ""


class StoreLogo(models.Model):
    """The file of a store's logo, apart from the store: every page reads that, and only one address this."""

    store = models.OneToOneField(Store, on_delete=models.CASCADE, related_name="logo_file")
    kind = models.CharField(max_length=4, choices=[(kind.value, kind.name) for kind in PictureKind])
    content = models.BinaryField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=[kind.value for kind in PictureKind]), name="logo_kind_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"logo of {self.store_id}"


class Membership(models.Model):
    """The role of one user at one store."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships", db_index=False)
    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "store"], name="one_role_per_user_and_store"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role} of {self.store})"


class Invitation(models.Model):
    """A link that gives a role to whoever opens it first. Without a store it sets up the first store (role owner)."""

    store = models.ForeignKey(Store, on_delete=models.CASCADE, null=True, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role)
    note = models.CharField(max_length=80, blank=True)
    key_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_is_known"),
            models.CheckConstraint(
                condition=models.Q(store__isnull=False) | models.Q(role=Role.OWNER),
                name="only_an_owner_is_invited_without_a_store",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation as {self.role}"
