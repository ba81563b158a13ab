"""Facts of a run in words, the same in the app, in reports and on the command line."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # code that lists runs, as the app does before drawing, does not need a search for it
    from agents.run.events import Direction, FoundBy, Spent
    from agents.search.events import EvolvedQuery, PaperJudged, QuestionUnderstood, Ranked
    from agents.search.state import SearchState
    from cache.readable_rows import RowName
    from cache.runs import Run
    from connectors.paper import Paper, WorkId

CONCERN = "its journal has published an expression of concern about it"
OWN_NOTE = "spar's note"
"""The name of spar's own text on a paper (`Paper.described`), which is not the paper's words."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return `1 reference`, `2 references`; `plural` is for irregular ones."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def counts(numbers: Mapping[str, int]) -> list[str]:
    """Return the `numbers` that are not 0, each with its noun: `2 papers`, `1 watch`."""
    return [counted(number, noun, "watches" if noun == "watch" else "") for noun, number in numbers.items() if number]


def with_article(noun: str) -> str:
    """Return the noun with its article: `a search`, `an answer`."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def first_of(names: Sequence[str], most: int = 5) -> str:
    """List the first of `names`, with `…` for the others."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def rows_named(rows: Sequence["RowName"]) -> str:
    """List the first five rows by their tables: `runs 20261126-0941-k3f2, papers 17, …`."""
    return first_of([f"{row.table} {row.name}" for row in rows])


def rows_left_out(rows: Sequence["RowName"]) -> str:
    """Say that lists lack these rows, and why."""
    return f"left out {counted(len(rows), 'row')} with a damaged cell: {rows_named(rows)}. spar doctor counts them."


def sentence(text: str) -> str:
    """Capitalize `text` if its first word is a word, not the name of a file or a key."""
    first = text.split(maxsplit=1)[:1]
    return text[:1].upper() + text[1:] if first and first[0].isalpha() else text


def full_sentence(text: str) -> str:
    """Return `text` with a capital letter and a full stop; "" for a blank one."""
    text = sentence(text.strip())
    return text + ("" if not text or text.endswith((".", "!", "?", "。", "…")) else ".")


def compared_text(papers: int, by: str) -> str:
    """Say that the meanings of these papers were compared with the question's, and by which encoder; "" if none
    were."""
    return f"{papers_text(papers)} compared with the question by meaning, by {by}" if papers else ""


def cost_lines(cost: "Spent", steps: str = "") -> list[str]:
    """Return the total cost of the model; `steps` says which steps used it. Empty if it was not asked."""
    answers = counted(cost.remembered, "stored answer")
    if not cost.calls:
        return [f"model: {answers}, free"] if cost.remembered else []
    lines = [f"model: {counted(cost.calls, 'call')}{steps}{f' and {answers}' if cost.remembered else ''}"]
    counted_by_us = "about " if cost.tokens_estimated else ""
    lines += [f"{counted_by_us}{cost.input_tokens:,} tokens in", f"{counted_by_us}{cost.output_tokens:,} out"]
    lines += [money_text(cost)]
    return [", ".join(filter(None, lines))]


def money_text(cost: "Spent") -> str:
    """Return `0.0123 USD`, `free`, or that the cost is unknown; "" if no tokens were used. Costs that the endpoint
    did not report are marked as estimates."""
    if not (cost.input_tokens or cost.output_tokens):
        return ""
    if cost.usd is None:
        return "cost unknown"
    if cost.usd == 0:
        return "free"
    amount = f"{cost.usd:.4f} USD" if cost.usd >= _LEAST else f"under {_LEAST} USD"
    return f"{amount} (estimate)" if cost.usd_estimated else amount


_LEAST = 0.0001
"""USD below which a cost is not given as a number, which would be only zeros."""


def reason_text(reason: str, proven: bool) -> str:
    """Return why a paper is relevant; mark a reason without any word of the paper as the model's own."""
    return reason if proven or not reason else f"not proven by the paper: {reason}"


def judgement_reason(judgement: "PaperJudged") -> str:
    """Return the reason of a judgement, marked if it is not proven. A reason by words alone says so already."""
    return reason_text(judgement.reason, judgement.proven or judgement.by_words)


def why_text(ranked: "Ranked", by_model: bool) -> str:
    """Return what moved a paper in the ranking; a model's reason is marked as its own word, because it is not
    checked."""
    moved, _, reason = ranked.why.partition(": ")
    return f"{moved}, {reason_text(reason, proven=False)}" if by_model and reason else ranked.why


NOT_READ = "not read by the model"
"""Remark on a paper that a model was not shown although it judged others."""
LESS_SURE = "Less sure to be relevant"
NEAREST = "No relevant paper found. Closest matches"
NO_MATCH = "does not match the query"
"""Remark on a paper that certainly does not match a question with operators."""
"""Headings of the papers that are not relevant, below relevant ones or alone."""

LOWERED = "No exact quote from the paper supports this score, so it counts less."


def papers_text(number: int) -> str:
    """Return `1 paper`, `2 papers`."""
    return counted(number, "paper")


def came_to_text(run: "Run") -> str:
    """Return the result of a finished run: `13 relevant of 42`, `9 of 40 papers`, `3 turns`."""
    if "turns" in run.counts:
        return counted(run.counts["turns"], "turn")
    many, of = run.papers or 0, run.counts.get("screened")
    if of is None:
        return papers_text(many)
    return f"{many:,} relevant of {of:,}" if run.kind == "search" else f"{many:,} of {of:,} papers"


def found_text(findings: Sequence["FoundBy"], seeds: "Mapping[WorkId, Paper]") -> str:
    """Return where a paper was found, with its best rank in each source's lists: `found by openalex #1, arxiv #3,
    cited by 2 papers`."""
    best: dict[str, int] = {}
    for finding in findings:
        if finding.link is None:
            best[finding.source] = min(finding.rank, best.get(finding.source, finding.rank))
    parts = [f"{source} #{rank}" for source, rank in sorted(best.items(), key=lambda pair: (pair[1], pair[0]))]
    if parts:
        parts[0] = f"found by {parts[0]}"
    for link, verb in (("references", "cited by"), ("citations", "cites")):
        linked = list(dict.fromkeys(finding.link_of for finding in findings if finding.link == link))
        if linked:
            first = seeds.get(linked[0]) if linked[0] is not None else None
            parts.append(f"{verb} {first.id if first and len(linked) == 1 else papers_text(len(linked))}")
    return ", ".join(parts)


def left_out_text(state: "SearchState", counted_only: bool = False) -> str:
    """Return `12 papers left out: published before 2020-03-20`, for dates in the question; "" if it has none. If
    sources left out all others, their number is unknown, which is only said unless `counted_only`."""
    reading, start = state.understood, state.started
    if reading is None or start is None or (reading.since, reading.until) == (start.since, start.until):
        return ""
    from agents.run.retrieval.queries import within  # imported here, because it imports everything that writes queries

    papers = [state.found[work].paper for work in state.works]
    if outside := [paper for paper in papers if not within(paper, reading.since, reading.until)]:
        undated = "" if all(paper.date for paper in outside) else " or undated"
        return f"{papers_text(len(outside))} left out: published {reading.outside}{undated}"
    return "" if counted_only else f"no source was asked for papers {reading.outside}"


def small_words_text(state: "SearchState") -> str:
    """Say that a question has only very common words, or that a plain “not” excludes no papers; "" for any other
    question, and for one with operators."""
    from connectors.query.expression import has_operators
    from connectors.query.stopwords import STOP_WORDS

    question = state.started.question if state.started else ""
    words = re.findall(r"\w+", question.lower())
    if words and STOP_WORDS.issuperset(words):
        return "the question has only words that nearly every text has; add a word for its subject"
    if "not" not in question.split() or has_operators(question) or question.rstrip().endswith("?"):
        return ""
    if state.understood and any(term.negated for term in state.understood.other_conditions.terms):
        return ""  # "not by Lee"
    return "“not” was searched as a word; NOT in capitals leaves papers out"


def operators_as_words(text: str, instead: str) -> str:
    """Say that operators in capitals are words here, and what to write `instead`; "" if there are none."""
    from cache.conditions.wording import listed
    from connectors.query.expression import operators_in

    names = operators_in(text)
    are = "is a word here, not an operator" if len(names) == 1 else "are words here, not operators"
    return f"{listed(names)} {are}; {instead}" if names else ""


def options_line(understood: "QuestionUnderstood") -> str:
    """Return how a question was read: `survey · computer science · since 2020-01-01 · read by the model`."""
    facts = [understood.intent.replace("-", " ") if understood.intent else "", understood.domain or ""]
    facts += understood.limits
    facts += ["recent work first"] if understood.recent else []
    facts += ["renowned work first"] if understood.renowned else []
    facts += ["read by the model" if understood.by == "model" else "read by built-in rules"]
    return " · ".join(filter(None, facts))


AIMS: Mapping["Direction", str] = {
    "method": "another method",
    "application": "an application",
    "limitation": "a limitation",
    "facet": "a facet",
    "need": "a part of the question with few papers so far",
}
"""The additional aim of an evolved query."""


@dataclass(frozen=True, slots=True)
class ReadBack:
    """How a question was understood: the reading and its bounds; its meaning and what it wants, one line each; each
    query with its purpose; each source with the reason for asking it, if any, in brackets."""

    reading: str
    meaning: tuple[str, ...]
    queries: tuple[tuple[str, str], ...]
    sources: tuple[str, ...]


def read_back(understood: "QuestionUnderstood") -> ReadBack:
    """Describe how a question was understood."""
    needs = f"wanted: {'; '.join(understood.needs)}" if understood.needs else ""
    because = understood.refined_because.rstrip(".")
    refined = f"also asked in other words ({inside(because)})" if because and len(understood.queries) > 1 else ""
    reasons = dict(understood.source_reasons)
    return ReadBack(
        options_line(understood),
        tuple(filter(None, [understood.meaning, needs, refined])),
        tuple((query, _aim(number, query, understood)) for number, query in enumerate(understood.queries)),
        tuple(f"{name} ({inside(reasons[name])})" if name in reasons else name for name in understood.sources),
    )


def _aim(number: int, query: str, understood: "QuestionUnderstood") -> str:
    if number == 0:
        return "the question itself"
    return "a paper that it names" if query in understood.papers else "the question in other words"


def evolved_aim(query: "EvolvedQuery", state: "SearchState") -> str:
    """Return the purpose of a query that spar wrote from papers found before."""
    from spar_tui.math_text import title_text

    seed = None if query.work is None else state.found.get(state.work(query.work))
    return AIMS[query.direction] + (f", from “{title_text(seed.paper)}”" if seed else "")


def inside(reason: str) -> str:
    """Return a sentence in the form for brackets, without brackets of its own."""
    text = re.sub(r" \(([^()]*)\)", r", \1", reason.rstrip("."))
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def quotation(words: str, page: int | None = None) -> str:
    """Return a paper's own words in quotation marks, with the page of its PDF if they are from there."""
    return f"“{words}”" if page is None else f"“{words}” (p. {page:,})"


def passage_place(page: int) -> str:
    """Say where words of a paper's full text are; pages are counted from the first of its PDF, whatever is printed
    on them."""
    return f"the paper says on page {page:,} of its PDF"
