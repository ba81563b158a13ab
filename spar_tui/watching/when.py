"""Say when watches were last checked."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from cache.watches import Watch
from spar_tui.phrases import counted

Order = Literal["taste", "relevance"]
ORDER_TITLES: dict[Order, str] = {"taste": "your taste", "relevance": "relevance"}


def since_text(watch: Watch) -> str:
    """Return ` since 21 Nov 09:30`, the local time of the last check; "" if the watch was never checked."""
    return f" since {moment(watch.last_asked)}" if watch.last_asked else ""


def moment(then: datetime) -> str:
    """Return local time as `21 Nov 09:30`."""
    return f"{then.astimezone():%d %b %H:%M}"


def watches_text(watches: Sequence[Watch], now: datetime) -> str:
    """Return `3 watches, last asked 2 days ago`."""
    times = [watch.last_asked for watch in watches if watch.last_asked]
    last = f"last asked {_ago(max(times), now)}" if times else "never asked"
    return f"{counted(len(watches), 'watch', 'watches')}, {last}"


def _ago(then: datetime, now: datetime) -> str:
    days = (now.astimezone().date() - then.astimezone().date()).days
    return "today" if days <= 0 else "yesterday" if days == 1 else f"{days} days ago"
