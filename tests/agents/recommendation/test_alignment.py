"""What a candidate's alignment rests on can be named."""

from agents.recommendation.recall import TOLD
from cache import papers, profile
from cache.store import Store
from tests.agents.recommendation.people import SUBJECTS, about, done, known, recommended
from tests.agents.scripted import paper


def test_every_paper_that_a_candidate_rests_on_is_named_however_long_the_history(store: Store) -> None:
    history = papers.remember(store, [about(SUBJECTS[0], number) for number in range(TOLD + 40)])
    done(store, "liked", *history)
    last = about("lattice gauge theory", 1)
    (rare,) = papers.remember(store, [last])
    done(store, "viewed", rare)
    papers.remember(store, [about("lattice gauge theory", 2)])
    state = recommended(store, limit=100)
    grounds = [ground for aligned in state.aligned.values() for ground in aligned.grounds]
    assert rare not in [one.number for one in state.context.history] if state.context else False
    assert rare in {ground.number for ground in grounds}
    assert {ground.number for ground in grounds} <= state.history.keys()


def test_a_link_that_only_a_list_of_references_told_is_known(store: Store) -> None:
    liked, other, *_ = known(store)
    cited, citing = papers.by_ids(store, [liked, other])
    papers.link(store, [citing], [cited])
    done(store, "liked", liked)
    state = recommended(store)
    (found,) = (aligned for work, aligned in state.aligned.items() if state.number(work) == other)
    assert [ground.link for ground in found.grounds] == ["references"]


def test_a_candidate_that_rests_on_a_line_of_the_persons_own_says_so(store: Store) -> None:
    known(store)
    profile.add_line(store, "like", "protein folding")
    state = recommended(store, limit=3)
    assert len(state.shown) == 3
    for placed in state.shown:
        aligned = state.aligned[placed.work]
        assert aligned.alignment == "supports"
        assert [(one.number, one.line, one.words) for one in aligned.grounds] == [
            (0, "protein folding", ("protein folding",))
        ]


def test_an_expectation_that_is_not_met_is_told(store: Store) -> None:
    done(store, "liked", *known(store)[:3])
    papers.remember(store, [paper(f"Old study of {SUBJECTS[0]}", "10.1000/old", date="1999", citation_count=1)])
    profile.add_line(store, "expect", "since 2015")
    state = recommended(store, limit=100)
    told = {state.findings.papers[work].year: aligned.unmet for work, aligned in state.aligned.items()}
    assert told == {2020: "", 1999: "it is from 1999, and you expect other years"}
