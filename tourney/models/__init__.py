"""What people did, as rows. Everything that follows from it is computed (docs/architecture.md)."""

from tourney.models.chain_origins import ChainOrigin
from tourney.models.event import (
    Announcement,
    Campaign,
    Entrant,
    Event,
    EventQuerySet,
    NameKeys,
    Player,
)
from tourney.models.finals import FinalLine, FinalRanking, FinalSeat
from tourney.models.fleets import Fleet, FleetStep, SheetCheck
from tourney.models.habits import EventTemplate, FleetsRecorded, FleetsShown, ReportedBy
from tourney.models.history import PackedHistory, RowChange
from tourney.models.house_rulings import HouseRuling
from tourney.models.joining import Joining
from tourney.models.journal import JournalEntry, JournalLink
from tourney.models.judge_calls import JudgeCall
from tourney.models.new_stores import DeletedStore, RetiredAddress, StoreRequest
from tourney.models.packs import OwnPack, PackDraft, PackVersion
from tourney.models.play import Match, Penalty, PlayedSheet, Result, Roll, RollOff, Round, Seat
from tourney.models.players import Attempt, CardSteps, PlayerCard, PlayerMerge
from tourney.models.push import PushKey, PushSubscription
from tourney.models.rehearsal import Pace, Rehearsal
from tourney.models.reports import IdempotencyKey, PlayerReport, Wish
from tourney.models.sign_ins import SignInAttempt, SignInOutcome
from tourney.models.store import Invitation, Membership, NamesShown, Role, Store, StoreLogo, User
from tourney.models.talon_classes import TalonClass
from tourney.models.tokens import TokenLine
from tourney.models.webhooks import Delivery, Webhook, WebhookFormat

__all__ = [
    "Announcement",
    "Attempt",
    "Campaign",
    "CardSteps",
    "ChainOrigin",
    "DeletedStore",
    "Delivery",
    "Entrant",
    "Event",
    "EventQuerySet",
    "EventTemplate",
    "FinalLine",
    "FinalRanking",
    "FinalSeat",
    "Fleet",
    "FleetStep",
    "FleetsRecorded",
    "FleetsShown",
    "HouseRuling",
    "IdempotencyKey",
    "Invitation",
    "Joining",
    "JournalEntry",
    "JournalLink",
    "JudgeCall",
    "Match",
    "Membership",
    "NameKeys",
    "NamesShown",
    "OwnPack",
    "Pace",
    "PackDraft",
    "PackVersion",
    "PackedHistory",
    "Penalty",
    "PlayedSheet",
    "Player",
    "PlayerCard",
    "PlayerMerge",
    "PlayerReport",
    "PushKey",
    "PushSubscription",
    "Rehearsal",
    "ReportedBy",
    "Result",
    "RetiredAddress",
    "Role",
    "Roll",
    "RollOff",
    "Round",
    "RowChange",
    "Seat",
    "SheetCheck",
    "SignInAttempt",
    "SignInOutcome",
    "Store",
    "StoreLogo",
    "StoreRequest",
    "TalonClass",
    "TokenLine",
    "User",
    "Webhook",
    "WebhookFormat",
    "Wish",
]
