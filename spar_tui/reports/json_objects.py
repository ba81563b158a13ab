"""The objects of `--json`, with the names of the command line's contract."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from agents.run.events import FoundBy, Spent
from agents.run.findings import SourceTally, outcome_of
from agents.search.events import PaperJudged, PaperScreened, PersonalPlace, Ranked
from agents.search.state import SearchState
from cache.passages import Passage
from connectors.identifiers import Scheme
from connectors.paper import IMPRINT_PARTS, Paper
from connectors.records.corrections import corrected_fields
from spar_tui.screening import selection

_NAMED: tuple[Scheme, ...] = ("doi", "arxiv", "pmid", "s2", "openalex")


def json_fields(record: object, names: str) -> dict[str, Any]:
    """Return the fields `names` of a record as JSON values: dates as text, tuples as lists, null for an empty text and
    without a record."""
    return {
        name: _json(getattr(record, name, None) if record is None else getattr(record, name)) for name in names.split()
    }


def _json(value: object) -> object:
    if isinstance(value, date):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else None if value == "" else value


def paper_object(
    paper: Paper,
    rank: int,
    ranked: Ranked | None = None,
    judged: PaperJudged | None = None,
    found_by: Sequence[Mapping[str, Any]] = (),
    personal: PersonalPlace | None = None,
    screened: PaperScreened | None = None,
    unread: bool | None = None,
) -> dict[str, Any]:
    """Return a paper as every verb's `--json` has it; everything after `rank` exists in a search only. `unread`: a
    model judged papers of the search but was not shown this one."""
    return {
        "rank": rank,
        "id": paper.id,
        "title": paper.title,
        "authors": [author.name for author in paper.authors],
        **json_fields(paper, "et_al year venue"),
        "imprint": _imprint(paper),
        **json_fields(paper, "abstract described keywords"),
        "identifiers": {scheme: paper.identifier(scheme) for scheme in _NAMED},
        "citation_count": paper.citation_count,
        **json_fields(ranked, "score relevance"),
        "personal": personal and {"score": personal.taste, "moved": personal.before - personal.after},
        **json_fields(judged, "reason"),
        "proven": judged.proven if judged and judged.reason else None,
        **json_fields(judged, "quote page"),
        "judged_by": judged.by if judged else ("built-in" if ranked else None),
        "unread": unread,
        "screened": screened and {"decision": screened.decision, "reason": screened.reason or None},
        "found_by": list(found_by),
        **json_fields(paper, "url pdf retracted retraction_notice"),
        "corrected": list(corrected_fields(paper)),
    }


def passage_object(passage: Passage) -> dict[str, Any]:
    """Return a passage of a paper with the page of its PDF; `…` marks where it is cut out."""
    return {"page": passage.page, "text": passage.text}


def _imprint(paper: Paper) -> dict[str, Any]:
    parts = {part: getattr(paper.imprint, part) or None for part in IMPRINT_PARTS}
    return parts | {"editors": [editor.name for editor in paper.imprint.editors]}


def search_object(run: str, state: SearchState, papers: Sequence[tuple[int, Ranked]] | None = None) -> dict[str, Any]:
    """Return a search as an object with `papers`, each with its rank; by default all that it shows."""
    assert state.started is not None
    understood = state.understood
    return {
        "run": run,
        "question": state.started.question,
        "understanding": understood
        and {"intent": understood.intent, "domain": understood.domain}
        | json_fields(understood, "since until sources queries by"),
        "papers": [
            paper_object(
                state.found[ranked.work].paper,
                rank,
                ranked,
                state.judgement(ranked.work),
                [_finding_object(finding, state) for finding in _in_order(state.found[ranked.work].found_by, state)],
                state.personal_place(ranked.work),
                state.screened.get(ranked.work),
                state.unread(ranked.work),
            )
            for rank, ranked in (papers if papers is not None else enumerate(state.shown, start=1))
        ],
        "sources": source_objects(state.sources, included_by_source(state)),
        "counts": _counts(state),
        "cost": cost_object(state.cost, state.finished.seconds if state.finished else None),
    }


def _counts(state: SearchState) -> dict[str, Any]:
    """Return the numbers of the flow of records in `spar log`. Screened and included are the person's decisions if
    there are any (see `by`); otherwise the program judged all papers and kept some."""
    chosen = selection(state)
    by_person = chosen.screened > 0
    return {
        "identified": state.counts.identified,
        "duplicates": state.counts.duplicates,
        "screened": chosen.screened if by_person else len(state.found),
        "included": len(chosen.included if by_person else chosen.kept),
        "by": "person" if by_person else "program",
        "kept": len(chosen.kept),
    }


def cost_object(cost: Spent, seconds: float | None) -> dict[str, Any]:
    """Return the total cost of a run."""
    fields = json_fields(cost, "calls input_tokens output_tokens tokens_estimated usd")
    return fields | {"usd_estimated": bool(cost.usd) and cost.usd_estimated, "seconds": seconds}


def _in_order(ways: Sequence[FoundBy], state: SearchState) -> list[FoundBy]:
    """Sort queries as planned, followed by links, because the order of answers is random."""
    planned = {(plan.source, plan.query): order for order, plan in enumerate(state.planned)}
    return sorted(
        ways,
        key=lambda finding: (
            finding.link or "",
            planned.get((finding.source, finding.query), len(planned)),
            finding.link_of or 0,
        ),
    )


def _finding_object(finding: FoundBy, state: SearchState) -> dict[str, Any]:
    """Return how a paper was found: by a query, or as a link of another paper."""
    if finding.link is None or finding.link_of is None:
        return {"source": finding.source, "query": finding.query}
    seed = state.found.get(state.work(finding.link_of))
    name = "reference_of" if finding.link == "references" else "citation_of"
    return {"source": finding.source, name: seed.paper.id if seed else None}


def source_objects(tallies: Mapping[str, SourceTally], included: Mapping[str, int]) -> dict[str, Any]:
    """Return the results of each source."""
    return {
        name: {
            "state": "failed" if tally.state == "stopped" else tally.state,
            "outcome": outcome_of(tally),
            **json_fields(tally, "asked found"),
            "included": included.get(name, 0),
            **json_fields(tally, "seconds error"),
        }
        for name, tally in tallies.items()
    }


def included_by_source(state: SearchState) -> dict[str, int]:
    """Count the papers in the answer that each source found."""
    included: dict[str, int] = {}
    for ranked in state.shown:
        for name in {finding.source for finding in state.found[ranked.work].found_by}:
            included[name] = included.get(name, 0) + 1
    return included
