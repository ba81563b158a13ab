"""How what is new in a stored search is ordered. It loads nothing: a verb needs it before it knows what it is to do."""

from typing import Literal

Order = Literal["taste", "relevance"]
ORDER_TITLES: dict[Order, str] = {"taste": "your taste", "relevance": "relevance"}
