"""The object of `spar summarize --json`: the tree with its papers and its text."""

from typing import Any

from agents.summary.events import ROOT
from agents.summary.state import SummaryState
from agents.summary.tree import in_order
from connectors.paper import WorkId
from spar_tui.reports.json_objects import cost_object, count_sources, json_fields, paper_object, source_objects


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
            {
                "node": node,
                "title": state.title(node),
                "check": state.dropped[node].check if node in state.dropped else "different",
                "reason": (state.dropped.get(node) or state.merged[node]).reason,
                "merged_into": None if node in state.dropped else state.merged[node].kept,
            }
            for node in sorted({**state.dropped, **state.merged}, key=in_order)
        ],
        "papers": [
            {**paper_object(candidates[work].paper, number), "cited_as": number if work in state.cited else None}
            for number, work in enumerate(works, start=1)
        ],
        "sources": source_objects(state.findings.sources, count_sources(candidates[work] for work in works)),
        "cost": cost_object(state.findings.cost, state.finished.seconds if state.finished else None)
        | {"steps": state.findings.calls},
    }


def _node(state: SummaryState, node: str) -> dict[str, Any]:
    section = state.written.get(node)
    return {
        "node": node,
        "title": state.title(node),
        "question": state.question(node),
        "query": state.query(node),
        "papers": [_id(state, work) for work in state.works(node)],
        "sentences": [
            {
                **json_fields(sentence, "text contested alike"),
                "citations": [
                    {"paper": _id(state, citation.work), **json_fields(citation, "quote page described")}
                    for citation in sentence.citations
                ],
            }
            for sentence in section.sentences
        ]
        if section
        else None,
        **json_fields(section, "gap"),
        "written_by": section.by if section else None,
        **json_fields(section, "cut partly unchecked omitted"),
        "table": _table(state, node),
        "facets": [_node(state, child) for child in state.children(node)],
    }


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


def _id(state: SummaryState, work: WorkId) -> str:
    return state.findings.found[state.findings.work(work)].paper.id
