"""What a person is told of a fault that nobody foresaw."""

from agents.run.errors import unexpected


def test_a_fault_is_told_by_its_kind_and_place_and_never_by_its_message() -> None:
    try:
        int("what the person typed")
    except ValueError as error:
        told = unexpected(error)
    assert told.startswith("unexpected ValueError at test_errors.py:")
    assert told.endswith("; this is a bug in spar")
    assert "typed" not in told


def test_a_fault_that_went_through_no_line_is_told_all_the_same() -> None:
    assert unexpected(KeyError()) == "unexpected KeyError; this is a bug in spar"
