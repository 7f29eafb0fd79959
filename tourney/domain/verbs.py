"""The table of verbs: everything the journal can say somebody did, each with what follows from it.

Whoever adds a verb adds a member here and records it; the rest of the house asks this table. Its name is what rows of
the journal and archives hold, so a name is never changed and never used for something else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Flag, StrEnum, auto

from tourney.runtime.messages import Message, message

SEED_TOLD = "Seed: {seed}."
"""The sentence that tells the seed of dice or pairings, beside the one of what was done (rule 3.1)."""


class Moves(Flag):
    """What a verb may have changed under somebody else's hands; a form asks whether it was done meanwhile."""

    NOTHING = 0
    DRAFT = auto()
    """It makes another draft of a round."""
    SEATS = auto()
    """It puts others at a table of a round that is drawn."""
    POINTS = auto()
    """It changes the points of a round that is complete."""
    PENALTIES = auto()
    CLOCK = auto()
    ANYTHING = auto()
    """It may have taken back, or done again, anything."""


@dataclass(frozen=True, slots=True)
class VerbFacts:
    """What is known of a verb.

    `undone` says what undoing it leads to; None where it cannot be undone. `is_snapshot`: its outcome is worth
    going back to; what was before a step is what the one before led to. `moment` says how the event stood after it,
    with {round} for the round; without one the entry's own sentence does. `is_by_hand`: someone arranged the seats.
    `keeps_ranks`: it touches nothing of which the ranks of an event are made.
    """

    name: str
    undone: Message | None = None
    moves: Moves = Moves.NOTHING
    is_snapshot: bool = False
    moment: Message | None = None
    is_by_hand: bool = False
    keeps_ranks: bool = False


class Verb(StrEnum):
    """What somebody did, as the journal calls it, with its `facts`."""

    facts: VerbFacts

    def __new__(cls, facts: VerbFacts) -> "Verb":
        verb = str.__new__(cls, facts.name)
        verb._value_, verb.facts = facts.name, facts
        return verb

    # a round
    PAIR_ROUND = VerbFacts(
        "pair_round",
        message("The draft is discarded. No one else has seen it."),
        moves=Moves.DRAFT,
        is_snapshot=True,
        moment=message("Round {round} drafted, not shown yet"),
    )
    CHOOSE = VerbFacts("choose", message("The previous draft is back."), moves=Moves.DRAFT)
    SWAP = VerbFacts("swap", message("Everyone is seated where they were before."), moves=Moves.DRAFT, is_by_hand=True)
    BACK_TO_THE_ENGINE = VerbFacts(
        "back_to_the_engine",
        message("The draft with its changes by hand is back."),
        moves=Moves.DRAFT,
        is_by_hand=True,
    )
    DISCARD_DRAFT = VerbFacts("discard_draft", message("The draft is back."), moves=Moves.DRAFT)
    PUBLISH_ROUND = VerbFacts(
        "publish_round",
        message("The round is a draft again and disappears from phones and screens."),
        is_snapshot=True,
        moment=message("Round {round} published"),
    )
    MOVE_TABLE = VerbFacts(
        "move_table",
        message("The match moves back to its table, and phones and screens show it."),
        moves=Moves.SEATS,
        is_by_hand=True,
    )
    REPAIR_ROUND = VerbFacts("repair_round", message("Everyone is seated where they were before."), moves=Moves.SEATS)
    CLOSE_ROUND = VerbFacts(
        "close_round", message("The round is open again."), is_snapshot=True, moment=message("Round {round} closed")
    )
    START_CLOCK = VerbFacts("start_clock", message("The clock is as it was before."), moves=Moves.CLOCK)
    PAUSE_CLOCK = VerbFacts("pause_clock", message("The clock runs as if it had never been paused."), moves=Moves.CLOCK)
    EXTEND_CLOCK = VerbFacts("extend_clock", message("The round ends at its earlier time."), moves=Moves.CLOCK)

    # results, penalties, dice
    REPORT_RESULT = VerbFacts("report_result", message("The table is open again."))
    CORRECT_RESULT = VerbFacts("correct_result", message("The previous result counts again."), moves=Moves.POINTS)
    CORRECT_AND_REPAIR = VerbFacts(
        "correct_and_repair",
        message("The previous result counts again, and everyone is seated where they were before."),
        moves=Moves.POINTS | Moves.SEATS,
    )
    TAKE_BACK_RESULT = VerbFacts(
        "take_back_result", message("The result counts again, with what the players reported."), moves=Moves.POINTS
    )
    PENALIZE = VerbFacts(
        "penalize",
        message("The previous points count again, and the penalty is removed."),
        moves=Moves.POINTS | Moves.PENALTIES,
    )
    PENALIZE_AND_REPAIR = VerbFacts(
        "penalize_and_repair",
        message(
            "The previous points count again, the penalty is removed, and everyone is seated where they were before."
        ),
        moves=Moves.POINTS | Moves.SEATS | Moves.PENALTIES,
    )
    LIFT_PENALTY = VerbFacts("lift_penalty", message("The penalty counts again."), moves=Moves.POINTS | Moves.PENALTIES)
    LIFT_AND_REPAIR = VerbFacts(
        "lift_and_repair",
        message("The penalty counts again, and everyone is seated where they were before."),
        moves=Moves.POINTS | Moves.SEATS | Moves.PENALTIES,
    )
    THROW_DICE = VerbFacts("throw_dice", message("That roll is removed, and the tie is open again."))
    ROLL_BY_SOFTWARE = VerbFacts("roll_by_software", message("That roll is removed, and the tie is open again."))

    # who plays
    REGISTER = VerbFacts("register")
    CHECK_IN = VerbFacts("check_in")
    CHECK_OUT = VerbFacts("check_out")
    CHANGE_FACTION = VerbFacts("change_faction", message("The faction declared earlier counts again."))
    PLAY_WITHOUT = VerbFacts("play_without", message("The player is asked for a faction again."))
    REMOVE = VerbFacts("remove")
    REMOVE_MANY = VerbFacts("remove_many", message("The removed players are registered again."))
    WITHDRAW = VerbFacts("withdraw", message("The player is registered again. A fleet has to be entered again."))
    RELEASE_PLACES = VerbFacts("release_places", message("Those players have their places back."))
    MOVE_UP = VerbFacts("move_up", keeps_ranks=True)
    MARK_PAID = VerbFacts("mark_paid", keeps_ranks=True)
    DROP = VerbFacts("drop", message("The player is paired again."))
    BRING_BACK = VerbFacts("bring_back", message("The player is no longer paired."))
    ARRIVAL = VerbFacts(
        "arrival", message("Tables, byes and who is paired are as they were before."), moves=Moves.SEATS
    )
    ABSENCE = VerbFacts("absence", message("Tables, byes and points are as they were before."), moves=Moves.SEATS)
    DEPARTURE = VerbFacts(
        "departure", message("Tables, byes, points and who is paired are as they were before."), moves=Moves.SEATS
    )

    # the event
    MAKE_EVENT = VerbFacts("make_event")
    IMPORT_EVENT = VerbFacts("import_event")
    BEGIN_REHEARSAL = VerbFacts("begin_rehearsal")
    CHANGE_EVENT = VerbFacts("change_event")
    CHANGE_MONTH = VerbFacts("change_month", message("The event is played by its earlier month pack again."))
    POSTPONE_EVENT = VerbFacts("postpone_event", message("The event is back on its earlier date."))
    CANCEL_EVENT = VerbFacts("cancel_event", message("The event takes place, and registration is as it was before."))
    HOLD_EVENT = VerbFacts("hold_event", message("The event is canceled again."))
    OPEN_REGISTRATION = VerbFacts("open_registration")
    JOIN_WORD = VerbFacts("join_word")
    CHANGE_TABLES = VerbFacts("change_tables")
    ANNOUNCE = VerbFacts("announce")
    TAKE_DOWN = VerbFacts("take_down")
    SET_PRIZES = VerbFacts("set_prizes")
    TYPE_BONUSES = VerbFacts("type_bonuses")
    DISMISS_BONUSES = VerbFacts("dismiss_bonuses")
    FINISH_EVENT = VerbFacts(
        "finish_event", message("The ranks are open again."), is_snapshot=True, moment=message("Event finished")
    )
    STOP_EVENT = VerbFacts("stop_event", message("The ranks are open again, and the draft is back."), is_snapshot=True)
    REOPEN_EVENT = VerbFacts("reopen_event", message("The event is finished again."))
    UNDO = VerbFacts("undo", moves=Moves.ANYTHING)
    REDO = VerbFacts("redo", moves=Moves.ANYTHING)
    RESTORE = VerbFacts(
        "restore", message("Everything is as it was before you restored it."), moves=Moves.ANYTHING, is_snapshot=True
    )

    # what players say and sign
    REPORT = VerbFacts("report")
    WITHDRAW_REPORT = VerbFacts("withdraw_report")
    SAY_DICE = VerbFacts("say_dice")
    ASK = VerbFacts("ask")
    TAKE_BACK_WISH = VerbFacts("take_back_wish")
    DECLINE = VerbFacts("decline")
    PASS_ON = VerbFacts("pass_on")
    ASK_FOR_JUDGE = VerbFacts("ask_for_judge")
    ANSWER_CALL = VerbFacts("answer_call")
    END_CALL = VerbFacts("end_call")
    SIGN_FLEET = VerbFacts("sign_fleet")
    CALL_JUDGE = VerbFacts("call_judge")
    SETTLE_CALL = VerbFacts("settle_call")
    TAKE_BACK_SIGNATURE = VerbFacts("take_back_signature")
    MARK_DESTROYED = VerbFacts("mark_destroyed")

    # fleets
    LOCK_FLEET = VerbFacts("lock_fleet")
    UNLOCK_FLEET = VerbFacts("unlock_fleet")
    CHANGE_LOCKED_FLEET = VerbFacts("change_locked_fleet")
    TAKE_OFF_FLEET = VerbFacts("take_off_fleet")
    ALLOW_VIOLATION = VerbFacts("allow_violation")

    # the commendation token
    GRANT_TOKEN = VerbFacts("grant_token", keeps_ranks=True)
    PASS_ON_TOKEN = VerbFacts("pass_on_token", keeps_ranks=True)
    DECLINE_TOKEN = VerbFacts("decline_token", keeps_ranks=True)
    TAKE_BACK_TOKEN = VerbFacts("take_back_token", keeps_ranks=True)
    SPEND_TOKEN = VerbFacts("spend_token", keeps_ranks=True)
    UNSPEND_TOKEN = VerbFacts("unspend_token", keeps_ranks=True)
    LOSE_TOKEN = VerbFacts("lose_token", keeps_ranks=True)
    RETURN_TOKEN = VerbFacts("return_token", keeps_ranks=True)
    CORRECT_TOKEN = VerbFacts("correct_token", keeps_ranks=True)

    # the store
    MAKE_STORE = VerbFacts("make_store")
    CHANGE_STORE = VerbFacts("change_store")
    CHANGE_WEBHOOK = VerbFacts("change_webhook")
    NEW_SECRET = VerbFacts("new_secret")
    CHANGE_TEMPLATE = VerbFacts("change_template")
    GIVE_ROLE = VerbFacts("give_role")
    TAKE_ROLE = VerbFacts("take_role")
    INVITE = VerbFacts("invite")
    WITHDRAW_INVITATION = VerbFacts("withdraw_invitation")
    MAKE_PASSWORD_LINK = VerbFacts("make_password_link")
    REMOVE_AUTHENTICATOR = VerbFacts("remove_authenticator")
    MAKE_CAMPAIGN = VerbFacts("make_campaign")
    RENAME_CAMPAIGN = VerbFacts("rename_campaign")
    CHANGE_SEASON_RULES = VerbFacts("change_season_rules")
    ARCHIVE_CAMPAIGN = VerbFacts("archive_campaign")
    BRING_BACK_CAMPAIGN = VerbFacts("bring_back_campaign")
    DELETE_EVENT = VerbFacts("delete_event")
    RENAME_PLAYER = VerbFacts("rename_player")
    MERGE_PLAYERS = VerbFacts("merge_players")
    UNDO_MERGE = VerbFacts("undo_merge")
    FORGET = VerbFacts("forget")
    ISSUE_CARD = VerbFacts("issue_card")
    MAKE_WORDS = VerbFacts("make_words")
    CHANGE_NEEDS = VerbFacts("change_needs")
    IMPORT_CARDS = VerbFacts("import_cards")
    IMPORT_PACK = VerbFacts("import_pack")
    SAVE_PACK = VerbFacts("save_pack")
    RETIRE_PACK = VerbFacts("retire_pack")
    ADD_TALON_CLASS = VerbFacts("add_talon_class")
    CHANGE_TALON_CLASS = VerbFacts("change_talon_class")
    REMOVE_TALON_CLASS = VerbFacts("remove_talon_class")
    ADD_HOUSE_RULING = VerbFacts("add_house_ruling")
    CHANGE_HOUSE_RULING = VerbFacts("change_house_ruling")
    REMOVE_HOUSE_RULING = VerbFacts("remove_house_ruling")
    BEGIN_CHAIN = VerbFacts("begin_chain")
    """Written by the migration that sealed the journals, and by nothing since."""


NAMED = {verb.facts.name: verb for verb in Verb}


def facts_of(did: str) -> VerbFacts:
    """What is known of the verb of an entry: nothing but its name, where an archive brought one from elsewhere."""
    return NAMED[did].facts if did in NAMED else VerbFacts(did)


def _that_move(what: Moves) -> tuple[Verb, ...]:
    return tuple(verb for verb in Verb if verb.facts.moves & what)


STEPS = tuple(verb for verb in Verb if verb.facts.undone)
"""What can be undone."""

SNAPSHOTS = tuple(verb for verb in Verb if verb.facts.is_snapshot)
"""The steps whose outcome can be gone back to."""

BACK = _that_move(Moves.ANYTHING)
"""What may have taken back, or done again, anything."""

SEATED = _that_move(Moves.SEATS)
"""What may have put others at a table of a round that is drawn."""

DRAWN = _that_move(Moves.DRAFT | Moves.SEATS)
"""What makes another draft of a round, or seats somebody in it otherwise."""

SCORED = _that_move(Moves.POINTS)
"""What changes the points of a round that is complete."""

PENALIZED = _that_move(Moves.PENALTIES)
"""What changes the penalties of a player."""

TIMED = _that_move(Moves.CLOCK)
"""What changes the clock of a round."""

WITH_TABLES = {
    Verb.CORRECT_RESULT: Verb.CORRECT_AND_REPAIR,
    Verb.PENALIZE: Verb.PENALIZE_AND_REPAIR,
    Verb.LIFT_PENALTY: Verb.LIFT_AND_REPAIR,
}
"""What it is called where tables of the open round are paired anew in the same step."""


class Kind(StrEnum):
    """What an entry of the journal is about, for who looks for it there."""

    PAIRINGS = "pairings"
    CLOCK = "clock"
    RESULTS = "results"
    RULINGS = "rulings"
    ROLL_OFFS = "roll-offs"
    PLAYERS = "players"
    CHECK_IN = "check-in"
    REQUESTS = "requests"
    FLEETS = "fleets"
    TOKEN = "token"
    SETTINGS = "settings"
    UNDO = "undo"
    STORE = "store"
    STORE_PLAYERS = "store-players"
    CAMPAIGNS = "campaigns"
    PACKS = "packs"
    HOUSE_RULES = "house-rules"


VERBS_OF: Mapping[Kind, tuple[Verb, ...]] = {
    Kind.PAIRINGS: (
        *(Verb.PAIR_ROUND, Verb.CHOOSE, Verb.SWAP, Verb.BACK_TO_THE_ENGINE, Verb.DISCARD_DRAFT, Verb.PUBLISH_ROUND),
        *(Verb.MOVE_TABLE, Verb.REPAIR_ROUND, Verb.CLOSE_ROUND),
    ),
    Kind.CLOCK: TIMED,
    Kind.RESULTS: (
        *(Verb.REPORT_RESULT, Verb.CORRECT_RESULT, Verb.CORRECT_AND_REPAIR, Verb.TAKE_BACK_RESULT),
        *(Verb.REPORT, Verb.WITHDRAW_REPORT),
    ),
    Kind.RULINGS: (
        *(Verb.PENALIZE, Verb.PENALIZE_AND_REPAIR, Verb.LIFT_PENALTY, Verb.LIFT_AND_REPAIR),
        *(Verb.CALL_JUDGE, Verb.SETTLE_CALL, Verb.ASK_FOR_JUDGE, Verb.ANSWER_CALL, Verb.END_CALL),
    ),
    Kind.ROLL_OFFS: (Verb.THROW_DICE, Verb.ROLL_BY_SOFTWARE, Verb.SAY_DICE),
    Kind.CHECK_IN: (Verb.CHECK_IN, Verb.CHECK_OUT),
    Kind.PLAYERS: (
        *(Verb.REGISTER, Verb.CHANGE_FACTION, Verb.PLAY_WITHOUT, Verb.REMOVE, Verb.REMOVE_MANY, Verb.DROP),
        *(Verb.WITHDRAW, Verb.BRING_BACK, Verb.ARRIVAL, Verb.ABSENCE, Verb.DEPARTURE),
        *(Verb.RELEASE_PLACES, Verb.MOVE_UP, Verb.MARK_PAID),
    ),
    Kind.REQUESTS: (Verb.ASK, Verb.TAKE_BACK_WISH, Verb.DECLINE, Verb.PASS_ON),
    Kind.FLEETS: (
        *(Verb.LOCK_FLEET, Verb.UNLOCK_FLEET, Verb.CHANGE_LOCKED_FLEET, Verb.TAKE_OFF_FLEET, Verb.ALLOW_VIOLATION),
        *(Verb.SIGN_FLEET, Verb.TAKE_BACK_SIGNATURE, Verb.MARK_DESTROYED),
    ),
    Kind.TOKEN: (
        *(Verb.GRANT_TOKEN, Verb.PASS_ON_TOKEN, Verb.DECLINE_TOKEN, Verb.TAKE_BACK_TOKEN, Verb.SPEND_TOKEN),
        *(Verb.UNSPEND_TOKEN, Verb.LOSE_TOKEN, Verb.RETURN_TOKEN, Verb.CORRECT_TOKEN),
    ),
    Kind.SETTINGS: (
        *(Verb.MAKE_EVENT, Verb.IMPORT_EVENT, Verb.BEGIN_REHEARSAL, Verb.CHANGE_EVENT, Verb.OPEN_REGISTRATION),
        *(Verb.CHANGE_MONTH, Verb.POSTPONE_EVENT, Verb.CANCEL_EVENT, Verb.HOLD_EVENT),
        *(Verb.JOIN_WORD, Verb.CHANGE_TABLES, Verb.ANNOUNCE, Verb.TAKE_DOWN, Verb.SET_PRIZES),
        *(Verb.FINISH_EVENT, Verb.STOP_EVENT, Verb.REOPEN_EVENT, Verb.TYPE_BONUSES, Verb.DISMISS_BONUSES),
        Verb.DELETE_EVENT,
    ),
    Kind.UNDO: BACK,
    Kind.STORE: (
        *(Verb.MAKE_STORE, Verb.CHANGE_STORE, Verb.GIVE_ROLE, Verb.TAKE_ROLE, Verb.INVITE, Verb.WITHDRAW_INVITATION),
        *(Verb.MAKE_PASSWORD_LINK, Verb.REMOVE_AUTHENTICATOR),
        *(Verb.CHANGE_TEMPLATE, Verb.CHANGE_WEBHOOK, Verb.NEW_SECRET, Verb.BEGIN_CHAIN),
    ),
    Kind.STORE_PLAYERS: (
        *(Verb.RENAME_PLAYER, Verb.MERGE_PLAYERS, Verb.UNDO_MERGE, Verb.FORGET, Verb.ISSUE_CARD, Verb.MAKE_WORDS),
        Verb.CHANGE_NEEDS,
    ),
    Kind.CAMPAIGNS: (
        *(Verb.MAKE_CAMPAIGN, Verb.RENAME_CAMPAIGN, Verb.ARCHIVE_CAMPAIGN, Verb.BRING_BACK_CAMPAIGN),
        Verb.CHANGE_SEASON_RULES,
    ),
    Kind.PACKS: (Verb.IMPORT_PACK, Verb.SAVE_PACK, Verb.RETIRE_PACK, Verb.IMPORT_CARDS),
    Kind.HOUSE_RULES: (
        *(Verb.ADD_HOUSE_RULING, Verb.CHANGE_HOUSE_RULING, Verb.REMOVE_HOUSE_RULING),
        *(Verb.ADD_TALON_CLASS, Verb.CHANGE_TALON_CLASS, Verb.REMOVE_TALON_CLASS),
    ),
}
"""Every verb once, by what it is about. From `Kind.STORE` on, none is in an event's journal."""
