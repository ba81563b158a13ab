"""The patch that `spar check --fix` writes, and the report on it."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from cache.paths import expanded
from spar_tui.errors import UsageError, UserError
from spar_tui.terminal import DASH, note, remark, say, say_bytes, say_json

if TYPE_CHECKING:
    from spar_tui.bibliography.accepted import Acceptance
    from spar_tui.bibliography.checking import EntryFinding
    from spar_tui.bibliography.documents.citing_document import CitingDocument
    from spar_tui.bibliography.mending.mended import Mended
    from spar_tui.reports.reference_report import ReferencePolicy


def refuse_fix(document: "CitingDocument", output: str) -> None:
    """Raise `UsageError` if the file cannot be fixed, or the output file is not permitted."""
    from spar_tui.files import resolved

    originals = [entry.original for entry in document.found.entries]
    if document.kind or any(original is None or original.format != "bibtex" for original in originals):
        raise UsageError("--fix works for BibTeX and BibLaTeX files only.")
    if output and str(document.file) != DASH and resolved(Path(output)) == resolved(document.file):
        raise UsageError(f"{output} is the file that is checked, and spar never changes it; name another.")


def write_mends(
    file: Path, raw: bytes, mended: "Mended", graded: "Sequence[EntryFinding]", policy: "ReferencePolicy", output: str,
    locks: Path, as_json: bool,
) -> None:  # fmt: skip
    """Write the patch, or the whole file, and report what was changed and what was not."""
    from spar_tui.bibliography.mending.patch import patch
    from spar_tui.files import write_file
    from spar_tui.reports.reference_report import report_object

    name = name_of(file)
    changes = [f"{name}:{change.line} {change.key}: {change.sentence}" for change in mended.changes]
    doubts = [f"{name}:{doubt.line} {doubt.key}: {doubt.sentence}" for doubt in mended.doubts]
    whole = Path(output).suffix.lower() in (".bib", ".bibtex")
    data = mended.data if whole else patch(raw, mended.data, patched_name(file), changes)
    if output:
        write_file(expanded(output), data, locks)
    if as_json:
        fixes = {
            "changes": [change._asdict() for change in mended.changes],
            "doubts": [doubt._asdict() for doubt in mended.doubts],
            "output": output or None, "patch": None if output else data.decode("utf-8", "replace"),
        }  # fmt: skip
        say_json({**report_object(str(file), graded, policy), "fixes": fixes})
    elif output:
        say(*changes)
    else:
        say_bytes(data)
    for sentence in doubts:
        remark(f"not changed: {sentence}")
    touched = {(line.line, line.key) for line in (*mended.changes, *mended.doubts)}
    others = [
        finding
        for finding in graded
        if finding.verdict not in ("accepted", "ok") and (finding.line, finding.key) not in touched
    ]
    for finding in others:
        why = f" ({' '.join(finding.details)})" if finding.details else ""
        remark(f"not fixed: {name}:{finding.line} {finding.key or '(no key)'}: {finding.verdict}{why}")
    where = f" in {output}" if output else ""
    counts = [f"{len(changes):,} changed{where}, each with its proof"] if changes else [f"nothing changed{where}"]
    counts += [f"{len(doubts):,} doubtful, not changed"] if doubts else []
    counts += [f"{len(others):,} that cannot be fixed here"] if others else []
    note(f"{'; '.join(counts)}; {name} is unchanged")


def name_of(file: Path) -> str:
    """Return the name of the file for a report."""
    from spar_tui.bibliography.reading.files import STDIN

    if str(file) == DASH:
        return STDIN
    return file.name if file.exists() else str(file)


def patched_name(file: Path) -> str:
    """Return the file's name for patch and reports, relative to the current folder, and never outside of it."""
    if str(file) == DASH:
        return "stdin.bib"
    try:
        return file.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return file.name


def checked_reason(document: str, key: str, reason: str, alone: bool) -> str:
    """Return the reason as one line. Raises `UsageError` if the options do not go together."""
    from spar_tui.bibliography.accepted import clean_reason

    cleaned = clean_reason(reason)
    if bool(key) != bool(cleaned):
        raise UsageError('--accept and --reason go together: --accept KEY --reason "why this is right".')
    if key and not alone:
        raise UsageError("--accept writes the reason only; leave out --fix and the reports.")
    if key and (document == DASH or not expanded(document).is_file()):
        raise UsageError("--accept writes the reason beside a file; name that file.")
    return cleaned


def accepted_before(document: "CitingDocument") -> "list[Acceptance]":
    """Return the acceptances for the file. If they cannot be read, print why to standard error and return none."""
    from spar_tui.bibliography.accepted import read_accepted

    if str(document.file) == DASH or document.looked_up:
        return []
    try:
        return read_accepted(document.file)
    except UserError as error:
        remark(f"{error} Until then nothing counts as accepted.")
        return []


def accept_findings(
    file: Path, findings: "Sequence[EntryFinding]", unanswered: Collection[tuple[int, str]], key: str, reason: str,
    locks: Path, as_json: bool,
) -> None:  # fmt: skip
    """Accept the findings on the entry `key`, or on the one without a key at that line, and print them. `unanswered`
    are the lines and titles of entries for which a source's answer is not remembered. Raises `UserError`."""
    from spar_tui.bibliography.accepted import accept
    from spar_tui.reports.reference_report import MEANINGS

    name, entries = name_of(file), [finding for finding in findings if key == (finding.key or str(finding.line or ""))]
    new = [finding for finding in entries if finding.acceptable]
    if not entries:
        raise UsageError(f"{name} has no entry {key}.")
    if any(finding.verdict == "unreadable" for finding in entries):
        raise UsageError(f"{key} cannot be read, so it cannot be accepted; correct the entry.")
    if not new:
        raise UsageError(f"{key} has no finding that is not accepted yet.")
    if any(finding.verdict == "could not check" and (finding.line, finding.title) in unanswered for finding in new):
        raise UsageError(f"The sources' answers on {key} are not stored; run spar check {name} first.")
    acceptances = [finding.acceptance(reason) for finding in new]
    target = accept(file, acceptances, locks)
    if as_json:
        say_json({"file": str(file), "accepted": [asdict(acceptance) for acceptance in acceptances]})
        return
    for finding in new:
        fields = f" ({', '.join(finding.faulty_fields)})" if finding.faulty_fields else ""
        label = finding.key or "(no key)"
        say(f"{name}:{finding.line} {label}: accepted as {MEANINGS[finding.verdict].lower()}{fields}")
    note(f"The reason is in {target.name}.")
