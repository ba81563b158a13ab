"""Which language model a person has, and what it costs. Imports nothing heavy."""

from dataclasses import dataclass

from connectors.http.loopback import on_this_machine
from connectors.http.secret import Secret, shown_host

HOSTED = "https://api.openai.com/v1"
"""Where a key without an address belongs."""
HOSTED_MODEL = "gpt-4.1-mini"
"""What is asked there when the person names no model: it is cheap and keeps to a schema."""
MOST_AT_ONCE = 8
"""Requests under way at once, unless the person says otherwise."""


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The way to one model. Without `base_url` it is the hosted service; a local server needs no `key`.

    `seconds` is for one question with its second try; prices are USD per million tokens, None where not known;
    `concurrency` is how many requests may be under way at once: as many as it is seen to do well with, at most that.
    """

    name: str | None = None
    base_url: str | None = None
    key: Secret | None = None
    seconds: float = 60.0
    input_price: float | None = None
    output_price: float | None = None
    concurrency: int = MOST_AT_ONCE
    embedding: str | None = None
    """The model there that turns texts into vectors; None if none is to."""

    @property
    def endpoint(self) -> str:
        """The address under which the API's routes lie."""
        return (self.base_url or HOSTED).rstrip("/")

    @property
    def host(self) -> str:
        """Where that is, as a person is told: host and port, never a user name."""
        return shown_host(self.endpoint)

    @property
    def on_this_machine(self) -> bool:
        """Whether questions to it stay on this machine: it listens on loopback."""
        return on_this_machine(self.endpoint)

    @property
    def known_name(self) -> str | None:
        """The model's name; None where only the endpoint can tell it."""
        return self.name or (None if self.base_url else HOSTED_MODEL)

    def usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """What so many tokens cost; None without both prices."""
        if self.input_price is None or self.output_price is None:
            return None
        return (input_tokens * self.input_price + output_tokens * self.output_price) / 1_000_000
