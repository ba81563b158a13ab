"""What a person calls a paper, and the paper of the library that is meant."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.run.resources import Resources
from agents.tools.paper_names import UnknownPaper, named_papers
from agents.tools.tool import ToolContext, ToolError
from cache import papers
from cache.store import PaperId, Store
from tests.agents.scripted import paper
from tests.library import copied
from tests.requests import world

TITLES = (
    "Highly accurate protein folds with RiverFold",
    "MossNet in the field",
    "A critique of MossNet",
    "Rivers in spring",
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "library.db")) as library:
        papers.remember(library, [paper(title, f"10.1000/{place}") for place, title in enumerate(TITLES)])
        yield library


def context(store: Store, candidates: tuple[PaperId, ...] | None = None) -> ToolContext:
    return ToolContext(store, Resources({}), world.NOW, candidates=candidates)


def titles(store: Store, name: str, candidates: tuple[PaperId, ...] | None = None) -> list[str]:
    return [found.title for found in papers.by_ids(store, list(named_papers([name], context(store, candidates))))]


def test_a_paper_goes_by_the_name_that_it_alone_has_in_its_title(store: Store) -> None:
    assert titles(store, "the RiverFold paper") == [TITLES[0]]


@pytest.mark.parametrize("name", ["the MossNet paper", "the spring paper", "the LakeFold paper", "RiverFold"])
def test_a_name_that_several_have_or_none_or_that_is_a_plain_word_names_no_paper(store: Store, name: str) -> None:
    with pytest.raises(UnknownPaper):
        titles(store, name)


def test_the_first_so_many_of_the_candidates_are_named_in_their_order(store: Store) -> None:
    candidates = tuple(PaperId(number) for number in (3, 1, 2))
    assert titles(store, "@top1", candidates) == [TITLES[2]]
    assert titles(store, "@top2", candidates) == [TITLES[2], TITLES[0]]
    assert len(titles(store, "@top9", candidates)) == 3


@pytest.mark.parametrize("candidates", [None, ()])
def test_where_nothing_was_chosen_nothing_is_the_first(store: Store, candidates: tuple[PaperId, ...] | None) -> None:
    with pytest.raises(ToolError, match="There are no papers"):
        titles(store, "@top1", candidates)
