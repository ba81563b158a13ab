"""Levels of the findings of `spar check` by policy: one row per verdict, one column per policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from spar_tui.bibliography.checking import Finding, Verdict

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

    def fails(self, findings: Sequence[Finding]) -> bool:
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
