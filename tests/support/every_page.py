"""The address of every page, and a store with events in every state behind them."""

from django.urls import resolve
from django.utils import timezone

from fleets import starter
from fleets.catalogue import import_cards
from fleets.domain import editing
from fleets.domain.cards import Card, CardKind
from fleets.domain.space_dock import Catalogue
from fleets.models import CatalogueCard
from tests.support import own_packs
from tests.support.asking_for_stores import asked_for_a_store
from tests.support.built_fleets import bring_all, two_ships
from tests.support.copied import copied
from tests.support.nights import BY, make_night
from tests.support.tables import eliminated, enter, match_at, night_with_ties, on_time
from tourney.actions import (
    accounts,
    by_hand,
    fleets,
    judge_calls,
    player_cards,
    reports,
    rounds,
    sign_ins,
    sign_off,
    stores,
    wishes,
)
from tourney.actions.prizes import set_prizes
from tourney.actions.record import Actor
from tourney.domain.verbs import Verb
from tourney.judge.actions import house_rulings, talon_classes
from tourney.models import Delivery, Entrant, Fleet, OwnPack, Role, SignInOutcome, Store, User
from tourney.queries.history import snapshots_of
from tourney.runtime.messages import message
from tourney.runtime.outgoing import Trouble
from tourney.sharing.actions import webhooks
from tourney.sharing.domain.webhooks import CHOICES, Ended, News

# The events: tonight is in round 2, with a table that is tied; tied waits for dice; drafted for its round 2 to be
# published; met has a draft in which everybody meets again; over is finished; empty has no players.
FOR_EVERYBODY = (
    "/",
    "/style/",
    "/help/",
    "/help/?q=bye",
    "/help/?q=nothing+like+it",
    "/help/first-night/",
    "/help/glossary/",
    "/help/rules/",
    "/judge/talon-power/",
    "/judge/talon-power/?speed=5&hull=-2&stuck=on",
    "/judge/talon-power/?speed=3&arc2=down&play=v2.r1.n.n.h4",
    "/judge/rule-of-3/?value=agility&printed=1&cloak=last&set=4&mod=5&mod_label=Scan&half=on&bonus=on",
    "/judge/dice/",
    "/judge/dice/?die=attack&dice=12&least=3&seed=abc&again=0-3",
    "/judge/dice/?die=defense&dice=6&least=3&by=hand&hand=ee-b",
    "/judge/scenarios/?what=roll-off",
    "/judge/scenarios/?what=target&third=Anvil&by=hand&thrown=bb&hand=h",
    "/judge/scenarios/?what=roll-off&by=hand&thrown=bb&thrown=b",
    "/judge/scenarios/?what=away-teams&first_cards=4&first_skill=5&second_cards=5&second_skill=5&seed=abc",
    "/sign-in/",
    "/forgot-password/",
    "/new-password/{new_password}/",
    "/new-password/nobody/",
    "/api/",
    "/offline/",
    "/card/{card}/",
    "/cards/",
    "/cards/?q=enterprise&faction=FED",
    "/cards/?q=nothing+like+it",
    "/cards/{printed}/",
    "/judge/",
    "/judge/rulings/",
    "/judge/rulings/?q=mines&tag=mines",
    "/judge/rulings/?q=nothing+like+it",
    "/s/{store}/judge/",
    "/s/{store}/judge/rulings/",
    "/s/{store}/judge/rule-of-3/",
    "/s/{store}/judge/dice/?die=attack&dice=4&least=2&seed=abc",
    "/s/{store}/judge/scenarios/",
    "/s/{store}/judge/talon-power/?speed=1&name=Kestrel+class&curves=4-1-2&play=v1.n.n",
    "/set-up/{set_up}/",
    "/set-up/nowhere/",
    "/new-store/",
    "/new-store/{asked}/",
    "/invitation/{invitation}/",
    "/s/{store}/",
    "/s/{store}/packs/",
    "/s/{store}/packs/?q=dominion",
    "/s/{store}/packs/?q=nothing+like+it",
    "/s/{store}/packs/dominion-war-6/",
    "/s/{store}/packs/the-collective-2/",
    "/s/{store}/packs/{pack}/1/",
    "/s/{store}/campaigns/{campaign}/",
    "/s/{store}/players/{player}/",
    "/s/{store}/players/{player}/against/{other}/",
    "/s/{store}/campaigns/{campaign}/poster/",
    "/s/{store}/campaigns/{campaign}/poster/?paper=letter&shape=landscape",
    "/s/{store}/fleets/shared/{shared}/",
    "/e/{tonight}/",
    "/e/{tonight}/?q=Kestrel",
    "/e/{tonight}/?q=nobody",
    "/e/{tonight}/join/",
    "/e/{tonight}/me/",
    "/s/{store}/me/",
    "/e/{tonight}/qr/",
    "/e/{tonight}/rounds/1/",
    "/e/{tonight}/rounds/2/?by=name",
    "/e/{tonight}/standings/",
    "/e/{tied}/",
    "/e/{tied}/standings/1/",
    "/e/{drafted}/?q=Kestrel",
    "/e/{over}/",
    "/e/{over}/?q=Kestrel",
    "/e/{over}/rounds/3/",
    "/e/{over}/standings/",
    "/e/{over}/roll-offs/",
    "/e/{over}/share/",
    "/e/{tonight}/share/",
    "/e/{empty}/share/",
    "/e/{over}/join/",
    "/e/{empty}/",
    "/e/{empty}/join/",
    "/e/{empty}/standings/",
    "/e/{empty}/roll-offs/",
    "/e/{tonight}/wall/",
    "/e/{tonight}/wall/?show=clock",
    "/e/{tied}/wall/",
    "/e/{drafted}/wall/",
    "/e/{over}/wall/",
    "/e/{empty}/wall/?show=pairings,standings",
)
FOR_THE_OWNER = (
    "/account/",
    "/account/confirm/",
    "/password/",
    "/s/{store}/",
    "/s/{store}/cards/",
    "/s/{store}/cards/?q=defiant",
    "/cards/?at={store}",
    "/s/{store}/cards/?q=nothing+like+it",
    "/s/{store}/settings/new-events/",
    "/s/{store}/players/",
    "/s/{store}/players/?q=nobody+at+all",
    "/s/{store}/players/{player}/merge/",
    "/s/{store}/players/{player}/merge/?other={other}",
    "/s/{store}/players/{player}/forget/",
    "/s/{store}/search/?q=dice",
    "/s/{store}/staff/",
    "/s/{store}/staff/{judge}/sign-in/",
    "/s/{store}/staff/sign-ins/",
    "/s/{store}/staff/invite/",
    "/s/{store}/settings/",
    "/s/{store}/settings/look/",
    "/s/{store}/settings/webhook/",
    "/s/{store}/settings/backups/",
    "/s/{store}/settings/new-stores/",
    "/s/{store}/settings/leave/",
    "/s/{store}/notifications/",
    "/s/{store}/journal/",
    "/s/{store}/journal/?kind=store-players",
    "/s/{store}/packs/",
    "/s/{store}/judge/rulings/?tag=house+rulings",
    "/s/{store}/judge/rulings/new/",
    "/s/{store}/judge/rulings/1/",
    "/s/{store}/judge/talon-power/",
    "/s/{store}/judge/talon-power/classes/new/?name=Vor+class&curves=4-2",
    "/s/{store}/judge/talon-power/classes/1/",
    "/s/{store}/packs/import/",
    "/s/{store}/packs/{pack}/",
    "/s/{store}/packs/{pack}/versions/",
    "/s/{store}/packs/{pack}/compare/",
    "/s/{store}/packs/drafts/{pack_draft}/",
    "/s/{store}/new-campaign/",
    "/s/{store}/campaigns/{campaign}/",
    "/s/{store}/campaigns/{campaign}/tokens/",
    "/s/{store}/campaigns/{campaign}/edit/",
    "/s/{store}/campaigns/{campaign}/new-event/?pack=dominion-war-6",
    "/s/{store}/campaigns/{campaign}/new-event/?pack=arena",
    "/invitation/{invitation}/",
    "/e/{tonight}/",
    "/e/{tonight}/fleets/{opponent}/",
    "/e/{tonight}/fleets/{doubted}/",
    "/e/{tonight}/rounds/2/fleets/{opponent}/",
    "/e/{tonight}/rounds/2/fleets/{done}/",
    "/e/{tonight}/desk/",
    "/e/{tonight}/desk/search/",
    "/e/{tonight}/desk/search/?q=1",
    "/e/{tonight}/desk/search/?q=nothing+like+it",
    "/e/{tonight}/desk/players/",
    "/e/{tonight}/desk/players/crowds/",
    "/e/{tonight}/desk/players/1/",
    "/e/{tonight}/desk/players/{me}/fleet/",
    "/e/{tonight}/desk/players/{me}/card/",
    "/e/{tonight}/desk/arrivals/",
    "/e/{tonight}/desk/arrivals/{me}/",
    "/e/{tonight}/desk/arrivals/{me}/?option=leaves-after",
    "/e/{drafted}/desk/arrivals/1/",
    "/e/{empty}/desk/arrivals/",
    "/e/{over}/desk/arrivals/1/",
    "/e/{tonight}/desk/blank-sheet/",
    "/e/{tonight}/desk/print/",
    "/e/{tonight}/desk/print/cards/",
    "/e/{tonight}/desk/print/paper/?doc=slips&doc=pairings&doc=standings&doc=record&doc=by-hand&doc=build-sheets",
    "/e/{over}/desk/print/paper/?doc=score-sheet&doc=factions&doc=check-in&doc=table-numbers&doc=tents",
    "/e/{drafted}/desk/print/",
    "/e/{empty}/desk/print/",
    "/e/{empty}/desk/print/cards/",
    "/e/{drafted}/desk/players/1/fleet/",
    "/e/{tonight}/desk/rounds/1/",
    "/e/{tonight}/desk/rounds/1/close/",
    "/e/{tonight}/desk/rounds/1/tables/1/",
    "/e/{tonight}/desk/rounds/2/",
    "/e/{tonight}/desk/rounds/2/close/",
    "/e/{tonight}/desk/rounds/2/repair/",
    "/e/{drafted}/desk/rounds/2/repair/",
    "/e/{tonight}/desk/rounds/2/results/",
    "/e/{tonight}/desk/rounds/2/tables/1/",
    "/e/{tonight}/desk/rounds/1/tables/1/ruling/",
    "/e/{tonight}/desk/rounds/2/tables/1/ruling/",
    "/e/{tonight}/desk/rounds/2/tables/4/ruling/",
    "/e/{over}/desk/rounds/1/tables/1/ruling/",
    "/e/{drafted}/desk/rounds/1/bye/ruling/",
    "/e/{tonight}/desk/rounds/2/tables/3/roll-off/",
    "/e/{tonight}/desk/rounds/2/tables/4/",
    "/e/{tonight}/desk/rounds/2/tables/5/",
    "/e/{tonight}/desk/rounds/2/tables/6/?concede=a",
    "/e/{tonight}/desk/token/",
    "/e/{tonight}/desk/share/",
    "/e/{over}/desk/share/",
    "/e/{empty}/desk/share/",
    "/e/{tonight}/desk/screens/",
    "/e/{tonight}/desk/finish/",
    "/e/{tonight}/desk/settings/",
    "/e/{empty}/desk/plans/",
    "/e/{empty}/desk/month/",
    "/e/{tonight}/desk/tables/",
    "/e/{empty}/desk/bonuses/",
    "/e/{tonight}/desk/rounds/2/tables/1/move/",
    "/e/{drafted}/desk/rounds/2/?pick=1",
    "/e/{tonight}/desk/journal/",
    "/e/{tonight}/desk/journal/?player={me}&kind=fleets",
    "/e/{tonight}/desk/journal/?round=1&kind=rulings",
    "/e/{tonight}/desk/history/",
    "/e/{tonight}/desk/history/?prove",
    "/e/{tonight}/desk/history/{snapshot}/",
    "/e/{empty}/desk/history/",
    "/e/{empty}/desk/rehearsal/",
    "/e/{tonight}/desk/rehearsal/",
    "/e/{tied}/desk/",
    "/e/{tied}/desk/rounds/1/close/",
    "/e/{tied}/desk/rounds/1/roll-off/standing/{winners}/",
    "/e/{drafted}/desk/rounds/2/",
    "/e/{met}/desk/rounds/2/",
    "/e/{over}/desk/",
    "/e/{tonight}/desk/awards/",
    "/e/{tied}/desk/awards/",
    "/e/{over}/desk/awards/",
    "/e/{over}/desk/print/paper/?doc=awards&doc=signatures",
    "/e/{empty}/desk/awards/",
    "/e/{over}/desk/reopen/",
    "/e/{over}/desk/settings/",
    "/e/{empty}/desk/",
    "/e/{empty}/desk/players/",
)
FOR_A_PLAYER = (
    "/e/{tonight}/",
    "/e/{tonight}/me/",
    "/e/{tonight}/rounds/2/report/",
    "/e/{tonight}/rounds/2/report/?own=1",
    "/e/{tonight}/fleets/{me}/",
    "/e/{tonight}/fleets/{opponent}/",
    "/e/{tonight}/rounds/2/fleets/{opponent}/",
    "/e/{tonight}/standings/",
    "/e/{over}/me/",
    "/e/{empty}/me/",
    "/s/{store}/me/",
    "/s/{store}/me/lost/",
    "/s/{store}/me/notifications/",
    "/s/{store}/me/forget/",
    "/s/{store}/fleets/",
    "/s/{store}/fleets/import/",
    "/s/{store}/fleets/sets/",
    "/s/{store}/fleets/{mine}/",
    "/s/{store}/fleets/{mine}/sheet/",
    "/s/{store}/fleets/{draft}/",
    "/s/{store}/fleets/{draft}/?add=1&kind=crew",
    "/s/{store}/fleets/{draft}/?add=1&q=nothing+like+it",
    "/s/{store}/fleets/{draft}/?line=3",
    "/s/{store}/fleets/{draft}/sheet/",
)
ONLY_POSTED = {
    *("sign_out", "remove_staff", "withdraw"),
    *("end_session", "remove_authenticator", "remove_passkey", "passkey_sign_in"),
    *("check_in_all", "declare", "pair", "by_hand", "choose", "discard", "publish", "clock"),
    *("signed", "all_signed", "undo_merge"),
    *("take_report", "answer_wish", "answer_call", "call_judge", "wish", "my_dice", "coming"),
    *("spend_token", "take_down", "use_as_template"),
    *("edit_pack", "copy_pack", "retire_pack", "discard_draft"),
    *("undo", "redo", "language", "hide_first_event"),
    *("test_webhook", "new_webhook_secret", "turn_off_webhook", "back_up_now"),
    *("rehearsal_step", "rehearsal_pace", "discard_rehearsal"),
    *("withdraw_asked_store", "decide_on_store"),
    "remove_house_ruling",
    "remove_talon_class",
}
NO_PAGES = {
    *(
        "health",
        "ready",
        "ready_without_slash",
        "alive",
        "alive_without_slash",
        "metrics",
        "robots",
        "security_txt",
        "csp_reports",
    ),
    *("poster_svg", "slip", "my_data", "fleet_file", "shared_picture", "pack_as_file", "card_by_key"),
    *("journal_file", "store_journal_file", "backup_file"),
    *("live", "service_worker", "manifest", "short_address", "short_address_with_slash"),
    *("shared_table", "desk_table", "list_fortress", "desk_archive"),
    *("staff_moved", "page_of_staff_moved"),
    *("store_archive", "event_of_store", "page_of_event_of_store"),
    *("event_json", "standings_json", "pairings_json", "events_json", "campaign_json", "openapi"),
    *("event_calendar", "store_calendar"),
    *("store_manifest", "tonight", "store_look_css", "store_logo"),
    # after a password was typed alone: tests/browser/test_account.py, test_many_stores.py
    *("own_address", "confirm_address", "second_step", "authenticator", "recovery_codes", "add_passkey"),
    "delete_store",
    *("event_picture", "player_picture", "event_png", "player_png", "event_link_picture", "store_link_picture"),
}
CORE = {
    *("front", "sign_in", "store_home", "new_event", "event", "join", "me", "standings", "wall", "report", "fleet"),
    *("desk", "players", "arrivals", "round", "result", "close", "print_centre"),
}
"""What a night cannot do without: the pages at which axe-core looks with each change."""


def told_by_webhook(store: Store) -> None:
    """The store has a webhook, with a log in which each thing came of what it was told."""
    webhook = webhooks.save_webhook(
        store, address="https://hooks.example/7?key=a", format="json", kinds=CHOICES, site="https://f.example", by=BY
    )
    entries = {entry.did: entry for entry in store.journal.exclude(event=None).order_by("pk")}
    for news, did, tries, outcome, status, answer in (
        (News.DATE, Verb.MAKE_EVENT, 6, Trouble.TOO_SLOW, None, ""),
        (News.CLOSED, Verb.CLOSE_ROUND, 1, Ended.OUTDATED, None, ""),
        (News.TABLES, Verb.PUBLISH_ROUND, 2, Trouble.REFUSED, 500, "<h1>Internal error of a server far away</h1>"),
        (News.TEST, None, 1, Ended.DELIVERED, 200, "ok"),
    ):
        Delivery.objects.create(
            webhook=webhook,
            entry=entries.get(did),
            kind=news,
            made_at=BY.at,
            tried_at=BY.at,
            attempts=tries,
            next_at=BY.at if tries == 2 else None,
            outcome=outcome,
            status=status,
            answer=answer,
        )


@copied
def make_places() -> dict[str, str]:
    starter.load()
    problem = message("“{text}” in column “{column}” isn’t a number", text="three", column="cost")
    skipped = message("Line {number} skipped: {problem}.", number=3, problem=problem)
    broken = Catalogue("7", starter.starter_list().entries[:9], (skipped,))
    import_cards(broken, source="cards.csv", by_name="owner", at=timezone.now())
    tonight = make_night(players=13, rounds=1, open_round=True, tables=2)
    enter(tonight.event, 3, on_time(40, 40), number=2)
    bring_all(tonight.event)
    me, opponent = match_at(tonight.event, 4, number=2).numbers
    caller, doubted = match_at(tonight.event, 5, number=2).numbers
    sign_off.call_judge(tonight.event, 2, caller, line=4, words="only four", by=BY)
    sign_off.mark_destroyed(tonight.event, 2, opponent, [1, 6], by=BY)
    first, second = match_at(tonight.event, 5, number=2).numbers
    reports.report(tonight.event, 2, opponent, on_time(82, 46), words="close", by=BY)
    reports.report(tonight.event, 2, first, on_time(82, 46), by=BY)
    reports.report(tonight.event, 2, second, eliminated(left=82), by=BY)
    wishes.ask(tonight.event, me, "drop", by=BY)
    judge_calls.call(tonight.event, opponent, "rules", words="Does it stack?", by=BY)
    wishes.ask(tonight.event, match_at(tonight.event, 6, number=2).a.number, "concede", by=BY)
    done = match_at(tonight.event, 1, number=2).a.number
    tied, winners, _ = night_with_ties(pack="dominion-war-5", store=tonight.store)
    drafted = make_night(players=9, rounds=1, pack="temporal-cold-war-2", store=tonight.store)
    rounds.pair_round(drafted.event, seed=1, by=BY)
    sits_out = drafted.event.rounds.get(number=2).matches.get(table=None).seats.get().entrant.number
    other = drafted.event.rounds.get(number=2).matches.get(table=1).seats.get(side="a").entrant.number
    by_hand.place(drafted.event, 2, sits_out, other, reason="They asked for it", by=BY)
    met = make_night(players=2, rounds=1, pack="dominion-war-3", store=tonight.store)
    told_by_webhook(tonight.store)
    rounds.pair_round(met.event, seed=1, by=BY)
    over = make_night(players=12, rounds=3, finish=True, pack="dominion-war-4", store=tonight.store)
    set_prizes(over.event, "1: flagship model\n2-4: booster\n20: ladle\neverybody: card", expected="", by=BY)
    set_prizes(tied.event, "1: flagship model\neverybody: card", expected="", by=BY)
    empty = make_night(players=0, pack="arena", store=tonight.store)
    house_rulings.add(tonight.store, topic="Late arrivals", text="They play with the time that is left.", by=BY)
    talon_classes.add(tonight.store, name="Kestrel class", curves="4-1-2", by=BY)
    by = Actor(tonight.owner, tonight.owner.username, timezone.now())
    for outcome in SignInOutcome.values:
        sign_ins.log_sign_in(tonight.judge.username, outcome, "203.0.113.7", "Firefox on Windows", by.at)
    fleets.share(tonight.event.entrants.get(number=me).fleet)
    events = {"tonight": tonight, "tied": tied, "drafted": drafted, "met": met, "over": over, "empty": empty}
    return {
        "store": tonight.store.slug,
        "campaign": tonight.campaign.slug,
        "printed": CatalogueCard.objects.order_by("key").first().pk,
        "me": me,
        "player": tonight.event.entrants.get(number=me).player_id,
        "other": tonight.event.entrants.get(number=opponent).player_id,
        "mine": tonight.event.entrants.get(number=me).fleet.pk,
        "draft": draft_of(tonight.event.entrants.get(number=me)).pk,
        "shared": tonight.event.entrants.get(number=me).fleet.share_key,
        "opponent": opponent,
        "doubted": doubted,
        "card": player_cards.issue(tonight.event.entrants.get(number=me).player, by=BY),
        "snapshot": snapshots_of(tonight.event)[2].pk,
        "winners": "-".join(map(str, winners)),
        "done": done,
        "pack": changed_pack(tonight.store, tonight.owner).slug,
        "pack_draft": tonight.store.pack_drafts.get(saved=None).pk,
        "judge": tonight.store.memberships.get(user=tonight.judge).pk,
        "new_password": accounts.password_key(tonight.judge),
        "set_up": stores.invite(None, Role.OWNER, by=by),
        "asked": asked_for_a_store(),
        "invitation": stores.invite(tonight.store, Role.JUDGE, by=by, note="Quill"),
        **{name: night.event.slug for name, night in events.items()},
    }


def changed_pack(store: Store, owner: User) -> OwnPack:
    """A pack in its second version, with a draft of a third in which two fields do not fit."""
    own = own_packs.saved(store, owner, sp_limit=120).own
    own_packs.saved(store, owner, own=own, rounds=4, factions=("Federation", "Borg"))
    draft = own_packs.begun(store, owner, own=own)
    draft.typed |= {"rounds": ["many"], "bonuses-0-points": ["0"]}
    draft.save()
    return own


def draft_of(entrant: Entrant) -> Fleet:
    """A fleet that flies nowhere yet, with something wrong and something by hand."""
    sheet = editing.add(two_ships(), Card(CardKind.CAPTAIN, "Home-made", ("KLI",), 4), 1)
    return fleets.make_fleet(entrant.player, "Next month", by=BY, sheet=sheet)


WORDS = dict.fromkeys(("store", "campaign", "set_up", "asked", "invitation", "card", "pack", "shared"), "x")
WORDS |= dict.fromkeys(("tonight", "tied", "drafted", "met", "over", "empty"), "x") | {"winners": "1-2"}
WORDS |= dict.fromkeys(
    ("opponent", "doubted", "done", "me", "player", "other", "mine", "draft", "pack_draft", "snapshot", "printed"), 1
)
WORDS |= {"judge": 1, "new_password": "x"}


def name_of(path: str) -> str:
    """The name of the address behind that path, whose places are not filled in."""
    return resolve(path.format(**WORDS).partition("?")[0]).url_name
