"""What is said where no view answers: a form that cannot be read, and a failure of ours."""

import sys

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse

from tourney.runtime import request_log
from tourney.runtime.messages import Message, message
from tourney.runtime.plain_pages import READING, as_json, failure_page, page
from tourney.views import unavailable

SAID: dict[type[Exception], tuple[int, Message, Message]] = {
    RequestDataTooBig: (413, message("This is too large"), message("Not saved. Send less text at a time.")),
    TooManyFieldsSent: (
        413,
        message("This is too large"),
        message("Not saved. The form has too many fields; send it in parts."),
    ),
    TooManyFilesSent: (413, message("This is too large"), message("Not saved. Send one file at a time.")),
}
UNREADABLE = (400, message("This can’t be read"), message("Not saved. Reload the page and send it again."))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page of a request that cannot be read, or its JSON."""
    status, title, sentence = SAID.get(type(exception), UNREADABLE)
    if told := as_json(_headers(request), f"{title} {sentence}"):
        return HttpResponse(told, status=status, content_type="application/json")
    return HttpResponse(page(str(title), (str(sentence),)), status=status)


def server_error(request: HttpRequest) -> HttpResponse:
    """500, with a number that is in the log beside the cause. Asks nothing of the database.

    Called while the error is handled: one that is not ours, a database or a disk, has a page of its own.
    """
    if answer := unavailable.page_for(request, sys.exception()):
        return answer
    number = request_log.number_of_failure()
    told = as_json(_headers(request), str(message("Something went wrong")), number)
    response = HttpResponse(told or failure_page(is_read=request.method in READING), status=500)
    if told:
        response["Content-Type"] = "application/json"
    response["X-Failure"] = number
    response["Cache-Control"] = "no-store"
    return response


def _headers(request: HttpRequest) -> dict[str, str]:
    return {name.lower(): value for name, value in request.headers.items()}
