"""`spar check --accept`: accept a finding with a reason, and read what was accepted before."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from spar_tui.cli.written_mends import name_of
from spar_tui.errors import UsageError, UserError
from spar_tui.terminal import DASH, note, say

if TYPE_CHECKING:
    from spar_tui.bibliography.accepted import Acceptance
    from spar_tui.bibliography.checking import Finding
    from spar_tui.bibliography.documents.citing_document import CitingDocument


def checked_reason(document: str, key: str, reason: str, alone: bool) -> str:
    """Return the reason as one line. Raises `UsageError` if the options do not go together."""
    from spar_tui.bibliography.accepted import clean_reason

    cleaned = clean_reason(reason)
    if bool(key) != bool(cleaned):
        raise UsageError('--accept and --reason go together: --accept KEY --reason "why this is right".')
    if key and not alone:
        raise UsageError("--accept writes the reason only; leave out --fix and the reports.")
    if key and (document == DASH or not Path(document).expanduser().is_file()):
        raise UsageError("--accept writes the reason beside a file; name that file.")
    return cleaned


def accepted_before(cited: "CitingDocument") -> "list[Acceptance]":
    """Return the acceptances for the file. If they cannot be read, print why to standard error and return none."""
    from spar_tui.bibliography.accepted import read_accepted

    if str(cited.file) == DASH or cited.looked_up:
        return []
    try:
        return read_accepted(cited.file)
    except UserError as error:
        note(f"spar: {error} Until then nothing counts as accepted.")
        return []


def accept_findings(
    file: Path, findings: "Sequence[Finding]", unanswered: Collection[tuple[int, str]], key: str, reason: str,
    locks: Path, as_json: bool,
) -> None:  # fmt: skip
    """Accept the findings on the entry `key`, or on the one without a key at that line, and print them. `unanswered`
    are the lines and titles of entries for which a source's answer is not remembered. Raises `UserError`."""
    from spar_tui.bibliography.accepted import accept
    from spar_tui.reports.json_objects import dump
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
        raise UsageError(f"The sources' answers on {key} are not remembered; run spar check {name} first.")
    acceptances = [finding.acceptance(reason) for finding in new]
    target = accept(file, acceptances, locks)
    if as_json:
        say(dump({"file": str(file), "accepted": [asdict(acceptance) for acceptance in acceptances]}))
        return
    for finding in new:
        fields = f" ({', '.join(finding.faulty_fields)})" if finding.faulty_fields else ""
        label = finding.key or "(no key)"
        say(f"{name}:{finding.line} {label}: accepted as {MEANINGS[finding.verdict].lower()}{fields}")
    note(f"The reason is in {target.name}.")
