"""E-mails to staff, sent by `manage.py worker`: no page waits for a mail server, and none tells who has an account."""

import logging
from collections.abc import Iterable
from datetime import timedelta
from smtplib import SMTPException

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.conf import settings
from django.core.mail import send_mail
from django.tasks import task
from django.urls import reverse
from django.utils import timezone, translation

from tourney.actions.accounts import password_key
from tourney.models import User
from tourney.queries.accounts import address_of
from tourney.runtime.messages import Message, message

WAITS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))
"""After which it is tried again where the mail server did not take it."""
LINK_DAYS = settings.PASSWORD_RESET_TIMEOUT // 86_400

logger = logging.getLogger(__name__)


@task
def mail_password_link(user: int, site: str, language: str, tries: int = 0) -> None:
    """A link for a new password, to the confirmed address of this user. Its key is made now: none waits in a table."""
    found = User.objects.filter(pk=user, is_active=True).first()
    address = address_of(found) if found else None
    if not found or not address or not address.verified:
        return
    with translation.override(language):
        link = site + reverse("new_password", args=[password_key(found)])
        lines = (
            message("Choose a new password for {name} here:", name=found.username),
            link,
            message("The link works once, for {days} days.", days=LINK_DAYS),
            message("If you didn’t ask for it, do nothing. Your password stays as it is."),
        )
        is_sent = _send(address.email, message("A new password for Flagship"), lines)
    if not is_sent:
        _again(mail_password_link, user, site, language, tries)


@task
def mail_confirmation(address: int, site: str, language: str, tries: int = 0) -> None:
    """A link that says that this address is theirs who gave it."""
    found = EmailAddress.objects.select_related("user").filter(pk=address, verified=False).first()
    if not found:
        return
    with translation.override(language):
        link = site + reverse("confirm_address", args=[EmailConfirmationHMAC.create(found).key])
        lines = (
            message(
                "{name} wants links for a new password sent to this address. Confirm it here:",
                name=found.user.username,
            ),
            link,
            message("If that isn’t you, do nothing."),
        )
        is_sent = _send(found.email, message("Confirm your e-mail address for Flagship"), lines)
    if not is_sent:
        _again(mail_confirmation, address, site, language, tries)


def _send(to: str, subject: Message, lines: Iterable[str | Message]) -> bool:
    try:
        send_mail(str(subject), "\n\n".join(map(str, lines)) + "\n", settings.DEFAULT_FROM_EMAIL, [to])
    except (OSError, SMTPException) as error:
        logger.warning("The mail server took no e-mail: %s", type(error).__name__)
        return False
    return True


def _again(mail, about: int, site: str, language: str, tries: int) -> None:  # type: ignore[no-untyped-def]
    if tries < len(WAITS):
        mail.using(run_after=timezone.now() + WAITS[tries]).enqueue(about, site, language, tries + 1)
