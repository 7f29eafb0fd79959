"""The dice of a tied table, from its players' phones: one enters them, the other confirms them (rules 2.7, 4.1)."""

import secrets

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from tourney import access
from tourney.actions import roll_offs as actions
from tourney.actions.record import Refused
from tourney.forms.reports import KeyForm
from tourney.forms.roll_offs import RollForm
from tourney.views.reports import here_or_404, show_table


@require_POST
def my_dice(request: HttpRequest, slug: str, round: int) -> HttpResponse:
    """What I say of the next roll: its dice, or to have it rolled; the page of my result shows what became of it."""
    event = access.event_for(request, slug)
    here = here_or_404(request, event, round)
    key, do = KeyForm(request.POST), request.POST.get("do")
    names, numbers = here.state.names, here.match.numbers
    form = RollForm(request.POST, levels=(numbers,), names=names, roll=1)
    if here.match.state != "tied" or not key.is_valid():
        return redirect("report", slug, round)
    if do != "software" and not form.is_valid():
        return show_table(request, here, roll_form=form, status=422)
    roll = request.POST.get("roll", "")
    try:
        actions.say_dice(
            *here.seat,
            None if do == "software" else form.counts,
            roll=int(roll) if roll.isascii() and roll.isdigit() and len(roll) < 4 else 0,
            seed=secrets.token_hex(8),
            by=here.act(),
            key=key.cleaned_data["key"],
            confirms=do == "confirm",
        )
    except Refused as error:
        return show_table(request, here_or_404(request, event, round), refused=error.reasons, status=409)
    return redirect("report", slug, round)
