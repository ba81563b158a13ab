"""The two dialects of .bib files, byte for byte."""

from dataclasses import replace
from datetime import UTC, datetime

from cache.originals import Original
from cache.shelf import Shelved
from connectors.paper import Author, Imprint, Paper, PaperType
from spar_tui.bibliography.bibtex import bib_entry, repaired
from spar_tui.bibliography.citation_key import base_key, key_pattern
from spar_tui.bibliography.citation_text import QuickForm, quick
from spar_tui.bibliography.entry import Entry, entry_of, kind_of
from spar_tui.bibliography.names import Name
from tests.rows import each
from tests.spar_tui.bibliography.edge_records import EDGE_PAPERS, PUBLISHED, edge_entries, paper

LINE = (
    "Vaswani, A., & Shazeer, N. (2017). Attention Is All You Need. Advances in Neural Information Processing "
    "Systems. https://doi.org/10.5555/3295222"
)
KEY = "vaswaniAttentionAllYou2017"


def test_a_preprint_in_biblatex() -> None:
    entry = Entry(
        KEY,
        "preprint",
        "Attention Is All You Need",
        (Name("Vaswani", "Ashish"), Name("Shazeer", "Noam")),
        "2017-06-12",
        "arXiv",
        arxiv="1706.03762",
        arxiv_class="cs.CL",
        url="https://arxiv.org/abs/1706.03762",
    )
    assert bib_entry(entry, "biblatex").text == (
        "@online{vaswaniAttentionAllYou2017,\n"
        "  author = {Vaswani, Ashish and Shazeer, Noam},\n"
        "  title = {Attention Is All You Need},\n"
        "  date = {2017-06-12},\n"
        "  eprint = {1706.03762},\n"
        "  eprinttype = {arxiv},\n"
        "  eprintclass = {cs.CL},\n"
        "}\n"
    )
    assert bib_entry(entry, "bibtex").text == (
        "@misc{vaswaniAttentionAllYou2017,\n"
        "  author = {Vaswani, Ashish and Shazeer, Noam},\n"
        "  title = {Attention Is All You Need},\n"
        "  year = {2017},\n"
        "  month = jun,\n"
        "  eprint = {1706.03762},\n"
        "  archiveprefix = {arXiv},\n"
        "  primaryclass = {cs.CL},\n"
        "}\n"
    )


def test_a_published_work_keeps_its_preprints_identifier() -> None:
    assert bib_entry(entry_of(PUBLISHED, KEY), "bibtex").text == (
        "@inproceedings{vaswaniAttentionAllYou2017,\n"
        "  author = {Vaswani, Ashish and Shazeer, Noam},\n"
        "  title = {Attention Is All You Need},\n"
        "  booktitle = {Advances in Neural Information Processing Systems},\n"
        "  year = {2017},\n"
        "  doi = {10.5555/3295222},\n"
        "  eprint = {1706.03762},\n"
        "  archiveprefix = {arXiv},\n"
        "  pmid = {7},\n"
        "  url = {https://dl.acm.org/doi/10.5555/3295222},\n"
        "}\n"
    )


def test_the_preprint_of_a_published_work_is_cited_where_that_is_asked_for() -> None:
    assert bib_entry(entry_of(PUBLISHED, KEY, "preprint"), "biblatex").text == (
        "@online{vaswaniAttentionAllYou2017,\n"
        "  author = {Vaswani, Ashish and Shazeer, Noam},\n"
        "  title = {Attention Is All You Need},\n"
        "  date = {2017-06-12},\n"
        "  doi = {10.48550/arxiv.1706.03762},\n"
        "  eprint = {1706.03762},\n"
        "  eprinttype = {arxiv},\n"
        "  pmid = {7},\n"
        "}\n"
    )


PRINTED = replace(
    PUBLISHED,
    imprint=Imprint("30", "2", "5998-6008", "Curran Associates", "cs.CL"),
    venue="Journal of T",
    type="article",
)


def test_volume_issue_pages_and_category_are_written_where_a_source_told_them() -> None:
    text = bib_entry(entry_of(PRINTED, KEY), "biblatex").text
    for line in (
        "  publisher = {Curran Associates},\n",
        "  volume = {30},\n",
        "  number = {2},\n",
        "  pages = {5998--6008},\n",
        "  eprintclass = {cs.CL},\n",
    ):
        assert line in text
    assert "  primaryclass = {cs.CL},\n" in bib_entry(entry_of(PRINTED, KEY), "bibtex").text


def test_the_preprint_of_a_printed_work_has_its_category_and_no_volume() -> None:
    text = bib_entry(entry_of(PRINTED, KEY, "preprint"), "biblatex").text
    assert "  eprintclass = {cs.CL},\n" in text
    assert not [name for name in ("volume", "number", "pages", "publisher") if f"  {name} = " in text]


def test_an_old_arxiv_id_names_its_category_itself() -> None:
    old = replace(EDGE_PAPERS["old-arxiv"], imprint=Imprint(arxiv_class="hep-th"))
    assert "hep-th}" not in bib_entry(entry_of(old, "k"), "biblatex").text.replace("hep-th/", "")


def test_what_an_imported_file_told_goes_before_what_sources_told() -> None:
    moment = datetime(2026, 11, 21, tzinfo=UTC)
    details = {"volume": "XXX", "isbn": "978-3-16-148410-0"}
    shelved = Shelved(1, PRINTED, moment, None, 0, (), "", (), "k", details)
    entry = entry_of(PRINTED, "k", shelved=shelved)
    assert (entry.volume, entry.number, entry.pages) == ("XXX", "2", "5998-6008")
    assert entry.isbn == "978-3-16-148410-0"


def test_a_book_is_published_by_its_publisher_and_not_by_the_place_where_it_is_read() -> None:
    book = paper("A book", "Jane Doe", type="book", venue="Cambridge University Press eBooks")
    text = bib_entry(
        entry_of(replace(book, imprint=Imprint(publisher="Cambridge University Press")), "k"), "bibtex"
    ).text
    assert "  publisher = {Cambridge University Press},\n" in text
    assert "eBooks" not in text


EDITED = replace(
    paper("Handbook of Engines", type="book", date="1843"),
    imprint=Imprint(publisher="Taylor", editors=(Author("Babbage", "Charles"), Author("The Royal Society"))),
)


def test_editors_are_written_and_a_book_that_has_only_editors_is_a_collection_to_biblatex() -> None:
    assert bib_entry(entry_of(EDITED, "k"), "biblatex").text == (
        "@collection{k,\n  editor = {Babbage, Charles and {The Royal Society}},\n  title = {Handbook of Engines},\n"
        "  publisher = {Taylor},\n  date = {1843},\n}\n"
    )
    assert bib_entry(entry_of(EDITED, "k"), "bibtex").text.startswith("@book{k,\n  editor = {Babbage, ")
    assert base_key(EDITED, key_pattern("better-bibtex")) == "babbageHandbookEngines1843"


@each("type", ["thesis", "preprint", "report"])
def test_what_nobody_edits_has_no_editors(type: PaperType) -> None:
    assert entry_of(replace(EDITED, type=type), "k").editors == ()


def test_a_work_without_a_preprint_is_cited_as_it_is_whatever_is_asked_for() -> None:
    one = EDGE_PAPERS["sici"]
    assert entry_of(one, "k", "preprint") == entry_of(one, "k")


def test_old_arxiv_ids_keep_their_slash_and_no_version() -> None:
    text = bib_entry(entry_of(EDGE_PAPERS["old-arxiv"], "k"), "biblatex").text
    assert "  eprint = {hep-th/9901001},\n" in text
    assert "eprintclass" not in text


def test_dois_are_bare_and_an_address_that_only_repeats_one_is_left_out() -> None:
    one = paper("T", "A B", of_doi="https://doi.org/10.1000/ABC", url="https://doi.org/10.1000/abc", venue="J")
    text = bib_entry(entry_of(one, "k"), "biblatex").text
    assert "  doi = {10.1000/abc},\n" in text
    assert "url" not in text


def test_what_is_not_known_is_left_out() -> None:
    assert bib_entry(entry_of(Paper("(untitled)"), "k"), "biblatex").text == "@misc{k,\n}\n"


def test_a_limit_on_the_names_ends_in_others_and_no_limit_names_all() -> None:
    entry = entry_of(EDGE_PAPERS["sixty"], "k")
    assert "  author = {Family0, Given0 and Family1, Given1 and others},\n" in bib_entry(entry, "bibtex", None, 2).text
    assert " and others" not in bib_entry(entry, "bibtex", None, 60).text
    assert bib_entry(entry, "bibtex").text.count(" and ") == 59


def test_a_pubmed_id_is_kept_where_the_dialect_has_a_place_for_it() -> None:
    entry = Entry("k", "article", "T", pmid="123")
    assert "  eprint = {123},\n  eprinttype = {pubmed},\n" in bib_entry(entry, "biblatex").text
    assert "  pmid = {123},\n" in bib_entry(entry, "bibtex").text


def test_a_field_never_spans_two_lines_and_never_names_another() -> None:
    for entry in edge_entries():
        lines = bib_entry(entry, "biblatex").text.splitlines()
        assert lines[0].startswith("@")
        assert lines[-1] == "}"
        assert all(line.startswith("  ") and line.endswith(",") for line in lines[1:-1])


@each(
    ("type", "venue", "kind"),
    [
        ("article", "Nature", "article"),
        ("article", "Proceedings of the National Academy of Sciences", "article"),
        ("article", "Proceedings of the 58th Annual Meeting of the ACL", "proceedings"),
        ("other", "International Conference on Machine Learning", "proceedings"),
        ("other", "Journal of Tests", "article"),
        ("other", "", "other"),
        ("review", "Annual Review of Tests", "article"),
        ("book", "Press of the Conference", "book"),
        ("conference-paper", "", "proceedings"),
    ],
)
def test_the_kind_of_a_work_is_told_by_its_type_and_venue(type: str, venue: str, kind: str) -> None:
    assert kind_of(Paper("T", type=type, venue=venue)) == kind  # type: ignore[arg-type]  # one of the types


@each(
    ("form", "text"),
    [
        ("cite", r"\cite{vaswani2017}"),
        ("pandoc", "[@vaswani2017]"),
        ("line", LINE),
    ],
)  # fmt: skip
def test_one_citation_to_paste(form: QuickForm, text: str) -> None:
    assert quick([entry_of(PUBLISHED, "vaswani2017")], form) == text


@each(("corrected", "fields"), [((), ["title"]), (("title",), [])])
def test_only_written_values_are_named_as_changed_for_tex(corrected: tuple[str, ...], fields: list[str]) -> None:
    original = Original("bibtex", "misc", "k", (("title", "Salt & Silt"), ("abstract", "A & B")))
    entry = Entry("k", "other", "Salt and Silt", original=original, corrected=corrected)
    assert repaired(entry, "biblatex") == fields
