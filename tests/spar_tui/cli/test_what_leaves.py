"""Who is told what about the person: read from what the services received."""

import re
from pathlib import Path

import pytest

from connectors.registry import SOURCES
from spar_tui import __version__
from spar_tui.settings import key_variables
from tests.services import Request, Services, Terms
from tests.services.model.server import ScriptedModel, by_prompt
from tests.spar_tui.in_process import spar
from tests.spar_tui.overlap_model import SCRIPTS

MAIL = "someone@university.example"
ADDRESSED = {"pubmed", "crossref"}
"""The services that are told whom to write to."""


def received(home: Path, **more: str) -> list[Request]:
    """All that the services got from one search of every source."""
    sources = [f"--source={name}" for name in SOURCES]
    with Services(rules=False) as services:
        environment = {**services.environment, "SERPER_API_KEY": Terms().serper_key, **more}
        ran = spar(home, "search", "cystic fibrosis therapy", *sources, more=environment)
        assert ran.returncode == 0, ran.stderr
        asked = {request.service.replace("_", "") for request in services.log}
        assert asked == set(SOURCES)
        return services.log


@pytest.fixture(scope="module")
def unaddressed(tmp_path_factory: pytest.TempPathFactory) -> list[Request]:
    """What they got from a person who gave no mail address."""
    return received(tmp_path_factory.mktemp("home"))


def text_of(request: Request) -> str:
    """Everything that was sent, with what is percent-encoded as it is meant."""
    headers = " ".join(f"{name}: {value}" for name, value in request.headers.items())
    return f"{request.target} {headers} {request.body.decode('utf-8', 'replace')}".replace("%40", "@")


def addresses(request: Request) -> set[str]:
    """The mail addresses in a request."""
    return set(re.findall(r"[\w.+-]+@[\w.-]+", text_of(request)))


def test_a_mail_address_goes_to_ncbi_and_crossref_if_the_person_gave_one_and_to_nobody_else(
    unaddressed: list[Request], tmp_path: Path
) -> None:
    for request in received(tmp_path, NCBI_EMAIL=MAIL):
        assert addresses(request) == ({MAIL} if request.service in ADDRESSED else set()), request.service
    for request in unaddressed:
        assert addresses(request) == set(), request.service
        assert "mailto" not in text_of(request)


def test_every_service_is_told_the_programs_name_and_version(unaddressed: list[Request]) -> None:
    for request in unaddressed:
        assert request.headers["user-agent"] == f"spar/{__version__}"
        if request.service == "pubmed":
            assert request.parameters["tool"] == "spar"


def test_a_model_is_told_nothing_of_the_machine_and_no_key_of_a_source(tmp_path: Path) -> None:
    keys = {variable: f"key-for-{name}" for name, variable in key_variables().items() if name != "model"}
    with ScriptedModel(by_prompt(SCRIPTS)) as model:
        more = {**model.environment, **keys, "NCBI_EMAIL": MAIL}
        assert spar(tmp_path, "search", "graph neural networks", "--offline", more=more).returncode == 0
        assert model.requests
    for request in model.requests:
        assert request.headers["user-agent"] == "spar"
        told = {name.removeprefix("x-stainless-") for name in request.headers if name.startswith("x-stainless-")}
        assert told <= {"lang", "package-version", "async", "raw-response", "retry-count"}
        sent = f"{request.headers} {request.body}"
        assert MAIL not in sent
        assert not any(key in sent for key in keys.values())
        assert str(tmp_path) not in sent
