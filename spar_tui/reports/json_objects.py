"""The objects of `--json`, with the names of the command line's contract."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from agents.run.events import FoundBy, Spent
from agents.run.findings import FoundPaper, SourceTally, outcome_of
from agents.search.events import Ranked
from agents.search.state import SearchState
from connectors.identifiers import Scheme
from connectors.paper import IMPRINT_PARTS, Paper, WorkId
from connectors.records.corrections import corrected_fields
from spar_tui.screening import selection

_NAMED: tuple[Scheme, ...] = ("doi", "arxiv", "pmid", "s2", "openalex")


def json_fields(record: object, names: str) -> dict[str, Any]:
    """Return the fields `names` of a record as JSON values: dates as text, tuples as lists, null for an empty text and
    without a record."""
    fields = dict[str, Any]()
    for name in names.split():
        value = None if record is None else getattr(record, name)
        if isinstance(value, date):
            value = value.isoformat()
        elif isinstance(value, tuple):
            value = list(value)
        fields[name] = None if value == "" else value
    return fields


def paper_object(paper: Paper, rank: int) -> dict[str, Any]:
    """Return a paper as every verb's `--json` has it; what only a search knows is null."""
    return {
        "rank": rank,
        "id": paper.id,
        "title": paper.title,
        "authors": [author.name for author in paper.authors],
        **json_fields(paper, "et_al year venue"),
        "imprint": {part: getattr(paper.imprint, part) or None for part in IMPRINT_PARTS}
        | {"editors": [editor.name for editor in paper.imprint.editors]},
        **json_fields(paper, "abstract described keywords"),
        "identifiers": {scheme: paper.identifier(scheme) for scheme in _NAMED},
        "citation_count": paper.citation_count,
        **dict.fromkeys("score relevance personal reason proven quote page judged_by unread screened".split()),
        "found_by": [],
        **json_fields(paper, "url pdf retracted retraction_notice"),
        "corrected": list(corrected_fields(paper)),
    }


def paper_objects(papers: Iterable[Paper]) -> list[dict[str, Any]]:
    """Return the papers of a list, ranked from 1."""
    return [paper_object(paper, rank) for rank, paper in enumerate(papers, start=1)]


def judged_object(state: SearchState, ranked: Ranked, rank: int) -> dict[str, Any]:
    """Return a paper of a search with its judgement. `unread`: a model judged other papers, but was not shown this
    one."""
    judgement, personal = state.judgement(ranked.work), state.personal_place(ranked.work)
    return paper_object(state.found[ranked.work].paper, rank) | {
        **json_fields(ranked, "score relevance"),
        "personal": personal and {"score": personal.taste, "moved": personal.before - personal.after},
        **json_fields(judgement, "reason quote page"),
        "proven": judgement.proven if judgement and judgement.reason else None,
        "judged_by": judgement.by if judgement else "built-in",
        "unread": state.unread(ranked.work),
    }


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
            judged_object(state, ranked, rank)
            | {
                "screened": screened and {"decision": screened.decision, "reason": screened.reason or None},
                "found_by": _findings(state, ranked.work),
            }
            for rank, ranked in (papers if papers is not None else enumerate(state.shown, start=1))
            for screened in [state.screened.get(ranked.work)]
        ],
        "sources": source_objects(state.sources, count_sources(state.found[ranked.work] for ranked in state.shown)),
        "counts": _counts(state),
        "cost": cost_object(state.cost, state.finished.seconds if state.finished else None),
    }


def _counts(state: SearchState) -> dict[str, Any]:
    """Return the numbers of the flow of records in `spar log`. Screened and included are the person's decisions if
    there are any (see `by`); otherwise the program judged all papers and kept some."""
    records = selection(state)
    by_person = records.screened > 0
    return {
        "identified": state.counts.identified,
        "duplicates": state.counts.duplicates,
        "screened": records.screened if by_person else len(state.found),
        "included": len(records.included if by_person else records.kept),
        "by": "person" if by_person else "program",
        "kept": len(records.kept),
    }


def cost_object(cost: Spent, seconds: float | None) -> dict[str, Any]:
    """Return the total cost of a run."""
    fields = json_fields(cost, "calls input_tokens output_tokens tokens_estimated usd")
    return fields | {"usd_estimated": bool(cost.usd) and cost.usd_estimated, "seconds": seconds}


def _findings(state: SearchState, work: WorkId) -> list[dict[str, Any]]:
    """Return how a paper was found: by queries in the order planned, because the order of answers is random, then as
    a link of other papers."""
    planned = {(plan.source, plan.query): order for order, plan in enumerate(state.planned)}

    def order(finding: FoundBy) -> tuple[str, int, int]:
        query = planned.get((finding.source, finding.query), len(planned))
        return finding.link or "", query, finding.link_of or 0

    findings = list[dict[str, Any]]()
    for finding in sorted(state.found[work].found_by, key=order):
        if finding.link is None or finding.link_of is None:
            findings.append({"source": finding.source, "query": finding.query})
        else:
            seed = state.found.get(state.work(finding.link_of))
            name = "reference_of" if finding.link == "references" else "citation_of"
            findings.append({"source": finding.source, name: seed.paper.id if seed else None})
    return findings


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


def count_sources(candidates: Iterable[FoundPaper]) -> Counter[str]:
    """Count the papers that each source found."""
    return Counter(name for candidate in candidates for name in {finding.source for finding in candidate.found_by})
