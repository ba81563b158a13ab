"""What the screens are told to show, without a screen."""

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from agents.run.events import FoundBy, PaperFound, QueryPlanned, SourceAnswered, Spent, WorksJoined
from agents.search.events import (
    CandidatesChosen,
    Event,
    EvolvedQuery,
    Finished,
    PaperJudged,
    PapersAssessed,
    PaperScreened,
    PapersRanked,
    QueriesEvolved,
    QuestionUnderstood,
    Ranked,
    ReferencesFollowed,
    RunStarted,
)
from agents.search.kind import SEARCH
from agents.search.state import SearchState
from connectors.paper import Author, Paper, WorkId
from spar_tui.phrases import LESS_SURE, NEAREST, NO_MATCH
from spar_tui.tui.commands import COMMANDS
from spar_tui.tui.models.run_status import SHOWN_KINDS
from spar_tui.tui.models.search_rows import Rows, by_relevance, carried_on, misplaced, row, row_of, ruled, waiting_works
from spar_tui.tui.models.search_trail import Branch, branch_told, trail
from spar_tui.tui.widgets.paper_list import row_text
from spar_tui.tui.widgets.paper_page import InSearch, page, unjudged_text
from spar_tui.tui.widgets.status_lines import sources_line, stage_line, trail_line
from tests.agents.scripted import paper
from tests.rows import each

ZERO, ONE, TWO = WorkId(0), WorkId(1), WorkId(2)


def found(work: int, source: str = "openalex", query: str = "q", **link: object) -> PaperFound:
    return PaperFound(WorkId(work), paper(f"Paper {work}", f"10.1000/{work}"), FoundBy(source, query, 1, **link))  # type: ignore[arg-type]


def asked(source: str = "openalex", query: str = "q") -> list[Event]:
    return [QueryPlanned(source, query), SourceAnswered(source, query, "ok", 3)]


def all_of(branches: tuple[Branch, ...]) -> list[Branch]:
    return [one for branch in branches for one in (branch, *all_of(branch.children))]


def test_each_paper_that_led_to_another_has_a_line_on_its_page() -> None:
    events = [found(0), found(1), found(2, query="", link="references", link_of=ZERO)]
    state = SEARCH.folded([*events, found(2, query="", link="citations", link_of=ONE)])
    shown = page(state.found[TWO].paper, InSearch(state, TWO)).plain
    assert "Found by\ncited by “Paper 0”\ncites “Paper 1”\n" in shown


def test_the_notice_of_a_retraction_has_a_line_of_its_own() -> None:
    retracted = replace(paper("Rivers", "10.1000/r"), retracted=True, retraction_notice="10.1000/n")
    assert page(retracted).plain.startswith("RETRACTED Rivers\nnotice: doi:10.1000/n\n")


def test_a_rating_stands_on_its_row_where_no_decision_does() -> None:
    liked, disliked = PaperJudged(ZERO, 1.0, by="person"), PaperJudged(ONE, 0.0, by="person")
    decided = PaperScreened(TWO, "included")
    rows, state = Rows(), SEARCH.folded([found(0), found(1), found(2)])
    assert {row.rated for row in rows(state, state.works, ())} == {None}
    state = SEARCH.folded([found(0), found(1), found(2), liked, disliked, decided])
    shown = rows(state, state.works, ())
    assert [row.rated for row in shown] == [True, False, None]
    assert [sign in row_text(row, 40).plain for row, sign in zip(shown, "▲▼", strict=False)] == [True, True]


@given(st.lists(st.integers(0, 9).map(WorkId), unique=True, min_size=1), st.data())
def test_what_was_shown_stays_in_its_order_whatever_comes(works: list[WorkId], data: st.DataObject) -> None:
    state = SEARCH.folded(found(work) for work in works)
    order = carried_on([], state)
    later = state
    for work in data.draw(st.lists(st.integers(10, 19), unique=True)):
        later = later.apply(found(work))
    for gone in data.draw(st.lists(st.sampled_from(works), unique=True)):
        kept = data.draw(st.sampled_from(sorted(later.found)))
        if kept != gone:
            later = later.apply(WorksJoined(kept, gone))
    later = later.apply(PapersAssessed(tuple((work, data.draw(st.floats(0, 1))) for work in later.found)))
    now = carried_on(order, later)
    assert sorted(now) == sorted(later.found)
    survivors = [work for work in order if work in later.found and work not in later.joined.values()]
    assert [work for work in now if work in survivors] == survivors


def test_the_relevant_papers_that_a_sort_would_lift_are_counted() -> None:
    state = SEARCH.folded([found(0), found(1), PapersAssessed(((ZERO, 0.1), (ONE, 0.9)))])
    assert by_relevance(state) == [1, 0]
    assert misplaced([ZERO, ONE], state) == 1
    assert misplaced([ONE, ZERO], state) == 0


def test_of_a_finished_search_every_paper_that_a_sort_would_lift_is_counted() -> None:
    """What is said to be by score is by score."""
    state = SEARCH.folded([found(0), found(1), PapersAssessed(((ZERO, 0.1), (ONE, 0.2)))])
    assert misplaced([ZERO, ONE], state) == 0
    assert misplaced([ZERO, ONE], state.apply(Finished())) == 1
    assert misplaced([ONE, ZERO], state.apply(Finished())) == 0


@given(st.lists(st.integers(0, 29), min_size=1))
def test_rows_made_while_a_search_goes_on_are_those_that_would_be_made_at_its_end(chosen: list[int]) -> None:
    rows, state = Rows(), SearchState()
    for step in chosen:
        work = WorkId(step % 10)
        if work not in state.found:
            state = state.apply(found(work))
        elif step < 20:
            state = state.apply(CandidatesChosen((work,), 1))
        else:
            state = state.apply(PaperJudged(work, step / 30, "It is on the subject.", by="model"))
        waiting = waiting_works(state)
        assert rows(state, state.found, waiting) == [row(state, one, waiting) for one in state.found]


def test_a_row_waits_until_its_judgement_is_there() -> None:
    state, rows = SEARCH.folded([found(0), CandidatesChosen((ZERO,), 1)]), Rows()
    (waiting,) = rows(state, [ZERO], waiting_works(state))
    assert waiting.waiting
    assert waiting.score is None
    after = state.apply(PaperJudged(ZERO, 0.8, "It is on the subject.", "Its subject", by="model"))
    (judged,) = rows(after, [ZERO], waiting_works(after))
    assert not judged.waiting
    assert (judged.score, judged.relevant) == (0.8, True)


def test_the_trail_leads_from_the_query_over_a_paper_to_its_references() -> None:
    state = SEARCH.folded(
        [
            *asked(),
            found(0),
            ReferencesFollowed(ZERO, "references", 1, listed=7, new=1),
            found(1, query="", link="references", link_of=ZERO),
            ReferencesFollowed(ZERO, "references", 2, listed=9, new=1),
            found(2, query="", link="references", link_of=ZERO),
            PapersAssessed(((ZERO, 0.9), (ONE, 0.8), (TWO, 0.7))),
        ]
    )
    (query,) = trail(state)
    (source,) = query.children
    (seed,) = source.children
    (links,) = seed.children
    assert [one.label for one in (query, source, seed, links)] == ["q", "openalex", "Paper 0", "9 references"]
    assert links.note == "→ 2 new"
    assert [one.work for one in links.children] == [1, 2]


LONG = "agents that follow the references of scientific papers and judge each of them by its abstract " * 3


def test_a_place_in_the_trail_tells_the_whole_query_its_aim_and_what_came_of_it_at_its_source() -> None:
    state = SEARCH.folded(
        [
            QuestionUnderstood((LONG.strip(),), ("openalex", "arxiv")),
            *asked(query=LONG.strip()),
            found(0, query=LONG.strip()),
            SourceAnswered("google", LONG.strip(), "skipped", error="was not asked: it is off."),
            SourceAnswered("crossref", LONG.strip(), "skipped", error="was not asked: no paper is named."),
            QueriesEvolved(1, (EvolvedQuery("new words", "method", ZERO, chosen=True),)),
            QueryPlanned("openalex", "new words", 2),
            SourceAnswered("openalex", "new words", "ok", 12, 1.24),
            QueryPlanned("arxiv", "new words", 2),
            SourceAnswered("arxiv", "new words", "failed", 0, 10.0, "did not answer."),
        ]
    )
    first, second = trail(state)
    assert branch_told(state, first) == [LONG.strip(), "The question itself"]
    assert branch_told(state, first.children[0])[2:] == ["openalex answered with 3 records"]
    assert branch_told(state, first.children[-1])[2:] == [
        "crossref was not asked (no paper is named)",
        "google was not asked (it is off)",
    ]
    assert branch_told(state, second) == ["new words", "Another method, from “Paper 0”"]
    assert branch_told(state, second.children[0])[2:] == ["openalex answered with 12 records in 1.2 s"]
    assert branch_told(state, second.children[1])[2:] == ["arxiv failed (did not answer) in 10.0 s"]


def test_the_trail_tells_the_left_out_from_the_failed_and_each_with_its_reason() -> None:
    state = SEARCH.folded(
        [
            *asked(),
            QueryPlanned("arxiv", "q"),
            SourceAnswered("arxiv", "q", "failed", 0, 10.0, "did not answer."),
            SourceAnswered("google", "q", "skipped", error="was not asked: it is off."),
            SourceAnswered("pubmed", "q", "failed", error="left alone until noon.", asked=False),
            SourceAnswered("semanticscholar", "q", "ok", 7, 2.31),
            QueryPlanned("semanticscholar", "q"),
        ]
    )
    (query,) = trail(state)
    *asked_sources, folded = query.children
    assert folded.label == "2 not asked"
    assert {one.label: (one.tone, one.note) for one in (*asked_sources, *folded.children)} == {
        "openalex": ("source", "3"),
        "arxiv": ("trouble", "failed (did not answer)"),
        "semanticscholar": ("source", "7  2.3 s"),
        "google": ("quiet", "was not asked (it is off)"),
        "pubmed": ("quiet", "was not asked (left alone until noon)"),
    }


def test_papers_that_nobody_has_weighed_are_in_the_order_of_the_sources_lists() -> None:
    def listed(work: int, source: str, rank: int) -> PaperFound:
        return PaperFound(WorkId(work), paper(f"Paper {work}", f"10.1000/{work}"), FoundBy(source, "q", rank))

    state = SEARCH.folded([listed(0, "openalex", 2), listed(1, "openalex", 1), listed(2, "openalex", 3)])
    assert by_relevance(state) == [1, 0, 2]
    both = state.apply(listed(2, "arxiv", 1))
    assert by_relevance(both) == [2, 1, 0]
    assert by_relevance(both.apply(PapersAssessed(((ZERO, 0.1),)))) == [0, 2, 1]


def test_what_counts_as_relevant_stands_before_the_rest_with_the_score_that_orders_it() -> None:
    ranking = (Ranked(ZERO, 0.62, 0.49), Ranked(ONE, 0.61, 0.55), Ranked(TWO, 0.30, 0.20))
    weighed = PapersAssessed(((ZERO, 0.49), (ONE, 0.55), (TWO, 0.2)))
    state = SEARCH.folded([found(0), found(1), found(2), weighed, PapersRanked(ranking)])
    rows = ruled(Rows()(state, by_relevance(state), ()), finished=True)
    assert [(one.key, one.score, one.rule) for one in rows] == [(1, 0.61, ""), (0, 0.62, LESS_SURE), (2, 0.30, "")]
    nearest = ruled([one for one in rows if not one.relevant], finished=True)
    assert nearest[0].rule == NEAREST
    assert not any(one.rule for one in ruled([replace(one, rule="") for one in nearest], finished=False))


def test_no_rule_parts_what_is_not_ordered_by_relevance_or_not_weighed_yet() -> None:
    row = row_of(0, paper("T", "10.1000/t"))
    good, bad = replace(row, score=0.9, relevant=True), replace(row, score=0.1)
    assert not any(one.rule for one in ruled([good, bad, good], finished=True))
    assert not any(one.rule for one in ruled([good, row], finished=False))
    assert [one.rule for one in ruled([good, bad, row], finished=False)] == ["", LESS_SURE, ""]


@each(
    ("understood", "paper_date", "told"),
    [
        (QuestionUnderstood(("q",), (), since=date(2022, 1, 1)), "2020", "it was published before 2022-01-01"),
        (QuestionUnderstood(("q",), (), since=date(2022, 1, 1)), None, "it has no date"),
        (QuestionUnderstood(("q",), (), authors=("Noether",)), "2020", "it is not by Noether"),
        (QuestionUnderstood(("q",), (), authors=("Nobody",)), "2020", "it has no word of the question"),
        (QuestionUnderstood(("q",), ()), "2020", "it has no word of the question"),
    ],
)
def test_a_finished_search_says_why_a_paper_was_left_out_unjudged(
    understood: QuestionUnderstood, paper_date: str | None, told: str
) -> None:
    """A condition that no paper met was not insisted on, and is no reason."""
    out = PaperFound(ONE, paper("Out", "10.1000/o", date=paper_date), FoundBy("openalex", "q", 1))
    kept = PaperFound(ZERO, paper("In", "10.1000/i", author="Emmy Noether", date="2023"), FoundBy("openalex", "q", 2))
    running = SEARCH.folded([understood, out, kept, PapersAssessed(((ZERO, 0.9),))])
    assert unjudged_text(running, ONE) == "not judged yet"
    said = unjudged_text(running.apply(Finished()), ONE)
    assert said.startswith(f"skipped because {told}")
    page_said = page(out.paper, InSearch(running.apply(Finished()), ONE)).plain
    assert f"S{said[1:]}." in page_said
    assert "Not judged yet" not in page_said


def test_papers_that_found_each_other_do_not_lead_in_circles() -> None:
    """Works that turn out to be one can make a paper a reference of its own reference."""
    state = SEARCH.folded(
        [
            *asked(),
            found(0),
            found(1, query="", link="references", link_of=ZERO),
            found(2, query="", link="references", link_of=ONE),
            ReferencesFollowed(ZERO, "references", 1, 3, 1),
            ReferencesFollowed(ONE, "references", 1, 3, 1),
            WorksJoined(TWO, ZERO),
            PapersAssessed(((ONE, 0.9), (TWO, 0.8))),
        ]
    )
    assert len(all_of(trail(state))) < 20


def test_every_branch_has_a_key_of_its_own() -> None:
    state = SEARCH.folded(
        [*asked(), *asked("arxiv"), *asked("arxiv", "other"), found(0), found(1, "arxiv"), found(2, "arxiv", "other")]
    )
    state = state.apply(PapersAssessed(((ZERO, 0.9), (ONE, 0.8), (TWO, 0.7))))
    keys = [one.key for one in all_of(trail(state))]
    assert len(keys) == len(set(keys)) == 8


@given(st.integers(1, 300))
def test_the_status_lines_fit_and_the_time_stays_on_the_edge(width: int) -> None:
    state = SEARCH.folded(
        [*asked(), *asked("arxiv"), SourceAnswered("arxiv", "x", "failed", error="no answer."), found(0)]
    )
    line = stage_line(state, "running", 83.0, width)
    assert line.plain.endswith("1:23")
    assert line.cell_length <= max(width, len(" 1:23"))
    assert sources_line(state, width).cell_length <= width


def test_on_a_narrow_line_the_running_step_stands_beside_what_fits_of_the_cost() -> None:
    state = SEARCH.folded([*asked(), Spent("judge", 1, 700, 126, 0.01, usd_estimated=False)])
    line = stage_line(state, "running", 83.0, 40).plain
    assert "● " in line
    assert line.endswith("1:23 · 826 tokens")
    assert stage_line(state, "running", 83.0, 80).plain.endswith("1:23 · 826 tokens · 0.0100 USD")


def test_a_source_in_trouble_is_named_before_the_others_where_there_is_little_room() -> None:
    events = [*asked(), *asked("semanticscholar"), SourceAnswered("arxiv", "q", "failed", error="no answer.")]
    assert "✘ arxiv failed" in sources_line(SEARCH.folded(events), 30).plain


def test_a_search_that_has_not_begun_has_lines_too() -> None:
    assert "understand" in stage_line(SearchState(), "running", 0, 80).plain
    assert sources_line(SearchState(), 80).plain == ""


TURNS = {(f"{kind}.{turn}", key) for kind in SHOWN_KINDS for turn, key in (("resume", "p"), ("cut", "x"))} | {
    ("search.order", "R"), ("ask.try", "down"), ("ask.papers", "down"), ("app.back", "q"), ("watches.stop", "escape"),
}  # fmt: skip


def test_no_place_uses_a_key_for_two_commands_that_can_be_used_together() -> None:
    for place, commands in COMMANDS.items():
        # Pause and go on take turns, as re-sort and order, papers offered, recent searches and questions to try, back
        # and quit, and asking watches no more and back do; x stops gently, and at once when it is pressed again.
        keys = [key for one in commands for key in one.keys if (one.id, key) not in TURNS]
        assert len(keys) == len(set(keys)), place
    ids = [one.id for commands in COMMANDS.values() for one in commands]
    assert len(ids) == len(set(ids))


@each(
    ("families", "et_al", "shown"),
    [(["One"], False, "One 2020"), (["One"], True, "One et al. 2020"), (["One", "Two"], True, "One et al. 2020"),
     (["One", "Two"], False, "One & Two 2020"), ([], True, "2020")],
)  # fmt: skip
def test_a_paper_whose_authors_are_not_all_known_says_so(families: list[str], et_al: bool, shown: str) -> None:
    one = Paper("T", authors=tuple(map(Author, families)), date="2020", et_al=et_al)
    assert row_of(0, one).byline == shown


def test_the_line_of_the_search_counts_what_was_compared_by_meaning_if_anything_was() -> None:
    state = SEARCH.folded([found(0), found(1)])
    compared = state.apply(PapersAssessed(((ZERO, 0.9), (ONE, 0.1)), 2, "the model in here"))
    assert "2 compared by meaning" in stage_line(compared, "finished", 0, 160).plain
    without = compared.apply(PapersAssessed(((ZERO, 0.9), (ONE, 0.1))))
    assert "meaning" not in stage_line(without, "finished", 0, 160).plain


def test_the_folded_trail_says_that_no_source_was_asked() -> None:
    state = SEARCH.folded([found(0), found(1)])
    assert trail_line(state, 80, "t").plain == "no source asked · 2 papers · t trail"


def test_a_paper_that_does_not_match_a_query_with_operators_is_marked_in_its_row() -> None:
    about = [
        PaperFound(work, Paper(title, "An abstract."), FoundBy("dblp", "engines NOT steam", 1))
        for work, title in ((ZERO, "Steam engines"), (ONE, "Engines"))
    ]
    state = SEARCH.folded([RunStarted("engines NOT steam", ("semanticscholar",)), *about])
    assert [row(state, work).reason for work in (ZERO, ONE)] == [NO_MATCH, ""]


def test_a_page_shows_abstract_and_keywords_without_tex() -> None:
    text = page(paper("One", abstract=r"The $\alpha$-decay \emph{of} $^{238}$U.", keywords=[r"$\beta$ rays"])).plain
    assert "The α-decay of ²³⁸U." in text
    assert "β rays" in text


def test_a_page_repeats_no_keyword_that_is_part_of_another_and_no_second_id_of_a_record() -> None:
    words = ["Graphs", "Graphs and Machine Learning", "machine learning", "Learning", "cs.LG", "CS.lg"]
    ids = ("s2:" + "a" * 40, "s2:CorpusId:12", "arxiv:2001.00001")
    text = page(paper("One", *ids, keywords=words)).plain
    assert "\nGraphs and Machine Learning · cs.LG\n" in text
    assert "CorpusId" not in text
    assert "2001.00001" in text
