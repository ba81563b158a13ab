"""How well questions are read without a model: `python -m tests.benchmarks.reading [--errors]`.

Prints precision and recall on the labelled questions (the half that rules were written for, and the half that only
reports), the field found for collections of known field, how far queries reach, and the time a question takes.
`--errors` lists what is read wrongly in the first half; the other half is never listed.
"""

import gzip
import json
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from agents.builtin.question_parsing.parsed_question import ParsedQuestion
from agents.builtin.question_parsing.question import read
from agents.builtin.text.terms import terms
from tests.agents.builtin.question_parsing.questions import TODAY, Labelled, labelled_questions

COLLECTIONS = Path(__file__).parents[3] / "shared" / "collections"
FIELDS = dict.fromkeys(["cf", "scifact"], "biomedicine") | dict.fromkeys(
    ["aicorpus_small", "autoscholar", "csfcube", "dorismae", "cacm", "neurips_relatedwork"], "computer science"
)


def rows_of(collection: str, name: str) -> list[dict[str, object]]:
    """The records of a file of a collection; none where it is not there."""
    plain, packed = COLLECTIONS / collection / name, COLLECTIONS / collection / f"{name}.gz"
    if plain.exists():
        return [json.loads(line) for line in plain.read_text(encoding="utf-8").splitlines()]
    if packed.exists():
        with gzip.open(packed, "rt", encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    return []


def found_and_wanted(reading: ParsedQuestion, label: Labelled) -> dict[str, tuple[object, object]]:
    """What was read and what a person reads, by the kind of thing; None where there is nothing."""
    field = reading.domain.split(":")[0] if reading.domain else None
    return {
        f"intent {label.intent}": (reading.intent, label.intent),
        "dates": ((reading.since, reading.until), (label.since, label.until)),
        "recent": (reading.recent or None, label.recent or None),
        "authors": (reading.authors or None, label.authors or None),
        "venue": (reading.venues or None, label.venues or None),
        "citations": (reading.min_citations, label.min_citations),
        "open access": (reading.open_access or None, label.open_access or None),
        "papers": (reading.papers or None, label.papers or None),
        "field": (field if label.field else None, label.field),
    }


def report_questions(questions: Sequence[Labelled], list_errors: bool) -> None:
    """Right, found and wanted of every kind, over `questions`."""
    right, found, wanted = Counter[str](), Counter[str](), Counter[str]()
    for label in questions:
        for kind, (got, meant) in found_and_wanted(read(label.text, TODAY), label).items():
            nothing = (None, (None, None))
            if kind.startswith("intent"):
                found[f"intent {got}"] += 1
            else:
                found[kind] += got not in nothing
            wanted[kind] += meant not in nothing
            right[kind] += got == meant and meant not in nothing
            if list_errors and got != meant:
                print(f"    {kind}: read {got}, meant {meant}: {label.text}")
    for kind in sorted(found | wanted):
        precision, recall = right[kind] / max(found[kind], 1), right[kind] / max(wanted[kind], 1)
        print(
            f"  {kind:24} precision {precision:.2f}  recall {recall:.2f}   ({wanted[kind]} wanted, {found[kind]} found)"
        )
    intents = [kind for kind in wanted if kind.startswith("intent")]
    print(f"  intents right: {sum(right[kind] for kind in intents)} of {sum(wanted[kind] for kind in intents)}")


def report_collections() -> None:
    """The fields and conditions read in questions of known field, where any date, author or venue is a mistake."""
    for collection, field in FIELDS.items():
        readings = [read(str(row["text"]), TODAY) for row in rows_of(collection, "queries.jsonl")]
        if not readings:
            continue
        fields = Counter(reading.domain.split(":")[0] if reading.domain else "unsure" for reading in readings)
        shares = ", ".join(f"{name} {count / len(readings):.2f}" for name, count in fields.most_common(4))
        hard = sum(bool(r.since or r.until or r.authors or r.venues or r.min_citations) for r in readings)
        lengths = [len(query.split()) for reading in readings for query in reading.queries]
        share, each, words = (
            fields[field] / len(readings),
            len(lengths) / len(readings),
            statistics.fmean(lengths or [0]),
        )
        print(f"  {collection:20} {len(readings):4} questions: {field} {share:.2f} ({shares})")
        print(f"{'':22} conditions in {hard}; {each:.1f} queries of {words:.1f} words")


def report_reach(collections: Iterable[str] = ("cf", "cacm", "csfcube", "aicorpus_small")) -> None:
    """Share of the relevant papers that hold every word of the question, of its topic or what stands for it, of that or
    of a query."""
    asked: dict[str, Callable[[ParsedQuestion, str], list[str]]] = {
        "question": lambda reading, text: [text],
        "topic": lambda reading, text: [reading.topic],
        "core, or topic": lambda reading, text: [reading.core or reading.topic],
        "the same + queries": lambda reading, text: [reading.core or reading.topic, *_few(reading)],
    }
    for collection in collections:
        relevant = _relevant(collection)
        having = _papers_by_term(collection) if relevant else {}
        questions = [row for row in rows_of(collection, "queries.jsonl") if row["id"] in relevant]
        if not questions:
            continue
        for name, queries in asked.items():
            recall, sizes = [], []
            for row in questions:
                text = str(row["text"])
                hits = set[str]().union(*(_all_of(having, q) for q in queries(read(text, TODAY), text)))
                gold = relevant[str(row["id"])]
                recall.append(len(hits & gold) / len(gold))
                sizes.append(len(hits))
            size = statistics.median(sizes)
            print(f"  {collection:16} {name:18} recall {statistics.fmean(recall):.3f}  median {size:.0f} papers")


def _few(reading: ParsedQuestion) -> list[str]:
    """The other queries, as a source gets them that must find every word."""
    return [dict(reading.fewer).get(query, query) for query in reading.queries]


def _relevant(collection: str) -> dict[str, set[str]]:
    relevant: dict[str, set[str]] = defaultdict(set)
    path = COLLECTIONS / collection / "qrels.tsv"
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        query, paper, grade = line.split("\t")
        if grade.isdigit() and int(grade) >= 1:
            relevant[query].add(paper)
    return dict(relevant)


def _papers_by_term(collection: str) -> dict[str, set[str]]:
    having: dict[str, set[str]] = defaultdict(set)
    for row in rows_of(collection, "docs.jsonl"):
        for term in set(terms(f"{row['title']} {row['abstract']}")):
            having[term].add(str(row["id"]))
    return dict(having)


def _all_of(having: dict[str, set[str]], query: str) -> set[str]:
    wanted = [having.get(term, set()) for term in set(terms(query))]
    return set.intersection(*wanted) if wanted else set()


def report_aspects() -> None:
    """How many of the aspects of long requests some query is about: it holds a third of the aspect's terms."""
    texts = {str(row["id"]): str(row["text"]) for row in rows_of("dorismae", "queries.jsonl")}
    met, counted, about = 0, 0, Counter[bool]()
    for row in rows_of("dorismae", "aspects.jsonl"):
        queries = [set(terms(query)) for query in read(texts[str(row["id"])], TODAY).queries]
        listed = row["aspects"]
        assert isinstance(listed, list)
        needs = [set(terms(aspect["text"])) - _DEMANDS for aspect in listed]
        counted += len(needs)
        met += sum(any(len(need & query) >= max(1, len(need) / 3) for query in queries) for need in needs)
        about.update(any(len(need & query) >= 2 for need in needs) for query in queries)
    if counted:
        print(
            f"  aspects met by a query: {met / counted:.2f}; queries about an aspect: {about[True] / about.total():.2f}"
        )


_DEMANDS = frozenset(
    terms("document paper model system algorithm method should able discuss mention use related to can")
)


def report_time() -> None:
    texts = [label.text for label in labelled_questions()]
    texts += [str(row["text"]) for row in rows_of("dorismae", "queries.jsonl")]
    taken = []
    for text in texts:
        start = time.perf_counter()
        read(text, TODAY)
        taken.append(1000 * (time.perf_counter() - start))
    print(f"  a question takes {statistics.median(taken):.1f} ms, the slowest {max(taken):.1f} ms")


if __name__ == "__main__":
    held = [label for label in labelled_questions() if label.held_out]
    seen = [label for label in labelled_questions() if not label.held_out]
    print(f"the half that rules were written for ({len(seen)} questions)")
    report_questions(seen, "--errors" in sys.argv)
    print(f"the half that only reports ({len(held)} questions)")
    report_questions(held, False)
    print("fields of collections")
    report_collections()
    print("papers that hold every word")
    report_reach()
    print("long requests")
    report_aspects()
    report_time()
