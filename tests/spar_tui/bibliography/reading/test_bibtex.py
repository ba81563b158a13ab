"""BibTeX and BibLaTeX of every program, and what people do to their files by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.paper import Author
from connectors.records.build import UNTITLED, build_paper
from connectors.records.matching import same_work
from spar_tui.bibliography.bibtex import bib_entry
from spar_tui.bibliography.csl_json import csl_item
from spar_tui.bibliography.entry import entry_of
from spar_tui.bibliography.markup import SMALL_CAPS
from spar_tui.bibliography.reading.bibtex import read_bibtex
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry
from spar_tui.bibliography.reading.html_notes import text_of_html
from spar_tui.bibliography.reading.values import attached_files
from tests.rows import each


def one(text: str) -> FoundEntry:
    found = read_bibtex(text)
    assert found.problems == ()
    [entry] = found.entries
    return entry


def told(found: FileEntries) -> list[tuple[int, str, bool]]:
    return [(problem.line, problem.name, problem.taken) for problem in found.problems]


def test_an_entry_keeps_all_that_the_shelf_has_a_place_for() -> None:
    entry = one(r"""
@article{Goedel:1931,
  author   = {G{\"o}del, Kurt and {Wiener Kreis}},
  title    = {{\"U}ber formal unentscheidbare {S\"atze}},
  journal  = {Monatshefte f\"ur Mathematik},
  year     = 1931, month = dec,
  volume   = {38}, number = 1, pages = {173--198}, publisher = {Springer}, issn = {0026-9255},
  doi      = {https://doi.org/10.1007/BF01700692},
  keywords = {logic, To Read},
  groups   = {Classics},
  annote   = {Read the proof
              again.},
  file     = {Full Text:papers/goedel 1931.pdf:application/pdf},
  abstract = {Es wird gezeigt \ldots},
}""")
    paper = entry.paper
    assert (entry.line, entry.key) == (2, "Goedel:1931")
    assert paper.title == "Über formal unentscheidbare Sätze"
    assert [author.name for author in paper.authors] == ["Kurt Gödel", "Wiener Kreis"]
    assert (paper.venue, paper.date, paper.type) == ("Monatshefte für Mathematik", "1931-12", "article")
    assert paper.id == "doi:10.1007/bf01700692"
    assert paper.abstract == "Es wird gezeigt …"
    assert entry.tags == ("logic", "To Read", "Classics")
    assert entry.note == "Read the proof\nagain."
    assert entry.files == ("papers/goedel 1931.pdf",)
    assert entry.details == {
        "volume": "38", "number": "1", "pages": "173–198", "publisher": "Springer", "issn": "0026-9255",
    }  # fmt: skip


@each(
    "preprint",
    [
        "@article{k, title={T}, author={A, B}, journal={arXiv preprint arXiv:1706.03762}, year={2017}}",
        "@misc{k, title={T}, author={A, B}, eprint={1706.03762}, archiveprefix={arXiv}, primaryclass={cs.CL}}",
        "@online{k, title={T}, author={A, B}, eprint={1706.03762v5}, eprinttype={arxiv}, date={2017-06-12}}",
        "@misc{k, title={T}, author={A, B}, url={http://arxiv.org/abs/1706.03762}, note={arXiv:1706.03762 [cs]}}",
        "@misc{k, title={T}, author={A, B}, publisher={arXiv}, doi={10.48550/arXiv.1706.03762}}",
        "@article{k, title={T}, author={A, B}, arxivId={1706.03762}, journal={arXiv}}",
    ],
)
def test_a_preprint_is_known_by_its_arxiv_id_wherever_it_stands(preprint: str) -> None:
    """Google Scholar puts it into the journal, Zotero into the note, Mendeley into a field of its own."""
    entry = one(preprint)
    assert entry.paper.identifier("arxiv") == "1706.03762"
    assert entry.paper.type == "preprint"
    assert entry.note == ""


def test_a_note_about_another_paper_gives_no_identifier() -> None:
    entry = one("@article{k, title={T}, author={A, B}, journal={J}, note={Compare arXiv:1706.03762, which is better.}}")
    assert entry.paper.identifiers == ()
    assert entry.note == "Compare arXiv:1706.03762, which is better."


def test_what_zotero_says_of_a_preprint_is_no_detail_of_print() -> None:
    entry = one("@misc{k, title={T}, author={A, B}, number={arXiv:1706.03762}, volume={2}}")
    assert entry.paper.id == "arxiv:1706.03762"
    assert entry.details == {"volume": "2"}


@each(
    ("keywords", "tags"),
    [
        ("a, b,c", ("a", "b", "c")),
        ("a;b ; c", ("a", "b", "c")),
        ("Diabetes, Type 2; Humans", ("Diabetes, Type 2", "Humans")),
        ("one of many words", ("one of many words",)),
        ("A, a, , A", ("A",)),
        ("{Diabetes, Type 2}, Humans", ("Diabetes, Type 2", "Humans")),
        ("{Diabetes; Humans}", ("Diabetes", "Humans")),
        ("{Diabetes, Type 2},", ("Diabetes, Type 2",)),
    ],
)
def test_keywords_are_parted_as_their_list_parts_them(keywords: str, tags: tuple[str, ...]) -> None:
    assert one(f"@misc{{k, title={{T}}, keywords={{{keywords}}}}}").tags == tags


@each(
    ("fields", "date"),
    [
        ("year=2017", "2017"),
        ("year={2017}, month=jun", "2017-06"),
        ("year={2017}, month={June}", "2017-06"),
        ("year={2017}, month={6}", "2017-06"),
        ('year={2017}, month="12~" # jun', "2017-06-12"),
        ('year={2017}, month=jun # "~12"', "2017-06-12"),
        ("year={2017}, month=jun, day={12}", "2017-06-12"),
        ("year={2017}, month={Dezember}, day={24}", "2017-12-24"),
        ("date={24 d{\\'e}cembre 2017}", "2017-12-24"),
        ("year={2017}, month={3rd quarter}", "2017"),
        ("date={2017-06-12}", "2017-06-12"),
        ("date={2017-06-12/2017-06-15}", "2017-06-12"),
        ("date={2017~}", "2017"),
        ("year={c. 1900 (reprint)}", "1900"),
        ("year={to appear}", None),
        ("year={17}", None),
        ("date={199X}", None),
        ("month=jun", None),
    ],
)
def test_a_date_is_as_precise_as_it_is_known(fields: str, date: str | None) -> None:
    assert one(f"@misc{{k, title={{T}}, {fields}}}").paper.date == date


@each(
    ("kind", "type"),
    [
        ("ARTICLE", "article"), ("inproceedings", "conference-paper"), ("conference", "conference-paper"),
        ("book", "book"), ("incollection", "chapter"), ("PhdThesis", "thesis"), ("techreport", "report"),
        ("dataset", "dataset"), ("unheardof", "other"),
    ],
)  # fmt: skip
def test_the_kind_of_entry_is_the_kind_of_paper(kind: str, type: str) -> None:
    assert one(f"@{kind}{{k, title={{T}}, year=2000}}").paper.type == type


@each("doi", [r"10.1000/a\_b", r"10.1000/a{\_}b", "https://doi.org/10.1000/A_B", "{10.1000/a_b}", "doi:10.1000/a_b"])
def test_a_doi_is_the_same_in_every_spelling(doi: str) -> None:
    assert one(f"@misc{{k, title={{T}}, doi={{{doi}}}}}").paper.id == "doi:10.1000/a_b"


def test_abbreviations_are_resolved_across_concatenation() -> None:
    entry = one("""
        @string{ACM = "Association"}
        @STRING(tods = acm # { Transactions})
        @article{k, title = "On " # {#} # " signs", journal = TODS # " (X)", author = {A B}}
    """)
    assert (entry.paper.title, entry.paper.venue) == ("On # signs", "Association Transactions (X)")


def test_an_abbreviation_without_a_meaning_stays_as_it_is_written() -> None:
    [entry] = read_bibtex("@article{k, title = {T}, author = unknown}").entries
    assert [author.name for author in entry.paper.authors] == ["unknown"]


def test_what_is_said_of_the_proceedings_holds_for_their_papers() -> None:
    found = read_bibtex("""
        @xdata{pub, publisher = {Springer}}
        @inproceedings{child, title = {Child}, author = {A, B}, crossref = {Parent}, pages = {3}}
        @proceedings{Parent, title = {Proceedings of All}, year = 1999, xdata = {pub}}
    """)
    child = found.entries[0]
    assert (child.paper.title, child.paper.venue, child.paper.date) == ("Child", "Proceedings of All", "1999")
    assert [entry.key for entry in found.entries] == ["child", "Parent"]


def test_parents_of_parents_hand_down_what_biber_says_they_do() -> None:
    child, parent, _, online = read_bibtex("""
        @inproceedings{child, title = {Child}, author = {A, B}, crossref = {volume}, xdata = {press}}
        @proceedings{volume, title = {Volume}, crossref = {series}}
        @proceedings{series, title = {Series}, year = 1999, editor = {E, F}, publisher = {Elsewhere}, edition = {2}}
        @xdata{press, publisher = {Springer}, xdata = {place, press}}
        @xdata{place, address = {Berlin}, xdata = {press}}
        @misc{online, title = {Online}, xdata = {place}}
    """).entries
    assert (child.paper.venue, child.paper.date, parent.paper.date) == ("Volume", "1999", "1999")
    assert [one.name for one in child.paper.imprint.editors] == ["F E"]
    assert child.details == {"publisher": "Springer", "address": "Berlin", "edition": "2"}
    assert online.details == {"publisher": "Springer", "address": "Berlin"}


def test_a_part_of_a_book_is_by_the_books_author_unless_it_says_by_whom() -> None:
    first, second, _ = read_bibtex("""
        @inbook{a, title = {One}, crossref = {b}}
        @inbook{c, title = {Two}, author = {C, D}, crossref = {b}}
        @book{b, title = {Book}, author = {A, B}}
    """).entries
    assert [[one.name for one in entry.paper.authors] for entry in (first, second)] == [["B A"], ["D C"]]


@each(
    ("parents", "child", "inherited"),
    [
        ("@mvcollection{m, title={All}, subtitle={Whole}}\n@collection{p, title={Reeds}, volume=3, crossref={m}}",
         "incollection", {"maintitle": "All", "mainsubtitle": "Whole", "booktitle": "Reeds", "volume": "3"}),
        ("@mvproceedings{p, title={Fen Days}, eventtitle={FD}, eventdate={2001-02-03}, venue={Ely}}", "proceedings",
         {"maintitle": "Fen Days", "eventtitle": "FD", "eventdate": "2001-02-03", "venue": "Ely"}),
        ("@periodical{p, title={Marsh}, subtitle={News}}", "article",
         {"journaltitle": "Marsh", "journalsubtitle": "News"}),
        ("@book{p, title={Reeds}, author={Poe, Bo}}", "inbook", {"booktitle": "Reeds", "bookauthor": "Poe, Bo"}),
    ],
)  # fmt: skip
def test_a_title_is_inherited_as_what_the_type_of_the_parent_makes_it(
    parents: str, child: str, inherited: dict[str, str]
) -> None:
    first, *_ = read_bibtex(f"@{child}{{k, title={{T}}, author={{Roe, A}}, crossref={{p}}}}\n{parents}").entries
    assert first.original
    assert inherited.items() <= dict(first.original.whole).items()


def test_software_hands_down_its_title_and_all_else_to_its_versions() -> None:
    parent = "@software{s, title={Reeds}, author={Roe, A}, license={GPL}, ids={t}, date={1996}}"
    version = "@softwareversion{v, crossref={s}, version={2}, date={2020}}"
    module, release, _ = read_bibtex(
        f"@softwaremodule{{m, title={{Fens}}, crossref={{v}}}}\n{version}\n{parent}"
    ).entries
    assert [(entry.paper.title, entry.paper.type) for entry in (module, release)] == [
        ("Fens", "software"), ("Reeds", "software"),
    ]  # fmt: skip
    assert release.original
    assert dict(release.original.inherited) == {"title": "Reeds", "author": "Roe, A", "license": "GPL"}


def test_a_field_refers_to_a_field_or_an_item_of_a_list_in_shared_data() -> None:
    shared = "@xdata{a-b, author={Roe, A and {Poe and Sons} and Low, C}, publisher={Fen}}\n"
    found = read_bibtex(
        "@book{k, title={Is xdata=a-b-title read?}, author={Zed, D and xdata = a-b-author-2 and others},"
        " publisher={xdata=A-B-publisher}, location={xdata=gone-location}, note={xdata=a-b-note}}\n"
        f"{shared}"
    )
    original = found.entries[0].original
    assert original
    assert dict(original.whole) == {
        "title": "Is xdata=a-b-title read?", "author": "Zed, D and {Poe and Sons} and others", "publisher": "Fen",
        "location": "xdata=gone-location", "note": "xdata=a-b-note",
    }  # fmt: skip
    assert ("publisher", "xdata=A-B-publisher") in original.fields
    assert [problem.reason for problem in found.problems] == [
        "it inherits from gone, which this file does not have",
        "biber does not find the entry A-B that it names: that key is spelled a-b",
        "its note refers to a field that is missing or refers back to it: xdata=a-b-note",
    ]


SHARED = """
@xdata{press, publisher={Fen}, location={Ely}}
@xdata{series, xdata={press}, series={Reeds}}
@xdata{all, xdata={series, lost}, edition={2}, note={xdata=press-publisher}}
@xdata{left, xdata={right}, publisher={L}, note={xdata=right-note}}
@xdata{right, ids={other}, xdata={left}, location={R}, note={xdata=left-note}}
"""


PRESS = {"publisher": "Fen", "location": "Ely"}
CIRCLE = "biber refuses this circle of inheritance: "
NO_FIELD = "refers to a field that is missing or refers back to it: "


@each(
    ("fields", "inherited", "reasons"),
    [
        ("xdata={all}", PRESS | {"series": "Reeds", "edition": "2", "note": "Fen"},
         ["it inherits from lost, which this file does not have"]),
        ("publisher={xdata=all-publisher}, note={xdata=all-note}", {"publisher": "Fen", "note": "Fen"}, []),
        ("xdata={left}, note={N}", {"publisher": "L", "location": "R"}, [f"{CIRCLE}left → right → left"]),
        ("xdata={other}, note={N}", {"publisher": "L", "location": "R"}, [f"{CIRCLE}right → left → right"]),
        ("crossref={k}", {"crossref": "k"}, [f"{CIRCLE}k → k"]),
        ("note={xdata=left-note}", {"note": "xdata=left-note"}, [f"its note {NO_FIELD}xdata=left-note"]),
    ],
)  # fmt: skip
def test_shared_data_may_inherit_from_shared_data_but_not_from_itself(
    fields: str, inherited: dict[str, str], reasons: list[str]
) -> None:
    found = read_bibtex(f"@book{{k, title={{T}}, {fields}}}{SHARED}")
    original = found.entries[0].original
    assert original
    assert {name: value for name, value in original.whole if name in {*inherited, *PRESS}} == inherited
    assert [problem.reason for problem in found.problems] == reasons


def test_entries_in_a_circle_of_crossref_are_named_and_keep_what_is_theirs() -> None:
    kinds = {"inproceedings": "a", "proceedings": "b", "mvproceedings": "c"}
    entries = [
        f"@{kind}{{{key}, title={{{key} of it}}, note={{{key}}}, crossref={{{parent}}}}}"
        for (kind, key), parent in zip(kinds.items(), "bca", strict=True)
    ]
    found = read_bibtex("\n".join(entries))
    assert [entry.original.inherited for entry in found.entries if entry.original] == [(), (), ()]
    assert [problem.reason.rpartition(": ")[2] for problem in found.problems] == [
        "a → b → c → a", "b → c → a → b", "c → a → b → c",
    ]  # fmt: skip


@each("head", ["@article\n{", "@article \n\n  (", "@ article{", "  @\tarticle\n{", "@article {", "@ARTICLE("])
def test_an_entry_is_found_where_blanks_and_lines_part_its_beginning(head: str) -> None:
    end = ")" if head.endswith("(") else "}"
    found = read_bibtex(
        f"@misc{{a, title={{One}}}}\n{head}k, title={{Two}}, year=2000{end}\n@misc{{b, title={{Three}}}}"
    )
    assert [(entry.line, entry.key, entry.paper.title) for entry in found.entries] == [
        (1, "a", "One"), (2, "k", "Two"), (3 + head.count("\n"), "b", "Three"),
    ]  # fmt: skip
    assert found.problems == ()


@each(
    ("fields", "told"),
    [
        ("howpublished={A poster}", "howpublished = {A poster}"), ("url={https://x.org/a}", "url = {https://x.org/a}"),
        ("author={A, B}, year=2000", "author = {A, B}"), ("note={Personal communication}", ""),
        ("editor={A, B}", "editor = {A, B}"),
    ],
)  # fmt: skip
def test_an_entry_without_a_title_is_taken_with_what_it_has_and_gets_none(fields: str, told: str) -> None:
    [entry] = read_bibtex(f"@misc{{k, {fields}}}").entries
    text = bib_entry(entry_of(entry.paper, "k", imported="other"), "bibtex").text
    assert told in text
    assert "title =" not in text
    assert entry.paper.title == UNTITLED


def test_works_without_a_title_are_never_taken_for_one_another() -> None:
    first, second = (build_paper("import", title="", authors=[Author("A", "B")], date="2000", venue=v) for v in "XY")
    assert not same_work(first, second)


def test_an_abbreviation_that_is_given_again_holds_from_there_on_as_in_bibtex() -> None:
    found = read_bibtex("""
        @string{j = "First"}
        @article{a, title={A}, journal=j}
        @string{J = j # " and Second"}
        @article{b, title={B}, journal=j # { (} # later # {)}}
        @string{later = "Later"}
    """)
    assert [entry.paper.venue for entry in found.entries] == ["First", "First and Second (Later)"]
    [problem] = found.problems
    assert (problem.line, problem.reason) == (
        5, "BibTeX does not know these abbreviations yet; put the definitions first: later"
    )  # fmt: skip


def test_an_entry_without_a_key_is_nobodys_parent() -> None:
    found = read_bibtex("@misc{, title={Keyless}, author={A, B}, year=2000}\n@misc{k, description={only this}}")
    assert [entry.paper.title for entry in found.entries] == ["Keyless"]
    assert told(found) == [(1, "", True), (2, "k", False)]


@each("title", ["{A {lone brace}", '"A {lone brace"'])
def test_a_missing_brace_hides_no_entry_although_a_later_one_is_too_many(title: str) -> None:
    entries = [f"@misc{{a, title={title}, year=2000}}", "@misc{b, title={B}}", "@misc{c, title={C}}, year=1}"]
    found = read_bibtex("\n\n".join(entries))
    assert {"b", "c"} <= {entry.key for entry in found.entries}
    found = read_bibtex("\n% Others\n".join(entries))
    told_or_read = {entry.key for entry in found.entries} | {problem.name for problem in found.problems}
    assert {"a", "b", "c"} == told_or_read or "(b, c)" in found.problems[0].reason


HAND_KEPT = r"""% Encoding: UTF-8
Stray text about @ things, and mail to a@b.org
@comment{jabref-meta: databaseType:bibtex;}
@preamble{"\newcommand{\x}{y}"}
@ARTICLE{lost, title = {A {lone brace}, year = 2000}

@article{good, title="Quoted {"}here", author = {X and Y}, year = {2001}, own field = {kept out}}
@article{good, title={Another}, author={Z, A}, year = {2001}}
@book(paren, title={In parentheses}, year = 2001, author={A. B})
@article{nocomma title={no comma}}
@article{twice, title={First}, year={2000}, title={Second}}
@article{empty, title={}}
@article{Good, title={Key in capitals}, author={C, D}}
@article{open, title={open
"""


def test_a_hand_kept_file_gives_what_can_be_read_and_names_the_rest_by_line() -> None:
    found = read_bibtex(HAND_KEPT)
    assert [(entry.key, entry.paper.title) for entry in found.entries] == [
        ("good", 'Quoted "here'), ("", "Another"), ("paren", "In parentheses"), ("twice", "First"),
        ("Good", "Key in capitals"),
    ]  # fmt: skip
    assert told(found) == [
        (5, "lost", False), (7, "good", True), (8, "good", True), (10, "", False), (11, "twice", True),
        (12, "empty", False), (13, "Good", True), (14, "open", False),
    ]  # fmt: skip
    assert "not closed" in found.problems[0].reason
    assert "own field" in found.problems[1].reason
    assert "line 7" in found.problems[2].reason
    assert "title twice" in found.problems[4].reason


def test_reading_a_broken_file_says_nothing_to_the_log(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    read_bibtex(HAND_KEPT)
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")


@each(
    ("field", "paths"),
    [
        ("papers/a.pdf", ["papers/a.pdf"]),
        (":papers/a.pdf:PDF", ["papers/a.pdf"]),  # JabRef
        ("Full Text PDF:/desk/u/a b.pdf:application/pdf", ["/desk/u/a b.pdf"]),  # Zotero
        (":Users/u/a.pdf:pdf", ["/Users/u/a.pdf"]),  # Mendeley
        (r"a:C\:\\papers\\a.pdf:PDF", [r"C:\papers\a.pdf"]),
        (r":C$\backslash$:/papers/a.pdf:pdf", ["C:/papers/a.pdf"]),
        ("Snapshot:/desk/u/a.html:text/html;PDF:/desk/u/a.pdf:application/pdf", ["/desk/u/a.pdf", "/desk/u/a.html"]),
        ("a.pdf;b.pdf; c.djvu", ["a.pdf", "b.pdf", "c.djvu"]),
        ("https://example.org/a.pdf", []),
        ("", []),
    ],
)
def test_all_attached_files_are_found_and_pdfs_go_first(field: str, paths: list[str]) -> None:
    assert attached_files(field) == paths


@each("key", ["Smith2020", "smith:2020a", "DBLP:conf/x/Smith20", "Müller+21", "a.b_c-d/e"])
def test_a_files_own_key_is_kept(key: str) -> None:
    assert one(f"@misc{{{key}, title={{T}}}}").key == key


@settings(max_examples=2 * settings().max_examples)
@given(st.text(st.sampled_from('@{}(),="#\\ \nabk'), max_size=60) | st.text(max_size=40))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    found = read_bibtex(f"@article{{k, title={{T}}}}\n{text}")
    assert len(found.entries) + len(found.problems) >= 1


def test_many_broken_entries_do_not_slow_reading() -> None:
    found = read_bibtex("@article{a, title={x\n" * 3_000)
    assert len(found.problems) == 3_000


@each("value", ["{" * 300_000 + "x" + "}" * 300_000, "{" + '$\\"' * 250_000 + "}", "{" + "A and " * 120_000 + "B}"])
def test_a_field_without_end_is_read_in_time(value: str) -> None:
    assert one(f"@misc{{k, title={{T}}, author={value}}}").paper.title == "T"


@each(
    "text",
    [
        "@misc{k, title={" + "{}" * 7_000_000 + "}}",
        "@string{a={" + "x" * 400_000 + "}}" + "@misc{k, title=a}\n" * 300,
        "@xdata{a, title={" + "x" * 400_000 + "}}" + "@misc{k, xdata=a}\n" * 300,
    ],
    ids=["nothing but braces", "an abbreviation in every entry", "text that every entry inherits"],
)
def test_what_would_take_minutes_to_read_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="split it"):
        read_bibtex(text)


def test_abbreviations_that_double_thirty_times_take_no_memory() -> None:
    doubling = "".join(f"@string{{s{n} = s{n - 1} # s{n - 1}}}\n" for n in range(1, 60))
    [entry] = read_bibtex(f'@string{{s0 = "lol"}}\n{doubling}@misc{{k, title=s59}}').entries
    assert len(entry.paper.title) <= 1_000


def test_editors_are_kept_and_a_chapter_inherits_those_of_its_book() -> None:
    chapter, book = read_bibtex(
        "@incollection{one, title={One}, author={Lovelace, Ada}, crossref={all}}\n"
        "@collection{all, title={All}, editor={Babbage, Charles and {Royal Society}}, year=1843}\n"
    ).entries
    assert [one.name for one in chapter.paper.imprint.editors] == ["Charles Babbage", "Royal Society"]
    assert (chapter.paper.venue, book.paper.imprint.editors) == ("All", chapter.paper.imprint.editors)


def test_the_category_on_arxiv_is_kept() -> None:
    for field in (
        "eprint={1706.03762}, primaryclass={cs.CL}", "eprint={1706.03762}, eprintclass={cs.CL}",
        "journal={arXiv e-prints, arXiv:1706.03762 [cs.CL]}", "howpublished={arXiv: 1706.03762v2 [cs.CL]}",
    ):  # fmt: skip
        [entry] = read_bibtex(f"@misc{{k, title={{T}}, {field}}}").entries
        assert entry.paper.imprint.arxiv_class == "cs.CL"


def test_an_entry_that_a_brace_too_many_ends_is_named() -> None:
    found = read_bibtex("@misc{a, title={One}},\n  author={B, C}}\n@misc{b, title={Two}}\nnotes, of x = 1, by hand\n")
    assert [entry.paper.title for entry in found.entries] == ["One", "Two"]
    assert [(one.line, one.name, one.taken) for one in found.problems] == [(1, "a", True)]
    assert "extra brace" in found.problems[0].reason


@each(
    ("journal", "venue"),
    [
        (r"\apj", "The Astrophysical Journal"),
        (r"{\mnras}", "Monthly Notices of the Royal Astronomical Society"),
        (r"\aap{}", "Astronomy & Astrophysics"),
        (r"\nosuchjournal", r"\nosuchjournal{}"),
        ("Icarus", "Icarus"),
    ],
)
def test_the_macros_of_astronomers_are_journals_and_others_stay(journal: str, venue: str) -> None:
    entry = one(f"@article{{k, title={{T}}, journal={{{journal}}}, year=2020}}")
    assert entry.paper.venue == venue
    assert f"journaltitle = {{{venue}}}".replace("&", r"\&") in bib_entry(entry_of(entry.paper, "k"), "biblatex").text


@each(
    ("title", "csl", "bib"),
    [
        (r"On {L}yapunov", 'On <span class="nocase">L</span>yapunov', "On {L}yapunov"),
        (r"\emph{E. coli} grows", "<i>E. coli</i> grows", r"\emph{E. coli} grows"),
        (r"H\textsubscript{2}O {\bf now}", "H<sub>2</sub>O <b>now</b>", r"H\textsubscript{2}O \textbf{now}"),
        (r"\textsc{Strips} now", f"{SMALL_CAPS}Strips</span> now", r"\textsc{Strips} now"),
        (r"Of \ce{H2O}", r"Of \ce{H2O}", r"Of \ce{H2O}"),
    ],
)
def test_the_style_of_a_title_comes_along_into_other_formats(title: str, csl: str, bib: str) -> None:
    paper = one(f"@article{{k, title={{{title}}}, journal={{J}}, year=2020}}").paper
    assert "<" not in paper.title
    assert csl_item(entry_of(paper, "k"))["title"] == csl
    assert f"title = {{{bib}}}" in bib_entry(entry_of(paper, "k"), "biblatex").text


def test_a_subtitle_belongs_to_the_title() -> None:
    assert (
        one("@book{k, title={One}, subtitle={Two {D}}}").paper.styled_title == 'One: Two <span class="nocase">D</span>'
    )


@each(
    ("fields", "address"),
    [
        ("location={Berlin}", "Berlin"),
        ("address={New York}", "New York"),
        ("location={Calgary, Canada}, address={New York}, numpages={10}", "New York"),
        ("location={Calgary, Canada}, numpages={10}, series={PPPJ '09}", None),
    ],
)
def test_where_a_conference_was_is_not_where_its_publisher_is(fields: str, address: str | None) -> None:
    """ACM gives the place of the conference as `location`, and its own, where it does, as `address`."""
    assert one(f"@inproceedings{{k, title={{T}}, booktitle={{B}}, {fields}}}").details.get("address") == address


def test_the_number_of_an_article_is_where_its_pages_would_be() -> None:
    assert one("@article{k, title={T}, eid={e30}}").details["pages"] == "e30"
    assert one("@article{k, title={T}, articleno={7}, pages={1--9}}").details["pages"] == "1–9"


def test_other_keys_of_an_entry_are_told() -> None:
    assert one("@misc{k, title={T}, ids={old:1, k, older\\_2, {not} one}}").aliases == ("old:1", "older_2")


def test_a_year_is_the_one_that_is_shown() -> None:
    assert one(r"@misc{k, title={T}, year={{\noopsort{1973c}}1981}}").paper.date == "1981"
    assert one(r"@misc{k, title={T}, year={{\bysort{1973}}1981}}").paper.date == "1981"
    assert one(r"@misc{k, title={T}, year={\shown{1973}}}").paper.date == "1973"


@each(
    ("note", "text"),
    [
        ("<p>One &amp; two</p><p>three<br/>four</p>", "One & two\n\nthree\nfour"),
        ("<ul><li>a</li><li><p>b</p></li></ul>", "- a\n- b"),
        ("x < y and <i>z</i>", "x < y and <i>z</i>"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_a_note_in_html_is_the_text_that_was_written(note: str, text: str) -> None:
    assert text_of_html(note) == text


def test_any_note_is_read_without_a_tag_being_left() -> None:
    assert one("@misc{k, title={T}, annote={<div><p>Read <b>twice</b></p></div>}}").note == "Read twice"


@each("kind", ["commented", "COMMENTARY", "stringent", "preambles"])
def test_a_type_that_begins_like_a_comment_is_an_entry_of_its_own_type(kind: str) -> None:
    [entry] = read_bibtex(f"@comment{{no}}\n@{kind}{{k, title = {{T}}}}").entries
    assert (entry.key, entry.type) == ("k", kind.lower())


def test_a_long_title_stays_whole() -> None:
    title = "word " * 120_000
    original = one(f"@misc{{k, title={{{title}}}}}").original
    assert original is not None
    assert original.value("title") == title.strip()


def test_entries_without_a_key_are_not_told_to_share_one() -> None:
    found = read_bibtex("@misc{, title={One}, year=2001}\n@misc{, title={Two}, year=2002}\n")
    assert [entry.paper.title for entry in found.entries] == ["One", "Two"]
    assert {problem.reason for problem in found.problems} == {"it has no key, so it gets one"}


@each("title", ['"One } more"', '"One { more"', "{One \\{ more}"])
def test_a_field_with_a_brace_too_many_is_named(title: str) -> None:
    [problem] = read_bibtex(f"@misc{{k, title = {title}, year = 2001}}\n@misc{{l, title = {{Two}}}}").problems
    assert (problem.name, problem.reason) == (
        "k",
        "BibTeX cannot read its title: one of its braces is never closed or never opened",
    )


def test_a_key_that_differs_from_another_only_in_case_is_named() -> None:
    found = read_bibtex("@misc{k, title={One}}\n@misc{K, title={Two}}\n@misc{K, title={Three}}")
    assert [entry.key for entry in found.entries] == ["k", "K", ""]
    assert [problem.reason for problem in found.problems if problem.line == 2] == [
        "BibTeX confuses its key with k, which differs only in case"
    ]


def test_a_field_behind_a_missing_comma_is_read_and_named() -> None:
    found = read_bibtex("@article{k, author={Roe, A}, title={One {a=b} {c=d}} journal={J} year = 2001, note={x=1} }")
    [entry] = found.entries
    assert (entry.paper.title, entry.paper.venue, entry.paper.date, entry.note) == ("One a=b c=d", "J", "2001", "x=1")
    assert [problem.reason for problem in found.problems] == [
        "a comma is missing after its title; BibTeX stops there",
        "a comma is missing after its journal; BibTeX stops there",
    ]


@each(
    ("title", "named"),
    [
        ('"An "inner" quote"', True), ('"In " # js # " an "inner" one"', True), ('"An {"}inner{"} quote"', False),
        ('{An "inner" quote}', False), ('"First " # "and second"', False), ('"One{\\"o} 5"', False),
    ],
)  # fmt: skip
def test_quotation_marks_that_end_a_value_early_are_named(title: str, named: bool) -> None:
    found = read_bibtex(f"@string{{js = {{J}}}}\n@misc{{k, title={title}, note={{N}}}}")
    [entry] = found.entries
    assert entry.note == "N"
    reason = "a quotation mark inside its title needs braces around it; BibTeX stops there"
    assert [(problem.line, problem.reason) for problem in found.problems] == [(2, reason)] * named


def test_a_field_behind_an_abbreviation_or_number_without_a_comma_is_read_and_its_line_named() -> None:
    found = read_bibtex("""
@string{jss = "Journal of " # "Sound"}
@article{k,
  journal = jss
  volume = 7
  title = "One = {two}" # " = three"
  year = 2001,
}""")
    [entry] = found.entries
    assert (entry.paper.venue, entry.paper.title, entry.paper.date) == (
        "Journal of Sound", "One = two = three", "2001",
    )  # fmt: skip
    assert entry.details["volume"] == "7"
    assert [(problem.line, problem.reason.partition(";")[0]) for problem in found.problems] == [
        (4, "a comma is missing after its journal"),
        (5, "a comma is missing after its volume"),
        (6, "a comma is missing after its title"),
    ]


def test_comments_before_a_field_do_not_hide_it() -> None:
    found = read_bibtex("@misc{k,\n  % by hand\n  %% see there\n  title = {One}, % checked\n  year = 2001}")
    assert [(entry.paper.title, entry.paper.date) for entry in found.entries] == [("One", "2001")]
    assert found.problems == ()


def test_many_missing_commas_do_not_slow_reading() -> None:
    [entry] = read_bibtex(f"@misc{{k, title = {{One}} {'x = {y} ' * 20_000}}}").entries
    assert entry.paper.title == "One"


def test_an_entry_in_parentheses_may_hold_what_begins_a_line_like_an_entry() -> None:
    first, second = read_bibtex("""
@misc(posts, author = "{@ada (Ada)}",
  title = "Notes by
@ada (said {"}so{"}, at least :-)", note = {see
@bob{x} ;-)}, year = 2011
)
@book(next, title = "Next", year = 2012)""").entries
    title = 'Notes by @ada (said "so", at least :-)'
    assert (first.key, first.paper.title, first.paper.date) == ("posts", title, "2011")
    assert (first.note, second.key, second.paper.date) == ("see\n@bobx ;-)", "next", "2012")


def test_an_entry_in_parentheses_that_is_not_closed_hides_no_other() -> None:
    found = read_bibtex(
        '@misc(a, title = "A, year = 2011)\n\n@book(b, title = "B", year = 2012)\n@misc(c, title = "C")'
    )
    assert [entry.key for entry in found.entries] == ["b", "c"]
    assert told(found) == [(1, "a", False)]


def test_what_is_left_of_a_broken_entry_does_not_come_back_beside_others() -> None:
    text = "@misc{a, title = {A}},\n  year = {1}\n}\nA word.\n@misc{b, title = {B}}\n@misc{c 3}"
    beside = [entry.original.beside for entry in read_bibtex(text).entries if entry.original]
    assert beside == [(), (("before", "A word."),)]


def test_an_arxiv_id_before_2007_is_completed_by_its_class_and_an_organization_publishes_a_talk() -> None:
    preprint, talk = read_bibtex(
        "@misc{a, title={T}, eprint={9605011}, archivePrefix={arXiv}, primaryClass={cond-mat.soft}}\n"
        "@inproceedings{b, title={U}, booktitle={Fen Days}, organization={IEEE}}"
    ).entries
    assert preprint.paper.identifier("arxiv") == "cond-mat/9605011"
    assert (talk.paper.venue, talk.details["publisher"]) == ("Fen Days", "IEEE")


@each(
    ("written", "address"),
    [
        ("https://example.org/r?b={x}", "https://example.org/r?b={x}"),
        ("{https://example.org/a{\\_}b}", "https://example.org/a_b"),
        ("https://example.org/1 http://example.org/2.pdf", "https://example.org/1"),
        ("https://example.org/1; https://example.org/2", "https://example.org/1"),
    ],
)
def test_an_address_is_the_first_of_its_field_with_its_own_braces(written: str, address: str) -> None:
    [entry] = read_bibtex(f"@misc{{a, title={{T}}, url={{{written}}}}}").entries
    assert entry.address == address


def test_the_name_of_a_language_is_no_part_of_a_title() -> None:
    [entry] = read_bibtex(r"@misc{a, title={On \foreignlanguage{german}{der Rand}}}").entries
    assert entry.paper.title == "On der Rand"


@each(
    ("fields", "identifiers", "address"),
    [
        ("pmid={PMC1234567}", ["pmcid:PMC1234567"], ""),
        ("doi={arXiv:2105.01234}", ["arxiv:2105.01234"], ""),
        ("doi={1234567}", [], ""),
        ("doi={https://www.jstor.org/stable/2699986}", [], "https://www.jstor.org/stable/2699986"),
    ],
)
def test_a_field_for_another_identifier_gives_the_one_that_stands_in_it(
    fields: str, identifiers: list[str], address: str
) -> None:
    """JSTOR gives a DOI to some of its papers only, so its address is no DOI."""
    [entry] = read_bibtex(f"@article{{a, title={{T}}, journal={{J}}, {fields}}}").entries
    assert [f"{name.scheme}:{name.value}" for name in entry.paper.identifiers] == identifiers
    assert entry.address == address
