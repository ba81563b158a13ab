"""What came in from a person's file goes out as it came, under the key that the person cites."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from cache import citation_keys, merges, originals, shelf
from cache.store import PaperId, Store
from spar_tui.bibliography.cited_papers import papers_cited
from spar_tui.bibliography.exporting import Exported, ExportedPaper, export_papers
from spar_tui.bibliography.options import export_options
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.shelving import Shelving, put_on_shelf
from tests.benchmarks.real.plain_reader import plain_entries
from tests.benchmarks.real.round_trip import bare
from tests.library import copied

OTHERS_FIELDS = r"""@article{2021-CMS/x,
  Author = {M{\"u}ller, J{\"o}rg and others},
  title = {Notes on {H}ilbert's \ce{H2O} and \emph{more}},
  journal = {J. Physics: Conference Series},
  year = {2020},
  month = jun,
  day = {3},
  urldate = {2021-01-01},
  keywords = {a, b},
  groups = {Mine},
  biburl = {https://dblp.org/rec/x.bib},
  Bdsk-Url-1 = {https://example.org/a_b},
}
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "library.db")) as opened:
        yield opened


def take_in(store: Store, text: str, name: str = "refs.bib") -> Shelving:
    return put_on_shelf(store, found_in(text, name).entries, Path("/refs"))


def export(store: Store, format: str, fields: str = "", keys: str = "better-bibtex", **wanted: bool) -> Exported:
    flags = {"preprint": False, "bom": False, "append": False, "replace": False} | wanted
    options = export_options(format=format, style="", keys=keys, fields=fields, ascii_only=None, output="", journals="",
                             **flags)  # fmt: skip
    chosen = {one.number: ExportedPaper(one.paper, None, one) for one in shelf.shelf(store)}
    return export_papers(store, chosen, options, Path("/nowhere"))


def exported(store: Store, format: str, fields: str = "", **wanted: bool) -> str:
    return export(store, format, fields, "better-bibtex", **wanted).data.decode()


@pytest.mark.parametrize("format", ["bibtex", "biblatex"])
def test_every_field_of_an_entry_comes_back_with_its_spelling_in_its_order(store: Store, format: str) -> None:
    take_in(store, OTHERS_FIELDS)
    assert exported(store, format) == OTHERS_FIELDS


def test_what_was_exported_comes_in_and_goes_out_to_the_same_bytes(store: Store, tmp_path: Path) -> None:
    take_in(store, OTHERS_FIELDS + "@misc{b, howpublished = {\\url{http://x.org}}, title = {T}, note = {N}}")
    once = exported(store, "bibtex")
    with Store.open(copied(tmp_path / "other.db")) as other:
        take_in(other, once)
        assert exported(other, "bibtex") == once


@pytest.mark.parametrize(
    "kind",
    ["online", "software", "patent", "unpublished", "manual", "mastersthesis", "phdthesis", "booklet", "inbook",
     "proceedings", "techreport", "misc", "tapestry"],
)  # fmt: skip
def test_each_type_stays_itself(store: Store, kind: str) -> None:
    take_in(
        store, f"@{kind}{{k, title = {{T}}, author = {{A, B.}}, year = 2001, howpublished = {{www.postgresql.org}}}}"
    )
    assert exported(store, "bibtex").startswith(f"@{kind}{{k,")


def test_an_entry_of_biblatex_gets_the_names_that_bibtex_knows(store: Store) -> None:
    take_in(store, "@online{k, title = {T}, date = {2020-05-17}, journaltitle = {J}, location = {Bonn}, custom = {x}}")
    assert exported(store, "bibtex") == (
        "@misc{k,\n  title = {T},\n  year = {2020},\n  month = may,\n  day = {17},\n  journal = {J},\n"
        "  address = {Bonn},\n  custom = {x},\n}\n"
    )


def test_abbreviations_are_written_out_and_parents_resolved_or_written_behind(store: Store) -> None:
    proceedings = "@proceedings{p, title = {Proc}, year = 2001, publisher = {Old Press}}"
    child = (
        '@string{acm = "ACM"}\n@inproceedings{c, crossref = {p}, title = {T}, author = {A, B.}, organization = acm}\n'
    )
    take_in(store, '@string{acm = "ACM"}\n' + child + proceedings)
    both = exported(store, "bibtex")
    assert both.index("@inproceedings{c") < both.index("@proceedings{p")
    assert "crossref = {p}" in both
    assert "organization = {ACM}" in both
    [parent] = [one for one in shelf.shelf(store) if one.key == "p"]
    shelf.unsave(store, [parent.number])
    alone = exported(store, "bibtex")
    assert "crossref" not in alone
    assert "booktitle = {Proc}" in alone
    assert "publisher = {Old Press}" in alone


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("@book{KEY, title={T}, author={Roe, A}}", "a.bib"),
        ("TY  - BOOK\nID  - KEY\nTI  - T\nAU  - Roe, A\nER  - \n", "a.ris"),
        ('[{"id": "KEY", "type": "book", "title": "T", "author": [{"family": "Roe"}]}]', "a.json"),
        ("references:\n- id: KEY\n  type: book\n  title: T\n  author:\n  - family: Roe\n", "a.yaml"),
        ("KEY:\n  type: book\n  title: T\n  author: Roe, A\n", "b.yaml"),
        ("%0 Book\n%T T\n%A Roe, A\n%F KEY\n", "a.enw"),
    ],
)
@pytest.mark.parametrize("key", ["../../tmp/evil", "/etc/passwd", "a/../../b", "..", "DBLP:conf/x", "10.5555/a.b"])
def test_a_key_that_is_a_path_is_replaced_in_every_format(store: Store, text: str, name: str, key: str) -> None:
    found = found_in(text.replace("KEY", key), name)
    put_on_shelf(store, found.entries, Path("/refs"))
    is_path = ".." in key or key.startswith("/")
    assert any(problem.name == key and "another key" in problem.reason for problem in found.problems) == is_path
    for format in ("biblatex", "bibtex", "ris", "csl-json"):
        assert (key in exported(store, format)) != is_path


@pytest.mark.parametrize("format", ["csl-json", "biblatex", "ris"])
def test_a_key_pinned_in_a_note_is_that_of_every_format(store: Store, format: str) -> None:
    item = {"id": "x2", "type": "book", "title": "T", "author": [{"family": "Roe"}], "note": "Citation Key: roe_sea"}
    take_in(store, json.dumps([item]), "a.json")
    text = exported(store, format)
    assert "x2" not in text
    assert "roe_sea" in (text if format != "csl-json" else json.loads(text)[0]["id"])


@pytest.mark.parametrize("mark", ["c", "©", "© ", "(c) ", "[c", "p", "cop. "])
def test_the_year_of_a_copyright_is_a_year_in_every_format(store: Store, mark: str) -> None:
    end = "]" if "[" in mark else ""
    take_in(store, f"TY  - BOOK\nTI  - T\nAU  - Roe, A\nPY  - {mark}1998{end}\nER  - \n", "a.ris")
    assert "date = {1998}" in exported(store, "biblatex")
    assert "year = {1998}" in exported(store, "bibtex")
    assert json.loads(exported(store, "csl-json"))[0]["issued"] == {"date-parts": [[1998]]}


def test_an_at_that_becomes_text_beside_the_entries_is_told(store: Store) -> None:
    take_in(store, "Ask roe@example.org.\n@book{k, title={T}, author={Roe, A}}\n")
    result = export(store, "biblatex")
    assert "Ask roe(at)example.org." in result.data.decode()
    assert any("written as (at)" in note for note in result.notes)


def test_straight_quotation_marks_are_in_braces_where_babel_has_them_as_a_command(store: Store) -> None:
    take_in(store, 'TY  - BOOK\nTI  - The "perfect" weir\nAU  - Roe, A\nER  - \n', "a.ris")
    text = exported(store, "biblatex")
    assert 'title = {The {"}perfect{"} weir}' in text
    [entry] = found_in(text, "b.bib").entries
    assert entry.paper.title == 'The "perfect" weir'


@pytest.mark.skipif(not shutil.which("pandoc"), reason="needs pandoc")
def test_a_word_file_has_the_reference_list(store: Store, tmp_path: Path) -> None:
    take_in(store, r"@article{k, title={On $x^2$, \emph{reeds} \& *fens* <b>}, author={{Reed \& Weir}}, year=2001}")
    options = export_options(format="", style="", keys="better-bibtex", fields="", preprint=False, ascii_only=None,
                             bom=False, output=str(tmp_path / "refs.docx"), append=False, replace=False)  # fmt: skip
    chosen = {one.number: ExportedPaper(one.paper, None, one) for one in shelf.shelf(store)}
    export_papers(store, chosen, options, tmp_path)
    with ZipFile(tmp_path / "refs.docx") as archive:
        document = ElementTree.fromstring(archive.read("word/document.xml"))
    [text] = filter(None, ("".join(part.itertext()).strip() for part in document.iter() if part.tag.endswith("}p")))
    assert text == "Reed & Weir. (2001). On x², reeds & *fens* <b>."


def test_the_key_of_a_set_names_its_members(store: Store, tmp_path: Path) -> None:
    articles = "".join(f"@article{{s{name}, title={{Set {name}}}, author={{Poe, B}}}}\n" for name in "abc")
    numbers = take_in(store, f"{articles}@Set{{two%, entryset={{sa,sb}}}}\n@set{{two_, entryset={{sc}}}}").numbers
    assert originals.sets(store) == {"two%": list(numbers[:2]), "two_": [numbers[2]]}
    document = tmp_path / "d.tex"
    document.write_text(r"\cite{two_,sb,two}")
    cited, _, problems = papers_cited(store, [str(document)])
    assert {number: paper.cited for number, paper in cited.items()} == {numbers[2]: (), numbers[1]: ("sb",)}
    assert len(problems) == 1


@pytest.mark.parametrize("parent_written", [True, False])
@pytest.mark.parametrize(
    "parents",
    [
        "@proceedings{p, title={Fens}, subtitle={Third meeting}, publisher={P}, address={Delft}}",
        "@proceedings{p, title={Fens}, subtitle={Third meeting}, xdata={x}}@xdata{x, publisher={P}, location={Delft}}",
        "@proceedings{p, booktitle={Fens: Third meeting}, crossref={g}}@misc{g, publisher={P}, location={Delft}}",
        "@proceedings{p, title={Fens}, booktitle={Fens: Third meeting}, publisher={P}, address={Delft}}",
    ],
)
def test_bibtex_prints_what_an_entry_inherits(store: Store, parents: str, parent_written: bool) -> None:
    child = "@inproceedings{c, author={Roe, A}, title={Reeds}, crossref={p}}\n"
    numbers = take_in(store, child + parents).numbers
    chosen = {one.number: ExportedPaper(one.paper, None, one) for one in shelf.shelf(store)
              if parent_written or one.number == numbers[0]}  # fmt: skip
    options = export_options(format="bibtex", style="", keys="better-bibtex", fields="", preprint=False,
                             ascii_only=None, bom=False, output="", append=False, replace=False)  # fmt: skip
    text = export_papers(store, chosen, options, Path("/none")).data.decode()
    written = {entry.key: dict(entry.fields) for entry in plain_entries(text)}
    # As BibTeX reads them: a parent hands down fields of the same name.
    printed = {**written.get(bare(written["c"].get("crossref", "")), {}), **written["c"]}
    texts = {name: bare(printed.get(name, "")) for name in ("booktitle", "publisher", "address")}
    assert texts == {"booktitle": "Fens: Third meeting", "publisher": "P", "address": "Delft"}
    assert bare(written["c"]["title"]) == "Reeds"


def test_what_comes_from_a_parents_parent_is_written_out_for_bibtex_alone(store: Store) -> None:
    volume = "@proceedings{p, crossref = {g}, title = {Proc}, booktitle = {Proc}, year = 2001}"
    series = "@proceedings{g, title = {All}, publisher = {Old Press}}"
    take_in(store, f"@inproceedings{{c, crossref = {{p}}, title = {{T}}, author = {{A, B.}}}}\n{volume}\n{series}")
    child, parents = exported(store, "bibtex").split("@proceedings{p")
    assert "booktitle = {Proc}" in child
    assert "publisher = {Old Press}" in child
    assert "crossref" not in child
    assert parents.index("crossref = {g}") < parents.index("@proceedings{g")
    assert exported(store, "biblatex").count("Old Press") == 1


def test_two_works_that_look_alike_stay_two_and_what_is_joined_keeps_both_entries(store: Store) -> None:
    told = "author = {Knuth, D.}, title = {The Art of Programming Well}, year = 1997"
    volumes = "".join(f"@book{{taocp{number}, {told}, volume = {number}}}\n" for number in (1, 2))
    same = f"@book{{again, {told}, note = {{Mine}}}}\n"
    taken = take_in(store, volumes)
    assert (len(taken.new), taken.joins) == (2, ())
    joined = take_in(store, same)
    [join] = joined.joins
    assert (join.name, join.other, join.other_line) == ("again", "taocp1", None)
    text = exported(store, "bibtex", dedupe=False)
    assert [line[6:-1] for line in text.splitlines() if line.startswith("@book")] == ["again", "taocp1", "taocp2"]
    assert text.count("note = {Mine}") == 1
    assert "volume" not in text.split("@book{taocp1")[0]


KNUTH = "author = {Knuth, D.}, title = {The Art of Programming Well}"


def test_a_paper_that_came_as_two_entries_is_written_once_with_all_that_they_tell(store: Store) -> None:
    take_in(store, f"@book{{one, {KNUTH}, year = 1997, volume = 1}}")
    take_in(store, f"@book{{two, {KNUTH}, date = {{1997}}, note = {{Mine}}, url = {{https://example.org/a}}}}")
    done = export(store, "biblatex")
    [entry] = found_in(done.data.decode(), "refs.bib").entries
    assert (entry.key, entry.aliases, entry.note) == ("one", ("two",), "Mine")
    assert [name for name, _ in entry.original.fields if name in ("date", "year")] == ["year"]  # type: ignore[union-attr]
    assert any("1 entry (one)" in note and "--no-dedupe writes all" in note for note in done.notes)
    assert len(found_in(exported(store, "biblatex", dedupe=False), "refs.bib").entries) == 2


@pytest.mark.parametrize(
    ("file", "name", "format", "written"),
    [
        ("@misc{{{}, title={{T}}, keywords={{{}}}}}\n", "a.bib", "biblatex", "keywords = {{reed, {fen, wet}, carbon}}"),
        ("TY  - GEN\nID  - {}\nTI  - T\nKW  - {}\nER  - \n", "a.ris", "ris",
         "KW  - reed\nKW  - fen, wet\nKW  - carbon\n"),
        ('[{{"id": "{}", "type": "book", "title": "T", "keyword": "{}"}}]', "a.json", "csl-json",
         '"keyword": "reed; fen, wet; carbon;"'),
    ],
)  # fmt: skip
def test_an_entry_that_combines_several_has_the_keywords_of_all(
    store: Store, file: str, name: str, format: str, written: str
) -> None:
    one, two = (PaperId(take_in(store, file.format(key, words), name).numbers[0])
                for key, words in (("one", "reed; fen, wet"), ("two", "Reed; carbon")))  # fmt: skip
    merges.merge(store, one, two)
    assert written.replace("{{", "{").replace("}}", "}") in exported(store, format)


@pytest.mark.parametrize("format", ["bibtex", "biblatex", "ris", "csl-json"])
@pytest.mark.parametrize(
    ("more", "name"),
    [
        (f"@book{{two, {KNUTH}, year = 1997, doi = {{10.1000/knuth}}}}", "more.bib"),
        ("TY  - BOOK\nAU  - Knuth, D.\nTI  - The Art of Programming Well\nPY  - 1997\nDO  - 10.1000/knuth\nER  - \n",
         "more.ris"),
        (json.dumps([{"type": "book", "author": [{"family": "Knuth", "given": "D."}], "DOI": "10.1000/knuth",
                      "title": "The Art of Programming Well", "issued": {"date-parts": [[1997]]}}]), "more.json"),
    ],
)  # fmt: skip
def test_what_a_second_entry_tells_is_written_in_every_format(store: Store, format: str, more: str, name: str) -> None:
    take_in(store, f"@book{{one, {KNUTH}, year = 1997, volume = 1}}")
    take_in(store, more, name)
    done = export(store, format)
    assert not any("cannot store ids" in note for note in done.notes)
    [entry] = found_in(done.data.decode(), "refs").entries
    assert entry.paper.identifier("doi") == "10.1000/knuth"
    assert entry.details["volume"] == "1"
    [reference] = exported(store, "text").splitlines()
    assert "doi.org/10.1000/knuth" in reference


def test_volume_and_pages_are_never_those_of_another_venue(store: Store) -> None:
    work = "author = {Roe, Ann}, title = {Attention is all they need}, year = 2017, eprint = {1706.03762}"
    take_in(store, f"@article{{one, {work}, eprinttype = {{arxiv}}, journal = {{CoRR}}}}")
    take_in(store, f"@inproceedings{{two, {work}, eprinttype = {{arxiv}}, booktitle = {{Advances in Neural Information"
            " Processing Systems}, volume = 30, pages = {5998--6008}, note = {Mine}}")  # fmt: skip
    done = export(store, "biblatex")
    [entry] = found_in(done.data.decode(), "refs.bib").entries
    assert (entry.key, entry.aliases, entry.note) == ("one", ("two",), "Mine")
    assert any("fields of another venue are left out" in note for note in done.notes)
    assert {"volume", "pages", "booktitle"}.isdisjoint(name for name, _ in entry.original.fields)  # type: ignore[union-attr]


def test_keys_of_a_pattern_are_for_new_entries_unless_all_are_asked_for(store: Store) -> None:
    part = "@inbook{two, crossref = {one}, author = {Roe, A}, year = 1999}\n@set{both, entryset={one,two}}"
    take_in(store, f"@book{{one, {KNUTH}, year = 1997}}\n{part}")
    kept = export(store, "biblatex", keys="{author}{yy}")
    assert (
        "--keys makes keys only for entries without one: 2 entries had one. --rekey makes new keys for all."
        in kept.notes
    )
    done = export(store, "biblatex", keys="{author}{yy}", rekey=True)
    assert any(note.startswith("New keys of 2 entries: ") and "one → knuth97" in note for note in done.notes)
    text = done.data.decode()
    assert "@book{knuth97," in text
    assert "crossref = {knuth97}" in text
    assert "entryset = {knuth97,roe99}" in text
    assert "@book{one," in exported(store, "biblatex")


@pytest.mark.parametrize(
    ("file", "name", "format"),
    [
        ("@misc{k, title = {T}, abstract = {Long.}}", "refs.bib", "biblatex"),
        ("TY  - GEN\nTI  - T\nAB  - Long.\nN2  - Long.\nER  - \n", "refs.ris", "ris"),
        ('[{"id": "k", "type": "book", "title": "T", "abstract": "Long."}]', "refs.json", "csl-json"),
    ],
)
def test_abstracts_of_imported_entries_can_be_left_out(store: Store, file: str, name: str, format: str) -> None:
    take_in(store, file, name)
    assert "Long." in exported(store, format)
    done = export(store, format, abstracts=False)
    assert "Long." not in done.data.decode()
    assert "The abstract of 1 entry is left out." in done.notes


def test_what_is_not_written_as_it_came_is_said(store: Store) -> None:
    take_in(store, OTHERS_FIELDS)
    take_in(store, "@online{web, title = {T}, author = {A, B.}, date = {2020}}")
    [one] = [one for one in shelf.shelf(store) if one.key == "2021-CMS/x"]
    shelf.tag(store, one.number, ["c"])
    assert not any("shelf" in note for note in export(store, "biblatex").notes)
    told = export(store, "biblatex", "keywords").notes
    assert "1 entry (2021-CMS/x) gets these fields from your shelf, not from your file: keywords." in told
    told = export(store, "bibtex").notes
    assert "1 entry (web) in BibLaTeX: types, dates, names, titles and accents are converted to BibTeX." in told


def test_a_file_imported_again_changes_nothing_and_a_changed_entry_takes_the_old_ones_place(store: Store) -> None:
    take_in(store, OTHERS_FIELDS)
    again = take_in(store, OTHERS_FIELDS)
    assert (again.new, again.joins, again.updated, again.problems) == (frozenset(), (), (), ())
    changed = take_in(store, OTHERS_FIELDS.replace("groups = {Mine}", "groups = {Yours}"))
    assert (changed.new, changed.updated) == (frozenset(), ("2021-CMS/x",))
    assert "groups = {Yours}" in exported(store, "bibtex")
    assert len(shelf.shelf(store)) == 1


def test_what_the_person_tagged_and_noted_goes_before_the_files_where_it_is_asked_for(store: Store) -> None:
    take_in(store, OTHERS_FIELDS)
    [one] = shelf.shelf(store)
    shelf.tag(store, one.number, ["c"])
    shelf.set_note(store, one.number, "Read it twice.")
    assert "keywords = {a, b}," in exported(store, "bibtex")
    asked = exported(store, "bibtex", "keywords,note")
    assert "keywords = {a, b, c, Mine}" in asked or "keywords = {a, b, Mine, c}" in asked
    assert "annote = {Read it twice.}" in asked


def test_records_of_ris_come_back_line_by_line(store: Store) -> None:
    lines = ["TY  - MGZN", "ID  - m1", "AU  - Lee, Ann", "TI  - On rivers", "PY  - 2001", "C7  - e12", "U1  - mine",
             "KW  - a", "KW  - b", "second line", "third", "ER  - ", ""]  # fmt: skip
    record = "\n".join(lines)
    take_in(store, record, "refs.ris")
    assert exported(store, "ris") == record


def test_a_line_of_keywords_never_becomes_a_tag(store: Store) -> None:
    take_in(store, "TY  - JOUR\nTI  - On rivers\nKW  - a\n  ER  - b\n\u2003TI -c\nER  - \n", "refs.ris")
    assert "KW  - a ER - b TI -c\n" in exported(store, "ris")


def test_items_of_csl_come_back_member_by_member(store: Store) -> None:
    item = {
        "id": "ITEM-1", "type": "legal_case", "title": "A v. B", "authority": "Court", "container-title": "Reports",
        "issued": {"date-parts": [[1999, 5]], "circa": True}, "custom": {"x": [1, {"y": None}]},
    }  # fmt: skip
    take_in(store, json.dumps([item]), "refs.json")
    assert json.loads(exported(store, "csl-json")) == [item]


def test_another_format_is_told_what_the_entry_tells_and_not_what_sources_did(store: Store) -> None:
    take_in(store, "@mastersthesis{k, title = {T}, author = {A, B.}, school = {Bonn}, year = 2001}")
    [item] = json.loads(exported(store, "csl-json"))
    assert (item["type"], item["publisher"], item["id"]) == ("thesis", "Bonn", "k")
    assert "TY  - THES" in exported(store, "ris")


@pytest.mark.parametrize(
    ("words", "kind"),
    [("Master's thesis", "mastersthesis"), ("MSc dissertation", "mastersthesis"), ("Diplomarbeit", "mastersthesis"),
     ("PhD thesis", "phdthesis"), ("Doctoral dissertation", "phdthesis"), ("D.Phil.", "phdthesis")],
)  # fmt: skip
def test_the_degree_of_a_thesis_is_read_from_its_type_in_every_format(store: Store, words: str, kind: str) -> None:
    item = {"id": "c", "type": "thesis", "title": "Wells", "genre": words, "author": [{"family": "Cox", "given": "C"}]}
    take_in(store, json.dumps([item]), "refs.json")
    take_in(store, f"TY  - THES\nID  - r\nAU  - Ray, R\nTI  - Reeds\nM3  - {words}\nER  - \n", "refs.ris")
    take_in(store, f"%0 Thesis\n%F e\n%A Elm, E\n%T Ferns\n%9 {words}\n", "refs.enw")
    take_in(store, f"@thesis{{b, author={{Bay, B}}, title={{Bogs}}, type={{{words}}}, date={{2001}}}}")
    written = exported(store, "bibtex")
    assert [f"@{kind}{{{key}," in written for key in "creb"] == [True] * 4, written


@pytest.mark.parametrize("kind", ["mastersthesis", "phdthesis"])
@pytest.mark.parametrize("format", ["csl-json", "ris"])
def test_the_degree_of_a_thesis_comes_back_from_another_format(
    store: Store, tmp_path: Path, kind: str, format: str
) -> None:
    take_in(store, f"@{kind}{{k, title = {{T}}, author = {{A, B.}}, school = {{Bonn}}, year = 2001}}")
    with Store.open(tmp_path / "other.db") as other:
        take_in(other, exported(store, format), f"refs.{format}")
        assert f"@{kind}{{k," in exported(other, "bibtex")


def test_a_collaboration_is_an_author_where_a_format_has_no_field_for_it(store: Store) -> None:
    take_in(store, "@article{k, title={T}, author={Aad, G. and others}, collaboration={ATLAS}, year=2012, journal={J}}")
    [item] = json.loads(exported(store, "csl-json"))
    assert {"literal": "ATLAS Collaboration"} in item["author"]
    assert "AU  - ATLAS Collaboration," in exported(store, "ris")
    assert "collaboration = {ATLAS}" in exported(store, "bibtex")


def test_a_brace_that_readers_count_differently_swallows_no_entry(store: Store) -> None:
    take_in(store, "@misc{a, title = {Odd \\{ one}, note = {x}}\n@misc{b, title = {Two}}")
    text = exported(store, "bibtex")
    assert text.count("{") == text.count("}")
    assert len(found_in(text, "refs.bib").entries) == 2


def test_what_every_format_has_a_place_for_goes_along_into_another(store: Store) -> None:
    told = "title = {T}, author = {A, B.}, school = {Bonn}, year = 2001, type = {Habilitation}, shorttitle = {Short}"
    take_in(store, f"@phdthesis{{k, {told}, language = {{german}}, urldate = {{2021-01-05}}, chapter = {{3}}}}")
    [item] = json.loads(exported(store, "csl-json"))
    assert (item["genre"], item["title-short"], item["language"]) == ("Habilitation", "Short", "de")
    assert (item["accessed"], item["chapter-number"]) == ({"date-parts": [[2021, 1, 5]]}, "3")
    record = exported(store, "ris")
    assert {"M3  - Habilitation", "ST  - Short", "LA  - de", "Y2  - 2021/01/05"} <= set(record.splitlines())


def test_fields_that_no_format_knows_go_into_another_where_all_are_asked_for(store: Store) -> None:
    take_in(store, OTHERS_FIELDS)
    assert "dblp" not in exported(store, "csl-json")
    [item] = json.loads(exported(store, "csl-json", "all"))
    assert item["custom"] == {"biburl": "https://dblp.org/rec/x.bib", "Bdsk-Url-1": "https://example.org/a_b"}
    assert "N1  - biburl: https://dblp.org/rec/x.bib" in exported(store, "ris", "all").splitlines()


def test_a_record_of_ris_becomes_an_entry_with_all_that_it_tells(store: Store) -> None:
    take_in(
        store, "TY  - PAT\nID  - p\nAU  - Lee, Ann\nTI  - A pump\nPY  - 2001\nLA  - en\nU1  - mine\nER  - \n", "r.ris"
    )
    text = exported(store, "biblatex", "all")
    assert text.startswith("@patent{p,")
    assert "langid = {english}" in text
    assert "x-u1 = {mine}" in text


def test_an_annotation_that_is_asked_for_stays_beside_the_note(store: Store) -> None:
    take_in(store, "@book{k, title={T}, author={A, B}, note={Reprint}, annotation={Good}, year=2001}")
    [item] = json.loads(exported(store, "csl-json", "note"))
    assert (item["note"], item["annote"]) == ("Reprint", "Good")


@pytest.mark.parametrize("format", ["ris", "csl-json", "biblatex", "markdown"])
def test_an_entry_without_a_key_goes_out_under_the_key_of_its_paper_and_adds_none(store: Store, format: str) -> None:
    take_in(store, "TY  - JOUR\nTI  - Reeds\nAU  - Aa, A.\nPY  - 2001\nDO  - 10.5555/one\nER  - \n", "a.ris")
    take_in(store, "@article{one, title = {Reeds}, author = {Aa, A.}, year = 2001, doi = {10.5555/one}}")
    exported(store, format)
    assert citation_keys.taken(store) == {"one"}
    if format != "markdown":
        assert "one" in exported(store, format)
        assert "onea" not in exported(store, format)
    assert "onea" in exported(store, "ris", dedupe=False)  # there each entry needs a key


@pytest.mark.parametrize(
    "tilde", [r"$\sim$", r"$ \sim $", r"{\~{}}", r"\~{}", r"{\textasciitilde}", r"\textasciitilde ", r"\~", "{~}"]
)
def test_each_way_to_write_a_tilde_is_one_in_an_address(store: Store, tilde: str) -> None:
    take_in(store, rf"@misc{{k, title = {{T}}, year = 2001, url = {{http://www.example.org/{tilde}anna?x=1\&y}}}}")
    for format in ("biblatex", "ris", "csl-json"):
        assert "http://www.example.org/~anna?x=1&y" in exported(store, format)


def test_an_address_is_said_to_be_without_latex_only_if_none_is_left(store: Store) -> None:
    take_in(store, r"@misc{k, title = {T}, year = 2001, url = {http://www.example.org/\unknown{x}/a\_b}}")
    wanted = export(store, "biblatex")
    assert r"\unknown{x}/a\_b" in wanted.data.decode()
    assert not any("without LaTeX" in note for note in wanted.notes)
