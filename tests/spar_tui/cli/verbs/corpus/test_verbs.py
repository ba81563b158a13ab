import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("lancedb", reason="the extra `corpus` is not installed")

from tests.cache.corpus.dumps import dumps_in_parts, wait_for_files, work, written
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import command, environment

INDEX = {"sparse": [0], "retrieval": [1], "with": [2], "inverted": [3], "indexes": [4]}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    records = [
        work(n, f"Sparse retrieval, part {n}", abstract_inverted_index=INDEX, publication_date="2020-02-02")
        for n in range(1, 6)
    ]
    ran = spar(tmp_path, "corpus", "build", str(written(tmp_path / "works.gz", [*records, "no JSON"])))
    assert ran.returncode == 0, ran.stderr
    assert "5 works; left out: 1 line that is no JSON (the first is line 6)" in ran.stdout
    assert f"5 new works in {tmp_path / 'spar' / 'corpus'}" in ran.stdout
    return tmp_path


def test_a_search_of_the_corpus_alone_asks_nobody_else(built: Path) -> None:
    found = answer(built, "search", "sparse retrieval", "--source", "corpus", "--no-model")
    assert len(found["papers"]) == 5
    assert set(found["sources"]) == {"library", "corpus"}
    assert found["sources"]["corpus"]["state"] == "ok"


def test_references_and_citing_papers_come_from_the_corpus_offline(built: Path) -> None:
    assert "Sparse retrieval, part 2" in spar(built, "refs", "openalex:W3", "--offline").stdout
    assert "Sparse retrieval, part 4" in spar(built, "cites", "openalex:W3", "--offline").stdout


def test_a_search_goes_on_with_the_corpus_it_began_with(built: Path) -> None:
    run = answer(built, "search", "sparse retrieval", "--source", "corpus", "--no-model")["run"]
    again = answer(built, "search", "--resume", run)
    assert len(again["papers"]) == 5


def test_it_is_not_asked_where_another_source_is_named(built: Path) -> None:
    ran = spar(built, "search", "sparse retrieval", "--source", "arxiv", "--no-model", "--json")
    assert "corpus" not in json.loads(ran.stdout)["sources"]


def test_a_bibliography_is_checked_and_accepted_by_a_corpus_in_a_folder_alone(built: Path) -> None:
    (built / "refs.bib").write_text(
        "@article{one, title={Sparse retrieval, part 3}, author={Lovelace, Ada}, year=2020, journal={J},\n"
        "  doi={10.5555/w3}}\n"
        "@article{two, title={Sparse retrieval, part 4}, author={Lovelace, Ada}, year=1950, journal={J}}\n"
    )
    checked = ("check", str(built / "refs.bib"), "--source", "corpus", "--offline")
    assert "year is 2020, not 1950" in " ".join(spar(built, *checked).stdout.split())
    ran = spar(built, *checked, "--accept", "two", "--reason", "the reprint")
    assert (ran.returncode, "accepted as described wrongly (year)" in ran.stdout) == (0, True)
    assert spar(built, *checked).returncode == 0


def test_info_tells_what_it_holds(built: Path) -> None:
    told = answer(built, "corpus", "info")
    assert (told["works"], told["files"], told["indexed"], told["unindexed"]) == (5, 1, True, 0)
    assert "works    5 (openalex 5)" in spar(built, "corpus", "info").stdout


def test_compacting_keeps_what_is_there(built: Path) -> None:
    ran = spar(built, "corpus", "compact")
    assert (ran.returncode, "works    5 (openalex 5)" in ran.stdout) == (0, True)


def test_it_is_deleted_only_after_a_yes(built: Path) -> None:
    ran = spar(built, "corpus", "drop")
    assert (ran.returncode, "--yes answers yes" in ran.stderr) == (2, True)
    assert answer(built, "corpus", "info")["works"] == 5
    assert "deleted 5 works" in spar(built, "corpus", "drop", "--yes").stdout
    ran = spar(built, "search", "sparse retrieval", "--source", "corpus")
    assert (ran.returncode, "There is no corpus at" in ran.stderr) == (1, True)


def test_a_file_that_is_cut_off_is_named_and_the_exit_code_says_so(built: Path) -> None:
    whole = written(built / "more.gz", map(work, range(10, 3_000))).read_bytes()
    (built / "more.gz").write_bytes(whole[: len(whole) // 2])
    ran = spar(built, "corpus", "build", str(built / "more.gz"))
    assert ran.returncode == 1
    assert ran.stderr.strip() == f"spar: {built / 'more.gz'}: it is cut off."


def test_ctrl_c_ends_a_build_at_once_wherever_it_is_and_the_same_command_goes_on(tmp_path: Path) -> None:
    corpus, many = tmp_path / "spar" / "corpus", 6_000
    files = list(map(str, dumps_in_parts(tmp_path, many, 12)))
    before = stopped = 0
    for more in (30, 75):
        with subprocess.Popen(
            command("corpus", "build", *files),
            env=environment(tmp_path),
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        ) as process:
            wait_for_files(process, corpus, more)
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=60)
        if process.returncode in (0, -signal.SIGINT):
            continue  # it had ended, or was about to
        assert process.returncode == 130, told.decode()
        assert "interrupted" in told.decode()
        said = re.search(r"interrupted; ([\d,]+) works of this build are stored", told.decode())
        info = spar(tmp_path, "corpus", "info", "--json")
        there = json.loads(info.stdout)["works"] if info.returncode == 0 else 0  # there may be none yet
        assert said is None or int(said[1].replace(",", "")) <= there - before
        before, stopped = there, stopped + 1
    assert stopped, "the build was never stopped on its way"
    assert spar(tmp_path, "corpus", "build", *files).returncode == 0
    assert answer(tmp_path, "corpus", "info")["works"] == many


def test_a_build_tells_how_many_abstracts_came_to_their_works(tmp_path: Path) -> None:
    abstracts = [
        {"corpusid": number, "openaccessinfo": None, "abstract": f"On matter{number}."} for number in (1, 2, 3)
    ]
    papers = [{"corpusid": number, "title": f"Paper {number}"} for number in (1, 2)]
    paths = (written(tmp_path / "papers.gz", papers), written(tmp_path / "abstracts.gz", abstracts))
    ran = spar(tmp_path, "corpus", "build", *map(str, paths))
    assert f"{paths[0]}: 2 works\n" in ran.stdout
    assert f"{paths[1]}: 3 abstracts: 2 joined to works, 1 waits for its work\n" in ran.stdout


def test_citations_of_a_file_of_their_own_are_followed(tmp_path: Path) -> None:
    lines = [{"citingcorpusid": 2, "citedcorpusid": 1}, {"citingcorpusid": 2, "citedcorpusid": None}]
    papers = [{"corpusid": number, "title": f"Paper {number}"} for number in (1, 2)]
    paths = (written(tmp_path / "papers.gz", papers), written(tmp_path / "citations.gz", lines))
    ran = spar(tmp_path, "corpus", "build", *map(str, paths))
    assert f"{paths[1]}: 1 citation; left out: 1 citation without both papers\n" in ran.stdout
    assert "Paper 1" in spar(tmp_path, "refs", "CorpusId:2", "--offline").stdout
    assert "Paper 2" in spar(tmp_path, "cites", "CorpusId:1", "--offline").stdout
