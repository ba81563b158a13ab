"""CSL-JSON as Zotero, pandoc and citation services write it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.reading.csl_json import read_csl_json
from tests.rows import each

ITEM: dict[str, Any] = {
    "id": "waals20",
    "type": "paper-conference",
    "title": "On <i>gases</i>",
    "author": [
        {"family": "Waals", "given": "Johannes", "non-dropping-particle": "van der"},
        {"literal": "CDC and Prevention"},
        {"family": "King", "given": "Martin", "suffix": "Jr."},
    ],
    "container-title": "Proceedings",
    "issued": {"date-parts": [["2020", 5]]},
    "DOI": "10.1000/CSL",
    "volume": 7,
    "page": "1-9",
    "keyword": "gas, law",
    "note": "arXiv:1706.03762\nMine.",
}


def test_an_item_keeps_all_that_the_shelf_has_a_place_for() -> None:
    [entry] = read_csl_json(json.dumps([ITEM])).entries
    paper = entry.paper
    assert (entry.key, paper.title, paper.venue, paper.date) == ("waals20", "On gases", "Proceedings", "2020-05")
    assert [author.name for author in paper.authors] == [
        "Johannes van der Waals",
        "CDC and Prevention",
        "Martin King Jr.",
    ]
    assert (paper.identifier("doi"), paper.identifier("arxiv")) == ("10.1000/csl", "1706.03762")
    assert (entry.tags, entry.note, entry.details) == (("gas", "law"), "Mine.", {"volume": "7", "pages": "1-9"})


@each("wrap", ["[%s]", "%s", '{"items": [%s]}', '{"references": [%s]}'])
def test_a_list_an_object_and_a_single_item_are_read(wrap: str) -> None:
    assert len(read_csl_json(wrap % json.dumps(ITEM)).entries) == 1


def test_what_is_no_item_is_named_by_its_line_and_the_rest_is_read() -> None:
    found = read_csl_json(
        f'[\n 5,\n {json.dumps(ITEM)},\n null,\n {{"id": "x", "title": ["A", "B"]}},\n {{"id": "y"}}\n]'
    )
    assert [(entry.line, entry.paper.title) for entry in found.entries] == [(3, "On gases"), (5, "A")]
    assert [problem.line for problem in found.problems] == [2, 4, 6]


def test_of_a_file_that_breaks_off_the_items_before_are_read() -> None:
    found = read_csl_json(f"[{json.dumps(ITEM)},\n{json.dumps(ITEM)[:60]}")
    assert len(found.entries) == 1
    [problem] = found.problems
    assert (problem.line, problem.taken) == (2, False)


@each("rest", ['{"id": "b", "tit', '{"id": "b", "volume": 1', '{"retracted": fal', '{"id"', "{", ""])
def test_a_file_that_ends_too_early_is_told_from_one_with_a_fault(rest: str) -> None:
    [problem] = read_csl_json(f"[{json.dumps(ITEM)},\n{rest}").problems
    assert problem.reason.startswith("the file is cut off in line ")


def test_a_fault_in_json_is_named_with_its_place() -> None:
    [problem] = read_csl_json(f'[{json.dumps(ITEM)},\n{{"id": "b" "title": "T"}}]').problems
    assert problem.reason == "from here on it cannot be read: expecting ',' delimiter in line 2, column 12"


@each(
    "item",
    [{"name": "tool", "version": "2", "author": "Ann", "type": "module"}, {"compilerOptions": {"strict": True}},
     {"title": "Person", "type": "object", "properties": {}}, {"papers": []}],
)  # fmt: skip
def test_json_of_something_else_is_no_bibliography(item: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not a bibliography"):
        read_csl_json(json.dumps(item))
    found = read_csl_json(json.dumps([ITEM, item]))
    assert (len(found.entries), [problem.taken for problem in found.problems]) == (1, [False])


@each(
    "item", [{"type": "book", "title": "T"}, {"title": "T", "DOI": "10.1000/1"}, {"id": "a", "type": "x", "title": "T"}]
)
def test_a_work_is_told_by_its_type_or_by_its_title_with_more(item: dict[str, Any]) -> None:
    assert len(read_csl_json(json.dumps(item)).entries) == 1


@each("text", ["{", "{]", "", "x", "0", '"text"', '{"a": ' * 100_000])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w+"):
        read_csl_json(text)


def test_the_deepest_nesting_is_named_and_costs_no_stack() -> None:
    [problem] = read_csl_json("[" * 100_000).problems
    assert "too deeply" in problem.reason


@each("id", ["http://zotero.org/users/1/items/ABCD", "ITEM-1", 7, "a b", "", "x" * 300])
def test_an_id_that_is_no_citation_key_is_not_taken_for_one(id: object) -> None:
    [entry] = read_csl_json(json.dumps([{**ITEM, "id": id}])).entries
    assert entry.key == ""


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*ITEM, "literal", "URL"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(st.sampled_from([*ITEM, "URL", "publisher", "abstract"]), _JSON), max_size=3))
def test_any_members_are_read_without_a_fault(items: list[dict[str, Any]]) -> None:
    found = read_csl_json(json.dumps(items))
    assert len(found.entries) + sum(not problem.taken for problem in found.problems) == len(items)


ZOTERO: dict[str, Any] = {
    "config": {"label": "BetterBibTeX JSON"},
    "items": [
        {
            "itemType": "conferencePaper",
            "citationKey": "waals20",
            "title": "On <i>gases</i>",
            "creators": [
                {"creatorType": "author", "firstName": "Johannes", "lastName": "van der Waals"},
                {"creatorType": "author", "name": "CDC and Prevention"},
                {"creatorType": "editor", "firstName": "Ann", "lastName": "Lee"},
            ],
            "proceedingsTitle": "Proceedings",
            "date": "May 2020",
            "DOI": "10.1000/CSL",
            "pages": "1-9",
            "tags": [{"tag": "gas"}, {"tag": "law; second"}],
            "notes": [{"note": "<p>Read <b>twice</b></p><p>Twice &amp; more</p>"}],
            "attachments": [{"path": "a.pdf"}],
        },
        {"itemType": "note", "note": "<p>of nothing</p>"},
        {"itemType": "computerProgram", "title": "Tool", "creators": [{"creatorType": "programmer", "lastName": "B"}]},
        {"itemType": "unheardOf", "title": "X", "date": 5, "tags": None, "creators": "y", "notes": ["plain"]},
    ],
}


def test_what_better_bibtex_keeps_of_zotero_is_read_as_its_csl_would_be() -> None:
    found = read_csl_json(json.dumps(ZOTERO))
    entry, tool, strange = found.entries
    paper = entry.paper
    assert [problem.reason for problem in found.problems] == ["“5” is not a date, so it has no year"]
    assert (entry.key, entry.type, paper.title) == ("waals20", "paper-conference", "On gases")
    assert (paper.venue, paper.date, paper.id) == ("Proceedings", "2020-05", "doi:10.1000/csl")
    assert [one.name for one in paper.authors] == ["Johannes van der Waals", "CDC and Prevention"]
    assert [one.name for one in paper.imprint.editors] == ["Ann Lee"]
    assert (entry.tags, entry.note, entry.details) == (
        ("gas", "law; second"), "Read twice\n\nTwice & more", {"pages": "1-9"},
    )  # fmt: skip
    assert entry.original is not None
    assert "a.pdf" in entry.original.value("custom")
    assert (tool.type, [one.name for one in tool.paper.authors]) == ("software", ["B"])
    assert (strange.paper.title, strange.note) == ("X", "plain")


@given(st.dictionaries(st.sampled_from([*ZOTERO["items"][0], "url", "extra"]), _JSON))
def test_any_item_of_zotero_is_read_without_a_fault(item: dict[str, Any]) -> None:
    read_csl_json(json.dumps({"items": [{**item, "itemType": "book"}]}))


@each(
    ("literal", "family"),
    [("J. Smith et al.", "Smith"), ("Smith, J. et al.", "Smith"), ("J. Smith and others", "Smith"),
     ("Reed Board et al.", "Reed Board"), ("J. Smith", "J. Smith")],
)  # fmt: skip
def test_a_literal_name_is_of_a_person_only_with_an_initial_before_et_al(literal: str, family: str) -> None:
    [entry] = read_csl_json(json.dumps([{"title": "T", "author": [{"literal": literal}]}])).entries
    assert [person.family for person in entry.paper.authors] == [family]


@each(
    ("people", "names", "et_al"),
    [
        ([{"family": "Smith"}, {"literal": "others"}], ["Smith"], True),
        ([{"family": "Smith"}, {"literal": "et al."}], ["Smith"], True),
        ([{"family": "Smith"}, {"family": "others", "given": ""}], ["Smith"], True),
        ([{"family": "Smith"}, {"literal": "and others"}], ["Smith"], True),
        ([{"family": "Smith"}, {"family": "others", "given": "and"}], ["Smith"], True),
        ([{"family": "Smith"}, {"family": "others"}, {"family": "Roe"}], ["Smith", "Roe"], True),
        ([{"family": "Smith"}, {"family": "others", "given": "Ann"}], ["Smith", "Ann others"], False),
        ([{"family": "others"}, {"family": "Smith"}], ["others", "Smith"], False),
        ([{"family": "Smith"}, {"family": "Others", "given": "Ann"}], ["Smith", "Ann Others"], False),
    ],
)
def test_a_list_that_goes_on_is_known_as_one(people: list[dict[str, str]], names: list[str], et_al: bool) -> None:
    [entry] = read_csl_json(json.dumps([{"title": "T", "author": people}])).entries
    assert ([one.name for one in entry.paper.authors], entry.paper.et_al) == (names, et_al)


@each(("told", "language"), [("en-US", "en"), ("de", "de"), ("German", "de"), ("eng", "en"), ("Germanic", None)])
def test_a_language_is_known_by_its_code_or_name_and_never_by_its_first_letters(
    told: str, language: str | None
) -> None:
    [entry] = read_csl_json(json.dumps([{"title": "T", "language": told}])).entries
    assert entry.paper.language == language


def test_a_work_of_crossref_is_read_as_the_item_of_csl_that_it_means() -> None:
    work = {
        "type": "journal-article", "title": ["Currents"], "subtitle": ["Slow ones"],
        "container-title": ["Bay Research"],
        "short-container-title": ["Bay Res."], "DOI": "10.1000/bay", "ISSN": ["1234-5679", "2049-3630"],
        "author": [{"family": "Vik", "given": "Nora", "sequence": "first"}, {"name": "Bay Survey Team"}],
        "issued": {"date-parts": [[2012, 3]]}, "reference": [{"DOI": "10.1000/other"}], "page": "77-91",
    }  # fmt: skip
    answer = {"status": "ok", "message-type": "work", "message": work}
    for text in (json.dumps([work]), json.dumps(answer), json.dumps({"message": {"items": [work]}})):
        [entry] = read_csl_json(text).entries
        assert entry.original is not None
        fields = dict(entry.original.fields)
        assert (entry.paper.title, entry.paper.venue) == ("Currents: Slow ones", "Bay Research")
        assert [person.name for person in entry.paper.authors] == ["Nora Vik", "Bay Survey Team"]
        assert (entry.original.type, fields["title"]) == ("article-journal", '"Currents: Slow ones"')
        assert "10.1000/other" not in str(fields)
        assert json.loads(fields["author"])[1] == {"literal": "Bay Survey Team"}


@each(
    ("said", "retracted"),
    [
        ({"updated-by": [{"type": "retraction", "DOI": "10.1000/notice"}]}, True),
        ({"update-to": [{"type": "withdrawal", "DOI": "10.1000/BAY"}]}, True),
        ({"update-to": [{"type": "retraction", "DOI": "10.1000/other"}]}, False),
        ({"updated-by": [{"type": "correction", "DOI": "10.1000/notice"}]}, False),
    ],
)
@each("kind", ["journal-article", "book"])
def test_a_work_that_crossref_tells_as_withdrawn_is_retracted(
    said: dict[str, object], retracted: bool, kind: str
) -> None:
    work = {"type": kind, "title": "Currents", "DOI": "10.1000/bay", "source": "Crossref", **said}
    [entry] = read_csl_json(json.dumps([work])).entries
    assert entry.original is not None
    assert (entry.paper.retracted, '"retracted"' in entry.original.value("status")) == (retracted, retracted)


def test_members_are_kept_without_what_stands_for_no_page_entities_and_tags_of_jats() -> None:
    item = {
        "type": "article-journal", "title": "<jats:italic>Zostera</jats:italic> &amp; <i>Ruppia</i>", "page": "n/a",
        "author": [{"literal": "Reed &amp; Sons"}], "container-title": "Bays &amp; Coasts", "note": "R&amp;D",
        "abstract": "<jats:p>Grass &lt; 2 m.</jats:p><jats:p>More.</jats:p>", "publisher": "",
    }  # fmt: skip
    [entry] = read_csl_json(json.dumps([item])).entries
    assert entry.original is not None
    assert {name: json.loads(value) for name, value in entry.original.fields} == {
        "title": "<i>Zostera</i> & <i>Ruppia</i>", "author": [{"literal": "Reed & Sons"}], "publisher": "",
        "container-title": "Bays & Coasts", "note": "R&amp;D", "abstract": "Grass < 2 m. More.",
    }  # fmt: skip


@each(
    ("name", "given", "kept"),
    [
        ("page", "1187-92", "1187-92"),
        ("page", "e31–8", "e31–8"),
        ("page", "S12-S19", "S12-S19"),
        ("page", "45–52", "45–52"),
        ("DOI", "https://doi.org/10.1000/AbC", "10.1000/AbC"),
        ("DOI", "10.1000/AbC", "10.1000/AbC"),
        ("DOI", "unknown", "unknown"),
        ("issued", {"raw": "2018-03-14"}, {"date-parts": [[2018, 3, 14]]}),
        ("issued", "2017-11", {"date-parts": [[2017, 11]]}),
        ("issued", {"date-parts": [["2020", "05"]]}, {"date-parts": [["2020", "05"]]}),
        ("issued", {"date-parts": [["2020", None]]}, {"date-parts": [[2020]]}),
        ("issued", {"date-parts": [[2020, 0]]}, {"date-parts": [[2020]]}),
        ("ISBN", "978-0-306-40615-7 0-306-40615-2", "978-0-306-40615-7 0-306-40615-2"),
        ("ISSN", ["1234-5679", "2049-3630"], "1234-5679, 2049-3630"),
        ("issued", {"literal": "in press"}, {"literal": "in press"}),
    ],
)
def test_identifiers_and_dates_are_kept_as_csl_has_them(name: str, given: object, kept: object) -> None:
    [entry] = read_csl_json(json.dumps([{"type": "book", "title": "T", name: given}])).entries
    assert entry.original is not None
    assert json.loads(dict(entry.original.fields)[name]) == kept


def test_items_one_a_line_are_all_read() -> None:
    found = read_csl_json('{"id": "a", "title": "One"}\n{"id": "b", "title": "Two"}\n{"id": "c", ')
    assert [entry.paper.title for entry in found.entries] == ["One", "Two"]
    assert [(problem.line, problem.taken) for problem in found.problems] == [(3, False)]


def test_fields_and_roles_of_zotero_stand_where_csl_has_them() -> None:
    item = {
        "itemType": "interview", "title": "T", "accessDate": "2010-02-03 10:11:12", "callNumber": "QA 1",
        "archive": "Fen", "medium": "tape", "runningTime": "1:00", "interviewMedium": "tape",
        "creators": [{"creatorType": role, "lastName": role, "firstName": "A"}
                     for role in ("interviewee", "interviewer", "castMember", "attorneyAgent", "director")],
    }  # fmt: skip
    [entry] = read_csl_json(json.dumps([item])).entries
    assert entry.original
    told = {name: json.loads(value) for name, value in entry.original.fields}
    assert told["accessed"] == {"date-parts": [[2010, 2, 3]]}
    assert (told["call-number"], told["archive"], told["medium"], told["dimensions"]) == ("QA 1", "Fen", "tape", "1:00")
    roles = [told[role][0]["family"] for role in ("author", "interviewer", "performer", "contributor", "director")]
    assert roles == ["interviewee", "interviewer", "castMember", "attorneyAgent", "director"]


def test_who_made_a_film_is_its_author_in_the_library() -> None:
    item = {"itemType": "film", "title": "Reeds", "creators": [{"creatorType": "director", "lastName": "Poe"}]}
    [entry] = read_csl_json(json.dumps([item])).entries
    assert [person.family for person in entry.paper.authors] == ["Poe"]


@each("book_first", [True, False])
def test_a_crossref_record_names_book_series_event_and_institution_in_either_order(book_first: bool) -> None:
    titles = ["Proceedings of the First Meeting on Fens", "Advances in Reed"]
    event = {"name": "First Meeting on Fens", "location": "Ely", "start": {"date-parts": [[2015, 4, 11]]}}
    works = [
        {"type": "proceedings-article", "title": ["T"], "event": event,
         "container-title": titles if book_first else titles[::-1]},
        {"type": "dissertation", "title": ["T"], "institution": [{"name": "Fen College", "place": ["Ely"]}],
         "publisher": "Fen Library", "degree": ["PhD"]},
    ]  # fmt: skip
    talk, thesis = (dict(entry.original.fields) for entry in read_csl_json(json.dumps(works)).entries if entry.original)
    names = ("container-title", "collection-title", "event-title", "event-place")
    assert [json.loads(talk[name]) for name in names] == [*titles, "First Meeting on Fens", "Ely"]
    assert json.loads(talk["event-date"]) == {"date-parts": [[2015, 4, 11]]}
    assert [json.loads(thesis[name]) for name in ("publisher", "publisher-place", "genre")] == [
        "Fen College",
        "Ely",
        "PhD",
    ]


@each(
    ("members", "date"),
    [
        ({"issued": {"year": 2001, "month": "May"}}, "2001-05"),
        (
            {"issued": {"date-parts": [[None]]}, "published": {"date-parts": [[2001, 5]]}, "source": "Crossref"},
            "2001-05",
        ),
        ({"issued": {"date-parts": [[2001]]}, "published": {"date-parts": [[2002]]}, "source": "Crossref"}, "2001"),
    ],
)
def test_a_date_in_named_parts_or_under_another_name_is_read(members: dict[str, Any], date: str) -> None:
    item = {"type": "book", "title": "T", "ISSN": ["1234-5679", "2049-3630"]} | members
    [entry] = read_csl_json(json.dumps([item])).entries
    assert (entry.paper.date, entry.details["issn"]) == (date, "1234-5679, 2049-3630")


@each(
    ("written", "date"),
    [("2015-00-00 2015", [[2015]]), ("2015-03-00 March 2015", [[2015, 3]]), ("2015-03-04 4 March 2015", [[2015, 3, 4]]),
     ("1999-00-00 1999-2001", [[1999], [2001]])],
)  # fmt: skip
def test_a_date_as_in_zoteros_database_is_read_and_its_notes_are_text(written: str, date: list[list[int]]) -> None:
    item = {"itemType": "book", "title": "T", "date": written, "notes": [{"note": "<p>On <b>reed</b>.</p>"}]}
    [entry] = read_csl_json(json.dumps([item])).entries
    assert entry.original
    told = {name: json.loads(value) for name, value in entry.original.fields}
    assert (told["issued"], told["annote"]) == ({"date-parts": date}, "On reed.")


@each(("publisher", "venue"), [("", "DIN"), ("Beuth", "Beuth")])
def test_the_body_that_issues_a_standard_publishes_it_unless_another_does(publisher: str, venue: str) -> None:
    item = {"type": "standard", "title": "Lengths of reeds", "authority": "DIN", "publisher": publisher}
    [entry] = read_csl_json(json.dumps(item)).entries
    assert entry.paper.venue == venue


def test_an_arxiv_id_in_a_member_of_its_own_names_the_preprint() -> None:
    [entry] = read_csl_json(json.dumps([{"type": "article", "title": "Reeds", "arxiv": "1903.11114"}])).entries
    assert entry.paper.identifier("arxiv") == "1903.11114"
