"""Look at papers: one paper, its links, the shelf, past runs, the profile, and facts of the library by SQL."""

import asyncio
import re
from typing import Literal

from pydantic import Field

from agents.builtin.text.terms import terms
from agents.builtin.text.words import placed_words
from agents.evidence.whence import LONGEST, SHORTEST, certainty, differences_text, nearest, whence
from agents.lookup.links import Kind, linked
from agents.taste.whole_profile import read_profile
from agents.tools.filter_arguments import Day
from agents.tools.paper_names import the_paper
from agents.tools.tool import PAGE, Arguments, NoArguments, Tool, ToolContext, ToolError, ToolResult, in_thread
from cache import citation_keys, papers, runs, shelf
from cache.errors import SqlRefused
from cache.reading_history import last_feedback
from cache.sql.reading import read_sql
from cache.store import PaperId
from cache.timestamps import stamp
from connectors.paper import Paper, all_authors


class FindQuoteArguments(Arguments):
    quote: str = Field(min_length=1, max_length=5_000)


async def _find_quote(arguments: FindQuoteArguments, context: ToolContext) -> ToolResult:
    number = len(placed_words(arguments.quote))
    if not SHORTEST <= number <= LONGEST:
        raise ToolError(f"The quote has {number} words; give {SHORTEST} to {LONGEST}.")
    origins = await asyncio.to_thread(whence, context.store, arguments.quote)
    near = None if origins else await asyncio.to_thread(nearest, context.store, arguments.quote)
    passages = [near] if near else origins
    rows = [
        {"paper": f"#{passage.number}", "title": passage.paper.title,
         "where": f"page {passage.page}" if passage.page else passage.where, "text": passage.text,
         "certainty": certainty(passage), "differences": differences_text(passage)}
        for passage in passages
    ]  # fmt: skip
    values = {"origins": [] if near else rows, "nearest": rows[0] if near else None}
    notes = () if origins else ("No title, abstract or stored full text of the library has these words.",)
    return ToolResult(tuple(passage.number for passage in passages), values=values, notes=notes)


FIND_QUOTE = Tool("find_quote", "Find the paper and page that a quote is from.", FindQuoteArguments, _find_quote)


LINKS = 100
"""Maximum number of linked papers to request from a source."""

Part = Literal[
    "abstract", "authors", "venue", "date", "citations", "identifiers", "pdf", "note", "tags", "keywords", "saved",
    "read", "retracted", "rating", "volume", "number", "pages", "publisher", "key", "type",
]  # fmt: skip


class PaperArguments(Arguments):
    """A paper and the requested parts of its data; () requests all of it."""

    paper: str = Field(min_length=1, max_length=500)
    parts: tuple[Part, ...] = ()


class OnePaper(Arguments):
    paper: str = Field(min_length=1, max_length=500)


class RunsArguments(Arguments):
    """Past searches, answers, summaries, recommendations and conversations; `words` stand in what was asked."""

    words: str = Field("", max_length=300)
    kind: Literal["search", "answer", "summary", "recommendation", "conversation"] | None = None
    since: Day | None = None
    until: Day | None = None
    limit: int = Field(20, ge=1, le=200)


@in_thread
def _paper(arguments: PaperArguments, context: ToolContext) -> ToolResult:
    number, paper = the_paper(arguments.paper, context)
    entry = shelf.shelved(context.store, number)
    facts = {
        "title": paper.title,
        "authors": all_authors(paper),
        "venue": paper.venue or None,
        "date": paper.date,
        "type": None if paper.type == "other" else paper.type,
        "citations": paper.citation_count,
        "identifiers": [f"{name.scheme}:{name.value}" for name in paper.identifiers],
        "pdf": paper.pdf,
        "files": list(entry.files) if entry else [],
        "abstract": paper.abstract or None,
        "described": paper.described or None,
        "keywords": list(paper.keywords),
        "retracted": paper.retracted,
        **{name: getattr(paper.imprint, name) or None for name in ("volume", "number", "pages", "publisher")},
        "saved": entry is not None,
        "saved_on": entry.saved.date().isoformat() if entry else None,
        "read_on": entry.read.date().isoformat() if entry and entry.read else None,
        "rating": last_feedback(context.store, number),
        "note": (entry.note or None) if entry else None,
        "tags": list(entry.tags) if entry else [],
        "key": citation_keys.keys_of(context.store, [number]).get(number),
    }
    return ToolResult(shown=(number,), values={"paper": facts, "parts": list(arguments.parts)})


def _links(kind: Kind) -> Tool[OnePaper]:
    async def ask(arguments: OnePaper, context: ToolContext) -> ToolResult:
        _, paper = await asyncio.to_thread(the_paper, arguments.paper, context)
        context.tell(f"Asking what {_PHRASES[kind]} “{paper.title}”.")
        link = await linked(paper, kind, context.resources, LINKS)
        numbers = await asyncio.to_thread(_kept, context, kind, paper, link.papers)
        notes = tuple(f"{name} {tally.error}" for name, tally in link.sources.items() if tally.state == "failed")
        sources = [name for name, tally in link.sources.items() if tally.asked and tally.state != "failed"]
        knew = [name for name, tally in link.sources.items() if tally.found]
        values = {"of": paper.title, "found": len(numbers), "asked": sources, "knew": knew}
        return ToolResult(numbers, numbers[:PAGE], values, notes=notes)

    return Tool(kind, _PURPOSES[kind], OnePaper, ask, asks=True)


_PHRASES: dict[Kind, str] = {"references": "is cited by", "citations": "cites", "similar": "is similar to"}
_PURPOSES: dict[Kind, str] = {
    "references": "The papers that a paper cites.",
    "citations": "The papers that cite a paper.",
    "similar": "The papers that sources call similar to a paper.",
}


def _kept(context: ToolContext, kind: Kind, paper: Paper, linked: tuple[Paper, ...]) -> tuple[PaperId, ...]:
    """Store linked papers with their links; return their numbers."""
    with context.store.writing():
        if kind == "references":
            papers.link(context.store, [paper], linked)
        elif kind == "citations":
            papers.link(context.store, linked, [paper])
        return tuple(dict.fromkeys(papers.remember(context.store, linked)))


@in_thread
def _runs(arguments: RunsArguments, context: ToolContext) -> ToolResult:
    kinds = [arguments.kind] if arguments.kind else []
    words = {*terms(arguments.words)}
    matches = [
        run
        for run in runs.recent(context.store, 10_000, *kinds)
        if run.id != context.run
        and (arguments.since is None or _day(run, arguments.since) >= arguments.since)
        and (arguments.until is None or _day(run, arguments.until) <= arguments.until)
        and words.issubset(terms(run.question))
    ]
    rows = [
        {"run": run.id, "kind": run.kind, "question": run.question, "started": stamp(run.started),
         "state": run.state, "papers": run.papers}
        for run in matches[: arguments.limit]
    ]  # fmt: skip
    return ToolResult(values={"runs": rows, "found": len(matches)})


def _day(run: runs.Run, like: str) -> str:
    """Return the local date on which a run began, as precise as the date `like`."""
    return run.started.astimezone().date().isoformat()[: len(like)]


@in_thread
def _profile(arguments: NoArguments, context: ToolContext) -> ToolResult:
    profile = read_profile(context.store, context.now)
    rows = [
        {"line": line.name, "facet": line.facet, "text": line.text, "own": line.own is not None, "counts": line.counts}
        for line in profile.lines
    ]
    return ToolResult(values={"lines": rows, "papers": len(profile.papers)})


PAPER = Tool("paper", "What is known of one paper.", PaperArguments, _paper)
REFERENCES, CITATIONS, SIMILAR = _links("references"), _links("citations"), _links("similar")
RUNS = Tool("runs", "Past searches, answers, summaries, recommendations and conversations.", RunsArguments, _runs)
PROFILE = Tool("profile", "What is thought of the person's likes, dislikes and expectations.", NoArguments, _profile)


PAPER_COLUMN = "paper"
"""A column of this name holds papers by their numbers."""
LINKS_KNOWN = "Which paper cites which is known only as far as your library has both and their reference lists."
_OF_LINKS = re.compile(r"\b(?:from|join)\s+citations\b", re.IGNORECASE)


class QueryArguments(Arguments):
    """One SELECT over the views (`cache.sql.views`)."""

    sql: str = Field(min_length=1, max_length=10_000)


async def _query(arguments: QueryArguments, context: ToolContext) -> ToolResult:
    try:
        sql_rows = await asyncio.to_thread(read_sql, context.store, arguments.sql)
    except SqlRefused as error:
        raise ToolError(str(error)) from None
    row_numbers = (
        [row[sql_rows.columns.index(PAPER_COLUMN)] for row in sql_rows.rows] if PAPER_COLUMN in sql_rows.columns else []
    )
    numbers = tuple(dict.fromkeys(PaperId(number) for number in row_numbers if isinstance(number, int)))
    notes = (LINKS_KNOWN,) if _OF_LINKS.search(arguments.sql) else ()
    values = {"columns": list(sql_rows.columns), "rows": [list(row) for row in sql_rows.rows], "cut": sql_rows.cut}
    return ToolResult(
        numbers if PAPER_COLUMN in sql_rows.columns else None, numbers, {**values, "papers": list(numbers)}, notes=notes
    )


QUERY = Tool("query", "Read facts of the library by one SQL SELECT over its views.", QueryArguments, _query)
