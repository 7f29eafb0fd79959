"""The forms of a page as a browser reads them: where each one goes, and which fields it would send."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin

CHOSEN = {"checkbox", "radio"}


@dataclass
class Form:
    """`fields` are the names and values that a press of the first button would send; `files` the names of file fields.

    `buttons` are what one of its buttons sends besides, one pair for each; none where no button has a name.
    """

    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)


class Reader(HTMLParser):
    """Gathers the forms of a page, with fields that belong to a form by its id (`form="…"`)."""

    def __init__(self, address: str):
        super().__init__()
        self.address = address
        self.forms: list[Form] = []
        self.by_id: dict[str, Form] = {}
        self.elsewhere: list[tuple[str, str, dict]] = []
        self.open: Form | None = None
        self.select: tuple[Form | None, str, list[tuple[str, bool]]] | None = None
        self.area: tuple[Form | None, str, list[str]] | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        facts = {name: value or "" for name, value in attributes}
        if tag == "form":
            action = urldefrag(urljoin(self.address, facts.get("action", ""))).url
            self.open = Form(action, facts.get("method", "get").lower())
            self.forms.append(self.open)
            if "id" in facts:
                self.by_id[facts["id"]] = self.open
            return
        form = self.by_id.get(facts["form"]) if "form" in facts else self.open
        if tag == "option" and self.select:
            self.select[2].append((facts.get("value", ""), "selected" in facts))
        name = facts.get("name", "")
        if form is None or not name or "disabled" in facts:
            if "form" in facts and name:
                self.elsewhere.append((facts["form"], tag, facts))
            return
        if tag == "select":
            self.select = form, name, []
        elif tag == "textarea":
            self.area = form, name, []
        elif tag in {"input", "button"}:
            take(form, tag, facts)

    def handle_data(self, data: str) -> None:
        if self.area:
            self.area[2].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None
        elif tag == "select" and self.select:
            form, name, options = self.select
            values = [value for value, _ in options]
            chosen = next((value for value, is_chosen in options if is_chosen), values[0] if values else "")
            form.fields.append((name, chosen))
            form.choices[name] = values
            self.select = None
        elif tag == "textarea" and self.area:
            form, name, words = self.area
            form.fields.append((name, "".join(words).removeprefix("\n")))
            self.area = None

    def close(self) -> None:
        super().close()
        for form, tag, facts in self.elsewhere:
            if form in self.by_id and tag in {"input", "button"}:
                take(self.by_id[form], tag, facts)


def take(form: Form, tag: str, facts: dict[str, str]) -> None:
    """One input or button of the form."""
    name, value, kind = facts["name"], facts.get("value", ""), facts.get("type", "")
    if tag == "button" or kind == "submit":
        form.buttons.append((name, value))
    elif kind == "file":
        form.files.append(name)
    elif kind in CHOSEN:
        form.choices.setdefault(name, []).append(value or "on")
        if "checked" in facts:
            form.fields.append((name, value or "on"))
    elif kind not in {"button", "reset", "image"}:
        form.fields.append((name, value))


def forms_of(page: str, address: str) -> list[Form]:
    """The forms of a page that was found at that address, actions as whole addresses."""
    reader = Reader(address)
    reader.feed(page)
    reader.close()
    return reader.forms
