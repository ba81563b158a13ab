"""`spar summarize` as a person or a script runs it."""

import json
import os
import re
import shutil
import signal
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cache import runs
from cache.store import Store
from spar_tui.reports.summary_size import BOUNDS
from tests.agents.bench import tiny
from tests.agents.summary.world import SUMMING
from tests.services import Services
from tests.services.model.says import ModelSays
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import PATIENCE, environment, forked

TOPIC = "query evolution for literature search agents"
FLAGS = ("--source", "openalex", "--depth", "1", "--branch", "3", "--words", "400")
SINCE = ("--since", "2015")
SCRIPT = by_prompt(SUMMING)


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with Services() as running:
        yield running


def nodes(tree: dict[str, Any]) -> list[dict[str, Any]]:
    return [tree, *(node for child in tree["facets"] for node in nodes(child))]


def check(told: dict[str, Any]) -> None:
    """Every sentence of an object cites papers that are in it, with quotes that stand in them."""
    papers = {paper["id"]: f"{paper['title']}\n{paper['abstract']}" for paper in told["papers"]}
    sentences = [one for node in nodes(told["tree"]) for one in node["sentences"]]
    assert sentences
    for one in sentences:
        assert one["citations"]
        assert all(cited["quote"] in papers[cited["paper"]] for cited in one["citations"])


def test_without_a_model_the_text_is_made_of_quotations_and_says_so(services: Services, tmp_path: Path) -> None:
    ran = spar(tmp_path, "summarize", TOPIC, *FLAGS, more=services.environment)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(f"# {TOPIC}\n")
    assert "Quotes only, no model" in ran.stdout
    assert "## References" in ran.stdout
    numbers = {int(one) for mark in re.findall(r"\[(\d[\d, ]*)\]", ran.stdout) for one in mark.split(", ")}
    listed = {int(one) for one in re.findall(r"^(\d+)\. ", ran.stdout.partition("## References")[2], re.MULTILINE)}
    assert numbers == listed == set(range(1, len(listed) + 1))


def test_the_object_holds_the_tree_with_its_papers_and_quotes(services: Services, tmp_path: Path) -> None:
    told = answer(tmp_path, "summarize", TOPIC, *FLAGS, more=services.environment)
    check(told)
    assert told["topic"] == TOPIC
    assert told["cost"]["calls"] == 0
    assert {node["written_by"] for node in nodes(told["tree"])} == {"built-in"}


def test_only_papers_between_the_bounds_are_taken_and_that_is_said(services: Services, tmp_path: Path) -> None:
    free = answer(tmp_path / "free", "summarize", TOPIC, *FLAGS, more=services.environment)
    years = sorted(paper["year"] for paper in free["papers"] if paper["year"])
    since, until = years[1] if years[1] > years[0] else years[0] + 1, years[-1] - 1
    between = ("--since", str(since), "--until", f"{until}-12")
    told = answer(tmp_path, "summarize", TOPIC, *FLAGS, *between, more=services.environment)
    assert (free["since"], free["until"]) == (None, None)
    assert (told["since"], told["until"]) == (f"{since}-01-01", f"{until}-12-31")
    assert told["papers"]
    assert all(since <= paper["year"] <= until for paper in told["papers"])
    printed = spar(tmp_path, "summarize", "--resume", told["run"]).stdout
    made = printed.partition("## How it was made")[2]
    assert f"Only papers published since {since}-01-01 and until {until}-12-31, by the dates" in made
    assert "Only papers published" not in spar(tmp_path / "free", "summarize", "--resume", free["run"]).stdout


def test_the_persons_bounds_go_before_those_of_the_topic(services: Services, tmp_path: Path) -> None:
    ask = ("summarize", f"{TOPIC} since 2019", *FLAGS, "--outline")
    own = answer(tmp_path, *ask, more=services.environment)
    assert (own["since"], own["until"]) == ("2019-01-01", None)
    both = answer(tmp_path, *ask, "--until", "2021", more=services.environment)
    assert (both["since"], both["until"]) == ("2019-01-01", "2021-12-31")
    against = answer(tmp_path, *ask, "--until", "2017", more=services.environment)
    assert (against["since"], against["until"]) == (None, "2017-12-31")
    assert all(paper["year"] <= 2017 for paper in against["papers"])


def test_bounds_hold_for_papers_at_hand_as_well(tmp_path: Path) -> None:
    ask = ("summarize", "generative adversarial networks", "--run", "last", "--depth", "0", "--offline")
    answer(tmp_path, "search", "generative adversarial networks", "--offline")
    every = {paper["year"] for paper in answer(tmp_path, *ask)["papers"]}
    assert min(every) < 2016
    assert min(paper["year"] for paper in answer(tmp_path, *ask, "--since", "2016")["papers"]) >= 2016
    assert re.search(
        r"Only papers of one run were searched: \d+ records? matched the queries\.", spar(tmp_path, *ask).stdout
    )


def test_a_model_writes_and_its_quotes_stand_under_the_references(services: Services, tmp_path: Path) -> None:
    with ScriptedModel(SCRIPT) as model:
        more = {**services.environment, **model.environment}
        told = answer(tmp_path, "summarize", TOPIC, *FLAGS, more=more)
        ran = spar(tmp_path, "summarize", "--resume", told["run"], more=more)
        assert model.surprises == []
    check(told)
    assert told["tree"]["written_by"] == "model"
    assert told["cost"]["steps"].keys() == {"plan", "relevant", "write", "support", "repair"}
    entries = re.split(r"^\d+\. ", ran.stdout.partition("## References")[2], flags=re.MULTILINE)[1:]
    quotes = [
        re.findall(r"^   - (?:beginning|beginning, \d+|\d+(?:, \d+)*): (“.*)", one, re.MULTILINE) for one in entries
    ]
    assert any(quotes)
    assert all(len(set(some)) == len(some) for some in quotes)


def test_a_file_and_its_bibliography_are_written(services: Services, tmp_path: Path) -> None:
    text, bib = tmp_path / "rag.md", tmp_path / "rag.bib"
    ran = spar(tmp_path, "summarize", TOPIC, *FLAGS, "-o", str(text), "--bib", str(bib), more=services.environment)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert text.read_text("utf-8").startswith(f"# {TOPIC}\n")
    references = re.findall(r"^\d+\. ", text.read_text("utf-8").partition("## References")[2], re.MULTILINE)
    assert len(re.findall(r"^@", bib.read_text("utf-8"), re.MULTILINE)) == len(references) > 0
    word = tmp_path / "rag.docx"
    ran = spar(tmp_path, "summarize", "--resume", "last", "-o", str(word), more={"PATH": os.environ["PATH"]})
    if shutil.which("pandoc"):
        with zipfile.ZipFile(word) as document:
            assert "First reads" in document.read("word/document.xml").decode("utf-8")
    else:
        assert (ran.returncode, word.exists(), "pandoc is not installed" in ran.stderr) == (1, False, True)


@pytest.mark.parametrize(("style", "mark"), [("keys", r"\[(@[^\]]+)\]"), ("latex", r"\\cite\{([^}]+)\}")])
def test_a_text_cites_by_the_keys_that_its_bibliography_has(
    style: str, mark: str, services: Services, tmp_path: Path
) -> None:
    text, bib = tmp_path / "rag.md", tmp_path / "rag.bib"
    files = ("-o", str(text), "--bib", str(bib), "--cite", style)
    ran = spar(tmp_path, "summarize", TOPIC, *FLAGS, *files, more=services.environment)
    assert ran.returncode == 0, ran.stderr
    written = text.read_text("utf-8")
    cited = {key.strip("@ ") for marks in re.findall(mark, written) for key in re.split("[;,]", marks)}
    keys = set(re.findall(r"^@\w+\{(.+),", bib.read_text("utf-8"), re.MULTILINE))
    assert cited == keys != set()
    assert not re.search(r"(?<!!)\[\d+\]", written)
    listed = re.findall(r"^- `(.+?)`: ", written.partition("## References")[2], re.MULTILINE)
    assert set(listed) == keys


@pytest.mark.parametrize(
    ("flags", "command", "bibliography"),
    [((), "cite", "\\bibliography{rag}"), (("--cite", "autocite"), "autocite", "\\addbibresource{rag.bib}")],
)
def test_a_text_in_a_tex_file_is_a_document_that_cites_the_bibliography_beside_it(
    services: Services, tmp_path: Path, flags: tuple[str, ...], command: str, bibliography: str
) -> None:
    text, bib = tmp_path / "rag.tex", tmp_path / "rag.bib"
    files = ("-o", str(text), "--bib", str(bib))
    ran = spar(tmp_path, "summarize", TOPIC, *FLAGS, *files, *flags, more=services.environment)
    assert ran.returncode == 0, ran.stderr
    written = text.read_text("utf-8")
    assert written.startswith("\\documentclass")
    assert bibliography in written
    cited = {key for marks in re.findall(rf"\\{command}\{{([^}}]+)\}}", written) for key in marks.split(",")}
    assert cited == set(re.findall(r"^@\w+\{(.+),", bib.read_text("utf-8"), re.MULTILINE)) != set()
    assert "section*{References}" not in written


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (("-o", "{}/a.tex"), "add --bib FILE.bib"),
        (("-o", "{}/a.tex", "--bib", "a.bib"), "must be in the folder of"),
        (("-o", "{}/a.tex", "--bib", "{}/my papers.bib"), "LaTeX finds no bibliography called my papers.bib"),
        (("-o", "{}/a.tex", "--bib", "{}/a.bib", "--cite", "keys"), "--cite keys is for Markdown"),
        (("-o", "{}/a.tex", "--bib", "{}/a.bib", "--cite", "apa"), "--cite 'apa' is unknown"),
    ],
)
def test_a_document_that_latex_could_not_compile_is_refused_before_anybody_is_asked(
    flags: tuple[str, ...], reason: str, tmp_path: Path
) -> None:
    ran = spar(tmp_path, "summarize", TOPIC, *(flag.format(tmp_path) for flag in flags))
    assert ran.returncode == 2
    assert reason in ran.stderr
    assert list(tmp_path.glob("a.*")) == []


def test_a_table_of_the_cited_papers_comes_unless_none_is_wanted(services: Services, tmp_path: Path) -> None:
    ran = spar(tmp_path, "summarize", TOPIC, *FLAGS, more=services.environment)
    bare = spar(tmp_path, "summarize", TOPIC, *FLAGS, "--table", "none", more=services.environment)
    assert "\n| paper | " in ran.stdout
    assert "| paper |" not in bare.stdout
    rows = re.findall(r"^\| \[(\d+)\] \|", ran.stdout, re.MULTILINE)
    assert len(rows) == len(set(rows)) > 0


def test_sources_that_do_not_suit_the_topic_are_named_and_asked_only_by_name(
    services: Services, tmp_path: Path
) -> None:
    chosen = spar(tmp_path, "summarize", TOPIC, "--depth", "0", "--outline", more=services.environment)
    assert "(not for this kind of question): pubmed, " in chosen.stderr
    named = ("--source", "openalex", "--source", "pubmed", "--depth", "0")
    told = answer(tmp_path, "summarize", TOPIC, *named, more=services.environment)
    assert told["sources"]["pubmed"]["asked"] == 1


def test_an_earlier_search_is_the_corpus_and_no_source_is_asked(services: Services, tmp_path: Path) -> None:
    every = ("--limit", "1000")
    found = answer(tmp_path, "search", TOPIC, "--source", "openalex", *every, more=services.environment)
    told = answer(tmp_path, "summarize", TOPIC, "--run", "last", "--depth", "1", "--branch", "2")
    check(told)
    assert list(told["sources"]) == ["run"]
    assert {paper["id"] for paper in told["papers"]} <= {paper["id"] for paper in found["papers"]}
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        kept = runs.get(store, told["run"])
    assert kept.parameters["corpus_name"] == found["run"], "`last` would be another run when the summary goes on"


def test_papers_at_hand_are_a_corpus(services: Services, tmp_path: Path) -> None:
    answer(tmp_path, "search", TOPIC, "--source", "openalex", more=services.environment)
    saved = spar(tmp_path, "save", "@1", "@2", "@3", "--tag", "agents")
    assert saved.returncode == 0, saved.stderr
    ids = [paper["id"] for paper in answer(tmp_path, "shelf")["papers"]]
    for corpus in (("--shelf",), ("--tag", "agents"), ("--paper", ids[0], "--paper", ids[1])):
        told = answer(tmp_path, "summarize", *TOPIC.split(), *corpus, "--depth", "0")
        check(told)
        assert {paper["id"] for paper in told["papers"]} <= set(ids[: 2 if "--paper" in corpus else 3])
    assert answer(tmp_path, "summarize", TOPIC, "--library", "--depth", "0")["sources"].keys() <= {"library"}


def test_an_outline_lists_the_papers_of_each_facet(services: Services, tmp_path: Path) -> None:
    ran = spar(tmp_path, "summarize", TOPIC, *FLAGS, "--outline", more=services.environment)
    assert ran.returncode == 0
    assert "## 1 " in ran.stdout
    assert "## References" not in ran.stdout
    assert re.search(r"^- .*<https?://", ran.stdout, re.MULTILINE)


def test_the_events_are_one_json_line_each(services: Services, tmp_path: Path) -> None:
    ran = spar(tmp_path, "summarize", TOPIC, *FLAGS, "--jsonl", more=services.environment)
    kinds = [json.loads(line)["event"] for line in ran.stdout.splitlines()]
    assert (kinds[0], kinds[-1]) == ("SummaryStarted", "SummaryFinished")
    assert {"NodeRetrieved", "FacetsPlanned", "FacetVerified", "NodeWritten"} <= set(kinds)


def test_nothing_found_says_so_and_exits_with_3(services: Services, tmp_path: Path) -> None:
    ran = spar(tmp_path, "summarize", "xyzzyplugh", *FLAGS, more=services.environment)
    assert ran.returncode == 3
    assert "No relevant paper was found on xyzzyplugh" in ran.stdout
    assert "no papers found" in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "TOPIC"),
        ([TOPIC, "--depth", "4"], "--depth must be from"),
        ([TOPIC, "--depth", "9"], "--depth must be from"),
        ([TOPIC, "--branch", "9"], "--branch must be from"),
        ([TOPIC, "--branch", "0"], "--branch must be from"),
        ([TOPIC, "--words", "3"], "--words must be from"),
        ([TOPIC, "--table", ","], "--table"),
        ([TOPIC, "--run", "last", "--shelf"], "--shelf"),
        ([TOPIC, "--json", "--jsonl"], "--json"),
        ([TOPIC, "--bib", "list.txt"], "list.txt"),
        ([TOPIC, "-o", "nowhere/at/all.md"], "nowhere"),
        ([TOPIC, "-o", "text.json"], ".json is not an ending of markdown files"),
        ([TOPIC, "--seconds", "0"], "--seconds"),
        (["--resume", "last", "--depth", "1"], "--depth"),
        (["--resume", "last", "--since", "2020"], "--since"),
        ([TOPIC, "--since", "2021", "--until", "2020"], "--since"),
        (["???"], "words"),
    ],
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(arguments: list[str], named: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "summarize", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert len(ran.stderr.splitlines()) == 1
    assert named in ran.stderr


@pytest.mark.parametrize("name", BOUNDS)
def test_the_sizes_that_are_taken_are_those_of_the_form_in_the_app(name: str, tmp_path: Path) -> None:
    least, most = BOUNDS[name]
    for number in (least - 1, most + 1):
        ran = spar(tmp_path, "summarize", TOPIC, f"--{name}={number}")
        assert (ran.returncode, ran.stdout) == (2, "")
        assert f"--{name} must be from {least} to {most}." in ran.stderr


@pytest.mark.parametrize(
    "arguments", [("--shelf",), ("--tag", "none"), ("--run", "last")], ids=["empty shelf", "unknown tag", "no run"]
)
def test_papers_that_are_not_there_are_one_sentence(arguments: tuple[str, ...], tmp_path: Path) -> None:
    ran = spar(tmp_path, "summarize", TOPIC, *arguments)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert len(ran.stderr.splitlines()) == 1


def test_summaries_are_measured_on_a_collection(tmp_path: Path) -> None:
    folder = str(tiny.write(tmp_path / "reefs"))
    told = answer(tmp_path, "bench", folder, "--summary", "--depth", "1")
    assert list(told["arms"]) == ["tree", "bm25", "spar"]
    assert told["arms"]["tree"]["quotes_verbatim"] == 1
    ran = spar(tmp_path, "bench", folder, "--summary")
    assert ran.stdout.startswith("reefs · 1 question ")
    assert spar(tmp_path, "bench", folder, "--summary", "--live").returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_summary_cut_off_and_resumed_gives_the_document_of_one_that_was_not(
    services: Services, tmp_path: Path
) -> None:
    asked, going_on = threading.Event(), threading.Event()

    def script(request: ModelRequest) -> ModelSays:
        says = SCRIPT(request)
        if request.name == "write" and not going_on.is_set():
            asked.set()
            return replace(says, seconds=120.0)
        return says

    with ScriptedModel(script) as model:
        more = {**services.environment, **model.environment}
        process = subprocess.Popen(
            forked("summarize", TOPIC, *FLAGS, *SINCE),
            env=environment(tmp_path / "cut", more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[4],
        )
        assert asked.wait(PATIENCE)
        os.kill(process.pid, signal.SIGINT)
        printed, said = process.communicate(timeout=PATIENCE)
        assert printed == ""
        assert "spar summarize --resume " in said
        going_on.set()
        resumed = spar(tmp_path / "cut", "summarize", "--resume", "last", more=more)
        whole = spar(tmp_path / "whole", "summarize", TOPIC, *FLAGS, *SINCE, more=more)
    assert "Only papers published since 2015-01-01, by the dates" in resumed.stdout
    assert resumed.stdout == whole.stdout != ""
