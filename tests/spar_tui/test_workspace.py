"""Whoever works with the library leaves a backup of it behind, whatever comes of the work."""

from datetime import date, datetime
from pathlib import Path

import pytest

from cache import papers
from cache.backup_files import daily_name
from cache.backups import lock_of
from spar_tui.errors import NothingFound
from spar_tui.settings import load_settings
from spar_tui.workspace import open_store
from tests.cache.conftest import make_paper
from tests.spar_tui.in_process import spar


def today() -> date:
    """The day now, which can change while other tests run."""
    return datetime.now().astimezone().date()


def test_after_the_work_there_is_a_backup_of_today_and_not_before(tmp_path: Path) -> None:
    settings = load_settings({"SPAR_HOME": str(tmp_path)})
    backup = daily_name(settings.places.database, today())

    def work() -> None:
        with open_store(settings) as store:
            papers.remember(store, [make_paper("Kept", "pmid:1")])
            assert not backup.exists()
            raise NothingFound("what is looked for is not there")

    with pytest.raises(NothingFound):
        work()
    assert backup.exists()


def test_a_verb_does_its_work_where_no_backup_can_be_made(tmp_path: Path) -> None:
    settings = load_settings({"SPAR_HOME": str(tmp_path / "spar")})
    lock_of(settings.places.database).mkdir(parents=True)
    (tmp_path / "one.bib").write_text("@article{a, title = {Kept}, author = {Ada Lovelace}, year = 1843}")
    assert spar(tmp_path, "import", str(tmp_path / "one.bib")).returncode == 0
    ran = spar(tmp_path, "shelf")
    assert (ran.returncode, ran.stderr) == (0, "1 paper on the shelf\n")
    assert "Kept" in ran.stdout
    assert "there is none. The library" in spar(tmp_path, "doctor", "--offline").stdout
