"""What a PDF says is quoted with its page, as a person sees it: a file marked and read, then searched and summed up."""

import json
from pathlib import Path
from typing import Any

from cache import shelf
from cache.store import Store
from tests.agents.paged import FAILS, file_of
from tests.agents.scripted import paper
from tests.agents.summary.world import SUMMING, listed
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt
from tests.spar_tui.in_process import spar
from tests.spar_tui.overlap_model import SCRIPTS, judge

TOPIC = "words of authors and readers in sparse retrieval of passages"
READ = paper(
    "On the index of a library",
    "10.1000/index",
    author="Ada Lovelace",
    abstract="We study sparse retrieval of scientific passages in a library of many books.",
)
WRITTEN = "Where authors and readers use other words, sparse retrieval of passages fails."


def fetched(home: Path) -> None:
    """The paper is on the shelf with its PDF, whose text is read as by a person."""
    with Store.open(home / "spar" / "spar.db") as store:
        shelf.save(store, [READ])
    file = home / "index.pdf"
    file.write_bytes(file_of(READ))
    assert spar(home, "mark", "10.1000/index", "--pdf", str(file)).returncode == 0
    ran = spar(home, "fetch", "10.1000/index")
    assert ran.returncode == 0, ran.stderr


def cited(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for sentence in told["tree"]["sentences"] for one in sentence["citations"]]


def test_a_summary_without_a_model_quotes_the_page(tmp_path: Path) -> None:
    fetched(tmp_path)
    ran = spar(tmp_path, "summarize", TOPIC, "--shelf", "--depth", "0", "--offline", "--no-model")
    assert ran.returncode == 0, ran.stderr
    assert f"“{FAILS}” (p. 3)" in ran.stdout
    assert "or from the page of the PDF given after it" in ran.stdout
    told = json.loads(spar(tmp_path, "summarize", "--resume", "last", "--json", "--offline").stdout)
    assert {"quote": FAILS, "page": 3}.items() <= next(one for one in cited(told) if one["page"]).items()


def test_a_model_that_writes_a_summary_quotes_the_page(tmp_path: Path) -> None:
    fetched(tmp_path)

    def write(request: ModelRequest) -> dict[str, Any]:
        [section] = listed(request, "Sections")
        [one] = section["papers"]
        quotes = [{"paper": one["id"], "quote": " ".join(one["passages"][-1]["text"].split()[:18])}]
        return {
            "sections": [{"id": section["id"], "sentences": [{"text": WRITTEN, "citations": quotes}], "missing": ""}]
        }

    def compare(request: ModelRequest) -> dict[str, Any]:
        return {"rows": [{"id": one["id"], "cells": []} for one in listed(request, "Papers")]}

    with ScriptedModel(by_prompt({**SUMMING, "write": write, "compare": compare})) as model:
        ran = spar(tmp_path, "summarize", TOPIC, "--shelf", "--depth", "0", "--offline", more=model.environment)
        assert (ran.returncode, model.surprises) == (0, []), ran.stderr
    assert f"   - beginning: “{FAILS}” (p. 3)" in ran.stdout


def test_a_search_shows_the_judges_quote_with_its_page_and_a_note_keeps_it(tmp_path: Path) -> None:
    fetched(tmp_path)

    def quoting(request: ModelRequest) -> dict[str, Any]:
        return {**judge(request), "label": 3, "quote": FAILS}

    with ScriptedModel(by_prompt({**SCRIPTS, "judge": quoting})) as model:
        ran = spar(tmp_path, "search", TOPIC, "--offline", more=model.environment)
        assert (ran.returncode, model.surprises) == (0, []), ran.stderr
        again = spar(tmp_path, "search", TOPIC, "--offline", "--json", more=model.environment)
        line = spar(tmp_path, "search", TOPIC, "--offline", "--format", "{page}: {quote}", more=model.environment)
    assert f"“{FAILS}” (p. 3)" in " ".join(ran.stdout.split())
    [told] = [one for one in json.loads(again.stdout)["papers"] if one["id"] == READ.id]
    assert (told["quote"], told["page"], told["proven"]) == (FAILS, 3, True)
    assert f"3: {FAILS}\n" in line.stdout
    assert spar(tmp_path, "notes", "--to", str(tmp_path / "vault")).returncode == 0
    [note] = (tmp_path / "vault").glob("*.md")
    assert f"> {FAILS}\n>\n> — p. 3 of its PDF, for the question “{TOPIC}”" in note.read_text("utf-8")
