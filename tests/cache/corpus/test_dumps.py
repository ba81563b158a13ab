"""Files of a dump give every whole line, however they are zipped, cut off or damaged."""

import gzip
import random
import zlib
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("isal", reason="the extra `corpus` is not installed")

from cache.corpus.dumps import DumpCutOff, chunks

lines = st.lists(st.integers(0, 40).map(lambda size: b'{"a": "%s"}' % (b"x" * size)), max_size=40)


def read(path: Path, skipped: int = 0) -> tuple[list[bytes], bool]:
    """The lines of the file, and whether it was whole."""
    found: list[bytes] = []
    try:
        for some in chunks(path, skipped, 7):
            assert len(some) <= 7
            found += some
    except DumpCutOff:
        return found, False
    return found, True


@given(told=lines, members=st.lists(st.integers(0, 40), max_size=4), padded=st.integers(0, 3), zipped=st.booleans())
def test_every_line_is_read_in_its_order_of_however_many_members_a_file_has(
    told: list[bytes], members: list[int], padded: int, zipped: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = b"".join(line + b"\n" for line in told)
    cuts = sorted({min(cut * 20, len(text)) for cut in members} | {0, len(text)})
    parts = [text[begin:end] for begin, end in pairwise(cuts)] or [b""]
    path = tmp_path_factory.mktemp("dump") / "part"
    path.write_bytes((b"\0" * padded).join(map(gzip.compress, parts)) if zipped else text)
    assert read(path) == (told, True)
    assert read(path, skipped=2) == (told[2:], True)


def test_of_a_zipped_file_that_ends_too_early_every_whole_line_is_read(tmp_path: Path) -> None:
    drawn = random.Random(5)
    text = b"".join(b'{"a": %d}\n' % drawn.randrange(10**30) for _ in range(20_000))
    whole, path = gzip.compress(text), tmp_path / "part"
    for end in (20, 3_000, len(whole) // 2, len(whole) - 4):
        path.write_bytes(whole[:end])
        there = zlib.decompressobj(31).decompress(whole[:end]).split(b"\n")[:-1]
        assert read(path) == (there, False)


def test_damage_in_the_middle_costs_what_comes_after_it(tmp_path: Path) -> None:
    drawn = random.Random(5)
    told = [b'{"a": %d}' % drawn.randrange(10**30) for _ in range(20_000)]
    damaged = bytearray(gzip.compress(b"\n".join(told)))
    damaged[len(damaged) // 2 : len(damaged) // 2 + 64] = b"\xff" * 64
    path = tmp_path / "part"
    path.write_bytes(damaged)
    found, whole = read(path)
    assert not whole
    assert len(found) > 5_000
    assert found[:5_000] == told[:5_000]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"", ([], True)),
        (b'{"a": 1}\n{"b": 2}', ([b'{"a": 1}', b'{"b": 2}'], True)),
        (b'{"a": 1}\n{"b": ', ([b'{"a": 1}'], False)),
        (b"\x1f\x8b", ([], False)),
        (gzip.compress(b'{"a": 1}\n', mtime=0) + b"more", ([b'{"a": 1}'], False)),
    ],
    ids=["nothing", "no end of line", "begun", "zipped head", "zipped and more"],
)
def test_a_line_that_has_begun_is_no_line(text: bytes, found: tuple[list[bytes], bool], tmp_path: Path) -> None:
    (tmp_path / "part").write_bytes(text)
    assert read(tmp_path / "part") == found
