"""A line is read as far as a row needs it, and as the whole of it would be."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("msgspec", reason="the extra `corpus` is not installed")

from cache.corpus.batches import NoJson, record_in
from cache.corpus.rows import WorkFilter, row_of
from tests.cache.corpus.dumps import work
from tests.rows import each

odd = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
USUAL = work(1, "Roses in the garden")
NAMES = sorted({*USUAL, "display_name", "corpusid", "externalids", "s2fieldsofstudy", "abstract", "elsewhere"})


@given(changed=st.dictionaries(st.sampled_from(NAMES), odd, max_size=4))
def test_whatever_shape_its_fields_have_a_record_becomes_the_row_that_the_whole_of_it_becomes(
    changed: dict[str, Any],
) -> None:
    record = json.loads(json.dumps(USUAL | changed))
    assert row_of(record_in(json.dumps(record).encode()), WorkFilter()) == row_of(record, WorkFilter())


def test_what_no_row_needs_is_passed_over() -> None:
    told = record_in(json.dumps(USUAL | {"counts_by_year": [{"year": 2020}]}).encode())
    assert isinstance(told, dict)
    assert "counts_by_year" not in told
    assert told["title"] == USUAL["title"]


@each("line", [b"", b"{", b'{"id": nan}', b'{"title": "\xff"}', b"[" * 200_000, b'{"a": 1} {}'])
def test_what_is_no_json_is_said_to_be_none(line: bytes) -> None:
    with pytest.raises(NoJson):
        record_in(line)


def test_what_is_json_and_no_record_is_what_it_is() -> None:
    assert record_in(b"[1, 2]") == [1, 2]
