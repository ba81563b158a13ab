import asyncio
import gzip
import os
import signal
import subprocess
import sys
from collections import Counter
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lancedb", reason="the extra `corpus` is not installed")

from cache.corpus.index import Index
from cache.corpus.ingest import CUT_OFF, FileBuilt, build, writing
from cache.corpus.rows import WorkFilter
from cache.corpus.table import (
    LINKS,
    VERSION,
    BeingBuilt,
    Database,
    NoCorpus,
    NoRoom,
    NotACorpus,
    TooNewCorpus,
    named_errors,
    schemas,
)
from cache.corpus.upkeep import compact
from connectors.identifiers import Identifier
from tests.cache.corpus.dumps import dumps_in_parts, wait_for_files, work, written
from tests.spar_tui.running import PATIENCE, wait_until

ROOT = Path(__file__).parents[3]


def built(place: Path, *files: Path, wanted: WorkFilter | None = None) -> list[FileBuilt]:
    return build(str(place), files, wanted or WorkFilter(), lambda file: None, processes=2)


def test_a_corpus_holds_the_works_of_its_files(tmp_path: Path) -> None:
    files = [written(tmp_path / f"{part}.gz", (work(part * 100 + n) for n in range(1, 51))) for part in range(3)]
    assert [one.works for one in built(tmp_path / "corpus", *files)] == [50, 50, 50]
    info = Index(str(tmp_path / "corpus")).info()
    assert (info.works, info.files, info.by_source, info.unindexed) == (150, 3, {"openalex": 150}, 0)
    assert info.years == (2000, 2019)


def test_a_file_without_gzip_is_read_as_well(tmp_path: Path) -> None:
    [one] = built(tmp_path / "corpus", written(tmp_path / "works.jsonl", [work(1), work(2)], zipped=False))
    assert (one.works, one.fault) == (2, "")


def test_what_was_read_before_is_not_read_again(tmp_path: Path) -> None:
    file = written(tmp_path / "works.gz", map(work, range(1, 20)))
    built(tmp_path / "corpus", file)
    [again] = built(tmp_path / "corpus", file)
    assert (again.before, again.lines, again.works) == (19, 0, 0)


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    file = written(tmp_path / "works.gz", map(work, range(1, 20)))
    first, again = built(tmp_path / "corpus", file, file)
    assert (first.works, again.before, again.lines) == (19, 19, 0)


def test_few_lines_are_read_without_other_processes_though_they_are_of_several_files(tmp_path: Path) -> None:
    started: list[object] = []
    files = [written(tmp_path / f"{number}.gz", [work(number)]) for number in (1, 2, 3)]
    build(str(tmp_path / "corpus"), files, WorkFilter(), lambda file: started.extend(active_children()), processes=2)
    assert started == []


def test_what_keeps_the_last_works_from_being_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    file = written(tmp_path / "works.gz", map(work, range(1, 20)))

    def spoil(one: FileBuilt) -> None:
        raise NoRoom("corpus")

    with pytest.raises(NoRoom):
        build(str(tmp_path / "corpus"), [file], WorkFilter(), spoil, processes=1)


def test_of_a_file_that_has_grown_the_new_works_are_taken_in(tmp_path: Path) -> None:
    file = written(tmp_path / "works.gz", map(work, range(1, 20)))
    built(tmp_path / "corpus", file)
    with file.open("ab") as more:
        more.write(gzip.compress(b"".join(one for one in _lines(20, 25))))
    [again] = built(tmp_path / "corpus", file)
    assert (again.before, again.works, again.replaced) == (19, 5, 0)
    assert Index(str(tmp_path / "corpus")).info().works == 24


def test_another_file_of_the_same_name_is_read_whole(tmp_path: Path) -> None:
    built(tmp_path / "corpus", written(tmp_path / "works.gz", map(work, range(1, 20))))
    [again] = built(tmp_path / "corpus", written(tmp_path / "works.gz", map(work, range(50, 60))))
    assert (again.before, again.works) == (0, 10)


def test_a_newer_record_replaces_the_older_one(tmp_path: Path) -> None:
    built(tmp_path / "corpus", written(tmp_path / "old.gz", map(work, range(1, 20))))
    [one] = built(tmp_path / "corpus", written(tmp_path / "new.gz", [work(7, "Seven renamed"), work(30)]))
    assert (one.works, one.replaced) == (2, 1)
    index = Index(str(tmp_path / "corpus"))
    assert index.info().works == 20
    assert [paper.title for paper in index.lookup([Identifier("openalex", "W7")])] == ["Seven renamed"]
    assert [paper.title for paper in index.search("renamed")] == ["Seven renamed"]


def test_of_a_work_that_stands_twice_in_a_file_the_last_record_counts(tmp_path: Path) -> None:
    built(tmp_path / "corpus", written(tmp_path / "works.gz", [work(1, "First"), work(2), work(1, "Last")]))
    index = Index(str(tmp_path / "corpus"))
    assert index.info().works == 2
    assert [paper.title for paper in index.lookup([Identifier("openalex", "W1")])] == ["Last"]


def test_filters_by_field_language_and_year_choose_the_works(tmp_path: Path) -> None:
    topic: dict[str, Any] = {"primary_topic": {"field": {"display_name": "Computer Science"}}}
    records = [
        work(1, **topic, publication_year=2020),
        work(2, **topic, publication_year=1990),
        work(3, **topic, publication_year=2020, language="de"),
        work(4, publication_year=2020),
    ]
    wanted = WorkFilter(frozenset({"computer science"}), frozenset({"en"}), since=2000, until=2021)
    [one] = built(tmp_path / "corpus", written(tmp_path / "works.gz", records), wanted=wanted)
    assert (one.works, one.left_out) == (1, Counter({"outside the filters": 3}))
    [all_of_them] = built(tmp_path / "corpus", tmp_path / "works.gz")
    assert (all_of_them.works, all_of_them.replaced) == (4, 1)


def test_what_is_no_record_of_a_work_is_left_out_and_counted(tmp_path: Path) -> None:
    records: list[object] = [
        work(1),
        "{not JSON",
        {"id": "https://openalex.org/A1", "works_count": 3},
        work(2, "?!"),
        work(3) | {"id": None},
        "[1, 2]",
        "",
        work(4),
    ]
    [one] = built(tmp_path / "corpus", written(tmp_path / "works.gz", records))
    left = {"no JSON": 1, "no record of a work": 2, "without title or id": 2}
    assert (one.works, one.left_out, one.first_no_json, one.lines) == (2, Counter(left), 2, 8)


def test_a_gzipped_file_that_is_cut_off_gives_what_it_holds_and_is_named(tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.gz", map(work, range(1, 3_000))).read_bytes()
    file = tmp_path / "works.gz"
    file.write_bytes(whole[: len(whole) // 2])
    [cut] = built(tmp_path / "corpus", file)
    assert cut.fault == CUT_OFF
    assert 1_000 < cut.works < 2_999
    file.write_bytes(whole)
    [rest] = built(tmp_path / "corpus", file)
    assert (rest.before, rest.fault, rest.replaced) == (cut.lines, "", 0)
    assert Index(str(tmp_path / "corpus")).info().works == 2_999


def test_a_last_line_that_is_still_being_written_waits_for_the_next_build(tmp_path: Path) -> None:
    file = written(tmp_path / "works.jsonl", [work(1), work(2)], zipped=False)
    whole = file.read_bytes()
    file.write_bytes(whole[:-30])
    [cut] = built(tmp_path / "corpus", file)
    assert (cut.works, cut.fault) == (1, CUT_OFF)
    file.write_bytes(whole)
    [rest] = built(tmp_path / "corpus", file)
    assert (rest.works, rest.fault) == (1, "")


def test_a_file_that_cannot_be_read_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    good = written(tmp_path / "works.gz", [work(1)])
    missing, folder, fine = built(tmp_path / "corpus", tmp_path / "none.gz", tmp_path, good)
    assert missing.fault == "it cannot be read (No such file or directory)"
    assert folder.fault == "it cannot be read (Is a directory)"
    assert (fine.works, fine.fault) == (1, "")


def test_a_build_that_is_killed_goes_on_and_ends_with_each_work_once(tmp_path: Path) -> None:
    home, many = tmp_path / "home", 6_000
    files = dumps_in_parts(tmp_path, many, 12)
    kills = 0
    for more in (30, 75):
        process = _build_process(home, files)
        wait_for_files(process, home / "corpus", more)
        kills += process.poll() is None
        children = _children(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        _gone(children)
    assert kills, "the build was never killed on its way"
    assert _build_process(home, files).wait() == 0
    index = Index(str(home / "corpus"))
    assert index.info().works == many
    papers, total = index.references(index.lookup([Identifier("doi", "10.5555/w500")]), 5)
    assert ([paper.id for paper in papers], total) == (["doi:10.5555/w499"], 1)
    papers, total = index.citations(index.lookup([Identifier("doi", "10.5555/w500")]), 5)
    assert ([paper.id for paper in papers], total) == (["doi:10.5555/w501"], 1)


@pytest.mark.parametrize("name", ["works", "links", "parts", "abstracts"])
def test_a_build_that_ended_while_it_made_a_table_goes_on(tmp_path: Path, name: str) -> None:
    (tmp_path / "corpus" / f"{name}.lance" / "_versions").mkdir(parents=True)
    with pytest.raises(NoCorpus):
        Index(str(tmp_path / "corpus"))
    built(tmp_path / "corpus", written(tmp_path / "works.gz", [work(1)]))
    assert Index(str(tmp_path / "corpus")).info().works == 1


def test_two_processes_do_not_write_at_once(tmp_path: Path) -> None:
    file = written(tmp_path / "works.gz", [work(1)])
    with writing(str(tmp_path / "corpus")), pytest.raises(BeingBuilt, match="nothing was changed"):
        built(tmp_path / "corpus", file)


def test_who_reads_is_not_disturbed_by_who_writes_and_reads_the_next_version(tmp_path: Path) -> None:
    place = tmp_path / "corpus"
    built(place, written(tmp_path / "0.gz", map(work, range(1, 500))))
    code = (
        "import sys; from cache.corpus.index import Index; index = Index(sys.argv[1])\n"
        "while not any(paper.title == 'Lastly' for paper in index.search('lastly')):\n"
        "    assert index.search('matter7')\n"
    )
    reader = subprocess.Popen([sys.executable, "-c", code, str(place)], cwd=ROOT, stderr=subprocess.PIPE)
    for part in range(1, 6):
        built(place, written(tmp_path / f"{part}.gz", map(work, range(500 * part, 500 * part + 500))))
        asyncio.run(compact(str(place)))
    built(place, written(tmp_path / "last.gz", [work(9_999, "Lastly")]))
    _, said = reader.communicate(timeout=PATIENCE)
    assert reader.returncode == 0, said.decode()


def test_a_folder_of_other_things_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(NotACorpus, match=r"the folder contains thesis\.tex"):
        built(tmp_path, written(tmp_path / "works.gz", [work(1)]))
    with pytest.raises(NotACorpus):
        Index(str(tmp_path))
    assert (tmp_path / "thesis.tex").read_text() == "mine"


def test_a_corpus_of_a_newer_spar_is_not_touched(tmp_path: Path) -> None:
    import lancedb

    schema = schemas()[LINKS].with_metadata({b"spar.corpus": str(VERSION + 1).encode()})
    lancedb.connect(str(tmp_path / "corpus")).create_table("works", schema=schema)
    with pytest.raises(TooNewCorpus, match="Upgrade spar"):
        built(tmp_path / "corpus", written(tmp_path / "works.gz", [work(1)]))


def test_a_corpus_that_is_dropped_leaves_nothing(tmp_path: Path) -> None:
    built(tmp_path / "corpus", written(tmp_path / "works.gz", [work(1)]))
    Database(str(tmp_path / "corpus")).drop()
    assert not (tmp_path / "corpus").exists()
    with pytest.raises(NoCorpus):
        Index(str(tmp_path / "corpus"))


def test_a_full_disk_is_told_as_such() -> None:
    with pytest.raises(NoRoom, match="what was stored before is safe"), named_errors("/lab/corpus"):
        raise OSError("LanceError(IO): Generic LocalFileSystem error: No space left on device (os error 28)")


def _lines(first: int, after: int) -> list[bytes]:
    import json

    return [json.dumps(work(number)).encode() + b"\n" for number in range(first, after)]


def _build_process(home: Path, files: list[Path]) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "SPAR_HOME": str(home), "SPAR_CORPUS": ""}
    command = [sys.executable, "-m", "spar_tui", "corpus", "build", *map(str, files)]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _children(parent: int) -> list[int]:
    listed = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(one) for one in listed.read_text().split()] if listed.exists() else []


def _gone(processes: list[int]) -> None:
    """Wait until those processes have ended."""
    wait_until(lambda: not any(map(_alive, processes)))


def _alive(process: int) -> bool:
    status = Path(f"/proc/{process}/stat")
    return status.exists() and " Z " not in status.read_text()
