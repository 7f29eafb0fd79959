"""Long bodies are compressed by a faster library, and everything else about them is as Django does it."""

import gzip
from random import Random

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.middleware.gzip import GZipMiddleware
from django.test import RequestFactory

from tourney.serving.middleware import LONG, Compress

LIST = "".join(f'<li class="row"><b>Vor {n}</b> against Kestrel {n * 7 % 500}</li>\n' for n in range(500)).encode()
NOISE = Random(1).randbytes(2 * LONG)


def answered(middleware, response, accept: str = "gzip, br"):
    request = RequestFactory().get("/", headers={"Accept-Encoding": accept} if accept else {})
    return middleware(lambda _: response)(request)


@pytest.mark.many(each=["body"])
@pytest.mark.parametrize("body", [LIST, LIST[:LONG], LIST[: LONG - 1], LIST[:100], b"", NOISE], ids=len)
@pytest.mark.parametrize("accept", ["gzip", "br;q=1.0, gzip;q=0.8", "br", ""])
@pytest.mark.parametrize(
    "headers", [{}, {"ETag": '"7"'}, {"ETag": 'W/"7"'}, {"Vary": "Cookie"}, {"Content-Encoding": "br"}], ids=repr
)
def test_what_is_sent_says_the_same_as_with_django(body: bytes, accept: str, headers: dict):
    ours, djangos = (answered(kind, HttpResponse(body, headers=headers), accept) for kind in (Compress, GZipMiddleware))

    def told(response: HttpResponse) -> dict:
        return {name: value for name, value in response.items() if name != "Content-Length"}

    is_ours = ours.get("Content-Encoding") == "gzip"
    assert told(ours) == told(djangos)
    assert (gzip.decompress(ours.content) if is_ours else ours.content) == body
    assert ours.get("Content-Length") == (str(len(ours.content)) if is_ours else None)


def test_a_long_list_is_as_short_as_with_django_or_nearly():
    ours, djangos = (answered(kind, HttpResponse(LIST)) for kind in (Compress, GZipMiddleware))

    assert len(ours.content) < 1.2 * len(djangos.content) < 0.3 * len(LIST)


def test_the_length_of_the_same_answer_is_another_each_time():
    assert len({len(answered(Compress, HttpResponse(LIST)).content) for _ in range(50)}) > 10


def test_what_comes_bit_by_bit_is_left_to_django():
    response = answered(Compress, StreamingHttpResponse([LIST, LIST]))

    assert gzip.decompress(b"".join(response)) == LIST + LIST
