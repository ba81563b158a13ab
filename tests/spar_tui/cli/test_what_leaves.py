"""Who is told what about the person: read from what the services received."""

import re
from pathlib import Path

import pytest

from spar_tui import __version__
from tests.services import Request, Services, Terms
from tests.spar_tui.running import spar

MAIL = "someone@university.example"
FIVE = {"arxiv", "openalex", "semantic_scholar", "pubmed", "google"}


def received(tmp_path: Path, **more: str) -> list[Request]:
    """All that the five services got from one search of the living."""
    sources = [f"--source={name}" for name in ("arxiv", "openalex", "semanticscholar", "pubmed", "google")]
    with Services(rules=False) as services:
        environment = {**services.environment, "SERPER_API_KEY": Terms().serper_key, **more}
        ran = spar(tmp_path, "search", "cystic fibrosis therapy", *sources, more=environment)
        assert ran.returncode == 0, ran.stderr
        assert {request.service for request in services.log} == FIVE
        return services.log


def text_of(request: Request) -> str:
    """Everything that was sent, with what is percent-encoded as it is meant."""
    headers = " ".join(f"{name}: {value}" for name, value in request.headers.items())
    return f"{request.target} {headers} {request.body.decode('utf-8', 'replace')}".replace("%40", "@")


@pytest.mark.parametrize("setting", ["", MAIL])
def test_a_mail_address_goes_to_ncbi_if_the_person_gave_one_and_to_nobody_else(setting: str, tmp_path: Path) -> None:
    for request in received(tmp_path, NCBI_EMAIL=setting):
        addresses = set(re.findall(r"[\w.+-]+@[\w.-]+", text_of(request)))
        assert addresses == ({MAIL} if setting and request.service == "pubmed" else set()), request.service
        assert "mailto" not in text_of(request)


def test_every_service_is_told_the_programs_name_and_version(tmp_path: Path) -> None:
    for request in received(tmp_path):
        assert request.headers["user-agent"] == f"spar/{__version__}"
        if request.service == "pubmed":
            assert request.parameters["tool"] == "spar"
