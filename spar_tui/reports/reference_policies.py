"""How grave each finding of `spar check` is, by policy: one row a verdict, one column a policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from spar_tui.bibliography.checking import Finding, Verdict

Level = Literal["error", "warning", "note"]
_COLUMNS = ("", "lenient", "neurips", "iclr", "acl")
_TABLE: Mapping[Verdict, tuple[Level, ...]] = {
    "unreadable": ("error", "warning", "warning", "warning", "warning"),
    "retracted": ("error", "warning", "warning", "warning", "warning"),
    "not found": ("error", "error", "error", "error", "error"),
    "fields differ": ("error", "warning", "error", "warning", "warning"),
    "expression of concern": ("warning", "warning", "warning", "warning", "warning"),
    "published since": ("warning", "note", "note", "note", "note"),
    "duplicate": ("warning", "note", "note", "note", "note"),
    "incomplete": ("warning", "note", "note", "note", "note"),
    "could not check": ("note", "note", "note", "note", "note"),
}
"""Levels by policy, in the order of `_COLUMNS`. NeurIPS, ICLR and ACL publish which references they reject; the pages
are named in docs/bibliographies.md. What is all right or accepted has no level."""


@dataclass(frozen=True, slots=True)
class ReferencePolicy:
    """`levels` by verdict; the check fails if a finding has a level in `fails_at`."""

    name: str
    levels: Mapping[Verdict, Level]
    fails_at: tuple[Level, ...]

    def fails(self, found: Sequence[Finding]) -> bool:
        """Whether a finding is so grave that the check fails."""
        return any(self.levels.get(finding.verdict) in self.fails_at for finding in found)


POLICIES: Mapping[str, ReferencePolicy] = {
    name: ReferencePolicy(
        name, {verdict: row[place] for verdict, row in _TABLE.items()}, ("error",) if name else ("error", "warning")
    )
    for place, name in enumerate(_COLUMNS)
}
"""The policies by name; "" is the one that holds without `--policy`."""
DEFAULT_POLICY = POLICIES[""]
