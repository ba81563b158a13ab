"""What papers are compared by is kept as long as it is true of them."""

from contextlib import closing

import pytest
from sqlite_utils import Database

from cache import paper_tokens, papers
from cache.migrations import LIBRARY
from cache.paper_tokens import keep_vectors, kept_vectors
from cache.store import Store
from tests.cache.conftest import make_paper, name

ENGINES = make_paper("Engines", "10.1000/a")
WHALES = make_paper("Whales", "pmid:2", author="Melville")


def kept(store: Store, reader: int = 1) -> dict[int, bytes]:
    numbers, tokens = paper_tokens.kept_tokens(store, reader)
    return dict(zip(map(int, numbers), tokens, strict=True))


def unread(store: Store, reader: int = 1) -> list[int]:
    known, _ = paper_tokens.kept_tokens(store, reader)
    return [entry.number for batch in paper_tokens.unread(store, known) for entry in batch]


def test_a_paper_is_read_once(store: Store) -> None:
    engines, whales = papers.remember(store, [ENGINES, WHALES])
    assert unread(store) == [engines, whales]
    paper_tokens.keep_tokens(store, 1, [(whales, b"w"), (engines, b"e"), (99, b"gone")])
    assert unread(store) == []
    assert kept(store) == {engines: b"e", whales: b"w"}


def test_more_papers_than_a_batch_are_all_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_tokens, "BATCH", 2)
    numbers = papers.remember(store, [make_paper(f"Part {one}", f"10.1000/{one}") for one in range(5)])
    for batch in paper_tokens.unread(store, []):
        paper_tokens.keep_tokens(store, 1, [(entry.number, b"x") for entry in batch])
    assert sorted(kept(store)) == numbers


def test_what_another_reader_made_is_as_good_as_none(store: Store) -> None:
    [engines] = papers.remember(store, [ENGINES])
    paper_tokens.keep_tokens(store, 1, [(engines, b"old")])
    assert unread(store, reader=2) == [engines]
    paper_tokens.keep_tokens(store, 2, [(engines, b"new")])
    assert kept(store, 2) == {engines: b"new"}
    assert kept(store, 1) == {}


def test_a_paper_of_which_more_is_learned_is_read_anew(store: Store) -> None:
    engines, whales = papers.remember(store, [ENGINES, WHALES])
    paper_tokens.keep_tokens(store, 1, [(engines, b"e"), (whales, b"w")])
    papers.remember(store, [make_paper("Engines", "10.1000/a", abstract="They run.")])
    assert unread(store) == [engines]


def test_a_paper_that_is_only_seen_again_is_not(store: Store) -> None:
    [engines] = papers.remember(store, [ENGINES])
    paper_tokens.keep_tokens(store, 1, [(engines, b"e")])
    papers.remember(store, [ENGINES])
    assert unread(store) == []


def test_a_new_link_is_read_and_stands_among_what_the_paper_cites(store: Store) -> None:
    engines, whales = papers.remember(store, [ENGINES, WHALES])
    paper_tokens.keep_tokens(store, 1, [(engines, b"e"), (whales, b"w")])
    papers.link(store, [ENGINES], [WHALES])
    [[entry]] = list(paper_tokens.unread(store, [whales]))
    assert entry == (engines, ENGINES, (name("pmid:2"),))
    paper_tokens.keep_tokens(store, 1, [(engines, b"e")])
    papers.link(store, [ENGINES], [WHALES])
    assert unread(store) == []


def test_of_papers_that_turn_out_to_be_one_the_one_is_read_anew(store: Store) -> None:
    first, second = papers.remember(store, [ENGINES, make_paper("On engines", "pmid:7")])
    paper_tokens.keep_tokens(store, 1, [(first, b"e"), (second, b"o")])
    papers.remember(store, [make_paper("Engines", "10.1000/a", "pmid:7")])
    assert kept(store) == {}
    assert unread(store) == [first]


def twice(store: Store) -> list[int]:
    """The numbers of a work that is there twice, the second time with no word that the first has not."""
    [first] = papers.remember(store, [make_paper("Engines", "10.1000/a", "pmid:7")])
    second = papers.remember_as(store, make_paper("Engines"), None)
    return [first, second]


def joined(store: Store) -> None:
    """Let it turn out that both are one."""
    papers.remember(store, [make_paper("Engines", "pmid:7")])
    with store.reading() as db:
        assert db.execute("SELECT count(*) FROM papers").fetchone() == (1,)


def test_the_tokens_of_a_paper_that_went_are_not_taken_for_those_of_the_one_it_became(store: Store) -> None:
    first, second = twice(store)
    paper_tokens.keep_tokens(store, 1, [(second, b"of the second")])
    joined(store)
    assert kept(store) == {}
    assert unread(store) == [first]


def test_a_paper_that_inherits_links_is_read_anew(store: Store) -> None:
    first, second = twice(store)
    with store.writing() as db:
        db.execute("INSERT INTO citation_links (citing, scheme, value) VALUES (?, 'pmid', '2')", (second,))
    paper_tokens.keep_tokens(store, 1, [(first, b"e"), (second, b"o")])
    joined(store)
    [[entry]] = list(paper_tokens.unread(store, []))
    assert (entry.number, entry.cited) == (first, (name("pmid:2"),))


def test_a_library_of_before_gets_room_for_tokens_and_a_profile() -> None:
    with closing(Database(memory=True)) as database:
        LIBRARY.apply(database, stop_before="0007_taste")
        before = set(database.table_names())
        LIBRARY.apply(database, stop_before="0008_paper_facts")
        after = set(database.table_names())
    assert after - before == {"paper_tokens", "paper_vectors", "profile", "profile_papers", "set_aside"}


SLEEP, AWAKE = "Sleep and memory. Sleep helps.", "Sleep and memory. Sleep does not help."


def test_a_vector_is_found_again_in_its_space_only(store: Store) -> None:
    keep_vectors(store, "here model-1", {SLEEP: b"1234"})
    assert kept_vectors(store, "here model-1", [SLEEP]) == {SLEEP: b"1234"}
    assert kept_vectors(store, "here model-2", [SLEEP]) == {}


def test_a_text_that_says_something_else_has_no_vector(store: Store) -> None:
    keep_vectors(store, "here", {SLEEP: b"1234"})
    assert kept_vectors(store, "here", [AWAKE, SLEEP]) == {SLEEP: b"1234"}


def test_a_vector_made_again_replaces_the_one_before(store: Store) -> None:
    keep_vectors(store, "here", {SLEEP: b"1234"})
    keep_vectors(store, "here", {SLEEP: b"5678"})
    assert kept_vectors(store, "here", [SLEEP]) == {SLEEP: b"5678"}
