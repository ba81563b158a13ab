"""The judge is given what the pages of a fetched PDF say of the question, and may quote them, page given."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.run.retrieval.full_texts import QUOTABLE
from agents.search.events import PaperJudged
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from agents.search.verdicts import SCORES
from cache.page_texts import KeptPages
from cache.store import Store
from tests.agents.paged import FAILS, FOUND, ORDER, fetched
from tests.agents.search.world import Library, Searched, judge, made_up, model_at, scripted, searched, shelf, verdict
from tests.library import copied
from tests.services.model.server import ModelRequest, ScriptedModel

PAPERS = made_up(30)
READ = next(one for one in PAPERS if "sparse retrieval" in one.title)
ONCE = SearchOptions(choose_sources=False, evolution=False, refchain=False, calls=40)


def shown(request: ModelRequest) -> list[dict[str, Any]]:
    return [json.loads(request.text.partition("Paper:\n")[2])]


def quoting(words: str) -> Any:
    """A judge that keeps the paper that was fetched, and quotes `words` from it."""

    def said(request: ModelRequest) -> object:
        [one] = shown(request)
        return {**verdict(one), "label": 3, "quote": words} if one["title"] == READ.title else verdict(one)

    return said


def run(store: Store, endpoint: ScriptedModel) -> Searched:
    resources = replace(shelf(Library(PAPERS), model=model_at(endpoint, store)), full_texts=KeptPages(store))
    return searched(resources, ONCE)


def judged(found: Searched) -> PaperJudged:
    works = {one.paper.title: work for work, one in found.state.found.items()}
    told = found.state.judgement(works[READ.title])
    assert told is not None
    return told


def asked_about(endpoint: ScriptedModel) -> list[dict[str, Any]]:
    return [one for request in endpoint.asked("judge") for one in shown(request) if one["title"] == READ.title]


def test_a_quote_from_a_page_of_a_real_pdf_is_told_as_it_stands_there_with_the_page(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store:
        pages = fetched(store, READ, tmp_path)
        with scripted(judge=quoting("nine tenths of the recall of a cross encoder")) as endpoint:
            found = run(store, endpoint)
    told = judged(found)
    assert (told.quote, told.page) == ("nine tenths of the recall of a cross-encoder", 3)
    assert told.quote in pages[3]
    assert (told.score, told.unsupported, told.proven) == (SCORES[3], False, True)
    assert SEARCH.codec.decode("PaperJudged", SEARCH.codec.encode(told).content) == told
    [entry] = [one.entry for one in SEARCH.result(found.state).papers if one.paper.title == READ.title]
    assert (entry["quote"], entry["page"]) == (told.quote, 3)


@pytest.mark.parametrize("words", ["Sparse retrieval wins all of the recall that there is", "of the index"])
def test_a_quote_that_stands_on_no_page_is_the_models_unproven_word(words: str, tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store:
        fetched(store, READ, tmp_path)
        with scripted(judge=quoting(words)) as endpoint:
            told = judged(run(store, endpoint))
    assert (told.quote, told.page, told.unsupported, told.proven) == ("", None, True, False)


def test_a_quote_from_the_abstract_is_said_as_before(tmp_path: Path) -> None:
    words = READ.abstract.split(". ")[0]
    with Store.open(copied(tmp_path / "spar.db")) as store:
        fetched(store, READ, tmp_path)
        with scripted(judge=quoting(words)) as endpoint:
            told = judged(run(store, endpoint))
    assert (told.quote, told.page) == (words, None)


def test_the_judge_reads_whole_sentences_of_pages_in_the_question_about_their_paper(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store:
        fetched(store, READ, tmp_path)
        with scripted() as endpoint:
            run(store, endpoint)
            [given] = asked_about(endpoint)
            assert given["passages"] == [{"page": 3, "text": text} for text in (FOUND, ORDER, FAILS)]
            assert sum(ORDER[:30] in request.text for request in endpoint.requests) == 1
            assert all((QUOTABLE in one.text) == (READ.title in one.text) for one in endpoint.asked("judge"))


def test_without_a_full_text_the_judge_is_asked_as_ever_word_for_word(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store, scripted() as endpoint:
        run(store, endpoint)
        with_reader = sorted(request.text for request in endpoint.asked("judge"))
    with scripted() as endpoint:
        searched(shelf(Library(PAPERS), model=model_at(endpoint)), ONCE)
        assert with_reader == sorted(request.text for request in endpoint.asked("judge"))
        assert not any({"passages", "page"} & json.loads(text.partition("Paper:\n")[2]).keys() for text in with_reader)


def test_a_verdict_from_before_the_pdf_was_fetched_is_not_said_again(tmp_path: Path) -> None:
    answers = [judge, quoting(FAILS)]
    with (
        Store.open(copied(tmp_path / "spar.db")) as store,
        scripted(judge=lambda request: answers[0](request)) as endpoint,
    ):
        assert judged(run(store, endpoint)).page is None
        before = len(endpoint.asked("judge"))
        fetched(store, READ, tmp_path)
        del answers[0]
        told = judged(run(store, endpoint))
        again = [one["title"] for request in endpoint.asked("judge")[before:] for one in shown(request)]
    assert again == [READ.title]
    assert (told.quote, told.page) == (FAILS, 3)
