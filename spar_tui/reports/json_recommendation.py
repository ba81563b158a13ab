"""The object of `spar recommend --json`: the papers with their grounds, and what is known of the person."""

from collections.abc import Iterable, Sequence
from typing import Any

from agents.recommendation.events import CandidateAligned, RankedCandidate, RecommendationState
from agents.taste.records import Ground
from spar_tui.recommendation_phrases import reasons
from spar_tui.reports.json_objects import cost_object, json_fields, paper_object, source_objects

_HISTORY = "id title year key weight acts"
"""The fields of a paper of the history."""


def recommendation_object(
    run: str, state: RecommendationState, entries: Sequence[tuple[int, RankedCandidate]] | None = None
) -> dict[str, Any]:
    """Return a whole recommendation. Papers of the history are named by id; the heaviest are under `history`."""
    started, context, findings = state.started, state.context, state.findings
    assert started is not None
    return {
        "run": run,
        "asked": {
            "limit": started.limit,
            "from": _ids(state, started.start),
            **json_fields(started, "tag field new_since model"),
        },
        "history": {
            "papers": context.papers if context else 0,
            "subjects": len(context.groups) if context else 0,
            "weightiest": [json_fields(paper, _HISTORY) for paper in (context.history if context else ())],
            "session": _ids(state, context.session) if context else [],
            "not_wanted": [json_fields(paper, _HISTORY) for paper in (context.unwanted if context else ())],
        },
        "profile": [
            {
                "facet": line.facet,
                "text": line.text,
                "by": "you" if line.number is not None else line.by,
                "line": line.number,
                "rests_on": len(line.papers),
                "papers": _ids(state, line.papers),
            }
            for line in (state.understood.lines if state.understood else ())
        ],
        "now": (state.understood.now or None) if state.understood else None,
        "papers": [_paper(state, placed, rank) for rank, placed in entries or enumerate(state.shown, 1)],
        "themes": [
            {
                **json_fields(theme, "name salience"),
                "papers": [findings.papers[findings.work(work)].id for work in theme.works],
            }
            for theme in (state.summarized.themes if state.summarized else ())
        ],
        "ranked_by": state.ranked.by if state.ranked else None,
        "sources": source_objects(findings.sources, {}),
        "counts": {
            "known": state.recalled.known if state.recalled else 0,
            "candidates": len(state.candidates),
            "accepted": len(state.summarized.accepted) if state.summarized else 0,
            "shown": len(state.shown),
        },
        "cost": cost_object(findings.cost, state.finished.seconds if state.finished else None),
    }


def _paper(state: RecommendationState, placed: RankedCandidate, rank: int) -> dict[str, Any]:
    aligned = state.aligned.get(placed.work)
    paper = state.findings.papers[state.findings.work(placed.work)]
    return {
        **paper_object(paper, rank),
        "score": placed.score,
        **(_alignment(state, aligned) if aligned else {}),
        "why": placed.why or None,
        "why_proven": not placed.unproven if placed.why else None,
        "reasons": reasons(state, placed),
        "ways": [
            method
            for candidate in (state.recalled.candidates if state.recalled else ())
            if candidate.work == placed.work
            for method in candidate.ways
        ],
    }


def _alignment(state: RecommendationState, aligned: CandidateAligned) -> dict[str, Any]:
    return {
        "fit": aligned.score,
        "alignment": aligned.alignment,
        "grounds": [_ground(state, ground) for ground in aligned.grounds],
        **json_fields(aligned, "unmet reason"),
        "proven": not aligned.unproven if aligned.reason else None,
        **json_fields(aligned, "quote"),
        "judged_by": aligned.by,
    }


def _ground(state: RecommendationState, ground: Ground) -> dict[str, Any]:
    history_paper = state.history.get(ground.number)
    return {
        "paper": history_paper.id if history_paper else None,
        **json_fields(history_paper, "title key"),
        "acts": list(history_paper.acts) if history_paper else [],
        "line": ground.line or None,
        "share": ground.support,
        "words": list(ground.words) if ground.looked_up else None,
        "keywords": list(ground.keywords) if ground.looked_up else None,
        "link": {"references": "cites it", "citations": "cited by it"}[ground.link] if ground.link else None,
        "shared_references": ground.shared_references if ground.looked_up else None,
    }


def _ids(state: RecommendationState, numbers: Iterable[int]) -> list[str]:
    """Return the ids of those papers of the history that the run names."""
    return [state.history[number].id for number in numbers if number in state.history]
