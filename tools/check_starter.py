"""Check the facts of the starter shelf: `python tools/check_starter.py [--collections DIR]`.

The exit code is 1 if a record breaks a rule. Where the collections are at hand, authors and years are compared with
theirs by title and each difference is named; those are for a person to judge, for collections err too.
"""

import argparse
import gzip
import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SHELF = ROOT / "connectors" / "starter"
COLLECTIONS = ROOT.parent / "shared" / "collections"

Entry = dict[str, Any]

TYPES = {"article", "conference-paper", "preprint", "book", "report"}
REQUIRED = {"id": str, "title": str, "authors": list, "year": int, "venue": str, "type": str, "does": str}
PATTERNS = {"doi": r"10\.\d{4,9}/\S+", "arxiv": r"\d{4}\.\d{4,5}|[a-z-]+/\d{7}", "pmid": r"\d{1,8}"}
BRITISH = re.compile(
    r"\w*(?:(?:[aeio][lmnrt]|gn|nt|ic|es)is(?:e[sd]?|ing|ers?)|isations?|(?:mode|labe|riva)ll(?:ed|ing))\b"
    r"|(?:behavi|neighb|col|tum)our",
    re.IGNORECASE,
)
"""How a word ends that is spelled as in Britain, as far as such words have stood here."""
SMALL_WORDS = frozenset("a an the on of for in to with is are how and from towards what can do".split())


def read_shelf(folder: Path = SHELF) -> tuple[list[Entry], list[str]]:
    """The records of every `.jsonl` file in `folder`, and a fault for each line that is not a JSON object."""
    entries: list[Entry] = []
    faults: list[str] = []
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            try:
                entry = json.loads(line)
            except ValueError as error:
                faults.append(f"{path.name}:{number}: not JSON: {error}")
                continue
            if isinstance(entry, dict):
                entries.append(entry)
            else:
                faults.append(f"{path.name}:{number}: not an object")
    return entries, faults


def shelf_faults(entries: list[Entry]) -> list[str]:
    """Every rule that the records break, alone or together; empty if all is well."""
    shapeless = [(entry, missing) for entry in entries if (missing := _missing(entry))]
    if shapeless:
        return [f"{entry.get('id', entry)}: {', '.join(missing)} missing or malformed" for entry, missing in shapeless]
    alone = [f"{entry['id']}: {fault}" for entry in entries for fault in _faults_alone(entry)]
    return alone + list(_duplicates(entries)) + list(_bad_references(entries))


def follows_the_rule(key: str, entry: Entry) -> bool:
    """Whether an id is family name + year + first significant title word, with a letter more if that was taken."""
    family = _letters(entry["authors"][0].split(",")[0])
    words = re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", _ascii(entry["title"])))
    first = next((word for word in words if word not in SMALL_WORDS), "")
    return re.fullmatch(re.escape(f"{family}{entry['year']}{first}") + "[b-z]?", key) is not None


def compare(entries: list[Entry], folder: Path) -> tuple[Counter[str], list[str]]:
    """How often each field agrees or differs ("year agree" -> 12) with the collections in `folder`, and where."""
    by_title = {_title_key(entry["title"]): entry for entry in entries}
    counts: Counter[str] = Counter()
    differences: list[str] = []
    for collection, document in _documents(folder):
        entry = by_title.get(_title_key(document["title"]))
        for field, ours, theirs, agree in _compared(entry, document) if entry else ():
            counts[f"{field} {'agree' if agree else 'differ'}"] += 1
            if entry and not agree:
                differences.append(f"{entry['id']}: {field}: {ours} here, {theirs} in {collection}")
    return counts, differences


def _missing(entry: Entry) -> list[str]:
    wrong = [name for name, kind in REQUIRED.items() if not isinstance(entry.get(name), kind) or not entry[name]]
    for name in ("authors", "references"):
        values = entry.get(name)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            wrong.append(name)
    wrong += [name for name in PATTERNS if name in entry and not isinstance(entry[name], str)]
    return sorted(set(wrong))


def _faults_alone(entry: Entry) -> Iterator[str]:
    if unknown := entry.keys() - REQUIRED.keys() - PATTERNS.keys() - {"references"}:
        yield f"unknown fields {sorted(unknown)}"
    if entry["type"] not in TYPES:
        yield f"type {entry['type']!r}"
    for name, pattern in PATTERNS.items():
        if name in entry and not re.fullmatch(pattern, entry[name]):
            yield f"malformed {name} {entry[name]!r}"
    if not follows_the_rule(entry["id"], entry):
        yield "the id does not follow from family name, year and title"
    if any(unicodedata.category(char) in {"Cc", "Cf"} for text in _texts(entry) for char in text):
        yield "a control character"
    if british := BRITISH.search(entry["does"]):
        yield f"{british[0]!r} is British; people search for the American spelling"
    if any(re.search(r"\bet al\b", author) or author != author.strip() for author in entry["authors"]):
        yield "an author who is not a name"


def _duplicates(entries: list[Entry]) -> Iterator[str]:
    for name in ("id", "title", *PATTERNS):
        holders = defaultdict(list)
        for entry in entries:
            if name in entry:
                holders[_title_key(entry[name]) if name == "title" else entry[name].lower()].append(entry["id"])
        yield from (f"{', '.join(ids)}: the same {name}" for ids in holders.values() if len(ids) > 1)


def _bad_references(entries: list[Entry]) -> Iterator[str]:
    years = {entry["id"]: entry["year"] for entry in entries}
    for entry in entries:
        cited_times: Counter[str] = Counter(entry["references"])
        for cited, times in cited_times.items():
            if cited not in years:
                yield f"{entry['id']}: unknown reference {cited}"
            elif cited == entry["id"]:
                yield f"{entry['id']}: refers to itself"
            elif years[cited] > entry["year"]:
                yield f"{entry['id']}: reference {cited} is newer"
            if times > 1:
                yield f"{entry['id']}: reference {cited} is listed {times} times"


def _documents(folder: Path) -> Iterator[tuple[str, Entry]]:
    for path in sorted(folder.glob("*/docs.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield path.parent.name, json.loads(line)


def _compared(entry: Entry, document: Entry) -> Iterator[tuple[str, object, object, bool]]:
    """For each field both know: its name, ours and theirs (authors from the first that differs), and if they agree."""
    if document["authors"]:
        ours, theirs = _families(entry["authors"]), _families(document["authors"])
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False)))
        yield "authors", ours[same:], theirs[same:], ours == theirs
    if document["year"]:
        ours_year, theirs_year = entry["year"], document["year"]
        yield "year", ours_year, theirs_year, abs(ours_year - theirs_year) <= 1


def _families(authors: Iterable[str]) -> list[str]:
    """The last word of each family name, for sources disagree on particles and on double names."""
    return [_letters(re.split(r"[\s-]+", author.split(",")[0].strip())[-1]) for author in authors]


def _texts(entry: Entry) -> Iterator[str]:
    for value in entry.values():
        yield from value if isinstance(value, list) else [str(value)]


def _title_key(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", _ascii(title)).strip()


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", _ascii(text))


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()


def main() -> int:
    """Report faults, differences and totals; the exit code says whether there are faults."""
    parser = argparse.ArgumentParser(description="Check the facts of the starter shelf.")
    parser.add_argument("--collections", type=Path, default=COLLECTIONS, help="folder of closed-world collections")
    folder = parser.parse_args().collections
    entries, faults = read_shelf()
    faults += shelf_faults(entries)
    print(*faults, sep="\n", end="\n" if faults else "")
    if not faults and folder.is_dir():
        counts, differences = compare(entries, folder)
        print(*differences, *(f"{what}: {count}" for what, count in sorted(counts.items())), sep="\n")
    links = sum(len(entry.get("references", ())) for entry in entries)
    print(f"{len(entries)} papers, {links} links, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
