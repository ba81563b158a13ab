"""Tools that begin a run of another kind; it is stored, logged and listed like one that the person began."""

import asyncio
import time
from calendar import monthrange
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import date
from typing import Any

from pydantic import Field

from agents.run.errors import RunError
from agents.run.findings import SourceTally, failures, outcome_of
from agents.run.kinds import kind_named
from agents.run.runner import AnyRun, Runner
from agents.tools.filter_arguments import Day, Papers
from agents.tools.paper_names import named_papers
from agents.tools.tool import PAGE, Arguments, Tool, ToolContext, ToolError, ToolResult
from cache import papers as library
from cache import runs
from cache.store import PaperId

PACE = 0.2
"""Minimum number of seconds between two progress messages."""


class SearchArguments(Arguments):
    """A question in plain words; `deep` looks longer and further."""

    question: str = Field(min_length=1, max_length=2_000)
    since: Day | None = None
    until: Day | None = None
    limit: int = Field(20, ge=1, le=100)
    sources: tuple[str, ...] = ()
    deep: bool = False


class SummarizeArguments(Arguments):
    """A topic, made from `papers`, or from what sources find where there are none."""

    topic: str = Field(min_length=1, max_length=2_000)
    papers: Papers = ()
    words: int = Field(500, ge=100, le=5_000)


class AskArguments(Arguments):
    """A question, answered from `papers`, from those with a `tag`, from those of a `run`, or from the library."""

    question: str = Field(min_length=1, max_length=2_000)
    papers: Papers = ()
    tag: str | None = None
    run: str | None = None


class RecommendArguments(Arguments):
    """From the reading history, or from `papers` or those with a tag alone."""

    papers: Papers = ()
    tag: str | None = None
    limit: int = Field(PAGE, ge=1, le=100)


async def _search(arguments: SearchArguments, context: ToolContext) -> ToolResult:
    live = context.resources.live
    if unknown := [name for name in arguments.sources if name not in live]:
        raise ToolError(f"The source {unknown[0]} is not used here; choose from {', '.join(live) or 'no source'}.")
    sources = {name: source for name, source in live.items() if not arguments.sources or name in arguments.sources}
    resources = replace(context.resources, live=sources)
    options = {"since": _days(arguments.since)[0], "until": _days(arguments.until)[1], "limit": arguments.limit,
               "mode": "deep" if arguments.deep else "fast", "choose_sources": not arguments.sources}  # fmt: skip
    return await _begun("search", arguments.question, options, replace(context, resources=resources))


def _days(day: str | None) -> tuple[date | None, date | None]:
    """Return the first and the last day that a date can mean. Raises `ToolError` if it is not a calendar date."""
    if day is None:
        return None, None
    year, month, of_month = ([int(part) for part in day.split("-")] + [0, 0])[:3]
    try:
        return date(year, month or 1, of_month or 1), date(
            year, month or 12, of_month or monthrange(year, month or 12)[1]
        )
    except ValueError:
        raise ToolError(f"{day} is not a date.") from None


async def _summarize(arguments: SummarizeArguments, context: ToolContext) -> ToolResult:
    options: dict[str, Any] = {"words": arguments.words}
    if arguments.papers:
        numbers = await asyncio.to_thread(named_papers, arguments.papers, context)
        options |= {"corpus": "papers", "corpus_name": ",".join(map(str, numbers))}
    came_to = await _begun("summary", arguments.topic, options, context)
    if came_to.papers or came_to.run is None:
        return came_to
    await asyncio.to_thread(runs.forget, context.store, came_to.run)  # a failed run cannot be opened again
    return replace(came_to, papers=None, shown=(), text="", run=None)


async def _ask(arguments: AskArguments, context: ToolContext) -> ToolResult:
    corpora = {"papers": arguments.papers, "tag": arguments.tag, "run": arguments.run}
    if len(names := [name for name, value in corpora.items() if value]) > 1:
        raise ToolError(f"Give one of papers, tag and run, not {' and '.join(names)}.")
    corpus = {"corpus": "library", "corpus_name": ""}
    if arguments.papers:
        numbers = await asyncio.to_thread(named_papers, arguments.papers, context)
        corpus = {"corpus": "papers", "corpus_name": ",".join(map(str, numbers))}
    elif arguments.tag or arguments.run:
        corpus = {"corpus": names[0], "corpus_name": arguments.tag or arguments.run or ""}
    return await _begun("answer", arguments.question, corpus, context)


async def _recommend(arguments: RecommendArguments, context: ToolContext) -> ToolResult:
    start = await asyncio.to_thread(named_papers, arguments.papers, context)
    return await _begun("recommendation", "", {"start": start, "tag": arguments.tag, "limit": arguments.limit}, context)


async def _begun(name: str, question: str, run_options: Mapping[str, Any], context: ToolContext) -> ToolResult:
    """Carry out a run of the kind `name`, to its end."""
    kind = kind_named(name)
    options = kind.options(**run_options, source_seconds=context.resources.source_seconds)
    sources = tuple(context.resources.live) if kind.asks_sources(options) else ()
    try:
        options = kind.settled(context.store, replace(options, sources=sources))
        resources = await asyncio.to_thread(kind.prepared, context.resources, context.store, options)
        runner = Runner.begun(kind, context.store, question, options)
        context.tell(f"Started the {kind.name} {runner.run}.")
        async with aclosing(runner.events(resources)) as events:
            last_report = -PACE
            async for _ in events:
                if time.monotonic() - last_report >= PACE:
                    last_report = time.monotonic()
                    context.tell(_standing(runner))
    except RunError as error:
        raise ToolError(str(error)) from None
    result = kind.result(runner.state)
    verdicts = await asyncio.to_thread(_verdicts_of, context, result.papers)
    numbers = tuple(verdicts)
    tallies = runner.state.findings.sources
    failed = failures(tallies)
    tallies_asked = {name: tallies[name] for name in sources if name in tallies and tallies[name].asked}
    interface = context.interface
    text = interface.document(kind.name, runner.state) if interface else ""
    return ToolResult(
        numbers,
        numbers[:PAGE] if not text else numbers,
        {
            **result.figures,
            "found": len(numbers),
            "said": {str(number): text for number, text in verdicts.items() if text},
            "asked": list(tallies_asked),
            **_by_outcome(tallies_asked),
            "not_asked": list(runner.state.findings.not_chosen),
        },
        text,
        (*(f"{source} {sentence}" for source, sentence in failed.items()), *runner.state.findings.warnings),
        runner.run,
    )


def _standing(run: AnyRun) -> str:
    """Describe the progress of a run: the counts of its kind, and which sources have answered or failed."""
    findings = run.state.findings
    counts = {name: number for name, number in run.kind.result(run.state).figures.items() if number}
    figures = [f"{number:,} {name}" for name, number in (counts or {"found": len(findings.found)}).items()]
    outcomes = _by_outcome({name: tally for name, tally in findings.sources.items() if tally.asked})
    parts = [
        ", ".join(figures),
        *(f"{outcome.replace('_', ' ')}: {', '.join(names)}" for outcome, names in outcomes.items() if names),
    ]
    return f"The {run.kind.name} {run.run}: {'; '.join(filter(None, parts))}."


def _by_outcome(by_source: Mapping[str, SourceTally]) -> dict[str, list[str]]:
    """Group the sources that were asked by outcome; an answer without records counts as an answer."""
    sources_by_outcome: dict[str, list[str]] = {"answered": [], "answered_in_part": [], "failed": []}
    key_of = {"answered": "answered", "empty": "answered", "partial": "answered_in_part"}
    for name, tally in by_source.items():
        sources_by_outcome[key_of.get(outcome_of(tally), "failed")].append(name)
    return sources_by_outcome


def _verdicts_of(context: ToolContext, ranked: Sequence[runs.StoredRank]) -> dict[PaperId, str]:
    """Return the reason and the quote with which a run lists each paper, by the paper's number in the library."""
    verdicts: dict[PaperId, str] = {}
    for number, (_, entry) in zip(
        library.remember(context.store, [stored_rank.paper for stored_rank in ranked]), ranked, strict=True
    ):
        page = f" (p. {entry['page']})" if "page" in entry else ""
        quote = f"“{entry['quote']}”{page}" if "quote" in entry else ""
        reason = f"{entry['reason'].rstrip('.')}." if "reason" in entry else ""
        verdicts.setdefault(number, " ".join(filter(None, (reason, quote))))
    return verdicts


SEARCH = Tool("search", "Ask the sources a question, as `spar search` does.", SearchArguments, _search, asks=True)
SUMMARIZE = Tool("summarize", "Write a cited summary, as `spar summarize` does.", SummarizeArguments, _summarize,
                 asks=True)  # fmt: skip
RECOMMEND = Tool("recommend", "Papers to read next, as `spar recommend` says.", RecommendArguments, _recommend,
                 asks=True)  # fmt: skip
ASK = Tool("ask_papers", "Answer a question from papers, as `spar ask` does.", AskArguments, _ask, asks=True)
