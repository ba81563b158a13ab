"""Who writes a reference list, that it is told truly, and what becomes of the records in it."""

import re
import shutil
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.citation_text import quick
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.kinds import KINDS, Kind
from spar_tui.bibliography.markup import plain, rich
from spar_tui.bibliography.names import Name
from spar_tui.bibliography.pandoc import pandoc_version
from spar_tui.bibliography.styles import STYLES, by_citeproc, reference_list
from spar_tui.bibliography.styles.items import reference_of
from spar_tui.bibliography.styles.parts import FormattedReference, absent_parts
from spar_tui.errors import Failure, UsageError
from tests.rows import each
from tests.spar_tui.bibliography.reference_records import by_pandoc, of_installed_pandoc, reference_entries

PANDOC = shutil.which("pandoc")
DOCS = Path(__file__).parents[3] / "docs" / "formats.md"
needs_pandoc = pytest.mark.skipif(PANDOC is None, reason="pandoc is not installed")
JANE, JOHN = Name("Doe", "Jane"), Name("Roe", "John A.")
BOOK = Entry("book", "book", "Rivers", (JANE,), "2001", "Old Press", volume="3", edition="2", editors=(JOHN,),
             doi="10.1000/rivers")  # fmt: skip
PAPER = Entry("paper", "article", "Deltas", (JANE, JOHN), "2002", "J. Water", "4", "2", "10-19", doi="10.1000/deltas")
NAMELESS = Entry("nameless", "other", "Floods of 1342", (), "2003", "Annals", url="https://example.org/1342")


@pytest.fixture
def path_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Leaves nothing on the path but a pandoc of these lines, or none."""

    def set_path(*script: str) -> None:
        if script:
            (tmp_path / "pandoc").write_text("\n".join(("#!/bin/sh", *script)) + "\n")
            (tmp_path / "pandoc").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))

    return set_path


@pytest.fixture
def no_pandoc(path_of: Callable[..., None]) -> None:
    path_of()


# What is in the text


def letters(text: str) -> str:
    return re.sub(r"\W", "", unicodedata.normalize("NFC", text).lower())


def absent(entry: Entry, text: str) -> set[str]:
    """What a record tells and its reference does not; a journal's publisher and editors stand in no reference."""
    words, written = re.findall(r"\w+", text.lower()), letters(text)
    item = reference_of(entry).item
    of_journal = item["type"] == "article-journal"
    numbered = entry.edition.isdecimal()
    told = {
        "title": letters(re.sub(r"</?\w+>|&amp;", "", entry.title)) in written,
        "edition": any(re.fullmatch(entry.edition + "(st|nd|rd|th)", word) for word in words)
        if numbered
        else letters(entry.edition) in written,
        "volume": set(re.findall(r"\w+", entry.volume.lower())) <= set(words),
        "editors": of_journal or all(letters(one.family or one.literal) in written for one in entry.editors[:1]),
        "publisher": of_journal or letters(item.get("publisher", "")) in written,
        "DOI": (entry.doi or "") in text.lower(),
    }
    return {part for part, there in told.items() if not there}


@each("style", STYLES)
def test_our_own_rules_lose_no_title_edition_volume_editor_publisher_or_doi(style: str) -> None:
    lost = {one.key: missing for one in reference_entries()
            if (missing := absent(one, STYLES[style].write(reference_of(one))))}  # fmt: skip
    assert lost == {}


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("apa", "Doe, J. (2001). Rivers (J. A. Roe, Ed.; 2nd ed., Vol. 3). Old Press. https://doi.org/10.1000/rivers"),
        ("ieee", "[1] J. Doe, Rivers, 2nd ed., vol. 3, J. A. Roe, Ed. Old Press, 2001. doi: 10.1000/rivers."),
        ("vancouver", ("1. Doe J. Rivers [Internet]. Roe JA, editor. 2nd ed. Vol. 3. Old Press; 2001. Available from: "
                      "https://doi.org/10.1000/rivers")),
        ("chicago", ("Doe, Jane. 2001. Rivers. Edited by John A. Roe. 2nd ed. Vol. 3. Old Press. "
                    "https://doi.org/10.1000/rivers.")),
        ("mla", ("Doe, Jane. Rivers. Edited by John A. Roe, 2nd ed., vol. 3, Old Press, 2001, "
                "https://doi.org/10.1000/rivers.")),
    ],
)  # fmt: skip
def test_a_book_has_its_editor_edition_volume_publisher_and_doi(no_pandoc: None, style: str, text: str) -> None:
    assert reference_list([BOOK], style).lines == [text]


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("apa", "Doe, J. (2001). Silt. In J. A. Roe (Ed.), Rivers (2nd ed., Vol. 3, pp. 5–9). Old Press."),
        ("ieee", "[1] J. Doe, “Silt,” in Rivers, 2nd ed., vol. 3, J. A. Roe, Ed., Old Press, 2001, pp. 5–9."),
        ("vancouver", "1. Doe J. Silt. In: Roe JA, editor. Rivers. 2nd ed. Vol. 3. Old Press; 2001. p. 5–9."),
        ("chicago", "Doe, Jane. 2001. “Silt.” In Rivers, edited by John A. Roe, 2nd ed., 3:5–9. Old Press."),
        ("mla", "Doe, Jane. “Silt.” Rivers, edited by John A. Roe, 2nd ed., vol. 3, Old Press, 2001, pp. 5–9."),
    ],
)  # fmt: skip
def test_a_chapter_has_its_books_editor_edition_and_publisher(no_pandoc: None, style: str, text: str) -> None:
    chapter = Entry("silt", "chapter", "Silt", (JANE,), "2001", "Rivers", volume="3", edition="2", editors=(JOHN,),
                    pages="5-9", publisher="Old Press")  # fmt: skip
    assert reference_list([chapter], style).lines == [text]


@pytest.mark.parametrize("style", STYLES)
def test_authors_who_are_not_all_known_are_never_the_only_ones(no_pandoc: None, style: str) -> None:
    one = Entry("k", "article", "T", (JANE,), "2020", "J", doi="10.1000/b", et_al=True)
    two = replace(one, names=(JANE, JOHN))
    for entry in (one, two):
        [line] = reference_list([entry], style).lines
        assert re.search(r"Doe[^&]*et al", line)
        assert " and " not in line
        [whole] = reference_list([replace(entry, et_al=False)], style).lines
        assert "et al" not in whole


@each("style", STYLES)
@each("kind", KINDS)
def test_every_kind_of_work_is_written_in_every_style(no_pandoc: None, style: str, kind: Kind) -> None:
    work = Entry("k", kind, "Bayeux", (JANE,), "1077", "Museum", doi="10.1000/b")
    [line] = reference_list([work], style).lines
    # Nature's own file names neither of everything.
    assert absent(work, line) <= ({"DOI", "publisher"} if style == "nature" else set())


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("date", "years"), [("2001-21", "2001"), ("1998/2001", "1998–2001"), ("2010/", "2010–")])
def test_a_date_that_is_no_single_day_is_shown_in_every_style(
    no_pandoc: None, style: str, date: str, years: str
) -> None:
    for kind in KINDS:
        work = Entry("k", kind, "Reeds", (JANE,), date[:4], "Marsh", edtf=date)
        assert years in reference_list([work], style).lines[0]
    assert years in STYLES[style].write(reference_of(work))


# How well each writes, measured against pandoc


@each(("style", "share"), [("apa", 0.90), ("nature", 0.95)])
def test_citeproc_py_writes_its_styles_as_pandoc_does(style: str, share: float) -> None:
    texts = by_citeproc([reference_of(one) for one in reference_entries()], STYLES[style])
    pairs = [(text, by_pandoc(style)[one.key]) for one, text in zip(reference_entries(), texts, strict=True) if text]
    assert len(pairs) >= 100
    assert sum(text == reference for text, reference in pairs) >= share * len(pairs)


@each(("style", "least"), [("apa", 74), ("ieee", 64), ("nature", 44), ("vancouver", 60), ("chicago", 92), ("mla", 88)])
def test_our_own_rules_write_most_references_as_pandoc_does_but_for_capitals(style: str, least: int) -> None:
    """In Vancouver and Nature they tell more than the style: volumes and numbers, DOIs and editions."""
    texts = {one.key: STYLES[style].write(reference_of(one)) for one in reference_entries()}
    assert sum(texts[key].casefold() == text.casefold() for key, text in by_pandoc(style).items()) >= least


def test_the_docs_tell_the_figures_that_are_measured() -> None:
    entries, told = reference_entries(), " ".join(DOCS.read_text("utf-8").split())
    same: dict[str, int] = {}
    for style in ("apa", "nature"):
        texts = by_citeproc([reference_of(one) for one in entries], STYLES[style])
        same[style] = sum(text == by_pandoc(style)[one.key] for one, text in zip(entries, texts, strict=True))
    own = {
        style: sum(STYLES[style].write(reference_of(one)).casefold() == by_pandoc(style)[one.key].casefold()
                   for one in entries)
        for style in ("ieee", "vancouver", "chicago", "mla")
    }  # fmt: skip
    assert f"It writes {same['apa']} of 102 references as pandoc does in APA, and {same['nature']} of 102" in told
    assert f"They write {len(entries)} references" in told
    assert f"in {own['ieee']} (IEEE), {own['vancouver']} (Vancouver), {own['chicago']} (Chicago)" in told
    assert f"and {own['mla']} (MLA) cases" in told


@needs_pandoc
@pytest.mark.parametrize("style", STYLES)
def test_the_pandoc_that_is_installed_writes_what_is_stored_of_it(style: str) -> None:
    """Its versions differ in a few references; each entry stands by itself, so that no other changes it."""
    chosen = reference_entries()[::6]
    known = STYLES[style]
    same = 0
    for one in chosen:
        same += of_installed_pandoc(one, known) == by_pandoc(style)[one.key]
    assert same >= 0.75 * len(chosen)


# Who wrote it


def test_without_pandoc_citeproc_py_writes_the_styles_that_it_writes_well(no_pandoc: None) -> None:
    for style, title in (("apa", "APA, 7th edition"), ("nature", "Nature")):
        notes = reference_list([PAPER], style).notes
        assert notes[0] == f"written by citeproc-py in the style of {title}."
    assert reference_list([PAPER], "apa").lines == [
        "Doe, J., & Roe, J. A. (2002). Deltas. J. Water, 4(2), 10–19. https://doi.org/10.1000/deltas"
    ]


def test_without_pandoc_our_own_rules_write_the_other_styles(no_pandoc: None) -> None:
    for style in ("ieee", "vancouver", "chicago", "mla"):
        [note] = reference_list([PAPER], style).notes
        assert note.startswith(f"written in the style of {STYLES[style].title} by spar's own rules")


def test_what_citeproc_py_cannot_write_is_counted_as_our_own(no_pandoc: None) -> None:
    told = reference_list([PAPER, NAMELESS], "apa")
    assert told.lines[1] == "Floods of 1342. (2003). Annals. https://example.org/1342"
    assert told.notes[0].startswith(
        "written by citeproc-py in the style of APA, 7th edition, 1 of 2 that it cannot write well by spar's own rules"
    )
    assert reference_list([NAMELESS], "apa").notes[0].startswith("written in the style of APA, 7th edition by spar's")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (("echo 'unrecognized option --citeproc' >&2", "exit 6"), "unrecognized option --citeproc"),
        (("echo no document",), "pandoc's answer could not be read"),
        (("echo '{\"blocks\": []}'",), "pandoc wrote 0 of 1 references"),
    ],
)
def test_where_pandoc_fails_its_failure_is_told_and_who_wrote_instead(
    path_of: Callable[..., None], script: tuple[str, ...], reason: str
) -> None:
    path_of(*script)
    told = reference_list([PAPER], "apa")
    assert reason in told.notes[0]
    assert told.notes[1] == "written by citeproc-py in the style of APA, 7th edition."
    assert "10.1000/deltas" in told.lines[0]


@needs_pandoc
@pytest.mark.parametrize("style", STYLES)
def test_pandoc_writes_every_style_where_it_is_installed(style: str) -> None:
    told = reference_list([BOOK, PAPER, NAMELESS], style)
    assert told.notes[0] == f"written by pandoc {pandoc_version()} in the style of {STYLES[style].title}."
    assert len(told.lines) == 3
    numbers = [STYLES[style].number.format(place).strip() for place in (1, 2, 3)]
    assert all(line.startswith(number) for line, number in zip(told.lines, numbers, strict=True))


@needs_pandoc
@pytest.mark.parametrize("style", STYLES)
def test_unknown_further_authors_are_never_run_into_the_last_one(style: str) -> None:
    told = reference_list([replace(PAPER, et_al=True)], style)
    assert "others" not in told.lines[0]
    assert "et al" in told.lines[0]
    assert pandoc_version() in told.notes[0]


ALPS = Entry("alps", "article", "Alps", (JANE, JOHN), "2002", "J. Rock")
SORTED = ["Doe, J., & Roe, J. A. (2002a). Alps", "Doe, J., & Roe, J. A. (2002b). Deltas", "Floods of 1342. (2003)"]


def assert_sorted(lines: list[str]) -> None:
    assert [line.startswith(start) for line, start in zip(lines, SORTED, strict=True)] == [True] * 3, lines


@needs_pandoc
def test_pandoc_sorts_a_list_by_author_and_tells_works_of_a_year_apart() -> None:
    assert_sorted(reference_list([PAPER, NAMELESS, ALPS], "apa").lines)


def test_citeproc_py_sorts_and_letters_a_list_as_pandoc_does(no_pandoc: None) -> None:
    assert_sorted(reference_list([PAPER, NAMELESS, ALPS], "apa").lines)
    assert [line[:2] for line in reference_list([PAPER, ALPS], "nature").lines] == ["1.", "2."]


def test_a_file_of_ones_own_needs_pandoc_and_has_to_be_there(
    path_of: Callable[..., None], tmp_path: Path
) -> None:  # fmt: skip
    with pytest.raises(UsageError, match="there is no such file") if PANDOC else pytest.raises(UsageError):
        reference_list([PAPER], str(tmp_path / "none.csl"))
    path_of()
    with pytest.raises(UsageError, match="needs pandoc"):
        reference_list([PAPER], str(tmp_path / "none.csl"))


@needs_pandoc
def test_a_file_of_ones_own_that_pandoc_cannot_use_fails(tmp_path: Path) -> None:
    (tmp_path / "broken.csl").write_text("<style/>")
    with pytest.raises(Failure, match="pandoc"):
        reference_list([PAPER], str(tmp_path / "broken.csl"))


def test_an_empty_list_is_written_by_nobody() -> None:
    assert reference_list([], "apa") == ([], [])


# What a style leaves out is told


@pytest.mark.parametrize("style", STYLES)
def test_what_the_references_do_not_name_is_told_and_nothing_else(no_pandoc: None, style: str) -> None:
    for entry in reference_entries():
        [line], [_, *notes] = reference_list([entry], style)
        told = {found[1] for note in notes if (found := re.match(r"the references do not name the (\w+) of 1 ", note))}
        assert told == absent(entry, line), entry.key


@each("style", STYLES)
def test_nothing_that_pandoc_has_written_is_called_absent(style: str) -> None:
    for entry in reference_entries():
        text = by_pandoc(style)[entry.key]
        told = {note.split()[6] for note in absent_parts([FormattedReference(reference_of(entry), text)])}
        assert told == absent(entry, text), entry.key


def test_the_entries_that_a_style_shortens_are_named(no_pandoc: None) -> None:
    assert reference_list([BOOK], "nature").notes[1:] == [
        "the references do not name the edition of 1 entry (book).",
        "the references do not name the editors of 1 entry (book).",
        "the references do not name the DOI of 1 entry (book).",
    ]


# Nothing in a record is an instruction

HOSTILE = [
    "<script>alert(1)</script> and <b>bold",
    '<span class="nocase">Foo</span> bar',
    "a<b>c and d<i",
    "$x_1$ \\alpha *em* _u_ [l](http://x.org) `code`",
    "&lt;b&gt; 5 &amp; 6",
    "<<i>i>nested</<i>i>",
]


@each(
    ("title", "text"),
    [
        ("Reeds <i>in winter", "Reeds in winter"),
        ("Reeds in</i> winter", "Reeds in winter"),
        ("H<sub>2O and <i>a</i></i>", "H2O and <i>a</i>"),
        ('<span class="nocase">Reeds in winter', "Reeds in winter"),
        ("a<b>c and a <b> c", "a<b>c and a <b> c"),
    ],
)
def test_a_tag_without_a_partner_is_dropped_but_a_relation_stays(title: str, text: str) -> None:
    assert rich(title) == text


def shown(title: str) -> str:
    """What of a title is letters, by what the other formats show of it."""

    return plain(title)


@pytest.mark.parametrize("title", HOSTILE)
@pytest.mark.parametrize("style", ["apa", "nature"])
def test_a_title_is_text_to_citeproc_py(no_pandoc: None, title: str, style: str) -> None:
    entry = Entry("k", "article", title, (JANE,), "2001", title, "1")
    [line] = reference_list([entry], style).lines
    assert shown(title) in line
    assert line.casefold().count(shown(title).casefold()) == 2


@needs_pandoc
@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_is_text_to_pandoc(title: str) -> None:
    entry = Entry("k", "article", title, (Name("<i>O", "J<b>"),), "2001", "J", "1")
    [line] = reference_list([entry], "apa").lines
    assert shown(title) in line
    assert "O, J." in line  # a tag without a partner is no part of a name


@given(
    text=st.text(max_size=30), name=st.text(max_size=12), given=st.text(max_size=8), pages=st.text(max_size=6),
    kind=st.sampled_from(["article", "book", "chapter", "thesis", "report", "preprint", "dataset", "other"]),
)  # fmt: skip
def test_no_text_stops_a_list(text: str, name: str, given: str, pages: str, kind: str) -> None:
    entry = Entry("k", kind, text, (Name(name, given),), "2001-02", text, pages, name, pages,  # type: ignore[arg-type]
                  publisher=text, edition=pages, editors=(Name(name, given), Name(literal=text)))  # fmt: skip
    for style in STYLES.values():
        text = (by_citeproc([reference_of(entry)], style)[0] if style.by_citeproc else "") or style.write(
            reference_of(entry)
        )
        assert "\n" not in text


# One way to a reference, and what it is made of


@pytest.mark.parametrize("pandoc", [False, pytest.param(True, marks=needs_pandoc)])
def test_a_line_that_is_copied_is_the_line_of_the_list(path_of: Callable[..., None], pandoc: bool) -> None:
    if not pandoc:
        path_of()
    assert quick([BOOK], "line") == reference_list([BOOK], "apa").lines[0]
    assert quick([BOOK, PAPER], "line").splitlines() == reference_list([BOOK, PAPER], "apa").lines


def test_every_style_file_is_part_of_the_package_with_its_licence_and_its_authors() -> None:
    folder = resources.files("spar_tui.bibliography.styles") / "csl"
    notice = (folder / "README.md").read_text("utf-8")
    for style in STYLES.values():
        text = (folder / f"{style.csl}.csl").read_text("utf-8")
        assert "http://creativecommons.org/licenses/by-sa/3.0/" in text
        assert "<author>" in text
        assert f"`{style.csl}.csl`" in notice
    assert "https://citationstyles.org" in notice
