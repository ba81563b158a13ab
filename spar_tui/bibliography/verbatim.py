"""Write an imported entry in its original format, with its type and every field unchanged."""

import re
from collections.abc import Iterator
from dataclasses import replace

from cache.originals import Original, RawFields
from connectors.records.build import told_date
from connectors.records.publication import ordinal
from spar_tui.bibliography.braces import split
from spar_tui.bibliography.edtf import as_biblatex, edtf, months_of, of_biblatex, of_words, years_of
from spar_tui.bibliography.field_table import TITLE_PARTS, joined_title
from spar_tui.bibliography.kinds import NAMES, PEOPLE, WORKS, kind_in_bib, kind_of_thesis
from spar_tui.bibliography.languages import country_names
from spar_tui.bibliography.reading.names import extended

FIELD_NAME = re.compile(r"[A-Za-z!$&*+./:;<>?\[\]^_`|-][\w!$&*+./:;<>?\[\]^`|-]*", re.ASCII)
"""Valid field names in biber and bibtex."""
_ONLY_BIBLATEX = ("date", "journaltitle", "maintitle", "xdata")
"""Fields that BibTeX's styles ignore, so that an entry with them was written for BibLaTeX."""
_STANDARD = frozenset(names.bibtex for names in NAMES.values()) | {"conference"}
IN_BIBTEX = {
    "journaltitle": "journal", "location": "address", "eprinttype": "archiveprefix", "eprintclass": "primaryclass",
    "annotation": "annote", "langid": "language",
}  # fmt: skip
"""The names that BibTeX's styles have for fields of BibLaTeX."""
_IN_BOOKS = ("inbook", "incollection", "inproceedings", "conference")
_SCHOOLS = ("phdthesis", "mastersthesis")
_ONLY_BIBLATEX_DEFINES = re.compile(
    r"\\(?:mkbib(?P<shape>emph|italic|bold|superscript|subscript)(?![A-Za-z])"
    r"|(?P<sign>psqq?|bibrangedash)(?![A-Za-z])(?:\{\}| )?"
    r"|mkbibquote\{(?P<quote>(?>(?:[^{}]|\{[^{}]*\})*))\})"
)
"""BibLaTeX's macros in values, which LaTeX does not define."""
_SHAPES = {"emph": "emph", "italic": "textit", "bold": "textbf", "superscript": "textsuperscript",
           "subscript": "textsubscript"}  # fmt: skip
_SIGNS = {"psq": "~sq.", "psqq": "~sqq.", "bibrangedash": "--"}
_LINE_BREAK = re.compile(r"\n(?!\s*\w\w\s*[-‐-―−])")
_ESCAPED_BRACE = re.compile(r"\\([{}])")


def bib_type(original: Original, dialect: str) -> str:
    """Return the entry's own type; for BibTeX, types that only BibLaTeX has are converted."""
    if dialect != "bibtex" or not in_biblatex(original):
        return original.type
    word, kind = original.value("type").strip().lower(), kind_in_bib(original.type)
    if word in WORKS and kind in (*_SCHOOLS, "thesis", "report"):
        return WORKS[word].bibtex
    if original.type.lower() not in _STANDARD:
        return NAMES[kind_of_thesis(word) if kind == "thesis" else kind].bibtex
    return original.type


def bib_fields(original: Original, dialect: str, handed_down: RawFields | None) -> Iterator[tuple[str, str]]:
    """Return the fields in order; inherited ones are included unless they are `handed_down` by parents that are written
    too (None: they are not). References to missing parents stay."""
    kept = replace(original, inherited=tuple(field for field in original.inherited if field not in (handed_down or ())))
    dropped = ("xdata", "crossref") if handed_down is None else ("xdata",) if dialect == "bibtex" else ()
    dropped = dropped if original.inherited else ()
    fields = [(name, value) for name, value in kept.whole if name.lower() not in dropped and FIELD_NAME.fullmatch(name)]
    if dialect == "bibtex":
        inherited = dict(original.inherited)  # named and written for BibLaTeX
        turned = [field for field in fields if in_biblatex(original) or field[0].lower() in inherited]
        own = [field for field in fields if field not in turned]
        there = {name.lower() for name, _ in own}
        in_bibtex = _in_bibtex(turned, bib_type(original, dialect))
        fields = [*own, *(field for field in in_bibtex if field[0].lower() not in there)]
    return ((name, sound(value)) for name, value in fields)


def in_biblatex(original: Original) -> bool:
    """Whether an entry of a .bib file was written for BibLaTeX rather than BibTeX."""
    return original.format == "bibtex" and (
        tells(original, *_ONLY_BIBLATEX)
        or any(name.lower() in PEOPLE and any(map(extended, _people(value))) for name, value in original.fields)
    )


def has_names_beyond_ascii(original: Original) -> bool:
    """Whether names in an entry for BibTeX have non-ASCII letters, which BibTeX sorts and cuts as bytes."""
    return not in_biblatex(original) and not all(
        value.isascii() for name, value in original.fields if name.lower() in PEOPLE
    )


def _in_bibtex(fields: list[tuple[str, str]], entry_type: str) -> Iterator[tuple[str, str]]:
    """Yield the fields, renamed for BibTeX's styles unless the entry already has the new name."""
    fields = _with_whole_titles(fields, entry_type)
    there = {name.lower() for name, _ in fields}
    names = IN_BIBTEX | ({"institution": "school"} if entry_type in _SCHOOLS else {})
    for name, value in fields:
        value = _ONLY_BIBLATEX_DEFINES.sub(_in_latex, value)
        bib_name = names.get(name.lower(), "")
        number = int(value) if value.isdecimal() and len(value) < 4 else 0
        if name.lower() == "date" and "year" not in there:
            date = of_biblatex(value) or told_date(value) or ""
            yield from year_and_month(date) if date else ((name, value),)
        elif name.lower() == "month" and 1 <= number <= 12:
            yield name, months_of(f"2000-{number:02}")
        elif name.lower() == "edition" and number:
            yield name, ordinal(number)
        elif name.lower() == "type" and value.strip().lower() in WORKS:
            if not (work := WORKS[value.strip().lower()]).printed:
                yield name, work.words
        elif name.lower() in PEOPLE:
            # BibTeX reads `van Gogh, Vera`, not `family=Gogh, given=Vera, prefix=van`.
            yield name, " and ".join(map(_plain_name, _people(value))) if "=" in value else value
        else:
            value = country_names(value) if name.lower() == "location" else value
            value = without_percent(value) if edtf(value) else value
            yield (bib_name if bib_name and bib_name not in there else name), value


def _with_whole_titles(fields: list[tuple[str, str]], entry_type: str) -> list[tuple[str, str]]:
    """Join subtitles, additions and main titles to their titles, because BibTeX has no other fields for them."""
    values = {name.lower(): value for name, value in fields}
    whole = {
        name: joined_title(values[name], *(values.get(part, "") for part in parts))
        for name, parts in TITLE_PARTS.items() if name in values
    }  # fmt: skip
    if main := whole.pop("maintitle", ""):
        holder = "booktitle" if "booktitle" in whole or entry_type in _IN_BOOKS else "title"
        whole[holder] = joined_title(main, "", whole.get(holder, ""))
        fields = [(holder if name.lower() == "maintitle" and holder not in values else name, value)
                  for name, value in fields]  # fmt: skip
    parts = {"maintitle", *(part for name in whole for part in TITLE_PARTS[name])}
    parts |= {*TITLE_PARTS["maintitle"]} if main else set()
    return [(name, whole.get(name.lower(), value)) for name, value in fields if name.lower() not in parts]


def _in_latex(macro: re.Match[str]) -> str:
    if shape := macro["shape"]:
        return f"\\{_SHAPES[shape]}"
    return _SIGNS[macro["sign"]] if macro["sign"] else f"``{macro['quote']}''"


def _people(value: str) -> list[str]:
    return split(value, r"\s+and\s+") if "=" in value else []


def _plain_name(person: str) -> str:
    family, given_name, suffix = extended(person) or (person, "", "")
    return ", ".join(filter(None, (family, suffix, given_name)))


def year_and_month(date: str) -> Iterator[tuple[str, str]]:
    """Yield `2020-05-17` as year, month and day. Other dates give the year in words, such as `1995--1997`, and if this
    is less exact also `date`, which BibTeX's styles ignore."""
    year, month = years_of(date).replace("–", "--"), months_of(date)
    yield "year", year
    yield "month", month
    if day := re.fullmatch(r"\d{4}-(?:0\d|1[0-2])-(\d\d)", date):
        yield "day", str(int(day[1]))
    elif date and of_words(year, month) not in (date, date.replace("..", "")):
        yield "date", without_percent(as_biblatex(date))


def without_percent(date: str) -> str:
    """Return an EDTF date for BibTeX, whose styles may print it: in TeX, the mark % begins a comment."""
    return date.replace("%", "~")


def sound(value: str) -> str:
    r"""Balance the braces of `value` for readers that count `\{` too and would swallow the next entry."""
    if balanced(value):
        return value
    named = {"{": r"{\textbraceleft}", "}": r"{\textbraceright}"}
    value = _ESCAPED_BRACE.sub(lambda match: named[match[1]], value)
    return value if balanced(value) else value.replace("{", "").replace("}", "")


def balanced(value: str) -> bool:
    depth = 0
    for mark in re.findall("[{}]", value):
        depth += 1 if mark == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def ris_lines(original: Original) -> Iterator[tuple[str, str]]:
    """Yield the lines between `ID` and `ER`; keywords keep their lines, unless one looks like a tag."""
    for tag, text in original.fields:
        yield tag, "\n".join(" ".join(line.split()) for line in (_LINE_BREAK.split(text) if tag == "KW" else [text]))


def tells(original: Original, *names: str) -> bool:
    """Whether the entry has one of these fields."""
    return any(map(original.value, names))
