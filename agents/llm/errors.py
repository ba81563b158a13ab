"""What can go wrong with the model, each with one clear sentence.

ModelError(sentence)
  NotAllowed     the key is missing or wrong, or may not use this model; final
  NoSuchModel    the endpoint does not know the model, or no model could be chosen; final
  QuotaGone      the account's money or quota is spent; final
  SlowedDown     asked too fast; may be asked again after `wait` seconds
  Unreachable    nobody listens there, or the way is barred
  ModelDown      no proper answer: a broken connection, a broken stream
    Unavailable  5xx
  TooSlow        the deadline passed
  TooLong        the prompt is longer than the model can read: send less
  Rejected       the request was refused as it is; `complaint` is what the endpoint said
  Refused        the model or a filter refuses to answer this
  CutOff         the answer did not fit into its tokens; `thought` if some of them went into thinking
  Unusable       an answer that is not what was asked for: empty, a web page, JSON that does not fit

A final one holds for the rest of the process: it is raised again without asking. After some `useless` ones in a row
the model rests: the last of them is raised again without asking.
"""

from typing import ClassVar

from agents.llm.usage import Usage
from connectors.errors import ServiceError


class ModelError(ServiceError):
    """The model gave no answer; `usage` is what was spent nevertheless."""

    final: ClassVar[bool] = False
    """Whether the next question would fail the same way."""
    billed: ClassVar[bool] = True
    """Whether the failed call may have cost something all the same; one that was refused unread counts as none."""
    useless: ClassVar[bool] = False
    """Whether the endpoint is there, and what it says is of no use."""
    text: str = ""
    """What came of the answer before it broke off."""
    unasked: bool = False
    """Whether the model was not asked at all, because its last answers were of no use."""

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


class Unreachable(ModelError):
    billed = False


class ModelDown(ModelError):
    may_pass = True


class Unavailable(ModelDown):
    """The endpoint answered that it does not work right now, so it has read nothing."""

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


class CutOff(ModelError):
    """`text` is what came of the answer."""

    useless = True

    def __init__(self, sentence: str, text: str = "", thought: bool = False) -> None:
        super().__init__(sentence)
        self.text = text
        self.thought = thought


class Unusable(ModelError):
    """`text` is what came, `complaint` what is wrong with it: told to the model if it is asked again, "" if not."""

    useless = True

    def __init__(self, sentence: str, text: str = "", complaint: str = "") -> None:
        super().__init__(sentence)
        self.text = text
        self.complaint = complaint
