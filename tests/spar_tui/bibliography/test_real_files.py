"""Bibliographies that other people keep come back whole: a part of those that the benchmark `real` goes through."""

from pathlib import Path

import pytest

from tests.benchmarks.real.round_trip import BIBLIOGRAPHIES, Tally, taken_and_given_back

EVERY = 6
LARGEST = 60_000
"""Bytes of a file that is taken: the whole is the benchmark's."""


def sample() -> list[Path]:
    files = sorted(path for path in BIBLIOGRAPHIES.rglob("*") if path.is_file() and path.stat().st_size <= LARGEST)
    return [path for path in files if path.suffix != ".md"][::EVERY]


@pytest.mark.skipif(not BIBLIOGRAPHIES.is_dir(), reason="the real bibliographies are not here")
def test_no_field_type_or_key_of_real_files_is_lost_without_a_reason_that_is_told() -> None:
    tally = Tally()
    for file in sample():
        taken_and_given_back(file, tally)
    assert tally.counts["entries"] > 500
    lost = ("fields lost", "types changed", "keys missing")
    assert {what: tally.examples.get(what, []) for what in lost} == {what: [] for what in lost}
