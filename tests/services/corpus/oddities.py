"""The works that break careless readers: one of each kind, with titles that say which."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

from tests.services.corpus.works import Author, Work

MERGED = {"W4399999999": "W4300000001"}
"""Old OpenAlex ids and the ids they were merged into."""

_PERSON = (Author("Nobody", "Ann B."), Author("Noone", "Carl"))


def oddities(start: int, cited: list[Work]) -> list[Work]:
    """The odd works, numbered from `start`, each citing a few of `cited`."""
    return [
        _identified(work, number, cited) for number, work in enumerate((*_texts(), *_dates(), *_records()), start=start)
    ]


def _identified(work: Work, number: int, cited: list[Work]) -> Work:
    """Fill in what an odd work does not say itself: ids and references."""
    near = [one.number for one in cited if one.topic == work.topic]
    return replace(
        work,
        number=number,
        s2=hashlib.sha1(f"odd work {number}".encode()).hexdigest(),
        openalex=f"W{4_300_000_000 + number}",
        pmid=str(91_000_000 + number) if work.field == "Medicine" else None,
        references=tuple(near[:4]),
    )


def _odd(title: str, doi: str | None, **values: Any) -> Work:
    """A work that is plain in all respects but the given ones."""
    plain = Work(
        0,
        "cystic fibrosis",
        "Medicine",
        title,
        "A made-up abstract about cystic fibrosis and the oddities of records.",
        _PERSON,
        2021,
        "2021-05-04",
        "Journal of Invented Results",
        doi=doi,
        volume="7",
        issue="1",
        pages="11-20",
        publisher="Invented Press",
    )
    return replace(plain, **values)


def _preprint(title: str, arxiv: str, **values: Any) -> Work:
    return _odd(
        title,
        f"10.48550/arxiv.{arxiv}",
        arxiv=arxiv,
        category="cs.IR",
        topic="dense retrieval",
        field="Computer Science",
        venue="arXiv (Cornell University)",
        kind="preprint",
        open_access=True,
        volume=None,
        issue=None,
        pages=None,
        publisher=None,
        **values,
    )


def _texts() -> list[Work]:
    return [
        _preprint(
            'Retrieval in $O(\\log n)$ time: the $\\alpha$-tree and\n  the na\\"ive Erd\\H{o}s bound',
            "2103.90001",
            abstract="We show that $\\alpha$-trees answer retrieval queries in $O(\\log n)$ with \\emph{no} index.",
        ),
        _odd(
            "Escherichia coli growth at low CO2 in cystic fibrosis airways: p < 0.05 & beyond",
            "10.5555/odd.markup",
            marked_title="<i>Escherichia coli</i> growth at low CO<sub>2</sub> in cystic fibrosis airways: "
            "<i>p</i> &lt; 0.05 &amp; beyond.",
            abstract="Growth of E. coli at 106 cells was not measured. Nothing grew.",
            sections=(
                ("BACKGROUND", "Growth of <i>E. coli</i> at 10<sup>6</sup> cells was not measured."),
                ("RESULTS", "Nothing grew."),
            ),
        ),
        _preprint("密集检索的表示学习综述", "2104.90002", abstract="本文综述密集检索的表示学习方法。", language="zh"),
        _odd("Лечение муковисцидоза у детей", "10.5555/odd.cyrillic", language="ru"),
        _odd("علاج التليف الكيسي عند الأطفال", "10.5555/odd.arabic", language="ar"),
        _odd(
            "Colours of \x1b[31mcystic fibrosis\x1b[0m\u202e reversed\u202c and zero\u200bwidth",
            "10.5555/odd.escape",
            marked_title="Colours of [31mcystic fibrosis[0m\u202e reversed\u202c and zero\u200bwidth",
        ),
        _preprint(
            "On words that repeat in the the evaluation of rankings",
            "2105.90003",
            abstract="The cat saw the cat that saw the cat, and the ranking ranked the ranking.",
        ),
        _odd("The " + "very " * 60 + "long title of a cystic fibrosis registry report", "10.5555/odd.long"),
    ]


def _dates() -> list[Work]:
    return [
        _odd("Cystic fibrosis care in a year without months", "10.5555/odd.year", year=2015, date=None),
        _odd("Cystic fibrosis care announced for later", "10.5555/odd.future", year=2031, date="2031-03-01"),
        _odd("Cystic fibrosis care without any date", "10.5555/odd.undated", year=None, date=None),
        _odd(
            "Cystic fibrosis care over the turn of the year",
            "10.5555/odd.medline",
            date=None,
            medline_date="2021 Nov-Dec",
        ),
        _odd("Cystic fibrosis care before the war", "10.5555/odd.old", year=1938, date="1938-07-01"),
    ]


def _records() -> list[Work]:
    crowd = tuple(Author(f"Member{place}", f"Given{place}") for place in range(1, 151))
    return [
        _odd("Cystic fibrosis without a DOI", None),
        _odd("Cystic fibrosis without an abstract", "10.5555/odd.noabstract", abstract=None),
        _odd("Cystic fibrosis by nobody in particular", "10.5555/odd.noauthors", authors=()),
        _odd("Cystic fibrosis by a hundred and fifty hands", "10.5555/odd.crowd", authors=crowd),
        _odd(
            "Cystic fibrosis by a group",
            "10.5555/odd.collective",
            authors=(_PERSON[0], Author("The Invented Airway Trial Group", collective=True)),
        ),
        _odd("Retracted: cystic fibrosis cured by wishing", "10.5555/odd.retracted", retracted=True),
        _odd(
            "Cystic fibrosis under an old identifier",
            "10.1002/(SICI)1099-0496(199901)27:1<1::AID-PPUL1>3.0.CO;2-#",
            year=1999,
            date="1999-01-01",
        ),
        _odd(
            "A chapter on cystic fibrosis for beginners",
            "10.5555/odd.chapter",
            kind="book-chapter",
            venue="Invented Reviews",
            abstract=None,
        ),
        _odd("Cystic fibrosis in a closed list", "10.5555/odd.withheld", references_withheld=True),
    ]
