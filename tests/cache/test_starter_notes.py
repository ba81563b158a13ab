"""What earlier versions kept of the starter shelf is read as what it is: notes of spar's, no words of the papers."""

import json

from cache.paper_json import from_json
from cache.starter_notes import notes_apart
from connectors.paper import Provenance

NOTE = "Introduces the Transformer, built on attention alone."
NOTED = {"title": "Attention", "abstract": NOTE, "provenance": [["abstract", "starter", False], ["title", "x", False]]}
TOLD = {"title": "Attention", "abstract": "We propose a network.", "provenance": [["abstract", "arxiv", True]]}


def found(paper: object, work: int = 1) -> dict[str, object]:
    return {"work": work, "paper": paper, "found_by": {"source": "starter", "query": "q", "rank": 1}}


def read(*contents: object) -> list[object]:
    return list(notes_apart(contents))


def test_a_kept_abstract_that_is_the_shelfs_is_a_note() -> None:
    paper = from_json(json.dumps(NOTED))
    assert (paper.abstract, paper.described) == ("", NOTE)
    assert paper.provenance == (Provenance("described", "starter"), Provenance("title", "x"))


def test_a_kept_abstract_of_any_other_source_stays_one() -> None:
    paper = from_json(json.dumps(TOLD))
    assert (paper.abstract, paper.described) == ("We propose a network.", "")


def test_a_verdict_of_a_kept_run_no_longer_quotes_a_note() -> None:
    judged = {"work": 1, "score": 0.9, "reason": "r", "quote": "built on attention"}
    (_, told) = read(found(NOTED), judged)
    assert told == {**judged, "quote": "", "described": "built on attention"}


def test_a_kept_summary_no_longer_cites_a_note_as_the_papers_words() -> None:
    sentence = {"text": NOTE, "citations": [{"work": 1, "quote": NOTE}]}
    method, data = {"column": "method", "quote": NOTE}, {"column": "data", "quote": ""}
    table = {"node": "", "rows": [{"work": 1, "cells": [method, data]}]}
    _, text, cells = read(found(NOTED), {"node": "", "sentences": [sentence]}, table)
    assert text == {"node": "", "sentences": [{**sentence, "citations": [{"work": 1, "quote": "", "described": NOTE}]}]}
    assert cells == {"node": "", "rows": [{"work": 1, "cells": [{**method, "quote": "", "described": NOTE}, data]}]}


def test_a_section_of_a_kept_summary_no_longer_says_that_notes_are_quotes() -> None:
    _, told = read(found(NOTED), {"node": "1", "sentences": [], "gap": "Its papers are quoted at the beginning."})
    assert told == {"node": "1", "sentences": [], "gap": "Its papers are cited at the beginning."}


def test_quotes_of_titles_of_other_papers_and_of_real_abstracts_stay() -> None:
    quotes = [
        {"work": 1, "quote": "Attention"},
        {"work": 2, "quote": "built on attention"},
        {"work": 1, "quote": "We propose a network."},
    ]
    assert read(found(NOTED), found(TOLD, 2), *quotes)[2:] == quotes


def test_a_quote_that_was_given_before_a_real_abstract_came_was_a_notes() -> None:
    _, judged, _ = read(found(NOTED), {"work": 1, "quote": NOTE}, found(TOLD))
    assert judged == {"work": 1, "quote": "", "described": NOTE}


def test_a_run_without_the_shelf_is_read_as_it_is_stored() -> None:
    contents = [found(TOLD), {"work": 1, "quote": "We propose"}, {"gap": "Its papers are quoted under “X”."}, None, "x"]
    assert read(*contents) == contents
