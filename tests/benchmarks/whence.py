"""How often a bent quote finds its paper and page: `python -m tests.benchmarks.whence [quotes] [seed]`.

Quotes of 10 to 30 words are cut out of sentences of SciFact's abstracts and bent: broken at a line end, other case,
ligatures and line breaks, hyphens gone, Greek letters and umlauts written out, a word left out or changed, three of
these at once. 300 abstracts are kept out of the library: quotes of them must be attributed to nobody. For pages,
abstracts are bound together as full texts of eight pages. In libraries of 40 papers on one subject, how many quotes are
attributed that share the frame of a sentence there, but have the numbers and some of the names of a paper that is not
there. And how many bent quotes of whole words a summary takes for
its paper's, and how many in which a figure, a sign, a unit or a “not” is another one: these must be none.
"""

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from agents.builtin.ranking.bm25 import Bm25Index, best
from agents.builtin.ranking.topic_coverage import rarity
from agents.builtin.text.sentences import sentences
from agents.builtin.text.terms import terms
from agents.evidence.quotes import verbatim_quote
from agents.evidence.whence import Origin, whence
from cache import page_texts, papers, shelf
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Paper
from tests.benchmarks.evidence import abstracts

FOREIGN, PAGES, BOUND = 300, 8, 60
SHORTEST, LONGEST = 10, 30
SMALL, SLOTS = 40, 3
SUBJECTS = (
    "statins cardiovascular risk",
    "breast cancer tumour growth",
    "HIV infection antiretroviral",
    "insulin glucose",
)
BENDS = 3
SPELLINGS = ("broken", "case", "ligatures", "lines", "hyphens", "letters")
WAYS = (*SPELLINGS, "left out", "changed", "as it is")
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
    words = [word for text in some[:FOREIGN] for word in text.split() if word.isalpha() and len(word) > 4]
    while number:
        text = dice.choice(some)
        sentence = dice.choice(sentences(text)).split()
        if len(sentence) >= SHORTEST:
            length = dice.randint(SHORTEST, min(LONGEST, len(sentence)))
            first = dice.randint(0, len(sentence) - length)
            number -= 1
            yield text, bent(sentence[first : first + length], dice, words)


def bent(words: list[str], dice: Random, others: Sequence[str], some: Sequence[str] = WAYS) -> str:
    """The words as a quote, bent in some ways."""
    ways = dice.sample(some, BENDS)
    if "left out" in ways:
        del words[dice.randrange(1, len(words) - 1)]
    if "changed" in ways:
        words[dice.randrange(len(words))] = dice.choice(others)
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
            own += bool(verbatim_quote(bent(list(words), dice, (), SPELLINGS), paper))
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


def in_small_libraries(every: Sequence[Paper], number: int, dice: Random) -> tuple[int, int]:
    """How many of so many bent quotes find their paper in libraries on one subject, and how many framed ones one."""
    index, right, attributed = Bm25Index(f"{paper.title} {paper.abstract}" for paper in every), 0, 0
    for subject in SUBJECTS:
        near = [every[place] for place in best(index.scores(subject), 3 * SMALL)]
        known, others = near[::3], [*near[1::3], *near[2::3]]
        titles = {paper.abstract: paper.title for paper in known}
        with TemporaryDirectory() as folder, Store.open(Path(folder) / "spar.db") as store:
            filled(store, known, [])
            for text, quote in quotes(list(titles), number // len(SUBJECTS), dice):
                right += bool((found := whence(store, quote)) and found[0].paper.title == titles[text])
            for quote in framed(known, others, number // len(SUBJECTS), dice):
                attributed += bool(whence(store, quote))
    return right, attributed


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
    number, seed = ([int(one) for one in sys.argv[1:3]] + [500, 0][len(sys.argv) - 1 :])[:2]
    dice = Random(seed)
    every = list(abstracts().values())
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
    right, attributed = in_small_libraries(every, 200, dice)
    print(f"libraries of {SMALL} papers on one subject: {right} of 200 quotes find their paper; {attributed} of 200 "
          "with the numbers and names of other papers are attributed")  # fmt: skip
    own, turned = taken(list(titles), number, dice)
    print(f"{own} of {number} quotes in other letters are taken for their paper's, {turned} of {number} turned ones")


if __name__ == "__main__":
    main()
