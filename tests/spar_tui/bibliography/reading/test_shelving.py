"""What is imported joins what is there, and what the person wrote themselves stays."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache import citation_keys, originals, papers, reading_history, shelf
from cache.journal import MOST_PAPERS, newest
from cache.store import Store
from connectors.records.grouping import Works
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.shelving import Shelving, put_on_shelf
from tests.cache.conftest import make_paper
from tests.library import copied
from tests.rows import each
from tests.work import grows_evenly

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
BIB = r"""
@article{lovelace43, title={Notes on the Engine}, author={Lovelace, Ada}, year=1843, doi={10.1000/notes},
  volume={3}, annote={From the file.}, keywords={engines, history}, file={papers/notes.pdf}}
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "library.db")) as opened:
        yield opened


def take_in(store: Store, text: str, folder: Path = Path("/refs")) -> Shelving:
    return put_on_shelf(store, found_in(text, "refs.bib").entries, folder, now=NOON)


def only(store: Store) -> shelf.Shelved:
    [one] = shelf.shelf(store)
    return one


def test_an_imported_paper_is_on_the_shelf_with_all_that_its_entry_says(store: Store) -> None:
    taken = take_in(store, BIB)
    one = only(store)
    assert (one.key, one.note, one.tags, one.files) == (
        "lovelace43", "From the file.", ("engines", "history"), ("/refs/papers/notes.pdf",),
    )  # fmt: skip
    assert one.details == {"volume": "3"}
    assert taken.numbers == (one.number,)
    assert taken.new == {one.number}
    assert [act.act for act in reading_history.interactions(store)] == ["saved"]


def test_importing_again_changes_nothing(store: Store) -> None:
    take_in(store, BIB)
    before = only(store)
    again = take_in(store, BIB)
    assert only(store) == before
    assert again.new == frozenset()
    assert len(reading_history.interactions(store)) == 1


@pytest.mark.parametrize(
    "told",
    ["doi={{no-doi-{}}}", "year={{{}}}", "journal={{Reports of Station {}}}, year=2020", "eprint={{2001.{:05}}}"],
)
def test_many_entries_of_one_title_and_author_are_compared_with_few(tmp_path: Path, told: str) -> None:
    def take(count: int) -> None:
        entries = (f"@article{{k{number}, title={{A study of one and the same thing}}, author={{Weiss, A}}, "
                   f"{told.format(number)}}}\n" for number in range(1000, 1000 + count))  # fmt: skip
        with Store.open(copied(tmp_path / f"{count}.db")) as store:
            take_in(store, "".join(entries))

    assert grows_evenly(take, 60)


def test_the_reports_of_two_years_are_two_papers_however_often_they_are_imported(store: Store) -> None:
    report = "@techreport{{r{0}, title={{Annual report}}, author={{{{The Agency}}}}, year={0}}}\n"
    first = take_in(store, report.format(2019) + report.format(2020) + report.format(2021))
    assert len(set(first.numbers)) == 3
    assert first.problems == ()
    again = take_in(store, report.format(2020) + report.format(2019))
    assert (again.numbers, again.new) == ((first.numbers[1], first.numbers[0]), frozenset())
    assert {one.key: one.paper.year for one in shelf.shelf(store)} == {"r2019": 2019, "r2020": 2020, "r2021": 2021}


WORKS = [
    {"title": "Notes", "author": "Lovelace, Ada"},
    {"title": "{Notes}!", "author": "Babbage, C.", "year": "n.d."},
    {"title": "???", "author": "{?}"},
    {"title": "!!!"},
    {"title": "王伟"},
    {"title": "Über", "author": "Lovelace, Ada and Babbage, Charles", "year": "1843"},
    {"title": "Editorial", "author": "Smith, J.", "year": "2000", "doi": "10.1000/a"},
    {"title": "Editorial", "author": "Smith, J.", "year": "2003", "doi": "10.1000/b"},
    {"title": "Attention Is All You Need", "author": "Vaswani, A.", "year": "2017", "eprint": "1706.03762"},
    {"author": "Vaswani, A.", "journal": "arXiv preprint arXiv:1706.03763"},
    # One report a year, each a year from the next, and all of them works of their own.
    *({"title": "Annual report", "author": "{The Agency}", "year": str(year)} for year in range(2018, 2023)),
    # One identifier that several works bear.
    *(
        {"title": title, "author": author, "year": "2020", "doi": "10.1000/proceedings"}
        for title, author in [("Sparse attention", "Lee, A."), ("Protein folding", "Chen, B."), ("Weather", "Ito, C.")]
    ),
    {"title": "Proceedings of all of them", "year": "2020", "doi": "10.1000/proceedings"},
]
MORE = st.fixed_dictionaries({}, optional={
    "journal": st.sampled_from(["Memoirs", "J. Letters"]),
    "volume": st.sampled_from(["3", "4"]),
    "keywords": st.sampled_from(["history", "a; b, c"]),
    "annote": st.sampled_from(["One.", "Two.", "One. Two."]),
    "file": st.sampled_from(["a.pdf", ":b.pdf:PDF", "a.pdf;:c.pdf:PDF"]),
    "url": st.just("https://example.org/a"),
})  # fmt: skip
ENTRIES = st.builds(lambda work, more: {**more, **work}, st.sampled_from(WORKS), MORE)


def bib(entries: list[dict[str, str]]) -> str:
    written = [", ".join(f"{name}={{{value}}}" for name, value in entry.items()) for entry in entries]
    return "\n".join(f"@article{{key{place}, {fields}}}" for place, fields in enumerate(written))


@given(st.lists(ENTRIES, max_size=8))
def test_importing_any_file_twice_adds_nothing(entries: list[dict[str, str]]) -> None:
    with TemporaryDirectory() as folder, Store.open(copied(Path(folder, "library.db"))) as store:
        take_in(store, bib(entries))
        before = shelf.shelf(store), reading_history.interactions(store)
        again = take_in(store, bib(entries))
        assert again.new == frozenset()
        assert (shelf.shelf(store), reading_history.interactions(store)) == before


def test_what_the_person_wrote_and_what_sources_told_stays(store: Store) -> None:
    known = make_paper("Notes on the Engine, by the Translator", "10.1000/notes", year=1843, abstract="Whole abstract.")
    [number] = shelf.save(store, [known], ["mine"])
    shelf.set_note(store, number, "My own.")
    shelf.set_files(store, number, ["/mine.pdf"])
    citation_keys.keep(store, number, "myKey")
    taken = take_in(store, BIB)
    one = only(store)
    assert taken.new == frozenset()
    assert (one.note, one.key) == ("My own.\n\nFrom the file.", "myKey")
    assert one.files == ("/mine.pdf", "/refs/papers/notes.pdf")
    assert one.tags == ("engines", "history", "mine")
    assert one.paper.abstract == "Whole abstract."
    assert citation_keys.paper_of(store, "lovelace43") == number


def test_a_key_that_names_another_paper_is_told_and_the_paper_taken(store: Store) -> None:
    [other] = papers.remember(store, [make_paper("Another", "pmid:3", author="Babbage")])
    citation_keys.keep(store, other, "lovelace43")
    taken = take_in(store, BIB)
    [problem] = taken.problems
    assert (problem.line, problem.name, problem.taken) == (2, "lovelace43", True)
    assert problem.reason.startswith("another entry has this key, so")
    assert problem.reason.endswith("gets the key lovelace43a")
    assert only(store).key == "lovelace43a"


@each("first", ["Roe2004", "roe2004"])
def test_keys_that_differ_only_in_case_stay_and_name_their_own_papers(store: Store, first: str) -> None:
    entries = {"Roe2004": "author={Roe, Ann}, title={Reeds}", "roe2004": "author={Roe, Zed}, title={Fens}"}
    for key in (first, *(entries.keys() - {first})):
        assert not take_in(store, f"@book{{{key}, {entries[key]}, year=2004}}").problems
    titles = {str(one.key): one.paper.title for one in shelf.shelf(store)}
    assert titles == {"Roe2004": "Reeds", "roe2004": "Fens"}
    for key, title in titles.items():
        number = citation_keys.paper_of(store, key)
        assert number is not None
        assert papers.by_id(store, number).title == title
    assert citation_keys.paper_of(store, "ROE2004") is None


def test_another_work_under_the_key_of_an_earlier_entry_gets_a_key_that_is_told(store: Store) -> None:
    text = BIB + "@book{lovelace43, title={On Gears}, author={Babbage, C}, year=1840}"
    taken = take_in(store, text)
    assert [(problem.line, problem.name) for problem in taken.problems] == [(4, "lovelace43")]
    assert "“On Gears” gets the key lovelace43a" in taken.problems[0].reason
    assert {one.key for one in shelf.shelf(store)} == {"lovelace43", "lovelace43a"}
    assert take_in(store, text).new == set()
    assert {one.key for one in shelf.shelf(store)} == {"lovelace43", "lovelace43a"}


def test_two_entries_of_one_work_become_one_paper_that_both_keys_name(store: Store) -> None:
    taken = take_in(store, BIB + BIB.replace("lovelace43", "Lov1843").replace("From the file.", "Second note."))
    one = only(store)
    assert taken.numbers == (one.number, one.number)
    assert one.key == "lovelace43"
    assert citation_keys.paper_of(store, "lov1843") == one.number
    assert one.note == "From the file.\n\nSecond note."


def test_a_path_is_looked_for_from_the_files_folder(store: Store, tmp_path: Path) -> None:
    (tmp_path / "a%20b.pdf").touch()
    entry = "@misc{k%s, title={Paper %s of some}, author={Author%s, A}, year=2000, file={%s}}"
    paths = ["a%20b.pdf", "c%20d.pdf", "/elsewhere/e.pdf", r"C:\\papers\\f.pdf"]
    take_in(store, "\n".join(entry % (n, n, n, path) for n, path in enumerate(paths)), tmp_path)
    kept = {one.key: one.files[0] for one in shelf.shelf(store)}
    assert kept == {
        "k0": str(tmp_path / "a%20b.pdf"), "k1": str(tmp_path / "c d.pdf"), "k2": "/elsewhere/e.pdf",
        "k3": r"C:\papers\f.pdf",
    }  # fmt: skip


def test_every_file_of_an_entry_is_kept_and_those_of_another_import_are_added(store: Store) -> None:
    take_in(store, BIB.replace("{papers/notes.pdf}", "{papers/data.zip;:papers/notes.pdf:PDF}"))
    assert only(store).files == ("/refs/papers/notes.pdf", "/refs/papers/data.zip")
    take_in(store, BIB, Path("/moved"))
    assert only(store).files == ("/refs/papers/notes.pdf", "/refs/papers/data.zip", "/moved/papers/notes.pdf")


def test_hostile_text_arrives_without_what_could_steer_a_terminal(store: Store) -> None:
    take_in(
        store, "@misc{k, title={A \x1b[2Jtitle\u202e}, author={A\x07, B}, annote={x\x1b]0;y\x07}, keywords={a\x00b}}"
    )
    one = only(store)
    shown = one.paper.title + one.note + "".join(one.tags) + one.paper.authors[0].name
    assert not any(character in shown for character in "\x1b\x07\x00\u202e")


def test_1_500_entries_are_saved_in_their_order(store: Store) -> None:
    entry = "@misc{k%d, title={Paper number %d of all}, author={Author%d, A}, year=2000}\n"
    taken = take_in(store, "".join(entry % (n, n, n) for n in range(1_500)))
    assert len(taken.new) == 1_500
    assert citation_keys.keys_of(store, taken.numbers[:2]) == {taken.numbers[0]: "k0", taken.numbers[1]: "k1"}
    assert citation_keys.paper_of(store, "k1499") == taken.numbers[-1]


@pytest.mark.parametrize("count", [MOST_PAPERS + 200, 2 * MOST_PAPERS + 200])
def test_an_import_of_more_papers_than_a_step_keeps_is_not_taken_back_in_part(store: Store, count: int) -> None:
    take_in(store, "@misc{a, title={Before}}")
    assert newest(store)
    take_in(store, "".join(f"@misc{{k{number}, title={{Reed number {number}}}}}\n" for number in range(count)))
    assert newest(store) == ""


def test_the_key_of_the_persons_file_goes_before_one_that_spar_made(store: Store) -> None:
    [known] = shelf.save(store, [make_paper("Notes on the Engine", "doi:10.1000/notes", year=1843)])
    citation_keys.keep(store, known, "lovelace1843notes")
    take_in(store, BIB)
    assert only(store).key == "lovelace43"
    assert citation_keys.paper_of(store, "lovelace1843notes") == known


def test_the_other_names_of_an_entry_name_its_paper_too(store: Store) -> None:
    [number] = take_in(store, BIB.replace("volume={3}", "volume={3}, ids={ada43, notes43}")).numbers
    assert [citation_keys.paper_of(store, key) for key in ("lovelace43", "ada43", "notes43")] == [number] * 3


KNUTH = "@book{{knuth, title={{{0}}}, author={{Knuth, Donald}}, year=1997, volume={1}{2}}}"


@pytest.mark.parametrize(
    "other", [KNUTH.format("Another book altogether", 1, ""), KNUTH.format("Sorting", 3, ""),
              KNUTH.format("Another book altogether", 3, "")],
)  # fmt: skip
def test_another_work_under_a_known_key_takes_the_place_of_none(store: Store, other: str) -> None:
    take_in(store, KNUTH.format("Sorting", 1, ""))
    second = take_in(store, other)
    assert (len(second.new), second.updated) == (1, ())
    assert "knutha" in second.problems[0].reason
    kept = originals.of_papers(store, [one.number for one in shelf.shelf(store)])
    assert sorted((entry.key, entry.original.value("volume")) for [entry] in kept.values()) == [
        ("knuth", "1"), ("knutha", "1" if "volume=1" in other else "3"),
    ]  # fmt: skip


def test_an_entry_that_was_corrected_takes_its_own_place_by_its_identifier(store: Store) -> None:
    doi = ", doi={10.1000/sorting}"
    take_in(store, KNUTH.format("Sorting", 1, doi))
    again = take_in(store, KNUTH.format("Sorting", 3, doi))
    assert (again.new, again.updated) == (frozenset(), ("knuth",))


@pytest.mark.parametrize("doi", ["", ", doi={10.1000/book}"])
def test_two_entries_that_stay_apart_are_two_in_a_search_of_the_library_too(store: Store, doi: str) -> None:
    take_in(store, KNUTH.format("Sorting", 1, doi) + KNUTH.format("Sorting", 2, doi).replace("{knuth", "{knuth2"))
    works = Works()
    added = [works.add(one.paper).work for one in shelf.shelf(store)]
    assert len(set(added)) == 2
