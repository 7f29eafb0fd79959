"""Forms of the doors (sign-in, set-up, invitation) and of the store's own pages."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import longest
from tourney.models import Invitation, NamesShown, Role, Store, User
from tourney.runtime import locales
from tourney.runtime.messages import message
from tourney.runtime.time_zones import zones_called

NAME_LENGTH = longest(Store, "name")
NOTE_LENGTH = longest(Invitation, "note")


MOST_ZONES = 8
"""Time zones that a sentence offers to choose from."""


class TimeZoneField(forms.CharField):
    """A time zone, by its name, a city or a country. The page brings the datalist `time-zones`."""

    widget = forms.TextInput(
        attrs={"list": "time-zones", "autocomplete": "off", "spellcheck": "false", "data-time-zone": True}
    )

    def clean(self, value: Any) -> str:
        """The zone's name. Raises ValidationError for what may be none, or several."""
        typed = super().clean(value)
        found = zones_called(typed)
        if len(found) == 1:
            return found[0]
        if not found:
            wrong = message(
                "No time zone found for “{name}”. Type a larger city with the same time, like Chicago or Berlin.",
                name=typed,
            )
        elif len(found) > MOST_ZONES:
            wrong = message("“{name}” has many time zones. Type a city in yours.", name=typed)
        else:
            wrong = message("“{name}” has several time zones. Type one of them: {zones}.", name=typed, zones=found)
        raise ValidationError(str(wrong))


class StoreForm(forms.Form):
    """What a store is called, where its clock stands, and how it writes."""

    name = forms.CharField(
        label=_("Name of the store"),
        max_length=NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    place = forms.CharField(
        label=_("Town"),
        max_length=longest(Store, "place"),
        required=False,
        help_text=_("Where people find you, like Leeds or Portland, Oregon."),
        widget=forms.TextInput(attrs={"autocomplete": "address-level2"}),
    )
    time_zone = TimeZoneField(
        label=_("Time zone"),
        max_length=longest(Store, "time_zone"),
        help_text=_("Or a city with the same time, like Chicago. All times of your events are shown in it."),
    )
    locale = forms.ChoiceField(
        label=_("Country and language"),
        choices=locales.choices,
        help_text=_("How days and times are written, and the paper that is printed on."),
    )


class StoreSettingsForm(StoreForm):
    """What an owner may change of the store."""

    names_shown = forms.ChoiceField(
        label=_("Names of players on public pages"),
        help_text=_(
            "Pages that need no sign-in. The desk, paper and a player’s own card always show the full name. Names "
            "that would look the same show more letters."
        ),
        choices=(
            (NamesShown.FULL, _("In full: Vor Kestrel")),
            (NamesShown.INITIAL, _("First name and initial: Vor K.")),
        ),
        widget=forms.RadioSelect,
    )

    @staticmethod
    def facts_of(store: Store) -> dict[str, object]:
        """The store as this form shows it."""
        return {name: getattr(store, name) for name in StoreSettingsForm.base_fields}


class PasswordForm(forms.Form):
    """A password that is not easily guessed, typed twice. `person` says for whom."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("At least 8 characters. Try three or four random words."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    confirm = forms.CharField(
        label=_("Password, once more"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def person(self) -> User:
        """Whose names are no password. To be overridden."""
        return User()

    def clean(self) -> dict[str, object]:
        password, confirm = (self.cleaned_data.get(name) for name in ("password", "confirm"))
        if password and confirm and password != confirm:
            self.add_error("confirm", _("The two passwords differ. Type the same one twice."))
        if password:
            self._refuse_weak(password)
        return self.cleaned_data

    def _refuse_weak(self, password: str) -> None:
        try:
            validate_password(password, self.person())
        except ValidationError as error:
            self.add_error("password", error)


class NewPasswordForm(PasswordForm):
    """The password that somebody chooses with a link."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def person(self) -> User:
        """Whose link it is."""
        return self.user


class AccountForm(PasswordForm):
    """A sign-in name that is free and a password that is not easily guessed."""

    username = forms.CharField(
        label=_("Sign-in name"),
        max_length=150,
        validators=[User.username_validator],
        help_text=_("What you type to sign in. Players never see it."),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )
    field_order: tuple[str, ...] = ("username", "password", "confirm")

    def __init__(self, *args: Any, store: Store | None = None, **kwargs: Any) -> None:
        """`store`: the one whose invitation this is, if there is one already."""
        super().__init__(*args, **kwargs)
        self.store = store

    def clean_username(self) -> str:
        """The normalized sign-in name. Raises ValidationError for one that is taken."""
        username: str = User.normalize_username(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=username).exists():
            raise name_taken(username)
        return username

    def person(self) -> User:
        """Who is about to have this account."""
        user = User(username=self.cleaned_data.get("username", ""))
        user.store_names = [self.store.name if self.store else self.cleaned_data.get("name", "")]
        return user


TAKEN = "taken"


def name_taken(username: str) -> ValidationError:
    """That somebody has this sign-in name; by its code, pages that strangers see count how often they hear it."""
    return ValidationError(str(message("The sign-in name “{name}” is taken. Choose another.", name=username)), TAKEN)


class SetUpForm(AccountForm, StoreForm):
    """The first owner and the first store, on one page."""

    field_order: tuple[str, ...] = ("username", "password", "confirm", "name", "place", "time_zone", "locale")


class SignInForm(AuthenticationForm):
    """Name and password; the same sentence whichever of them is wrong."""

    error_messages = AuthenticationForm.error_messages | {
        "invalid_login": _("Name and password don’t match. Passwords are case-sensitive.")
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Sign-in name")


class InviteForm(forms.Form):
    """Who is invited to what."""

    ROLES = (
        (Role.JUDGE, _("Judge: checks in players, enters results, rolls dice")),
        (Role.ORGANIZER, _("Organizer: runs events and campaigns")),
        (Role.OWNER, _("Owner: everything, including staff and settings")),
    )

    role = forms.ChoiceField(label=_("Role"), choices=ROLES, initial=Role.JUDGE, widget=forms.RadioSelect)
    note = forms.CharField(
        label=_("For whom"),
        max_length=NOTE_LENGTH,
        required=False,
        help_text=_("Only you and the other owners see this."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
