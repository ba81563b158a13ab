"""Which language model a person uses, and its price. Imports nothing heavy."""

from dataclasses import dataclass

from connectors.http.loopback import on_this_machine
from connectors.http.secret import Secret, shown_host

HOSTED = "https://api.openai.com/v1"
"""The endpoint for a key without an address."""
HOSTED_MODEL = "gpt-4.1-mini"
"""The hosted model if the person names none: cheap, and it follows schemas."""
MOST_AT_ONCE = 8
"""Maximum number of parallel requests unless the person sets another."""


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """How to reach one model. Without `base_url` it is the hosted service; a local server needs no `key`.

    `seconds` covers one question with its second attempt. Prices are USD per million tokens, None if unknown.
    `concurrency` is the maximum number of parallel requests; fewer are sent if the endpoint does better with fewer.
    """

    name: str | None = None
    base_url: str | None = None
    key: Secret | None = None
    seconds: float = 60.0
    input_price: float | None = None
    output_price: float | None = None
    concurrency: int = MOST_AT_ONCE
    embedding: str | None = None
    """The embedding model at this endpoint; None for none."""

    @property
    def endpoint(self) -> str:
        """The base URL of the API."""
        return (self.base_url or HOSTED).rstrip("/")

    @property
    def host(self) -> str:
        """The endpoint's host and port as shown to a person, without a user name."""
        return shown_host(self.endpoint)

    @property
    def on_this_machine(self) -> bool:
        """Whether the endpoint listens on loopback, so that questions stay on this machine."""
        return on_this_machine(self.endpoint)

    @property
    def known_name(self) -> str | None:
        """The model's name; None if only the endpoint knows it."""
        return self.name or (None if self.base_url else HOSTED_MODEL)

    def usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """The price of these tokens in USD; None unless both prices are set."""
        if self.input_price is None or self.output_price is None:
            return None
        return (input_tokens * self.input_price + output_tokens * self.output_price) / 1_000_000
