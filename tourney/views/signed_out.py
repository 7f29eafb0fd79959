"""A form that was sent without a sign-in: what was typed is kept in the page of the sign-in, and sent on request.

Nothing of it is stored: it stands in the page, and a form of this site brings it. So nobody else can have it sent.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

from tourney import access
from tourney.forms.accounts import SecondStepForm
from tourney.forms.store import SignInForm
from tourney.views import door, responses

LONGEST = 200_000
"""Characters of a form that is kept: those that people type are shorter."""
NOT_TYPED = {"csrfmiddlewaretoken", "as_of", "back", "do", "query"}
"""Fields that a page brings by itself, and which of its buttons was pressed: who wants that presses it again."""


@dataclass(frozen=True, slots=True)
class KeptForm:
    """What was sent, urlencoded, and the address that it was sent to."""

    to: str
    body: str

    def fields(self) -> Iterator[tuple[str, str]]:
        """Each name with its value, in their order; without the token, which is another one by now."""
        for name, values in QueryDict(self.body).lists():
            if name != "csrfmiddlewaretoken":
                yield from ((name, value) for value in values)

    def typed(self) -> list[tuple[str, str]]:
        """What a person can read of it."""
        return responses.typed_texts(QueryDict(self.body))


def sign_in_first(request: HttpRequest) -> HttpResponse | None:
    """422: the sign-in, with what this form brought kept in it; None where it brought nothing that can be kept."""
    posted = request.POST
    is_secret = any("password" in name for name in posted)
    if not posted.keys() - NOT_TYPED or is_secret or request.FILES or len(body := posted.urlencode()) > LONGEST:
        return None
    form = KeptForm(request.get_full_path(), body)
    here = door.has_passkeys_here(request)
    context = {"form": SignInForm(request), "next": page_before(request), "kept": form, "passkeys_here": here}
    response = render(request, "store/sign_in.html", context, status=422)
    if access.htmx_of(request):
        response["HX-Retarget"], response["HX-Reswap"] = "body", "innerHTML"
    return response


def page_before(request: HttpRequest) -> str:
    """The address of the page of this site that the form was sent from; empty where the browser does not say."""
    said = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(said, {request.get_host()}):
        return ""
    url = urlsplit(said)
    return f"{url.path}{url.query and '?'}{url.query}" if url.netloc else ""


def kept_in(request: HttpRequest) -> KeptForm | None:
    """The form that this sign-in brings along, if it is one of this site."""
    to, body = request.POST.get("kept_to", ""), request.POST.get("kept", "")
    is_ours = to.startswith("/") and url_has_allowed_host_and_scheme(to, None)
    return KeptForm(to, body) if is_ours and body else None


def go_on(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer to a sign-in that brought something along: it is offered once somebody is signed in, not lost before.

    `response` leads on: to a page, or to the second step of the sign-in.
    """
    kept = kept_in(request)
    if kept is None:
        return response
    if request.user.is_authenticated:
        return not_sent_yet(request, kept, response["Location"])
    return render(request, "store/second_step.html", {"form": SecondStepForm(), "kept": kept})


def not_sent_yet(request: HttpRequest, kept: KeptForm, back: str) -> HttpResponse:
    """What is kept, once somebody is signed in: it is sent when they say so."""
    context = responses.own_store_context(request, kept.to)
    return render(request, "store/not_sent_yet.html", context | {"kept": kept, "back": back})
