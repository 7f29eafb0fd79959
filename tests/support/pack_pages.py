"""The pages of a store's own packs, with its organizer signed in: a draft in the editor is sent, and read."""

from html import unescape

from django.test import Client
from django.urls import reverse

from tests.support.nights import make_store
from tourney.models import PackDraft, Store, User


def store_signed_in(client: Client) -> tuple[Store, dict[str, User]]:
    """A store and its people, of whom the organizer is signed in."""
    store, users = make_store()
    client.force_login(users["organizer"])
    return store, users


def url(draft: PackDraft) -> str:
    return reverse("pack_draft", args=[draft.store.slug, draft.pk])


def send(client, draft: PackDraft, do: str = "check", page: str = "one", seen: int | None = None, **change):
    """Post the page as it stands in the draft, with these fields changed; None leaves one out."""
    typed = draft.typed | {name.replace("__", "-"): value for name, value in change.items()}
    fields = {name: value for name, value in typed.items() if value is not None}
    seen = draft.edits if seen is None else seen
    return client.post(url(draft), fields | {"do": do, "page": page, "seen": seen})


def text_of(answer) -> str:
    return unescape(answer.content.decode())
