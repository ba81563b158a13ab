"""Where the cursor of a list goes when its rows change."""

from collections.abc import Hashable, Sequence


def followed(before: Sequence[Hashable], index: int, after: Sequence[Hashable]) -> int:
    """The place in `after` of the row that stood at `index` in `before`, all rows named by their keys.

    If that row is gone, the nearest row below it that is still there; if none is, the nearest above; else 0.
    """
    if not after or not before:
        return 0
    places = {key: at for at, key in enumerate(after)}
    below, above = before[index:], reversed(before[:index])
    return next((places[key] for rows in (below, above) for key in rows if key in places), 0)
