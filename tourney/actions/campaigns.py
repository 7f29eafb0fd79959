"""A campaign gets another name and rules for its season, goes to the archive, and comes back from there."""

from dataclasses import asdict

from django.db import transaction

from scoring.domain.season import SeasonRules
from scoring.domain.season_words import rules_said
from tourney.actions.record import Actor, bump_version_and_notify, record_at_store
from tourney.domain.verbs import Verb
from tourney.models import Campaign
from tourney.runtime.messages import in_a_row, message


@transaction.atomic
def rename_campaign(campaign: Campaign, name: str, *, by: Actor) -> None:
    """Give the campaign another name; its address stays, and every page of its events notices."""
    events = list(campaign.events.select_for_update().order_by("pk"))
    campaign = _locked(campaign)
    if campaign.storyline == name:
        return
    before, campaign.storyline = {"name": campaign.storyline}, name
    campaign.save(update_fields=["storyline"])
    what = message("Campaign “{before}” renamed to “{name}”.", before=before["name"], name=name)
    record_at_store(campaign.store, by=by, did=Verb.RENAME_CAMPAIGN, what=what, before=before, after={"name": name})
    for event in events:
        bump_version_and_notify(event)


@transaction.atomic
def change_season_rules(campaign: Campaign, rules: SeasonRules, *, by: Actor) -> None:
    """Rule 5.8: what counts in the season, from now on and for the months that were played."""
    campaign = _locked(campaign)
    before, after = asdict(campaign.season_rules), asdict(rules)
    if before == after:
        return
    for name, value in after.items():
        setattr(campaign, name, value)
    campaign.save(update_fields=after)
    said = in_a_row(rules_said(rules))
    what = message("Season rules of “{name}” changed: {rules}", name=campaign.storyline, rules=said)
    record_at_store(campaign.store, by=by, did=Verb.CHANGE_SEASON_RULES, what=what, before=before, after=after)


@transaction.atomic
def archive_campaign(campaign: Campaign, *, by: Actor) -> None:
    """The campaign stands folded at the end of lists; nothing of it is lost."""
    campaign = _locked(campaign)
    if campaign.archived_at is None:
        campaign.archived_at = by.at
        campaign.save(update_fields=["archived_at"])
        what = message("Campaign “{name}” archived.", name=campaign.storyline)
        record_at_store(campaign.store, by=by, did=Verb.ARCHIVE_CAMPAIGN, what=what)


@transaction.atomic
def bring_back_campaign(campaign: Campaign, *, by: Actor) -> None:
    """The campaign is among the others again."""
    campaign = _locked(campaign)
    if campaign.archived_at is not None:
        campaign.archived_at = None
        campaign.save(update_fields=["archived_at"])
        what = message("Campaign “{name}” is back from the archive.", name=campaign.storyline)
        record_at_store(campaign.store, by=by, did=Verb.BRING_BACK_CAMPAIGN, what=what)


def _locked(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_for_update(of=("self",)).select_related("store").get(pk=campaign.pk)
