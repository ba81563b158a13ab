"""Counts which terms are common in every field: a question is about none of them, whatever the field.

    python tools/count_terms.py FOLDER[,FOLDER…]...

Each argument is a field, given by its collections. A term's share in a field is that of the documents with it; kept is
the smallest of a term's shares, in ten thousandths of all documents, if that is not below `LEAST`.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from agents.bench.collections import read_collection
from agents.builtin.ranking import relevance
from agents.builtin.text.terms import terms

LEAST = 5
COMMON = Path(relevance.__file__).parent / "common_terms.json"


def shares(folders: list[Path]) -> dict[str, float]:
    """The share of the documents of a field that have each of its terms."""
    texts = [document.text for folder in folders for document in read_collection(folder).documents]
    counts = Counter(term for text in texts for term in set(terms(text)))
    return {term: count / len(texts) for term, count in counts.items()}


def common(fields: list[dict[str, float]]) -> dict[str, int]:
    """The terms that every field has, with the smallest of their shares in ten thousandths."""
    smallest = {term: min(field.get(term, 0.0) for field in fields) for term in fields[0]}
    kept = {term: round(share * 10_000) for term, share in smallest.items()}
    return {term: count for term, count in sorted(kept.items()) if count >= LEAST}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fields", nargs="+", help="the folders of a field's collections, with commas between them")
    terms_in_common = common(
        [shares([Path(name) for name in field.split(",")]) for field in parser.parse_args().fields]
    )
    COMMON.write_text(json.dumps(terms_in_common, ensure_ascii=False, indent=0) + "\n", "utf-8")
    print(f"{len(terms_in_common)} terms are common in every field")


if __name__ == "__main__":
    main()
