"""One URL per thing. Public pages first, then the desk, then the store's own pages."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path

from tourney.views import (
    campaigns,
    cards,
    desk,
    destroyed,
    event,
    fleets,
    joining,
    me,
    player_cards,
    players,
    results,
    rolls,
    rounds,
    sheets,
    store,
)

desk_urls = [
    path("", desk.desk, name="desk"),
    path("players/", players.players, name="players"),
    path("players/check-in-all/", players.check_in_all, name="check_in_all"),
    path("players/<int:number>/", players.player, name="player"),
    path("players/<int:number>/card/", player_cards.player_card, name="player_card"),
    path("players/<int:number>/fleet/", fleets.entrant_fleet, name="entrant_fleet"),
    path("blank-sheet/", fleets.blank_sheet, name="blank_sheet"),
    path("pair/", rounds.pair, name="pair"),
    path("rounds/<int:number>/", rounds.round, name="round"),
    path("rounds/<int:number>/swap/", rounds.swap, name="swap"),
    path("rounds/<int:number>/choose/", rounds.choose, name="choose"),
    path("rounds/<int:number>/discard/", rounds.discard, name="discard"),
    path("rounds/<int:number>/publish/", rounds.publish, name="publish"),
    path("rounds/<int:number>/clock/", rounds.clock, name="clock"),
    path("rounds/<int:number>/close/", rounds.close, name="close"),
    path("rounds/<int:number>/signed/", sheets.all_signed, name="all_signed"),
    path("rounds/<int:number>/tables/<int:table>/signed/", sheets.signed, name="signed"),
    path("rounds/<int:number>/results/", results.results, name="results"),
    path("rounds/<int:number>/tables/<int:table>/", results.result, name="result"),
    path("rounds/<int:number>/tables/<int:table>/roll-off/", rolls.table_roll_off, name="table_roll_off"),
    path("rounds/<int:number>/roll-off/<str:kind>/<str:group>/", rolls.roll_off, name="roll_off"),
    path("finish/", desk.finish, name="finish"),
    path("reopen/", desk.reopen, name="reopen"),
    path("settings/", desk.event_settings, name="event_settings"),
    path("journal/", desk.journal, name="journal"),
]

event_urls = [
    path("", event.event, name="event"),
    path("join/", joining.join, name="join"),
    path("qr/", joining.qr, name="qr"),
    path("me/", me.me, name="me"),
    path("live/", event.live, name="live"),
    path("fleets/<int:number>/", sheets.sheet, name="sheet"),
    path("rounds/<int:number>/", event.pairings, name="pairings"),
    path("rounds/<int:round>/fleets/<int:number>/", destroyed.destroyed, name="destroyed"),
    path("standings/", event.standings, name="standings"),
    path("standings/<int:after>/", event.standings, name="standings_after"),
    path("roll-offs/", event.roll_offs, name="roll_offs"),
    path("desk/", include(desk_urls)),
]

store_urls = [
    path("", store.home, name="store_home"),
    path("people/", store.people, name="people"),
    path("people/invite/", store.invite, name="invite"),
    path("people/<int:membership>/remove/", store.remove_person, name="remove_person"),
    path("people/invitations/<int:invitation>/withdraw/", store.withdraw, name="withdraw"),
    path("settings/", store.store_settings, name="store_settings"),
    path("journal/", store.store_journal, name="store_journal"),
    path("fleets/", fleets.my_fleets, name="my_fleets"),
    path("fleets/import/", fleets.import_fleets, name="import_fleets"),
    path("fleets/<int:fleet>/", fleets.fleet, name="fleet"),
    path("fleets/<int:fleet>/sheet/", fleets.fleet_sheet, name="fleet_sheet"),
    path("fleets/<int:fleet>/export/<str:form>/", fleets.fleet_file, name="fleet_file"),
    path("cards/", cards.cards, name="cards"),
    path("packs/", campaigns.packs, name="packs"),
    path("packs/<slug:pack>/", campaigns.pack, name="pack"),
    path("new-campaign/", campaigns.new_campaign, name="new_campaign"),
    path("campaigns/<slug:campaign>/", campaigns.campaign, name="campaign"),
    path("campaigns/<slug:campaign>/new-event/", campaigns.new_event, name="new_event"),
]

urlpatterns = [
    path("", store.front, name="front"),
    path("health/", store.health, name="health"),
    path("style/", store.style, name="style"),
    path("sign-in/", store.SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("password/", store.ChangePassword.as_view(), name="password"),
    path("set-up/<str:key>/", store.set_up, name="set_up"),
    path("invitation/<str:key>/", store.invitation, name="invitation"),
    path("card/<str:key>/", player_cards.card, name="card"),
    path("s/<slug:slug>/", include(store_urls)),
    path("e/<slug:slug>/", include(event_urls)),
]

handler404 = "tourney.views.store.not_found"
handler500 = "tourney.views.store.server_error"
