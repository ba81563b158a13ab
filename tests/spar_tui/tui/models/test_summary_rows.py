"""What a summary shows, without a screen."""

from itertools import pairwise

from agents.run.events import FoundBy, PaperFound
from agents.summary.events import (
    ROOT,
    Citation,
    Facet,
    FacetDropped,
    FacetsMerged,
    FacetsPlanned,
    FacetVerified,
    NodeRetrieved,
    NodeWritten,
    Sentence,
    SummaryEvent,
    SummaryFinished,
    SummaryStarted,
)
from agents.summary.kind import SUMMARY
from agents.summary.options import SummaryOptions
from agents.summary.state import SummaryState
from connectors.paper import WorkId
from spar_tui.bibliography.markdown import escaped
from spar_tui.reports.summary_markdown import markdown
from spar_tui.reports.summary_text import Marks, TextRow, line_of
from spar_tui.reports.text_file import suggested_name
from spar_tui.tui.models.search_trail import Branch
from spar_tui.tui.models.summary_rows import facet_tree, node_of, rows, step_of
from spar_tui.tui.screens.summary import summary_line
from tests.agents.scripted import paper
from tests.agents.search.world import Library, made_up, shelf
from tests.agents.summary.world import honest_model, summed
from tests.rows import each

ZERO, ONE, TWO, THREE = WorkId(0), WorkId(1), WorkId(2), WorkId(3)
STARTED = SummaryStarted("topic", ("openalex",), 2, 4, 1000)
PAPERS = [
    PaperFound(WorkId(work), paper(f"Paper {work}", f"10.1000/{work}"), FoundBy("openalex", "q", 1))
    for work in range(6)
]
PLANNED = FacetsPlanned(ROOT, tuple(Facet(f"Title {one}", f"Question {one}?", f"query {one}") for one in "abc"))


def text(*works: int, by: str = "model") -> tuple[Sentence, ...]:
    return tuple(Sentence(f"Says {work}.", (Citation(WorkId(work), f"words of {work}"),)) for work in works)


def all_of(branches: tuple[Branch, ...]) -> list[Branch]:
    return [one for branch in branches for one in (branch, *all_of(branch.children))]


def words(shown: list[TextRow]) -> str:
    return "\n".join("".join(part for part in row.parts if isinstance(part, str)) for row in shown)


def test_a_merged_and_a_dropped_facet_are_gone_and_say_why() -> None:
    events: list[SummaryEvent] = [
        STARTED, *PAPERS, NodeRetrieved(ROOT, (ZERO, ONE)), PLANNED,
        FacetDropped("2", "needed", "it lies beside"), FacetsMerged("1", "3", "it asks for the same"),
    ]  # fmt: skip
    branches = {node_of(one): one for one in all_of(facet_tree(SUMMARY.folded(events))) if one.key.startswith("at:")}
    assert {node: one.tone for node, one in branches.items()} == {ROOT: "facet", "1": "facet", "2": "gone", "3": "gone"}
    assert [one.label for one in branches["2"].children] == ["it lies beside"]
    assert [one.label for one in branches["3"].children] == ["it asks for the same"]
    assert "it lies beside" in words(rows(SUMMARY.folded(events), "2"))


def test_the_steps_are_told_in_the_order_in_which_they_come() -> None:
    verified = [FacetVerified(node, "needed", "q") for node in "123"]
    found = [NodeRetrieved(node, (ONE,)) for node in "123"]
    relevant = [FacetVerified(node, "relevant", works=(ONE,)) for node in "123"]
    events: list[SummaryEvent] = [STARTED, *PAPERS]
    told = []
    for more in ([], [NodeRetrieved(ROOT, (ZERO,))], [PLANNED], verified, found, relevant):
        events += more
        told.append(step_of(SUMMARY.folded(events)))
    assert told == [
        ("search", 0, 1), ("plan", 0, 1), ("verify", 0, 3), ("search", 0, 3), ("verify", 0, 3), ("plan", 0, 3),
    ]  # fmt: skip
    events.append(NodeWritten("1", text(1), by="model"))
    assert step_of(SUMMARY.folded(events)) == ("write", 1, 4)


def test_a_text_is_read_in_order_with_the_numbers_of_its_reference_list() -> None:
    state = SUMMARY.folded([
        STARTED, *PAPERS, NodeRetrieved(ROOT, (ZERO, ONE)), PLANNED,
        *(NodeRetrieved(node, (TWO, THREE)) for node in "123"),
        NodeWritten("1", text(3, 2), by="model"), NodeWritten("2", (), gap="Nothing is said.", by="model"),
        NodeWritten("3", text(2)), NodeWritten(ROOT, text(1), by="model"), SummaryFinished(1.0),
    ])  # fmt: skip
    shown = rows(state, ROOT)
    assert [[one.number for one in row.cited] for row in shown if row.key.startswith("s:")] == [[1], [2], [3], [3]]
    assert [[one.number for one in row.cited] for row in shown if row.kind == "paper"] == [[1], [2], [3]]
    assert "Nothing is said." in words(shown)
    assert "“words of 2”" in words(shown)
    assert [row.parts[0] for row in rows(state, "1") if row.kind == "heading"] == ["1 Title a", "Papers"]


@each("model", [False, True])
def test_the_app_shows_every_line_of_the_text_that_the_file_has(model: bool) -> None:
    done = summed(shelf(Library(made_up(30)), model=honest_model() if model else None), SummaryOptions(words=300))
    marks, file = Marks(done.state), "\n".join(markdown(done.state))
    shown = [row for row in rows(done.state, ROOT) if row.kind in ("heading", "about", "remark", "text", "item")]
    assert len(shown) > 10
    assert [row.parts for row in shown if line_of(row.parts, marks.of, escaped) not in file] == []


def test_papers_that_disagree_are_said_to_and_both_can_be_opened() -> None:
    """In the app and in the file alike."""
    both = Sentence("It helps; it harms.", (Citation(ONE, "it helps"), Citation(TWO, "it harms")), contested=True)
    state = SUMMARY.folded([STARTED, *PAPERS, NodeRetrieved(ROOT, (ONE, TWO)), NodeWritten(ROOT, (both,), by="model")])
    (told,) = [row for row in rows(state, ROOT) if row.kind == "text"]
    assert str(told.parts[0]).startswith("Papers disagree here: ")
    assert [one.work for one in told.cited] == [1, 2]
    (line,) = [line for line in markdown(state) if line.startswith("Papers disagree here: ")]
    assert "[1, 2]" in line


def test_a_doubt_of_all_that_follows_stands_before_it() -> None:
    state = SUMMARY.folded([STARTED, *PAPERS, NodeRetrieved(ROOT, (ONE,)), NodeWritten(ROOT, text(1), gap="Doubtful.")])
    shown = [row.kind for row in rows(state, ROOT) if row.key in ("gap", "s::0")]
    assert shown == ["remark", "item"]
    told = "\n".join(markdown(state))
    assert told.index("Doubtful.") < told.index("words of 1")


@each("model", [False, True])
@each("options", [SummaryOptions(words=300), SummaryOptions(outline=True), SummaryOptions(depth=0)])
def test_at_every_moment_of_a_summary_everything_can_be_shown(model: bool, options: SummaryOptions) -> None:
    done = summed(shelf(Library(made_up(30)), model=honest_model() if model else None), options)
    state = SummaryState()
    for event, after in pairwise((*done.events, None)):
        assert event is not None
        state = state.apply(event)
        if type(event) is type(after):
            continue  # events of a kind come together, and are drawn together
        branches = all_of(facet_tree(state))
        assert len({one.key for one in branches}) == len(branches)
        for node in {ROOT, *map(node_of, branches)}:
            shown = rows(state, node)
            assert len({row.key for row in shown}) == len(shown)
            assert all(one.work in state.findings.found for row in shown for one in row.cited)
        for width in (20, 40, 150):
            for status in ("running", "paused", "stopping", "finished", "cut off", "failed"):
                assert summary_line(state, status, 3.0, width).cell_length <= max(width, 30)


@each(
    ("topic", "name"),
    [
        ("Sleep & memory: a review?", "sleep-memory-a-review.md"),
        ("../../etc/passwd", "etc-passwd.md"),
        ("检索 增强", "检索-增强.md"),
        ("???", "summary.md"),
        ("x" * 500, f"{'x' * 60}.md"),
        ("how " * 20 + "so", f"{'how-' * 14}how.md"),
        (
            "does query evolution change the recall of literature searches",
            "does-query-evolution-change-the-recall-of-literature.md",
        ),
    ],
)
def test_a_file_name_is_suggested_that_every_folder_takes(topic: str, name: str) -> None:
    assert suggested_name(topic) == name
