"""`spar lint` on real files, against services and a model over HTTP."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cache import papers
from cache.store import Store
from tests.agents.paged import FOUND as PAGE_FOUND
from tests.agents.paged import fetched
from tests.agents.scripted import paper
from tests.library import copied
from tests.services import Fault, Services
from tests.services.model.says import error
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt
from tests.spar_tui.in_process import spar

pytestmark = pytest.mark.usefixtures("quick_pace")

FOUND = "Statins raised the risk of new-onset diabetes by 9% in thirteen trials of older adults."
TRIAL = paper("Statins and diabetes", "10.1000/trial", abstract=f"We pooled trials. {FOUND}")
BIB = """@article{trial, author={A, B}, title={Statins and diabetes}, journal={J}, year=2020, doi={10.1000/trial}}
@article{other, author={Nobody, No}, title={A paper that nobody keeps here}, journal={J}, year=2020}
"""
TRUE = "Statins raise the risk of diabetes by 9\\,\\% in older adults"
ASTRAY = "Zooplankton migrates vertically through arctic fjords at night"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Store.open(copied(tmp_path / "spar" / "spar.db")) as store:
        papers.remember(store, [TRIAL])
    (tmp_path / "refs.bib").write_text(BIB)
    return tmp_path


def lint(home: Path, text: str, *flags: str, more: Mapping[str, str] | None = None) -> tuple[int, dict[str, Any], str]:
    """The exit code, what `--json` prints, and what standard error says."""
    (home / "paper.tex").write_text(f"\\begin{{document}}\n{text}\n\\bibliography{{refs}}\n\\end{{document}}\n")
    ran = spar(home, "lint", str(home / "paper.tex"), "--json", *flags, more=more)
    return ran.returncode, json.loads(ran.stdout), ran.stderr


def grades(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(one["key"], one["grade"]) for one in told["citations"]]


def test_a_paper_that_speaks_of_something_else_is_the_only_finding_without_a_model(home: Path) -> None:
    code, told, err = lint(home, f"{TRUE} \\cite{{trial}}.\n{ASTRAY} \\cite{{trial}}.", "--offline")
    assert (code, grades(told)) == (1, [("trial", "close"), ("trial", "speaks of something else")])
    close, astray = told["citations"]
    assert (close["line"], close["passages"][0], close["by_model"]) == (2, {"text": FOUND, "page": None}, False)
    assert (astray["line"], astray["sentence"]) == (3, f"{ASTRAY} [trial].")
    assert "without a model" in err


def test_a_document_without_a_finding_exits_with_0(home: Path) -> None:
    assert lint(home, f"{TRUE} \\cite{{trial}}.", "--offline")[0] == 0


def test_a_missing_text_is_no_finding_and_says_why(home: Path) -> None:
    code, told, err = lint(home, f"{TRUE} \\cite{{other,absent}}.", "--offline")
    assert (code, grades(told)) == (4, [("other", "no text here"), ("absent", "no text here")])
    assert "and spar is offline" in told["citations"][0]["reason"]
    assert "No bibliography has a readable entry" in told["citations"][1]["reason"]
    assert "in no bibliography: absent" in err
    code, told, _ = lint(home, f"{TRUE} \\cite{{other}}.", "--source", "openalex")
    assert (code, grades(told)) == (4, [("other", "no text here")])
    assert "openalex failed" in told["citations"][0]["reason"]


def test_numbers_that_stand_in_no_text_are_named_and_are_no_finding(home: Path) -> None:
    code, told, _ = lint(home, "Statins raise the risk of diabetes by 47\\,\\% in adults \\cite{trial}.", "--offline")
    assert code == 0
    assert told["numbers"] == [
        {"file": "paper.tex", "line": 2, "sentence": "Statins raise the risk of diabetes by 47 % in adults [trial].",
         "numbers": ["47 %"]}
    ]  # fmt: skip
    _, told, _ = lint(home, "Statins raise the risk of diabetes by 47\\,\\% \\cite{trial,other}.", "--offline")
    assert told["numbers"] == []  # the other paper may say so


def test_a_full_text_counts_where_there_is_no_abstract_and_its_page_is_told(home: Path) -> None:
    bare = paper("On measuring what is found", "10.1000/on")
    with Store.open(home / "spar" / "spar.db") as store:
        fetched(store, bare, home)
    (home / "refs.bib").write_text("@article{on, title={On measuring what is found}, doi={10.1000/on}}\n")
    text = "Sparse retrieval has nine tenths of the recall of a cross-encoder \\cite{on}."
    code, told, _ = lint(home, text, "--offline")
    assert (code, grades(told)) == (0, [("on", "close")])
    assert told["citations"][0]["passages"][0] == {"text": PAGE_FOUND, "page": 3}


def test_a_list_of_references_in_the_document_itself_is_enough(home: Path) -> None:
    item = "\\begin{thebibliography}{1}\\bibitem{t} A. Author. Statins and diabetes. J, 2020. doi:10.1000/trial"
    (home / "paper.tex").write_text(f"\\begin{{document}}{TRUE} \\cite{{t}}.\n{item}\n\\end{{thebibliography}}\n")
    ran = spar(home, "lint", str(home / "paper.tex"), "--offline", "--json")
    assert grades(json.loads(ran.stdout)) == [("t", "close")], ran.stderr


def test_swapped_each_sentence_meets_another_paper_of_the_document(home: Path) -> None:
    plankton = paper("Plankton at night", "10.1000/plankton", abstract=f"{ASTRAY}. We saw it.")
    with Store.open(home / "spar" / "spar.db") as store:
        papers.remember(store, [plankton])
    (home / "refs.bib").write_text(f"{BIB}@article{{night, title={{Plankton at night}}, doi={{10.1000/plankton}}}}\n")
    text = f"{TRUE} \\cite{{trial}}.\n{ASTRAY} \\cite{{night}}."
    assert grades(lint(home, text, "--offline")[1]) == [("trial", "close"), ("night", "close")]
    code, told, _ = lint(home, text, "--offline", "--swap")
    assert (code, {grade for _, grade in grades(told)}) == (1, {"speaks of something else"})
    assert [one["title"] for one in told["citations"]] == ["Plankton at night", "Statins and diabetes"]


def test_an_abstract_that_is_not_here_is_asked_for(services: Services, home: Path) -> None:
    work = next(one for one in services.corpus.works if one.doi and one.openalex and one.abstract and not one.arxiv)
    title = work.title
    (home / "refs.bib").write_text(f"@article{{w, title={{{title}}}, doi={{{work.doi}}}, year={work.year}}}\n")
    (home / "paper.tex").write_text("")
    asked = ("--source", "openalex")
    code, told, _ = lint(home, f"{ASTRAY} \\cite{{w}}.", *asked, more=services.environment)
    assert (code, grades(told)) == (1, [("w", "speaks of something else")])
    services.add_fault(Fault("500", "openalex"))
    (home / "refs.bib").write_text("@article{w, title={Another work that has to be asked for}, doi={10.5555/q}}\n")
    code, told, _ = lint(home, f"{ASTRAY} \\cite{{w}}.", *asked, more=services.environment)
    services.clear_faults()
    assert (code, grades(told)) == (4, [("w", "no text here")])


SUPPORT = {"true": "whole", "in part": "partly", "turned": "contradicts", "else": "not"}


def support(request: ModelRequest) -> dict[str, Any]:
    """Judge each sentence by its last word."""
    listed = json.loads(request.text.partition("Sentences:\n")[2])
    assert all(one["quotes"] for one in listed)
    return {
        "sentences": [
            {"id": one["id"], "support": support, "lacking": "" if support == "whole" else "the dose"}
            for one in listed
            for word, support in SUPPORT.items()
            if f"({word})" in one["text"]
        ]
    }


def test_with_a_model_each_sentence_is_judged_with_its_passages(home: Path) -> None:
    text = "\n\n".join(f"Statins raise the risk of diabetes in adults ({word}) \\cite{{trial}}." for word in SUPPORT)
    with ScriptedModel(by_prompt({"support": support})) as model:
        code, told, err = lint(home, text, "--offline", more=model.environment)
        assert model.surprises == []
        assert len(model.requests) == 1
    assert code == 1
    assert [one["grade"] for one in told["citations"]] == [
        "says so",
        "close",
        "contradicts",
        "speaks of something else",
    ]
    assert all(one["by_model"] for one in told["citations"])
    assert told["citations"][2]["reason"] == "The model: its passages say the opposite; the dose."
    assert "model: 1 call" in err


def test_a_model_that_fails_leaves_the_judgement_to_words_and_is_named(home: Path) -> None:
    with ScriptedModel(lambda request: error(401, "Incorrect API key provided.", "invalid_api_key")) as model:
        code, told, err = lint(home, f"{TRUE} \\cite{{trial}}.", "--offline", more=model.environment)
    assert (code, grades(told)) == (0, [("trial", "close")])
    assert not told["citations"][0]["by_model"]
    assert "1 citation judged by words alone" in err


def test_no_model_asks_none(home: Path) -> None:
    with ScriptedModel(by_prompt({"support": support})) as model:
        lint(home, f"{TRUE} \\cite{{trial}}.", "--offline", "--no-model", more=model.environment)
        assert model.requests == []


def test_the_report_starts_with_a_summary_and_shows_line_key_sentence_and_passage(home: Path) -> None:
    (home / "paper.md").write_text(
        f"---\nbibliography: refs.bib\n---\n{ASTRAY} [@trial]. Statins raise the risk of diabetes [@trial].\n"
    )
    ran = spar(home, "lint", str(home / "paper.md"), "--offline", "--all", "--plain")
    assert ran.stdout.startswith("2 citations in 2 sentences: 1 speaks of something else, 1")
    assert f"paper.md:4  trial  {ASTRAY} [trial]." in ran.stdout
    assert f"Statins and diabetes: “{FOUND}”" in " ".join(ran.stdout.split())


def test_sarif_has_the_findings_at_their_lines(home: Path) -> None:
    lint(home, f"{TRUE} \\cite{{trial}}.\n{ASTRAY} \\cite{{trial}}.", "--offline", "--sarif", str(home / "out.sarif"))
    [run] = json.loads((home / "out.sarif").read_text())["runs"]
    [result] = run["results"]
    assert (result["ruleId"], result["level"]) == ("speaks-of-something-else", "warning")
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}


def test_the_report_goes_into_pages_with_the_findings_and_their_passages(home: Path) -> None:
    forms = {form: home / f"report.{form}" for form in ("html", "markdown")}
    flags = [word for form, file in forms.items() for word in (f"--{form}", str(file))]
    numbers = "It is 47\\,\\% of adults with diabetes"
    text = f"{TRUE} \\cite{{trial}}. {ASTRAY} \\& more \\cite{{trial}}. {numbers} \\cite{{trial}}."
    lint(home, text, "--offline", *flags)
    page, plain = (" ".join(forms[form].read_text().split()) for form in ("html", "markdown"))
    assert "The source is about something else (1)" in page
    assert f"paper.tex:2 · trial</code> {ASTRAY} &amp; more [trial]." in page
    assert "No available text of what the sentence cites has 47 %." in page
    assert "Close" not in page
    assert "## The source is about something else (1)" in plain
    assert "paper.tex:2, **trial**" in plain
    assert "Its abstract has almost none of the sentence's words." in plain


def test_no_report_takes_the_place_of_the_document(home: Path) -> None:
    (home / "paper.md").write_text("As @trial.\n")
    ran = spar(home, "lint", str(home / "paper.md"), "--offline", "--markdown", str(home / "paper.md"))
    assert (ran.returncode, (home / "paper.md").read_text()) == (2, "As @trial.\n")


def test_typst_is_read_with_the_bibliography_that_it_names(home: Path) -> None:
    (home / "paper.typ").write_text(f'= Fish\n{ASTRAY} @trial[p. 3].\n\n#bibliography("refs.bib")\n')
    ran = spar(home, "lint", str(home / "paper.typ"), "--offline", "--json")
    [found] = json.loads(ran.stdout)["citations"]
    assert (found["line"], found["sentence"]) == (2, f"{ASTRAY} [trial].")
    assert (found["grade"], ran.returncode) == ("speaks of something else", 1)


def test_nothing_outside_the_folder_of_the_document_is_opened(home: Path) -> None:
    (home / "outside.tex").write_text(f"{ASTRAY} \\cite{{trial}}.")
    inner = home / "inner"
    inner.mkdir()
    (inner / "refs.bib").write_text(BIB)
    code, told, err = lint_in(inner, home)
    assert (code, grades(told)) == (0, [("trial", "close")])
    assert "outside the folder" in err


def lint_in(inner: Path, home: Path) -> tuple[int, dict[str, Any], str]:
    text = f"{TRUE} \\cite{{trial}}. \\input{{../outside}} \\bibliography{{refs}}"
    (inner / "paper.tex").write_text(text)
    ran = spar(home, "lint", str(inner / "paper.tex"), "--offline", "--json")
    return ran.returncode, json.loads(ran.stdout), ran.stderr


@pytest.mark.parametrize("name", ["absent.tex", "paper.pdf", "."])
def test_what_cannot_be_read_is_refused_with_a_sentence(name: str, home: Path) -> None:
    ran = spar(home, "lint", str(home / name), "--offline")
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
