"""How often a bent quote finds its paper and page: `python -m tests.benchmarks.whence [quotes] [seed] [collection]`.

Quotes of 10 to 30 words are cut out of sentences of a collection's abstracts and bent: broken at a line end, other
case, ligatures and line breaks, hyphens gone, Greek letters and umlauts written out, a word left out, the first and the
last word cut, three of these at once. 300 abstracts are kept out of the library: quotes of them must be attributed to
nobody. For pages, abstracts are bound together as full texts of eight pages. In libraries of 40 papers on one subject,
how many quotes are attributed that are in no paper: sentences of other papers on the subject, and sentences of these
papers with another number, sign, unit, negation, direction or content word, with the end of another sentence, or with
numbers and names of another paper. And how many bent quotes of whole words a summary takes for its paper's, and how
many in which a figure, a sign, a unit or a “not” is another one: these must be none.
"""

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from agents.builtin.ranking.bm25 import Bm25Index, best
from agents.builtin.ranking.topic_coverage import rarity
from agents.builtin.text.sentences import sentences
from agents.builtin.text.terms import terms
from agents.builtin.text.words import placed_words
from agents.evidence.quotes import verbatim_quote
from agents.evidence.whence import Origin, whence
from cache import page_texts, papers, shelf
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Paper
from tests.benchmarks.evidence import abstracts
from tests.benchmarks.planting import OPPOSITE

FOREIGN, PAGES, BOUND = 300, 8, 60
SHORTEST, LONGEST = 10, 30
SMALL, SLOTS = 40, 3
LIBRARIES = 4
BENDS = 3
SPELLINGS = ("broken", "case", "ligatures", "lines", "hyphens", "letters")
WAYS = (*SPELLINGS, "left out", "cut", "as it is")
UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "ß": "ss"}
TURNED: Mapping[str, tuple[str, Callable[[re.Match[str]], str]]] = {
    "figure": (r"(?<![\w.])\d", lambda figure: str((int(figure[0]) + 3) % 10)),
    "sign": (r"(?<=\s)(?=\d)", lambda _: "-"),
    "unit": (r"(?<=\d)\s?(?:%|mg|kg|ml|mm|cm|h|min|days|weeks|months|years)(?!\w)", lambda _: " km"),
    "not": (r"\bnot\s", lambda _: ""),
    "is not": (r"\b(?:is|was|were|are|can|did|has|have)\b", lambda verb: f"{verb[0]} not"),
    "non-": (r"(?<=\sa\s)(?=\w{5})", lambda _: "non-"),
}
"""What a reader of a quote must not overlook: a place in it, and what is put there."""


def quotes(some: Sequence[str], number: int, dice: Random) -> Iterator[tuple[str, str]]:
    """Texts, each with a bent quote of it."""
    while number:
        text = dice.choice(some)
        sentence = dice.choice(sentences(text)).split()
        if min(len(sentence), len(placed_words(" ".join(sentence)))) >= SHORTEST:
            length = dice.randint(SHORTEST, min(LONGEST, len(sentence)))
            first = dice.randint(0, len(sentence) - length)
            number -= 1
            yield text, bent(sentence[first : first + length], dice)


def bent(words: list[str], dice: Random, some: Sequence[str] = WAYS) -> str:
    """The words as a quote, bent in some ways."""
    ways = dice.sample(some, BENDS)
    if "left out" in ways:
        del words[dice.randrange(1, len(words) - 1)]
    if "cut" in ways:
        first, last = words[0], words[-1]
        words[0] = first[len(first) // 3 :] if first.isalpha() else first
        words[-1] = last[: len(last) // 2 + 1] if last.isalpha() else last
    if "broken" in ways and (places := [place for place, one in enumerate(words) if one.isalpha() and len(one) > 7]):
        place = dice.choice(places)
        cut = dice.randrange(3, len(words[place]) - 2)
        words[place] = f"{words[place][:cut]}-\n{words[place][cut:]}"
    quote = ("\n" if "lines" in ways else " ").join(words)
    if "hyphens" in ways and "broken" not in ways:
        quote = re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", "", quote)
    if "letters" in ways:
        quote = re.sub(r"[α-ωäöüøß]", _spelled_out, quote)
    if "case" in ways:
        quote = dice.choice((quote.upper(), quote.lower()))
    return quote.replace("fi", "ﬁ").replace("fl", "ﬂ") if "ligatures" in ways else quote


def _spelled_out(letter: re.Match[str]) -> str:
    return UMLAUTS.get(letter[0]) or unicodedata.name(letter[0]).split()[-1].lower().replace("lamda", "lambda")


def taken(some: Sequence[str], number: int, dice: Random) -> tuple[int, int]:
    """How many of so many quotes with other letters a summary takes for its paper's, and how many turned ones."""
    own, turned = 0, Counter[bool]()
    ways = [(re.compile(pattern), change) for pattern, change in TURNED.values()]
    while sum(turned.values()) < number:
        text = dice.choice(some)
        words = dice.choice(sentences(text)).split()[:LONGEST]
        if len(words) >= SHORTEST:
            paper = Paper(title="", abstract=text)
            own += bool(verbatim_quote(bent(list(words), dice, SPELLINGS), paper))
            pattern, change = dice.choice(ways)
            other = pattern.sub(change, " ".join(words), count=1)
            turned[other != " ".join(words) and bool(verbatim_quote(other, paper))] += 1
    return own, turned[True]


def framed(known: Sequence[Paper], others: Sequence[Paper], number: int, dice: Random) -> Iterator[str]:
    """Words of known papers in which all numbers, and half or all of the rare words, are those of another paper: at
    least `SLOTS` of them."""
    while number:
        words = dice.choice(sentences(dice.choice(known).abstract)).split()
        other = f"{dice.choice(others).abstract} 17 83".split()
        figures, names = [one for one in other if one[0].isdigit()], [one for one in other if _is_rare(one)]
        if len(words) >= SHORTEST + 2 and names:
            first, share = dice.randint(0, len(words) - SHORTEST - 2), dice.choice((0.5, 1))
            own = words[first : first + LONGEST]
            new = [dice.choice(figures) if re.search(r"\d", word)
                   else dice.choice(names) if _is_rare(word.strip(".,;()")) and dice.random() < share
                   else word for word in own]  # fmt: skip
            if sum(a != b for a, b in zip(own, new, strict=True)) >= SLOTS:
                number -= 1
                yield " ".join(new)


def _is_rare(word: str) -> bool:
    return word.isalpha() and len(word) > 4 and any(rarity(term) >= rarity("") for term in terms(word))


def foreign(known: Sequence[Paper], others: Sequence[Paper], number: int, dice: Random) -> Iterator[tuple[str, str]]:
    """Kinds of quotes that are in none of the `known` papers, each with a quote, so many of each kind."""
    yield from (("other paper", quote) for _, quote in quotes([one.abstract for one in others], number, dice))
    yield from (("framed", quote) for quote in framed(known, others, number, dice))
    told = [" ".join(words[:LONGEST]) for paper in known for sentence in sentences(paper.abstract)
            if len(words := sentence.split()) >= SHORTEST]  # fmt: skip
    texts = [sentence for paper in others for sentence in sentences(paper.abstract)]
    names = [word for text in texts for word in text.split() if _is_rare(word)]
    ways: dict[str, Callable[[str], str]] = {
        name: partial(re.compile(pattern).sub, change, count=1) for name, (pattern, change) in TURNED.items()
    }
    ways["direction"] = partial(_DIRECTION.sub, lambda word: OPPOSITE[word[0]], count=1)
    ways["word"] = lambda text: _one_other(text, names, dice)
    ways["spliced"] = lambda text: _spliced(text, dice.choice(texts))
    for name, way in ways.items():
        altered = ((own, way(own)) for own in dice.sample(told, len(told)))
        yield from islice(((name, other) for own, other in altered if other != own), number)


_DIRECTION = re.compile(rf"\b(?:{'|'.join(OPPOSITE)})\b")


def _one_other(text: str, names: Sequence[str], dice: Random) -> str:
    """The text with one of its rare words replaced."""
    words = text.split()
    places = [place for place, word in enumerate(words) if _is_rare(word)]
    if places:
        place = dice.choice(places)
        words[place] = dice.choice([name for name in names if terms(name) != terms(words[place])])
    return " ".join(words)


def _spliced(text: str, other: str) -> str:
    """The first half of a text with the second half of another."""
    words, behind = text.split(), other.split()
    return " ".join([*words[: len(words) // 2], *behind[len(behind) // 2 :][:SHORTEST]])


def in_small_libraries(every: Sequence[Paper], number: int, dice: Random) -> tuple[int, Counter[str], Counter[str]]:
    """How many of so many bent quotes find their paper in libraries on one subject; of each kind of quotes that are in
    no paper, how many are attributed, and how many there are."""
    index, right = Bm25Index(f"{paper.title} {paper.abstract}" for paper in every), 0
    attributed, total = Counter[str](), Counter[str]()
    for subject in dice.sample(every, LIBRARIES):
        near = [every[place] for place in best(index.scores(subject.title), 3 * SMALL)]
        known, others = near[::3], [*near[1::3], *near[2::3]]
        titles = {paper.abstract: paper.title for paper in known}
        with TemporaryDirectory() as folder, Store.open(Path(folder) / "spar.db") as store:
            filled(store, known, [])
            for text, quote in quotes(list(titles), number // LIBRARIES, dice):
                right += bool((found := whence(store, quote)) and found[0].paper.title == titles[text])
            for kind, quote in foreign(known, others, number // LIBRARIES // 4, dice):
                total[kind] += 1
                attributed[kind] += bool(whence(store, quote))
    return right, attributed, total


def filled(store: Store, known: Sequence[Paper], bound: Sequence[Sequence[Paper]]) -> None:
    """Keep `known` in the library, and full texts of pages that are abstracts."""
    papers.remember(store, known)
    for place, pages in enumerate(bound):
        one = Paper(title=f"Proceedings {place}", identifiers=(Identifier("doi", f"10.1000/bound.{place}"),))
        [number] = shelf.save(store, [one])
        file = f"/papers/{place}.pdf"
        shelf.set_files(store, number, [file])
        page_texts.keep(store, number, file, b"digest", [page.abstract for page in pages])


def main() -> None:
    """Print the figures."""
    arguments = [*sys.argv[1:], *("500", "0", "scifact")[len(sys.argv) - 1 :]]
    number, dice, collection = int(arguments[0]), Random(int(arguments[1])), arguments[2]
    every = [paper for paper in abstracts(collection).values() if len(paper.abstract.split()) >= 3 * SHORTEST]
    dice.shuffle(every)
    foreign, bound = every[:FOREIGN], [every[FOREIGN + PAGES * one :][:PAGES] for one in range(BOUND)]
    known = every[FOREIGN + PAGES * BOUND :]
    pages = {page.abstract: (f"Proceedings {place}", at) for place, some in enumerate(bound)
             for at, page in enumerate(some, start=1)}  # fmt: skip
    titles = {paper.abstract: paper.title for paper in known}
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "spar.db") as store:
        filled(store, known, bound)

        def first(quote: str) -> Origin | None:
            return next(iter(whence(store, quote)), None)

        found = [(text, first(quote)) for text, quote in quotes(list(titles), number, dice)]
        right = sum(bool(one and one.paper.title == titles[text]) for text, one in found)
        print(f"{right} of {number} quotes of abstracts find their paper")
        found = [(text, first(quote)) for text, quote in quotes(list(pages), number // 5, dice)]
        right = sum(bool(one and one.paper.title == pages[text][0]) for text, one in found)
        on_page = sum(bool(one and (one.paper.title, one.page) == pages[text]) for text, one in found)
        print(f"{right} of {number // 5} quotes of full texts find their paper, {on_page} their page")
        others = [first(quote) for _, quote in quotes([one.abstract for one in foreign], 2 * number // 5, dice)]
        print(f"{sum(map(bool, others))} of {2 * number // 5} quotes of papers that are not there are attributed")
    right, attributed, total = in_small_libraries(every, 200, dice)
    print(f"libraries of {SMALL} papers on one subject: {right} of 200 quotes find their paper; attributed, in none:")
    print(", ".join(f"{kind} {attributed[kind]} of {most}" for kind, most in total.items()))
    own, turned = taken(list(titles), number, dice)
    print(f"{own} of {number} quotes in other letters are taken for their paper's, {turned} of {number} turned ones")


if __name__ == "__main__":
    main()
