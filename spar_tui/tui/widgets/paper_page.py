"""The page of one paper: title, authors, why it was found, abstract and identifiers."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from agents.run.events import Link
from agents.search.state import SearchState
from cache.passages import Passage
from cache.reading_history import Feedback
from cache.shelf import Shelved
from connectors.paper import Paper, WorkId, all_authors
from spar_tui.math_text import shown_title, title_text, unmarked
from spar_tui.phrases import (
    CONCERN,
    LOWERED,
    NO_MATCH,
    NOT_READ,
    OWN_NOTE,
    counted,
    found_text,
    judgement_reason,
    passage_place,
    quotation,
    sentence,
    why_text,
)
from spar_tui.recommendation_phrases import personal_text
from spar_tui.tui.commands import bindings
from spar_tui.tui.widgets.text import QUIET, plain

REST_SECONDS = 0.1
_AUTHORS = 12
_SHORT_VENUE = 30
"""Most letters of a venue on one line with the date; a longer venue has its own lines."""
_SEEDS = 5
"""Most papers to name whose links led to a paper."""
_LINKED: Mapping[Link, str] = {"references": "cited by", "citations": "cites"}
_RATED = {1: "more like this", -1: "not relevant"}
EVIDENCE = "bold $accent"
"""Style of the words that the judge quoted: bold even without colors."""
_MINDS = {
    "model": "judged by the model",
    "built-in": "judged by built-in rules",
    "person": "judged by you",
    "simulated": "simulated",
}


class PaperPage(VerticalScroll, inherit_bindings=False):
    """The page of one paper; empty until one is chosen."""

    BINDINGS = bindings("a paper's page", "a paper")
    DEFAULT_CSS = """
    PaperPage { height: 1fr; min-width: 20; background: $background; border: round $border-blurred;
                border-title-color: $foreground; border-subtitle-color: $foreground 70%; scrollbar-size-vertical: 1; }
    PaperPage:focus { border: round $border; background-tint: transparent; }
    PaperPage > Static { height: auto; padding: 0 1; }
    """

    def __init__(self, id: str) -> None:
        super().__init__(id=id, can_focus=True)
        self._shown: tuple[Hashable, Content] = (None, Content(""))
        self._resting: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Static(Content(""))

    def at_rest(self, show: Callable[[], None]) -> None:
        """Call `show` once the person's cursor rests, since drawing a page takes longer than moving on."""
        if self._resting:
            self._resting.stop()
        self._resting = self.set_timer(REST_SECONDS, show)

    def show(self, about: Hashable, content: Content) -> None:
        """Show `content` about the paper `about`; skip unchanged content, and scroll another paper to its top."""
        before, self._shown = self._shown, (about, content)
        if content.is_same(before[1]) and before[0] == about:
            return
        self.query_one(Static).update(content)
        if before[0] != about:
            self.scroll_home(animate=False)


@dataclass(frozen=True, slots=True)
class InSearch:
    """A paper in a search."""

    state: SearchState
    work: WorkId


def empty_page() -> Content:
    """Return the page shown before a paper is chosen."""
    return plain("Select a paper to read it here.", QUIET)


def page(
    paper: Paper,
    search: InSearch | None = None,
    shelved: Shelved | None = None,
    feedback: Feedback = 0,
    passages: Sequence[Passage] = (),
) -> Content:
    """Return the page of `paper`: paragraphs separated by blank lines, with data from a search, the shelf and the
    person's feedback, and the `passages` of its full text that have the searched words."""
    return Content("\n\n").join(_paragraphs(paper, search, shelved, feedback, passages))


def _paragraphs(
    paper: Paper, search: InSearch | None, shelved: Shelved | None, feedback: Feedback, passages: Sequence[Passage]
) -> Iterator[Content]:
    yield title(paper)
    for passage in passages:
        yield Content.assemble(heading(sentence(passage_place(passage.page))), _quoted(passage))
    if feedback and not (shelved and shelved.rating):
        yield Content.assemble(heading("You said"), plain(sentence(f"{_RATED[feedback]}.")))
    if shelved:
        yield from on_shelf(shelved)
    if search:
        yield from _why(search.state, search.work)
        yield Content.assemble(heading("Found by"), Content("\n").join(map(plain, _ways(search.state, search.work))))
    if paper.about != paper.abstract:
        yield Content.assemble(heading(OWN_NOTE), plain(paper.described))
    judged = search.state.judgement(search.work) if search else None
    yield abstract(paper, judged.quote if judged else "")
    if keywords := _telling(paper.keywords):
        yield Content.assemble(heading("Keywords"), plain(shown_title(" · ".join(keywords))))
    if paper.preprint and paper.published:
        yield Content.assemble(heading("Versions"), Content("\n").join(_versions(paper)))
    yield Content.assemble(heading("Identifiers"), Content("\n").join(_names(paper)))


def _quoted(passage: Passage) -> Content:
    """Return the passage with the searched words in bold."""
    quoted = plain(f"“{passage.text}”")
    for start, end in passage.marks:
        quoted = quoted.stylize(EVIDENCE, start + 1, end + 1)
    return quoted


def title(paper: Paper) -> Content:
    """Return title, authors, venue and date of a paper."""
    warning = Content.styled("RETRACTED ", "bold $error") if paper.retracted else Content("")
    notices = [f"notice: doi:{paper.retraction_notice}"] if paper.retraction_notice else []
    notices += [CONCERN] if paper.concern else []
    return Content.assemble(
        warning,
        plain(unmarked(title_text(paper), paper.retracted), "bold"),
        *(part for notice in notices for part in ("\n", plain(notice, "$error"))),
        *_who_and_where(paper),
    )


def abstract(paper: Paper, evidence: str = "") -> Content:
    """Return the abstract, with the `evidence` marked where it occurs; or a note that there is no abstract."""
    if not paper.abstract:
        return Content.assemble(heading("Abstract"), plain("No abstract available.", QUIET))
    parts = map(shown_title, paper.abstract.partition(evidence) if evidence else (paper.abstract, "", ""))
    return Content.assemble(heading("Abstract"), *map(plain, parts, ("", EVIDENCE, "")))


def on_shelf(shelved: Shelved) -> Iterator[Content]:
    """Yield what the person has stored about a saved paper."""
    parts = [f"Saved {shelved.saved.astimezone():%d %b %Y}"]
    parts.append(f"read {shelved.read.astimezone():%d %b %Y}" if shelved.read else "not read yet")
    parts += [_RATED[shelved.rating]] if shelved.rating else []
    lines = [plain(" · ".join(parts), QUIET)]
    if shelved.tags:
        lines.append(Content(" ").join(plain(f"#{tag}", "$accent") for tag in shelved.tags))
    if shelved.key:
        lines.append(plain(f"cited as {shelved.key}", QUIET))
    yield Content.assemble(heading("On the shelf"), Content("\n").join(lines))
    if shelved.note:
        yield Content.assemble(heading("Note"), Content("\n").join(plain(line) for line in shelved.note.splitlines()))


def _versions(paper: Paper) -> Iterator[Content]:
    for label, version in (("preprint", paper.preprint), ("published", paper.published)):
        if version:
            # The page shows the venue of the published version at the top.
            venue = version.venue if version.venue != paper.venue else ""
            facts = [venue, version.date or "", f"doi:{version.doi}" if version.doi else version.url or ""]
            yield Content.assemble((f"{label:<10}", QUIET), plain(" · ".join(filter(None, facts))))


def _who_and_where(paper: Paper) -> Iterator[Content]:
    if paper.authors:
        yield Content.assemble("\n", plain(all_authors(paper, _AUTHORS)))
    cited = f"cited {paper.citation_count:,}" if paper.citation_count is not None else ""
    short = len(paper.venue) <= _SHORT_VENUE
    if paper.venue and not short:
        yield Content.assemble("\n", plain(paper.venue, QUIET))
    facts = " · ".join(filter(None, [paper.venue if short else "", paper.date or "", cited]))
    if facts:
        yield Content.assemble("\n", plain(facts, QUIET))


def _why(state: SearchState, work: WorkId) -> Iterator[Content]:
    judged, ranked = state.judgement(work), state.ranked(work)
    if judged is None and work not in state.assessed:
        yield Content.assemble(heading("Relevance"), plain(f"{sentence(unjudged_text(state, work))}.", QUIET))
        return
    score = ranked.score if ranked else state.relevance(work)  # the number in the list
    contents = [Content.assemble(plain(f"{score:.2f}", "bold"), plain(f"  {_mind(state, work)}", QUIET))]
    if judged and judged.reason:
        contents.append(plain(sentence(judgement_reason(judged))))
    if judged and judged.quote:
        contents.append(plain(shown_title(quotation(judged.quote, judged.page)), "italic"))
    if judged and judged.unsupported:
        contents.append(plain(LOWERED, "$warning"))
    if ranked and ranked.why:
        contents.append(plain(sentence(why_text(ranked, work in state.moved_by_model)), QUIET))
    if moved := personal_text(state, work):
        contents.append(plain(sentence(moved), QUIET))
    judgement = state.judged.get(work)
    if judged and judged.by == "person" and judgement:
        judge = f"{judgement.score:.2f} {_MINDS[judgement.by]}"
        why = judgement_reason(judgement).rstrip(".")
        contents.append(plain(f"{judge}{f': {why}' if why else ''}.", QUIET))
    yield Content.assemble(heading("Relevance"), Content("\n").join(contents))


def unjudged_text(state: SearchState, work: WorkId) -> str:
    """Return why `work` was not judged, without a full stop."""
    if state.finished is None or state.understood is None:
        return "not judged yet"
    from agents.search.filters import conditions_unmet, insisted_on
    from agents.search.question.matching import is_no_match

    weighed = [state.found[work_id].paper for work_id in state.assessed if work_id in state.found]
    unmet = conditions_unmet(state.found[work].paper, state.understood, insisted_on(state.understood, weighed))
    if not unmet and state.started and is_no_match(state.started.question, state.found[work]):
        return f"it {NO_MATCH}"
    return f"skipped because {' and '.join(unmet) or 'it has no word of the question'}"


def _mind(state: SearchState, work: WorkId) -> str:
    judged = state.judgement(work)
    judge = _MINDS[judged.by] if judged else "estimated by built-in rules"
    return f"{NOT_READ}, {judge}" if state.unread(work) else judge


def _ways(state: SearchState, work: WorkId) -> list[str]:
    """Return the ranks of `work` in the sources' lists, and the papers whose links led to it."""
    ways = state.found[work].found_by
    lists = found_text([finding for finding in ways if finding.link is None], {}).removeprefix("found by ")
    linked = dict.fromkeys(
        (finding.link, state.work(finding.link_of)) for finding in ways if finding.link and finding.link_of is not None
    )
    seeds = [(link, title_text(state.found[seed].paper)) for link, seed in linked if seed in state.found]
    parts = [f"{_LINKED[link]} “{title}”" for link, title in seeds[:_SEEDS]]
    more = len(seeds) - len(parts)
    return list(filter(None, [lists, *parts, f"and {counted(more, 'more paper')}" if more else ""]))


def _telling(keywords: Sequence[str]) -> list[str]:
    """Return the keywords that are not part of another one."""
    words = {f" {' '.join(keyword.casefold().split())} ": keyword for keyword in reversed(keywords)}
    return [
        keyword
        for padded, keyword in reversed(words.items())
        if not any(padded in other for other in words if other != padded)
    ]


def _names(paper: Paper) -> Iterator[Content]:
    values: dict[str, list[str]] = {}
    for name in paper.identifiers:
        if name.scheme != "s2" or name.value == paper.identifier("s2"):  # the other one is the same record's
            values.setdefault(name.scheme, []).append(name.value)
    for scheme, of_scheme in values.items():
        yield Content.assemble((f"{scheme:<9}", QUIET), plain(" · ".join(of_scheme)))
    address = (paper.url or "").casefold()
    is_told = any(name.value.casefold() in address for name in paper.identifiers)
    for label, value in (("page", "" if is_told else paper.url), ("PDF", paper.pdf)):
        if value:
            yield Content.assemble((f"{label:<9}", QUIET), plain(value))
    if not (paper.identifiers or paper.url or paper.pdf):
        yield plain("None known.", QUIET)


def heading(word: str) -> Content:
    """Return a heading above a paragraph."""
    return Content.styled(f"{word}\n", "bold $primary")
