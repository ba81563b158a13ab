"""What asking a model has cost."""

from typing import NamedTuple


class Usage(NamedTuple):
    """Calls, tokens and money; `usd` is None where a price is not known. `remembered` replies cost nothing.

    Tokens are estimated where the endpoint does not count them, and money where it does not tell it: then it is what
    the person's prices make of the tokens. The sum of two is their `+`; its cost is known only if both are.
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
    """About how many tokens `text` has, rather too many than too few: a cap on money must hold in every script."""
    return len(text.encode("utf-8", "replace")) // 3 + 1
