"""The object of `spar profile --json`."""

from collections.abc import Mapping
from typing import Any

from agents.taste.whole_profile import NamedLine, Profile
from connectors.paper import Paper
from spar_tui.reports.json_objects import json_fields


def profile_object(profile: Profile, papers: Mapping[int, Paper], keys: Mapping[int, str]) -> dict[str, Any]:
    """Return the profile; `papers` and their citation `keys` are by the library's numbers."""
    return {
        "lines": [_line_object(line, papers, keys) for line in profile.lines],
        "contradictions": [
            {"lines": [str(line.number) for line in contradiction.lines], "why": contradiction.why}
            for contradiction in profile.contradictions
        ],
        "against": [[mine.name, other.name] for mine, other in profile.against],
        "papers": len(profile.papers),
    }


def _line_object(line: NamedLine, papers: Mapping[int, Paper], keys: Mapping[int, str]) -> dict[str, Any]:
    """Return a line; `share` is the share of the history on which an understood line rests."""
    return {
        "line": line.name,
        **json_fields(line, "facet text"),
        "own": line.own is not None,
        "made": line.own.made.isoformat() if line.own else None,
        "share": None if line.own else round(line.share, 4),
        "counts": line.counts,
        "papers": [
            {"id": papers[number].id, "key": keys.get(number), **json_fields(papers[number], "title year")}
            for number in line.papers
            if number in papers
        ],
    }
