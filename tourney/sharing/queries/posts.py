"""What a store posts about an event, with the names that everybody may read: a post is for strangers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fleets.domain.cards import FACTIONS
from scoring.domain.factions import victorious
from tourney.models import Round
from tourney.queries import public
from tourney.queries.matches import RoundState
from tourney.queries.state import EventState
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, message, minus
from tourney.sharing.domain.posts import in_columns, parts_of, unmarked

CODES = {name: code for code, name in FACTIONS.items()}
FINAL, POINTS = message("Final standings"), message("Numbers: Battle Points · Fleet Points")


@dataclass(frozen=True, slots=True)
class Post:
    """A text in the reader's language, in parts of one message each. `kind` is standings or pairings."""

    kind: str
    title: Message
    parts: tuple[str, ...]


def posts_of(state: EventState, links: Mapping[str, str]) -> list[Post]:
    """What there is to post of a state with public names; `links` are addresses to end with, by kind."""
    after, posts = len(state.complete_rounds), []
    if after:
        posts.append(standings_post(state, after, links))
    round = state.public_rounds[-1] if state.public_rounds else None
    if round and round.state == Round.State.PUBLISHED:
        posts.insert(0, pairings_post(state, round, links))
    return posts


def standings_post(state: EventState, after: int, links: Mapping[str, str]) -> Post:
    """The ranks after so many complete rounds; the final ones of an event that is finished."""
    title = FINAL if state.is_finished else message("Standings after round {after}", after=after)
    return _post(state, "standings", title, [*_victor(state, after), POINTS], _ranks(state, after), links)


def pairings_post(state: EventState, round: RoundState, links: Mapping[str, str]) -> Post:
    """Who plays whom at which table."""
    title = message("Pairings of round {number}", number=round.number)
    tables = in_columns(
        [
            (str(match.table or "–"), match.a.player.name, match.b.player.name if match.b else str(message("Bye")))
            for match in round.matches
        ],
        right=(0,),
    )
    return _post(state, "pairings", title, [], tables, links)


def _post(
    state: EventState, kind: str, title: Message, said: Sequence[Message], rows: Sequence[str], links: Mapping[str, str]
) -> Post:
    event = state.event
    name = f"**{unmarked(event.name)}**"
    day = written(event.starts_at, "day")
    head = "\n".join([f"{name} · {unmarked(event.store.name)}", f"{day} · {title}", *map(str, said)])
    return Post(kind, title, parts_of(head, rows, again=name, foot=links.get(kind, "")))


def _victor(state: EventState, after: int) -> list[Message]:
    first = victorious(state.faction_lines(after)) if state.is_finished else None
    return [message("Victorious faction: {faction}", faction=unmarked(first.faction))] if first else []


def _ranks(state: EventState, after: int) -> list[str]:
    """Numbers first: a phone cuts or wraps what is long, which is the names."""
    rows = []
    for line in public.rank_lines(state, after):
        standing, faction = line.standing, line.entrant.faction
        dropped = message("dropped") if line.left_after is not None else ""
        note = standing.title if state.is_finished and standing.title else dropped
        rows.append(
            (
                f"{'=' if standing.shared else ''}{standing.rank}",
                str(minus(standing.battle_points)),
                str(minus(standing.fleet_points)),
                CODES.get(faction, faction),
                f"{line.entrant.player.name} · {note}" if note else line.entrant.player.name,
            )
        )
    return in_columns(rows, right=(0, 1, 2))
