"""The page on why a paper is recommended: reasons, grounds, and the statement of each agent."""

from collections.abc import Iterator

from textual.content import Content

from agents.taste.records import Ground, HistoryPaper
from cache.shelf import Shelved
from spar_tui.phrases import counted
from spar_tui.recommendation_phrases import act_text, reasons
from spar_tui.tui.models.recommendation_rows import Recommended, Said, trace
from spar_tui.tui.widgets.paper_page import abstract, heading, on_shelf, title
from spar_tui.tui.widgets.text import QUIET, plain


def why_page(recommended: Recommended, shelved: Shelved | None = None) -> Content:
    """Return the page on a recommended paper, as paragraphs separated by blank lines."""
    return Content("\n\n").join(_paragraphs(recommended, shelved))


def _paragraphs(recommendation: Recommended, shelved: Shelved | None) -> Iterator[Content]:
    paper = recommendation.paper
    yield title(paper)
    if shelved:
        yield from on_shelf(shelved)
    if lines := reasons(recommendation.state, recommendation.placed, 3):
        yield Content.assemble(heading("Why"), Content("\n").join(plain(reason) for reason in lines))
    if recommendation.grounds:
        yield Content.assemble(
            heading("Rests on"), Content("\n").join(_rests_on(*pair) for pair in recommendation.grounds)
        )
    yield Content.assemble(
        heading("Who said what"), Content("\n").join(_statement(remark) for remark in trace(recommendation))
    )
    if recommendation.themes:
        themes = Content("\n").join(
            Content.assemble(
                ("● " if recommendation.placed.work in theme.works else "  ", "$accent"),
                plain(theme.name),
                plain(f"  {counted(len(theme.works), 'paper')}, {theme.salience:.0%}", QUIET),
            )
            for theme in recommendation.themes
        )
        yield Content.assemble(heading("Themes of the list"), themes)
    yield abstract(paper)


def _rests_on(ground: Ground, history_paper: HistoryPaper) -> Content:
    """Return a paper of the history, what the person did with it, and the words that both papers share."""
    named = " ".join(
        filter(None, [history_paper.title, f"({history_paper.year})" if history_paper.year else "", history_paper.key])
    )
    done = act_text(history_paper.acts)
    shared = ", ".join(f"“{word}”" for word in ground.words or ground.keywords)
    facts = " · ".join(filter(None, [f"you {done} it" if done else "", f"{ground.support:.0%} of the score", shared]))
    return Content.assemble(plain(named), "\n  ", plain(facts, QUIET))


def _statement(remark: Said) -> Content:
    score = f"{remark.score:.2f}" if remark.score is not None else ""
    return Content.assemble(plain(f"{remark.agent:<18} "), plain(f"{score:<5}", "bold"), plain(remark.words, QUIET))
