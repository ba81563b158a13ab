"""Hard values of every field of the table, from each format through the library to each other one and back."""

from itertools import permutations, product
from pathlib import Path

import pytest

from spar_tui.bibliography.entry import Format
from spar_tui.bibliography.field_table import KNOWN, ROLES
from spar_tui.bibliography.kinds import NAMES, Kind
from spar_tui.bibliography.latex import encode
from spar_tui.bibliography.more_fields import date_of, more_of
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.bibliography.reading.files import found_in
from tests.spar_tui.bibliography.test_format_trips import FILES, FORMATS, through

HARD: dict[str, tuple[str, ...]] = {
    "text": ("Ångström éñ ß @", "Łódź, Kraków @", "@ and Sons", "100 % of a_b & @ #1", "“@” – it’s", "@: a; b",
             "Ελλάς 李 @", "a @ [sic] (b)", "{@}", "@ ~ ^ \\"),
    "title": ("Ångström éñ ß @", "Łódź, Kraków @", "@ and Sons", "100 % of a_b & @ #1", "“@” – it’s", "@: a; b",
              "<i>in vivo</i> @", "H<sub>2</sub>O @", "Ελλάς 李 @", "$x_1^2$ @"),
    "people": ("Gödel@, Kurt", "van der Waals@, Johannes", "King@, Jr., Martin", "{@ and Sons}", "{Centers, for @}",
               "Đặng@, Văn Hùng", "O’Neil@, A. B. and de la Vallée@, C.", "Poe@, J.-P.", "Li@, Wei and others",
               "{李@}"),
    "date": ("2001", "2001-05", "2001-05-17", "1995/1997", "1995/", "1850~", "2001-21", "-0380", "199X",
             "2001-05-01/2001-05-03"),
    "language": ("de-DE", "en", "fr-CA", "la", "de-AT", "pt-BR", "el", "ru", "zh", "ja"),
    "number": ("9@", "S9@", "9@-1", "9@/2", "A9@", "9@a", "12.9@", "X9@", "9@b", "C9@"),
    "pages": ("1000000@--1000009@", "9@", "e10@", "iv--9@", "A1@--A9@", "1@1--1@2", "S9@", "1@.1--1@.9", "L9@",
              "9--1@9"),
}  # fmt: skip
"""Hard values by the kind of field; the @ stands for a word, or letters and digits, that no other field has."""
USUAL = {"author": "people", "editor": "people", "title": "title", "journaltitle": "text", "booktitle": "text",
         "publisher": "text", "location": "text", "series": "text", "abstract": "text", "volume": "number",
         "number": "number", "pages": "pages", "date": "date"}  # fmt: skip
IN_KINDS: dict[str, tuple[Kind, ...]] = {"journaltitle": ("article",), "booktitle": ("proceedings",)}
WORKS: tuple[Kind, ...] = ("article", "book", "proceedings", "software")


def fields_of(kind: Kind) -> dict[str, str]:
    """The fields of a work, each with the kind of its values: the usual ones and those of the table."""
    table = {names.bib or f"x-{names.key}": names.kind for names in KNOWN
             if names.key not in (*ROLES, "note", "annotation", "entrysubtype")
             and not names.key.endswith("type") and names.name_in("bibtex", kind)}  # fmt: skip
    return {name: type_ for name, type_ in (USUAL | table).items() if kind in IN_KINDS.get(name, (kind,))}


def entry_of(kind: Kind, turn: int) -> str:
    """An entry whose every field has a hard value; each field has another one in each of ten turns."""
    fields = ""
    for place, (name, type_) in enumerate(fields_of(kind).items()):
        own = f"{place:02}{turn}" if type_ in ("number", "pages") else f"W{chr(97 + place // 26)}{chr(97 + place % 26)}"
        value = HARD[type_][(turn + place) % len(HARD[type_])].replace("@", own)
        fields += f"  {name} = {{{encode(value).text if type_ in ('text', 'title') else value}}},\n"
    return f"@{NAMES[kind].biblatex}{{{kind}{turn},\n{fields}}}\n"


NAMED: dict[str, Kind] = {kind: kind for kind in WORKS}
BIBLIOGRAPHY = "\n".join(entry_of(kind, turn) for kind, turn in product(WORKS, range(10)))


def meaning(entry: FoundEntry, styled: bool) -> dict[str, object]:
    """What an entry says, whatever its format. The publisher of a work without a journal or book is its venue."""
    assert entry.original
    paper = entry.paper
    people = {role: [(person.family, person.given, person.suffix) for person in persons]
              for role, persons in (("author", paper.authors), ("editor", paper.imprint.editors))}  # fmt: skip
    usual = {"title": (styled and paper.styled_title) or paper.title, "date": date_of(entry.original) or paper.date,
             "venue": paper.venue, "abstract": paper.abstract, "others": paper.et_al}  # fmt: skip
    details = {name: text for name, text in entry.details.items() if (name, text) != ("publisher", paper.venue)}
    return {**usual, **people, **details, **more_of(entry.original)}


def meanings(text: str, form: Format, styled: bool) -> dict[str, dict[str, object]]:
    return {entry.key: meaning(entry, styled) for entry in found_in(text, FILES[form]).entries}


def has_no_place(name: str, value: object, kind: Kind, target: Format) -> bool:
    """Whether a format has no place for a field of such works: CSL lacks some, and RIS has one tag for the only page
    of a book and its number of pages."""
    if target == "ris":
        return kind == "book" and name == "pages" and str(value).isdecimal()
    return target == "csl-json" and any(names.key == name and not names.name_in(target, kind) for names in KNOWN)


@pytest.mark.parametrize(("source", "target"), list(permutations(FORMATS, 2)))
def test_a_hard_value_comes_back_from_each_format_that_has_a_place_for_it(
    source: Format, target: Format, tmp_path: Path
) -> None:
    text, texts = BIBLIOGRAPHY, list[str]()
    for step, (form, next_form) in enumerate((("biblatex", source), (source, target), (target, source))):
        (tmp_path / str(step)).mkdir()
        if form != next_form:
            text = through(text, form, next_form, tmp_path / str(step)).data.decode()
        texts.append(text)
    before, after = (meanings(text, source, styled="ris" not in (source, target)) for text in texts[::2])
    lost = [
        (key, name, value, after[key].get(name))
        for key, values in before.items()
        for name, value in values.items()
        if value != after[key].get(name) and not has_no_place(name, value, NAMED[key[:-1]], target)
    ]
    assert lost == []
