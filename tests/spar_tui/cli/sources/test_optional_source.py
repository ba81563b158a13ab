"""A source that is asked only where the person names it: dblp, whose pages against robots are never an answer."""

import json
from pathlib import Path

import pytest

from tests.services import Fault, Services
from tests.spar_tui.in_process import answer, spar

pytestmark = pytest.mark.usefixtures("quick_pace")

QUESTION = "dense passage retrieval with neural networks"
ONCE = ("--no-evolution", "--no-refchain")


def asked(services: Services) -> set[str]:
    return {request.service for request in services.log}


def test_it_is_asked_where_it_is_named_and_nowhere_else(tmp_path: Path) -> None:
    with Services(time_scale=0.001) as services:
        found = answer(tmp_path, "search", "dense retrieval", "--source", "dblp", *ONCE, more=services.environment)
        assert asked(services) == {"dblp"}
        assert services.violations == []
    assert found["sources"]["dblp"]["found"] > 0
    assert found["papers"][0]["venue"]
    with Services(rules=False) as services:
        spar(tmp_path, "search", QUESTION, *ONCE, more=services.environment)
        assert asked(services)
        assert "dblp" not in asked(services)


def test_by_the_setting_it_is_asked_for_questions_of_its_field_alone(tmp_path: Path) -> None:
    assert spar(tmp_path, "config", "set", "sources", "openalex,dblp").returncode == 0
    with Services(rules=False) as services:
        spar(tmp_path, "search", "statins for heart disease patients", *ONCE, more=services.environment)
        assert "dblp" not in asked(services)
        spar(tmp_path, "search", QUESTION, *ONCE, more=services.environment)
        assert "dblp" in asked(services)


def test_its_page_against_robots_is_told_as_a_failure_and_it_is_left_alone(tmp_path: Path) -> None:
    with Services(rules=False, faults=[Fault("login_page", service="dblp")]) as services:
        ran = spar(tmp_path, "search", QUESTION, "--source", "dblp", *ONCE, "--json", more=services.environment)
        told = json.loads(ran.stdout)["sources"]["dblp"]
        assert told["state"] == "failed"
        assert "web page instead of data" in told["error"]
        assert "web page instead of data" in ran.stderr
        assert len(services.log) == 1


def test_doctor_asks_it_where_the_person_names_it_and_else_says_that_it_is_not_asked(tmp_path: Path) -> None:
    with Services(rules=False) as services:
        findings = answer(tmp_path, "doctor", more=services.environment)["findings"]
        assert "dblp" not in asked(services)
    [finding] = [one for one in findings if one["subject"] == "dblp"]
    assert (finding["state"], "it is used only if you name it" in finding["sentence"]) == ("note", True)
    assert spar(tmp_path, "config", "set", "sources", "openalex,dblp").returncode == 0
    with Services(rules=False) as services:
        findings = answer(tmp_path, "doctor", more=services.environment)["findings"]
        assert "dblp" in asked(services)
    [finding] = [one for one in findings if one["subject"] == "dblp"]
    assert finding["sentence"].startswith("answers.")
