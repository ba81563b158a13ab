"""The stand-ins of the services, quick ones: their seconds are hundredths."""

from collections.abc import Iterator

import pytest

from tests.services import Services


@pytest.fixture
def services() -> Iterator[Services]:
    with Services(time_scale=0.01) as running:
        yield running
