"""What papers that are shown share with the history is looked up; of others, nothing is said that nobody looked for."""

from agents.recommendation.events import CandidatesRanked, GroundsLookedUp
from agents.recommendation.kind import RECOMMENDATION
from cache import papers
from cache.store import Store
from tests.agents.recommendation.world import recommended


def test_what_each_paper_that_is_shown_shares_stands_in_both(shared: Store) -> None:
    state = recommended(shared).state
    assert state.shown
    for placed in state.shown:
        grounds = state.aligned[placed.work].grounds
        assert grounds
        for ground in grounds:
            assert ground.looked_up
            [known] = papers.by_ids(shared, [ground.number])
            texts = [f"{one.title} {one.abstract}".lower() for one in (known, state.findings.papers[placed.work])]
            assert all(word.lower() in text for word in ground.words for text in texts)
    assert any(ground.words for placed in state.shown for ground in state.aligned[placed.work].grounds)


def test_of_papers_that_are_not_shown_it_is_known_that_nothing_was_looked_up(shared: Store) -> None:
    state = recommended(shared).state
    shown = {placed.work for placed in state.shown}
    others = [ground for work, one in state.aligned.items() if work not in shown for ground in one.grounds]
    assert others
    assert not any(ground.looked_up or ground.words or ground.keywords or ground.link for ground in others)


def test_what_a_paper_shares_is_told_once_after_the_order(shared: Store) -> None:
    found = recommended(shared)
    told = found.of(GroundsLookedUp)
    assert [event.work for event in told] == [placed.work for placed in found.state.shown]
    assert found.events.index(told[0]) > found.events.index(found.of(CandidatesRanked)[0])


def test_what_it_rests_on_and_how_much_stays_as_it_was_weighed(shared: Store) -> None:
    found = recommended(shared)
    first = found.events.index(found.of(GroundsLookedUp)[0])
    before = RECOMMENDATION.folded(found.events[:first])
    assert found.state.supports == before.supports


def test_grounds_kept_before_they_were_looked_up_later_count_as_looked_up(shared: Store) -> None:
    event = recommended(shared).of(GroundsLookedUp)[0]
    row = RECOMMENDATION.codec.encode(event)
    assert "looked_up" not in str(row.content)
    assert RECOMMENDATION.codec.decode(row.kind, row.content) == event
