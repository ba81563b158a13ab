"""Judging within a budget: each paper alone, with a score, a reason and a quote from the paper."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.run.control import Control
from agents.run.step import NOTE
from agents.search.events import CandidatesChosen, Event, PaperJudged
from agents.search.options import LIMITS, SearchOptions
from agents.search.pool import judged_alone
from agents.search.state import THRESHOLD, UNREAD
from agents.search.verdicts import SCORES, read_label
from cache.store import Store
from connectors.paper import Paper
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.test_retrieval import DENSE, ONCE, SPARSE, YEAST, resources, run
from tests.agents.search.world import (
    QUESTION,
    Library,
    Searched,
    judge,
    judge_words,
    labeled,
    made_up,
    model_at,
    scripted,
    searched,
    shelf,
    shown,
    verdict,
)
from tests.benchmarks.model.careful_reader import ANSWERS, MISSING, replayed
from tests.library import copied
from tests.rows import each
from tests.services.model.says import slow, slow_down
from tests.services.model.server import ModelRequest

PAPERS = made_up(150)
ALL = SearchOptions(choose_sources=False)
READS = SearchOptions(choose_sources=False, calls=60)
"""With calls enough to read every paper that may be shown."""


@cache
def judged_honestly() -> Searched:
    """A search with an honest model, which several tests look at."""
    with scripted() as endpoint:
        return searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)


@cache
def judged_by_rules() -> Searched:
    """A search without a model, which several tests look at."""
    return searched(shelf(Library(PAPERS)), ALL)


@each("told", [2, "2", 2.0, "2.0", " 2 ", "2/3", "2: it helps", "2 - clearly helps"])
def test_labels_are_read_as_models_write_them(told: object) -> None:
    assert read_label(told) == 2


@each("told", [4, -1, 0.9, "0.9", ".5", "2.5", 10, "10", "2/10", "20 %", "3 %"])
def test_a_figure_on_another_scale_is_refused(told: object) -> None:
    """Neither a share nor a mark out of ten is taken for a label, not even where it looks like one."""
    with pytest.raises(ValueError, match="0, 1, 2 or 3"):
        read_label(told)


@each("told", ["high", "", None, True, [1], {}, float("nan"), float("inf")])
def test_what_is_no_figure_is_no_label(told: object) -> None:
    assert read_label(told) is None


@given(st.one_of(st.text(), st.floats(), st.integers(), st.none(), st.booleans()))
def test_a_label_is_one_of_four(told: object) -> None:
    with suppress(ValueError):
        assert read_label(told) in (None, 0, 1, 2, 3)


def test_labels_on_another_scale_are_refused() -> None:
    with scripted(
        judge=lambda request: {**judge(request), "label": 8},
        judge_words=lambda request: labeled(request, lambda words: 8),
    ) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    assert {event.by for event in found.of(PaperJudged)} == {"built-in"}
    assert any("Built-in rules took over" in sentence for sentence in found.state.warnings)


def test_labels_that_keep_a_paper_stand_for_relevance_and_others_do_not() -> None:
    assert list(SCORES) == sorted(SCORES)
    assert SCORES[1] < THRESHOLD <= SCORES[2]


def test_each_paper_is_judged_in_a_question_of_its_own_several_at_once() -> None:
    """A label is given without any other paper's text in the context."""
    with scripted(judge=lambda request: slow(judge(request), 0.05)) as endpoint:
        searched(shelf(Library(PAPERS), model=model_at(endpoint)), SearchOptions(choose_sources=False, evolution=False))
        asked = endpoint.asked("judge")
        assert endpoint.peak > 1
    titles = [shown(request)[0]["title"] for request in asked]
    assert len(titles) == len(set(titles))
    for request, title in zip(asked, titles, strict=True):
        said = "\n".join(text for _, text in request.messages)
        assert [one.title for one in PAPERS if f'"{one.title}"' in said] == [title]


def test_the_most_promising_papers_are_judged() -> None:
    """The candidates of a step come before all others in the assessment before it."""
    found = judged_honestly()
    first = found.of(CandidatesChosen)[0]
    assert len(first.works) >= 10
    worth = [found.state.found[work].paper.title for work in first.works]
    assert sum("retrieval" in title or "passages" in title for title in worth) > len(worth) / 2


@cache
def judged_without_quotes(by_words: int = 3, by_text: int = 3) -> Searched:
    with scripted(
        judge=lambda request: {**judge(request), "label": by_text, "quote": "made up words"},
        judge_words=lambda request: labeled(request, lambda words: by_words),
    ) as endpoint:
        return searched(shelf(Library(PAPERS), model=model_at(endpoint)), READS)


def read_by_model(found: Searched) -> list[PaperJudged]:
    """What the model said of the papers whose texts it read."""
    return [judged for judged in found.of(PaperJudged) if judged.by == "model" and not judged.by_words]


@each(("by_words", "by_text", "label"), [(1, 3, 2), (2, 3, 2), (3, 3, 3), (1, 2, 1)])
def test_a_label_without_a_standing_quote_is_marked_and_counts_one_less_unless_its_words_earn_it(
    by_words: int, by_text: int, label: int
) -> None:
    judged = read_by_model(judged_without_quotes(by_words, by_text))
    assert judged
    assert all(judgement.unsupported and judgement.quote == "" for judgement in judged)
    assert {judgement.score for judgement in judged} == {SCORES[label]}


def test_a_paper_read_and_misquoted_stands_below_no_unread_paper_of_the_same_words() -> None:
    """What is read, and misquoted, changes no place."""

    def order(calls: int) -> list[str]:
        with scripted(
            judge=lambda request: {"label": 3, "reason": "It helps.", "quote": "made up words"},
            judge_words=lambda request: labeled(request, lambda words: 3 if "sparse" in words else 0),
        ) as endpoint:
            options = SearchOptions(choose_sources=False, evolution=False, refchain=False, calls=calls)
            found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), options)
            assert bool(endpoint.asked("judge")) is (calls > 5)
        return found.titles

    assert order(calls=12) == order(calls=5)


def test_labels_that_are_all_alike_and_without_words_of_a_paper_leave_the_judgement_to_rules() -> None:
    found = judged_without_quotes()
    judged = {judgement.work for judgement in found.of(PaperJudged) if judgement.by == "model"}
    [warning] = [sentence for sentence in found.state.warnings if "papers apart" in sentence]
    assert warning.startswith(f"The model's labels tell none of the {len(judged)} papers apart and it quoted none")
    assert {judgement.by for judgement in found.state.judged.values()} == {"built-in"}
    assert len(set(found.titles[:10]) & set(judged_by_rules().titles[:10])) >= 7


def test_words_of_spars_note_bear_a_score_and_are_no_quote() -> None:
    """A model may read the note in want of an abstract, by a name that says what it is."""
    noted = [replace(one, abstract="", described=one.abstract) for one in PAPERS]
    notes: list[str] = []

    def judged_by_note(request: ModelRequest) -> dict[str, object]:
        [one] = shown(request)
        notes.append(one[NOTE])
        assert not one["abstract"]
        return {**verdict(one), "label": 3, "quote": " ".join(one[NOTE].split()[:6])}

    with scripted(judge=judged_by_note) as endpoint:
        found = searched(shelf(Library(noted), model=model_at(endpoint)), ALL)
    assert notes
    told = read_by_model(found)
    assert {(one.score, one.quote, one.unsupported) for one in told} == {(SCORES[3], "", False)}


def test_without_a_model_no_note_is_quoted_and_the_order_is_that_of_an_abstract() -> None:
    noted = [replace(one, abstract="", described=one.abstract) for one in PAPERS]
    found, quoting = searched(shelf(Library(noted)), ALL), judged_by_rules()
    assert found.answer == quoting.answer
    assert any(one.quote for one in quoting.of(PaperJudged))
    assert not any(one.quote for one in found.of(PaperJudged))


def test_a_paper_that_is_not_kept_needs_no_quote() -> None:
    with scripted(judge=lambda request: {"label": 1}) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    told = read_by_model(found)
    assert {(event.score, event.unsupported) for event in told} == {(SCORES[1], False)}


@each("by_model", [False, True])
def test_every_judgement_has_a_reason_and_its_quote_stands_in_the_paper(by_model: bool) -> None:
    found = judged_honestly() if by_model else judged_by_rules()
    assert found.of(PaperJudged)
    for one in found.of(PaperJudged):
        told = found.state.found[found.state.work(one.work)].paper
        assert one.reason
        assert one.quote in told.abstract or one.quote in told.title
        assert 0 <= one.score <= 1


def test_the_threshold_decides_what_counts_as_relevant() -> None:
    found = judged_honestly()
    assert THRESHOLD == 0.5
    assert found.state.included
    assert {one.work for one in found.state.included} == {
        one.work for one in found.state.ranking if float(f"{one.relevance:.2f}") >= 0.5
    }


def test_the_strict_judge_is_asked_in_its_own_words() -> None:
    with scripted() as endpoint:
        searched(
            shelf(Library(PAPERS), model=model_at(endpoint)), SearchOptions(choose_sources=False, strict_judge=True)
        )
        assert endpoint.asked("judge-complex")
        assert not endpoint.asked("judge")


def test_without_a_model_everything_found_is_assessed() -> None:
    found = judged_by_rules()
    assert set(found.state.assessed) == set(found.state.found)
    assert all(event.by == "built-in" for event in found.of(PaperJudged))


def test_what_a_model_is_shown_is_ordered_without_word_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    def unread(*_: object) -> object:
        raise AssertionError("the table was read")

    monkeypatch.setattr("agents.builtin.ranking.relevance.by_word_vectors", unread)
    with scripted() as endpoint:
        assert searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL).state.judged
    with pytest.raises(AssertionError, match="the table was read"):
        searched(shelf(Library(PAPERS)), ALL)


NEEDS = ("learned term weights for sparse retrieval", "collections of scientific passages")
READ = {"meaning": "Sparse retrieval methods for passages of scientific papers.", "needs": list(NEEDS),
        "venues": ["SIGIR or ECIR"], "since": "1990-01-01"}  # fmt: skip


def test_the_judge_is_told_what_is_wanted_and_what_is_checked_elsewhere() -> None:
    venue = [replace(one, venue="SIGIR") for one in PAPERS]
    with scripted(understand=lambda request: READ) as endpoint:
        found = searched(shelf(Library(venue), model=model_at(endpoint)), ALL)
        request = endpoint.asked("judge")[0]
    told = request.text.partition("Paper:\n")[0]
    for part in (QUESTION, READ["meaning"], *NEEDS, "since 1990-01-01", "in SIGIR or ECIR"):
        assert str(part) in told
    assert [set(one) for one in shown(request)] == [{"title", "abstract"}]
    assert found.state.understood is not None
    assert found.state.understood.needs == NEEDS


def test_the_schema_holds_a_label_and_the_needs_by_their_ids() -> None:
    with scripted(understand=lambda request: READ) as endpoint:
        searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
        for request in endpoint.asked("judge"):
            verdict = request.body["response_format"]["json_schema"]["schema"]["properties"]
            assert verdict["label"]["enum"] == ["3+", "3", "2+", "2", "1", "0"]
            assert verdict["needs"]["items"]["enum"] == ["n1", "n2"]
        for request in endpoint.asked("judge-words"):
            [row] = [
                shape
                for shape in request.body["response_format"]["json_schema"]["schema"]["$defs"].values()
                if "label" in shape["properties"]
            ]
            assert list(row["properties"]) == ["id", "label", "needs"]
            assert row["properties"]["label"]["enum"] == ["3+", "3", "2+", "2", "1", "0"]
            assert row["properties"]["needs"]["items"]["enum"] == ["n1", "n2"]


def test_what_a_paper_helps_with_is_kept_with_its_judgement() -> None:
    def judged(request: ModelRequest) -> dict[str, object]:
        return {**judge(request), "needs": ["n2", "n9"]}

    with scripted(understand=lambda request: READ, judge=judged) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    told = read_by_model(found)
    assert {event.needs for event in told if event.score >= THRESHOLD} == {(2,)}
    assert {event.needs for event in told if event.score < THRESHOLD} <= {()}


def test_a_label_by_words_says_with_which_needs_a_paper_helps_beyond_the_question_itself() -> None:
    def by_words(request: ModelRequest) -> dict[str, object]:
        rows = judge_words(request)["papers"]
        return {"papers": [{**row, "needs": ["n1", "n2"] if row["label"] == 3 else ["n2"]} for row in rows]}

    with scripted(understand=lambda request: READ, judge_words=by_words) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    reasons = {judged.reason for judged in found.of(PaperJudged) if judged.by_words and judged.score >= THRESHOLD}
    assert reasons == {
        f"by its words alone, it answers the question and helps with “{NEEDS[1]}”",
        f"by its words alone, it helps with “{NEEDS[1]}”",
    }


def nothing(request: ModelRequest) -> dict[str, object]:
    return {"label": 0}


def no_words(request: ModelRequest) -> dict[str, object]:
    """The words of no paper are about the question."""
    return labeled(request, lambda words: 0)


@each("mode", ["fast", "deep"])
def test_twenty_papers_without_a_relevant_one_end_a_step(mode: str) -> None:
    options = SearchOptions(choose_sources=False, mode=mode, evolution=False, refchain=False)  # type: ignore[arg-type]
    with scripted(judge_words=no_words) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), options)
        assert len(endpoint.asked("judge-words")) == 1
        assert not endpoint.asked("judge")
    chosen = {work for event in found.of(CandidatesChosen) for work in event.works}
    unread = [event for event in found.of(PaperJudged) if event.by == "built-in"]
    assert len(unread) == len(chosen) - 20
    assert all(event.reason.startswith(UNREAD) for event in unread)


def test_papers_that_the_model_has_not_read_stand_below_those_that_it_calls_relevant() -> None:
    """Neither those that it was not shown for want of relevant ones before them, nor those beyond the budget."""
    relevant = PAPERS[3].title

    def one_in_all(request: ModelRequest) -> dict[str, object]:
        return verdict(shown(request)[0]) if shown(request)[0]["title"] == relevant else {"label": 0}

    with scripted(judge=one_in_all) as endpoint:
        state = searched(shelf(Library(PAPERS), model=model_at(endpoint)), replace(ALL, limit=50, calls=100)).state
        read = len(endpoint.asked("judge"))
    unread = [one for one in state.ranking if state.unread(one.work)]
    assert len(unread) == len(state.ranking) - read > 0
    assert all(one.relevance < THRESHOLD for one in unread)
    assert {state.found[one.work].paper.title for one in state.included} <= {relevant}
    order = [state.assessed[one.work] for one in sorted(unread, key=lambda one: -one.relevance)]
    assert order == sorted(order, reverse=True)


def test_a_paper_that_the_person_calls_relevant_is_so_though_the_model_has_not_read_it() -> None:
    with scripted(judge_words=no_words) as endpoint:
        state = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL).state
    [work, *_] = [one.work for one in state.ranking if state.unread(one.work)]
    assert state.relevance(work) < THRESHOLD
    after = state.apply(PaperJudged(work, 1.0, by="person"))
    assert (after.relevance(work), after.unread(work)) == (1.0, False)


def test_without_a_models_judgement_nothing_is_called_unread() -> None:
    state = judged_by_rules().state
    assert not any(state.unread(one.work) for one in state.ranking)


def test_how_many_papers_the_model_was_not_asked_about_is_told_with_the_reason() -> None:
    with scripted(judge_words=no_words) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
        read = sum(request.text.count('"id"') for request in endpoint.asked("judge-words"))
    chosen = {work for event in found.of(CandidatesChosen) for work in event.works}
    (told,) = [sentence for sentence in found.state.warnings if "was not asked about" in sentence]
    assert told.startswith(f"The model was not asked about {len(chosen) - read} of the papers chosen for it, because ")


def test_on_how_many_papers_the_model_did_not_answer_is_told() -> None:
    """Two pauses in one question leave its papers to the rules, and no model "rests" for that."""
    lost: list[str] = []

    def paused(request: ModelRequest) -> object:
        lost.append(request.text)
        return slow_down("0") if request.text == lost[0] else labeled(request, lambda words: 2)

    with scripted(judge=lambda request: slow_down("0"), judge_words=paused) as endpoint:
        model = model_at(endpoint, concurrency=1)
        state = searched(shelf(Library(PAPERS), model=model), SearchOptions(choose_sources=False, limit=1)).state
    by_rule = [one for one in state.judged.values() if one.by == "built-in" and not one.reason.startswith(UNREAD)]
    assert by_rule
    those = "one of the papers" if len(by_rule) == 1 else f"{len(by_rule)} of the papers"
    [told] = [sentence for sentence in state.warnings if "no usable answer on" in sentence]
    assert told == f"The model gave no usable answer on {those}; built-in rules judged those."
    assert not [sentence for sentence in state.warnings if "stopped asking" in sentence]


def test_one_relevant_paper_in_twenty_keeps_a_step_going() -> None:
    asked: list[int] = []

    def now_and_then(words: frozenset[str]) -> int:
        asked.append(1)
        return 0 if len(asked) % 20 else 3

    once = SearchOptions(choose_sources=False, evolution=False, refchain=False)
    with scripted(judge_words=lambda request: labeled(request, now_and_then)) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint, concurrency=1)), once)
    assert all(event.by == "model" for event in found.of(PaperJudged))
    assert not [sentence for sentence in found.state.warnings if "was not asked about" in sentence]


def test_a_verdict_is_remembered_by_question_paper_and_prompt(tmp_path: Path) -> None:
    """A paper that was judged before for the question costs no call, among whichever others it comes."""
    once = replace(READS, evolution=False, refchain=False)
    with Store.open(copied(tmp_path / "spar.db")) as store, scripted() as endpoint:

        def run(papers: Sequence[Paper], question: str = QUESTION) -> Searched:
            return searched(shelf(Library(papers), model=model_at(endpoint, store)), once, question)

        first = run(PAPERS[:60])
        asked = len(endpoint.requests)
        titles = {one["title"] for request in endpoint.asked("judge") for one in shown(request)}
        second = run([*PAPERS[60:75], *PAPERS[:60]])
        later = [
            one["title"] for request in endpoint.requests[asked:] if request.name == "judge" for one in shown(request)
        ]
        assert later
        assert not titles & set(later)
        before, after = scores(first), scores(second)
        assert all(after[name] == before[name] for name in before.keys() & after.keys() if before[name][1] == "model")
        assert second.state.cost.remembered >= 20
        again = len(endpoint.asked("judge"))
        run(PAPERS[:60], "dense retrieval of passages")
        assert len(endpoint.asked("judge")) > again


def test_a_search_asks_the_model_ten_times_and_once_more_for_what_is_asked_of_it_later(tmp_path: Path) -> None:
    """The same search again costs nothing, although there is more to read."""
    with Store.open(copied(tmp_path / "spar.db")) as store, scripted() as endpoint:
        source = Library(PAPERS)
        first = searched(shelf(source, model=model_at(endpoint, store)), ALL)
        again = searched(shelf(source, model=model_at(endpoint, store)), ALL)
        assert (first.state.cost.calls, again.state.cost.calls) == (LIMITS["fast"].calls, 0)
        assert again.answer == first.answer
        control = Control()
        for entry in first.state.ranking[:3]:
            control.follow(entry.work, "citations")
        later = searched(shelf(source, model=model_at(endpoint, store)), ALL, so_far=first.events, control=control)
    fresh = later.events[len(first.events) :]
    assert {event.by for event in fresh if isinstance(event, PaperJudged)} == {"model"}
    assert later.state.cost.calls == LIMITS["fast"].calls + 1
    assert not [sentence for sentence in later.state.warnings if "used up" in sentence]


def test_help_and_docs_give_the_requests_of_each_mode() -> None:
    fast, deep = LIMITS["fast"].calls, LIMITS["deep"].calls
    docs = Path(__file__).parents[3] / "docs"
    assert f"| requests per search | {fast}, with `--deep` {deep} |" in (docs / "models.md").read_text("utf-8")
    search = (docs / "search.md").read_text("utf-8")
    assert f"(default {fast}, with `--deep` {deep})" in search
    assert f"| requests to a model (`--calls N`) | {fast} | {deep} |" in search
    told = " ".join((docs / "commands.md").read_text("utf-8").split())
    assert f"A quick search: two rounds; at most {fast} requests to a model." in told
    assert f"A thorough search: three rounds; at most {deep} requests to a model." in told


def test_papers_shown_that_the_model_did_not_read_are_counted_with_the_way_to_more() -> None:
    state = judged_honestly().state
    shown_papers = [state.judged[entry.work] for entry in state.shown]
    unread = sum(judgement.by_words for judgement in shown_papers)
    assert 0 < unread < len(shown_papers)
    [told] = state.warnings
    assert told.startswith(f"The model judged {unread} of the papers shown by words alone, without reading the text.")
    assert told.endswith("A deep search or more than 10 calls read more.")


def scores(found: Searched) -> dict[str, tuple[float, str]]:
    papers = {work: one.paper.title for work, one in found.state.found.items()}
    return {papers[work]: (one.score, one.by) for work, one in found.state.judged.items()}


def test_a_search_that_is_stopped_while_texts_are_read_keeps_the_order_of_the_words_and_says_so() -> None:
    """As a slow model leaves it when the time is over."""
    control = Control()
    once = SearchOptions(choose_sources=False, evolution=False, refchain=False, limit=10, calls=20)
    first: list[str] = []

    def read(request: ModelRequest) -> object:
        first.append(request.text)
        return slow(judge(request), 0.0 if request.text == first[0] else 60.0)

    def stop(event: Event) -> None:
        if isinstance(event, PaperJudged) and not event.by_words:
            control.stop()

    with scripted(judge=read, judge_words=judge_words) as endpoint:
        model = model_at(endpoint, concurrency=1)
        state = searched(shelf(Library(PAPERS), model=model), once, control=control, each=stop).state
    assert state.finished is not None
    assert {judged.by for judged in state.judged.values()} == {"model"}
    shown_papers = [state.judged[entry.work] for entry in state.shown]
    assert sum(judged.by_words for judged in shown_papers) == 9
    assert all(judged.score >= THRESHOLD for judged in shown_papers)
    assert "The model judged 9 of the papers shown by words alone, without reading the text." in state.warnings


def relevance(pool: list[Paper], of: Paper, question: str = "sparse retrieval") -> float | None:
    """The relevance of a paper, in a search that found `pool`; None if it does not meet the question's conditions."""
    read = replace(ONCE, understanding=True)
    state, _ = run(resources(ScriptedSource("openalex", pool)), question, read)
    ranking = judged_alone(state).ranking
    return next((one.relevance for one in ranking if state.found[one.work].paper.title == of.title), None)


@each("of", [SPARSE, DENSE], ids=["about it", "half about it"])
def test_the_relevance_of_a_paper_is_the_same_beside_any_others(of: Paper) -> None:
    pools = ([of], [of, YEAST], [of, SPARSE, DENSE, YEAST], [*made_up(), of])
    assert len({relevance(list(dict.fromkeys(pool)), of) for pool in pools}) == 1


def test_a_paper_with_the_questions_words_is_relevant_and_one_with_few_of_them_is_not() -> None:
    pool = [SPARSE, DENSE, YEAST]
    about, half = relevance(pool, SPARSE), relevance(pool, DENSE)
    assert about is not None
    assert half is not None
    assert about >= THRESHOLD > half


def test_a_condition_holds_though_no_paper_meets_it() -> None:
    """A search drops a venue that none of its papers shows; what a watch calls new must meet it."""
    question = "sparse retrieval published in Nature"
    here = paper(SPARSE.title, "10.1000/nature", abstract=SPARSE.abstract, venue="Nature", author="Bo Other")
    assert relevance([SPARSE], SPARSE, question) is None
    assert relevance([here], here, question) == 1.0


pytestmark = pytest.mark.skipif(not ANSWERS.exists(), reason=MISSING)


@each("by_grade", [False, True])
@each("name", ["B2", "B5"])
def test_a_fast_search_with_a_careful_reader_puts_the_best_first(name: str, by_grade: bool) -> None:
    result = replayed(name, by_grade)
    assert result.ndcg > 0.9
    assert result.calls <= 10
    assert result.relevant_judged >= min(0.9 * result.relevant, 30)


@each(("name", "least", "tokens"), [("A1", 0.95, 23_612), ("A2", 0.85, 25_772)])
def test_the_question_itself_comes_first_within_ten_calls(name: str, least: float, tokens: int) -> None:
    """An English question, and a German one whose reader called 31 of 58 relevant papers equally good. Nine calls that
    read ten texts each took so many `tokens`."""
    result = replayed(name)
    assert result.ndcg >= least
    assert result.calls <= 10
    assert result.tokens <= 0.75 * tokens


def test_a_deep_search_leaves_papers_unread_and_misses_none_that_is_relevant() -> None:
    result = replayed("D7")
    assert result.read <= 70, "of 210 that are chosen, those that are about something else by their words are not read"
    assert result.calls <= 90
    assert result.relevant_judged == result.relevant


@each("name", ["A1", "A2", "B2"])
def test_ten_calls_order_as_well_as_all(name: str) -> None:
    """The words of all papers are judged before a text is read."""
    every = replayed(name, calls=150)
    assert every.read > replayed(name).read
    assert replayed(name).ndcg == every.ndcg


@each(("name", "least"), [("A1", 0.98), ("A2", 0.93)])
def test_a_finer_grade_orders_papers_of_one_label_and_a_constant_one_changes_nothing(name: str, least: float) -> None:
    assert replayed(name, finer="graded").ndcg >= max(least, replayed(name).ndcg)
    assert replayed(name, finer="always").ndcg == replayed(name).ndcg


def test_only_a_relevant_paper_is_compared_with_the_others_by_date() -> None:
    title = "Dense retrieval of passages {}"
    relevant = [paper(title.format(year), f"10.1000/{year}", date=f"{year}") for year in (2019, 2020, 2021)]
    aside = paper("On cooking", "10.1000/a", date="2010", abstract="Passages on bread.")
    state = searched(shelf(Library([*relevant, aside])), question="dense retrieval of passages").state
    judgements = {found.paper.title: state.judgement(work) for work, found in state.found.items()}
    reasons = {title: judged.reason for title, judged in judgements.items() if judged}
    assert "other relevant papers" in reasons[title.format(2019)]
    assert "other relevant papers" not in reasons["On cooking"]
