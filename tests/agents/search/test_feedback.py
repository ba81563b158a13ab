"""What a person may ask of a search while it runs, and of one that has ended."""

import asyncio
from dataclasses import replace
from datetime import date

from agents.builtin.text.loose_words import loose_words
from agents.run.control import Control
from agents.run.events import PaperFound
from agents.run.resources import Resources
from agents.search.events import Event, Finished, PaperJudged, PapersAssessed, PaperScreened, ReferencesFollowed
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from connectors.paper import WorkId
from tests.agents.search.world import HONEST, Library, ScriptedReasoner, Searched, go, labeled, made_up, searched, shelf

PAPERS = made_up(60)
ALL = SearchOptions(choose_sources=False)
SHORT = SearchOptions(choose_sources=False, refchain=False, evolution=False)
LIKED, NOT_THERE = WorkId(5), WorkId(10_000)


def asked_of(ended: Searched, control: Control, source: Library, model: ScriptedReasoner | None = None) -> Searched:
    """The search that had ended, gone on with for what `control` was asked."""
    return searched(shelf(source, model=model), SHORT, so_far=ended.events, control=control)


def work_at(state: SearchState, place: int) -> WorkId:
    return state.ranking[place].work


def like_it(control: Control, event: Event) -> None:
    if isinstance(event, PaperFound) and event.work == LIKED and not event.found_by.link:
        control.feedback(LIKED, True)


def test_a_paper_called_relevant_while_the_search_runs_stays_so_whatever_the_judge_says() -> None:
    control = Control()
    found = searched(
        shelf(Library(PAPERS), model=ScriptedReasoner()), ALL, control=control, each=lambda one: like_it(control, one)
    )
    assert found.state.relevance(found.state.work(LIKED)) == 1.0
    assert found.state.feedback[LIKED].by == "person"
    assert found.state.called_relevant == {LIKED: True}
    assert isinstance(found.events[-1], Finished)


def test_a_paper_called_irrelevant_after_the_end_falls_to_the_bottom() -> None:
    source, control = Library(PAPERS), Control()
    ended = searched(shelf(source), SHORT)
    worst = work_at(ended.state, 0)
    control.feedback(worst, False)
    again = asked_of(ended, control, source)
    assert again.state.ranking[-1].work == worst or again.state.relevance(worst) == 0.0
    assert worst not in {entry.work for entry in again.state.included}
    assert isinstance(again.events[-1], Finished)


def test_papers_like_the_wanted_one_rise_and_those_like_the_unwanted_fall() -> None:
    """Without a model: the built-in judge takes the person's feedback for the best and the worst match."""
    source = Library(PAPERS)
    ended = searched(shelf(source), SHORT)
    chosen = next(
        entry.work for entry in reversed(ended.state.ranking) if "protein" in ended.state.papers[entry.work].title
    )
    kin = [work for work, paper in ended.state.papers.items() if "protein" in paper.title and work != chosen]
    liked, disliked = Control(), Control()
    liked.feedback(chosen, True)
    disliked.feedback(chosen, False)

    def kinship(state: SearchState) -> float:
        return sum(state.assessed[work] for work in kin)

    assert kinship(asked_of(ended, liked, source).state) > kinship(asked_of(ended, disliked, source).state)


def test_an_opinion_can_be_taken_back() -> None:
    source, first, second = Library(PAPERS), Control(), Control()
    ended = searched(shelf(source), SHORT)
    work = work_at(ended.state, 3)
    first.feedback(work, False)
    with_opinion = asked_of(ended, first, source)
    second.feedback(work, None)
    without = asked_of(with_opinion, second, source)
    assert without.state.called_relevant == {}
    assert [one.work for one in without.state.ranking] == [one.work for one in ended.state.ranking]


def test_references_are_followed_at_once_and_what_they_bring_is_judged() -> None:
    source, control = Library(PAPERS), Control()
    ended = searched(shelf(source), SHORT)
    known = {paper.id for paper in ended.state.papers.values()}
    by_id = {paper.identifiers[0]: paper for paper in PAPERS}
    work = next(w for w, p in ended.state.papers.items() if {by_id[name].id for name in p.references} - known)
    control.follow(work)
    model = ScriptedReasoner()
    again = asked_of(ended, control, source, model)
    new = {paper.id for paper in again.state.papers.values()} - known
    assert new == {by_id[name].id for name in ended.state.papers[work].references} - known
    (followed,) = again.of(ReferencesFollowed)
    assert (followed.seed, followed.new) == (work, len(new))
    brought = [number for number, paper in again.state.papers.items() if paper.id in new]
    assert all(again.state.judged[number].by == "model" for number in brought)
    assert {entry.work for entry in again.state.ranking} >= set(brought)


def test_citing_papers_can_be_asked_for_as_well_and_twice_running() -> None:
    source = Library(PAPERS)
    ended = searched(shelf(source), SHORT)
    for _ in range(2):
        control = Control()
        control.follow(work_at(ended.state, 0), "citations")
        ended = asked_of(ended, control, source)
        assert isinstance(ended.events[-1], Finished)
    assert {event.link for event in ended.of(ReferencesFollowed)} == {"citations"}


def test_a_finished_search_of_which_nothing_is_asked_stays_as_it_is() -> None:
    source = Library(PAPERS)
    ended = searched(shelf(source), SHORT)
    assert asked_of(ended, Control(), source).events == ended.events


def test_a_request_about_a_paper_that_is_not_there_changes_nothing() -> None:
    source, control = Library(PAPERS), Control()
    ended = searched(shelf(source), SHORT)
    control.follow(NOT_THERE)
    control.feedback(NOT_THERE, True)
    again = asked_of(ended, control, source)
    assert again.answer == ended.answer


def test_a_request_of_a_paused_search_waits_until_it_goes_on() -> None:
    source, control = Library(PAPERS), Control()
    ended = searched(shelf(source), SHORT)

    async def run() -> None:
        control.follow(work_at(ended.state, 0), "citations")
        control.pause()
        going = asyncio.create_task(go(shelf(source), SHORT, so_far=ended.events, control=control))
        await asyncio.sleep(0.05)
        assert not source.followed
        control.go_on()
        assert (await going).of(ReferencesFollowed)

    asyncio.run(run())


def test_the_model_is_told_what_the_person_thinks_of_papers() -> None:
    control = Control()
    model = ScriptedReasoner(scripts={**HONEST, "judge-words": lambda request: labeled(request, lambda words: 2)})
    ended = searched(shelf(Library(PAPERS)), SHORT)
    best = work_at(ended.state, 0)
    control.feedback(best, True)
    for place in range(5):
        control.follow(work_at(ended.state, place), "citations")
    asked_of(ended, control, Library(PAPERS), model)
    prompts = [request.user for request in model.asked if request.name == "judge"]
    assert prompts
    title = ended.state.papers[best].title
    told = [one.partition("Paper:\n")[0] for one in prompts]
    assert all(loose_words(title, Resources().secret) in one and title not in one for one in told)


def test_what_was_asked_for_is_still_there_when_the_run_is_read_again() -> None:
    source, control = Library(PAPERS), Control()
    ended = searched(shelf(source), SHORT)
    control.feedback(work_at(ended.state, 2), True)
    again = asked_of(ended, control, source)
    assert SEARCH.folded(again.events).called_relevant == again.state.called_relevant != {}
    assert again.of(PapersAssessed)
    assert again.of(PaperJudged)


def test_what_a_person_takes_back_leaves_the_models_verdict_as_it_was() -> None:
    """Live: the model reads, the person says otherwise while the search runs, and takes it back."""
    control, before = Control(), dict[WorkId, PaperJudged]()

    def say(event: Event) -> None:
        if isinstance(event, PaperJudged) and event.by == "model" and not (event.by_words or before):
            before[event.work] = event
            control.feedback(event.work, event.score < 0.5)
            control.feedback(event.work, None)

    found = searched(shelf(Library(PAPERS), model=ScriptedReasoner()), ALL, control=control, each=say)
    ((work, verdict),) = before.items()
    work = found.state.work(work)
    assert found.state.called_relevant == {}
    assert found.state.judgement(work) == verdict
    assert found.state.relevance(work) == verdict.score


def test_what_is_taken_back_after_the_end_or_after_a_resume_restores_the_models_verdict() -> None:
    source, model, first = Library(PAPERS), ScriptedReasoner(), Control()
    ended = searched(shelf(source, model=model), SHORT)
    work = next(work for work in ended.state.works if work in ended.state.judged)
    verdict = ended.state.judged[work]
    assert verdict.by == "model"
    first.feedback(work, verdict.score < 0.5)
    said = asked_of(ended, first, source, model)
    assert said.state.relevance(work) == float(verdict.score < 0.5)
    stored = [SEARCH.codec.encode(event) for event in said.events]
    replayed = [event for row in stored if (event := SEARCH.codec.decode(row.kind, row.content))]
    for events in (said.events, replayed):
        second = Control()
        second.feedback(work, None)
        taken_back = searched(shelf(source, model=model), SHORT, so_far=events, control=second)
        assert taken_back.state.judgement(work) == verdict
        assert [entry.work for entry in taken_back.state.ranking] == [entry.work for entry in ended.state.ranking]


def test_a_paper_that_nobody_judged_is_judged_when_the_person_takes_back_what_they_said() -> None:
    """After the end: else it would be left with the built-in guess beside papers that a model has read."""
    source, model, first, second = Library(PAPERS), ScriptedReasoner(), Control(), Control()
    said = searched(shelf(source, model=model), SHORT, control=first, each=lambda event: like_it(first, event))
    work = said.state.work(LIKED)
    assert work not in said.state.judged
    second.feedback(work, None)
    again = asked_of(said, second, source, model)
    judgement = again.state.judgement(work)
    assert judgement is not None
    assert judgement.by == "model"
    assert isinstance(again.events[-1], Finished)


def test_what_a_person_calls_relevant_stands_in_the_answer_though_it_does_not_meet_the_questions_bounds() -> None:
    source, control = Library(PAPERS), Control()
    ended = searched(shelf(source), replace(SHORT, since=date(2005, 1, 1)))
    older = next(work for work in ended.state.works if work not in ended.state.assessed)
    control.feedback(older, True)
    again = asked_of(ended, control, source)
    assert older in {entry.work for entry in again.state.included}


def test_a_decision_counts_at_once_and_is_not_said_a_second_time() -> None:
    """The decision is kept with the run; that it is asked for as feedback too only puts the papers in order anew."""
    source, control = Library(PAPERS), Control()
    ended = searched(shelf(source), SHORT)
    best = work_at(ended.state, 0)
    ended.events.append(PaperScreened(best, "excluded", "wrong subject"))
    control.feedback(best, False)
    again = asked_of(ended, control, source)
    assert not again.of(PaperJudged)[len(ended.of(PaperJudged)) :]
    assert again.state.feedback[best].reason == "You excluded it: wrong subject"
    assert best not in {entry.work for entry in again.state.included}


def test_a_paper_that_nobody_judged_is_judged_when_a_decision_on_it_is_taken_back() -> None:
    source, model, first, second = Library(PAPERS), ScriptedReasoner(), Control(), Control()
    said = searched(shelf(source, model=model), SHORT, control=first, each=lambda event: like_it(first, event))
    work = said.state.work(LIKED)
    assert work not in said.state.judged
    said.events += [PaperScreened(work, "included"), PaperScreened(work, "later")]
    second.feedback(work, None)
    judgement = asked_of(said, second, source, model).state.judgement(work)
    assert judgement is not None
    assert judgement.by == "model"
