"""The whole story: phones report while the primary is killed, the bouncer restarted and one Flagship killed."""

import shutil
import time
from collections import Counter
from pathlib import Path
from statistics import quantiles
from tempfile import mkdtemp

from tests.attack.figures import Figures
from tests.cluster.cluster import Cluster, cluster
from tests.cluster.programs import until
from tests.cluster.publishing import published
from tests.cluster.storm import FINAL, Storm

SHOWN = 10
"""Seconds after the failover until every open page shows what was stored."""
P95 = 1
"""Second from a press of “Publish” to 95 of 100 phones of every host."""
REPORTS = "SELECT count(*) FROM tourney_journalentry WHERE did IN ('report', 'report_result')"
RESULTS = "SELECT match_id, version, sp_left_a, sp_left_b FROM tourney_result"


def play(reports: int, *, players: int, drafts: int, watchers: int, phones: int) -> Figures:
    """So many reports of four events, and so many publications; what was measured, beside what it may be."""
    folder = Path(mkdtemp(prefix="flagship-cluster-"))
    figures = Figures(f"Three hosts, two PostgreSQL: {reports:,} reports while hosts die")
    try:
        with cluster(folder) as hosts:
            night = hosts.prepare(4, players, drafts)
            publish(hosts, night["drafts"], phones, figures)
            weather(hosts, Storm(hosts, night, reports, watchers=watchers), figures)
            proved = hosts.run("manage.py", "prove_history")  # fails where it finds anything
            figures.holds("prove_history finds all as recorded", "as recorded" in proved)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return figures


def publish(hosts: Cluster, drafts: list[dict], phones: int, figures: Figures) -> None:
    taken = published(hosts, drafts, phones)
    figures.say("publications, to phones of every host", f"{len(drafts)}, {len(taken)}")
    figures.at_most("from the press to a phone, p95", quantiles(taken, n=20)[-1], P95, "s")
    figures.say("the last of them", f"{max(taken):.3f} s")


def weather(hosts: Cluster, storm: Storm, figures: Figures) -> None:
    storm.begin()
    storm.wait_for(0.25)
    away, shown = kill_the_primary(hosts, storm)
    storm.wait_for(0.6)
    hosts.pooler.kill()
    hosts.pooler.start()
    storm.wait_for(0.8)
    hosts.sites[1].kill()
    storm.end()
    last = storm.shown_after()
    storm.stop()

    keys = Counter(key for (key,) in hosts.rows("SELECT key FROM tourney_receipt"))
    [(journal,)] = hosts.rows(REPORTS)
    results = hosts.rows(RESULTS)
    figures.say("answers", dict(sorted(storm.statuses.items())))
    figures.say("acknowledged", len(storm.acknowledged))
    figures.none("acknowledged and lost", [key for key in storm.acknowledged if not keys[key]])
    figures.none("stored more than once", [key for key, times in keys.items() if times > 1])
    figures.holds("as many entries of the journal as reports", journal == keys.total())
    figures.say("tables that agreed", len(storm.tables))
    figures.holds("with one result each, the one reported", results_are(results, len(storm.tables)))
    figures.none("other answers than yes, and not now", storm.odd)
    figures.say("from the kill of the primary to the next report stored", f"{away:.1f} s")
    figures.at_most("and from there until every open page shows it", shown, SHOWN, "s")
    figures.at_most("after the last report, until every open page shows it", last, SHOWN, "s")


def kill_the_primary(hosts: Cluster, storm: Storm) -> tuple[float, float]:
    """Seconds until the next report is stored, by the other PostgreSQL; and from then until every page shows it."""
    start, leader = time.monotonic(), hosts.leader
    leader.kill()
    until(lambda: any(one.leads for one in hosts.databases if one is not leader), "The standby takes over")
    stored = storm.next_acknowledged()
    return stored - start, storm.shown_after()


def results_are(results: list[tuple], tables: int) -> bool:
    """Whether each of so many tables has one, in its first version, as its players agreed."""
    facts = Counter(tuple(row) for _, *row in results)
    return len({match for match, *_ in results}) == tables and facts == {(1, *FINAL): tables}
