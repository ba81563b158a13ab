"""The errors of sources, each with one sentence for the person.

SourceError(source, sentence)
  BadQuery            the source refuses this request; asking again the same way is useless
    NotAskable        the source cannot take this query, and was not asked
  Unauthorized        the key is missing, wrong, or was dropped
  NotFound            the source does not know this paper
  Unsupported         the source has no such service (arXiv keeps no references)
  NotConfigured       the source is off until the person gives it a key
  RateLimited         asked too fast; may be asked again after `until`
  QuotaExhausted      the day's or the account's budget is spent; closed until `until`
  SourceUnavailable   no answer, or an answer that says the service is broken
  BadResponse         an invalid answer: truncated JSON, damaged XML
    UnusableResponse  an invalid answer that a retry would repeat: a login page, a redirect elsewhere, too much
  DeadlineExceeded    the deadline passed

A search goes on without a failed source and names it; an empty answer can only come from a well-formed reply that
reports zero.
"""

from datetime import datetime
from typing import ClassVar


class ServiceError(Exception):
    """A service, such as a source or a model, failed. `sentence` says what failed, why, and what to do; `name` is
    the service, for sentences without it."""

    may_pass: ClassVar[bool] = False
    """Whether a retry before the same deadline can help."""

    def __init__(self, sentence: str, name: str = "") -> None:
        super().__init__(f"{name}: {sentence}" if name else sentence)
        self.sentence = sentence


class SourceError(ServiceError):
    """A source failed; it may be asked again after `until`, if known."""

    kind: ClassVar[str] = "failed"
    request_sent: bool = True
    """Whether a request was sent; False if the source is off or was skipped because it had failed before."""

    def __init__(self, source: str, sentence: str, until: datetime | None = None) -> None:
        super().__init__(sentence, source)
        self.source = source
        self.until = until


class BadQuery(SourceError):
    kind = "bad query"


class NotAskable(BadQuery):
    """The source cannot take the query, so nothing was sent to it."""

    request_sent = False

    def __init__(self, source: str, why: str) -> None:
        super().__init__(source, f"was not asked: {why}")


class Unauthorized(SourceError):
    kind = "unauthorized"


class NotFound(SourceError):
    kind = "not found"


class Unsupported(SourceError):
    kind = "lacking"


class NotConfigured(SourceError):
    kind = "not configured"
    request_sent = False


class RateLimited(SourceError):
    kind = "slow down"
    may_pass = True


class QuotaExhausted(SourceError):
    kind = "budget gone"


class SourceUnavailable(SourceError):
    kind = "down"
    may_pass = True


class BadResponse(SourceError):
    kind = "garbled"
    may_pass = True


class UnusableResponse(BadResponse):
    may_pass = False


class DeadlineExceeded(SourceError):
    kind = "too late"
