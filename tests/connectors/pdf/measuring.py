"""How much of a bibliography is read rightly."""

from collections import Counter
from collections.abc import Iterable, Sequence

from connectors.identifiers import arxiv, doi
from connectors.pdf import CitedWork
from connectors.records.matching import family_key, title_key
from tests.connectors.pdf.known_works import Known


def counts(known: Sequence[Known], read: Sequence[CitedWork]) -> Counter[str]:
    """Of the works that are known to stand in a bibliography: how many entries were found, and found right.

    An entry counts as found when it names the work's title somewhere and no other entry does. `identifiers` counts
    the works whose DOI and arXiv id are exactly those printed; `works` is the number of all, `extra` what was read
    beyond them.
    """
    found: Counter[str] = Counter(works=len(known), extra=max(0, len(read) - len(known)))
    remaining = list(read)
    for work in known:
        entry = next((one for one in remaining if _squeezed(work.title) in _squeezed(one.raw)), None)
        if entry is None:
            continue
        remaining.remove(entry)
        found["entries"] += 1
        found["title"] += title_key(entry.title) == title_key(work.title)
        found["author"] += family_key(entry.first_author) == family_key(work.authors[0].family)
        found["year"] += entry.year == work.year
        printed = {
            name
            for name in (doi(work.doi), arxiv(work.arxiv))
            if name and _squeezed(name.value) in _squeezed(entry.raw)
        }
        found["identifiers"] += printed <= set(entry.identifiers) and not (
            {name.scheme for name in entry.identifiers} - {name.scheme for name in printed}
        )
    return found


def shares(found: Iterable[Counter[str]]) -> dict[str, float]:
    """The shares of all works, in percent."""
    total = sum(found, Counter[str]())
    kinds = ("entries", "title", "author", "year", "identifiers")
    return {kind: round(100 * total[kind] / total["works"], 1) for kind in kinds} | {
        "works": total["works"],
        "extra": total["extra"],
    }


def _squeezed(text: str) -> str:
    return "".join(title_key(text).split())
