"""Screen one paper at a time: include it, exclude it with a reason, or decide later."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from agents.search.events import Decision, PaperScreened
from agents.search.kind import SearchRun
from cache.reading_history import Feedback
from connectors.paper import Paper, WorkId
from spar_tui.math_text import title_text
from spar_tui.screening import next_open, reasons_offered, screening
from spar_tui.tui.commands import bindings
from spar_tui.tui.models.personal_shelf import Beside
from spar_tui.tui.screens.dialogs.dialog import Dialog
from spar_tui.tui.screens.dialogs.paper_prompt import TextPrompt
from spar_tui.tui.screens.run_actions import RunActions
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.paper_page import InSearch, PaperPage, page
from spar_tui.tui.widgets.text import QUIET, Line, cut, plain

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp

_WIDTH = 44
_ROOM = _WIDTH - 10


class ReasonScreen(Dialog[str | None]):
    """Returns the reason; None if cancelled."""

    DEFAULT_CSS = f"""
    ReasonScreen > Vertical {{ width: {_WIDTH}; padding: 0 2; }}
    ReasonScreen Static {{ height: auto; }}
    """
    BINDINGS = bindings("reason for excluding a paper")
    heading = "Excluded because"
    app: "BaseApp"

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__()
        self.reasons = reasons

    def parts(self) -> Iterator[Widget]:
        yield Static(Content("\n").join(self._lines()))

    def _lines(self) -> Iterator[Content]:
        for digit, reason in enumerate(self.reasons, start=1):
            key = self.app.key_shown(f"reason.{digit}")
            yield Content.assemble((f"{key} ", "bold $key"), plain(cut(reason, _ROOM)))

    def action_take(self, digit: int) -> None:
        """Choose the reason of this digit."""
        if digit <= len(self.reasons):
            self.dismiss(self.reasons[digit - 1])

    def action_write(self) -> None:
        """Ask for another reason; ignore an empty one."""
        self.app.push_screen(TextPrompt("Excluded because"), self._written)

    def _written(self, text: str | None) -> None:
        if reason := " ".join((text or "").split()):
            self.dismiss(reason)


class TriageScreen(RunActions):
    """The papers `works` of a search in order, beginning with the first undecided one from `at` on."""

    DEFAULT_CSS = """
    TriageScreen #page > Static { max-width: 100; }
    TriageScreen.-short #question { display: none; }
    """
    BINDINGS = bindings("screening papers", "any paper")
    AUTO_FOCUS = "#page"
    live: SearchRun

    def __init__(self, live: SearchRun, works: Sequence[WorkId], at: WorkId) -> None:
        super().__init__(name=f"triage {live.run}")
        self.live, self._listed = live, tuple(works)
        at, works = live.state.work(at), self.works
        first = next_open(live.state, works, works.index(at))
        self.work = at if first is None else first

    def compose(self) -> ComposeResult:
        yield Line("question", plain(self.live.question, "bold"))
        yield Line("progress")
        yield PaperPage("page")
        yield Footer()

    def on_mount(self) -> None:
        self._watch()

    def on_screen_resume(self) -> None:
        self._seen = None

    @property
    def works(self) -> list[WorkId]:
        """The works in order, each once: two of them may have turned out to be the same."""
        state = self.drawn_state
        return list(dict.fromkeys(work for work_id in self._listed if (work := state.work(work_id)) in state.found))

    def _show_lines(self) -> None:
        progress = screening(self.live.state, self.works).progress
        self.query_one("#progress", Line).show(plain(self.why_lost, "$error") if self.gone else plain(progress))

    def _show_run(self) -> None:
        state, works = self.drawn_state, self.works
        self.work = state.work(self.work)
        decided, number = state.screened.get(self.work), works.index(self.work) + 1
        shown = self.query_one(PaperPage)
        verdict = (
            f"{decided.decision}{f': {decided.reason}' if decided.reason else ''}" if decided else "not decided yet"
        )
        if self.gone:
            decided, verdict = None, "not stored"
        shown.border_title = plain(f"Paper {number:,} of {len(works):,}")
        shown.border_subtitle = plain(verdict, "" if decided else QUIET)
        shown.show(self.work, page(state.found[self.work].paper, InSearch(state, self.work)))
        self.looking_at(self.work)

    def _go_to(self, work: WorkId) -> None:
        self.work, self._seen = work, None
        self._flush()

    @property
    def key(self) -> int | None:
        return self.live.state.work(self.work)

    def paper_of(self, key: int) -> Paper | None:
        candidate = self.drawn_state.found.get(self.live.state.work(WorkId(key)))
        return candidate.paper if candidate else None

    def keys_shown(self) -> Sequence[int]:
        return () if self.key is None else (self.key,)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "mark" | "mark_all" | "compare":
                return False
            case "step":
                return (
                    0 <= self.works.index(self.live.state.work(self.work)) + int(str(parameters[0])) < len(self.works)
                )
        return super().check_action(action, parameters)

    def action_decide(self, decision: Decision) -> None:
        self._decide(self.live.state.work(self.work), decision)

    def action_exclude(self) -> None:
        work = self.live.state.work(self.work)
        dialog = ReasonScreen(reasons_offered(self.live.state))
        self.app.push_screen(dialog, lambda reason: self._decide(work, "excluded", reason) if reason else None)

    def _decide(self, work: WorkId, decision: Decision, reason: str = "") -> None:
        """Store a decision that can be undone, and go on to the next undecided paper."""
        app, live, feedback = self.app, self.live, self.app.search_feedback
        if not app.can_store(live):
            return
        before = live.state.screened.get(work) or PaperScreened(work, None)
        sentence = feedback.mark(live, work)
        feedback.screen(live, work, decision, reason)

        def take_back() -> None:
            feedback.screen(live, live.state.work(work), before.decision, before.reason)
            if feedback.mark(live, work) is not sentence:
                feedback.say(live, work, sentence)
            if self.is_attached:
                self._go_to(live.state.work(work))

        def stands() -> bool:
            now = live.state.screened.get(live.state.work(work))
            stands = now is not None and (now.decision, now.reason) == (decision, reason)
            return stands and app.has_run(live.run)

        title = title_text(self.drawn_state.found[work].paper)
        app.shelf.note_decision(f"{_DONE[decision]} “{title}”", Beside(take_back, stands))
        works = self.works
        coming = next_open(live.state, works, works.index(work) + 1)
        self._go_to(work if coming is None else coming)
        if screening(live.state, works).screened == len(works):
            app.say("All papers are screened.")

    def action_step(self, steps: int) -> None:
        works = self.works
        index = works.index(self.live.state.work(self.work)) + steps
        if 0 <= index < len(works):
            self._go_to(works[index])

    def rate(self, rating: Feedback) -> None:
        if paper := self.paper:
            self.rate_in_search(self.live, self.live.state.work(self.work), paper, rating)
            self._flush()

    @property
    def in_search(self) -> InSearch:
        return InSearch(self.drawn_state, self.drawn_state.work(self.work))


_DONE: dict[Decision, str] = {"included": "included", "excluded": "excluded", "later": "left for later"}
