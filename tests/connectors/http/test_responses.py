"""How services say that they want to be left alone, and until when."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from connectors.http.responses import HttpReply, spent_until, told_gap, told_to_wait
from tests.rows import each


def reply(status: int, **headers: str) -> HttpReply:
    return HttpReply(status, httpx.Headers({name.replace("_", "-"): value for name, value in headers.items()}), b"")


def seconds(moment: datetime | None) -> float | None:
    return None if moment is None else (moment - datetime.now(UTC)).total_seconds()


def http_date(hours: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(hours=hours), usegmt=True)


@each("status", [200, 403, 429, 500, 503])
def test_retry_after_is_heard_with_every_status(status: int) -> None:
    assert seconds(told_to_wait(reply(status, retry_after="30"))) == pytest.approx(30, abs=2)


def test_a_date_is_by_the_services_own_clock() -> None:
    """On a machine whose clock is two hours ahead the moment has passed."""
    told = reply(429, date=http_date(-2), retry_after=http_date(-1))
    assert seconds(told_to_wait(told)) == pytest.approx(3600, abs=3)
    assert seconds(told_to_wait(reply(429, retry_after=http_date(1)))) == pytest.approx(3600, abs=3)


@each("status", [403, 429, 503])
def test_a_refusal_may_name_the_moment_its_counts_begin_anew(status: int) -> None:
    epoch = str(round(datetime.now(UTC).timestamp()) + 90)
    assert seconds(told_to_wait(reply(status, x_ratelimit_reset="90"))) == pytest.approx(90, abs=2)
    assert seconds(told_to_wait(reply(status, x_ratelimit_reset=epoch))) == pytest.approx(90, abs=3)
    assert seconds(told_to_wait(reply(status, x_ratelimit_reset="90", retry_after="5"))) == pytest.approx(5, abs=2)


@each("reset", ["", "soon", "-5", "1.5e3", "9" * 30])
def test_a_senseless_moment_is_none(reset: str) -> None:
    assert told_to_wait(reply(429, x_ratelimit_reset=reset)) is None


def test_a_good_reply_names_the_moment_only_if_it_was_the_last() -> None:
    last = {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "600"}
    assert seconds(spent_until(reply(200, **last))) == pytest.approx(600, abs=2)
    assert spent_until(reply(200, **last, x_ratelimit_credits_used="0")) is None
    assert spent_until(reply(200, x_ratelimit_remaining="1", x_ratelimit_reset="600")) is None
    assert spent_until(reply(200, x_ratelimit_remaining="0")) is None
    assert told_to_wait(reply(200, x_ratelimit_reset="600")) is None


def test_nobody_is_kept_waiting_for_longer_than_a_day() -> None:
    assert seconds(told_to_wait(reply(429, retry_after="1e9"))) == pytest.approx(25 * 3600, abs=2)
    assert seconds(told_to_wait(reply(429, x_ratelimit_reset="4102444800"))) == pytest.approx(25 * 3600, abs=2)


@each(
    ("headers", "gap"),
    [
        ({"x_rate_limit_limit": "10", "x_rate_limit_interval": "1s"}, 0.1),
        ({"x_ratelimit_limit": "50", "x_ratelimit_interval": "1s"}, 0.02),
        (
            {
                "x_rate_limit_limit": "1",
                "x_rate_limit_interval": "1s",
                "x_ratelimit_limit": "50",
                "x_ratelimit_interval": "1s",
            },
            1.0,
        ),
        ({"x_rate_limit_limit": "30", "x_rate_limit_interval": "1m"}, 2.0),
        ({"x_ratelimit_limit": "1000"}, None),
        ({"x_rate_limit_limit": "0", "x_rate_limit_interval": "1s"}, None),
        ({"x_rate_limit_limit": "ten", "x_rate_limit_interval": "1s"}, None),
        ({"x_rate_limit_limit": "10", "x_rate_limit_interval": "a day"}, None),
        ({}, None),
    ],
)
def test_so_many_in_an_interval_is_heard_in_both_spellings(headers: dict[str, str], gap: float | None) -> None:
    """A count without an interval is of a budget, and says nothing of the pace."""
    assert told_gap(reply(200, **headers)) == gap
