"""What stood in a person's file is kept letter for letter, with the paper it is of."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from cache import originals, papers, shelf
from cache.originals import Original
from cache.store import Store
from tests.cache.conftest import make_paper
from tests.library import copied

ENTRY = Original(
    "bibtex", "Article", "knuth84", (("Author", "Knuth, D."), ("bdsk-url-1", "http://x")), (("year", "1984"),)
)


def saved(store: Store, title: str, doi: str) -> int:
    [number] = shelf.save(store, [make_paper(title, doi)])
    return number


def test_an_entry_comes_back_letter_for_letter_and_is_known_again(store: Store) -> None:
    number = saved(store, "Literate programming", "doi:10.1000/a")
    originals.keep(store, number, ENTRY, "knuth84")
    [kept] = originals.of_papers(store, [number])[number]
    assert (kept.original, kept.key) == (ENTRY, "knuth84")
    assert originals.paper_of(store, ENTRY) == number
    assert originals.called(store, "KNUTH84") == (number, kept)


def test_a_changed_entry_is_another_until_it_takes_the_old_ones_place(store: Store) -> None:
    number = saved(store, "Literate programming", "doi:10.1000/a")
    originals.keep(store, number, ENTRY, "knuth84")
    changed = Original("bibtex", "Article", "knuth84", (("title", "Literate Programming"),))
    assert originals.paper_of(store, changed) is None
    [kept] = originals.of_papers(store, [number])[number]
    originals.replace(store, kept.number, changed)
    assert originals.paper_of(store, ENTRY) is None
    assert originals.of_papers(store, [number])[number][0].original == changed


def test_an_entry_is_looked_for_as_it_is_and_else_by_its_key(store: Store) -> None:
    first, second = (saved(store, title, f"doi:10.1000/{title}") for title in ("Programming", "Typography"))
    other = Original("bibtex", "article", "other", (("title", "Other"),))
    originals.keep(store, first, ENTRY, "knuth84")
    originals.keep(store, second, other, "other")
    [kept] = originals.of_papers(store, [second])[second]
    assert originals.kept_before(store, ENTRY, "other") == (first, None)
    unknown = Original("bibtex", "article", "other", (("title", "Changed"),))
    assert originals.kept_before(store, unknown, "Other") == (second, kept)
    assert originals.kept_before(store, unknown, "") is None
    assert originals.kept_before(store, unknown, "third") is None


def test_two_papers_that_are_entries_are_not_made_one_by_what_sources_tell(store: Store) -> None:
    first, second = (saved(store, f"Editorial number {word}", f"pmid:{word}") for word in ("1", "2"))
    for number, key in ((first, "a"), (second, "b")):
        originals.keep(store, number, Original("bibtex", "article", key, (("title", key),)), key)
    bridge = make_paper("Editorial number 1", "pmid:1", "pmid:2")
    papers.remember(store, [bridge])
    assert set(shelf.numbers_on_shelf(store)) == {first, second}


def test_a_paper_that_was_taken_off_the_shelf_by_mistake_has_its_entry_again(store: Store) -> None:
    number = saved(store, "Literate programming", "doi:10.1000/a")
    originals.keep(store, number, ENTRY, "knuth84")
    shelf.unsave(store, [number])
    shelf.put(store, [number])
    [kept] = originals.of_papers(store, [number])[number]
    assert kept.original == ENTRY


TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)


@given(kind=TEXTS, key=TEXTS, fields=st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_any_text_is_kept_as_it_is(kind: str, key: str, fields: list[tuple[str, str]]) -> None:
    original = Original("ris", kind, key, tuple(fields), tuple(fields))
    with TemporaryDirectory() as folder, Store.open(copied(Path(folder) / "library.db")) as store:
        number = saved(store, "T", "doi:10.1000/a")
        originals.keep(store, number, original, "k")
        assert originals.of_papers(store, [number])[number][0].original == original
