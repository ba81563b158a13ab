"""`spar ask` as a person uses it: the real program, a library of its own, and a scripted model over real HTTP."""

import json
import re
import signal
import socket
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from cache import papers, shelf
from cache.store import Store
from tests.agents.paged import FOUND, fetched
from tests.agents.scripted import paper
from tests.agents.search.world import HONEST, labeled, shown, with_tails
from tests.agents.summary.world import give_up, listed, support
from tests.library import copied
from tests.services import Services
from tests.services.model.says import ModelSays
from tests.services.model.server import ModelRequest, Script, ScriptedModel, by_prompt
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.tui.real_terminal import opened

QUESTION = "Do statins raise the risk of diabetes?"
RAISED = "Statins raised the risk of diabetes by 9% in thirteen randomized trials."
SAME = "In our cohort statins did not change the risk of diabetes."
TRIALS = paper("Statins and diabetes: a meta-analysis", "10.1000/trials", abstract=f"We pooled trials. {RAISED}",
               date="2010")  # fmt: skip
COHORT = paper("A cohort study of statins", "10.1000/cohort", abstract=f"Diabetes was watched for. {SAME}", date="2015")
BREAD = paper("On bread", "10.1000/bread", abstract="Bread rises in the warmth of an oven that we built.")
MEASURED = paper("On measuring what is found", "10.1000/on")

Written = Sequence[Mapping[str, Any]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    copied(tmp_path / "spar" / "spar.db", fill)
    return tmp_path


def fill(store: Store) -> None:
    papers.remember(store, [TRIALS, COHORT, BREAD])
    shelf.save(store, [TRIALS, COHORT], tags=["statins"])


def cited(text: str, *quotes: tuple[str, str]) -> dict[str, Any]:
    """A sentence of the model, with the titles of papers and what it copies from them."""
    return {"text": text, "citations": [{"paper": title, "quote": quote} for title, quote in quotes]}


RAISES = cited("Statins raise the risk of diabetes by 9% in randomized trials.", (TRIALS.title, RAISED))
CHANGES_NOT = cited("A cohort found no change of that risk under statins.", (COHORT.title, SAME))


def model_that(
    verdict: str,
    *sentences: Mapping[str, Any],
    judge: Callable[[ModelRequest], object] = support,
    missing: str = "",
    yes: Sequence[str] = (),
    no: Sequence[str] = (),
) -> Script:
    """A model with this answer, whose sentences `judge` judges; `yes` and `no` are the titles of papers for them."""

    def answer(request: ModelRequest) -> object:
        ids = {one["title"]: one["id"] for one in listed(request, "Papers")}
        told = [{**one, "citations": [{**two, "paper": ids[two["paper"]]} for two in one["citations"]]}
                for one in sentences]  # fmt: skip
        sides = {"yes": [ids[title] for title in yes], "no": [ids[title] for title in no]}
        return {"verdict": verdict, "sentences": told, "missing": missing, **sides}

    return by_prompt({"answer": answer, "support": judge, "repair": give_up})


def asked(home: Path, script: Script, *flags: str, verb: str = "ask") -> CompletedProcess[str]:
    with ScriptedModel(script) as model:
        ran = spar(home, verb, QUESTION, *flags, more=model.environment)
        assert model.surprises == []
    return ran


def told(home: Path, script: Script, *flags: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(asked(home, script, "--tag", "statins", "--json", *flags).stdout)
    return found


def judging(*supports: str, **opposes: str) -> Callable[[ModelRequest], object]:
    """A check that finds these supports, in order."""

    def judge(request: ModelRequest) -> object:
        rows = listed(request, "Sentences")
        return {"sentences": [{"id": one["id"], "support": said, "opposes": opposes.get(one["id"][:2], "")}
                              for one, said in zip(rows, supports, strict=False)]}  # fmt: skip

    return with_tails(judge)


def test_without_a_model_there_are_quotes_and_nothing_is_concluded(home: Path) -> None:
    ran = spar(home, "ask", QUESTION, "--library")
    assert ran.returncode == 0, ran.stderr
    width = len(TRIALS.title)
    assert ran.stdout.splitlines() == [
        "Quotes nearest to the question. No model read them, so nothing is concluded:",
        "",
        f"     {'Paper':{width}}  Year  Design         Quote",
        "",
        "Papers whose words suggest yes:",
        f"[1]  {TRIALS.title}  2010  meta-analysis  “{RAISED}”",
        "     doi:10.1000/trials",
        "",
        "Papers whose words suggest no:",
        f"[2]  {COHORT.title:{width}}  2015  cohort study   “{SAME}”",
        f"     {'doi:10.1000/cohort':{width + 21}}  “Diabetes was watched for.”",
    ]
    assert answer(home, "show", "@2")["paper"]["title"] == COHORT.title


def test_a_question_needs_no_quotes_and_papers_may_follow_one_in_quotes(home: Path) -> None:
    every = spar(home, "ask", QUESTION, "--library").stdout
    assert spar(home, "ask", *QUESTION.split(), "--shelf").stdout == every, "both are saved"
    first = spar(home, "ask", QUESTION, TRIALS.id).stdout
    assert RAISED in first
    assert SAME not in first
    spar(home, "ask", QUESTION, "--library")
    assert spar(home, "ask", QUESTION, "@1").stdout == first
    spar(home, "ask", QUESTION, "--library")
    assert spar(home, "ask", *QUESTION.split(), "@1-2").stdout == every


def test_what_no_paper_speaks_of_is_said_to_be_so(home: Path) -> None:
    ran = spar(home, "ask", "do zebras that graze in meadows take statins against heart attacks?", "--tag", "statins")
    assert ran.returncode == 3
    assert ran.stdout.startswith(
        "Judged by words alone, no sentence of these papers bears on the question. The nearest:"
    )
    ran = spar(home, "ask", "why do zebras sleep standing?", "--tag", "statins")
    assert (ran.returncode, ran.stdout) == (
        3,
        "Judged by words alone, no sentence of these papers bears on the question.\n",
    )


def test_a_single_paper_that_was_merely_found_must_bear_on_the_question(home: Path) -> None:
    ran = spar(home, "ask", "were zebras watched with marmalade and trumpets?", "--library")
    assert (ran.returncode, ran.stdout.count("doi:")) == (3, 1)
    assert ran.stdout.startswith("Judged by words alone, no sentence of this paper bears on the question. The nearest")
    assert "The whole abstract" not in ran.stdout


def test_the_answer_comes_first_and_its_evidence_after_it(home: Path) -> None:
    script = model_that("mixed", RAISES, CHANGES_NOT, missing="The papers do not speak of doses.", yes=[TRIALS.title])
    ran = asked(home, script, "--tag", "statins")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(
        "Mixed: Statins raise the risk of diabetes by 9% in randomized trials [1].\n"
        "A cohort found no change of that risk under statins [2].\n"
        "\n"
        "The literature found does not say: The papers do not speak of doses.\n"
        "\n"
        f"     {'Paper':{len(TRIALS.title)}}  Year  Design         Quote\n"
        "\n"
        "Papers for yes:\n"
        f"[1]  {TRIALS.title}  2010  meta-analysis  “{RAISED}”\n"
    )
    assert f"\n\nOther papers:\n[2]  {COHORT.title} " in ran.stdout
    assert "read 2 papers, cited 2; run " in ran.stderr


def test_json_holds_the_verdict_the_sentences_and_the_quotes_by_number(home: Path) -> None:
    yes, no = [TRIALS.title], [COHORT.title]
    found = told(home, model_that("mixed", RAISES, CHANGES_NOT, missing="how much the dose matters", yes=yes, no=no))
    assert [one["speaks_for"] for one in found["evidence"]] == ["yes", "no"]
    assert (found["verdict"], found["written_by"], found["cut"]) == ("mixed", "model", 0)
    assert found["missing"] == "The literature found does not say: how much the dose matters."
    by_number = {one["number"]: one for one in found["evidence"]}
    for sentence in found["sentences"]:
        for one in sentence["citations"]:
            assert one["quote"] in by_number[one["number"]]["paper"]["abstract"]
    assert [one["design"] for one in found["evidence"]] == ["meta-analysis", "cohort study"]


@pytest.mark.parametrize(
    ("verdict", "judge", "holds"),
    [
        ("yes", support, "yes"),
        ("yes", judging("partly", "whole"), "unsettled"),
        ("yes", judging("contradicts", "whole"), None),
        ("no", judging("whole", "whole", u1="u2"), "mixed"),
        ("perhaps", support, "other"),
    ],
)
def test_a_verdict_holds_as_far_as_the_quotes_of_its_sentence_do(
    verdict: str, judge: Callable[[ModelRequest], object], holds: str | None, home: Path
) -> None:
    assert told(home, model_that(verdict, RAISES, CHANGES_NOT, judge=judge))["verdict"] == holds


def test_an_answer_that_does_not_hold_is_left_out_and_said_to_be(home: Path) -> None:
    wrong = cited("Statins raise the risk of diabetes by 19%.", (TRIALS.title, RAISED))
    both = asked(home, model_that("yes", wrong, CHANGES_NOT), "--tag", "statins")
    assert both.stdout.startswith(
        "The model's answer was left out because its quotes do not support it. What they support:\n"
        "A cohort found no change of that risk under statins [1].\n"
    )
    assert "1 sentence without support cut" in both.stderr
    alone = asked(home, model_that("yes", wrong), "--tag", "statins")
    assert alone.stdout.startswith("The model gave no answer that its quotes support. Quotes on the question:\n")
    assert "19%" not in both.stdout + alone.stdout


def test_a_model_may_say_that_the_papers_do_not_say(home: Path) -> None:
    ran = asked(home, model_that("silent", RAISES), "--tag", "statins")
    assert ran.returncode == 3
    assert ran.stdout.startswith("These papers do not say.\n")


def test_an_answer_has_at_most_150_words(home: Path) -> None:
    long = cited(f"{RAISES['text'].removesuffix('.')} {'and of diabetes ' * 30}too.", (TRIALS.title, RAISED))
    longer = cited(f"{RAISES['text'].removesuffix('.')} {'and of diabetes ' * 31}too.", (TRIALS.title, RAISED))
    script = model_that("yes", RAISES, long, longer, CHANGES_NOT)
    found = told(home, script)
    assert sum(len(one["text"].split()) for one in found["sentences"]) <= 150
    assert (len(found["sentences"]), found["omitted"], found["cut"]) == (2, 2, 0)
    assert (
        ", 2 sentences are left out as repeated or beyond the limit of length"
        in asked(home, script, "--tag", "statins").stderr
    )


def test_a_paper_speaks_for_an_answer_only_if_its_quotes_do(home: Path) -> None:
    """The model says that both papers speak for yes; the check of what they quote says so of the first alone."""
    script = model_that(
        "mixed", RAISES, CHANGES_NOT, yes=[TRIALS.title, COHORT.title], judge=judging("whole", "whole", "whole", "not")
    )
    assert [one["speaks_for"] for one in told(home, script)["evidence"]] == ["yes", None]


@pytest.mark.parametrize("support", ["partly", "contradicts", "perhaps"])
def test_a_side_that_is_not_confirmed_is_not_told(support: str, home: Path) -> None:
    script = model_that("mixed", RAISES, CHANGES_NOT, no=[COHORT.title], judge=judging("whole", "whole", support))
    found = told(home, script)
    assert [one["speaks_for"] for one in found["evidence"]] == [None, None]
    assert (len(found["sentences"]), found["unchecked"]) == (2, 0)


def test_a_model_that_fails_leaves_the_quotes_and_is_named(home: Path) -> None:
    ran = asked(home, lambda request: ModelSays(status=401, text="no"), "--tag", "statins")
    assert ran.returncode == 0
    assert ran.stdout.startswith("Quotes nearest to the question. No model read them, so nothing is concluded:\n")
    assert "Built-in rules took over" in ran.stderr


def test_named_papers_answer_with_the_pages_of_their_pdf(home: Path) -> None:
    with Store.open(home / "spar" / "spar.db") as store:
        fetched(store, MEASURED, home)
    ran = spar(home, "ask", "What recall has sparse retrieval beside a cross-encoder?", "--paper", "10.1000/on")
    assert ran.returncode == 0, ran.stderr
    assert f"“{FOUND}” (p. 3)" in " ".join(ran.stdout.split())


def test_without_papers_at_hand_the_question_is_searched_first(tmp_path: Path) -> None:
    with Services() as services:
        ran = spar(tmp_path, "ask", "query evolution for literature search agents", more=services.environment)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Quotes nearest to the question.")
    assert "(not for this kind of question): pubmed, " in ran.stderr
    kept = json.loads(spar(tmp_path, "history", "--json").stdout)["runs"]
    assert sorted(run["kind"] for run in kept) == ["answer", "search"]


def test_a_search_for_a_question_begins_with_its_answer(home: Path) -> None:
    ran = spar(home, "search", QUESTION, "--offline")
    assert ran.returncode == 0, ran.stderr
    first, *quotes = ran.stdout.partition("\n\n")[0].splitlines()
    assert first.startswith("Quotes nearest to the question.")
    listed = [line.strip() for line in ran.stdout.splitlines()]
    [raised] = [quote for quote in quotes if RAISED in quote]
    place = raised.rpartition("[")[2].rstrip("]")
    assert f"{place}. {TRIALS.title}" in listed
    [single] = [
        line
        for line in spar(home, "search", QUESTION, "--offline", "--limit", "1").stdout.splitlines()
        if RAISED in line and line.startswith("“")
    ]
    assert single.endswith((f"[{place}]", f"[{TRIALS.id}]"))
    [again] = re.findall("evidence of the answer: spar ask --resume (\\S+)", ran.stderr)
    assert {run["kind"] for run in json.loads(spar(home, "history", "--json").stdout)["runs"]} == {"search"}
    assert RAISED in spar(home, "ask", "--resume", again).stdout
    kept = json.loads(spar(home, "history", "--json").stdout)["runs"]
    assert {run["kind"] for run in kept} == {"search", "answer"}
    for question in ("statins and diabetes", "do statins cure headaches of astronauts?"):
        assert "uotes on the question" not in spar(home, "search", question, "--offline").stdout


def test_a_models_answer_above_a_list_names_the_places_of_its_papers(home: Path) -> None:
    def judge(request: ModelRequest) -> object:
        [one] = shown(request)
        quote = {TRIALS.title: RAISED, COHORT.title: SAME}.get(one["title"], "")
        return {"label": 3 if quote else 0, "needs": [], "reason": "It measures it.", "quote": quote}

    def by_words(request: ModelRequest) -> object:
        return labeled(request, lambda words: 3 if {"statins", "Statins"} & words else 0)

    def answered(request: ModelRequest) -> object:
        ids = {one["title"]: one["id"] for one in listed(request, "Papers")}
        [quote] = RAISES["citations"]
        return {"verdict": "yes", "sentences": [{**RAISES, "citations": [{**quote, "paper": ids[TRIALS.title]}]}]}

    script = by_prompt(
        {**HONEST, "judge": judge, "judge-words": by_words, "answer": answered, "support": support, "repair": give_up}
    )
    ran = asked(home, script, "--offline", verb="search")
    place = next(line for line in ran.stdout.splitlines() if TRIALS.title in line).partition(".")[0].strip()
    assert ran.stdout.startswith(f"Yes: {RAISES['text'].removesuffix('.')} [{place}].\n\n")
    assert "spar: evidence of the answer: spar ask --resume " in ran.stderr
    assert "model: 2 calls for the answer, " in ran.stderr


def test_papers_of_which_only_titles_are_known_are_not_said_to_be_silent(home: Path) -> None:
    with Store.open(home / "spar" / "spar.db") as store:
        shelf.save(store, [MEASURED], tags=["bare"])
    ran = spar(home, "ask", QUESTION, "--tag", "bare")
    assert ran.returncode == 3
    assert ran.stdout == "Nothing can be quoted: no abstract and no full text of these papers is known.\n"
    assert "read 0 of 1 paper (the others have no known text), cited 0" in ran.stderr


def test_an_answer_is_kept_and_printed_again(home: Path) -> None:
    script = model_that("yes", RAISES)
    ran = asked(home, script, "--tag", "statins")
    again = spar(home, "ask", "--resume", "last", "--no-model")
    assert again.stdout == ran.stdout
    run = ran.stderr.partition("; run ")[2].split()[0]
    log = " ".join(spar(home, "log", run).stdout.split())
    assert "quotes chosen from 2 papers" in log
    assert "topic: 1 sentence (by the model)" in log
    assert "Yes (by the model)" in log


def test_the_search_and_the_answer_share_one_budget(home: Path) -> None:
    with ScriptedModel(by_prompt(defaultdict(lambda: lambda request: {}))) as model:
        ran = spar(home, "ask", QUESTION, "--calls", "1", "--offline", more=model.environment)
    assert ran.returncode == 0, ran.stderr
    assert len(model.requests) == 1
    assert ran.stdout.startswith("Quotes nearest to the question.")


def test_the_events_of_an_answer_are_printed_as_they_happen(home: Path) -> None:
    ran = spar(home, "ask", QUESTION, "--library", "--jsonl")
    events = [json.loads(line)["event"] for line in ran.stdout.splitlines()]
    assert (events[0], events[-1]) == ("SummaryStarted", "SummaryFinished")
    assert {"EvidenceChosen", "QuestionAnswered"} <= set(events)
    assert spar(home, "ask", QUESTION, "--library", "--jsonl", "--json").returncode == 2


def test_a_tag_without_papers_is_named(home: Path) -> None:
    ran = spar(home, "ask", QUESTION, "--tag", "nothing")
    assert ran.returncode == 3
    assert "the tag 'nothing' has no papers to read" in ran.stderr


@pytest.mark.parametrize(
    "flags",
    [("--library", "--tag", "x"), ("--tag", "x", "--source", "openalex"), ("--resume", "last"), ("--since", "then")],
)
def test_what_excludes_each_other_is_wrong_usage(flags: Sequence[str], home: Path) -> None:
    assert spar(home, "ask", QUESTION, *flags).returncode == 2


def test_without_a_paper_it_is_not_said_that_papers_do_not_say(tmp_path: Path) -> None:
    ran = spar(tmp_path, "ask", "do bees sleep?", "--library", "--offline", "--no-model")
    assert ran.returncode == 3
    assert ran.stdout == "No paper was found for this question, so there is nothing to answer it from.\n"


def test_an_answer_that_is_stopped_while_it_searches_says_how_to_get_to_it(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        more = {"SPAR_OPENALEX_URL": f"http://127.0.0.1:{silent.getsockname()[1]}"}
        with opened(home, ("ask", QUESTION, "--source", "openalex"), more=more) as terminal:
            terminal.until(b"openalex")
            terminal.process.send_signal(signal.SIGINT)
            assert terminal.ended() == 130
            said = " ".join(terminal.output.decode().split())
    assert re.search(r"spar search --resume (\S+) .*spar ask 'Do statins raise the risk of diabetes\?' --run \1", said)
