"""The object of `spar summarize --json`: the tree with its papers and its text."""

from collections.abc import Mapping, Sequence
from typing import Any

from agents.summary.events import ROOT, NodeWritten
from agents.summary.state import SummaryState
from agents.summary.tree import in_order
from connectors.paper import WorkId
from spar_tui.reports.json_objects import cost_object, json_fields, paper_object, source_objects


def summary_object(run: str, state: SummaryState) -> dict[str, Any]:
    """Return a whole summary. Papers are named by id, and listed under `papers`: the cited ones first, by number."""
    works = list(dict.fromkeys((*state.cited, *state.works_below(ROOT))))
    candidates = state.findings.found
    return {
        "run": run,
        "topic": state.topic,
        **json_fields(state.started, "since until"),
        "tree": _node(state, ROOT),
        "left_out": [
            {"node": node, "title": state.title(node), **_why(state, node)}
            for node in sorted({**state.dropped, **state.merged}, key=in_order)
        ],
        "papers": [
            {**paper_object(candidates[work].paper, number), "cited_as": number if work in state.cited else None}
            for number, work in enumerate(works, start=1)
        ],
        "sources": source_objects(state.findings.sources, _used(state, works)),
        "cost": _cost(state),
    }


def _node(state: SummaryState, node: str) -> dict[str, Any]:
    written = state.written.get(node)
    return {
        "node": node,
        "title": state.title(node),
        "question": state.question(node),
        "query": state.query(node),
        "papers": [_id(state, work) for work in state.works(node)],
        "sentences": _sentences(state, written) if written else None,
        "gap": (written.gap or None) if written else None,
        "written_by": written.by if written else None,
        **json_fields(written, "cut partly unchecked"),
        "table": _table(state, node),
        "facets": [_node(state, child) for child in state.children(node)],
    }


def _sentences(state: SummaryState, written: NodeWritten) -> list[dict[str, Any]]:
    return [
        {
            "text": sentence.text,
            "contested": sentence.contested,
            "alike": sentence.alike,
            "citations": [
                {"paper": _id(state, cited.work), **json_fields(cited, "quote page described")}
                for cited in sentence.citations
            ],
        }
        for sentence in written.sentences
    ]


def _table(state: SummaryState, node: str) -> list[dict[str, Any]] | None:
    if node not in state.tables:
        return None
    return [
        {
            "paper": _id(state, row.work),
            "cells": {cell.column: cell.quote or None for cell in row.cells},
            "pages": {cell.column: cell.page for cell in row.cells if cell.page},
            "described": {cell.column: cell.described for cell in row.cells if cell.described},
        }
        for row in state.tables[node].rows
    ]


def _why(state: SummaryState, node: str) -> dict[str, Any]:
    if node in state.dropped:
        return {"check": state.dropped[node].check, "reason": state.dropped[node].reason, "merged_into": None}
    return {"check": "different", "reason": state.merged[node].reason, "merged_into": state.merged[node].kept}


def _id(state: SummaryState, work: WorkId) -> str:
    return state.findings.found[state.findings.work(work)].paper.id


def _used(state: SummaryState, works: Sequence[WorkId]) -> Mapping[str, int]:
    used: dict[str, int] = {}
    for work in works:
        for name in {finding.source for finding in state.findings.found[work].found_by}:
            used[name] = used.get(name, 0) + 1
    return used


def _cost(state: SummaryState) -> dict[str, Any]:
    """Return the cost of the model, in total and by step."""
    cost = cost_object(state.findings.cost, state.finished.seconds if state.finished else None)
    return {**cost, "steps": state.findings.calls}
