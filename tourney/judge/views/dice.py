"""The judge's desk, for everybody: the Rule of 3, dice with their odds, and what scenarios decide by dice.

The address holds everything. A page in a browser with scripts works its own answers out (static/js), the same ones.
"""

from secrets import token_hex

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from scoring.domain.roll_offs import ATTACK_DIE, DEFENSE_DIE
from tourney import access
from tourney.judge.domain.dice import LETTERS
from tourney.judge.domain.rule_of_three import Question, answer
from tourney.judge.domain.scenario_dice import ATTACK, DEFENSE, NextRoll, no_more
from tourney.judge.forms.dice import DiceForm, keys_of
from tourney.judge.forms.rule_of_three import CHIPS, EXAMPLES, RuleOfThreeForm
from tourney.judge.forms.scenario_dice import PROCEDURES, ProcedureForm
from tourney.judge.queries.dice import FACES, from_hand, from_seed, odds
from tourney.runtime.messages import message
from tourney.views import responses
from tourney.views.event import night_bar

RECIPE = (
    (message("Attack die"), tuple(FACES[face] for face in ATTACK_DIE)),
    (message("Defense die"), tuple(FACES[face] for face in DEFENSE_DIE)),
)
KEYS = {die: keys_of(die) for die in (ATTACK, DEFENSE)}


@require_safe
def rule_of_3(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Rule 8: a value with everything that is on it."""
    form = RuleOfThreeForm(request.GET)
    if form.asks_for_rows:
        return _to(request, form.address())
    context = {
        "form": form,
        "answer": answer(form.question() if form.is_valid() else Question(0)),
        "chips": CHIPS,
        "examples": EXAMPLES,
    }
    return _show(request, slug, "judge/rule_of_3.html", context, form.is_valid())


@require_safe
def dice(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Rule 4.2: a wish and its odds; with a seed or a hand the dice that were rolled."""
    form = DiceForm(request.GET)
    if form.is_valid() and (query := form.pressed(token_hex(4))):
        return _to(request, query)
    context = {"form": form, "keys": KEYS, "recipe": RECIPE}
    if form.is_valid():
        kind, many, wish, seed = form.kind, form.cleaned_data["dice"], form.wish(), form.cleaned_data["seed"]
        context |= {"wish": wish, "odds": odds(kind, many, wish)}
        if form.by_hand:
            lying = from_hand(kind, many, wish, form.hand)
            context |= {"lying": lying, "missing": range(lying.missing)}
        elif seed:
            context |= {"seed": seed, "again": request.GET.getlist("again")}
            context["lying"] = from_seed(kind, many, wish, seed, form.again)
    return _show(request, slug, "judge/dice.html", context, form.is_valid())


@require_safe
def scenarios(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Roll-offs and what the months' scenarios decide by dice."""
    what = request.GET.get("what") if request.GET.get("what") in PROCEDURES else next(iter(PROCEDURES))
    is_asked = bool(request.GET.keys() - {"what"})
    forms = [ProcedureForm(one, request.GET if is_asked and one == what else None) for one in PROCEDURES]
    form = next(one for one in forms if one.what == what)
    if form.is_valid() and (query := form.pressed(token_hex(4))):
        return _to(request, query)
    context = {"form": form, "forms": forms, "keys": KEYS, "recipe": RECIPE}
    if form.is_valid() and (played := form.played()):
        context |= {"played": played, "seed": "" if form.by_hand else form.cleaned_data["seed"]}
        if played.next:
            context |= _typing(played.next, form.hand(played.next))
    return _show(request, slug, "judge/scenarios.html", context, not form.errors)


def _typing(next: NextRoll, hand: str) -> dict[str, object]:
    """The dice on the table that are being typed."""
    faces = [{"face": face, "is_wanted": face == next.face} for face in map(LETTERS.get, hand)]
    return {
        "hand_text": hand,
        "hand": faces,
        "missing": range(next.dice - len(hand)),
        "rest": no_more(next.face, any(one["is_wanted"] for one in faces)),
    }


def _to(request: HttpRequest, query: str) -> HttpResponse:
    return redirect(f"{request.path}?{query}")


def _show(request: HttpRequest, slug: str, template: str, context: dict[str, object], is_right: bool) -> HttpResponse:
    """The page, at a store with its header."""
    if slug:
        store = access.store_for(request, slug)
        context |= responses.store_context(request, store, section="judge", **night_bar(request, store, "rules"))
    return render(request, template, context, status=200 if is_right else 422)
