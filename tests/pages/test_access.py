"""Who may see and do what: every URL × role, for GET and for a POST without any data.

With each change those roles ask whose answer is another than that of the role before; with --all every one.
"""

from collections.abc import Iterator
from http.cookies import SimpleCookie

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from django.utils import timezone

from fleets import starter
from fleets.models import CatalogueCard
from tests.support.asking_for_stores import asked_for_a_store
from tests.support.built_fleets import bring
from tests.support.nights import Night, make_night, make_store
from tests.support.own_packs import saved
from tests.support.tenth import everything_runs
from tourney.actions import store_players, stores
from tourney.actions.record import Actor
from tourney.judge.actions import house_rulings, talon_classes
from tourney.models import Membership, Player, PlayerMerge, Role, StoreRequest, User
from tourney.queries.history import snapshots_of
from tourney.queries.short_addresses import short_code_of

pytestmark = pytest.mark.django_db

ROLES = ("stranger", "elsewhere", "judge", "organizer", "owner")

# Of each URL: the answers to GET, then to POST, in the order of ROLES; "elsewhere" owns another store. A redirect is
# "sign-in" when it leads there or is that page, which keeps what was typed; else "go". 405: no such method for anybody.
# 409, 422: allowed, but not like this.
ACCESS = (
    ("/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/health/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/robots.txt", "200 200 200 200 200", "405 405 405 405 405"),
    ("/.well-known/security.txt", "404 404 404 404 404", "405 405 405 405 405"),
    ("/csp-reports/", "405 405 405 405 405", "400 400 400 400 400"),
    ("/language/", "405 405 405 405 405", "404 404 404 404 404"),
    ("/health/live", "200 200 200 200 200", "405 405 405 405 405"),
    ("/health/live/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/metrics", "404 404 404 404 404", "405 405 405 405 405"),
    ("/health/ready", "200 200 200 200 200", "405 405 405 405 405"),
    ("/health/ready/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/api/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/api/openapi.json", "200 200 200 200 200", "405 405 405 405 405"),
    ("/offline/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/sw.js", "200 200 200 200 200", "405 405 405 405 405"),
    ("/manifest.webmanifest", "200 200 200 200 200", "405 405 405 405 405"),
    ("/style/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/help/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/help/player/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/cards/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/cards/named/", "404 404 404 404 404", "405 405 405 405 405"),
    ("/cards/{printed}/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/judge/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/judge/rulings/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/judge/talon-power/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/judge/rule-of-3/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/judge/dice/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/judge/scenarios/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/sign-in/", "200 go go go go", "422 go go go go"),
    ("/sign-in/code/", "sign-in sign-in sign-in sign-in sign-in", "sign-in sign-in sign-in sign-in sign-in"),
    ("/sign-in/passkey/", "405 405 405 405 405", "404 404 404 404 404"),
    ("/sign-out/", "405 405 405 405 405", "go go go go go"),
    ("/account/", "sign-in 200 200 200 200", "sign-in 405 405 405 405"),
    ("/account/confirm/", "sign-in 200 200 200 200", "sign-in 422 422 422 422"),
    ("/account/e-mail/", "sign-in go go go go", "sign-in go go go go"),
    ("/account/e-mail/nobody/", "410 410 410 410 410", "410 410 410 410 410"),
    ("/account/sessions/end/", "sign-in 405 405 405 405", "sign-in go go go go"),
    ("/account/authenticator/", "sign-in go go go go", "sign-in go go go go"),
    ("/account/authenticator/remove/", "sign-in go go go go", "sign-in go go go go"),
    ("/account/recovery-codes/", "sign-in go go go go", "sign-in go go go go"),
    ("/account/passkeys/new/", "sign-in go go go go", "sign-in go go go go"),
    ("/account/passkeys/1/remove/", "sign-in go go go go", "sign-in go go go go"),
    ("/forgot-password/", "200 200 200 200 200", "404 404 404 404 404"),
    ("/new-password/nobody/", "410 410 410 410 410", "410 410 410 410 410"),
    ("/password/", "sign-in 200 200 200 200", "sign-in 422 422 422 422"),
    ("/set-up/{set_up}/", "200 200 200 200 200", "422 422 422 422 422"),
    ("/new-store/", "404 404 404 404 404", "404 404 404 404 404"),
    ("/new-store/{asked}/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/new-store/{asked}/withdraw/", "405 405 405 405 405", "go go go go go"),
    ("/invitation/{invitation}/", "200 200 200 200 200", "422 go 409 409 409"),
    ("/{short}", "go go go go go", "405 405 405 405 405"),
    ("/{short}/", "go go go go go", "405 405 405 405 405"),
    ("/s/{store}/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/events.json", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/manifest.webmanifest", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/tonight/table/", "go go go go go", "405 405 405 405 405"),
    ("/s/{store}/calendar.ics", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/search/", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/s/{store}/first-event/hide/", "sign-in 405 405 405 405", "sign-in 404 404 404 go"),
    ("/s/{store}/people/", "sign-in 404 404 404 go", "sign-in 405 405 405 405"),
    ("/s/{store}/people/sign-ins/", "sign-in 404 404 404 go", "sign-in 405 405 405 405"),
    ("/s/{store}/staff/", "sign-in 404 404 404 200", "sign-in 405 405 405 405"),
    ("/s/{store}/staff/sign-ins/", "sign-in 404 404 404 200", "sign-in 405 405 405 405"),
    ("/s/{store}/staff/invite/", "sign-in 404 404 404 200", "sign-in 404 404 404 422"),
    ("/s/{store}/staff/{judge}/sign-in/", "sign-in 404 404 404 200", "sign-in 404 404 404 go"),
    ("/s/{store}/staff/{judge}/remove/", "sign-in 405 405 405 405", "sign-in 404 404 404 go"),
    ("/s/{store}/staff/invitations/{waiting}/withdraw/", "sign-in 405 405 405 405", "sign-in 404 404 404 go"),
    ("/s/{store}/settings/", "sign-in 404 404 404 200", "sign-in 404 404 404 422"),
    ("/s/{store}/settings/look/", "sign-in 404 404 404 200", "sign-in 404 404 404 go"),
    ("/s/{store}/look.0123456789ab.css", "404 404 404 404 404", "405 405 405 405 405"),
    ("/s/{store}/logo.0123456789ab.png", "404 404 404 404 404", "405 405 405 405 405"),
    ("/s/{store}/settings/webhook/", "sign-in 404 404 404 200", "sign-in 404 404 404 422"),
    ("/s/{store}/settings/webhook/test/", "sign-in 405 405 405 405", "sign-in 404 404 404 go"),
    ("/s/{store}/settings/webhook/secret/", "sign-in 405 405 405 405", "sign-in 404 404 404 go"),
    ("/s/{store}/settings/webhook/off/", "sign-in 405 405 405 405", "sign-in 404 404 404 go"),
    ("/s/{store}/settings/backups/", "sign-in 404 404 404 200", "sign-in 405 405 405 405"),
    ("/s/{store}/settings/backups/now/", "sign-in 405 405 405 405", "sign-in 404 404 404 404"),
    ("/s/{store}/settings/backups/none/", "sign-in 404 404 404 404", "sign-in 405 405 405 405"),
    ("/s/{store}/settings/new-stores/", "sign-in 404 404 404 404", "sign-in 405 405 405 405"),
    ("/s/{store}/settings/new-stores/{request}/", "sign-in 405 405 405 405", "sign-in 404 404 404 404"),
    ("/s/{store}/settings/leave/", "sign-in 404 404 404 200", "sign-in 404 404 404 409"),
    ("/s/{store}/settings/delete/", "sign-in 404 404 404 go", "sign-in 404 404 404 go"),
    ("/s/{store}/settings/new-events/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/s/{store}/settings/archive/", "sign-in 404 404 404 200", "sign-in 405 405 405 405"),
    ("/s/{store}/e/{event}/", "go go go go go", "405 405 405 405 405"),
    ("/s/{store}/e/{event}/standings/", "go go go go go", "405 405 405 405 405"),
    ("/s/{store}/journal/", "sign-in 404 404 404 200", "sign-in 405 405 405 405"),
    ("/s/{store}/journal/csv/", "sign-in 404 404 404 200", "sign-in 405 405 405 405"),
    ("/s/{store}/judge/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/judge/rule-of-3/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/judge/dice/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/judge/scenarios/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/judge/rulings/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/judge/rulings/new/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/s/{store}/judge/rulings/1/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/s/{store}/judge/rulings/1/remove/", "sign-in 405 405 405 405", "sign-in 404 404 go go"),
    ("/s/{store}/judge/talon-power/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/judge/talon-power/classes/new/", "sign-in 404 200 200 200", "sign-in 404 422 422 422"),
    ("/s/{store}/judge/talon-power/classes/1/", "sign-in 404 200 200 200", "sign-in 404 422 422 422"),
    ("/s/{store}/judge/talon-power/classes/1/remove/", "sign-in 405 405 405 405", "sign-in 404 go go go"),
    ("/s/{store}/cards/", "sign-in 404 200 200 200", "sign-in 404 404 404 422"),
    ("/s/{store}/players/", "sign-in 404 404 200 200", "sign-in 405 405 405 405"),
    ("/s/{store}/players/{player}/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/players/{player}/against/{other}/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/players/{player}/merge/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/s/{store}/players/{player}/forget/", "sign-in 404 404 404 200", "sign-in 404 404 404 422"),
    ("/s/{store}/players/merges/{merge}/undo/", "sign-in 405 405 405 405", "sign-in 404 404 go go"),
    ("/s/{store}/me/", "200 200 200 200 200", "200 200 200 200 200"),
    ("/s/{store}/me/lost/", "200 200 200 200 200", "422 422 422 422 422"),
    ("/s/{store}/me/data/", "404 404 404 404 404", "405 405 405 405 405"),
    ("/s/{store}/me/notifications/", "404 404 404 404 404", "404 404 404 404 404"),
    ("/s/{store}/notifications/", "sign-in 404 200 200 200", "sign-in 404 422 422 422"),
    ("/s/{store}/me/forget/", "404 404 404 404 404", "404 404 404 404 404"),
    ("/s/{store}/fleets/", "404 404 404 404 404", "404 404 404 404 404"),
    ("/s/{store}/fleets/sets/", "404 404 404 404 404", "404 404 404 404 404"),
    ("/s/{store}/fleets/import/", "404 404 404 404 404", "404 404 404 404 404"),
    ("/s/{store}/fleets/shared/nobody/", "404 404 404 404 404", "405 405 405 405 405"),
    ("/s/{store}/fleets/shared/nobody/picture.svg", "404 404 404 404 404", "405 405 405 405 405"),
    ("/s/{store}/fleets/{fleet}/", "404 404 404 200 200", "404 404 404 404 404"),
    ("/s/{store}/fleets/{fleet}/sheet/", "404 404 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/fleets/{fleet}/export/text/", "404 404 200 200 200", "405 405 405 405 405"),
    ("/card/nobody/", "404 404 404 404 404", "404 404 404 404 404"),
    ("/s/{store}/packs/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/packs/dominion-war-6/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/packs/import/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/s/{store}/packs/drafts/0/", "sign-in 404 404 404 404", "sign-in 404 404 404 404"),
    ("/s/{store}/packs/drafts/0/discard/", "sign-in 405 405 405 405", "sign-in 404 404 404 404"),
    ("/s/{store}/packs/{pack}/1/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/packs/{pack}/1/file/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/packs/{pack}/versions/", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/s/{store}/packs/{pack}/compare/", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/s/{store}/packs/{pack}/edit/", "sign-in 405 405 405 405", "sign-in 404 404 go go"),
    ("/s/{store}/packs/{pack}/copy/", "sign-in 405 405 405 405", "sign-in 404 404 go go"),
    ("/s/{store}/packs/{pack}/retire/", "sign-in 405 405 405 405", "sign-in 404 404 go go"),
    ("/s/{store}/new-campaign/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/s/{store}/campaigns/{campaign}/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/campaigns/{campaign}/campaign.json", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/campaigns/{campaign}/tokens/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/campaigns/{campaign}/edit/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/s/{store}/campaigns/{campaign}/new-event/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/s/{store}/campaigns/{campaign}/poster/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/campaigns/{campaign}/poster.svg", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/event.ics", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/join/", "200 200 200 200 200", "422 422 422 422 422"),
    ("/e/{event}/me/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/me/coming/", "405 405 405 405 405", "404 404 404 404 404"),
    ("/e/{event}/me/token/", "405 405 405 405 405", "404 404 404 404 404"),
    ("/e/{event}/me/wish/", "405 405 405 405 405", "404 404 404 404 404"),
    ("/e/{event}/rounds/2/dice/", "405 405 405 405 405", "404 404 404 404 404"),
    ("/e/{event}/me/call/", "405 405 405 405 405", "404 404 404 404 404"),
    ("/e/{event}/rounds/2/report/", "404 404 404 404 404", "404 404 404 404 404"),
    ("/e/{event}/live/", "204 204 204 204 204", "405 405 405 405 405"),
    ("/e/{event}/fleets/1/", "404 404 200 200 200", "404 404 422 422 422"),
    ("/e/{event}/wall/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/qr/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/rounds/1/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/rounds/2/tables/1/", "go go go go go", "405 405 405 405 405"),
    ("/e/{event}/rounds/2/fleets/1/", "404 404 200 200 200", "404 404 go go go"),
    ("/e/{event}/standings/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/s/{store}/picture.png", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/picture.png", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/standings/picture.png", "404 404 404 404 404", "405 405 405 405 405"),
    ("/e/{event}/standings/players/1/picture.png", "404 404 404 404 404", "405 405 405 405 405"),
    ("/e/{event}/standings/picture.svg", "404 404 404 404 404", "405 405 405 405 405"),
    ("/e/{event}/standings/players/1/picture.svg", "404 404 404 404 404", "405 405 405 405 405"),
    ("/e/{event}/standings/1/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/roll-offs/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/share/", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/share/players.csv", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/share/list-fortress.json", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/event.json", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/standings.json", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/pairings.json", "200 200 200 200 200", "405 405 405 405 405"),
    ("/e/{event}/desk/", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/search/", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/players/", "sign-in 404 200 200 200", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/players/check-in-all/", "sign-in 405 405 405 405", "sign-in 404 go go go"),
    ("/e/{event}/desk/players/crowds/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/players/1/", "sign-in 404 200 200 200", "sign-in 404 404 404 404"),
    ("/e/{event}/desk/players/1/faction/", "sign-in 405 405 405 405", "sign-in 404 404 409 409"),
    ("/e/{event}/desk/players/1/card/", "sign-in 404 404 200 200", "sign-in 404 404 200 200"),
    ("/e/{event}/desk/players/1/fleet/", "sign-in 404 200 200 200", "sign-in 404 404 404 404"),
    ("/e/{event}/desk/arrivals/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/arrivals/1/", "sign-in 404 404 200 200", "sign-in 404 404 409 409"),
    ("/e/{event}/desk/blank-sheet/", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/print/", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/print/paper/", "sign-in 404 409 409 409", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/print/cards/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/pair/", "sign-in 405 405 405 405", "sign-in 404 404 go go"),
    ("/e/{event}/desk/rounds/2/", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/rounds/2/by-hand/", "sign-in 405 405 405 405", "sign-in 404 404 409 409"),
    ("/e/{event}/desk/rounds/2/choose/", "sign-in 405 405 405 405", "sign-in 404 404 409 409"),
    ("/e/{event}/desk/rounds/2/discard/", "sign-in 405 405 405 405", "sign-in 404 404 409 409"),
    ("/e/{event}/desk/rounds/2/publish/", "sign-in 405 405 405 405", "sign-in 404 404 409 409"),
    ("/e/{event}/desk/rounds/2/repair/", "sign-in 404 404 200 200", "sign-in 404 404 200 200"),
    ("/e/{event}/desk/rounds/2/clock/", "sign-in 405 405 405 405", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/rounds/2/close/", "sign-in 404 404 200 200", "sign-in 404 404 409 409"),
    ("/e/{event}/desk/rounds/2/signed/", "sign-in 405 405 405 405", "sign-in 404 go go go"),
    ("/e/{event}/desk/rounds/2/tables/1/signed/", "sign-in 405 405 405 405", "sign-in 404 go go go"),
    ("/e/{event}/desk/rounds/2/results/", "sign-in 404 200 200 200", "sign-in 404 go go go"),
    ("/e/{event}/desk/rounds/2/tables/1/", "sign-in 404 200 200 200", "sign-in 404 422 422 422"),
    ("/e/{event}/desk/rounds/2/tables/1/ruling/", "sign-in 404 200 200 200", "sign-in 404 422 422 422"),
    ("/e/{event}/desk/rounds/2/bye/ruling/", "sign-in 404 200 200 200", "sign-in 404 422 422 422"),
    ("/e/{event}/desk/rounds/2/tables/2/take/", "sign-in 405 405 405 405", "sign-in 404 409 409 409"),
    ("/e/{event}/desk/rounds/2/tables/1/move/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/tables/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/bonuses/", "sign-in 404 404 go go", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/wishes/0/", "sign-in 405 405 405 405", "sign-in 404 404 404 404"),
    ("/e/{event}/desk/calls/0/", "sign-in 405 405 405 405", "sign-in 404 409 409 409"),
    ("/e/{event}/desk/rounds/2/tables/1/roll-off/", "sign-in 404 go go go", "sign-in 404 409 409 409"),
    ("/e/{event}/desk/rounds/1/roll-off/standing/1-2/", "sign-in 404 200 200 200", "sign-in 404 409 409 409"),
    ("/e/{event}/desk/share/", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/share/players.csv", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/share/archive.json", "sign-in 404 404 200 200", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/token/", "sign-in 404 200 200 200", "sign-in 404 404 404 404"),
    ("/e/{event}/desk/screens/", "sign-in 404 200 200 200", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/screens/take-down/", "sign-in 405 405 405 405", "sign-in 404 404 go go"),
    ("/e/{event}/desk/finish/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/reopen/", "sign-in 404 404 go go", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/awards/", "sign-in 404 200 200 200", "sign-in 404 404 go go"),
    ("/e/{event}/desk/plans/", "sign-in 404 404 200 200", "sign-in 404 404 404 404"),
    ("/e/{event}/desk/month/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/settings/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/settings/for-new-events/", "sign-in 405 405 405 405", "sign-in 404 404 go go"),
    ("/e/{event}/desk/journal/", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/journal/csv/", "sign-in 404 200 200 200", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/rehearsal/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
    ("/e/{event}/desk/rehearsal/step/", "sign-in 405 405 405 405", "sign-in 404 404 404 404"),
    ("/e/{event}/desk/rehearsal/pace/", "sign-in 405 405 405 405", "sign-in 404 404 404 404"),
    ("/e/{event}/desk/rehearsal/discard/", "sign-in 405 405 405 405", "sign-in 404 404 go go"),
    ("/e/{event}/desk/history/", "sign-in 404 404 200 200", "sign-in 405 405 405 405"),
    ("/e/{event}/desk/history/undo/", "sign-in 405 405 405 405", "sign-in 404 404 404 404"),
    ("/e/{event}/desk/history/redo/", "sign-in 405 405 405 405", "sign-in 404 404 404 404"),
    ("/e/{event}/desk/history/{snapshot}/", "sign-in 404 404 200 200", "sign-in 404 404 422 422"),
)

# What can be done with the token, in a first month: the answers to a POST with that verb and all it takes.
TOKEN = "/e/{event}/desk/token/"
TOKEN_VERBS = (
    ("grant", "sign-in 404 409 409 409"),
    ("spend", "sign-in 404 409 409 409"),
    ("decline", "sign-in 404 404 409 409"),
    ("take_back", "sign-in 404 404 409 409"),
    ("unspend", "sign-in 404 404 409 409"),
)

# What can be done for one player: the answers to a POST with that verb.
PLAYER = "/e/{event}/desk/players/1/"
VERBS = (
    ("check_in", "sign-in 404 go go go"),
    ("check_out", "sign-in 404 409 409 409"),
    ("faction", "sign-in 404 404 422 422"),
    ("drop", "sign-in 404 404 go go"),
    ("return", "sign-in 404 404 409 409"),
    ("remove", "sign-in 404 404 409 409"),
    ("anything", "sign-in 404 404 404 404"),
)


@pytest.fixture(scope="module")
def world(stored: None) -> tuple[dict[str, str], dict[str, SimpleCookie]]:
    """The places, and with which cookies each role goes there: signed in once for all of them."""
    places, people = places_and_people()
    return places, {role: cookies_of(user) for role, user in people.items()}


def cookies_of(user: User | None) -> SimpleCookie:
    client = Client()
    if user:
        client.force_login(user)
    return client.cookies


def places_and_people() -> tuple[dict[str, str], dict[str, User | None]]:
    """Places in a store with round 2 of an event in play, and who goes there."""
    night = make_night(players=5, rounds=1, open_round=True, tables=1)
    _, others = make_store("Deck Twelve")
    by = Actor(None, "test", timezone.now())
    house_rulings.add(night.store, by=by, topic="Late arrivals", text="They play with the time that is left.")
    talon_classes.add(night.store, by=by, name="Kestrel class", curves="4-1-2")
    starter.load()
    places = {
        "store": night.store.slug,
        "campaign": night.campaign.slug,
        "event": night.event.slug,
        "short": short_code_of(night.event),
        "set_up": stores.invite(None, Role.OWNER, by=by),
        "invitation": stores.invite(night.store, Role.JUDGE, by=by),
        "asked": asked_for_a_store(),
        "request": StoreRequest.objects.get().pk,
        "waiting": night.store.invitations.get().pk,
        "judge": Membership.objects.get(user=night.judge).pk,
        "fleet": bring(night.event, 1).pk,
        "player": night.event.entrants.get(number=1).player_id,
        "other": night.event.entrants.get(number=2).player_id,
        "merge": merged(night, by).pk,
        "pack": saved(night.store, night.owner).own.slug,
        "snapshot": snapshots_of(night.event)[0].pk,
        "printed": CatalogueCard.objects.order_by("key").first().pk,
    }
    users = (None, others["owner"], night.judge, night.organizer, night.owner)
    return places, dict(zip(ROLES, users, strict=True))


def merged(night: Night, by: Actor) -> PlayerMerge:
    """Two players who came to no event, found to be one."""
    names = ("Visitor", "Visitor K.")
    kept, other = (Player.objects.create(store=night.store, name=name) for name in names)
    return store_players.merge(kept, other, by=by)


@pytest.mark.parametrize(("path", "get", "post"), ACCESS, ids=[row[0] for row in ACCESS])
def test_each_role_gets_its_answer(world, path, get, post):
    places, visitors = world
    path = path.format(**places)
    expected = {"get": asked_with(get), "post": asked_with(post)}

    answers = {
        method: {role: answer(visitors[role], method, path) for role in roles} for method, roles in expected.items()
    }

    assert answers == expected


@pytest.mark.parametrize(("verb", "expected"), VERBS)
def test_each_role_may_do_for_a_player_what_its_role_says(world, verb, expected):
    places, visitors = world
    path = PLAYER.format(**places)

    answers = {role: answer(visitors[role], "post", path, {"do": verb}) for role in asked_with(expected)}

    assert answers == asked_with(expected)


@pytest.mark.parametrize(("verb", "expected"), TOKEN_VERBS)
def test_each_role_may_do_with_the_token_what_its_role_says(world, verb, expected):
    places, visitors = world
    path, data = TOKEN.format(**places), {"do": verb, "who": 1, "round": 1, "reason": "tried"}

    answers = {role: answer(visitors[role], "post", path, data) for role in asked_with(expected)}

    assert answers == asked_with(expected)


def test_every_url_is_in_the_table(world):
    places, _ = world

    listed = [resolve(path.format(**places)).url_name for path, _, _ in ACCESS]

    assert sorted(listed) == sorted(names(get_resolver()))


def test_with_each_change_the_first_role_asks_and_each_that_is_answered_otherwise():
    assert [*borders("sign-in 404 404 go go")] == ["stranger", "elsewhere", "organizer"]
    assert [*borders("200 200 200 200 200")] == ["stranger"]


def asked_with(expected: str) -> dict[str, str]:
    """Role → its answer in that row of a table, of those that ask in this run."""
    return dict(zip(ROLES, expected.split(), strict=True)) if everything_runs() else borders(expected)


def borders(expected: str) -> dict[str, str]:
    """Role → its answer, of those whose answer is another than that of the role before."""
    answers = expected.split()
    return {role: one for role, one, before in zip(ROLES, answers, ["", *answers], strict=False) if one != before}


def answer(cookies: SimpleCookie, method: str, path: str, data: dict | None = None) -> str:
    """What who has these cookies gets; what the request changed is undone."""
    client = Client()
    client.cookies.update(cookies)
    with transaction.atomic():
        response = getattr(client, method)(path, data)
        transaction.set_rollback(True)
    if response.status_code == 422 and 'name="kept"' in response.text:
        return "sign-in"
    if response.status_code != 302:
        return str(response.status_code)
    return "sign-in" if response.headers["Location"].startswith("/sign-in/") else "go"


def names(resolver: URLResolver) -> Iterator[str]:
    """The name of every URL below it."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield pattern.name
        else:
            yield from names(pattern)
