"""OpenAlex' terms: keys, credits, speed, and the parameters and searches it refuses."""

from __future__ import annotations

import re
import time
from urllib.parse import unquote

from tests.services.http.message import Request
from tests.services.rules import Ledger, Window
from tests.services.service import Terms

USD = 0.0001
"""Price of one credit."""

_PARAMETERS = frozenset(
    "search search.exact search.semantic filter sort select per-page per_page page cursor mailto api_key".split()
)
_WILDCARD = (
    "Wildcards (* or ?) require exact (no-stem) search. The default search is stemmed, so the literal text before the "
    "wildcard is removed when the work is indexed and the search returns wrong results. Use the search.exact= "
    "parameter instead (or the default.search.exact filter), e.g. search.exact="
)


class Refused(ValueError):
    """An error reply: its status, and `error`, `message` and further keys of its JSON.

    `breach` says whether asking broke a rule, or whether the service was merely closed.
    """

    def __init__(self, error: str, message: str, status: int = 400, breach: bool = True, **more: object) -> None:
        super().__init__(message)
        self.status, self.breach, self.body = status, breach, {"error": error, "message": message, **more}


def invalid(message: str) -> Refused:
    return Refused("Invalid query parameters error.", message)


class Gate:
    """Who may ask, how fast, and for how much. All methods raise Refused."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._told_empty: set[bool] = set()
        self._second = Window(100, terms.scale)
        self._semantic = Window(1, terms.scale)
        self._broad = {False: Window(1, terms.scale), True: Window(5, terms.scale)}
        self.midnight()

    def midnight(self) -> None:
        """A new day: the credits are back."""
        self._ledgers = {
            False: Ledger(self._terms.openalex_keyless_credits),
            True: Ledger(self._terms.openalex_key_credits),
        }

    def keyed(self, request: Request) -> bool:
        """Whether a good key was sent. An empty one is a wrong one."""
        key = request.parameters.get("api_key")
        if key is None and "authorization" in request.headers:
            key = request.headers["authorization"].partition(" ")[2].strip()
        if key is not None and self._terms.enforced and key != self._terms.openalex_key:
            message = f"The API key is {'empty' if not key else 'wrong'}. See https://openalex.org/settings/api"
            raise Refused("Invalid API key", message, 401)
        return bool(key)

    def admit(self, request: Request, keyed: bool) -> None:
        """Judge the speed."""
        if not self._terms.enforced:
            return
        if not self._second.admit(request.time):
            raise _slow_down("Rate limit exceeded: 100 requests per second. Please slow down.", 0.01, 1)
        if "search.semantic" in request.parameters and not self._semantic.admit(request.time):
            raise _slow_down("Rate limit exceeded: 1 semantic search per second.", 1, 10)
        operators = len(re.findall(r"\b(?:AND|OR|NOT)\b", request.parameters.get("search", "")))
        if operators > 5 and not self._broad[keyed].admit(request.time):
            message = "Searches with many boolean operators are limited. Please simplify the query."
            raise Refused("Rate limit exceeded", message, 429, reason="broad_boolean_query", retryAfter=1)

    def pay(self, keyed: bool, price: int) -> None:
        """Take the price. The first to hear that there is no money left has done nothing wrong; the second has."""
        if not self._terms.enforced:
            return
        if price >= 10 and not keyed and self._terms.openalex_shed_keyless_search:
            message = "Search without an API key is paused."
            raise Refused("Service unavailable", message, 503, breach=False, retryAfter=30)
        ledger = self._ledgers[keyed]
        if ledger.pay(price):
            return
        message = (
            f"Insufficient budget. This request costs ${price * USD:g} but you only have ${ledger.remaining * USD:g} "
            "remaining. Resets at midnight UTC. Need more? Add funds at https://openalex.org/pricing"
        )
        known = keyed in self._told_empty
        self._told_empty.add(keyed)
        raise _slow_down(message, to_midnight(), price, ledger.remaining, breach=known)

    def headers(self, keyed: bool, price: int) -> dict[str, str]:
        ledger = self._ledgers[keyed]
        return {
            "X-RateLimit-Limit": str(ledger.limit),
            "X-RateLimit-Limit-USD": f"{ledger.limit * USD:g}",
            "X-RateLimit-Remaining": str(ledger.remaining),
            "X-RateLimit-Remaining-USD": f"{ledger.remaining * USD:g}",
            "X-RateLimit-Credits-Used": str(price),
            "X-RateLimit-Cost-USD": f"{price * USD:g}",
            "X-RateLimit-Onetime-Remaining": "0",
            "X-RateLimit-Prepaid-Remaining-USD": "0",
            "X-RateLimit-Reset": str(to_midnight()),
        }


def check_parameters(request: Request) -> None:
    """Raises Refused for a line too long, an unknown parameter, or one given twice."""
    if len(request.target) + len(request.method) + 10 > 8190:
        raise Refused("Request-URI Too Long", "The request line is longer than 8190 bytes.", 414)
    names = [name for name, _ in request.raw_pairs]
    for name in names:
        if name not in _PARAMETERS:
            raise invalid(f"{name} is not a valid parameter. Valid parameters are: {', '.join(sorted(_PARAMETERS))}.")
        if names.count(name) > 1:
            raise invalid(f"The parameter {name} is given more than once. Combine filters with a comma.")


def check_search(text: str) -> None:
    """Raises Refused for what a search may not hold."""
    if len(text) > 1500:
        raise invalid("The search query is longer than 1500 characters.")
    bare = re.sub(r'"[^"]*"', "", text)
    if "?" in bare or "*" in bare:
        raise invalid(f"{_WILDCARD}{text}.")
    if "|" in text:
        raise invalid(f"The search parameter does not support the | operator. Problem value: {text}")
    if re.search(r"(^|\s)!", bare):
        raise invalid(f"The search parameter does not support the ! operator. Problem value: {text}")


def price_of(request: Request) -> int:
    """Credits: a single work or author 0 (1 when addressed by a URL), a list 1, a search 10."""
    if request.path.startswith(("/works/", "/authors/")):
        name = request.path.split("/", 2)[2]
        dear = name.lower().startswith("http") or "%3a" in name.lower()
        return 1 if dear else 0
    filters = unquote(dict(request.raw_pairs).get("filter", ""))
    searches = any(name.startswith("search") for name, _ in request.raw_pairs) or ".search:" in filters
    return 10 if searches else 1


def _slow_down(message: str, wait: float, price: int, remaining: int = 0, breach: bool = True) -> Refused:
    return Refused(
        "Rate limit exceeded",
        message,
        429,
        breach,
        retryAfter=wait,
        costUsd=round(price * USD, 6),
        dailyRemainingUsd=round(remaining * USD, 6),
        prepaidRemainingUsd=0,
        creditsRequired=price,
        creditsRemaining=remaining,
        onetimeCreditsRemaining=0,
    )


def to_midnight() -> int:
    """Seconds to midnight UTC."""
    return 86_400 - int(time.time()) % 86_400
