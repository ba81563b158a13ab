"""Running stand-ins, and a client that asks them without proxies or surprises."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.services import Services

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"


@pytest.fixture
def services() -> Iterator[Services]:
    """All rules in force, with minutes for their seconds: what a rule says of haste is so on a slow machine, too."""
    with Services(time_scale=60) as running:
        yield running


@pytest.fixture(scope="module")
def calm() -> Iterator[Services]:
    """No rates, keys or budgets: for tests of what is answered."""
    with Services(rules=False) as running:
        yield running


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=60) as one:
        yield one


@pytest.fixture
def recorded() -> Path:
    """The folder of recorded replies; the test is skipped where it is not at hand."""
    if not FIXTURES.is_dir():
        pytest.skip("recorded replies (../shared/fixtures) are not here")
    return FIXTURES
