"""Makes the corpus from a seed: titles and abstracts from phrases, identifiers, pairs, and the citation graph."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from random import Random

from tests.services.corpus.oddities import MERGED, oddities
from tests.services.corpus.topics import TOPICS, Topic
from tests.services.corpus.works import Author, Corpus, Work

_GIVEN = (
    "Ada", "Bruno", "Chiara", "Dmitri", "Elena", "Farid", "Grete", "Hiroshi", "Ines", "Jonas", "Keiko", "Liam", "Mei",
    "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Søren", "Tomás", "Uma", "Viktor", "Wanjiru", "Ximena", "Yusuf",
    "Zoë",
)  # fmt: skip
_FAMILY = (
    "Abelard", "Bergström", "Castellani", "Dvořák", "Eriksen", "Fontaine", "Gutiérrez", "Hashimoto", "Ibrahim",
    "Jansen",
    "Kowalczyk", "Lindqvist", "Moreau", "Nakagawa", "O'Malley", "Petrov", "Quispe", "Rahman", "Schneider", "Tanaka",
    "Uzun", "van der Veen", "Weiss", "Xu", "Yamada", "Zhang",
)  # fmt: skip
_TITLES = (
    "{Means} for {subject}",
    "{Subject} with {means}",
    "{Subject} in {setting}",
    "A survey of {subject}",
    "{Means} improves {measure} in {subject}",
    "Does {means} help {subject}? Evidence from {setting}",
    "{Subject}: {means} revisited",
    "Benchmarking {subject} on {setting}",
)
_BACKGROUND = (
    "{Subject} has become a central question of {topic}, yet {measure} is rarely reported for {setting}.",
    "Progress in {topic}, and above all in {subject}, is limited by what is known about {means}.",
    "Earlier work on {topic} left open whether {means} changes {measure} in {subject}.",
)
_METHODS = (
    "We study {means} on {setting} and compare it with two simple baselines.",
    "We analysed {count} records from {setting}, with {means} as the main factor.",
    "We combine {means} with {means2} and measure {measure} and {measure2}.",
)
_RESULTS = (
    "{Measure} rose by {percent} percent, while {measure2} did not change.",
    "The effect on {measure} was largest for {setting} and held in {count} repetitions.",
    "With {means} the {measure} improved in {count} of the cases studied.",
)
_CONCLUSIONS = (
    "The results suggest that {means} deserves a place in {subject}.",
    "We conclude that {subject} depends more on {means2} than on {means}.",
    "We release all material so that {subject} can be studied further.",
)
_LABELS = ("BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS")


@cache
def make_corpus(seed: int = 7, size: int = 200) -> Corpus:
    """The corpus of this seed: `size` regular works, some of them pairs, and the odd ones of `oddities`."""
    random = Random(seed)
    works: list[Work] = []
    titles: set[str] = set()
    while len(works) < size:
        work = _regular(len(works) + 1, random)
        if work.title not in titles:
            works.append(work)
            titles.add(work.title)
    works += [_published(work, size + 1 + place, random) for place, work in enumerate(_paired(works))]
    works = _with_references(works, random)
    works += oddities(start=len(works) + 1, cited=works)
    return Corpus(works, MERGED)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _words(topic: Topic, random: Random) -> dict[str, str]:
    means, means2 = random.sample(topic.means, 2)
    measure, measure2 = random.sample(topic.measures, 2)
    words = {
        "topic": topic.name,
        "subject": random.choice(topic.subjects),
        "means": means,
        "means2": means2,
        "setting": random.choice(topic.settings),
        "measure": measure,
        "measure2": measure2,
        "count": str(random.randrange(3, 900)),
        "percent": str(random.randrange(2, 48)),
    }
    return words | {_capital(name): _capital(text) for name, text in words.items()}


def _regular(number: int, random: Random) -> Work:
    topic = TOPICS[number % len(TOPICS)]
    words = _words(topic, random)
    parts = [random.choice(lines).format_map(words) for lines in (_BACKGROUND, _METHODS, _RESULTS, _CONCLUSIONS)]
    year = random.randrange(2012, 2027)
    month = random.randrange(1, 11 if year == 2026 else 13)
    people = [Author(random.choice(_FAMILY), random.choice(_GIVEN)) for _ in range(random.randrange(1, 7))]
    preprint = not topic.biomedical
    other = number // len(TOPICS) % 2  # every other work of a topic
    arxiv = f"{year % 100:02}{month:02}.{number:05}" if preprint else None
    work = Work(
        number,
        topic.name,
        topic.field,
        _capital(random.choice(_TITLES).format_map(words)),
        None if number % 17 == 0 else " ".join(parts),
        tuple(dict.fromkeys(people)),
        year,
        f"{year}-{month:02}-{random.randrange(1, 29):02}",
        "arXiv (Cornell University)" if preprint else random.choice(topic.venues),
        kind="preprint" if preprint else "article",
        sections=tuple(zip(_LABELS, parts, strict=True)) if topic.biomedical and number % 3 else (),
        doi=f"10.48550/arxiv.{arxiv}" if preprint else f"10.5555/made.{year}.{number:04}",
        arxiv=arxiv,
        arxiv_version=1 + number % 3,
        category=topic.category,
        pmid=str(91_000_000 + number) if topic.biomedical else None,
        pmcid=f"PMC{9_100_000 + number}" if topic.biomedical and other else None,
        s2=s2_id(number),
        openalex=f"W{4_300_000_000 + number}",
        open_access=preprint or not other,
    )
    return work if preprint else _printed(work)


def _printed(work: Work) -> Work:
    """With its place in the journal: a volume a year, now and then no issue, or an article number for pages."""
    assert work.year is not None
    number = work.number
    return replace(
        work,
        volume=str(work.year - 1990),
        issue=str(1 + number % 12) if number % 5 else None,
        pages=f"e{1000 + number}" if number % 4 == 0 else f"{number}5-{number + 1}3",
        publisher="Invented Press" if number % 3 else "Made-up & Sons",
    )


def s2_id(number: int) -> str:
    return hashlib.sha1(f"made-up work {number}".encode()).hexdigest()


def _paired(works: list[Work]) -> list[Work]:
    """Every sixth or so of the preprints gets a journal version."""
    preprints = [work for work in works if work.arxiv and (work.date or "") < "2026"]
    return [work for work in preprints if work.number % 7 < 2]


def _published(preprint: Work, number: int, random: Random) -> Work:
    """The journal version: a year later, with its own DOI, now and then under a slightly other title."""
    assert preprint.year is not None
    topic = next(one for one in TOPICS if one.name == preprint.topic)
    year = preprint.year + 1
    title = preprint.title if number % 2 else preprint.title.replace("-", " ") + ": extended version"
    work = replace(
        preprint,
        number=number,
        title=title,
        year=year,
        date=f"{year}-0{random.randrange(1, 9)}-15",
        venue=random.choice(topic.venues),
        kind="article",
        doi=f"10.5555/made.{year}.{number:04}",
        arxiv=None,
        s2=s2_id(number),
        openalex=f"W{4_300_000_000 + number}",
        open_access=False,
        preprint=preprint.number,
    )
    return _printed(work)


def _with_references(works: list[Work], random: Random) -> list[Work]:
    """Let each work cite older ones: mostly its own topic, often-cited ones more, now and then a stranger.

    A journal version cites what its preprint cites. Some reference lists are withheld by the publisher, some hold
    works that nobody indexes.
    """
    ordered = sorted(works, key=lambda work: (work.date or "", work.number))
    cited = {work.number: 1 for work in works}
    references: dict[int, tuple[int, ...]] = {}
    for place, work in enumerate(ordered):
        if work.preprint:
            references[work.number] = references[work.preprint]
            continue
        older = ordered[:place]
        near = [one for one in older if one.topic == work.topic]
        chosen = _draw(near, cited, random.randrange(3, 12), random) + _draw(older, cited, 1, random)
        references[work.number] = tuple(dict.fromkeys(one.number for one in chosen))
        for number in references[work.number]:
            cited[number] += 1
    return [
        replace(
            work,
            references=references[work.number],
            references_withheld=work.number % 23 == 0,
            unresolved=(f"Technical note {work.number} on {work.topic}",) if work.number % 7 == 0 else (),
        )
        for work in works
    ]


def _draw(works: list[Work], cited: dict[int, int], count: int, random: Random) -> list[Work]:
    if not works:
        return []
    return random.choices(works, [cited[work.number] for work in works], k=min(count, len(works)))
