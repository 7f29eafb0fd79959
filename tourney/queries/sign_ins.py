"""The sign-ins of a store, as its owners read them."""

from django.db.models import QuerySet

from tourney.models import SignInAttempt, SignInOutcome, Store


def sign_ins_of(store: Store, *, failed: bool = False) -> QuerySet[SignInAttempt]:
    """Newest first; with `failed` only those that led to no sign-in."""
    rows = SignInAttempt.objects.filter(store=store).select_related("user").order_by("-at", "-pk")
    return rows.exclude(outcome=SignInOutcome.SIGNED_IN) if failed else rows
