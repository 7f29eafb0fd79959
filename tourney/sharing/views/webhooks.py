"""The page of a store's webhook, for its owners."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tourney import access
from tourney.runtime.messages import message
from tourney.sharing.actions import webhooks
from tourney.sharing.domain.webhooks import SIGNATURE
from tourney.sharing.forms.webhooks import WebhookForm
from tourney.sharing.queries.webhook_log import is_under_way, log_of, webhook_of
from tourney.views import responses
from tourney.views.addresses import site_of


@never_cache
@login_required
def webhook(request: HttpRequest, slug: str) -> HttpResponse:
    """The settings of the webhook, its secret, and the log of what was sent."""
    store = access.store_for(request, slug, *access.OWNERS)
    found = webhook_of(store)
    form = WebhookForm(responses.posted(request), initial=WebhookForm.facts_of(found))
    if form.is_valid():
        by = responses.actor_of_request(request)
        webhooks.save_webhook(store, **form.cleaned_data, site=site_of(request), by=by)
        messages.success(request, str(message("Saved. Send a test to see whether messages arrive.")))
        return redirect("webhook", store.slug)
    log = log_of(found) if found else []
    context = responses.store_context(
        request,
        store,
        section="settings",
        form=form,
        webhook=found,
        log=log,
        kept=webhooks.KEPT,
        is_under_way=is_under_way(log),
        signature=SIGNATURE,
    )
    return responses.show(
        request, "share/webhook.html", context, parts={"webhook-log"}, status=422 if form.is_bound else 200
    )


@login_required
@require_POST
def test_webhook(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a test; the log says what came of it."""
    store = access.store_for(request, slug, *access.OWNERS)
    webhooks.send_test(store, by=responses.actor_of_request(request))
    return redirect("webhook", store.slug)


@login_required
@require_POST
def new_webhook_secret(request: HttpRequest, slug: str) -> HttpResponse:
    """Sign with another secret from now on."""
    store = access.store_for(request, slug, *access.OWNERS)
    webhooks.make_new_secret(store, by=responses.actor_of_request(request))
    messages.success(request, str(message("New secret made. Enter it in the program that receives the messages.")))
    return redirect("webhook", store.slug)


@login_required
@require_POST
def turn_off_webhook(request: HttpRequest, slug: str) -> HttpResponse:
    """Send nothing any more."""
    store = access.store_for(request, slug, *access.OWNERS)
    webhooks.turn_off(store, by=responses.actor_of_request(request))
    messages.success(request, str(message("Webhook turned off. Save it to turn it on again.")))
    return redirect("webhook", store.slug)
