import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("lancedb", reason="the extra `corpus` is not installed")

import pyarrow

from cache.corpus.index import Index
from cache.corpus.ingest import build
from cache.corpus.rows import Wanted
from cache.corpus.table import LINKS, Database, schemas
from connectors.identifiers import Identifier
from tests.cache.corpus.dumps import work, written


def test_a_look_up_takes_no_longer_because_a_work_is_much_cited(tmp_path: Path) -> None:
    place, many = str(tmp_path / "corpus"), 200_000
    build(place, [written(tmp_path / "works.gz", map(work, range(1, 50)))], Wanted(), lambda file: None, processes=1)
    citing = [[7] * many, list(range(1_000, 1_000 + many)), [0] * many]
    Database(place).open()[LINKS].add(pyarrow.table(citing, schema=schemas()[LINKS]))
    index = Index(place)
    index.make_searchable()
    much, little = (_seconds(lambda name=name: index.lookup([Identifier("openalex", name)])) for name in ("W7", "W8"))
    assert much < 4 * little


def _seconds(ask: Callable[[], object]) -> float:
    """The processor time of a question, the least of several."""
    taken = []
    for _ in range(6):
        start = time.process_time()
        ask()
        taken.append(time.process_time() - start)
    return min(taken)
