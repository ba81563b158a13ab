"""An abstract that is missing, asked for at the sources that may have it."""

import asyncio
from collections.abc import Sequence

from agents.lookup.abstracts import AbstractFound, abstract_of
from agents.run.resources import Resources
from connectors.errors import NotConfigured, SourceUnavailable
from connectors.paper import Paper
from spar_tui.source_phrases import abstract_sentence
from tests.agents.scripted import ScriptedSource, paper

BARE = paper("A paper without an abstract of its own", "10.1000/bare")
WHOLE = paper("A paper without an abstract of its own", "10.1000/bare", abstract="It grows.", source="pubmed")


def asked(*sources: ScriptedSource) -> AbstractFound:
    return asyncio.run(abstract_of(BARE, Resources({one.name: one for one in sources})))


def source(name: str, known: Sequence[Paper] = (), papers: Sequence[Paper] = ()) -> ScriptedSource:
    return ScriptedSource(name, papers, known=known)


def test_the_source_that_has_the_abstract_is_named() -> None:
    found = asked(source("openalex", [BARE]), source("pubmed", [WHOLE]))
    assert (found.paper.abstract, found.by) == ("It grows.", "pubmed")
    assert abstract_sentence(found) == "The abstract came from pubmed."


def test_who_knows_no_abstract_who_does_not_know_the_paper_and_who_failed_are_told_apart() -> None:
    broken = ScriptedSource("arxiv", error=SourceUnavailable("arxiv", "did not answer."))
    off = ScriptedSource("google", error=NotConfigured("google", "is off."))
    found = asked(source("openalex", [BARE]), source("pubmed"), broken, off)
    assert found.paper.abstract == ""
    assert abstract_sentence(found) == (
        "No abstract was found: openalex has no abstract of this paper; pubmed does not have the paper; "
        "arxiv failed (did not answer)."
    )


def test_without_a_source_nobody_is_said_to_have_answered() -> None:
    assert abstract_sentence(asked()) == "No source in use can look up this paper."


def test_a_paper_of_the_same_title_by_somebody_else_lends_no_abstract() -> None:
    other = paper(BARE.title, "10.1000/other", abstract="Another one.", author="Bo Other")
    found = asked(source("pubmed", papers=[other]))
    assert (found.paper.abstract, found.by) == ("", "")
