"""`spar check` measured: `python -m tests.benchmarks.checking`.

Planted: entries of works that the local services hold, with one fault each (25 of each kind); how many faults are told
by their verdict, and how many entries without a fault are called faulty. Real: entries of ../shared/bibliographies that
sources of papers do not list, in one file; how many are called not found. Exit code 1 if a fault is overlooked or
anything is called faulty that is not.
"""

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from spar_tui.bibliography.entry_faults import held_by_no_source
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.bibliography.reading.files import found_in_bytes, read_bytes
from spar_tui.errors import UserError
from tests.services import Services
from tests.services.corpus.works import Author, Work
from tests.spar_tui.in_process import spar

REAL = Path(__file__).parents[3] / "shared" / "bibliographies"
OF_EACH = 25
MOST_REAL = 120
SOURCES = ("--source", "openalex", "--source", "semantic_scholar")

INVENTED = (Author("Nemo", "Nobody"),)


def invented(work: Work, other: Work) -> Work:
    title = f"What number {work.number} never was about"
    return replace(work, authors=INVENTED, doi=f"10.5555/never.{work.number}", title=title)


PLANTED: dict[str, tuple[str, Callable[[Work, Work], Work]]] = {
    "another year": ("fields differ", lambda work, other: replace(work, year=(work.year or 0) - 9)),
    "another first author": ("fields differ", lambda work, other: replace(work, authors=(*INVENTED, *work.authors))),
    "another's DOI": ("fields differ", lambda work, other: replace(work, doi=other.doi)),
    "an invented work": ("not found", invented),
    "the same twice": ("duplicate", lambda work, other: work),
}  # fmt: skip


def bib(kind: str, key: str, fields: Mapping[str, str]) -> str:
    lines = [f"  {name} = {{{text}}}," for name, text in fields.items() if text]
    return "\n".join([f"@{kind}{{{key},", *lines, "}\n"])


def article(key: str, work: Work) -> str:
    people = " and ".join(f"{one.family}, {one.given}" for one in work.authors)
    fields = {
        "author": people,
        "title": work.title,
        "journal": work.venue,
        "year": str(work.year),
        "doi": work.doi or "",
    }
    return bib("article", key, fields)


def checked(services: Services, text: str, suffix: str = "bib") -> list[dict[str, str]]:
    """The verdicts on the entries of a file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"refs.{suffix}"
        file.write_text(text)
        told = spar(Path(folder), "check", str(file), "--json", *SOURCES, more=services.environment)
        found: list[dict[str, str]] = json.loads(told.stdout)["entries"]
        return found


def is_plain(work: Work) -> bool:
    """Whether nothing is to be said of an entry with all that is known of the work."""
    known = work.doi and work.openalex and work.s2 and work.year and work.venue and work.authors
    odd = work.retracted or work.preprint or work.arxiv or "odd" in (work.doi or "")
    return bool(known) and not odd and not work.authors[0].collective


def planted(services: Services) -> bool:
    """Whether every planted fault is told, and nothing else."""
    works = [one for one in services.corpus.works if is_plain(one)]
    texts, meant = [article(f"sound{one.number}", one) for one in works], dict[str, str]()
    for place, (name, (_, spoil)) in enumerate(PLANTED.items()):
        for number in range(OF_EACH):
            work = works[(place * OF_EACH + number) % len(works)]
            key = f"planted{place}x{number}"
            texts.append(article(key, spoil(work, works[(place * OF_EACH + number + 1) % len(works)])))
            meant[key] = name
    seen = Counter[tuple[str, bool]]()
    alarms: list[dict[str, str]] = []
    for one in checked(services, "".join(texts)):
        if fault := meant.get(one["key"]):
            # An entry with another's DOI or fields is also a second one of its work; the worse verdict is told.
            seen[fault, one["verdict"] == PLANTED[fault][0]] += 1
        elif one["verdict"] not in ("ok", "could not check"):
            alarms.append(one)
    for name in PLANTED:
        print(f"{name}: {seen[name, True]} of {OF_EACH} told", flush=True)
    print(f"{sum(count for (_, told), count in seen.items() if told)} of {len(meant)} planted faults told; "
          f"{len(alarms)} of {len(works)} entries without a fault called faulty", flush=True)  # fmt: skip
    for one in alarms[:10]:
        print(f"    {one['key']}: {one['verdict']} {one['details']}")
    return not alarms and all(told for _, told in seen)


def unlisted() -> Iterator[FoundEntry]:
    """Real entries of what sources of papers do not list."""
    for file in sorted(REAL.rglob("*")):
        if file.is_file() and file.suffix != ".md":
            try:
                yield from (
                    entry for entry in found_in_bytes(read_bytes(file), file.name).entries if held_by_no_source(entry)
                )
            except UserError:
                continue


def real(services: Services) -> bool:
    """Whether nothing that sources do not list is called not found by sources that know none of it."""
    entries = list(unlisted())
    step = max(1, len(entries) // MOST_REAL)
    texts = [
        bib(
            entry.type if entry.original and entry.original.format == "bibtex" else "online",
            f"k{number}",
            {
                "title": re.sub(r"[{}%\\\\]", "", entry.paper.title),
                "author": " and ".join(f"{{{one.name}}}" for one in entry.paper.authors[:3]),
                "year": str(entry.paper.year or ""),
                "url": entry.address or "https://example.org",
            },
        )
        for number, entry in enumerate(entries[::step])
    ]
    told = checked(services, "".join(texts))
    verdicts = Counter(one["verdict"] for one in told)
    print(f"{len(told)} real entries of what sources do not list: {dict(verdicts)}")
    return not verdicts["not found"] and not verdicts["fields differ"]


def main() -> int:
    with Services() as services:
        return int(not all([planted(services), real(services)]))


if __name__ == "__main__":
    sys.exit(main())
