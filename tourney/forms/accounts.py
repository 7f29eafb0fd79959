"""Forms of a staff member's own account, and of who can’t sign in."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import longest
from tourney.models import User

PASSKEY_NAME = 60


class AddressForm(forms.Form):
    """An e-mail address for links for a new password; none where it is left empty."""

    email = forms.EmailField(
        label=_("E-mail"),
        max_length=longest(User, "email"),
        required=False,
        help_text=_("For links for a new password, and for nothing else."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class ForgotForm(forms.Form):
    """Where the link is to be sent."""

    email = forms.EmailField(
        label=_("E-mail"), max_length=longest(User, "email"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class ConfirmForm(forms.Form):
    """The password again, of who is signed in."""

    password = forms.CharField(
        label=_("Password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )


class CodeForm(forms.Form):
    """A code of an authenticator app."""

    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        help_text=_("Six digits from your authenticator app."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )


class SecondStepForm(CodeForm):
    """A code of the app, or a recovery code."""

    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        help_text=_("Six digits from your authenticator app, or one of your recovery codes."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}),
    )


class PasskeyForm(forms.Form):
    """A passkey as the browser made it, and what its owner calls it."""

    name = forms.CharField(
        label=_("Name"),
        max_length=PASSKEY_NAME,
        help_text=_("To tell your passkeys apart."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    credential = forms.CharField(required=False, widget=forms.HiddenInput)
