"""The cost of asking a model."""

from typing import NamedTuple


class Usage(NamedTuple):
    """Calls, tokens and money; `usd` is None if the price is unknown. `remembered` replies cost nothing.

    Tokens are estimated if the endpoint does not count them; money is computed from the person's prices if the endpoint
    does not report it. `+` adds two costs; the sum has a price only if both have one.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    remembered: int = 0
    tokens_estimated: bool = False
    usd_estimated: bool = False

    def __add__(self, other: object) -> "Usage":
        if not isinstance(other, Usage):
            return NotImplemented
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            None if self.usd is None or other.usd is None else self.usd + other.usd,
            self.remembered + other.remembered,
            self.tokens_estimated or other.tokens_estimated,
            self.usd_estimated or other.usd_estimated,
        )


def estimated_tokens(text: str) -> int:
    """Estimate the number of tokens of `text`, rather high than low, so that a limit on money holds in every script."""
    return len(text.encode("utf-8", "replace")) // 3 + 1
