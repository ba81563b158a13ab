"""A source is one entry in one table: whatever the program does with sources, it does with one more."""

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from agents.builtin.question_parsing.question import read
from agents.builtin.question_parsing.sources import choose_sources
from agents.run.retrieval.fetching import gap_of
from agents.search.options import SearchOptions
from connectors.errors import NotConfigured
from connectors.http.client import HttpClient
from connectors.http.pool import ConnectionPool
from connectors.http.secret import Secret
from connectors.opening import open_sources
from connectors.records.merging import merge
from connectors.registry import SOURCES, address_of, for_references
from connectors.source import Query, Source
from connectors.spec import Access, Connection, QueryStyle, Scope
from spar_tui.settings import Preferences, load_settings, with_preference
from spar_tui.tui.app import all_resources
from spar_tui.tui.screens.settings import SettingLine
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import model_at, scripted, searched, shelf
from tests.connectors.sixth_source import SIXTH, SPARSE
from tests.rows import each
from tests.services import Services
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.tui.world import Hand, play, resources

ALL = ("arxiv", "openalex", "semanticscholar", "pubmed", "europepmc", "crossref", "datacite", "dblp", "google")
ON = tuple(name for name in ALL if name != "dblp")
"""Those that are asked unless the person leaves them out."""
ONCE = ("--no-evolution", "--no-refchain")
ROOT = Path(__file__).parents[2]
TODAY = date(2026, 3, 1)


@pytest.fixture
def sixth(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a sixth source, of which nothing is told but its entry."""
    monkeypatch.setitem(SOURCES, SIXTH.name, SIXTH)
    return SIXTH.name


def opened(names: tuple[str, ...], access: Access, folder: Path) -> dict[str, Source]:
    async def run() -> dict[str, Source]:
        async with ConnectionPool() as connections:
            return open_sources(names, access, connections, folder)

    return asyncio.run(run())


# The entries


def test_sources_are_asked_and_listed_in_the_order_of_the_table() -> None:
    assert tuple(SOURCES) == ALL


@pytest.mark.parametrize("name", ALL)
def test_a_source_offers_what_its_entry_says(name: str, tmp_path: Path) -> None:
    keys = {service.name: Secret("a-key") for service in SOURCES[name].services}
    source = opened((name,), Access(keys), tmp_path)[name]
    assert source.name == name
    assert (source.capabilities, source.schemes) == (SOURCES[name].capabilities, SOURCES[name].schemes)


def test_no_two_entries_share_a_name_an_alias_or_a_variable() -> None:
    names = [name for spec in SOURCES.values() for name in (spec.name, *spec.aliases)]
    services = [service for spec in SOURCES.values() for service in spec.services]
    variables = [service.key_variable for service in services if service.key_variable]
    variables += [spec.url_variable for spec in SOURCES.values()]
    for unique in (names, [service.name for service in services], variables):
        assert len(unique) == len(set(unique))


def test_the_table_is_read_without_the_sources_libraries() -> None:
    script = "import sys, connectors.registry; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert not {"httpx", "lxml", "Bio", "arxiv", "pyalex", "semanticscholar"} & set(ran.stdout.split())


def test_a_source_that_needs_a_key_is_off_without_one_and_says_which(tmp_path: Path) -> None:
    google = opened(("google",), Access(), tmp_path)["google"]
    with pytest.raises(NotConfigured, match="a key of yours in SERPER_API_KEY or SERPAPI_API_KEY"):
        asyncio.run(google.search(Query("anything")))


@each(
    ("access", "address"),
    [
        (Access(), "https://google.serper.dev"),
        (Access({"serpapi": Secret("k")}), "https://serpapi.com"),
        (Access({"serpapi": Secret("k"), "serper": Secret("k")}), "https://google.serper.dev"),
        (Access(urls={"google": "http://127.0.0.1:9"}), "http://127.0.0.1:9"),
    ],
)
def test_the_first_service_with_a_key_is_asked_unless_the_person_gives_an_address(access: Access, address: str) -> None:
    assert address_of(SOURCES["google"], access) == address


def test_a_papers_references_are_looked_up_at_general_indexes_first_and_never_for_money() -> None:
    assert [spec.name for spec in for_references()] == [
        "openalex",
        "semanticscholar",
        "pubmed",
        "europepmc",
        "crossref",
        "arxiv",
    ]


# A sixth one


def test_a_search_asks_it_judges_what_it_finds_and_reports_it(sixth: str, tmp_path: Path) -> None:
    found = answer(tmp_path, "search", "sparse retrieval of passages", *ONCE)
    assert sixth in found["understanding"]["sources"]
    assert (found["sources"][sixth]["state"], found["sources"][sixth]["included"]) == ("ok", 1)
    assert [(found_paper["id"], found_paper["found_by"][0]["source"]) for found_paper in found["papers"]][:1] == [
        (SPARSE.id, sixth)
    ]
    assert found["papers"][0]["score"] > 0.5


def test_it_can_be_named_by_source_and_by_its_alias(sixth: str, tmp_path: Path) -> None:
    for name in (sixth, "SIX"):
        found = answer(tmp_path, "search", "sparse retrieval of passages", "--source", name, *ONCE)
        assert set(found["sources"]) - {"library"} == {sixth}
    ran = spar(tmp_path, "search", "sparse retrieval", "--source", "scopus")
    assert ran.returncode == 2
    assert f"google, {sixth}, corpus." in ran.stderr


def test_it_is_in_the_help(sixth: str) -> None:
    """In a process of its own: help is written when the program starts."""
    script = (
        "import runpy, sys\n"
        "from connectors.registry import SOURCES\n"
        "from tests.connectors.sixth_source import SIXTH\n"
        "SOURCES[SIXTH.name] = SIXTH\n"
        "runpy.run_module('spar_tui', run_name='__main__')\n"
    )
    for arguments, words in (((), "Google and Sixth Index"), (("search",), "google, sixth"), (("check",), "sixth")):
        ran = subprocess.run(
            [sys.executable, "-c", script, *arguments, "--help"], capture_output=True, text=True, check=True, cwd=ROOT
        )
        assert words in " ".join(ran.stdout.split())


def test_it_is_on_unless_the_person_leaves_it_out(sixth: str, tmp_path: Path) -> None:
    assert Preferences().sources == (*ON, sixth, "corpus")
    assert with_preference(Preferences(), "sources", [sixth]).sources == (sixth,)
    found = answer(tmp_path, "config", "show")
    assert found["settings"]["sources"] == [*ON, sixth, "corpus"]
    assert spar(tmp_path, "config", "set", "sources", f"openalex,{sixth}").returncode == 0
    assert answer(tmp_path, "config", "show")["settings"]["sources"] == ["openalex", sixth]


def test_its_key_and_its_address_are_read_from_the_environment(sixth: str, tmp_path: Path) -> None:
    environment = {"SIXTH_API_KEY": "sixth-secret", "SPAR_SIXTH_URL": "http://127.0.0.1:9/"}
    access = load_settings({"SPAR_HOME": str(tmp_path), **environment}).access
    assert access.keys == {sixth: Secret("sixth-secret")}
    assert access.urls == {sixth: "http://127.0.0.1:9"}
    found = answer(tmp_path, "config", "show", more=environment)
    assert found["keys"]["SIXTH_API_KEY"] is True
    assert found["urls"]["SPAR_SIXTH_URL"] == "http://127.0.0.1:9"


CLIENTS: list[tuple[HttpClient, Connection]] = []


def open_noted(connection: Connection) -> Source:
    """Opens the source, and notes with what."""
    CLIENTS.append((connection.http(lambda reply: None), connection))
    return ScriptedSource("sixth")


def test_it_is_opened_with_its_key_its_address_and_the_limit_of_those_who_have_a_key(
    sixth: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SOURCES, sixth, replace(SIXTH, opener=f"{__name__}:open_noted"))
    CLIENTS.clear()
    opened((sixth,), Access(), tmp_path)
    opened((sixth,), Access({sixth: Secret("k")}, {sixth: "http://127.0.0.1:9"}), tmp_path)
    assert [client.base_url for client, _ in CLIENTS] == ["https://api.sixth.example", "http://127.0.0.1:9"]
    assert [connection.key for _, connection in CLIENTS] == [None, Secret("k")]
    assert [SIXTH.limit(with_key).gap for with_key in (False, True)] == [2.0, 0.5]
    assert gap_of(sixth) == 2.0


def test_doctor_asks_it_and_tells_of_its_key(sixth: str, tmp_path: Path) -> None:
    def finding(*flags: str, **more: str) -> dict[str, str]:
        found = json.loads(spar(tmp_path, "doctor", "--json", *flags, more=more).stdout)["findings"]
        (mine,) = [found_paper for found_paper in found if found_paper["subject"] == sixth]
        return {"state": mine["state"], "sentence": mine["sentence"]}

    assert finding("--offline")["sentence"] == "not asked (offline). No key (SIXTH_API_KEY is not set)."
    assert finding(SIXTH_API_KEY="k") == {"state": "ok", "sentence": "answers. Key from SIXTH_API_KEY."}


def test_merging_believes_it_as_its_entry_says(sixth: str, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        paper("On sparse retrieval", "10.6000/x", source="pubmed", venue="Journal"),
        paper("On Sparse Retrieval", "10.6000/x", source=sixth, venue="The Journal"),
    ]
    assert merge(*records).venue == "The Journal"
    monkeypatch.setitem(SOURCES, sixth, replace(SIXTH, trust=0))
    assert merge(*records).venue == "Journal"


def test_check_takes_its_word_that_there_is_no_such_paper(sixth: str, tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(
        "@article{invented, author={Nobody, No}, title={A study that nobody ever wrote about nothing}, journal={J},"
        " year=2020, doi={10.5555/never.was}}"
    )
    arguments = ("check", str(tmp_path / "a.bib"), "--json", "--source", "openalex", "--source", sixth)
    with Services() as services:
        (entry,) = json.loads(spar(tmp_path, *arguments, more=services.environment).stdout)["entries"]
    assert (entry["verdict"], entry["details"]) == ("not found", ["No source has it (asked: OpenAlex, Sixth Index)."])


def test_it_is_chosen_for_the_questions_that_its_entry_names(sixth: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fields = replace(SIXTH, scope=Scope(unclear_field="Who knows.", fields={"chemistry": "It holds {field}."}))
    monkeypatch.setitem(SOURCES, sixth, fields)

    def reason(question: str) -> str | None:
        return choose_sources(read(question, TODAY), (sixth, "openalex")).get(sixth)

    assert reason("organic synthesis of chiral ligands") == "It holds chemistry."
    assert reason("procrustes") == "Who knows."
    assert reason("dense passage retrieval with neural networks") is None


@pytest.mark.parametrize(
    ("style", "sent"),
    [
        ("sentence", ["how do machines find sparse passages?", "learned sparse representations"]),
        ("technical terms", ["machines find sparse passages", "term weighting"]),
        ("broad terms", ["machines find sparse passages", "retrieval"]),
        ("subject headings", ["machines find sparse passages", "Information Storage and Retrieval"]),
    ],
)
def test_it_is_asked_in_the_words_that_its_entry_wants(
    style: QueryStyle, sent: list[str], sixth: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SOURCES, sixth, replace(SIXTH, query_style=style))
    words = {"semantic_scholar": "term weighting", "openalex": "retrieval"}
    words |= {"pubmed": "Information Storage and Retrieval", "query": "learned sparse representations"}
    source = ScriptedSource(sixth, [SPARSE])
    with scripted(understand=lambda request: {"refined": [words]}) as endpoint:
        options = SearchOptions(evolution=False, refchain=False)
        searched(shelf(source, model=model_at(endpoint)), options, "how do machines find sparse passages?")
    assert [query.text for query in source.asked] == sent


def test_the_references_of_pdfs_are_looked_up_at_it(sixth: str) -> None:
    assert sixth in [spec.name for spec in for_references()]


def test_the_app_names_it_at_home_and_in_the_settings(sixth: str, tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.until_shown("crossref, sixth · no model")
        await hand.app.run_action("app.open('settings')")
        await hand.settled()
        assert hand.app.screen.query_one("#sources", SettingLine).value.endswith("google, sixth, corpus")

    play(tmp_path, scene, resources())


def test_the_app_opens_it_and_shows_what_it_found(sixth: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('sources = ["sixth"]')

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("t")  # the trail, which a finished search folds
        await hand.until_shown("sixth 1")
        assert SPARSE.title in hand.titles

    play(tmp_path, scene, all_resources)
