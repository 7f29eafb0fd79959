"""The log of what a webhook was sent, as its owners read it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tourney.models import Delivery, Store, Webhook
from tourney.runtime.messages import Message, message
from tourney.runtime.outgoing import REDIRECTS, Trouble
from tourney.sharing.domain.webhooks import Ended, News


@dataclass(frozen=True, slots=True)
class LogLine:
    """A delivery as owners read it. `mark` is the badge's look; `answer` is what came back, as it came."""

    what: str
    event: str
    at: datetime
    mark: str
    state: Message
    said: Message | None
    answer: str
    next_at: datetime | None
    is_first_try: bool


TITLES: Mapping[str, Message] = {
    News.TABLES: message("Tables published"),
    News.CLOSED: message("Round closed"),
    News.RANKS: message("Final ranks"),
    News.DATE: message("Next date"),
    News.ANNOUNCED: message("Announcement"),
    News.TEST: message("Test"),
}
SAID: Mapping[str, Message] = {
    Trouble.NO_NAME: message("No server was found under this address."),
    Trouble.NOT_PUBLIC: message("Nothing was sent. The address leads into a private network."),
    Trouble.NO_CONNECTION: message("The server can’t be reached."),
    Trouble.CERTIFICATE: message("Nothing was sent. The server’s certificate isn’t valid."),
    Trouble.TOO_SLOW: message("The server didn’t answer in time."),
    Trouble.CLOSED: message("The server closed the connection without an answer."),
    Ended.OUTDATED: message("Nothing was sent. It was no longer true by then."),
    Ended.TURNED_OFF: message("Nothing was sent. The webhook was turned off."),
    Ended.FAILED: message("The message couldn’t be made. The server’s log says why."),
}


def webhook_of(store: Store) -> Webhook | None:
    """The store's webhook, on or off."""
    return Webhook.objects.filter(store=store).first()


def log_of(webhook: Webhook) -> list[LogLine]:
    """What was sent and what waits, newest first."""
    rows = webhook.deliveries.select_related("entry__event")
    return [_line(row) for row in rows]


def _line(row: Delivery) -> LogLine:
    mark, state = _state(row)
    number = int(((row.entry.after if row.entry else None) or {}).get("round") or 0)
    title = {
        News.TABLES: message("Round {round} published", round=number),
        News.CLOSED: message("Round {round} closed", round=number),
    }.get(News(row.kind), TITLES[row.kind])
    return LogLine(
        what=str(title),
        event=row.entry.event.name if row.entry and row.entry.event else "",
        at=row.tried_at or row.made_at,
        mark=mark,
        state=state,
        said=_said(row),
        answer=row.answer,
        next_at=row.next_at if row.attempts else None,
        is_first_try=row.attempts == 0 and row.next_at is not None,
    )


def _state(row: Delivery) -> tuple[str, Message]:
    if row.outcome == Ended.DELIVERED:
        return "present", message("Delivered")
    if row.outcome in (Ended.OUTDATED, Ended.TURNED_OFF):
        return "waiting", message("Not sent")
    if row.next_at is None:
        return "disputed", message("Given up")
    return ("disputed", message("Failed")) if row.attempts else ("waiting", message("Waiting"))


def _said(row: Delivery) -> Message | None:
    if row.status is None:
        return SAID.get(row.outcome)
    if row.status in REDIRECTS:
        return message("Answer {status}: a redirect, which isn’t followed.", status=row.status)
    return message("Answer {status}", status=row.status)


def is_under_way(log: Sequence[LogLine]) -> bool:
    """Whether something is sent just now, so that the log has more to say in a moment."""
    return any(line.is_first_try for line in log)
