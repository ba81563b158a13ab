"""What a summary takes over from the run that its papers are from."""

from pathlib import Path

from agents.run.events import FoundBy, JudgedBy, PaperFound
from agents.search.events import PaperJudged, PapersRanked, QuestionUnderstood, Ranked, RunStarted
from agents.search.kind import SEARCH
from agents.summary.events import ROOT
from agents.summary.input_papers import settled
from agents.summary.options import SummaryOptions
from cache import runs
from cache.store import Store
from connectors.paper import WorkId
from tests.agents.search.world import Library, made_up, shelf
from tests.agents.summary.world import summed
from tests.library import copied
from tests.rows import each

PAPERS = made_up(60)
QUESTION = "how do molecules take shape in a method of scientific texts"


def topics(options: SummaryOptions, question: str = QUESTION) -> list[str]:
    """The titles of the papers that a summary is written from."""
    state = summed(shelf(Library(PAPERS)), options, question).state
    return [state.findings.found[work].paper.title for work in state.works(ROOT)]


def test_a_summary_of_a_search_knows_what_the_question_of_the_search_means(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store:
        run = runs.start(store, "search", QUESTION)
        read = QuestionUnderstood((QUESTION,), (), by="model", meaning="Protein folding of texts.")
        events = (RunStarted(QUESTION, ()), read)
        runs.extend(store, run, [runs.Post(*SEARCH.codec.encode(event)) for event in events])
        options = settled(store, SummaryOptions(corpus="run", corpus_name="last"))
    assert (options.corpus_name, options.asked, options.meaning) == (run, QUESTION, "Protein folding of texts.")


def test_papers_are_weighed_by_what_the_question_means() -> None:
    plain = topics(SummaryOptions(depth=0))
    meant = topics(SummaryOptions(depth=0, asked=QUESTION, meaning="protein folding"))
    assert sum("protein folding" in title for title in meant) > sum("protein folding" in title for title in plain)


def test_another_topic_over_the_same_papers_is_not_given_that_meaning() -> None:
    other = "sparse retrieval of passages"
    of_search = SummaryOptions(depth=0, asked=QUESTION, meaning="protein folding")
    assert topics(of_search, other) == topics(SummaryOptions(depth=0), other)


@each("by", ["model", "person"])
def test_papers_that_were_judged_not_to_be_relevant_are_not_passed_on(by: JudgedBy) -> None:
    papers = {WorkId(number): paper for number, paper in enumerate(PAPERS[:4], start=1)}
    found = [PaperFound(work, paper, FoundBy("openalex", QUESTION, 1)) for work, paper in papers.items()]
    judged = [PaperJudged(WorkId(1), 0.93, by=by), PaperJudged(WorkId(2), 0.48, by=by),
              PaperJudged(WorkId(3), 0.48, by="built-in")]  # fmt: skip
    ranking = PapersRanked(tuple(Ranked(work, 0.5, 0.5) for work in papers))
    state = SEARCH.folded([RunStarted(QUESTION, ()), *found, *judged, ranking])
    assert list(SEARCH.passed_on(state)) == [papers[WorkId(1)], papers[WorkId(3)], papers[WorkId(4)]]
