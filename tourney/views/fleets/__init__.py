"""A stub for links."""

from django.http import HttpRequest, HttpResponse


def my_fleets(request: HttpRequest, slug: str) -> HttpResponse:
    return HttpResponse(status=404)


def fleet(request: HttpRequest, slug: str, fleet: int) -> HttpResponse:
    return HttpResponse(status=404)
