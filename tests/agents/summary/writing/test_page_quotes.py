"""Summaries quote the pages of PDFs that were fetched, page given, with a model and without one."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.run.resources import Resources
from agents.run.retrieval.full_texts import QUOTABLE
from agents.summary.events import Cell, Citation
from agents.summary.kind import SUMMARY
from agents.summary.options import SummaryOptions
from cache.page_texts import KeptPages
from cache.store import Store
from spar_tui.reports.json_summary import summary_object
from spar_tui.tui.models.summary_rows import rows
from tests.agents.paged import FAILS, FOUND, fetched
from tests.agents.search.world import Library, made_up, model_at, shelf, with_tails
from tests.agents.summary.world import SUMMING, Summed, go, listed, sentence, summed
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt

READ, *OTHERS = [one for one in made_up(60) if "sparse retrieval" in one.title or "passages" in one.title][:6]
FLAT = SummaryOptions(depth=0, words=200, table=("result",))
PAGE = 3


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "spar.db") as opened:
        yield opened


def of(store: Store, model: Any = None) -> Resources:
    return replace(shelf(Library([READ, *OTHERS]), model=model), full_texts=KeptPages(store))


def support(done: Summed) -> list[Citation | Cell]:
    """All that stands behind the text and in its tables of the paper that was fetched."""
    [number] = [work for work, one in done.state.findings.papers.items() if one.title == READ.title]
    texts: list[Citation | Cell] = [
        one for sentence in done.sentences for one in sentence.citations if one.work == number
    ]
    tables = (row for table in done.state.tables.values() for row in table.rows if row.work == number)
    return [*texts, *(cell for row in tables for cell in row.cells)]


def writing(quote: str, text: str = f"One paper says: “{FAILS}”") -> dict[str, Any]:
    """A model that writes one sentence on the paper that was fetched, says that `quote` supports it, and puts that
    into the table with the title of another paper, which it cites too."""

    def cited(papers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{"paper": one["id"], "quote": quote} for one in papers if one["title"] == READ.title]

    def write(request: ModelRequest) -> dict[str, Any]:
        [section] = listed(request, "Sections")
        papers = section["papers"]
        beside = next(one for one in papers if one["title"] != READ.title)
        told = [{"text": text, "citations": cited(papers)}, sentence(beside)]
        copied = {READ.title: quote, beside["title"]: beside["title"]}
        rows = [{"id": one["id"], "cells": [{"column": "result", "quote": copied[one["title"]]}]}
                for one in papers if one["title"] in copied]  # fmt: skip
        return {"sections": [{"id": "s1", "sentences": told, "rows": rows}]}

    return {name: with_tails(script) for name, script in {**SUMMING, "write": write}.items()}


def told(store: Store, scripts: dict[str, Any]) -> tuple[Summed, list[ModelRequest]]:
    with ScriptedModel(by_prompt(scripts)) as endpoint:
        done = asyncio.run(with_model(store, endpoint))
        assert endpoint.surprises == []
        return done, endpoint.requests


async def with_model(store: Store, endpoint: ScriptedModel) -> Summed:
    model = model_at(endpoint, store)
    try:
        return await go(of(store, model), FLAT)
    finally:
        await model.close()


def test_what_a_model_quotes_from_a_page_stands_in_every_report_with_the_page(store: Store, tmp_path: Path) -> None:
    pages = fetched(store, READ, tmp_path)
    done, requests = told(store, writing("where the words of scientific authors differ from the words of their"))
    for one in support(done):
        assert (one.quote, one.page) == ("where the words of scientific authors differ from the words of their", PAGE)
        assert one.quote in pages[PAGE]
    assert len(support(done)) == 2
    assert f"“{support(done)[0].quote}” (p. 3)" in done.text
    assert (
        "is copied from the paper's title or abstract, or from the page of its PDF that is given. It cites" in done.text
    )
    assert any(f"“{support(done)[0].quote}” (p. 3)" in said for row in rows(done.state, "") for one in row.cited
               for said in one.support)  # fmt: skip
    tree = summary_object("r", done.state)["tree"]
    assert tree["sentences"][0]["citations"][0]["page"] == PAGE
    assert {"result": PAGE} in [row["pages"] for row in tree["table"]]
    again = [SUMMARY.codec.decode(row.kind, row.content) for row in map(SUMMARY.codec.encode, done.events)]
    assert again == done.events
    assert "compare" not in [request.name for request in requests]  # the rows came with the text
    [written] = [request for request in requests if request.name == "write"]
    assert QUOTABLE in written.text


def test_a_quote_that_the_named_page_does_not_hold_supports_nothing(store: Store, tmp_path: Path) -> None:
    pages = fetched(store, READ, tmp_path)
    lie = "sparse retrieval of passages succeeds (p. 3) wherever authors write as readers do"
    done, _ = told(store, writing(lie, "Sparse retrieval of passages succeeds wherever authors write as readers do."))
    assert "succeeds" not in done.text
    assert all(one.quote in pages[one.page] for one in support(done) if one.page)


def test_a_number_that_only_the_quoted_page_has_may_be_written(store: Store, tmp_path: Path) -> None:
    fetched(store, READ, tmp_path, [*([()] * 2), ("It begins with a sentence that says nothing of it.",
            "The recall of sparse retrieval for passages falls to 47 in all of our trials.",
            "It ends with a sentence that says nothing of it.")])  # fmt: skip
    quote = "The recall of sparse retrieval for passages falls to 47"
    done, _ = told(store, writing(quote, "The recall of sparse retrieval for passages is 47."))
    assert [one.page for one in support(done)] == [3, 3]
    done, _ = told(store, writing(quote, "The recall of sparse retrieval for passages is 48."))
    assert "48" not in done.text


def test_without_a_model_a_page_is_quoted_where_it_says_more_than_the_abstract(store: Store, tmp_path: Path) -> None:
    pages = fetched(store, READ, tmp_path)
    done = summed(of(store), FLAT)
    on_page = [one for one in support(done) if one.page]
    assert on_page
    for one in on_page:
        assert one.page == PAGE
        assert one.quote in pages[PAGE]
    assert {one.quote for one in on_page} & {FOUND, FAILS}
    assert "(p. 3) [" in done.text
    assert (
        "is copied word for word from the abstract it cites, or from the page of the PDF given after it. It cites"
        in done.text
    )


def test_a_topic_that_a_quoted_page_speaks_of_is_not_called_one_that_no_paper_does(
    store: Store, tmp_path: Path
) -> None:
    topic = "scientific authors whose words differ from the words of readers"
    assert "may be off topic" in summed(of(store), FLAT, topic).text
    fetched(store, READ, tmp_path)
    done = summed(of(store), FLAT, topic)
    assert f"“{FAILS}” (p. 3)" in done.text
    assert "may be off topic" not in done.text


def test_without_a_full_text_a_summary_is_what_it_was(store: Store) -> None:
    done, without = summed(of(store), FLAT), summed(shelf(Library([READ, *OTHERS])), FLAT)
    assert done.state.written == without.state.written
    assert "(p. " not in done.text
    assert "page" not in done.text.partition("> ")[2].partition("\n")[0]
