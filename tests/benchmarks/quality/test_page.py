"""The page about the quality of answers holds what the last run measured, and nothing else."""

import json

from tests.benchmarks.quality.__main__ import DATA, PAGE
from tests.benchmarks.quality.page import page


def test_the_page_is_what_the_last_run_measured() -> None:
    assert PAGE.read_text("utf-8") == page(json.loads(DATA.read_text("utf-8")))
