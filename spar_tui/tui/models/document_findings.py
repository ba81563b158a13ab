"""The findings of `spar check` and `spar lint` on a document, as rows of a list."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agents.evidence.source_check import SOURCE_GRADES
from spar_tui.bibliography.checking import VERDICTS
from spar_tui.reports.reference_report import MEANINGS
from spar_tui.reports.source_report import GRADE_TITLES, LEVELS


@dataclass(frozen=True, slots=True)
class ComparedField:
    """A field of a reference: its value in the document and in a source."""

    name: str
    yours: str
    theirs: str
    source: str


@dataclass(frozen=True, slots=True)
class DocumentFinding:
    """The finding on a reference or a citing sentence, `number` in the report (from 0), in `line` of `file`.

    `level` is error, warning, note, or "" if correct. `link` is the web address of the record, or "". `acceptable`:
    `spar check --accept` can accept it. `probability` is that of a wrong reference.
    """

    number: int
    file: str
    line: int
    key: str
    title: str
    label: str
    level: str
    details: tuple[str, ...] = ()
    fields: tuple[ComparedField, ...] = ()
    link: str = ""
    acceptable: bool = False
    probability: float | None = None


def findings_of(report: Mapping[str, Any]) -> list[DocumentFinding]:
    """Return the findings in the JSON of `spar check --json` or `spar lint --json`, worst first."""
    if "citations" in report:
        ranks: list[str] = list(SOURCE_GRADES)
        graded = [(citation["grade"], row) for citation, row in zip(report["citations"], _citing(report), strict=True)]
    else:
        ranks = list(VERDICTS)
        graded = [
            (citation["verdict"], row) for citation, row in zip(report["entries"], _references(report), strict=True)
        ]
    return [row for _, row in sorted(graded, key=lambda pair: (ranks.index(pair[0]), pair[1].line))]


def _references(report: Mapping[str, Any]) -> Iterator[DocumentFinding]:
    for number, entry in enumerate(report["entries"]):
        nearest = entry["nearest"]
        links = [*(field["link"] for field in entry["differences"]), *([nearest["link"]] if nearest else [])]
        yield DocumentFinding(
            number, report["file"], entry["line"], entry["key"], entry["title"], MEANINGS[entry["verdict"]],
            entry["level"] or "", tuple(entry["details"]),
            tuple(ComparedField(field["field"], field["yours"], field["theirs"], field["source"])
                  for field in entry["differences"]),
            next(filter(None, links), ""), bool(entry["digest"]) and entry["verdict"] not in ("accepted", "ok"),
            entry["probability"],
        )  # fmt: skip


def _citing(report: Mapping[str, Any]) -> Iterator[DocumentFinding]:
    for number, citation in enumerate(report["citations"]):
        passages = tuple(_passage(part["text"], part["page"]) for part in citation["passages"])
        yield DocumentFinding(
            number, citation["file"], citation["line"], citation["key"], citation["sentence"],
            GRADE_TITLES[citation["grade"]], LEVELS.get(citation["grade"], ""),
            (citation["title"], citation["reason"], *passages),
        )  # fmt: skip


def _passage(text: str, page: int | None) -> str:
    return f"“{text}” (page {page})" if page else f"“{text}”"
