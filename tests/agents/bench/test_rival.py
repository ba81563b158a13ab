"""The strongest plain way: what feedback and links add to the words of the question, worked out by hand."""

from pathlib import Path

import numpy as np
import pytest

from agents.bench import rival
from agents.bench.closed_world import Case, answerable, closed_cases
from agents.bench.collections import read_collection
from agents.bench.run import RIVAL, plain
from agents.builtin.ranking.bm25 import Bm25Index
from tests.agents.bench import tiny


def library(references: list[list[int]], hidden: tuple[int, ...] = ()) -> rival.Library:
    citations: list[list[int]] = [[citing for citing, of in enumerate(references) if n in of] for n in range(4)]
    mask = np.zeros(4, dtype=bool)
    mask[list(hidden)] = True
    texts = ["coral"] * 4
    return rival.Library(Bm25Index(texts), texts, references, citations, mask)


def test_a_query_is_expanded_by_the_terms_that_its_first_papers_use_most() -> None:
    weights = rival.expanded({"coral": 1.0}, [(3.0, ["coral", "reef"]), (1.0, ["reef", "reef"])])
    assert weights == pytest.approx({"coral": 0.6 + 0.4 * 1.5 / 4, "reef": 0.4 * 2.5 / 4})


def test_a_question_that_finds_nothing_is_not_expanded() -> None:
    assert rival.expanded({"coral": 1.0}, []) == {"coral": 1.0}


def test_links_speak_for_a_paper_that_the_best_cite_most_and_for_one_cited_together_least() -> None:
    """Paper 0 is the best and cites 1; 2 cites 0 and 3, and so 3 is cited together with the best."""
    scores = rival.linked(library([[1], [], [0, 3], []]), {0: 1.0})
    cited, citing, together = 1 / 2**0.5, 0.5 / 3**0.5, 0.5 / 3
    assert scores.tolist() == pytest.approx([0, 1, citing / cited, together / cited])


def test_a_paper_that_shares_references_with_the_best_is_linked_to_them() -> None:
    assert rival.linked(library([[1], [], [1], []]), {0: 1.0})[2] > 0


def test_links_of_and_to_hidden_papers_do_not_exist() -> None:
    assert not rival.linked(library([[1], [], [0, 3], []], hidden=(1, 2)), {0: 1.0}).any()


def case(folder: Path, which: int) -> Case:
    collection = read_collection(tiny.write(folder, labels=(*tiny.LABELS, "hidden\td05\t1")))
    return list(closed_cases(collection, answerable(collection)))[which]


def test_it_finds_by_links_what_has_no_word_of_the_question(tmp_path: Path) -> None:
    """d15 never says coral; d02, which does, cites it."""
    found = [placed.document for placed in plain(case(tmp_path, 0), 100, RIVAL)]
    assert "d15" in found


def test_it_sees_no_hidden_paper(tmp_path: Path) -> None:
    hidden = {"d01", "d20", *(tiny.doc(number) for number in range(15, 20))}
    assert not hidden & {placed.document for placed in plain(case(tmp_path, 1), 100, RIVAL)}
