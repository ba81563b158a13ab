"""The tools of the interface: a bibliography says what `spar export` says, and no paper is called sound unasked."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from agents.run.resources import Resources
from agents.tools.table import by_name
from agents.tools.tool import Interface, ToolContext, ToolError, ToolResult
from cache import citation_keys, papers, reading_history
from cache.store import PaperId, Store
from cache.timestamps import utc_now
from connectors.errors import RateLimited
from connectors.paper import Paper, Version
from spar_tui.bibliography.formats import FORMATS
from spar_tui.bibliography.styles import STYLES
from spar_tui.bibliography.tools import ExportArguments
from spar_tui.interface import TextInterface
from spar_tui.settings import load_settings
from spar_tui.workspace import open_workspace
from tests.agents.scripted import ScriptedSource, paper
from tests.library import copied
from tests.spar_tui.in_process import spar

SOUND = paper("Notes on the analytical engine", "doi:10.1000/engines", venue="Memoirs", abstract="On engines.")
OUT = paper("Cold engines that run for ever", "doi:10.1000/cold", venue="Memoirs", retracted=True)
BARE = paper("Engines of nowhere in particular", "doi:10.1000/bare")
PREPRINT = paper("Sparse engines for dense readers", "arxiv:2001.00001", type="preprint", venue="arXiv")
APPEARED = replace(
    PREPRINT, published=Version(date="2021", venue="Engine Letters", doi="10.1000/sparse"), type="article"
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "library.db")) as opened:
        papers.remember(opened, [SOUND, OUT, BARE, PREPRINT])
        yield opened


def done(store: Store, tool: str, live: Sequence[ScriptedSource] = (), noting: bool = True, **given: Any) -> ToolResult:
    interface: Interface = TextInterface(noting)
    resources = Resources(live={source.name: source for source in live}, interface=interface)
    context = ToolContext(store, resources, utc_now(), interface=interface)
    return asyncio.run(by_name(interface.tools)[tool].run(given, context))


def number(store: Store, one: Paper) -> PaperId:
    found = papers.number_of(store, one)
    assert found is not None
    return found


def verdicts(result: ToolResult) -> dict[str, str]:
    return {entry["title"]: entry["verdict"] for entry in result.values["entries"]}


def test_a_bibliography_is_what_spar_export_writes_byte_for_byte(tmp_path: Path) -> None:
    with Store.open(load_settings({"SPAR_HOME": str(tmp_path / "spar")}).places.database) as store:
        papers.remember(store, [SOUND, BARE])
        exported = done(store, "export", papers=["doi:10.1000/engines", "doi:10.1000/bare"], format="bibtex").text
    ran = spar(tmp_path, "export", "doi:10.1000/engines", "doi:10.1000/bare", "--format", "bibtex", "--offline")
    assert (ran.stdout, ran.returncode) == (exported, 0)
    assert exported.count("@") == 2


def test_a_citation_key_that_an_export_gave_names_the_paper_from_then_on(store: Store) -> None:
    text = done(store, "export", papers=["doi:10.1000/engines"]).text
    key = text.split("{")[1].split(",")[0]
    assert citation_keys.paper_of(store, key) == number(store, SOUND)
    assert done(store, "export", papers=[key]).text == text


@pytest.mark.parametrize(("noting", "acts"), [(True, ["exported"]), (False, [])])
def test_an_export_is_of_the_reading_history_only_if_the_person_asked_for_it(
    store: Store, noting: bool, acts: list[str]
) -> None:
    done(store, "export", noting=noting, papers=["doi:10.1000/engines"])
    assert [one.act for one in reading_history.interactions(store)] == acts


def test_what_an_entry_lacks_and_that_it_was_retracted_is_said_with_the_bibliography(store: Store) -> None:
    assert any("RETRACTED" in note for note in done(store, "export", papers=["doi:10.1000/cold"]).notes)


def test_every_format_and_style_of_the_verb_can_be_asked_for_and_no_other() -> None:
    fields = ExportArguments.model_fields
    assert get_args(fields["format"].annotation) == FORMATS
    styles, _ = get_args(fields["style"].annotation)
    assert get_args(styles) == tuple(STYLES)


def test_a_style_file_is_never_read_for_another_program(store: Store, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="style"):
        done(store, "export", papers=["doi:10.1000/engines"], format="text", style=str(tmp_path / "secret.csl"))


def test_a_style_for_what_is_no_text_is_refused_and_not_passed_over(store: Store) -> None:
    with pytest.raises(ToolError, match="not for ris"):
        done(store, "export", papers=["doi:10.1000/engines"], format="ris", style="apa")


def test_a_retracted_paper_and_missing_fields_are_found_without_asking_anybody(store: Store) -> None:
    result = done(store, "check", papers=["doi:10.1000/cold", "doi:10.1000/bare"])
    assert verdicts(result) == {OUT.title: "retracted", BARE.title: "incomplete"}
    assert result.values["asked"] == []
    assert result.notes == ("No source was asked, so papers were compared with your library only.",)


def test_a_paper_that_nobody_was_asked_about_is_not_called_sound(store: Store) -> None:
    assert verdicts(done(store, "check", papers=["doi:10.1000/engines"])) == {SOUND.title: "could not check"}


def test_a_paper_that_a_source_confirms_is_sound(store: Store) -> None:
    source = ScriptedSource("openalex", known=[SOUND])
    result = done(store, "check", [source], papers=["doi:10.1000/engines"])
    assert verdicts(result) == {SOUND.title: "ok"}
    assert (result.values["asked"], result.notes) == (["openalex"], ())


def test_a_source_that_failed_confirms_nothing(store: Store) -> None:
    source = ScriptedSource("openalex", error=RateLimited("openalex", "60 s"))
    (entry,) = done(store, "check", [source], papers=["doi:10.1000/engines"]).values["entries"]
    assert entry["verdict"] == "could not check"
    assert "OpenAlex" in " ".join(entry["details"])


def test_a_preprint_that_has_appeared_is_said_to_have_and_where(store: Store) -> None:
    source = ScriptedSource("openalex", known=[APPEARED])
    (entry,) = done(store, "check", [source], papers=["arxiv:2001.00001"]).values["entries"]
    assert entry["verdict"] == "published since"
    assert "Engine Letters" in entry["details"][0]


def test_checking_gives_no_paper_a_citation_key_and_changes_nothing(store: Store) -> None:
    done(store, "check", papers=["doi:10.1000/engines", "doi:10.1000/cold"])
    assert citation_keys.keys_of(store, [number(store, SOUND), number(store, OUT)]) == {}
    assert list(reading_history.interactions(store)) == []


def test_two_papers_that_look_like_one_are_named_by_no_line_of_any_file(store: Store) -> None:
    papers.remember(store, [replace(SOUND, identifiers=OUT.identifiers[:0], date="2021", venue="Other Memoirs")])
    both = [PaperId(one) for one in range(1, 6)]
    found = done(store, "check", papers=[f"#{one}" for one in both]).values["entries"]
    told = " ".join(sentence for entry in found for sentence in entry["details"])
    assert "line 0" not in told
    assert "in line" not in told


@pytest.mark.parametrize("tool", ["export", "check"])
def test_a_candidate_that_the_library_has_no_more_is_left_out(store: Store, tool: str) -> None:
    interface = TextInterface()
    context = ToolContext(
        store, Resources(), utc_now(), candidates=(PaperId(999), number(store, SOUND)), interface=interface
    )
    assert asyncio.run(by_name(interface.tools)[tool].run({"papers": ["@all"]}, context)).shown == (
        number(store, SOUND),
    )


def test_a_search_has_no_document_beside_its_papers() -> None:
    assert TextInterface().document("search", object()) == ""


def test_the_workspace_hands_the_face_to_whoever_runs_in_it(tmp_path: Path) -> None:
    async def interface() -> object:
        settings = load_settings({"SPAR_HOME": str(tmp_path)})
        async with open_workspace(settings, [], offline=True) as workspace:
            return workspace.resources.interface

    assert asyncio.run(interface()) == TextInterface()
