"""What is known of a service together: when it may be asked next, and what a clock that was set makes of it."""

import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.errors import RateLimited
from connectors.http.limits import WHOLE, RateLimit
from connectors.http.pace import LONGEST_CLOSURE, LONGEST_GAP, MEMORY, Circuit, FailedRequest, Pace, dumped, loaded
from connectors.http.rate_limiter import SharedNotes, why_unusable
from tests.connectors.http.test_client import ask
from tests.connectors.http.wired import with_http
from tests.rows import each
from tests.services import Fault, Services

THREE = RateLimit(gap=0.1, in_flight=3, window=1.0)
ONE = RateLimit(gap=3.0)
TOLD = FailedRequest("wants a pause.", quota_exhausted=False)
NOW = 1_000_000.0

moments = st.floats(0, 4e9)
circuits: st.SearchStrategy[Circuit[FailedRequest]] = st.builds(
    Circuit, st.integers(0, 99), moments, st.builds(FailedRequest, st.text(), st.booleans())
)
paces = st.builds(
    Pace,
    moments,
    st.lists(st.none() | moments, max_size=10).map(tuple),
    st.dictionaries(st.sampled_from(["searching", "looking up"]), circuits).flatmap(
        lambda parts: circuits.map(lambda whole: {WHOLE: whole, **parts})
    ),
    moments,
    moments,
    moments,
)


def told(seconds: float, part: str = WHOLE) -> Pace:
    """A service that answered well and then wanted to be left alone."""
    return Pace().succeeded(NOW).failed(TOLD, NOW, THREE, NOW + seconds, part)


def test_a_place_rests_until_the_service_has_surely_seen_its_request_a_window_ago() -> None:
    under_way = Pace().begun(0).ended(0, THREE, NOW + 5.0)
    assert under_way.earliest(0, WHOLE, THREE, NOW + 5.0) == NOW + 6.0
    assert under_way.earliest(1, WHOLE, THREE, NOW + 5.0) == NOW + 5.0


def test_one_in_flight_keeps_its_gap_from_the_end_of_one_to_the_next() -> None:
    assert Pace().begun(0).ended(0, ONE, NOW).earliest(0, WHOLE, ONE, NOW) == NOW + 3.0


def test_whoever_died_may_have_been_heard_just_now() -> None:
    assert Pace().begun(0).earliest(0, WHOLE, THREE, NOW) == NOW + 1.0


def test_the_place_that_has_rested_longest_comes_first() -> None:
    asked = Pace().begun(0).ended(0, THREE, NOW).begun(2).ended(2, THREE, NOW - 1.0)
    assert asked.slots_by_rest(THREE) == [1, 2, 0]


def test_starts_are_a_gap_apart() -> None:
    assert Pace().reserved(NOW, THREE).earliest(1, WHOLE, THREE, NOW) == pytest.approx(NOW + 0.1)


def test_a_service_is_asked_one_at_a_time_until_it_has_answered_well() -> None:
    assert not Pace().is_sure(NOW)
    assert Pace().succeeded(NOW).is_sure(NOW)
    assert not Pace().succeeded(NOW).is_sure(NOW + MEMORY)


def test_a_service_that_wanted_to_be_left_alone_is_asked_one_at_a_time_for_a_while() -> None:
    again = told(5.0).succeeded(NOW + 6.0)
    assert not again.is_sure(NOW + 6.0)
    later = NOW + 5.0 + MEMORY
    assert again.succeeded(later).is_sure(later)


def test_a_closed_part_leaves_the_others_open() -> None:
    pace = told(5.0, "searching")
    assert pace.earliest(0, "searching", THREE, NOW) == NOW + 5.0
    assert pace.earliest(0, WHOLE, THREE, NOW) == NOW
    assert told(5.0).earliest(0, "searching", THREE, NOW) == NOW + 5.0


@given(st.floats(0.0, LONGEST_CLOSURE), st.floats(2.0, 1e8))
def test_a_clock_set_back_makes_nobody_wait_longer_than_was_left_to_wait(wait: float, back: float) -> None:
    pace = replace(told(wait).reserved(NOW, THREE).ended(0, THREE, NOW), noted=NOW)
    now = NOW - back
    assert pace.as_of(now, THREE).earliest(0, WHOLE, THREE, now) - now <= max(wait, THREE.window) + 0.001


@given(paces, moments)
def test_no_moment_makes_anybody_wait_for_ever(pace: Pace, now: float) -> None:
    wait = pace.as_of(now, THREE).earliest(0, WHOLE, THREE, now) - now
    assert wait <= max(LONGEST_CLOSURE, THREE.deadline + THREE.gap, THREE.window) + 0.001


@given(paces)
def test_what_is_written_down_is_read_again(pace: Pace) -> None:
    assert loaded(dumped(pace)) == pace


@each("text", ["[]", "{}", "1", '{"next_start": NaN}', '{"next_start": true}', "x"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        loaded(text)


BY_KIND = RateLimit(gap=0.2, gaps={"lists": 1.0})


def test_each_part_of_a_service_has_its_own_gap() -> None:
    for part, gap in (("lists", 1.0), ("one record", 0.2)):
        after = Pace().reserved(NOW, BY_KIND, part).begun(0).ended(0, BY_KIND, NOW, part)
        assert after.earliest(0, WHOLE, BY_KIND, NOW) == pytest.approx(NOW + gap)


def test_a_gap_that_a_service_tells_holds_for_that_part_where_it_is_longer_than_the_rule() -> None:
    slowed = Pace().slowed(2.0, "lists").slowed(0.1, "one record")
    assert slowed.limit("lists", BY_KIND).gap == 2.0
    assert slowed.limit("one record", BY_KIND).gap == 0.2
    assert slowed.slowed(0.5, "lists").limit("lists", BY_KIND).gap == 1.0


def test_a_told_gap_is_read_back_and_never_longer_than_is_reasonable() -> None:
    assert loaded(dumped(Pace().slowed(2.0, "lists"))).gaps == {"lists": 2.0}
    assert Pace().slowed(1e9, "lists").limit("lists", BY_KIND).gap == LONGEST_GAP
    slowed = Pace().slowed(1e9, "lists").reserved(NOW, BY_KIND, "lists")
    assert slowed.as_of(NOW, BY_KIND).earliest(0, "lists", BY_KIND, NOW) == NOW + LONGEST_GAP


NEW: Circuit[str] = Circuit()


def after(failures: int, *, limit: int = 3, now: float = 100.0) -> Circuit[str]:
    circuit = NEW
    for number in range(failures):
        circuit = circuit.failed(f"failure {number + 1}", now, limit=limit, rest=60.0)
    return circuit


def test_a_service_is_asked_until_it_has_failed_so_many_times_in_a_row() -> None:
    assert not after(2).is_open(100.0)
    assert after(3).is_open(100.0)
    assert after(3).reason == "failure 3"


def test_it_is_asked_again_when_it_has_rested() -> None:
    assert after(3).is_open(159.9)
    assert not after(3).is_open(160.0)


def test_after_the_rest_failures_are_counted_anew() -> None:
    rested = after(3).failed("again", 160.0, limit=3, rest=60.0)
    assert not rested.is_open(160.0)
    assert rested.failures == 1


def test_a_good_answer_makes_the_failures_before_it_forgotten() -> None:
    circuit = after(2).succeeded().failed("once more", 100.0, limit=3, rest=60.0)
    assert not circuit.is_open(100.0)


def test_a_good_answer_does_not_cut_a_rest_short() -> None:
    """It may belong to a request that was sent before the service asked for the rest."""
    assert after(3).succeeded().is_open(100.0)


def test_the_time_a_service_names_itself_is_kept_at_once() -> None:
    circuit = NEW.failed("slow down", 100.0, limit=3, rest=60.0, until=500.0)
    assert circuit.is_open(499.9)
    assert not circuit.is_open(500.0)
    assert circuit.reason == "slow down"


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_the_longer_of_two_rests_holds_and_says_why(first: float, second: float) -> None:
    circuit = NEW.opened("first", first).opened("second", second)
    assert circuit.open_until == max(first, second)
    assert circuit.reason == ("second" if second > first else "first" if first > 0 else None)


_HOLDING = """
import sys, time
from pathlib import Path
from connectors.http.rate_limiter import SharedNotes
notes = SharedNotes(Path(sys.argv[1]))
assert notes.take(0)
def hold(pace):
    print("held", flush=True)
    time.sleep(600)
notes.change(hold)
"""


def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "gates"
    assert why_unusable(folder) == ""
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "gates").mkdir(mode=0o755)
    assert why_unusable(tmp_path / "gates") == ""
    assert stat.S_IMODE((tmp_path / "gates").stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_is_named_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path)
    assert why_unusable(tmp_path / "file" / "gates") == "Not a directory"
    assert why_unusable(tmp_path / "file") == "File exists"
    assert why_unusable(tmp_path / "link") == "it is not a folder"


def test_what_one_notes_another_reads(tmp_path: Path) -> None:
    SharedNotes(tmp_path / "a.json").change(lambda pace: replace(pace, next_start=5.0))
    assert SharedNotes(tmp_path / "a.json").read().next_start == 5.0


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    holder = subprocess.Popen([sys.executable, "-c", _HOLDING, str(path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    notes = SharedNotes(path)
    assert not notes.take(0)
    holder.kill()
    holder.communicate()
    assert notes.take(0)
    notes.give_back(0)
    notes.change(lambda pace: replace(pace, next_start=5.0))
    assert notes.read().next_start == 5.0


def test_without_a_folder_a_process_keeps_to_what_it_was_told_itself(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Services(faults=[Fault("429", value="3600")]) as services:
        for _ in range(3):
            with pytest.raises(RateLimited):
                with_http(ask, services.url("openalex"), tmp_path / "file")
        assert len(services.log) == 1


def test_without_a_folder_requests_keep_their_number_under_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    notes, others = SharedNotes(tmp_path / "file" / "a.json"), SharedNotes(tmp_path / "file" / "a.json")
    assert notes.take(0)
    assert not others.take(0)
    notes.give_back(0)
    assert others.take(0)
