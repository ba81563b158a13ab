"""What is in no index of papers and has a DOI all the same: known by its registry, and only asked for there last."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services import Fault, Services
from tests.services.datacite.service import DATA, TOOL
from tests.spar_tui.in_process import answer, spar

pytestmark = pytest.mark.usefixtures("quick_pace")

ENTRIES = f"""
@dataset{{seals, author = {{Ravn, Astrid}}, title = {{Data from: Counts of harbor seals along the northern coast}},
  publisher = {{Dryad}}, year = 2021, doi = {{{DATA}}}}}
@software{{tool, author = {{Ravn, Astrid}}, title = {{sealcount: tallies of seals from photographs}},
  publisher = {{Zenodo}}, year = 1999, doi = {{{TOOL}}}}}
@dataset{{lost, author = {{Ravn, Astrid}}, title = {{Data that nobody has}}, publisher = {{Dryad}}, year = 2021,
  doi = {{10.5061/dryad.lost}}}}
@software{{nameless, author = {{Ravn, Astrid}}, title = {{A tool without a name}}, year = 2021}}
"""


@pytest.fixture
def services() -> Iterator[Services]:
    with Services(time_scale=0.001) as running:
        yield running
        assert running.violations == []


def checked(home: Path, services: Services, *flags: str) -> dict[str, tuple[str, str]]:
    (home / "a.bib").write_text(ENTRIES)
    ran = spar(home, "check", str(home / "a.bib"), "--json", *flags, more=services.environment)
    entries = json.loads(ran.stdout)["entries"]
    return {one["key"]: (one["verdict"], " ".join(one["details"])) for one in entries}


def asked(services: Services) -> list[str]:
    return [request.path for request in services.log if request.service == "datacite"]


def test_a_data_set_and_a_program_are_shown_and_exported_as_what_they_are(services: Services, tmp_path: Path) -> None:
    for name, kind in ((DATA, "dataset"), (TOOL, "software")):
        shown = answer(tmp_path, "show", name, more=services.environment)["paper"]
        assert (shown["identifiers"]["doi"], shown["year"]) == (name, 2021)
        types = [spar(tmp_path, "export", name, "--format", one).stdout for one in ("bibtex", "biblatex", "ris")]
        assert [re.findall(r"^(@\w+|TY  - \w+)", text, re.MULTILINE) for text in types] == [
            ["@misc"],
            [f"@{kind}"],
            [f"TY  - {'DATA' if kind == 'dataset' else 'COMP'}"],
        ]
    assert len(asked(services)) == 2, "what is known here is not asked for again"


def test_a_doi_that_another_source_knows_is_not_asked_for_at_datacite(services: Services, tmp_path: Path) -> None:
    work = next(one for one in services.corpus.works if one.doi and one.openalex)
    answer(tmp_path, "show", f"doi:{work.doi}", more=services.environment)
    assert asked(services) == []


def test_a_check_knows_what_is_registered_and_says_of_the_rest_who_was_asked(
    services: Services, tmp_path: Path
) -> None:
    told = checked(tmp_path, services)
    assert told["seals"] == ("ok", "")
    assert told["tool"][0] == "fields differ"
    assert "2021" in told["tool"][1]
    assert told["lost"][0] == told["nameless"][0] == "could not check"
    assert "Its DOI is unknown to DataCite." in told["lost"][1]
    assert "datacite" not in told["nameless"][1]
    assert len(asked(services)) == 3


def test_a_registry_that_is_down_is_told_as_silent_and_not_as_not_knowing(services: Services, tmp_path: Path) -> None:
    services.add_fault(Fault("503", service="datacite"))
    verdict, details = checked(tmp_path, services)["seals"]
    assert verdict == "could not check"
    assert "DataCite " in details
    assert "unknown" not in details


def test_who_names_other_sources_or_leaves_it_out_has_it_not_asked(services: Services, tmp_path: Path) -> None:
    assert checked(tmp_path, services, "--source", "crossref")["seals"][0] == "could not check"
    (tmp_path / "spar").mkdir(exist_ok=True)
    (tmp_path / "spar" / "config.toml").write_text('sources = ["openalex", "crossref"]\n')
    assert spar(tmp_path, "show", DATA, more=services.environment).returncode == 3
    assert asked(services) == []


def test_its_records_are_asked_for_without_anybodys_address(services: Services, tmp_path: Path) -> None:
    more = {**services.environment, "NCBI_EMAIL": "someone@university.example"}
    answer(tmp_path, "show", DATA, more=more)
    [request] = [one for one in services.log if one.service == "datacite"]
    assert "university" not in f"{request.target} {request.headers}".replace("%40", "@")
    assert request.query == ""


@pytest.mark.parametrize("verb", [("search", "seals"), ("summarize", "seals"), ("chat", "find papers on seals")])
def test_a_question_is_not_asked_of_it_even_where_it_is_named(
    verb: tuple[str, str], services: Services, tmp_path: Path
) -> None:
    ran = spar(tmp_path, *verb, "--source", "datacite", more=services.environment)
    assert ran.returncode == 2
    assert "datacite cannot be searched" in ran.stderr
    assert services.log == []
