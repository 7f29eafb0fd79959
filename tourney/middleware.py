"""What concerns every request."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django_htmx.http import HttpResponseClientRedirect


def tell_the_outbox_where(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """A form that the outbox of a device sends learns where it would lead, and does not go there itself.

    So the page it leads to is asked for once, and what it says is said once.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if "X-Outbox" not in request.headers or response.status_code not in (301, 302):
            return response
        told = HttpResponse(status=204, headers={"X-Location": response["Location"]})
        told.cookies = response.cookies
        return told

    return answer


def sign_in_as_a_whole_page(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """When a session has ended, the whole page goes to the sign-in, not the part of it that refreshes itself."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        to_sign_in = response.status_code == 302 and response["Location"].startswith(resolve_url(settings.LOGIN_URL))
        return HttpResponseClientRedirect(response["Location"]) if request.htmx and to_sign_in else response

    return answer
