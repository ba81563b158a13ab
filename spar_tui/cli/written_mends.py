"""The patch that `spar check --fix` writes, and what it says of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from spar_tui.errors import UsageError
from spar_tui.terminal import DASH

if TYPE_CHECKING:
    from spar_tui.bibliography.checking import Finding
    from spar_tui.bibliography.documents.citing_document import CitingDocument
    from spar_tui.bibliography.mending.mended import Mended
    from spar_tui.reports.reference_policies import ReferencePolicy


def refuse_fix(cited: "CitingDocument", output: str) -> None:
    """Raises `UsageError` for what is not mended, or not to be written there."""
    from spar_tui.bibliography.files import resolved

    originals = [entry.original for entry in cited.found.entries]
    if cited.kind or any(original is None or original.format != "bibtex" for original in originals):
        raise UsageError("--fix mends BibTeX and BibLaTeX files only.")
    if output and str(cited.file) != DASH and resolved(Path(output)) == resolved(cited.file):
        raise UsageError(f"{output} is the file that is checked, which is never touched; name another.")


def write_mends(
    file: Path, raw: bytes, mended: "Mended", told: "Sequence[Finding]", policy: "ReferencePolicy", output: str,
    locks: Path, as_json: bool,
) -> None:  # fmt: skip
    """Write the patch, or the whole file, and say what was changed and what was not."""
    from spar_tui.bibliography.files import write_file
    from spar_tui.bibliography.mending.patch import patch
    from spar_tui.reports.json_objects import dump
    from spar_tui.reports.reference_report import report_object
    from spar_tui.terminal import note, say, say_bytes

    name = name_of(file)
    changes = [f"{name}:{one.line} {one.key}: {one.sentence}" for one in mended.changes]
    doubts = [f"{name}:{one.line} {one.key}: {one.sentence}" for one in mended.doubts]
    whole = Path(output).suffix.lower() in (".bib", ".bibtex")
    data = mended.data if whole else patch(raw, mended.data, patched_name(file), changes)
    if output:
        write_file(Path(output).expanduser(), data, locks)
    if as_json:
        fixes = {
            "changes": [one._asdict() for one in mended.changes], "doubts": [one._asdict() for one in mended.doubts],
            "output": output or None, "patch": None if output else data.decode("utf-8", "replace"),
        }  # fmt: skip
        say(dump({**report_object(str(file), told, policy), "fixes": fixes}))
    elif output:
        say(*changes)
    else:
        say_bytes(data)
    for sentence in doubts:
        note(f"spar: not changed: {sentence}")
    touched = {(one.line, one.key) for one in (*mended.changes, *mended.doubts)}
    left = [one for one in told if one.verdict not in ("accepted", "ok") and (one.line, one.key) not in touched]
    for one in left:
        why = f" ({' '.join(one.details)})" if one.details else ""
        note(f"spar: not mended: {name}:{one.line} {one.key or '(no key)'}: {one.verdict}{why}")
    where = f" in {output}" if output else ""
    counts = f"{len(changes):,} changed{where}, each with its proof; {len(doubts):,} doubtful, not changed; "
    counts += f"{len(left):,} that cannot be mended here"
    note(f"{counts}; {name} is as it was")


def name_of(file: Path) -> str:
    """What the file is called in a report."""
    from spar_tui.bibliography.reading.files import STDIN

    if str(file) == DASH:
        return STDIN
    return file.name if file.exists() else str(file)


def patched_name(file: Path) -> str:
    """The file's name for patch and reports, seen from the folder in which spar runs; never one outside of it."""
    if str(file) == DASH:
        return "stdin.bib"
    try:
        return file.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return file.name
