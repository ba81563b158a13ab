"""The diagnostics of a document and its bibliography, each with its line and level."""

from collections.abc import Iterable, Sequence

from lsprotocol import types as lsp

from cache.citation_keys import ByKey
from connectors.records.visible import visible
from spar_tui.bibliography.checking import EntryFinding
from spar_tui.bibliography.citing_sentences import CitingSentence
from spar_tui.bibliography.source_linting import LintOutcome
from spar_tui.lsp.project import Citable
from spar_tui.reports.reference_report import DEFAULT_POLICY, MEANINGS
from spar_tui.reports.source_report import GRADE_TITLES
from spar_tui.reports.source_report import LEVELS as SOURCE_LEVELS

_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}  # fmt: skip
UNKNOWN_KEY = "unknown-key"


def of_bibliography(findings: Iterable[EntryFinding], lines: Sequence[str]) -> list[lsp.Diagnostic]:
    """Return a diagnostic for each finding, at the line of its entry."""
    return [
        _at(lines, finding.line, finding.key, DEFAULT_POLICY.levels[finding.verdict], finding.verdict.replace(" ", "-"),
            " ".join(finding.details) or f"{MEANINGS[finding.verdict]}.")
        for finding in findings
        if finding.verdict in DEFAULT_POLICY.levels
    ]  # fmt: skip


def of_citations(
    sentences: Iterable[CitingSentence], entries: ByKey[Citable], lines: Sequence[str]
) -> list[lsp.Diagnostic]:
    """Return diagnostics for unknown keys and for retracted works."""
    diagnostics = list[lsp.Diagnostic]()
    for sentence in sentences:
        for key in sentence.keys:
            entry = entries.get(key)
            if entry is None:
                diagnostics.append(
                    _at(lines, sentence.line, key, "error", UNKNOWN_KEY, f"No bibliography has the key {key}.")
                )
            elif entry.paper.retracted:
                diagnostics.append(_at(lines, sentence.line, key, "error", "retracted", "This paper was retracted."))
    return diagnostics


def of_sources(outcome: LintOutcome, lines: Sequence[str]) -> list[lsp.Diagnostic]:
    """Return diagnostics for sentences whose source speaks of something else, and for numbers that no source has."""
    diagnostics = [
        _at(lines, finding.sentence.line, finding.key, SOURCE_LEVELS[finding.judgement.grade],
            finding.judgement.grade.replace(" ", "-"),
            f"{GRADE_TITLES[finding.judgement.grade]} ({finding.key}). {finding.title}")
        for finding in outcome.findings
        if SOURCE_LEVELS.get(finding.judgement.grade, "note") != "note"
    ]  # fmt: skip
    return diagnostics + [
        _at(lines, number.sentence.line, number.sentence.keys[0], "note", "number-in-no-text", number.text)
        for number in outcome.numbers
    ]


def _at(lines: Sequence[str], line: int, word: str, level: str, code: str, text: str) -> lsp.Diagnostic:
    """Return a diagnostic at the first `word` in the three lines from `line` (from 1) on, else at the whole line."""
    for number in range(max(line - 1, 0), min(line + 2, len(lines))) if word else ():
        if (begin := lines[number].find(word)) >= 0:
            start, end = _units(lines[number][:begin]), _units(lines[number][: begin + len(word)])
            break
    else:
        number = min(max(line - 1, 0), max(len(lines) - 1, 0))
        start, end = 0, _units(lines[number]) if lines else 0
    span = lsp.Range(lsp.Position(number, start), lsp.Position(number, end))
    return lsp.Diagnostic(span, visible(text), _SEVERITIES[level], code=code, source="spar")


def _units(text: str) -> int:
    """Return the length of `text` in UTF-16 code units, in which LSP counts columns."""
    return len(text.encode("utf-16-le")) // 2
