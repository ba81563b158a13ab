"""What is said of a damaged library before it is repaired, and of what was done."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cache.repair import Later, Plan
from spar_tui.phrases import counted

NAMED = 5
"""How many of the things that will be missing are named in a sentence; JSON names all."""
_ONE = {"searches and other runs": "search or other run", "saved papers": "saved paper", "papers found": "paper found"}


def plan_texts(plan: Plan) -> Iterator[str]:
    """What is wrong, which backup would take the library's place, and what would be missing then."""
    yield f"The library {plan.path} is damaged ({plan.reason})."
    for file in plan.unusable:
        yield f"The backup {file.name} is newer, and damaged or of another version: it cannot take its place."
    yield f"The newest backup that is whole is of {plan.backup.day} ({plan.backup.file.name})."
    if plan.later:
        yield f"What the damaged file holds beyond it will be missing: {'; '.join(map(_later_text, plan.later))}."
    else:
        yield "The damaged file holds no search, saved paper or paper found that is newer."
    yield "Tags, notes, opinions and corrections will be as they were then; what was changed since is not listed here."


def done_text(plan: Plan, aside: Path) -> str:
    """What was done."""
    return (
        f"The backup of {plan.backup.day} is in place as {plan.path}. "
        f"The damaged file is kept, as it was, as {aside}: nothing reads it any more."
    )


def repair_object(path: Path, plan: Plan | None, aside: Path | None) -> dict[str, Any]:
    """The same for `--json`; None for what there was not."""
    return {
        "database": str(path),
        "damage": plan and plan.reason,
        "repaired": aside is not None,
        "backup": plan and {"file": str(plan.backup.file), "date": plan.backup.day.isoformat()},
        "unusable": [str(file) for file in plan.unusable] if plan else [],
        "missing": [later._asdict() for later in plan.later] if plan else [],
        "damaged_file": str(aside) if aside else None,
    }


def _later_text(later: Later) -> str:
    if not later.names:
        return f"whether there are {later.what} cannot be read"
    named = ", ".join(f"“{name}”" for name in later.names[:NAMED])
    more = f" and {len(later.names) - NAMED} more" if len(later.names) > NAMED else ""
    unread = ", and perhaps others that cannot be read" if not later.all_read else ""
    return f"{counted(len(later.names), _ONE[later.what], later.what)} ({named}{more}){unread}"
