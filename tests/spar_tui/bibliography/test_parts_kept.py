"""What stays together, or stays at all, where files and entries are taken apart and joined."""

import json

from spar_tui.bibliography.documents.text_lines import lists_apart
from spar_tui.bibliography.field_table import joined_title
from spar_tui.bibliography.more_fields import more_of
from spar_tui.bibliography.reading.csl_json import read_csl_json
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.pubmed import read_pubmed
from spar_tui.bibliography.reading.yaml_files import read_yaml
from tests.rows import each


@each("volume", ["5", "5(2)"])
def test_a_volume_does_not_part_a_reference_from_its_identifier(volume: str) -> None:
    one = f"Lee, A. (2020). A study of rivers. Nature, {volume}, 1-10.\nhttps://doi.org/10.1234/abc"
    two = f"Kim, B. (2021). A study of lakes. Science, {volume}, 2-20.\nhttps://doi.org/10.1234/abd"
    alone, rest = lists_apart(f"{one}\n{two}")
    assert "10.1234" not in alone
    assert rest.count("10.1234") == 2


@each(("title", "joined"), [("Rivers", "Rivers: A survey"), ("Why rivers?", "Why rivers? A survey")])
def test_a_title_that_ends_with_a_mark_gets_no_other(title: str, joined: str) -> None:
    assert joined_title(title, "A survey") == joined


def test_members_of_csl_in_small_letters_are_read_once() -> None:
    [entry] = read_yaml("references:\n- id: a\n  type: book\n  title: Rivers\n  isbn: 9780262033848\n").entries
    assert entry.original
    assert [name for name, _ in entry.original.fields if name.lower() == "isbn"] == ["ISBN"]


@each("words", ["forthcoming", "\n    literal: forthcoming"])
def test_words_for_a_date_of_csl_yaml_stay_words(words: str) -> None:
    [entry] = read_yaml(f"references:\n- id: a\n  type: book\n  title: Rivers\n  issued: {words}\n").entries
    assert entry.original
    assert list(json.loads(entry.original.value("issued")).values()) == ["forthcoming"]


@each(("told", "read"), [([None], ""), ([1987, None, None], '{"date-parts": [[1987]]}')])
def test_parts_of_a_date_that_are_null_are_left_out(told: list[int | None], read: str) -> None:
    item = {"id": "a", "type": "report", "title": "Rivers", "issued": {"date-parts": [told]}}
    [entry] = read_csl_json(json.dumps([item])).entries
    assert entry.original
    assert entry.original.value("issued") == read


def test_a_second_title_of_what_holds_a_chapter_of_crossref_is_its_series() -> None:
    titles = ["Handbook of Rivers", "Water Studies"]
    [entry] = read_csl_json(json.dumps([{"type": "book-chapter", "title": ["T"], "container-title": titles}])).entries
    assert (entry.paper.venue, entry.details["series"]) == ("Handbook of Rivers", "Water Studies")


def test_an_article_number_beside_pages_is_kept() -> None:
    record = "PT J\nAU Roe, A\nTI Rivers\nSO Water\nVL 3\nBP 7\nEP 9\nAR 104\nER\nEF\n"
    text = f"FN Clarivate Analytics Web of Science\nVR 1.0\n{record}"
    [entry] = found_in(text, "a.txt").entries
    assert entry.original
    assert (entry.paper.imprint.pages, more_of(entry.original)["eid"]) == ("7-9", "104")


def test_the_short_name_of_a_journal_in_a_file_of_pubmed_is_kept() -> None:
    journal = "JT  - The European journal of testing\nTA  - Eur J Test\n"
    [entry] = read_pubmed(f"PMID- 1\nTI  - Rivers.\n{journal}DP  - 2019\n").entries
    assert entry.original
    assert more_of(entry.original)["shortjournal"] == "Eur J Test"


def test_a_number_of_pubmed_in_xml_of_endnote_is_read_within_its_style() -> None:
    style = "<style face='normal'>{}</style>".format
    text = (
        "<xml><records><record><ref-type name='Journal Article'>17</ref-type>"
        f"<titles><title>{style('Rivers')}</title></titles><accession-num>{style('91000077')}</accession-num>"
        f"<remote-database-provider>{style('NLM')}</remote-database-provider></record></records></xml>"
    )
    [entry] = found_in(text, "a.xml").entries
    assert entry.paper.identifier("pmid") == "91000077"


@each(("own", "read"), [("", ("https://e.org/tv", "2021-03-04")), (" url: https://e.org/a", ("https://e.org/a", None))])
def test_the_address_of_a_parent_of_hayagriva_stands_in_for_its_own(own: str, read: tuple[str | None, ...]) -> None:
    parent = "{type: video, title: TV, url: {value: 'https://e.org/tv', date: 2021-03-04}}"
    [entry] = read_yaml(f"k: {{type: video, title: T, parent: {parent},{own} }}").entries
    assert entry.original
    more = more_of(entry.original)
    assert (entry.paper.url, more.get("urldate")) == read
