"""Works by the thousand as OpenAlex' dump tells of them, with the distributions of real ones.

Words are drawn as often as they stand in real titles and abstracts (of `shared/collections` where that is at hand, by
Zipf's law where it is not), and are as many; works become more from year to year; a work cites older ones, and those
the more the more they are cited already. So posting lists, reference lists and lists of citing works are as long as
real ones, which is what the time of a question depends on. Ids, names and venues are made up.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

COLLECTION = Path(__file__).parents[4] / "shared" / "collections" / "aicorpus_small" / "docs.jsonl.gz"
FIRST_YEAR, LAST_YEAR, GROWTH = 1970, 2025, 1.045
"""Scholarship grows by 4 to 5 % a year."""
REFERENCES = 14.0
"""References of a work that OpenAlex resolves, in the mean; a third of the works has none."""
ABSTRACTS = 0.6
"""How many works have an abstract."""
_PREFERRED = 0.7
"""How many references go to what is cited already; the others go to any older work."""


def write_parts(folder: Path, works: int, parts: int, seed: int = 7) -> list[Path]:
    """`works` works in `parts` gzipped files in `folder`."""
    made = iter(lines(works, seed))
    paths = []
    for part in range(parts):
        path = folder / f"part_{part:03}.gz"
        with gzip.open(path, "wb", compresslevel=1) as file:
            for _ in range(works // parts):
                file.write(next(made))
        paths.append(path)
    return paths


def lines(works: int, seed: int = 7) -> Iterator[bytes]:
    """The lines of a dump of that many works, the oldest first."""
    chance = np.random.default_rng(seed)
    words, share, titles, abstracts = _language()
    years = _years(works)
    cited = np.empty(int(works * REFERENCES * 2) + 1000, dtype=np.int64)
    held = 0
    for start in range(0, works, 10_000):
        many = min(10_000, works - start)
        long = chance.choice(titles, many)
        longer = np.where(chance.random(many) < ABSTRACTS, chance.choice(abstracts, many), 0)
        drawn = chance.choice(len(words), int(long.sum() + longer.sum()), p=share)
        counts = np.where(chance.random(many) < 1 / 3, 0, chance.lognormal(2.75, 0.8, many)).astype(int)
        at = 0
        for place in range(many):
            number = start + place
            title = [words[one] for one in drawn[at : at + long[place]]]
            abstract = [words[one] for one in drawn[at + long[place] : at + long[place] + longer[place]]]
            at += int(long[place] + longer[place])
            count = min(int(counts[place]), number)
            preferred = int(count * _PREFERRED) if held else 0
            chosen = np.concatenate(
                (
                    cited[chance.integers(0, max(held, 1), preferred)],
                    chance.integers(0, max(number, 1), count - preferred),
                )
            )
            chosen = np.unique(chosen)[: len(cited) - held]
            cited[held : held + len(chosen)] = chosen
            held += len(chosen)
            yield json.dumps(_work(number, title, abstract, int(years[number]), chosen.tolist())).encode() + b"\n"


def _work(
    number: int, title: Sequence[str], abstract: Sequence[str], year: int, cited: Sequence[int]
) -> dict[str, Any]:
    address, doi = f"https://openalex.org/W{number + 1}", f"https://doi.org/10.5555/w.{number + 1}"
    index: dict[str, list[int]] = {}
    for place, word in enumerate(abstract):
        index.setdefault(word, []).append(place)
    day = f"{year}-{1 + number % 12:02}-{1 + number % 28:02}"
    home = {"id": f"https://openalex.org/S{number % 4000}", "display_name": f"Journal of Matters {number % 4000}",
            "host_organization_name": "Made-up Press", "type": "journal"}  # fmt: skip
    found_at = {"is_oa": number % 2 == 0, "landing_page_url": doi, "pdf_url": None, "source": home}
    people = [
        {"author_position": "middle", "raw_author_name": f"Given{(number * 7 + one) % 9973} Family{number % 49999}",
         "author": {"id": f"https://openalex.org/A{number * 7 + one}", "orcid": None,
                    "display_name": f"Given{(number * 7 + one) % 9973} Family{number % 49999}"},
         "institutions": [{"id": f"https://openalex.org/I{number % 9999}", "display_name": "A University"}],
         "raw_affiliation_strings": ["Department of Matters, A University, Somewhere"]}
        for one in range(1 + number % 7)
    ]  # fmt: skip
    topic = {"display_name": "A Topic", "field": {"display_name": ("Computer Science", "Medicine")[number % 2]},
             "domain": {"display_name": "Sciences"}, "subfield": {"display_name": "Other Matters"}}  # fmt: skip
    return {
        "id": address, "doi": doi, "title": " ".join(title), "display_name": " ".join(title),
        "publication_year": year, "publication_date": day, "ids": {"openalex": address, "doi": doi}, "language": "en",
        "type": "article", "primary_location": found_at, "best_oa_location": None, "locations": [found_at, found_at],
        "open_access": {"is_oa": number % 2 == 0, "oa_status": "gold"}, "authorships": people, "cited_by_count": 0,
        "biblio": {"volume": str(number % 90), "issue": "2", "first_page": "10", "last_page": "20"},
        "is_retracted": False, "primary_topic": topic, "topics": [topic, topic], "keywords": [],
        "referenced_works_count": len(cited), "referenced_works": [f"https://openalex.org/W{one + 1}" for one in cited],
        "abstract_inverted_index": index or None, "counts_by_year": [{"year": 2024, "cited_by_count": 1}] * 6,
    }  # fmt: skip


def _language() -> tuple[list[str], Any, Any, Any]:
    """Words, how often each is drawn, how long titles and abstracts are."""
    if not COLLECTION.exists():
        rank = np.arange(1, 60_001)
        return (
            [f"w{number:x}" for number in rank],
            (1 / rank) / (1 / rank).sum(),
            np.array([8, 10, 13]),
            np.array([150, 190]),
        )
    told: Counter[str] = Counter()
    titles, abstracts = [], []
    with gzip.open(COLLECTION, "rt", encoding="utf-8") as file:
        for line in file:
            document = json.loads(line)
            title, abstract = document["title"].split(), (document.get("abstract") or "").split()
            told.update(title + abstract)
            titles.append(len(title))
            abstracts.append(len(abstract))
    counts = np.array(list(told.values()), dtype=float)
    return list(told), counts / counts.sum(), np.array(titles), np.array([one for one in abstracts if one])


def _years(works: int) -> Any:
    years = np.arange(FIRST_YEAR, LAST_YEAR + 1)
    share = GROWTH ** np.arange(len(years))
    edges = np.cumsum(share / share.sum()) * works
    return years[np.minimum(np.searchsorted(edges, np.arange(works)), len(years) - 1)]
