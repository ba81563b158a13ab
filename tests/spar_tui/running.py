"""The real program in a process of its own, with a home of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NOWHERE = "http://127.0.0.1:9"
"""An address at which nobody listens."""
UNREACHABLE = {f"SPAR_{name}_URL": NOWHERE for name in ("ARXIV", "OPENALEX", "SEMANTIC_SCHOLAR", "PUBMED", "GOOGLE")}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "spar_tui", *arguments]


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """A clean environment: nothing of the tester's own keys, settings or terminal."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    return {**kept, "HOME": str(home), "SPAR_HOME": str(home / "spar"), **UNREACHABLE, **(more or {})}


def spar(
    home: Path, *arguments: str, more: Mapping[str, str] | None = None, stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `spar` with `arguments`; sources are out of reach unless `more` says where they are."""
    return subprocess.run(
        command(*arguments),
        env=environment(home, more),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )


def answer(home: Path, *arguments: str, more: Mapping[str, str] | None = None) -> Any:
    """The object that `spar … --json` prints."""
    ran = spar(home, *arguments, "--json", more=more)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
