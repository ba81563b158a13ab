"""A cell of somebody else's library costs no more memory than a text may have."""

import lzma
import zlib
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cache import packing
from cache.packing import LIKELY, LONG, MOST, compress, decompress
from tests.rows import each


@settings(deadline=None)
@given(text=st.text(max_size=20), times=st.sampled_from([1, LONG]))
def test_a_text_comes_back(text: str, times: int) -> None:
    assert decompress(compress(text * times)) == text * times


def test_a_cell_of_an_earlier_version_is_read() -> None:
    assert decompress(zlib.compress("naïve".encode())) == "naïve"


def test_what_short_cells_hold_only_by_how_they_differ_from_it_never_changes() -> None:
    assert sha256(LIKELY).hexdigest() == "1c49dc1c0f142b409da1c20a8741ea7fd760b0cda407e1224cadba8a3cb5d008"
    assert len(compress('{"papers":[],"total":null,"sent":[],"notes":[]}')) < 30


def test_what_a_long_text_repeats_is_kept_once() -> None:
    part = "".join(f"{number:x}" for number in range(30_000))
    assert len(compress(part * 4)) < 1.1 * len(compress(part))


@each(
    "cell",
    [b"", b"{}", compress("a text")[:-1], compress("a" * LONG)[:-1], zlib.compress(b"\xff"), "text", None, 5],
    ids=["empty", "plain", "cut off", "long, cut off", "no text", "text", "null", "number"],
)
def test_what_is_no_compressed_text_is_refused(cell: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decompress(cell)


def test_what_would_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST", MOST >> 8)
    much = bytes(packing.MOST + 1)
    for cell in (lzma.compress(much, preset=0), zlib.compress(much)):
        with pytest.raises(ValueError, match=r"."):
            decompress(cell)
