"""What a source could not be asked of an expression, applied to the papers that it answered with."""

from collections.abc import Sequence
from dataclasses import replace

from cache.conditions.names import words_of_name
from cache.conditions.values import Interval
from connectors.paper import Author, Paper
from connectors.query.dialects import DIALECTS, translated
from connectors.query.expression import Either, Leaf, Node, Without
from connectors.source import Answer, Query


def asked_in(source: str, query: Query) -> Query:
    """Return the query as `source` takes it: an expression in words where it takes no operators."""
    if query.form != "expression" or source in DIALECTS:
        return query
    return replace(query, text=translated(source, query.text).text, form="words")


def applied(source: str, query: Query, answer: Answer) -> Answer:
    """Return the answer to an expression without the papers that surely do not match what `source` was not asked."""
    left = translated(source, query.text).left
    papers = tuple(paper for paper in answer.papers if all(may_match(part, paper) is not False for part in left))
    gone = len(answer.papers) - len(papers)
    if not gone:
        return answer
    note = f"{gone} of {len(answer.papers)} records do not match the query, which {source} takes only in part"
    return replace(answer, papers=papers, notes=(*answer.notes, note))


def may_match(node: Node, paper: Paper) -> bool | None:
    """Return whether `paper` matches; None where its record does not tell."""
    match node:
        case Leaf():
            return _has(node, paper)
        case Without():
            held = may_match(node.part, paper)
            return None if held is None else not held
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
    told = {"title": [paper.title], "abstract": [paper.abstract]}.get(leaf.field or "", [paper.title, paper.abstract])
    if any(_stands(leaf, words_of_name(text)) for text in told):
        return True
    return False if paper.abstract or leaf.field == "title" else None


def _is_called(author: Author, leaf: Leaf) -> bool:
    """Whether each word is one of the name, or an initial of it: `smith j`."""
    name = words_of_name(author.name)
    asked = words_of_name(" ".join(leaf.words))
    return all(
        word in name
        or (len(word) == 1 and any(part.startswith(word) for part in words_of_name(author.given)))
        or (leaf.truncated and word == asked[-1] and any(part.startswith(word) for part in name))
        for word in asked
    )


def _stands(leaf: Leaf, text: Sequence[str]) -> bool:
    """Whether the words of `leaf` stand in `text` one after the other, or near each other."""
    asked = words_of_name(" ".join(leaf.words))
    if leaf.within is not None:
        return _are_near(asked, text, leaf.within)
    last = len(asked) - 1
    return any(
        all(
            text[start + number] == word
            or (leaf.truncated and number == last and text[start + number].startswith(word))
            for number, word in enumerate(asked)
        )
        for start in range(len(text) - last)
    )


def _are_near(asked: Sequence[str], text: Sequence[str], within: int) -> bool:
    """Whether all of `asked` stand in a stretch of `text` with at most `within` other words."""
    length = len(asked) + within
    return any(set(asked) <= set(text[start : start + length]) for start in range(max(1, len(text) - length + 1)))
