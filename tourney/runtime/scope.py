"""What is told to Django in the ASGI scope of a request, before any middleware."""

EVENT_VERSION = "flagship.event"
"""Id and version of the event that the address names, as the database has them (`serving.unchanged`)."""
TOO_MANY_WAIT = "flagship.too_many_wait"
"""Set for a form with a password that was one too many (`serving.handler`)."""
UNREAD = "flagship.unread"
"""Why the body could not be read, as an exception (`serving.handler`)."""
