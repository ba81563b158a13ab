"""Who is told what about the person: read from what the services received."""

import re
import sqlite3
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from shutil import copytree

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from cache.packing import decompress
from connectors.registry import searchable
from spar_tui import __version__
from spar_tui.cli.app import app
from spar_tui.settings import key_variables
from tests.services import Request, Services, Terms
from tests.services.model.server import ScriptedModel, by_prompt
from tests.spar_tui.in_process import spar
from tests.spar_tui.overlap_model import SCRIPTS

pytestmark = pytest.mark.usefixtures("quick_pace")

MAIL = "someone@university.example"
PAGE = (Path(__file__).parents[3] / "docs" / "privacy.md").read_text("utf-8")
BIBLIOGRAPHY = "@article{strauss1895, title = {Waltzes of the sea}, author = {Strauss, Ada}, year = {1895}}\n"
KEYS = {
    "openalex": ("OPENALEX_API_KEY", Terms().openalex_key),
    "semantic_scholar": ("S2_API_KEY", Terms().s2_key),
    "pubmed": ("NCBI_API_KEY", Terms().ncbi_key),
    "google": ("SERPER_API_KEY", Terms().serper_key),
}
"""The variable and the key of each service that has one."""
ADDRESSED = {"pubmed", "crossref"}
"""The services that are told whom to write to."""


def received(home: Path, **more: str) -> list[Request]:
    """All that the services got from one search of every source."""
    sources = [f"--source={spec.name}" for spec in searchable()]
    with Services(rules=False) as services:
        environment = {**services.environment, "SERPER_API_KEY": Terms().serper_key, **more}
        ran = spar(home, "search", "cystic fibrosis therapy", *sources, more=environment)
        assert ran.returncode == 0, ran.stderr
        asked = {request.service.replace("_", "") for request in services.log}
        assert asked == {spec.name for spec in searchable()}
        return services.log


@pytest.fixture(scope="module")
def unaddressed(tmp_path_factory: pytest.TempPathFactory) -> list[Request]:
    """What they got from a person who gave no mail address."""
    return received(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Request], Path]:
    """What they got from a person with an address and all keys, and the person's home."""
    home = tmp_path_factory.mktemp("home")
    return received(home, NCBI_EMAIL=MAIL, **dict(KEYS.values())), home


def text_of(request: Request) -> str:
    """Everything that was sent, with what is percent-encoded as it is meant."""
    headers = " ".join(f"{name}: {value}" for name, value in request.headers.items())
    return f"{request.target} {headers} {request.body.decode('utf-8', 'replace')}".replace("%40", "@")


def addresses(request: Request) -> set[str]:
    """The mail addresses in a request."""
    return set(re.findall(r"[\w.+-]+@[\w.-]+", text_of(request)))


def test_a_mail_address_goes_to_ncbi_and_crossref_if_the_person_gave_one_and_to_nobody_else(
    unaddressed: list[Request], known: tuple[list[Request], Path]
) -> None:
    for request in known[0]:
        assert addresses(request) == ({MAIL} if request.service in ADDRESSED else set()), request.service
    for request in unaddressed:
        assert addresses(request) == set(), request.service
        assert "mailto" not in text_of(request)


def test_every_service_is_told_the_programs_name_and_version(unaddressed: list[Request]) -> None:
    for request in unaddressed:
        assert request.headers["user-agent"] == f"spar/{__version__}"
        if request.service == "pubmed":
            assert request.parameters["tool"] == "spar"


def test_a_key_goes_to_its_own_service_alone_and_is_written_nowhere(known: tuple[list[Request], Path]) -> None:
    log, home = known
    for request in log:
        told = {service for service, (_, key) in KEYS.items() if key in text_of(request)}
        assert told == ({request.service} & KEYS.keys()), request.target
    kept = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert kept
    assert not any(key.encode() in data for _, key in KEYS.values() for data in kept)


def test_a_model_is_told_nothing_of_the_machine_and_no_key_of_a_source(tmp_path: Path) -> None:
    keys = {variable: f"key-for-{name}" for name, variable in key_variables().items() if name != "model"}
    with ScriptedModel(by_prompt(SCRIPTS)) as model:
        others = ("ORG_ID", "PROJECT_ID", "ADMIN_KEY", "WEBHOOK_SECRET")
        ids = {f"OPENAI_{name}": f"{name}-elsewhere" for name in others}
        more = {**model.environment, **keys, **ids, "NCBI_EMAIL": MAIL}
        assert spar(tmp_path, "search", "graph neural networks", "--offline", more=more).returncode == 0
        assert model.requests
    for request in model.requests:
        assert request.headers["user-agent"] == "spar"
        told = {name.removeprefix("x-stainless-") for name in request.headers if name.startswith("x-stainless-")}
        assert told <= {"lang", "package-version", "async", "raw-response", "retry-count"}
        sent = f"{request.headers} {request.body}"
        assert MAIL not in sent
        assert not any(key in sent for key in (*keys.values(), *ids.values()))
        assert str(tmp_path) not in sent


def verbs_of(beginning: str) -> set[str]:
    """The verbs that the page names between backquotes in the paragraph that begins so."""
    paragraph = next(part for part in PAGE.split("\n\n") if part.startswith(beginning))
    return {word.split()[0] for word in re.findall(r"`([a-z]+)`", paragraph)}


def tabled() -> set[str]:
    """The verbs in the first column of the page's table."""
    rows = re.findall(r"^\| (`.+?) \|", PAGE, re.MULTILINE)
    return {verb for row in rows for verb in re.findall(r"`([a-z]+)`", row)}


def test_the_page_says_of_every_verb_whom_it_asks() -> None:
    command = get_command(app)
    assert isinstance(command, TyperGroup)
    told = [*verbs_of("These commands query no source"), *verbs_of("These commands query your sources only"), *tabled()]
    assert sorted(told) == sorted(command.commands)


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a person who searched and saved a paper."""
    home = tmp_path_factory.mktemp("furnished")
    (home / "refs.bib").write_text(BIBLIOGRAPHY)
    assert spar(home, "search", "attention transformer", "--offline").returncode == 0
    assert spar(home, "save", "@1", "--offline").returncode == 0
    return home


@pytest.fixture
def home(furnished: Path, tmp_path: Path) -> Path:
    """A home like the one that is `furnished`, of this test alone."""
    return copytree(furnished, tmp_path, dirs_exist_ok=True)


@pytest.fixture
def everybody() -> Iterator[tuple[Services, dict[str, str]]]:
    """All services and a model, with the environment of a person who uses them."""
    with Services(rules=False) as services:
        model = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": services.url("openalex"), "SPAR_MODEL": "m"}
        yield services, {**services.environment, **model, "SERPER_API_KEY": Terms().serper_key, "BROWSER": "true"}


def test_the_verbs_that_the_page_says_ask_nobody_ask_nobody(
    home: Path, everybody: tuple[Services, dict[str, str]]
) -> None:
    services, more = everybody
    done = {
        "cite": ["attention"],
        "config": [],
        "corpus": ["info"],
        "edit": ["@1", "year=2018"],
        "graph": ["last"],
        "help": ["search"],
        "history": [],
        "key": ["@1", "mine17"],
        "library": ["attention"],
        "log": ["last"],
        "merge": ["@1", "@2"],
        "note": ["mine17", "read this"],
        "notes": ["--to", str(home / "vault")],
        "pick": [],
        "profile": [],
        "share": ["--shelf", "-o", str(home / "pack.zip")],
        "shelf": [],
        "split": ["strauss1895"],
        "undo": [],
        "whence": ["attention is all you need"],
    }
    assert done.keys() == verbs_of("These commands query no source")
    for verb, arguments in done.items():
        ran = spar(home, verb, *arguments, more=more)
        assert ran.returncode in ({0, 1, 2} if verb in ("corpus", "pick", "split") else {0, 3}), (verb, ran.stderr)
        assert services.log == [], verb


def test_a_paper_is_looked_up_only_where_it_is_not_known_here(
    home: Path, everybody: tuple[Services, dict[str, str]]
) -> None:
    services, more = everybody
    done = {
        "show": ["@1"],
        "open": ["@1"],
        "save": ["@1"],
        "tag": ["@1", "--add", "x"],
        "mark": ["@1", "--like"],
        "export": ["@1"],
        "unsave": ["@1"],
    }
    assert done.keys() == verbs_of("These commands query your sources only")
    for verb, arguments in done.items():
        ran = spar(home, verb, *arguments, more=more)
        assert ran.returncode == 0, (verb, ran.stderr)
        assert services.log == [], verb
    for verb, arguments in done.items():
        services.reset()
        unknown = ["10.9999/unknown.1" if one == "@1" else one for one in arguments]
        assert spar(home, verb, *unknown, "--offline", more=more).returncode != 0
        assert services.log == [], verb
    spar(home, "show", "10.9999/unknown.1", more=more)
    assert services.log
    assert all("unknown.1" in text_of(request) for request in services.log)


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "whales"],
        ["summarize", "whales", "--calls", "3"],
        ["recommend"],
        ["refs", "@1"],
        ["cites", "@1"],
        ["similar", "@1"],
        ["chat", "find papers on whales"],
        ["check", "refs.bib"],
        ["fetch", "@1"],
        ["doctor"],
        ["show", "10.9999/unknown.1"],
        ["bench", "demonstrations", "--generate", "1"],
    ],
    ids=lambda arguments: " ".join(arguments[:1]),
)
def test_with_the_setting_offline_nothing_goes_to_a_source_or_a_model_elsewhere(
    home: Path, arguments: list[str], everybody: tuple[Services, dict[str, str]]
) -> None:
    """The model is elsewhere, by way of a proxy that would have seen a request to it."""
    services, more = everybody
    (home / "spar" / "config.toml").write_text("offline = true\n")
    more |= {"OPENAI_BASE_URL": "http://model.example/v1", "HTTP_PROXY": services.url("openalex")}
    spar(home, *(str(home / one) if one == "refs.bib" else one for one in arguments), more=more)
    assert services.log == []


def test_behind_a_proxy_sources_and_models_are_asked_by_way_of_it(tmp_path: Path) -> None:
    with Services(rules=False) as services:
        elsewhere = {"SPAR_CROSSREF_URL": "http://crossref.example", "OPENAI_BASE_URL": "http://model.example/v1"}
        more = {**elsewhere, "SPAR_MODEL": "m", "HTTP_PROXY": services.url("crossref")}
        spar(tmp_path, "search", "whales", "--source", "crossref", "--no-refchain", "--no-evolution", more=more)
        assert {request.headers["host"] for request in services.log} == {"crossref.example", "model.example"}


@pytest.mark.skipif(sys.platform != "linux", reason="the page names the folders of Linux")
def test_all_that_is_written_lies_where_the_page_says(tmp_path: Path) -> None:
    places = {one.removeprefix("~/") for one in re.findall(r"^\| `(~/[^`]+)` \|", PAGE, re.MULTILINE)}
    at_platforms = {"SPAR_HOME": "", "SPAR_MANNERS": ""}
    out = tmp_path / "refs.bib"
    with Services(rules=False) as services:
        more = {**services.environment, **at_platforms}
        search = ["search", "whales", "--source=crossref", "--no-refchain", "--no-evolution"]
        spar(tmp_path, *search, more=more, new=True)
        for arguments in (
            ["config", "set", "limit", "10"], ["search", "attention", "--offline"], ["save", "@1"],
            ["export", "--shelf", "-o", str(out)],
        ):  # fmt: skip
            assert spar(tmp_path, *arguments, more=more, new=True).returncode == 0, arguments
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()} - {out.name}
    patterns = [place.replace("…", "*") for place in places]
    assert [one for one in written if not any(fnmatch(one, at) or fnmatch(one, f"{at}/*") for at in patterns)] == []
    notes = [path for path in tmp_path.rglob("gates/*") if path.is_file()]
    assert not any(b"whales" in path.read_bytes() for path in notes)
    for place in ("config.toml", "spar.db", "gates"):
        assert any(f"/{place}" in one for one in written), place


def test_what_was_searched_for_is_forgotten_with_the_run_but_for_what_the_page_says_stays(tmp_path: Path) -> None:
    with Services(rules=False) as services:
        flags = ("--source=crossref", "--no-refchain", "--no-evolution")
        assert spar(tmp_path, "search", "zebrafish otoliths", *flags, more=services.environment).returncode in (0, 3)
    assert spar(tmp_path, "history", "forget", "last").returncode == 0
    db = sqlite3.connect(tmp_path / "spar" / "spar.db")
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    held = {name for name in tables for row in db.execute(f"SELECT * FROM {name}") if "zebrafish" in repr(row).lower()}
    answers = [decompress(cell) for (cell,) in db.execute("SELECT answer FROM answers")]
    db.close()
    assert held == set()
    assert any("zebrafish" in answer for answer in answers)
