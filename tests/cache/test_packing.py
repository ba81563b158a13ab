"""A cell of somebody else's library costs no more memory than a text may have."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache.packing import MOST, compress, decompress


@given(text=st.text())
def test_a_text_comes_back(text: str) -> None:
    assert decompress(compress(text)) == text


@pytest.mark.parametrize(
    "cell",
    [b"", b"{}", compress("a text")[:-1], zlib.compress(b"\xff"), zlib.compress(bytes(MOST + 1)), "text", None, 5],
    ids=["empty", "plain", "cut off", "no text", "too long", "text", "null", "number"],
)
def test_what_is_no_compressed_text_is_refused(cell: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decompress(cell)
