"""What becomes of PDFs that are cut, looped, locked, empty or made to harm: a named failure, and no process left."""

import asyncio
import gzip
import io
import json
import os
import re
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter

from connectors.errors import BadResponse, DeadlineExceeded, SourceError, Unsupported
from connectors.http.deadline import deadline
from connectors.identifiers import doi
from connectors.pdf import child, reading
from connectors.pdf.layout import lines_of
from connectors.pdf.parsing import parsed
from connectors.pdf.reading import read_pages
from connectors.records.matching import family_key, title_key
from tests.connectors.pdf.writing import looped, many_pages, of_contents, pdf
from tests.rows import each

REPOSITORY = Path(__file__).parents[3]
GOOD = pdf([[(72.0, 700.0, "References"), (72.0, 680.0, "[1] A. Doe (2020)."), (90.0, 669.0, "A “good” title.")]])
HEAVY = b"BT /F1 9 Tf\n" + b"1 0 0 1 72 700 Tm (word) Tj\n" * 20_000 + b"ET"
ENDLESS = many_pages(1_500, HEAVY)
"""Small on the line, and more to read than anyone has time for."""


def locked(password: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(GOOD)))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def open_files() -> list[str]:
    """The descriptors that this process has open."""
    return sorted(os.listdir("/proc/self/fd"))


def children() -> list[int]:
    """The processes that this one started and that are still there, zombies included."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.append(int(stat.parent.name))
    return found


def test_the_lines_of_a_page_come_with_their_places() -> None:
    assert asyncio.run(read_pages(GOOD)) == [
        [(72.0, 700.0, "References"), (72.0, 680.0, "[1] A. Doe (2020)."), (90.0, 669.0, "A “good” title.")]
    ]
    assert lines_of(asyncio.run(read_pages(GOOD)))[-1] == "  A “good” title."


@each(
    ("data", "failure", "words"),
    [
        (b"%PDF-1.7\n", BadResponse, "damaged"),
        (b"", BadResponse, "damaged"),
        (GOOD[: len(GOOD) // 3], BadResponse, "damaged"),
        (looped(), BadResponse, "damaged"),
        (of_contents([b"[" * 200_000]), SourceError, "refused|text|damaged"),
        (of_contents([b"1 0 0 RG 10 10 200 200 re f"]), Unsupported, "scanned"),
        (pdf([[]]), Unsupported, "scanned"),
        (locked("secret"), Unsupported, "locked"),
        (many_pages(2_001, b"BT ET"), BadResponse, "2,000 pages"),
    ],
    ids=["header only", "empty", "cut", "looped", "deep", "scanned", "no text", "locked", "too many pages"],
)
def test_a_bad_pdf_is_refused_by_name(data: bytes, failure: type[SourceError], words: str) -> None:
    with pytest.raises(failure, match=words) as caught:
        asyncio.run(read_pages(data))
    assert caught.value.source == "pdf"


def test_a_text_too_long_to_be_read_whole_is_refused_and_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut, its list of references would be missing, and words that stand in it would not be found."""
    monkeypatch.setattr(child, "MOST_CHARACTERS", 5)
    assert child._read(pdf([[(72.0, 700.0, "one")], [(72.0, 700.0, "two")]])) == {"fault": "text"}
    with pytest.raises(BadResponse, match="8,000,000 letters"):
        reading._understood(b'{"fault": "text"}', 0)


def test_a_pdf_that_is_locked_against_changes_only_is_read() -> None:
    """Publishers lock PDFs with an empty password: everyone may read them."""
    assert asyncio.run(read_pages(locked("")))


def test_one_broken_page_does_not_cost_the_others() -> None:
    pages = [b"BT /F1 9 Tf 1 0 0 1 72 700 Tm (whole) Tj ET", b"BT /F9 9 Tf 1 0 (\xff Tj ["]
    assert asyncio.run(read_pages(of_contents(pages)))[0] == [(72.0, 700.0, "whole")]


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are counted in /proc")
def test_a_reader_out_of_time_is_killed() -> None:
    async def read() -> None:
        async with deadline("pdf", 1.0):
            await read_pages(ENDLESS)

    before = children()
    with pytest.raises(
        DeadlineExceeded, match=r"too long|did not answer"
    ):  # on a busy machine the time of both is up at once
        asyncio.run(read())
    assert children() == before


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are counted in /proc")
def test_who_gives_up_twice_leaves_no_reader_and_no_pipe_behind() -> None:
    async def read() -> None:
        before, files = children(), open_files()
        reading = asyncio.create_task(read_pages(ENDLESS))
        while children() == before:
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.1)
        while not reading.done():
            reading.cancel()
            await asyncio.sleep(0)
        assert reading.cancelled()
        assert (children(), open_files()) == (before, files)

    asyncio.run(read())


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are counted in /proc")
def test_a_person_who_leaves_takes_the_reader_along() -> None:
    before = children()

    async def read() -> None:
        reading = asyncio.create_task(read_pages(ENDLESS))
        while children() == before:
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.3)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    asyncio.run(read())
    assert children() == before


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit addresses")
@pytest.mark.parametrize("confined", [True, False])
def test_the_reader_has_no_more_memory_than_it_may_have(confined: bool) -> None:
    """With its limits on, 400 MiB are refused; without them they are not, so it is the limits that refuse."""
    code = f"import connectors.pdf.child as c; c._confine() if {confined} else None; len(bytearray(400 << 20))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, cwd=REPOSITORY)
    assert (b"MemoryError" in done.stderr) is confined


def test_the_reader_cannot_write_files(tmp_path: Path) -> None:
    code = (
        f"import connectors.pdf.child as c; c._confine(); open({str(tmp_path / 'x')!r}, 'w', buffering=1).write('x\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, cwd=REPOSITORY)
    assert done.returncode != 0
    assert not (tmp_path / "x").exists() or (tmp_path / "x").read_text() == ""


@pytest.mark.skipif(not Path("/proc").exists(), reason="memory is read off /proc")
def test_a_bomb_takes_no_more_memory_than_it_may() -> None:
    """Some kilobytes that unpack to 64 MiB of text: the reader says so, and stays below 300 MiB."""
    code = (
        "import sys, connectors.pdf.child as c; c.main();"
        "sys.stderr.write(open('/proc/self/status').read().split('VmPeak:')[1].split()[0])"
    )
    data = of_contents([b"(" * (64 << 20)])
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=False, cwd=REPOSITORY)
    assert int(done.stderr) <= child.MEMORY // 1024
    with pytest.raises(BadResponse, match="300 MiB"):
        reading._understood(done.stdout, done.returncode)


@pytest.mark.skipif(not Path("/proc").exists(), reason="the environment is read off /proc")
def test_the_reader_sees_nothing_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key in the environment stays here, and so does a setting that would make the child run other code."""
    monkeypatch.setenv("OPENALEX_API_KEY", "sk-CANARY")
    monkeypatch.setenv("PYTHONSTARTUP", "x")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "nowhere"))

    async def environment() -> bytes:
        reading = asyncio.create_task(read_pages(ENDLESS))
        while not (found := [one for one in children() if one not in before]):
            await asyncio.sleep(0.02)
        seen = Path(f"/proc/{found[0]}/environ").read_bytes()
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        return seen

    before = children()
    seen = asyncio.run(environment())
    assert b"CANARY" not in seen
    assert b"PYTHON" not in seen


STRINGS = Path(__file__).parents[4] / "shared/citations/citetracer/invented_strings.jsonl.gz"
FLOOR = {"title": 92.0, "author": 98.0, "authors": 93.0, "year": 98.0, "identifiers": 99.0}
_DOI = re.compile(r"10\.\d{4,9}/[^\s,;]+")
_ARXIV = re.compile(r"(?:arxiv[:. ]*(?:org/(?:abs|pdf)/)?|abs/)(\d{4}\.\d{4,5})", re.IGNORECASE)
_SEVERAL = re.compile(r"(?:19|20)\d\d[a-z]?[.,]? (?!URL|doi|ISBN|arXiv|Available|In )[A-Z\W]")
"""A year that another reference follows: what a page break joined."""


def kept_for_the_report(raw: str) -> bool:
    return sha256(raw.encode()).digest()[0] % 2 == 1


def shares(rows: list[dict[str, Any]]) -> dict[str, float]:
    """The share of strings of which each part is read as it is labelled, in percent."""
    right: Counter[str] = Counter()
    for row in rows:
        work = parsed(row["raw_text"])
        names = [re.sub(r"\s*et al\.?$", "", name) for name in row["authors"]]
        families = [family_key(_family(name)) for name in filter(None, names)]
        printed = {str(name) for name in map(doi, _DOI.findall(row["raw_text"])) if name}
        printed |= {f"arxiv:{name}" for name in _ARXIV.findall(row["raw_text"])}
        right["title"] += title_key(work.title) == title_key(row["title"])
        right["author"] += family_key(work.first_author).split()[-1:] == families[0].split()[-1:]
        right["authors"] += [family_key(one.family).split()[-1] for one in work.authors] == families
        right["year"] += work.year == row["year"]
        right["identifiers"] += {str(name) for name in work.identifiers} - {
            f"doi:10.48550/arxiv.{name.partition(':')[2]}" for name in printed
        } == printed
    return {part: round(100 * right[part] / len(rows), 1) for part in FLOOR}


def _family(name: str) -> str:
    return name.split(",")[0].split()[-1] if name.split() else ""


def is_labelled_rightly(row: dict[str, Any]) -> bool:
    """Whether the string is one reference, and its labels, which a program made, can be right."""
    names = row["authors"]
    return bool(
        names and row["title"] and not _SEVERAL.search(row["raw_text"])
        and all(re.search(r"\d|[.] [A-Z][a-z]+ [a-z]", name) is None for name in names)
        and not re.match(r"[^.:]*\bet al$|\W|.{0,2}$", row["title"])
    )  # fmt: skip


@pytest.mark.skipif(not STRINGS.exists(), reason="the shared references are not here")
def test_strings_that_no_one_looked_at_are_read_into_fields() -> None:
    with gzip.open(STRINGS, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    kept = [row for row in rows if kept_for_the_report(row["raw_text"]) and is_labelled_rightly(row)]
    got = shares(kept)
    assert len(kept) > 100
    assert {part: share for part, share in got.items() if share < FLOOR[part]} == {}
