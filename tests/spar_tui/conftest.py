"""A pace for tests of what sources are asked, and not of how often."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from connectors.http.limits import RateLimit
from connectors.spec import SourceSpec


@pytest.fixture(scope="module")
def quick_pace() -> Iterator[None]:
    """Sources are asked after hundredths of the seconds that are polite: their stand-ins have no rates, or thousandths
    of them. It is so for `spar` in this process."""
    polite = SourceSpec.limit

    def quick(spec: SourceSpec, with_key: bool, with_email: bool = False) -> RateLimit:
        limit = polite(spec, with_key, with_email)
        gaps = {part: gap / 100 for part, gap in limit.gaps.items()}
        return replace(limit, gap=limit.gap / 100, gaps=gaps, window=limit.window / 100)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SourceSpec, "limit", quick)
        yield
