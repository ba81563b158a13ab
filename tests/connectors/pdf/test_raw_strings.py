"""How well reference strings of real submissions are read into fields (CiteTracer's, MIT), by the half of them that
nobody looked at while the reader was made."""

import gzip
import json
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from connectors.identifiers import doi
from connectors.pdf.parsing import parsed
from connectors.records.matching import family_key, title_key

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
