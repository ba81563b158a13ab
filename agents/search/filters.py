"""The person's hard conditions, applied again here whatever the sources made of them."""

from datetime import date

from connectors.paper import Paper


def within(paper: Paper, since: date | None, until: date | None) -> bool:
    """Whether `paper` appeared between the bounds, both inclusive and either open.

    A date known only to the year or month counts as within if any day of it is. Without a date a paper cannot be
    shown to be within bounds, so with a bound it is not.
    """
    if since is None and until is None:
        return True
    if paper.date is None:
        return False
    known = len(paper.date)
    not_before = since is None or paper.date >= since.isoformat()[:known]
    not_after = until is None or paper.date <= until.isoformat()[:known]
    return not_before and not_after
