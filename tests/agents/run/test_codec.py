"""Events are stored as rows and read back whole, whatever their classes and attributes are called today."""

from dataclasses import dataclass

from agents.run.events import EventCodec


@dataclass(frozen=True)
class Counted:
    """A class and an attribute that had other names when the first runs were kept."""

    number: int
    by: str = "anyone"


CODEC: EventCodec[Counted] = EventCodec("counter", {"Tallied": Counted}, stored_fields={Counted: {"number": "sum"}})


def test_an_event_is_stored_under_its_stored_names_without_defaults() -> None:
    assert CODEC.encode(Counted(3)) == ("counter", "Tallied", {"sum": 3}, None)


def test_a_stored_event_is_read_back_whole() -> None:
    row = CODEC.encode(Counted(3, "me"))
    assert CODEC.decode(row.kind, row.content) == Counted(3, "me")


def test_every_attribute_has_a_stored_name() -> None:
    assert CODEC.stored_field(Counted, "number") == "sum"
    assert CODEC.stored_field(Counted, "by") == "by"
