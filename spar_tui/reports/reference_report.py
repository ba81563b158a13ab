"""The findings of `spar check` as files for other people and programs: Markdown, one HTML page, SARIF."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from spar_tui.bibliography.accepted import Acceptance
from spar_tui.bibliography.checking import VERDICTS, EntryFinding, Verdict
from spar_tui.reports.finding_reports import FindingItem, FindingPage, ReportForm, sarif_log, sarif_result

Level = Literal["error", "warning", "note"]
_COLUMNS = ("", "lenient", "neurips", "iclr", "icml", "acl")
_TABLE: Mapping[Verdict, tuple[Level, ...]] = {
    "unreadable": ("error", "warning", "warning", "warning", "warning", "warning"),
    "retracted": ("error", "warning", "warning", "warning", "warning", "warning"),
    "not found": ("error", "error", "error", "error", "error", "error"),
    "fields differ": ("error", "warning", "error", "warning", "warning", "warning"),
    "expression of concern": ("warning", "warning", "warning", "warning", "warning", "warning"),
    "published since": ("warning", "note", "note", "note", "note", "note"),
    "duplicate": ("warning", "note", "note", "note", "note", "note"),
    "incomplete": ("warning", "note", "note", "note", "note", "note"),
    "could not check": ("note", "note", "note", "note", "note", "note"),
}
"""Levels in the order of `_COLUMNS`. docs/checking.md links the pages of the conferences. Entries that are
right or accepted have no level."""


@dataclass(frozen=True, slots=True)
class ReferencePolicy:
    """`levels` by verdict; the check fails if a finding has a level in `fails_at`."""

    name: str
    levels: Mapping[Verdict, Level]
    fails_at: tuple[Level, ...]

    def fails(self, findings: Sequence[EntryFinding]) -> bool:
        """Return whether a finding makes the check fail."""
        return any(self.levels.get(finding.verdict) in self.fails_at for finding in findings)


POLICIES: Mapping[str, ReferencePolicy] = {
    name: ReferencePolicy(
        name, {verdict: row[column] for verdict, row in _TABLE.items()}, ("error",) if name else ("error", "warning")
    )
    for column, name in enumerate(_COLUMNS)
}
"""Policies by name; "" is the default."""
DEFAULT_POLICY = POLICIES[""]


MEANINGS: Mapping[Verdict, str] = {
    "unreadable": "Unreadable",
    "retracted": "Retracted",
    "not found": "Not found anywhere",
    "fields differ": "Described wrongly",
    "expression of concern": "Expression of concern",
    "published since": "Published since",
    "duplicate": "There twice",
    "incomplete": "Incomplete",
    "could not check": "Cannot tell",
    "accepted": "Accepted",
    "ok": "As described",
}
"""The name of each verdict for a reader."""


def reference_report(
    form: ReportForm, file: str, graded: Sequence[EntryFinding], policy: ReferencePolicy = DEFAULT_POLICY
) -> str:
    """Return the findings on the references of `file` in one of the forms, with the levels of `policy`."""
    if form == "sarif":
        return _as_sarif(file, graded, policy)
    page = _page(file, graded, policy)
    return page.html() if form == "html" else page.markdown()


def report_object(
    file: str, graded: Sequence[EntryFinding], policy: ReferencePolicy = DEFAULT_POLICY
) -> dict[str, Any]:
    """Return the findings as the object of `--json`."""
    counts = Counter(finding.verdict for finding in graded)
    outcomes = Counter(finding.outcome for finding in graded)
    return {
        "file": file,
        "policy": policy.name or None,
        "entries": [asdict(finding) | {"level": policy.levels.get(finding.verdict)} for finding in graded],
        "accepted": [asdict(why) for finding in graded for why in finding.accepted],
        "counts": {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]},
        "outcomes": dict(outcomes),
    }


def summary_of(graded: Sequence[EntryFinding]) -> str:
    """Count the references of each verdict, in one sentence."""
    counts = Counter(finding.verdict for finding in graded)
    parts = [f"{counts[verdict]:,} {MEANINGS[verdict].lower()}" for verdict in VERDICTS if counts[verdict]]
    partly = sum(bool(finding.accepted) and finding.verdict != "accepted" for finding in graded)
    more = f"; {partly:,} of them with another finding accepted" if partly else ""
    total = f"{len(graded):,} {'reference' if len(graded) == 1 else 'references'}"
    return f"{total}: {', '.join(parts)}{more}." if graded else "No references."


def heading(verdict: Verdict, count: int, policy: ReferencePolicy) -> str:
    """Return the heading above the findings of a verdict, with their level if a policy was chosen."""
    level = policy.levels.get(verdict) if policy.name else None
    return f"{MEANINGS[verdict]} ({count:,}{f', {level}' if level else ''})"


def probability_text(finding: EntryFinding) -> str:
    """Return the probability that the reference is wrong, as words; "" if the verdict is about something else."""
    if finding.probability is None or finding.verdict not in ("not found", "fields differ", "could not check"):
        return ""
    return f"{'over 99%' if finding.probability > 0.99 else f'{finding.probability:.0%}'} likely wrong"


def _page(file: str, findings: Sequence[EntryFinding], policy: ReferencePolicy) -> FindingPage:
    groups = ((verdict, [finding for finding in findings if finding.verdict == verdict]) for verdict in VERDICTS)
    sections = [(heading(verdict, len(group), policy), [*map(_item, group)]) for verdict, group in groups if group]
    return FindingPage(f"References of {file}", summary_of(findings), sections)


def _item(finding: EntryFinding) -> FindingItem:
    return FindingItem(
        f"line {finding.line}", finding.key or "(no key)", finding.title, finding.details, probability_text(finding),
        finding.differences, finding.notes,
    )  # fmt: skip


def _as_sarif(file: str, findings: Sequence[EntryFinding], policy: ReferencePolicy) -> str:
    def result(finding: EntryFinding) -> dict[str, Any]:
        text = " ".join([f"{MEANINGS[finding.verdict]}: {finding.title}".rstrip(": "), *finding.details])
        result = sarif_result(_rule(finding.verdict), policy.levels[finding.verdict], text, file, finding.line)
        return (
            result | {"properties": {"probabilityWrong": finding.probability}} if probability_text(finding) else result
        )

    def suppressed(finding: EntryFinding, why: Acceptance) -> dict[str, Any]:
        verdict = next(verdict for verdict in policy.levels if verdict == why.finding)
        accepted = result(replace(finding, verdict=verdict, details=()))
        return accepted | {"suppressions": [{"kind": "external", "justification": why.reason}]}

    results = [result(graded) for graded in findings if graded.verdict in policy.levels]
    results += [suppressed(graded, why) for graded in findings for why in graded.accepted]
    rules = [{"id": _rule(verdict), "shortDescription": {"text": MEANINGS[verdict]}} for verdict in policy.levels]
    return sarif_log("spar check", rules, results)


def _rule(verdict: Verdict) -> str:
    return verdict.replace(" ", "-")
