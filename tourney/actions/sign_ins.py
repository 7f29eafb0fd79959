"""The list of sign-ins that owners of a store read."""

from datetime import datetime, timedelta

from django.db import connection, transaction

from tourney.domain.devices import device_of
from tourney.models import Membership, SignInAttempt, SignInOutcome, Store
from tourney.runtime.client_address import network_of

KEPT = timedelta(days=90)
MOST_OF_A_STORE = 500
"""Rows of those who signed in, and as many of those who did not: a flood of wrong passwords hides nobody."""
PAUSE = timedelta(minutes=10)
"""In which those who are not tried any more, of one name and network, are one row."""


@transaction.atomic
def log_sign_in(name: str, outcome: str, address: str, user_agent: str, now: datetime) -> None:
    """Keep it at each store where somebody of that name, in capitals or not, has a role; else nothing is kept."""
    if "\0" in name:
        return
    with connection.cursor() as cursor:
        # Nobody waits for the disk, so that it takes no longer for a name that there is.
        cursor.execute("SET LOCAL synchronous_commit TO OFF")
    network = network_of(address)
    members = Membership.objects.filter(user__username__iexact=name).values_list("store", "user")
    rows = [
        SignInAttempt(
            store_id=store, user_id=user, at=now, outcome=outcome, network=network, device=device_of(user_agent)
        )
        for store, user in members
    ]
    if rows and outcome == SignInOutcome.NOT_TRIED and _is_known(rows[0], now):
        return
    SignInAttempt.objects.bulk_create(rows)


def _is_known(row: SignInAttempt, now: datetime) -> bool:
    alike = SignInAttempt.objects.filter(store=row.store_id, user=row.user_id, outcome=row.outcome, network=row.network)
    return alike.filter(at__gt=now - PAUSE).exists()


def forget_old(now: datetime) -> None:
    """Delete those of more than 90 days ago, and of each store all but the newest."""
    SignInAttempt.objects.filter(at__lte=now - KEPT).delete()
    for store in Store.objects.real().values_list("pk", flat=True):
        rows = SignInAttempt.objects.filter(store=store).order_by("-at", "-pk")
        for of_a_kind in (rows.filter(outcome=SignInOutcome.SIGNED_IN), rows.exclude(outcome=SignInOutcome.SIGNED_IN)):
            too_many = list(of_a_kind.values_list("pk", flat=True)[MOST_OF_A_STORE:])
            SignInAttempt.objects.filter(pk__in=too_many).delete()
