"""Match papers with queries with operators, for sources that cannot take the whole query."""

from collections.abc import Sequence

from agents.run.findings import FoundPaper
from cache.conditions.names import words_of_name
from cache.conditions.values import Interval
from connectors.paper import Author, Paper
from connectors.query.dialects import translated
from connectors.query.expression import Either, Leaf, Node, Without, expression_of


def is_no_match(question: str, candidate: FoundPaper) -> bool:
    """Return whether a work surely does not match a question with operators.

    The parts that a source was sent are not checked again, because it may use a thesaurus. A work found by a link is
    checked against the whole question.
    """
    tree = expression_of(question) if candidate.found_by else None
    if tree is None:
        return False
    parts_to_check = [
        (tree,) if finding.link else translated(finding.source, question).left for finding in candidate.found_by
    ]
    return not any(all(may_match(part, candidate.paper) is not False for part in parts) for parts in parts_to_check)


def may_match(node: Node, paper: Paper) -> bool | None:
    """Return whether `paper` matches; None if its record lacks the data."""
    match node:
        case Leaf():
            return _has(node, paper)
        case Without():
            matches = may_match(node.part, paper)
            return None if matches is None else not matches
    held_parts = [may_match(part, paper) for part in node.parts]
    decisive = isinstance(node, Either)
    if decisive in held_parts:
        return decisive
    return None if None in held_parts else not decisive


def _has(leaf: Leaf, paper: Paper) -> bool | None:
    match leaf.field:
        case "year":
            first, last = (year or None for year in leaf.words)
            return Interval(first, last).has_day(paper.date) if paper.date else None
        case "author":
            return any(_is_called(author, leaf) for author in paper.authors) if paper.authors else None
        case "venue":
            return _stands(leaf, words_of_name(paper.venue)) if paper.venue else None
        case "mesh":
            return None
    texts = {"title": [paper.title], "abstract": [paper.abstract]}.get(leaf.field or "", [paper.title, paper.abstract])
    if any(_stands(leaf, words_of_name(text)) for text in texts):
        return True
    return False if paper.abstract or leaf.field == "title" else None


def _is_called(author: Author, leaf: Leaf) -> bool:
    """Whether each word is part of the author's name, or an initial of it: `smith j`."""
    name = words_of_name(author.name)
    words = words_of_name(" ".join(leaf.words))
    return all(
        word in name
        or (len(word) == 1 and any(part.startswith(word) for part in words_of_name(author.given)))
        or (leaf.truncated and word == words[-1] and any(part.startswith(word) for part in name))
        for word in words
    )


def _stands(leaf: Leaf, text: Sequence[str]) -> bool:
    """Whether the words of `leaf` occur in `text` in a row, or within its distance of each other."""
    words = words_of_name(" ".join(leaf.words))
    if leaf.within is not None:
        length = len(words) + leaf.within
        starts = range(max(1, len(text) - length + 1))
        return any(set(words) <= set(text[start : start + length]) for start in starts)
    last = len(words) - 1
    return any(
        all(
            text[start + number] == word
            or (leaf.truncated and number == last and text[start + number].startswith(word))
            for number, word in enumerate(words)
        )
        for start in range(len(text) - last)
    )
