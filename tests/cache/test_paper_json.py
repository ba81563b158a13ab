"""A paper that is stored comes back as it was."""

import json

from hypothesis import given

from cache.paper_json import from_columns, from_json, to_json, to_record
from connectors.paper import Imprint, KeywordOrigin, Paper
from tests.strategies import papers


@given(papers())
def test_a_paper_survives_being_written_and_read(paper: Paper) -> None:
    assert from_json(to_json(paper)) == paper


@given(papers())
def test_a_row_holds_title_and_abstract_in_their_columns_alone(paper: Paper) -> None:
    record = to_record(paper)
    assert from_columns(paper.title, paper.about, record) == paper
    assert "title" not in json.loads(record)
    assert paper.described or "abstract" not in json.loads(record)


@given(papers())
def test_a_row_of_an_earlier_version_holds_a_whole_record(paper: Paper) -> None:
    assert from_columns(paper.title, paper.about, to_json(paper)) == paper


@given(papers())
def test_a_key_of_a_later_version_is_passed_over(paper: Paper) -> None:
    later = json.loads(to_json(paper)) | {"altmetric": {"score": 3}, "zz": None}
    assert from_json(json.dumps(later)) == paper


@given(papers())
def test_a_part_of_the_imprint_of_a_later_version_is_passed_over(paper: Paper) -> None:
    later = json.loads(to_json(paper))
    later["imprint"] = later.get("imprint", {}) | {"place": "Paris"}
    assert from_json(json.dumps(later)) == paper


def test_a_paper_that_was_stored_without_its_printed_form_is_read() -> None:
    stored = '{"title":"T","venue":"J","published":["J","2020",null,null],"provenance":[["venue","openalex",false]]}'
    assert from_json(stored).imprint == Imprint()


def test_a_paper_that_was_stored_without_keywords_has_none() -> None:
    assert from_json('{"title":"T"}').keywords == ()


def test_keywords_are_stored_with_their_origins_and_without_where_none_is_known() -> None:
    paper = Paper("T", keywords=("Sleep", "Tea"), keyword_origins=(KeywordOrigin("pubmed", 3),))
    assert '"keywords":[["Sleep","pubmed",3],["Tea"]]' in to_json(paper)
    assert from_json(to_json(paper)) == paper


def test_a_paper_of_which_only_the_title_is_known_is_short() -> None:
    assert to_json(Paper("On Nothing")) == '{"title":"On Nothing"}'
