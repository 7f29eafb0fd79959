"""The judge's desk, for everybody: the Rule of 3, dice with their odds, and what scenarios decide by dice."""

from secrets import token_hex

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from fleets.domain.rule_of_three import answer
from scoring.domain.rolloff import ATTACK_DIE, DEFENSE_DIE
from tourney.forms.judge_dice import DiceForm
from tourney.forms.rule_of_three import CHIPS, EXAMPLES, RuleOfThreeForm
from tourney.forms.scenario_dice import PROCEDURES, ProcedureForm
from tourney.queries.judge_dice import odds, rolled, roller
from tourney.views import shell

RECIPE = (("attack die", ATTACK_DIE), ("defense die", DEFENSE_DIE))


@require_safe
def rule_of_3(request: HttpRequest) -> HttpResponse:
    """Rule 8: the address holds everything that is on the value."""
    form = RuleOfThreeForm(request.GET)
    if form.asks_for_rows:
        return _to("judge_rule_of_3", form.address())
    context = {
        "form": form,
        "answer": answer(form.question()) if form.is_valid() else None,
        "chips": CHIPS,
        "examples": EXAMPLES,
    }
    return _show(request, "judge/rule_of_3.html", context, form.is_valid(), form.address())


@require_safe
def dice(request: HttpRequest) -> HttpResponse:
    """Rule 4.2: a wish and its odds; with a seed the dice that were rolled, and those rolled again."""
    form = DiceForm(request.GET)
    seed, again = request.GET.get("seed", "").strip(), request.GET.getlist("again")
    if form.is_valid() and "roll" in request.GET:
        return _to("judge_dice", form.address(seed=token_hex(4), again=[]))
    if form.is_valid() and "roll_again" in request.GET:
        return _to("judge_dice", form.address(seed=seed, again=[*again, *filter(None, [form.picked()])]))
    address = form.address(seed=seed, again=again)
    context = {"form": form, "seed": seed, "again": again, "address": address, "recipe": RECIPE}
    if form.is_valid():
        kind, many, wish = form.kind, form.cleaned_data["dice"], form.wish()
        context |= {"wish": wish, "odds": odds(kind, many, wish)}
        context["rolled"] = rolled(kind, many, wish, seed, form.again) if seed else None
    return _show(request, "judge/dice.html", context, form.is_valid(), address)


@require_safe
def scenarios(request: HttpRequest) -> HttpResponse:
    """Roll-offs and what the months' scenarios decide by dice; the address holds the seed."""
    what = request.GET.get("what") if request.GET.get("what") in PROCEDURES else next(iter(PROCEDURES))
    is_asked = bool({"roll", "seed"} & request.GET.keys())
    form = ProcedureForm(PROCEDURES[what], request.GET if is_asked else None)
    if form.is_valid() and "roll" in request.GET:
        return _to("judge_scenarios", f"what={what}&{form.address(token_hex(4))}")
    seed = form.cleaned_data["seed"] if form.is_valid() else ""
    context = {
        "form": form,
        "what": what,
        "procedures": PROCEDURES,
        "seed": seed,
        "outcome": form.outcome(roller(seed)) if seed else None,
        "recipe": RECIPE,
    }
    return _show(request, "judge/scenarios.html", context, not form.errors)


def _to(name: str, query: str) -> HttpResponse:
    return redirect(f"{reverse(name)}?{query}")


def _show(request: HttpRequest, template: str, context: dict, is_right: bool, query: str | None = None) -> HttpResponse:
    """The page, or its answer alone; htmx is told the address under which it is found again."""
    response = shell.show(request, template, context, parts=("answer",), status=200 if is_right else 422)
    if request.htmx and query is not None:
        response["HX-Replace-Url"] = f"{request.path}?{query}"
    return response
