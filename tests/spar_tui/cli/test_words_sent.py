"""In whose words each source is asked: read from what the services received over HTTP."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.services import Request, Services, Terms
from tests.services.model.server import ScriptedModel, by_prompt
from tests.spar_tui.in_process import spar
from tests.spar_tui.overlap_model import SCRIPTS

pytestmark = pytest.mark.usefixtures("quick_pace")

QUESTION = "how do I stop my chatbot from making things up"
RAW = ("stop", "making", "things")
"""Words of the question that no paper is about."""
SENTENCE = "reducing hallucination in conversational language models"
ORIGINAL = {
    "query": SENTENCE,
    "semantic_scholar": "hallucination mitigation dialogue",
    "openalex": "hallucination language models",
    "pubmed": "",
}
SENT = {
    "arxiv": ("hallucination", "mitigation", "dialogue"),
    "semantic_scholar": ("hallucination", "mitigation", "dialogue"),
    "openalex": ("hallucination", "language", "models"),
    "google": ("reducing", "hallucination", "conversational"),
    "pubmed": ("reducing", "hallucination", "conversational"),  # no subject headings were given
}
SOURCES = tuple(f"--source={name}" for name in ("arxiv", "openalex", "semanticscholar", "pubmed", "google"))


def asked(home: Path, services: Services, question: str, *flags: str, **read: Any) -> tuple[list[Request], Any]:
    """What the services received of a search that a model has read as `read`, and what `spar log` tells of it."""
    services.reset()
    with ScriptedModel(by_prompt({**SCRIPTS, "understand": lambda call: {"refined": [], **read}})) as model:
        more = {**services.environment, **model.environment, "SERPER_API_KEY": Terms().serper_key}
        flags = (*SOURCES, "--no-refchain", "--no-evolution", *flags)
        ran = spar(home, "search", question, *flags, more=more)
        assert ran.returncode == 0, ran.stderr
    return services.log, json.loads(spar(home, "log", "--json").stdout)


def text_of(request: Request) -> str:
    """All that was sent of a query, in small letters."""
    return " ".join((*request.parameters.values(), request.body.decode("utf-8", "replace"))).lower()


def test_each_source_receives_the_question_as_the_model_rewrote_it(tmp_path: Path, services: Services) -> None:
    received, log = asked(tmp_path, services, QUESTION, original=ORIGINAL)
    for service, words in SENT.items():
        queries = [text_of(request) for request in received if request.service == service]
        assert any(all(word in query for word in words) for query in queries), (service, queries)
        assert not [query for query in queries if any(f"{word} " in f"{query} " for word in RAW)], service
    (library,) = [search for search in log["searches"] if search["source"] == "library"]
    assert "hallucination" in library["sent"][0]
    assert "things" not in library["sent"][0]


def test_a_question_in_another_language_reaches_every_source_in_english(tmp_path: Path, services: Services) -> None:
    question = "Wie verändert man Wissen in großen Sprachmodellen?"
    received, _ = asked(tmp_path, services, question, original={"query": "knowledge editing in language models"})
    queries = [text_of(request) for request in received]
    assert {request.service for request in received} == SENT.keys()
    assert not [query for query in queries if "wissen" in query or "sprachmodelle" in query]


def test_a_rewriting_without_words_leaves_the_question_to_the_rules(tmp_path: Path, services: Services) -> None:
    received, _ = asked(tmp_path, services, "sparse retrieval?", original={"query": "…", "openalex": "?!"})
    queries = [text_of(request) for request in received if request.service == "openalex"]
    assert queries
    assert any("sparse" in query and "retrieval" in query for query in queries)
