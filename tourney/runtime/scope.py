"""What an ASGI application is given, and what the scope of a request tells Django before any middleware."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from django.http import HttpRequest, HttpResponse

type Scope = MutableMapping[str, Any]
"""What is known of a request, by the names of the ASGI specification."""
type ScopeMessage = Mapping[str, Any]
"""A part of a request or of an answer, likewise."""
type Receive = Callable[[], Awaitable[ScopeMessage]]
type Send = Callable[[ScopeMessage], Awaitable[None]]
type Application = Callable[[Scope, Receive, Send], Awaitable[None]]

type Answers = Callable[[HttpRequest], HttpResponse]
"""What middleware of Django is given and gives back."""

EVENT_VERSION = "flagship.event"
"""Id and version of the event that the address names, as the database has them (`serving.unchanged`)."""
TOO_MANY_WAIT = "flagship.too_many_wait"
"""Set for a form with a password that was one too many (`serving.handler`)."""
UNREAD = "flagship.unread"
"""Why the body could not be read, as an exception (`serving.handler`)."""
