"""What is to be printed, and how."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import choice_field, id_in
from tourney.models import Entrant, Player, PlayerCard, Round
from tourney.printing.domain.documents import DOCUMENTS, SIZES, SLIPS_PER_PAGE, USUAL_SLIPS
from tourney.printing.queries.documents import printable_of
from tourney.queries.state import EventState
from tourney.runtime import locales
from tourney.runtime.messages import Message, message, nmessage

MOST_COPIES = 60


class SizeForm(forms.Form):
    """The paper in the printer; what the store's country uses, if nobody says."""

    size = forms.ChoiceField(label=_("Paper"), choices=list(SIZES.items()), required=False)

    def __init__(self, data: Mapping[str, Any] | None, *, locale: str) -> None:
        super().__init__(data)
        self.usual = locales.paper_at(locale)

    @property
    def paper(self) -> str:
        """A key of SIZES."""
        return (self.is_valid() and self.cleaned_data["size"]) or self.usual


class PaperForm(SizeForm):
    """Documents of an event. Without a round it is the one everybody sees, without `after` the latest standings."""

    doc = forms.MultipleChoiceField()
    round = forms.TypedChoiceField(coerce=int, required=False, empty_value=None)
    after = forms.TypedChoiceField(coerce=int, required=False, empty_value=None)
    per_page = forms.TypedChoiceField(
        choices=[(n, n) for n in SLIPS_PER_PAGE],
        coerce=int,
        required=False,
        empty_value=USUAL_SLIPS,  # type: ignore[arg-type]  # of whatever type the others are; the stubs say text
    )
    copies = forms.IntegerField(min_value=1, max_value=MOST_COPIES, required=False)

    def __init__(self, data: Mapping[str, Any] | None, *, state: EventState) -> None:
        super().__init__(data, locale=state.event.store.locale)
        there = printable_of(state)
        choice_field(self, "doc").choices = [(kind, kind) for kind in DOCUMENTS if kind in there]
        choice_field(self, "round").choices = rounds_to_print(state)
        choice_field(self, "after").choices = standings_to_print(state)

    @property
    def reasons(self) -> list[Message]:
        """Why that cannot be printed, in sentences."""
        said = {
            "doc": message("There’s nothing to print for this document yet."),
            "round": message("This round doesn’t exist. If it was a draft, it may have been discarded."),
            "after": message("There are no standings after that round."),
            "per_page": message(
                "Choose how many slips go on a sheet: {numbers}.", numbers=", ".join(map(str, SLIPS_PER_PAGE))
            ),
            "copies": nmessage("Choose 1 to {count} copy.", "Choose 1 to {count} copies.", MOST_COPIES),
            "size": message("Choose a paper size: {sizes}.", sizes=", ".join(SIZES.values())),
        }
        return [said[field] for field in self.errors]


def rounds_to_print(state: EventState) -> list[tuple[int, Message]]:
    """The latest first. A draft is there for who looks at it before it is published, but not as the first."""
    drafts = {round.number for round in state.rounds if round.state == Round.State.DRAFT}
    public = [(round.number, message("Round {number}", number=round.number)) for round in reversed(state.public_rounds)]
    return [*public, *((number, message("Round {number} (draft)", number=number)) for number in drafts)]


def standings_to_print(state: EventState) -> list[tuple[int, Message]]:
    """The latest first."""
    return [
        (round.number, message("After round {number}", number=round.number))
        for round in reversed(state.complete_rounds)
    ]


class CardsForm(SizeForm):
    """Whose cards are printed; those without one are ticked at first.

    `replacing` are the pks of the cards that the person was told will stop working; `leave` leaves their owners out.
    """

    player = forms.TypedMultipleChoiceField(
        coerce=int, error_messages={"required": _("Tick the players whose cards you want to print.")}
    )
    leave = forms.BooleanField(required=False)

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        people: Sequence[Entrant],
        cards: Mapping[int, PlayerCard],
        locale: str,
    ) -> None:
        super().__init__(data, locale=locale)
        self.people, self.cards = people, cards
        choice_field(self, "player").choices = [(entrant.player_id, entrant.player.name) for entrant in people]

    def clean(self) -> dict[str, object]:
        super().clean()
        facts = self.cleaned_data
        if facts.get("player") and not self.chosen:
            self.add_error("player", _("All these players have a card already, so there’s none left to print."))
        return facts

    @property
    def posted(self) -> MultiValueDict[str, str]:
        """What the page sent; nothing while it is shown for the first time."""
        return self.data if isinstance(self.data, MultiValueDict) else MultiValueDict()

    @property
    def lines(self) -> list[tuple[Entrant, PlayerCard | None, bool]]:
        """Everybody, with the card in use and whether the box is ticked."""
        ticked = set(self.posted.getlist("player")) if self.is_bound else None
        cards = [(entrant, self.cards.get(entrant.player_id)) for entrant in self.people]
        return [
            (entrant, card, card is None if ticked is None else str(entrant.player_id) in ticked)
            for entrant, card in cards
        ]

    @property
    def chosen(self) -> list[Player]:
        """The players whose cards are to be printed."""
        wanted = set(self.cleaned_data["player"])
        if self.cleaned_data["leave"]:
            wanted -= self.cards.keys()
        return [entrant.player for entrant in self.people if entrant.player_id in wanted]

    @property
    def replacing(self) -> frozenset[int]:
        """The ids of players whose card in use may end, as the desk confirmed."""
        return frozenset(map(id_in, self.posted.getlist("replace")))

    @property
    def in_use(self) -> list[tuple[Player, PlayerCard]]:
        """The chosen ones who have a card."""
        return [(player, self.cards[player.pk]) for player in self.chosen if player.pk in self.cards]
