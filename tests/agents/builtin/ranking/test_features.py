"""What speaks for a paper, counted over the papers of one search."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.ranking.features import FEATURES, LINKS, LINKS_ALONE, Pool, by_word_vectors, features
from connectors.paper import Paper
from tests.agents.scripted import paper
from tests.agents.search.world import QUESTION, made_up

PAPERS = made_up(30)


def column(pool: Pool, name: str) -> list[float]:
    return [float(row[list(FEATURES).index(name)]) for row in features(pool)]


def one(number: int, title: str = "Study", abstract: str = "", *cites: int, **more: object) -> Paper:
    names = [paper("x", f"10.1000/n{cited}").identifiers[0] for cited in cites]
    about = {"abstract": abstract, "author": f"A Author{number}", "references": names, **more}
    return paper(f"{title} {number}", f"10.1000/n{number}", **about)


def test_a_title_with_the_questions_terms_speaks_for_a_paper() -> None:
    pool = Pool("sparse retrieval", [one(1, "Sparse retrieval"), one(2, "Sparse bread"), one(3, "Yeast")])
    values = column(pool, "title")
    assert values[0] > values[1] > values[2] == 0


def test_words_that_stand_together_speak_more_than_words_apart() -> None:
    together = one(1, "A", "We study sparse retrieval here.")
    apart = one(2, "B", "Retrieval of text which is sparse.")
    assert column(Pool("sparse retrieval", [together, apart]), "phrases")[0] > 0
    assert column(Pool("sparse retrieval", [together, apart]), "phrases")[1] == 0


def nearness(question: str, papers: list[Paper], *evidence: float) -> list[list[float]]:
    """How near each paper is to the question, and to the question moved toward the best."""
    found = by_word_vectors(Pool(question, papers), np.array(evidence or [0] * len(papers), np.float32))
    return [[float(number) for number in row] for row in found]


def test_by_word_vectors_a_paper_that_says_it_in_other_words_is_nearer_than_one_on_something_else() -> None:
    (near, _), (far, _) = nearness("physicians and cancer", [one(1, "Doctors and tumors"), one(2, "Compilers, graphs")])
    assert near > far


def test_words_of_asking_say_nothing_of_what_a_question_is_about() -> None:
    papers = [one(1, "Doctors and tumors"), one(2, "Papers that propose methods of 2019")]
    assert nearness("papers that propose methods for cancer since 2019", papers) == nearness("cancer", papers)


def test_a_paper_like_the_best_one_is_nearer_to_the_question_moved_toward_it() -> None:
    papers = [one(1, "Mitochondria of yeast"), one(2, "Wages and jobs"), one(3, "Fungal cells and organelles")]
    by_yeast, by_wages = nearness("sleep", papers, 9, 0, 0), nearness("sleep", papers, 0, 9, 0)
    assert by_yeast[2][1] > by_wages[2][1]
    assert by_yeast[2][0] == by_wages[2][0]


def test_a_question_of_unknown_words_is_near_to_nothing() -> None:
    assert [asked for asked, _ in nearness("zzyzx", PAPERS)] == [0] * len(PAPERS)
    assert nearness("zzyzx", []) == []


def test_places_in_lists_speak_for_a_paper() -> None:
    pool = Pool("x", PAPERS, lists=[[3, 1]], other_lists=[[1, 5]])
    first, lists = column(pool, "first list"), column(pool, "lists")
    assert first[3] > first[1] > first[5] == 0
    assert lists[1] == max(lists)
    assert lists[7] == 0


def test_the_best_papers_speak_for_what_they_cite_and_less_for_what_all_the_world_cites() -> None:
    papers = [one(1, "Sparse retrieval", "Sparse retrieval.", 2, 3), one(2), one(3, citation_count=90_000), one(4)]
    values = column(Pool("sparse retrieval", papers, lists=[[0]]), "cited by best")
    assert values[1] > values[2] > values[3] == min(values)


def test_judgements_move_what_counts_as_best() -> None:
    papers = [one(1, "Sparse retrieval", "", 3), one(2, "Yeast", "", 4), one(3), one(4)]
    assert column(Pool("sparse retrieval", papers), "cited by best")[2] > 0
    judged = column(Pool("sparse retrieval", papers, judged={0: 0.0, 1: 1.0}), "cited by best")
    assert judged[3] > judged[2]


def how_far_apart(papers: list[Paper]) -> float:
    """How much the paper with the number 1 stands out by what cites it."""
    cited = column(Pool("sparse retrieval", papers), "cited here")
    return cited[0] - min(cited)


def test_links_count_more_where_all_titles_have_the_questions_words() -> None:
    """Then words distinguish no paper: what the others cite is what they build on."""

    def titled(title: str) -> list[Paper]:
        return [one(1, "Sparse retrieval"), *(one(number, title, "", 1) for number in range(2, 9))]

    assert (
        how_far_apart(titled("Sparse retrieval"))
        > how_far_apart(titled("Retrieval of text"))
        > how_far_apart(titled("Yeast"))
    )


def test_links_count_more_where_more_papers_are_cited() -> None:
    def citing(*cited: int) -> list[Paper]:
        others = [one(number, "Text retrieval", "", 1, *cited) for number in range(2, 9)]
        return [one(1, "Sparse retrieval", "", *cited), *others]

    assert how_far_apart(citing(3, 4, 5)) > how_far_apart(citing())


def test_links_count_at_most_three_times() -> None:
    """Or papers that all others cite would hide those on the question's rarer words."""
    papers = [one(1, "Sparse retrieval"), *(one(number, "Sparse retrieval", "", 1) for number in range(2, 9))]
    assert how_far_apart(papers) <= 3 * 7 / 5


def test_the_extra_weight_of_links_leaves_their_mean_as_it_is() -> None:
    """It orders papers anew, and makes a pool no more relevant as a whole."""
    papers = [one(1, "Sparse retrieval"), *(one(number, "Sparse retrieval", "", 1) for number in range(2, 9))]
    cited = column(Pool("sparse retrieval", papers), "cited here")
    assert np.isclose(np.mean(cited), np.log1p(7) / 5 / len(papers))


def test_links_from_papers_off_the_question_say_little() -> None:
    """A paper whose text lacks the question's rarest words says little about what is on the question."""
    pool = [one(1, "Sparse retrieval"), one(2), one(3), one(4, "Sparse retrieval", "", 2), one(5, "Sparse", "", 3)]
    for name in ("cited by best", "cited here"):
        values = column(Pool("sparse retrieval of proteins", pool), name)
        assert values[1] > values[2] > values[0] == min(values)


def test_links_of_a_paper_that_was_judged_relevant_count_whatever_its_words() -> None:
    papers = [one(1, "Sparse retrieval"), one(2), one(3, "Yeast", "", 2)]
    by_words, judged = (column(Pool("sparse retrieval", papers, judged=known), "cited here")
                        for known in ({}, {2: 0.9}))  # fmt: skip
    assert judged[1] > by_words[1] == 0


def test_the_last_link_feature_says_whether_a_paper_is_cited_here() -> None:
    assert list(FEATURES)[LINKS] == ["cited by best", "cites best", "co-cited", "cited here"]


def test_a_paper_without_an_abstract_says_so() -> None:
    assert column(Pool("x", [one(1), one(2, "B", "Text.")]), "bare") == [1.0, 0.0]


def test_no_papers_no_features() -> None:
    assert features(Pool("sparse retrieval", [])).shape == (0, len(FEATURES))


def test_the_order_of_the_papers_does_not_matter() -> None:
    there = features(Pool(QUESTION, PAPERS, lists=[[0, 4, 2]]))
    back = features(Pool(QUESTION, PAPERS[::-1], lists=[[29, 25, 27]]))
    topics = list(FEATURES).index("topics")
    assert np.allclose(np.delete(there, topics, 1), np.delete(back[::-1], topics, 1), atol=1e-4)


WORDS = st.lists(st.sampled_from(["sparse", "retrieval", "bread", "the", "…", "中文", "a1"]), max_size=12).map(" ".join)


@given(st.lists(st.tuples(WORDS, WORDS, st.lists(st.integers(0, 9), max_size=4)), max_size=10), WORDS, st.data())
def test_features_are_always_from_0_to_1(
    records: list[tuple[str, str, list[int]]], question: str, data: st.DataObject
) -> None:
    """Whatever the papers say, cite, or leave out; no division by nothing, no number that is none."""
    papers = [one(n, title, abstract, *cites) for n, (title, abstract, cites) in enumerate(records)]
    places = st.lists(st.integers(0, max(len(papers) - 1, 0)), unique=True, max_size=len(papers))
    judged = data.draw(st.dictionaries(st.integers(0, max(len(papers) - 1, 0)), st.floats(0, 1), max_size=len(papers)))
    found = features(Pool(question, papers, [data.draw(places)], [data.draw(places)], judged))
    assert found.shape == (len(papers), len(FEATURES))
    assert np.isfinite(found).all()
    assert (abs(found[:, LINKS]) <= 1 + LINKS_ALONE).all()
    others = np.delete(found, LINKS, 1)
    assert ((others >= 0) & (others <= 1)).all()
