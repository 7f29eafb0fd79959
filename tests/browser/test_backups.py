"""An owner backs up, sees that it was tested without loading the page again, and takes the file away."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as site
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE, assert_accessible_by_day_and_night
from tests.support.nights import make_store
from tourney.backups.actions.daily import back_up_and_check
from tourney.backups.domain.backup_file import BackupReader
from tourney.backups.queries.kept import name_of
from tourney.runtime.backup_state import BackupState, BackupTrouble, write_state

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.nightly
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_backup_is_asked_for_tested_and_taken_away(
    device: dict, open_page: Callable[..., Page], server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BACKUP_DIR", str(tmp_path))
    store, users = make_store()
    now = timezone.now()
    for days in range(1, 4):
        (tmp_path / name_of(now - timedelta(days=days), "flagship")).write_bytes(b"x" * days * 1_234_567)
    (tmp_path / name_of(now - timedelta(days=5), "before-restore")).write_bytes(b"x" * 2_000_000)
    tested = name_of(now - timedelta(days=2), "flagship")
    write_state(BackupState(now - timedelta(days=1), BackupTrouble.NO_ROOM, [tested]))
    client = Client()
    client.force_login(users["owner"])
    page = open_page(device)
    name = site.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])
    page.goto(f"/s/{store.slug}/")
    page.get_by_role("link", name="The last backup failed").click()
    expect(page.get_by_text("too full for a backup")).to_be_visible()
    assert_accessible_by_day_and_night(page)

    page.get_by_role("button", name="Back up now").click()
    expect(page.get_by_text("In progress")).to_be_visible()
    assert back_up_and_check(now) is None

    expect(page.get_by_role("region", name="Last backup").get_by_text("Tested")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").first.click()
    with BackupReader.of(Path(download.value.path())) as backup:
        assert backup.manifest.heads[store.slug].number > 0
