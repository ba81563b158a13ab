"""What an endpoint understands: most speak the same API, each leaves something out. Learned from its refusals."""

import re
from dataclasses import dataclass, replace
from typing import Any

from agents.llm.prompt import Prompt, in_words

_SCHEMA = re.compile(r"response_format|json_schema|structured.?output|guided|grammar")
_TEMPERATURE = re.compile(r"temperature")
_LIMIT = re.compile(
    r"max_completion_tokens|max_tokens.{0,200}(?:unsupported|not supported|unrecogni|unknown|not permitted)"
)
_SYSTEM = re.compile(r"\bsystem\b.{0,200}(?:role|message|prompt)|role.{0,200}\bsystem\b")
_STREAM_USAGE = re.compile(r"stream_options|include_usage")
_STREAM = re.compile(r"\bstream(?:s|ed|ing)?\b")
_NOTHING_TOLD = "[empty]"
_REPEATED_CAP = 8_000
"""Most characters of a bad answer that are shown to the model again."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Which parts of the API an endpoint takes for one model."""

    schema: bool = True
    """`response_format` with a JSON schema; without it the schema is put into words."""
    temperature: bool = True
    max_tokens: bool = True
    """The old name for the room of an answer; reasoning models want `max_completion_tokens`."""
    system: bool = True
    stream: bool = True
    """Answers piece by piece; without it they come whole."""
    stream_usage: bool = True

    def without(self, complaint: str) -> "Capabilities":
        """The dialect that a refusal in the words of `complaint` leaves; the same if it is about something else."""
        refusal = complaint.lower()
        if _TEMPERATURE.search(refusal) or _LIMIT.search(refusal):
            # Models that refuse one of the two refuse the other as well, and there is no third call to find out.
            return replace(self, temperature=False, max_tokens=False)
        if _STREAM_USAGE.search(refusal):
            return replace(self, stream_usage=False)
        if _STREAM.search(refusal):
            return replace(self, stream=False)
        if _SCHEMA.search(refusal):
            return replace(self, schema=False)
        if _SYSTEM.search(refusal):
            return replace(self, system=False)
        return self


def is_about_parameters(complaint: str) -> bool:
    """Whether a refusal names a part of the API that can be left out."""
    return Capabilities().without(complaint) != Capabilities()


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request to the model. `schema` None asks for plain text; `answered` and `complaint` tell of a bad answer."""

    prompt: Prompt
    schema: dict[str, Any] | None
    dialect: Capabilities
    max_tokens: int
    answered: str = ""
    complaint: str = ""

    def parameters(self, model: str) -> dict[str, Any]:
        """The request's body."""
        found: dict[str, Any] = {"model": model, "messages": self.messages}
        found["max_tokens" if self.dialect.max_tokens else "max_completion_tokens"] = self.max_tokens
        if self.dialect.temperature:
            found["temperature"] = 0
        if self.schema is not None and self.dialect.schema:
            schema = {"name": self.schema["title"], "strict": True, "schema": self.schema}
            found["response_format"] = {"type": "json_schema", "json_schema": schema}
        return found

    @property
    def messages(self) -> list[dict[str, str]]:
        system, user = self.prompt.fenced()
        if self.schema is not None and not self.dialect.schema:
            system = f"{system}\n\n{in_words(self.schema)}".strip()
        if self.dialect.system:
            turns = [("system", system), ("user", user)]
        else:
            turns = [("user", f"{system}\n\n{user}".strip())]
        if self.complaint:
            turns += [("assistant", self.answered[:_REPEATED_CAP] or _NOTHING_TOLD), ("user", _correction(self))]
        return [{"role": role, "content": _sendable(text)} for role, text in turns if text]


def _correction(attempt: Attempt) -> str:
    return (
        f"That answer cannot be used: {attempt.complaint} "
        "Answer the same question again, with one whole JSON object that fits the schema and nothing else."
    )


def _sendable(text: str) -> str:
    """`text` without lone surrogates, which no request can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
