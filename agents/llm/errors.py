"""The errors of the model, each with one sentence for the person.

ModelError(sentence)
  NotAllowed     the key is missing or wrong, or may not use this model; final
  NoSuchModel    the endpoint does not know the model, or no model could be chosen; final
  QuotaGone      the account's money or quota is spent; final
  SlowedDown     asked too fast; may be asked again after `wait` seconds
  Unreachable    nothing listens at the address, or a firewall or proxy blocks it
  ModelDown      no proper answer: a broken connection, a broken stream
    Unavailable  5xx
  TooSlow        the deadline passed
  TooLong        the prompt is longer than the model can read: send less
  Rejected       the request was refused as it is; `complaint` is what the endpoint said
  Refused        the model or a filter refuses to answer this
  CutOff         the answer did not fit into its tokens; `thought` if some of them went into thinking
  Unusable       an answer that is not what was asked for: empty, a web page, JSON that does not fit

A final error holds for the rest of the process and is raised again without a request. After several `useless` answers
in a row, the last error is raised again without a request for some time.
"""

from typing import ClassVar

from agents.llm.usage import Usage
from connectors.errors import ServiceError


class ModelError(ServiceError):
    """The model gave no answer; `usage` is the cost of trying."""

    final: ClassVar[bool] = False
    """Whether the next question would fail the same way."""
    billed: ClassVar[bool] = True
    """Whether the failed call may be billed; a call that was refused unread is not."""
    useless: ClassVar[bool] = False
    """Whether the endpoint works but its answer is useless."""
    text: str = ""
    """The part of the answer received before it broke off."""
    unasked: bool = False
    """Whether no request was sent, because the last answers were useless."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.usage = Usage()


class NotAllowed(ModelError):
    final = True
    billed = False


class NoSuchModel(ModelError):
    final = True
    billed = False


class QuotaGone(ModelError):
    final = True
    billed = False


class SlowedDown(ModelError):
    may_pass = True
    billed = False
    useless = True

    def __init__(self, sentence: str, wait: float | None = None) -> None:
        super().__init__(sentence)
        self.wait = wait


class ModelUnreachable(ModelError):
    billed = False


class ModelDown(ModelError):
    may_pass = True


class Unavailable(ModelDown):
    """The endpoint answered that it does not work right now; it has not read the prompt."""

    billed = False


class TooSlow(ModelError):
    pass


class TooLong(ModelError):
    billed = False


class Rejected(ModelError):
    billed = False
    useless = True

    def __init__(self, sentence: str, complaint: str = "") -> None:
        super().__init__(sentence)
        self.complaint = complaint


class Refused(ModelError):
    useless = True


class TruncatedAnswer(ModelError):
    """`text` is the truncated answer."""

    useless = True

    def __init__(self, sentence: str, text: str = "", thought: bool = False) -> None:
        super().__init__(sentence)
        self.text = text
        self.thought = thought


class Unusable(ModelError):
    """`text` is the answer, `complaint` its fault, told to the model if it is asked again; "" for no complaint."""

    useless = True

    def __init__(self, sentence: str, text: str = "", complaint: str = "") -> None:
        super().__init__(sentence)
        self.text = text
        self.complaint = complaint
