"""What concerns every request."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django_htmx.http import HttpResponseClientRedirect


def sign_in_as_a_whole_page(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """When a session has ended, the whole page goes to the sign-in, not the part of it that refreshes itself."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        to_sign_in = response.status_code == 302 and response["Location"].startswith(resolve_url(settings.LOGIN_URL))
        return HttpResponseClientRedirect(response["Location"]) if request.htmx and to_sign_in else response

    return answer
