"""The README and the docs: their commands are taken, their links lead somewhere, their spelling is American."""

import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from agents.assistant import disclosure as assistant
from agents.assistant.answering import BY_MODEL
from agents.assistant.interests import GROWN
from agents.assistant.options import CALLS as QUESTIONS
from agents.assistant.planning import MOST_BEGUN, MOST_STEPS
from agents.assistant.reflection import REPAIRS
from agents.builtin.taste.tokens import FIRST, LARGE_SHARE, LEAST_SHARE
from agents.recommendation.context_summary import DISCLOSED, LEAST_ACCEPTED, NOT_DISCLOSED
from agents.recommendation.options import CALLS, THRESHOLD
from agents.recommendation.recall import LINKED, MOST, NEAR, SEEDS
from agents.taste.context import AGAINST, PASSED_OVER, WORTH
from agents.taste.scoring import by_vectors
from cache.cached_source import PAPER_DAYS, SEARCH_DAYS
from cache.reply_cache import LIFETIME
from connectors.registry import SOURCES
from spar_tui.cli.app import app
from spar_tui.cli.lists.filter_words import FilterGroup
from tests.rows import each

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", "CHANGELOG.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))]
BRITISH = re.compile(
    r"\b\w*(?:[cC]olour|[bB]ehaviour|[nN]eighbour|[fF]avour|[lL]icence|[cC]atalogue|[cC]entre|[gG]rey|[dD]ialogue"
    r"|(?:recogn|summar|normal|organ|minim|maxim|general|final)is(?:e|ed|es|ing|ation)|analyse|cancelled|labelled)\w*\b"
)


def commands(page: str) -> Iterator[list[str]]:
    """The words behind each `spar` in the shell blocks of a page."""
    language = ""
    for line in (ROOT / page).read_text("utf-8").splitlines():
        if line.startswith("```"):
            language = "" if language else line[3:] or "sh"
        elif language == "sh":
            lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
            lexer.whitespace_split = True
            yield from (said[1:] for said in split_at(list(lexer), ";", "&&", "|") if said[:1] == ["spar"])


def split_at(words: list[str], *ends: str) -> Iterator[list[str]]:
    while words:
        end = next((place for place, word in enumerate(words) if word in ends), len(words))
        yield words[:end]
        words = words[end + 1 :]


TOLD = [(page, line) for page in PAGES for line in commands(page) if "…" not in line]


def test_the_manual_page_has_every_verb_and_option_and_no_letter_that_a_roff_does_not_read() -> None:
    page = (ROOT / "docs/spar.1").read_text("ascii")
    command = get_command(app)
    assert isinstance(command, TyperGroup)
    for name, one in command.commands.items():
        assert f'.SS "spar {name}"' in page
        for option in (long for param in one.params for long in param.opts if long.startswith("--")):
            assert option.replace("-", r"\-") in page
    unknown = {line.split()[0] for line in page.splitlines() if line[:1] in (".", "'")} - set(ROFF)
    assert unknown == set()


ROFF = r".\" .TH .SH .SS .PP .TP .B .BR .br".split()
"""What the page is made with, which every roff knows."""


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_the_manual_page_is_set_without_a_warning() -> None:
    ran = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "docs/spar.1"], cwd=ROOT, capture_output=True, check=True)
    assert ran.stderr == b""
    assert "forget" in ran.stdout.decode("utf-8")


def test_the_manual_page_is_installed_where_man_looks() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert build["wheel"]["shared-data"] == {"docs/spar.1": "share/man/man1/spar.1"}
    assert "docs/spar.1" in build["sdist"]["include"]


def test_the_readme_shows_how_spar_is_used() -> None:
    assert len([line for page, line in TOLD if page == "README.md"]) > 15


@each(("page", "line"), TOLD, ids=[f"{page}: spar {' '.join(line)}" for page, line in TOLD])
def test_a_command_in_the_docs_is_taken_by_the_parser(page: str, line: list[str]) -> None:
    command, words = get_command(app), line
    while isinstance(command, TyperGroup) and words:
        if isinstance(command, FilterGroup) and words[0] not in command.commands:
            break
        group = command.make_context("spar", [], resilient_parsing=True)
        name, found, words = command.resolve_command(group, words)
        assert found is not None, name
        command = found
    if words or not isinstance(command, TyperGroup):
        command.make_context("spar", list(words))


def test_what_runs_the_watches_by_itself_says_what_cron_and_systemd_take() -> None:
    """Five fields before cron's command; units of the sections that systemd knows; and both commands are taken."""
    text = (ROOT / "docs/search.md").read_text("utf-8")
    [line] = re.findall(r"```cron\n(.+)\n```", text)
    *fields, command = line.split(maxsplit=5)
    assert all(re.fullmatch(r"[0-9*/,-]+", field) for field in fields)
    units = [ConfigParser(interpolation=None) for _ in range(2)]
    for unit, told in zip(units, re.findall(r"```ini\n(.+?)```", text, re.DOTALL), strict=True):
        unit.read_string(told)
    service, timer = units
    assert (set(service), set(timer)) == ({"DEFAULT", "Unit", "Service"}, {"DEFAULT", "Unit", "Timer", "Install"})
    assert re.fullmatch(r"\*-\*-\* \d\d:\d\d:\d\d", timer["Timer"]["OnCalendar"])
    assert service["Service"]["SuccessExitStatus"] == "3"
    for words in (shlex.split(command), shlex.split(service["Service"]["ExecStart"])):
        assert words[0].endswith("spar")
        taken = get_command(app).commands[words[1]].make_context("spar", words[2:])  # type: ignore[attr-defined]
        assert (taken.params["plain"], taken.params["rss"].endswith("spar.xml")) == (True, True)


@each("page", PAGES)
def test_a_link_in_the_docs_leads_to_a_file(page: str) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", (ROOT / page).read_text("utf-8"))
    assert [target for target in targets if not ((ROOT / page).parent / target).exists()] == []


@each("page", PAGES)
def test_a_link_in_the_docs_leads_to_a_heading(page: str) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", (ROOT / page).read_text("utf-8"))
    assert [(file, name) for file, name in targets if name not in anchors(ROOT / page, file)] == []


def anchors(page: Path, file: str) -> set[str]:
    """What the headings of `file`, seen from `page`, are called in links; those of the page itself for ""."""
    text = (page.parent / file if file else page).read_text("utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each("page", PAGES)
def test_the_docs_are_spelled_as_in_america(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert BRITISH.findall(re.sub(r"(?s)```text\n.*?```", "", text)) == []  # a screen shows papers, in their own words


def test_nothing_asks_the_registry_for_another_program() -> None:
    """`spar` is one there, which has nothing to do with this."""
    asking = re.compile(r"(?:pip|pipx|uv tool) install +['\"]?spar\b(?!-research-desk)")
    texts = {
        path: path.read_text("utf-8") for folder in ("spar_tui", "agents") for path in (ROOT / folder).rglob("*.py")
    }
    texts |= {ROOT / page: (ROOT / page).read_text("utf-8") for page in PAGES}
    assert [str(path.relative_to(ROOT)) for path, text in texts.items() if asking.search(text)] == []


def test_the_page_on_recommendations_tells_the_weights_that_are_used() -> None:
    page = (ROOT / "docs" / "recommendations.md").read_text("utf-8")
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) \| ([\d,]+) days \| (.+) \|$", page, re.MULTILINE)
    told = {act: (float(worth), float(days.replace(",", "")), why) for act, worth, days, why in rows}
    assert told == {act: tuple(worth) for act, worth in {**WORTH, **AGAINST}.items()}
    for candidates, most in (
        ("papers near your history, each subject by its weight", f"about {NEAR}"),
        ("papers that cite papers of the history or are cited by them", LINKED),
        ("new papers of your watches", MOST["watched"]),
        ("papers of the starter shelf", MOST["starter"]),
        ("papers that live sources call similar", MOST["source"]),
    ):
        assert f"| {candidates} | {most} |" in page
    for sentence in (*DISCLOSED, NOT_DISCLOSED):
        assert sentence in " ".join(page.split())
    assert "count for a third with one paper in the history, a fifth with three, a tenth from eight to ten" in " ".join(
        page.split()
    )
    assert [by_vectors(papers) for papers in (1, 3, 8, 10, 11)] == [1 / 3, 1 / 5, 1 / 10, 1 / 10, 0.0]
    assert by_vectors(7) > by_vectors(8)
    assert f"at least {LEAST_SHARE:.0%} of the history ({LARGE_SHARE:.0%} if" in " ".join(
        page.replace(" %", "%").split()
    )
    assert (SEEDS, PASSED_OVER, CALLS, THRESHOLD, LEAST_ACCEPTED, FIRST) == (3, 3, 12, 0.5, 10, 5)  # as the page says


def test_the_page_on_the_assistant_tells_what_leaves_the_machine_and_the_bounds_that_hold() -> None:
    page = " ".join((ROOT / "docs" / "assistant.md").read_text("utf-8").split())
    for sentence in (*assistant.DISCLOSED, assistant.NOT_DISCLOSED):
        assert sentence in page
    assert f"more than {MOST_STEPS} steps" in page
    assert f"*{BY_MODEL.rstrip(':')}*" in page
    assert f"({QUESTIONS} questions unless set)" in page
    assert (MOST_BEGUN, REPAIRS, GROWN) == (3, 2, 5)  # as the page says


def test_the_page_on_sources_describes_each_source_and_how_its_key_is_had() -> None:
    page = (ROOT / "docs" / "sources.md").read_text("utf-8")
    sections = {part.partition("\n")[0]: " ".join(part.split()) for part in page.split("\n## ")[1:]}
    for spec in SOURCES.values():
        section = sections[spec.title]
        variables = [service.key_variable for service in spec.services if service.key_variable]
        assert all(f"`{variable}`" in section for variable in variables), spec.title
        assert ("](https://" in section) == bool(variables), spec.title
        assert ("has no keys" in section) == (not variables), spec.title
        assert ("pay" in section) == spec.paid, spec.title


def test_the_pages_tell_how_long_answers_are_kept() -> None:
    assert (SEARCH_DAYS.days, PAPER_DAYS.days, LIFETIME.days) == (1, 30, 180)
    assert "a search for a day, a paper for 30 days" in (ROOT / "docs" / "sources.md").read_text("utf-8")
    privacy = " ".join((ROOT / "docs" / "privacy.md").read_text("utf-8").split())
    assert "for a day (records of papers for 30 days), and answers of a model for half a year" in privacy
