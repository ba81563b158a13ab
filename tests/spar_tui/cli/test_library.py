"""The library on the command line: all papers that were ever found are searched on this machine alone."""

from pathlib import Path

import pytest

from tests.spar_tui.in_process import answer, spar

ATTENTION, GAN = "arxiv:1706.03762", "arxiv:1406.2661"


def test_a_paper_that_was_found_is_found_again_though_it_was_not_saved(tmp_path: Path) -> None:
    answer(tmp_path, "search", "generative adversarial networks", "--offline")
    found = answer(tmp_path, "library", "generative", "adversarial")["papers"]
    assert GAN in {paper["id"] for paper in found}
    assert [paper["rank"] for paper in found] == list(range(1, len(found) + 1))
    assert spar(tmp_path, "shelf").returncode == 3


def test_a_saved_paper_is_part_of_the_library(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    assert [paper["id"] for paper in answer(tmp_path, "library", "attention")["papers"]] == [ATTENTION]


def test_papers_are_the_objects_that_every_verb_prints(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    [paper] = answer(tmp_path, "library", "attention")["papers"]
    assert paper.keys() == answer(tmp_path, "show", ATTENTION, "--offline")["paper"].keys()


def test_as_many_papers_are_listed_as_were_asked_for(tmp_path: Path) -> None:
    answer(tmp_path, "search", "generative adversarial networks", "--offline")
    assert len(answer(tmp_path, "library", "networks", "--limit", "2")["papers"]) == 2
    ran = spar(tmp_path, "library", "networks", "--limit", "2")
    assert ran.stdout.startswith("  1. ")
    assert "--limit" in ran.stderr


@pytest.mark.parametrize(
    "title", ["A paper without number", "What is α-{D}-glucose? " + "A very long title " * 12, "title: of titles"]
)
def test_the_id_of_a_paper_without_an_identifier_names_it(title: str, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(f"@article{{a, title={{{title}}}, author={{Doe, Jane}}}}")
    spar(tmp_path, "import", str(tmp_path / "refs.bib"))
    [found] = answer(tmp_path, "library", "title" if "title" in title else "paper")["papers"]
    assert found["id"].startswith("title:")
    assert answer(tmp_path, "show", found["id"], "--offline")["paper"]["title"] == found["title"]
    ran = spar(tmp_path, "show", "title:nobody-knows-this", "--offline")
    assert ran.returncode == 1
    assert "the library has no paper title:nobody-knows-this" in ran.stderr


def test_words_that_no_paper_has_are_told_and_exit_with_3(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    ran = spar(tmp_path, "library", "zebrafish")
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "spar search" in ran.stderr
    assert spar(tmp_path, "library", "zebrafish", "--json").returncode == 3


@pytest.mark.parametrize("arguments", [[], ["?!"], ["x", "--limit", "0"]])
def test_wrong_usage_is_one_sentence_and_exit_code_2(arguments: list[str], tmp_path: Path) -> None:
    ran = spar(tmp_path, "library", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    [line] = ran.stderr.splitlines()
    assert line.startswith("spar: ")


def test_more_is_offered_only_where_there_is_more(tmp_path: Path) -> None:
    spar(tmp_path, "search", "attention", "--offline")
    every = answer(tmp_path, "library", "attention", "--limit", "1000")["papers"]
    assert "--limit lists more" not in spar(tmp_path, "library", "attention", "--limit", str(len(every))).stderr
    assert "--limit lists more" in spar(tmp_path, "library", "attention", "--limit", str(len(every) - 1)).stderr


def test_a_name_is_found_and_judged_without_its_diacritics(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text("@article{one, title={Guilds}, author={Ibrahim, Søren}, year={2020}}\n")
    spar(tmp_path, "import", str(tmp_path / "refs.bib"))
    assert [paper["title"] for paper in answer(tmp_path, "library", "soren ibrahim")["papers"]] == ["Guilds"]
    for question in ("papers by Søren Ibrahim", "papers by Soren Ibrahim"):
        found = answer(tmp_path, "search", question, "--offline")
        assert [paper["title"] for paper in found["papers"] if paper["relevance"] >= 0.5] == ["Guilds"]
