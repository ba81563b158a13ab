"""Repeat the daily backup of a large library, which takes a process of its own, while the app is open."""

import shutil
from collections.abc import Callable
from datetime import datetime

from cache import papers
from cache.backup_files import daily_name
from cache.backups import lock_of
from cache.store import Store
from cache.upkeep import BLINK
from tests.cache.conftest import make_paper
from tests.reliability.company.verbs import VerbHome, run
from tests.reliability.company.writes import WriteLog, missing
from tests.reliability.libraries import WORDS, corrupt
from tests.spar_tui.running import wait_until

FIRST = 30_000
PAPERS = 2_500
"""Number of papers whose abstracts exceed `BLINK` bytes."""


def enlarge(home: VerbHome) -> None:
    """Make the library so large that its backup runs in a separate process."""
    records = [make_paper(f"Large {number}", f"pmid:{number}", abstract=WORDS) for number in range(1, PAPERS)]
    with Store.open(home.library) as store:
        papers.remember(store, records)
    assert home.library.stat().st_size > BLINK


def back_up(home: VerbHome, log: WriteLog, goes_on: Callable[[], bool]) -> tuple[int, int]:
    """Repeat backups by running verbs. Return the number of backups, and how many are damaged or lack an earlier
    write."""
    made = failed = 0
    while goes_on():
        number = FIRST + made
        backup = daily_name(home.library, datetime.now().astimezone().date())
        for old in (backup, lock_of(home.library)):
            old.unlink(missing_ok=True)
        earlier = list(log.writes)
        run(home, number, "history", log)
        wait_until(backup.exists)
        copy = home.folder / f"{number}.db"
        shutil.copyfile(backup, copy)
        made += 1
        failed += corrupt(copy) or bool(missing(copy, earlier))
    return made, failed
