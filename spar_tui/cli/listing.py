"""Papers as plain text."""

from collections.abc import Iterable, Mapping, Sequence

from agents.search.events import Ranked
from agents.search.state import SearchState, is_relevant
from cache.conditions.orders import NamedOrder
from cache.passages import Passage
from connectors.paper import Paper, all_authors, short_authors
from connectors.records.corrections import PERSON, corrected_fields
from spar_tui.cli.lists.filter_words import in_order
from spar_tui.cli.lists.line_template import LineTemplate, paper_lines
from spar_tui.math_text import warned_title
from spar_tui.phrases import (
    CONCERN,
    LESS_SURE,
    LOWERED,
    NEAREST,
    NOT_READ,
    OWN_NOTE,
    found_text,
    full_sentence,
    judgement_reason,
    passage_place,
    quotation,
    sentence,
    why_text,
)
from spar_tui.recommendation_phrases import personal_text
from spar_tui.settings import Settings
from spar_tui.terminal import Style, say
from spar_tui.workspace import open_store

Placed = tuple[int, Ranked]
"""A paper of a search with its rank, from 1."""


def placed(state: SearchState, order: NamedOrder | None) -> list[Placed]:
    """Return the papers that a search shows, in `order` or, without one, by rank."""
    return in_order(enumerate(state.shown, start=1), order, lambda pair: state.found[pair[1].work].paper)


def search_listing(state: SearchState, papers: Sequence[Placed], style: Style) -> list[str]:
    """Format the answer of a search. By rank, a heading separates relevant papers from the closest others."""
    lines: list[str] = []
    ranked = [rank for rank, _ in papers] == list(range(1, len(papers) + 1))
    for rank, entry in papers:
        if ranked and not is_relevant(entry.relevance) and rank == len(state.included) + 1:
            lines += [style.paint(f"{LESS_SURE if lines else NEAREST}:", "yellow")]
        lines += _entry(state, rank, entry, style)
    return lines


def entries(state: SearchState, selection: Sequence[Ranked], style: Style) -> list[str]:
    """Format some papers of a search, numbered from 1."""
    return [line for rank, ranked in enumerate(selection, start=1) for line in _entry(state, rank, ranked, style)]


def _entry(state: SearchState, rank: int, ranked: Ranked, style: Style) -> list[str]:
    candidate = state.found[ranked.work]
    seeds = {finding.link_of: state.found[state.work(finding.link_of)].paper for finding in candidate.found_by
             if finding.link_of is not None and state.work(finding.link_of) in state.found}  # fmt: skip
    return [
        *paper_entry(
            rank, candidate.paper, style, ranked, found_text(candidate.found_by, seeds), state.unread(ranked.work)
        ),
        *_judgement(state, ranked, style),
    ]


def _judgement(state: SearchState, ranked: Ranked, style: Style) -> list[str]:
    """Return the reason and quote that judge the paper, and why it has its rank."""
    parts, judgement = [], state.judgement(ranked.work)
    if judgement:
        parts = [
            full_sentence(judgement_reason(judgement)),
            quotation(judgement.quote, judgement.page) if judgement.quote else "",
        ]
        parts += [f"({LOWERED})"] if judgement.unsupported else []
    lines = style.wrapped(" ".join(filter(None, parts)), "     ")
    for why in (why_text(ranked, ranked.work in state.moved_by_model), personal_text(state, ranked.work)):
        lines += style.wrapped(full_sentence(why), "     ", "dim")
    return lines


def papers_listing(papers: Iterable[Paper], style: Style) -> list[str]:
    """Format a list of papers, numbered from 1."""
    return [line for rank, paper in enumerate(papers, start=1) for line in paper_entry(rank, paper, style)]


def paper_entry(
    rank: int, paper: Paper, style: Style, ranked: Ranked | None = None, origin: str = "", unread: bool = False
) -> list[str]:
    """Format one paper of a list: title, authors, venue, its `origin`, and that the model has not read it."""
    number = f"{rank:>3}. "
    indent = " " * len(number)
    title = style.wrapped(warned_title(paper), indent, "bold")
    facts = [short_authors(paper), str(paper.year or "no date"), paper.venue]
    if paper.citation_count is not None:
        facts.append(f"cited {paper.citation_count:,}")
    names = [paper.id, "PDF" if paper.pdf else ""]
    if ranked:
        names += [origin, f"score {ranked.score:.2f}, relevance {ranked.relevance:.2f}", NOT_READ if unread else ""]
    return [
        style.paint(number, "cyan") + (title[0].lstrip() if title else ""),
        *title[1:],
        *_facts_lines(facts, indent, style),
        *_facts_lines(names, indent, style, "dim"),
    ]


def say_by_template(
    settings: Settings, template: LineTemplate, records: Sequence[Mapping[str, object]], papers: Sequence[Paper]
) -> None:
    """Print a line for each paper from its `--json` object, with the citation keys that the library has."""
    from spar_tui.bibliography.citation_key import known_keys

    with open_store(settings) as store:
        say(*paper_lines(template, records, lambda: known_keys(store, papers)))


def passage_lines(passages: Sequence[Passage], style: Style) -> list[str]:
    """Format passages of a paper's full text, each with its page."""
    lines = [f"{sentence(passage_place(quote.page))}: “{quote.text}”" for quote in passages]
    return [line for passage in lines for line in style.wrapped(passage, "     ")]


def _facts_lines(facts: Sequence[str], indent: str, style: Style, *styles: str) -> list[str]:
    """Join `facts` with dots; break lines between facts rather than inside one."""
    lines: list[str] = []
    for fact in filter(None, facts):
        if lines and len(indent) + len(lines[-1]) + len(fact) + 3 <= style.width:
            lines[-1] += f" · {fact}"
        else:
            lines.append(fact)
    return [wrapped for line in lines for wrapped in style.wrapped(line, indent, *styles)]


def paper_page(paper: Paper, style: Style, files: Sequence[str] = ()) -> list[str]:
    """Format one paper in full, with the paths of its `files`."""
    title = warned_title(paper)
    lines = [*style.wrapped(title, "", "bold"), *style.wrapped(all_authors(paper), "")]
    text = " · ".join(filter(None, [paper.venue, paper.date, paper.type if paper.type != "other" else ""]))
    lines += [style.paint(text), ""] if text else [""]
    if paper.about != paper.abstract:
        lines += style.wrapped(f"{OWN_NOTE} (no abstract known):", "", "dim")
    lines += [*style.wrapped(paper.about or "(no abstract known)", ""), ""]
    lines += [
        f"{style.paint(f'{label:<12}', 'dim')} {style.paint(value)}"
        for label, value in [*_facts(paper), *(("file", file) for file in files)]
        if value
    ]
    return lines


def _facts(paper: Paper) -> list[tuple[str, str]]:
    citations = f"{paper.citation_count:,}" if paper.citation_count is not None else ""
    facts: list[tuple[str, str]] = [(name.scheme, name.value) for name in paper.identifiers]
    facts += [("cited", citations), ("references", f"{len(paper.references):,}" if paper.references else "")]
    facts += [("keywords", " · ".join(paper.keywords))]
    facts += [("retracted by", f"doi:{paper.retraction_notice}" if paper.retraction_notice else "")]
    facts += [("concern", CONCERN if paper.concern else "")]
    facts += [("page", paper.url or ""), ("PDF", paper.pdf or ""), ("language", paper.language or "")]
    if paper.preprint and paper.published:
        for label, version in (("preprint", paper.preprint), ("published", paper.published)):
            details = [version.venue, version.date or "", f"doi:{version.doi}" if version.doi else version.url or ""]
            facts.append((label, " · ".join(filter(None, details))))
    sources = {entry.source for entry in paper.provenance} | {origin.source for origin in paper.keyword_origins}
    if own := corrected_fields(paper):
        facts.append(("corrected", f"{', '.join(own)} (by you)"))
    return [*facts, ("sources", ", ".join(sorted(sources - {PERSON})))]
