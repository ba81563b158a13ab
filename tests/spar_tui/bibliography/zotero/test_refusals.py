"""What a person is told when Zotero does not do what was asked: what failed, why, what to do; nothing half done."""

import subprocess
from pathlib import Path

import pytest

import connectors.zotero.client as client
from tests.services.faults.faults import Fault
from tests.services.zotero import RunningZotero
from tests.spar_tui.bibliography.edge_records import EDGE_PAPERS, PUBLISHED, paper
from tests.spar_tui.bibliography.zotero.test_both_ways import ARTICLE, BOOK, on_shelf, put, send, take_in
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import NOWHERE


def one_sentence(ran: subprocess.CompletedProcess[str], *parts: str) -> None:
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.startswith("spar: Zotero: ")
    assert ran.stderr.count("\n") == 1
    assert not [part for part in parts if part not in ran.stderr], ran.stderr


@pytest.mark.parametrize("verb", [("import", "--from-zotero"), ("export", "--shelf", "--to-zotero", "--offline")])
def test_a_zotero_that_does_not_run_is_told_from_one_that_lets_nobody_in(verb: tuple[str, ...], tmp_path: Path) -> None:
    put(tmp_path, PUBLISHED)
    one_sentence(spar(tmp_path, *verb, more={"SPAR_ZOTERO_URL": NOWHERE}), "nothing answers at", "Start Zotero")
    with RunningZotero(version=10, api_on=False) as zotero:
        one_sentence(
            spar(tmp_path, *verb, more=zotero.environment),
            "Local API is not enabled",
            "Settings → Advanced",
            "Nothing was",
        )
        assert zotero.zotero.items == {}


def test_before_version_10_no_collection_can_be_chosen_and_that_is_said(tmp_path: Path) -> None:
    put(tmp_path, PUBLISHED)
    with RunningZotero(version=7) as zotero:
        ran = send(tmp_path, zotero, "--collection", "Thesis")
        assert ran.returncode == 2
        assert "--collection needs Zotero 10" in ran.stderr
        assert zotero.zotero.items == {}


def test_a_window_that_stands_at_a_library_of_others_is_named(tmp_path: Path) -> None:
    put(tmp_path, PUBLISHED)
    with RunningZotero(version=9, editable=False) as zotero:
        one_sentence(send(tmp_path, zotero), "choose your own library", "Nothing was added")


def test_a_no_in_the_dialog_adds_nothing(tmp_path: Path) -> None:
    put(tmp_path, PUBLISHED)
    with RunningZotero(version=10, answer_of_dialog="no") as zotero:
        ran = send(tmp_path, zotero)
        assert ran.returncode == 1
        assert "waiting for you to allow it in Zotero's window" in ran.stderr
        assert "because you answered no" in ran.stderr
        assert "Nothing was added." in ran.stderr
        assert zotero.zotero.items == {}


def test_a_dialog_that_nobody_answers_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectors.zotero.library.YES_SECONDS", 0.3)
    put(tmp_path, PUBLISHED)
    with RunningZotero(version=10, dialog_seconds=30) as zotero:
        ran = send(tmp_path, zotero)
        assert ran.returncode == 1
        assert "did not answer within 0.3 s; check whether its window asks a question" in ran.stderr


def test_another_zotero_in_the_middle_is_told_and_what_was_added_counted(tmp_path: Path) -> None:
    put(
        tmp_path,
        *(
            paper(f"The number {at} and what is known of it", "Nora Noether", of_doi=f"10.1000/n{at}")
            for at in range(60)
        ),
    )
    with RunningZotero(version=10) as zotero:
        zotero.zotero.moves_after = 1
        ran = send(tmp_path, zotero)
        assert ran.returncode == 1
        assert "is not the same as before" in ran.stderr
        assert "50 papers added to Zotero, 0 there already; run this again for the others." in ran.stderr
        assert "10 papers added to Zotero, 50 there already" in send(tmp_path, zotero).stderr
        assert len(zotero.zotero.tops()) == 60


@pytest.mark.parametrize("status", [403, 412, 413, 428, 429, 501, 500])
def test_each_refusal_while_reading_is_one_sentence_and_nothing_is_imported(status: int, tmp_path: Path) -> None:
    with RunningZotero(version=10) as zotero:
        for number in range(150):
            zotero.zotero.add(BOOK | {"title": f"Volume {number} of many books on order"})
        zotero.zotero.statuses = {"start=100": status}
        one_sentence(take_in(tmp_path, zotero), "Nothing was imported.")
        assert on_shelf(tmp_path) == {}


@pytest.mark.parametrize(
    "kind",
    "hang reset garbage drip_head drip stall stall_body reset_body long_length chunk_cut no_length_cut 429"
    " login_page login_as_json truncated empty redirect_away redirect_loop gzip_bomb gzip_lie gzip_cut deep_json"
    " nan_json null_json list_json utf16".split(),
)
def test_a_reply_that_is_none_is_one_sentence_and_nothing_is_imported(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "SECONDS", 0.5)
    with RunningZotero(version=9, faults=[Fault(kind, path="/items", nth=1)]) as zotero:
        zotero.zotero.add(ARTICLE)
        one_sentence(take_in(tmp_path, zotero), "Nothing was imported.")
        assert on_shelf(tmp_path) == {}


def test_a_body_that_never_ends_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "BODY_CAP", 5_000_000)
    with RunningZotero(version=9, endless="/items") as zotero:
        one_sentence(take_in(tmp_path, zotero), "sent more than 5 MB", "Nothing was imported.")
        assert on_shelf(tmp_path) == {}


def test_an_address_of_another_machine_is_refused(tmp_path: Path) -> None:
    ran = spar(tmp_path, "import", "--from-zotero", more={"SPAR_ZOTERO_URL": "http://zotero.example.org"})
    assert ran.returncode == 2
    assert "must be an http address of this machine" in ran.stderr


def test_a_collection_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    with RunningZotero(version=9) as zotero:
        zotero.zotero.add_collection("Chapter", zotero.zotero.add_collection("Thesis"))
        one_sentence(take_in(tmp_path, zotero, "--collection", "Teaching"), "'Teaching'", "Thesis, Thesis/Chapter")


def test_two_collections_of_one_name_are_not_guessed_between(tmp_path: Path) -> None:
    with RunningZotero(version=9) as zotero:
        for parent in ("Thesis", "Teaching"):
            zotero.zotero.add_collection("Week 1", zotero.zotero.add_collection(parent))
        one_sentence(take_in(tmp_path, zotero, "--collection", "week 1"), "Teaching/Week 1, Thesis/Week 1")


def test_what_zotero_refuses_is_named_with_its_reason_and_the_rest_is_added(tmp_path: Path) -> None:
    put(tmp_path, PUBLISHED, EDGE_PAPERS["accents"])
    with RunningZotero(version=10, refused_objects={PUBLISHED.title: "the disk is full"}) as zotero:
        ran = send(tmp_path, zotero)
        assert ran.returncode == 1
        assert "1 paper added to Zotero" in ran.stderr
        assert "Zotero rejected 1: vaswaniAttentionAllYou2017: the disk is full." in ran.stderr
        assert len(zotero.zotero.tops()) == 1
