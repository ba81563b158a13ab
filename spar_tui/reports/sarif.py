"""Results in SARIF, which editors and CI show at their lines."""

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from connectors.records.visible import visible

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(program: str, rules: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]]) -> str:
    """Return one run of `program` as a file."""
    driver = {"name": program, "rules": rules}
    return json.dumps(
        {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]},
        ensure_ascii=False, indent=2,
    ) + "\n"  # fmt: skip


def sarif_result(rule: str, level: str, text: str, file: str, line: int) -> dict[str, Any]:
    """Return a result at a line of `file`, whose name is relative to the current folder."""
    location = {
        "artifactLocation": {"uri": quote(PurePath(file).as_posix())}, "region": {"startLine": max(line, 1)}
    }  # fmt: skip
    return {
        "ruleId": rule, "level": level, "message": {"text": visible(text)},
        "locations": [{"physicalLocation": location}],
    }  # fmt: skip
