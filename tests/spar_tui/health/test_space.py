"""`spar doctor` says what takes room in the library, and gives back what is unused when it is asked to."""

import re
from pathlib import Path

from cache.backups import keep_daily
from cache.store import Store
from spar_tui.health.space import space_told
from tests.kept_runs import unpacked
from tests.spar_tui.in_process import answer, spar


def test_the_parts_are_named_by_size_and_add_up_to_the_file(tmp_path: Path) -> None:
    path = unpacked(tmp_path) / "spar" / "spar.db"
    keep_daily(path)
    with Store.open(path) as store:
        told = space_told(store)
    sizes = [float(size) for size in re.findall(r"([\d.]+) MB", told.sentence)]
    *parts, backups = sizes
    assert told.sentence.startswith("searches and other runs ")
    assert parts == sorted(parts, reverse=True)
    assert abs(sum(parts) - path.stat().st_size / 1e6) < 0.1 * len(parts)
    assert backups > 0
    assert told.sentence.endswith("`spar history forget RUN` removes a run.")


def test_compacting_says_how_large_the_library_was_and_is(tmp_path: Path) -> None:
    path = unpacked(tmp_path) / "spar" / "spar.db"
    told = answer(tmp_path, "doctor", "--compact")
    assert told == {"database": str(path), "bytes_before": told["bytes_before"], "bytes": path.stat().st_size}
    assert told["bytes"] < told["bytes_before"] / 2
    assert re.fullmatch(rf"{path}: [\d.]+ MB before, [\d.]+ MB now\.\n", spar(tmp_path, "doctor", "--compact").stdout)
    assert spar(tmp_path, "doctor", "--compact", "--repair").returncode == 2
