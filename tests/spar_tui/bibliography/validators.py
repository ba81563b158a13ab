"""The programs that people open bibliographies with, as judges: biber, BibTeX, pandoc, bibutils."""

import json
import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from spar_tui.bibliography.csl_json import csl_item
from spar_tui.bibliography.entry import Entry

ALLOWED = ("Missing mandatory field", "WARNINGS:")
"""What biber may complain about: data that a record really lacks."""
_SPOILED_BY_READERS = (
    (re.compile(r"\$"), ""),  # pandoc turns simple math into text
    (re.compile(r"<[^<>]*>"), ""),
    (re.compile(r"[‘’`“”„\"]|''"), "'"),  # and takes inner quotation marks for outer ones
    (re.compile(r"[{}]"), ""),  # pandoc does not know the macro for a brace
    (re.compile(r"\s+"), " "),
)


def needed(*names: str) -> pytest.MarkDecorator:
    """Skip, by name, a test for which a program, or a style of LaTeX, is missing."""
    missing = [name for name in names if not (_has_style(name) if name.endswith(".sty") else shutil.which(name))]
    return pytest.mark.skipif(bool(missing), reason=f"{' and '.join(missing)} not installed")


def _has_style(name: str) -> bool:
    return bool(shutil.which("kpsewhich")) and subprocess.run(["kpsewhich", name], capture_output=True).returncode == 0


def biber_complaints(bib: Path) -> list[str]:
    """What biber says against the file beside missing data; repeated keys and bad syntax among it."""
    out = bib.with_suffix(".out")
    command = ["biber", "--tool", "--validate-datamodel", "--nolog", "--output-file", str(out), str(bib)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=bib.parent)
    lines = [line for line in ran.stdout.splitlines() if re.match(r"WARN|ERROR", line)]
    lines += [] if ran.returncode == 0 else [f"exit {ran.returncode}"]
    return [line for line in lines if not any(text in line for text in ALLOWED)]


def bibtex_complaints(bib: Path) -> list[str]:
    """What BibTeX says against the file beside missing data and BibLaTeX's own types."""
    aux = bib.with_suffix(".aux")
    aux.write_text(f"\\relax\n\\citation{{*}}\n\\bibstyle{{plain}}\n\\bibdata{{{bib.stem}}}\n")
    ran = subprocess.run(["bibtex", aux.stem], capture_output=True, cwd=bib.parent)
    lines = ran.stdout.decode("utf-8", "replace").splitlines()
    bad = [line for line in lines if "error" in line.lower() or line.startswith(("Repeated", "I was"))]
    return bad + ([] if ran.returncode == 0 else [f"exit {ran.returncode}"])


def read_by_pandoc(file: Path, format: str, program: str = "pandoc") -> list[dict[str, Any]]:
    """The records that pandoc finds in the file."""
    ran = subprocess.run([program, "-f", format, "-t", "csljson", str(file)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


def differences(entries: Sequence[Entry], read: Sequence[dict[str, Any]]) -> Counter[str]:
    """How often each kind of thing was not read as it is in the record: title, people, year, DOI, address."""
    items = {item["id"]: item for item in read}
    found: Counter[str] = Counter()
    for entry in entries:
        item = items.get(entry.key)
        if item is None:
            found["record lost"] += 1
            continue
        expected = csl_item(entry)
        found["title"] += _alike(item.get("title", "")) != _alike(expected.get("title", ""))
        found["names"] += _names(item, "author") != _names(expected, "author")
        found["editors"] += _names(item, "editor") != _names(expected, "editor")
        found["year"] += _year(item)[:1] != _year(expected)[:1]
        found["doi"] += item.get("DOI") != expected.get("DOI")
        if entry.own_url and not re.search(r"[{}\\]", entry.own_url):
            found["url"] += item.get("URL") != expected.get("URL")
    return Counter({kind: number for kind, number in found.items() if number})


def _names(item: dict[str, Any], role: str) -> list[tuple[str, ...]]:
    parts = ("dropping-particle", "non-dropping-particle", "family", "suffix", "given", "literal")
    people: list[dict[str, str]] = item.get(role, [])
    return [tuple(_alike(one[part]) for part in parts if one.get(part)) for one in people]


def _year(item: dict[str, Any]) -> list[int]:
    return [int(part) for part in item.get("issued", {}).get("date-parts", [[]])[0]]


def _alike(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    for pattern, replacement in _SPOILED_BY_READERS:
        text = pattern.sub(replacement, text)
    return text.strip().casefold()
