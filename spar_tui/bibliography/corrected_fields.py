"""Replace fields of an imported entry by a person's corrections, and leave the others unchanged."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from spar_tui.bibliography.format_tables import fields_by_member
from spar_tui.bibliography.kinds import PUBLISHER_IS_VENUE, Kind

Value = TypeVar("Value")

STANDS_IN = {name: fields_by_member(f"of-papers.{name}") for name in ("bibtex", "ris", "csl-json")}
"""The fields of each format that can hold a paper's field; the first is the default. The kind of work is the type of
the entry itself."""

_PUBLISHERS: Mapping[str, tuple[str, ...]] = {
    "bibtex": ("school", "institution", "organization", "publisher"), "ris": ("PB",), "csl-json": ("publisher",),
}  # fmt: skip
"""Fields for a venue that is the publisher, such as a thesis's school."""


def with_corrections(
    fields: Sequence[tuple[str, Value]],
    corrected: Iterable[str],
    made: Sequence[tuple[str, Value]],
    format: str,
    kind: Kind,
) -> list[tuple[str, Value]]:
    """Return an entry's `fields` with the `corrected` fields of the paper taken from `made`. A new value keeps the
    position and the name of the old one, or comes last. An abstract only replaces an existing one; adding one must be
    requested.
    """
    present, fold = list(fields), str.lower if format == "bibtex" else str
    for field in corrected:
        by_publisher = field == "venue" and kind in PUBLISHER_IS_VENUE
        names = _PUBLISHERS[format] if by_publisher else STANDS_IN[format].get(field, ())
        new = [(name, value) for name, value in made if name in names and value]
        places = [index for index, (name, _) in enumerate(present) if fold(name) in names]
        if not names or (field == "abstract" and not places):
            continue
        spelled = [present[index][0] for index in places]
        if field != "date" and len({*spelled}) == 1:
            new = [(spelled[0], value) for _, value in new]
        first = places[0] if places else len(present)
        unchanged_pairs = [pair for index, pair in enumerate(present) if index not in places]
        present = [*unchanged_pairs[:first], *new, *unchanged_pairs[first:]]
    return present
