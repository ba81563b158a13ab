"""Answers as compact text for clients that read no structured content.

Text from outside never begins a line: a title or a note cannot pass for a line of the answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cache.conditions.orders import short_names
from connectors.paper import UNNAMED
from connectors.query.text import cut_at_word
from spar_tui.mcp.records import filled
from spar_tui.phrases import LESS_SURE, NEAREST, quotation, reason_text

PAPER = 250
"""Maximum number of characters of a paper in a list."""
_TITLE, _AUTHORS, _VENUE, _ID = 85, 25, 25, 40
_LEAST_QUOTE = 40


def paper_lines(papers: Sequence[Mapping[str, Any]], relevant: int | None) -> Iterator[str]:
    """A line for each paper; a heading precedes those that the run did not judge relevant."""
    headed = relevant is None
    for one in papers:
        if relevant is not None and one["rank"] > relevant and not headed:
            yield f"{LESS_SURE if relevant else NEAREST}:"
            headed = True
        yield paper_line(one)


def paper_line(one: Mapping[str, Any]) -> str:
    """Rank, name, title, authors, year, venue, identifier, verdict and quote of a paper, in at most `PAPER` characters.

    The quote is cut to the room that is left; without a quote, the reason or what recommends the paper stands there.
    """
    name = one["id"] if len(one["id"]) <= _ID and not one["id"].startswith(UNNAMED) else ""
    authors = _cut(short_names(one["authors"], one["et_al"]), _AUTHORS)
    published = ", ".join(filter(None, [authors, str(one["year"] or ""), _cut(one["venue"] or "", _VENUE)]))
    facts = [
        "RETRACTED" if one["retracted"] else "",
        f"relevance {one['relevance']:.2f}" if one.get("relevance") is not None else "",
        f"cited {one['citation_count']}" if one["citation_count"] is not None else "",
        "saved" if one["saved"] else "",
    ]
    parts = [f"{one['rank']}. {one['name']} {_cut(one['title'], _TITLE)}", f"({published})" if published else "", name]
    line = " ".join(filter(None, [*parts, f"[{', '.join(filter(None, facts))}]" if any(facts) else ""]))
    room = PAPER - len(line) - 1
    quote, reason = one["quote"] or "", reason_text(one["reason"] or "", bool(one["proven"]))
    reason = reason or " ".join(one.get("reasons", ()))
    said = quotation(_cut(quote, room - 12), one["page"]) if quote else _cut(reason, room)
    return f"{line} {said}"[:PAPER] if said and room >= _LEAST_QUOTE else line[:PAPER]


def fact_lines(facts: Mapping[str, Any]) -> Iterator[str]:
    """A line for each fact, and for each entry of a list of objects or rows."""
    for name, value in filled(facts).items():
        match value:
            case [dict(), *_]:
                yield f"{name}:"
                yield from (f"- {'; '.join(f'{part}: {_flat(held)}' for part, held in one.items())}" for one in value)
            case [list(), *_]:
                yield f"{name}:"
                yield from (f"- {' | '.join(map(_flat, row))}" for row in value)
            case dict():
                yield from (f"{name}.{part}" for part in fact_lines(value))
            case _:
                yield f"{name}: {_flat(value)}"


def _flat(value: Any) -> str:
    """A value on one line."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case list():
            return ", ".join(map(_flat, value))
        case dict():
            return ", ".join(f"{name} {_flat(one)}" for name, one in value.items())
    return one_line(str(value))


def one_line(text: str) -> str:
    """`text` with single spaces in place of line breaks and runs of spaces."""
    return " ".join(text.split())


def _cut(text: str, most: int) -> str:
    bare = one_line(text)
    return bare if len(bare) <= most else f"{cut_at_word(bare, max(most - 1, 0))}…"
