"""Ground the model's text: each sentence in papers of the prompt, each citation in words of its paper."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from agents.builtin.text.bindings import bound_elsewhere
from agents.builtin.text.numbers import lacking, may_be_another_name, may_be_of_another_kind
from agents.builtin.text.pages import Pages, no_pages
from agents.builtin.text.polarity import may_oppose
from agents.builtin.text.remarks import QUOTED, foreign_reference, without_ids
from agents.builtin.text.terms import terms
from agents.builtin.text.words import letters_of, spaced_words
from agents.evidence.quotes import SHORTEST_QUOTE, noted_words, quoted, surroundings
from agents.evidence.source_check import COVERED, covered
from agents.run.step import read_id
from agents.summary.events import Citation, Sentence
from connectors.paper import Paper, WorkId, all_authors
from connectors.records.clean import whole_text

LONGEST_SENTENCE = 600
COPIED = 8
"""Number of words in a row shared with a paper that count as copied, and so need quotation marks."""
_HANGING = re.compile(r"(?:this|these|those|it|they|such|their|its)\b", re.IGNORECASE)


class Grounded(NamedTuple):
    """A sentence with the citations that hold, None if it is rejected; its faults, as feedback for the model; the
    number of citations that do not hold; and a reason for `doubt`, "" if none: then it stands only if a model confirms
    its quotes."""

    sentence: Sentence | None
    faults: tuple[str, ...]
    lost: int
    doubt: str = ""


def grounded(
    text: str,
    citation_pairs: Iterable[tuple[str, str]],
    papers: Mapping[str, tuple[WorkId, Paper]],
    pages: Callable[[Paper], Pages] = no_pages,
    ids: Collection[str] = (),
) -> Grounded:
    """Return the supported part of a sentence and its citations.

    `citation_pairs` are pairs of a paper's id in the prompt and a quote, `papers` the citable papers by that id, and
    `pages` returns their full texts. Only brackets with these and other `ids` of the prompt are removed from the
    text. Rejects the sentence if no citation of a paper holds, if it has a reference that none of its papers has,
    or copies a paper without quotation marks. Also if it has a number, with its sign and unit, that neither its
    papers have nor the sentences around its quotes imply; one that its quotes neither have nor imply is a reason
    for doubt. The number, years and titles of the papers it cites are allowed.
    """
    citation_pairs, ids = list(citation_pairs), (*papers, *ids)
    cited_papers = [
        papers[name][1] for name in {read_id(key, papers.keys()) or key for key, _ in citation_pairs} & papers.keys()
    ]
    records = [
        "\n".join((all_authors(paper), str(paper.year), paper.title, paper.about, *pages(paper).values()))
        for paper in cited_papers
    ]
    sentence = without_ids(whole_text(text, LONGEST_SENTENCE), ids)
    if not terms(sentence):
        return Grounded(None, (f"it says nothing on the papers, or has more than {LONGEST_SENTENCE} letters",), 0)
    citations: dict[Citation, None] = {}
    fallen: dict[str, str] = {}
    lost_count = 0
    for paper_id, copied in citation_pairs:
        name = read_id(paper_id, papers.keys()) or paper_id
        citation = _citation(copied, papers[name], pages) if name in papers else None
        if citation:
            citations[citation] = None
        else:
            lost_count += 1
            fallen[name] = (
                f"the quote from {name} is not in that paper"
                if name in papers
                else f"{name} is not listed for the section"
            )
    works = {citation.work for citation in citations}
    faults = [why for name, why in fallen.items() if name not in papers or papers[name][0] not in works]
    if not works and not faults:
        faults.append("it cites no paper")
    if not faults and (reference := foreign_reference(sentence, ids, records)):
        faults.append(f"it has “{reference}” in its text, which no paper that it cites has")
    quotes = [citation.quote or citation.described for citation in citations]
    of_papers = {work: paper for work, paper in papers.values() if work in works}
    besides = frozenset({len(of_papers), *(paper.year for paper in of_papers.values() if paper.year)})
    evidence = "\n".join((*quotes, *(paper.title for paper in of_papers.values())))
    lacks = lacking(sentence, evidence, besides, computing=True)
    near = "\n".join((evidence, *(_surroundings(citation, of_papers[citation.work], pages) for citation in citations)))
    not_near = lacking(sentence, near, besides, computing=True, loosely=True)
    nowhere = lacking(sentence, "\n".join((evidence, *records)), besides)
    unfounded = [number for number in lacks if number in not_near and number in nowhere]
    if not faults and unfounded:
        faults.append(f"“{unfounded[0].written}”, or its unit, is in none of its quotes")
    if not faults and (copying := _copying(sentence, records)):
        faults.append(copying)
    stands = Sentence(sentence, tuple(citations)) if not faults else None
    doubt = f"“{lacks[0].written}” is in none of its quotes" if lacks else ""
    doubt = doubt or _doubt(sentence, citations, evidence, of_papers)
    if hanging := _HANGING.match(sentence):
        faults.append(f"it begins with “{hanging[0]}”, but has to be understood alone")
    return Grounded(stands, tuple(faults), lost_count, doubt if stands else "")


def _copying(sentence: str, records: Sequence[str]) -> str:
    """Return what is wrong with the way `sentence` copies the papers of `records`, "" if nothing is."""
    record_letters = [letters_of(record) for record in records]
    for part in QUOTED.findall(sentence):
        if len(part.split()) >= SHORTEST_QUOTE and not any(letters_of(part) in letters for letters in record_letters):
            return f"it puts “{part}” in quotation marks, but no cited paper has it"
    own_words = [spaced_words(part).split() for part in QUOTED.split(sentence)[::2]]
    runs = [" ".join(words[at : at + COPIED]) for words in own_words for at in range(len(words) - COPIED + 1)]
    copied = next((run for run in runs if any(f" {run} " in spaced_words(record) for record in records)), "")
    return f"it copies “{copied}”: say it in other words, or in quotation marks" if copied else ""


def _surroundings(citation: Citation, paper: Paper, pages: Callable[[Paper], Pages]) -> str:
    text = pages(paper).get(citation.page, "") if citation.page else paper.about
    return surroundings(citation.quote or citation.described, text)


def _doubt(sentence: str, citations: Collection[Citation], evidence: str, papers: Mapping[WorkId, Paper]) -> str:
    """Return why the quotes may not support the sentence, judged by words; "" if nothing speaks against it."""
    if may_be_another_name(sentence, evidence):
        return "a name in it has a different number in its quotes"
    if bound_elsewhere(sentence, evidence) or may_be_of_another_kind(sentence, evidence):
        return "its quotes have one of its numbers, but seem to count something else"
    if may_oppose(sentence, "\n".join(citation.quote or citation.described for citation in citations)):
        return "it and its quotes differ in a “not” or a direction"
    for work, paper in papers.items():
        about = " ".join((paper.title, paper.about, *(entry.quote for entry in citations if entry.work == work)))
        if covered(sentence, about) < COVERED / len(papers):  # each of several papers supports a part of it
            return "a paper that it cites seems to be about something else"
    return ""


def _citation(copied: str, cited_paper: tuple[WorkId, Paper], pages: Callable[[Paper], Pages]) -> Citation | None:
    """Return the citation; None if the quote is not in the paper."""
    work, paper = cited_paper
    quote, page = quoted(copied, paper, pages(paper))
    described = "" if quote else noted_words(copied, paper)
    if not quote and not described:
        return None
    return Citation(work, quote, described, page)
