"""Actions on papers, the same on every screen that shows papers."""

import asyncio
import shlex
from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress
from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.timer import Timer

from agents.tools import shelf_actions
from cache.errors import CacheError
from cache.reading_history import Feedback, Interaction
from cache.store import PaperId
from connectors.paper import Paper
from connectors.records.visible import shortened
from spar_tui.browser import open_file
from spar_tui.editor import edited, editor
from spar_tui.math_text import title_text
from spar_tui.phrases import papers_text, sentence
from spar_tui.tui.commands import PROMPTS
from spar_tui.tui.models.personal_shelf import Beside, tags_changed
from spar_tui.tui.refresh.library_screen import LibraryScreen
from spar_tui.tui.screens.dialogs.dialog import ConfirmScreen
from spar_tui.tui.screens.dialogs.paper_cite import FORMATS, CiteLine, citation
from spar_tui.tui.screens.dialogs.paper_prompt import TextPrompt
from spar_tui.tui.screens.pages import PagesScreen
from spar_tui.tui.widgets.paper_list import PaperList
from spar_tui.tui.widgets.paper_page import InSearch, PaperPage
from spar_tui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from agents.lookup.links import Kind
    from agents.run.runner import AnyRun
    from cache.shelf import Shelved
    from connectors.paper import WorkId

VIEWED_SECONDS = 2.0
"""Seconds after which a shown page counts as viewed."""
MOST_SIDE_BY_SIDE = 4
_FOR_MARKED = frozenset({"save", "cite", "tags", "read", "export", "pages", "pipe", "repeat"})
"""Actions that apply to all marked papers."""
_FOR_A_PAPER = frozenset(
    {"mark", "save", "cite", "browse", "pdf", "note", "tags", "read", "references", "citations", "similar", "like",
     "dislike", "export", "pages", "visual", "repeat", "pipe"}
)  # fmt: skip


class PaperActions(LibraryScreen):
    """A screen of papers. Subclasses say which paper is current and which are listed; the actions work on these.

    Saving, citing, tags, read and export take all marked papers that are shown, else the current paper. A small
    terminal shows only one of the `PANES`: the style sheet reads the class `at-…` of the pane with the focus.
    """

    PANES: ClassVar[tuple[str, ...]] = ()
    """The ids of the panes."""
    pane = ""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name=name)
        self.marked: dict[int, None] = {}
        """The keys of the marked papers, in the order of marking."""
        self._range: tuple[int, Sequence[int]] | None = None
        """While a range is being marked: the key of its first paper, and the marks before."""
        self._viewed: set[int] = set()
        self._looked_at: int | None = None
        self._looking: Timer | None = None

    @property
    def key(self) -> int | None:
        """The key of the current paper; None if there is none."""
        return None

    def paper_of(self, key: int) -> Paper | None:
        """Return the paper with this key."""
        return None

    def keys_shown(self) -> Sequence[int]:
        """Return the keys of all listed papers."""
        return ()

    @property
    def from_run(self) -> str | None:
        """The run whose result has the papers."""
        return None

    def is_shown(self) -> Callable[[int], bool]:
        """Return a test whether a key's paper is shown; actions skip marked papers that are not shown."""
        return set(self.keys_shown()).__contains__

    def show_marks(self) -> None:
        """Show which papers are marked, and how many (`marks_told`)."""

    def next_paper(self) -> None:
        """Go to the next paper, after marking one."""
        self.action_step(1)

    @property
    def walked(self) -> RowList[Any] | None:
        """The list in which the person moves from paper to paper."""
        return next(iter(self.query(PaperList)), None)

    @property
    def in_search(self) -> InSearch | None:
        """The current paper in the search that found it."""
        return None

    def open_at_hand(self, kind: "Kind | None" = None) -> None:
        """Open the current paper on a screen of its own, with its links of `kind`."""
        if self.paper:
            self.app.open_paper(self.paper, kind, self.in_search, self.from_run)

    def set_pane(self, pane: str) -> None:
        """Make `pane` the current pane."""
        if pane != self.pane:
            self.set_class(False, f"at-{self.pane}", update=False)  # the next `set_class` updates the styles
            self.pane = pane
            self.set_class(True, f"at-{pane}")

    def go_to(self, pane: str) -> None:
        """Move the focus to `pane`."""
        self.set_pane(pane)
        self.set_focus(self.query_one(f"#{pane}"))  # at once, since the next key may be waiting

    def on_descendant_focus(self) -> None:
        if self.focused is not None and self.focused.id in self.PANES:  # the event's own widget may have lost it again
            self.set_pane(self.focused.id)
        self.refresh_bindings()

    @work(group="saved", exclusive=True)
    async def _look_up_saved(self) -> None:
        with suppress(CacheError):  # saving a paper reports the error
            await self._read_saved()

    async def _read_saved(self) -> None:
        """Show which of the papers are saved. Raises `CacheError`."""

    def shelf_entry(self, key: int, paper: Paper) -> "Shelved | None":
        """Return the shelf's data on a paper, if the paper is known to be there."""
        with suppress(CacheError):  # changing the shelf reports the error; the page shows the rest
            return shelf_actions.entry_of(self.app.store, paper) if key in self.saved_keys else None
        return None

    @property
    def paper(self) -> Paper | None:
        """The current paper."""
        return None if self.key is None else self.paper_of(self.key)

    @property
    def marks(self) -> list[int]:
        """The keys of the marked papers that are shown."""
        return list(filter(self.is_shown(), self.marked)) if self.marked else []

    @property
    def marks_told(self) -> str:
        """The number of marked papers, to append to a title; "" without marks."""
        shown = len(self.marks)
        hidden = len(self.marked) - shown
        parts = [f" · {shown:,} marked"] if shown else []
        return "".join([*parts, f" · {hidden:,} marked, not shown"] if hidden else parts)

    def title_of(self, action: str, title: str) -> str:
        """Return the footer's label of `action`: its `title`, with the number of marked papers if it takes these."""
        if action == "save" and (chosen := set(self.keys_chosen)) and chosen <= self.saved_keys:
            title = "remove"
        many = len(self.marks) if action in _FOR_MARKED else 0
        return f"{title} {many:,}" if many else title

    @property
    def saved_keys(self) -> Set[int]:
        """The keys of the papers known to be saved."""
        return next((papers.saved for papers in self.query(PaperList)), frozenset())

    @property
    def keys_chosen(self) -> list[int]:
        """The keys that actions apply to: those of the marked papers, else of the current paper."""
        return self.marks or [key for key in [self.key] if key is not None]

    @property
    def chosen(self) -> list[Paper]:
        """The marked papers, else the current paper."""
        return self.papers_of(self.keys_chosen)

    def papers_of(self, keys: Iterable[int]) -> list[Paper]:
        """Return the papers of `keys`, each once: two marked works may have turned out to be the same."""
        return list(dict.fromkeys(paper for key in keys if (paper := self.paper_of(key))))

    async def read_papers(self, keys: Sequence[int]) -> list[Paper]:
        """`papers_of`, without blocking the app if that reads much from the disk."""
        return self.papers_of(keys)

    async def read_chosen(self) -> list[Paper]:
        """Return `chosen`, read as by `read_papers`."""
        return await self.read_papers(self.keys_chosen)

    def pick(self) -> Callable[[], Sequence[PaperId]]:
        """Return a function that returns the numbers of the marked papers, or of the current one. It blocks on the
        disk."""
        return self.numbers_of(self.keys_chosen)

    def numbers_of(self, keys: Sequence[int]) -> Callable[[], Sequence[PaperId]]:
        """Return a function that stores the papers of `keys` in the library and returns their numbers there."""
        papers, shelf = self.papers_of(keys), self.app.shelf
        return lambda: shelf.numbers(papers)

    @property
    def keys_in_question(self) -> Sequence[int]:
        """The keys for a conversation or an export: those of the marked papers, else of all listed papers."""
        return self.marks or self.keys_shown()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "compare":
            return len(self.marked) > 1
        if action == "mark_all":
            return bool(self.keys_shown())
        if action == "scroll_paper":
            return any(page.region for page in self.query(PaperPage))
        if action == "step":
            return self.walked is not None and len(self.walked.rows) > 1
        if action not in _FOR_A_PAPER or self.key is not None:
            return True
        return action in ("save", "cite", "export", "pages", "pipe", "repeat") and bool(self.marks)

    def keep(self, action: Callable[[], str | None], doing: str = "") -> None:
        """Run `action` in a thread after earlier changes, and show the sentence that it returns. If it is slow, a
        message says what is being done (`doing`)."""
        self.app.on_shelf(action, self._kept, doing)  # by the app, so that leaving the screen does not cancel it

    def _kept(self, sentence: str | None) -> None:
        if sentence:
            self.app.say(sentence)

    def note_interaction(self, paper: Paper, act: Interaction) -> None:
        """Add what the person does with `paper` to the reading history."""
        self.keep(partial(shelf_actions.note_interaction, self.app.store, paper, act, self.from_run))

    def looking_at(self, key: int) -> None:
        """Note that the page of this paper is shown; after a while it counts as viewed, once."""
        if key == self._looked_at:
            return
        self._looked_at = key
        if self._looking:
            self._looking.stop()
        self._looking = self.set_timer(VIEWED_SECONDS, partial(self._looked, key))

    def _looked(self, key: int) -> None:
        if self.is_current and key not in self._viewed and (paper := self.paper_of(key)):
            self._viewed.add(key)
            self.note_interaction(paper, "viewed")

    def action_mark(self) -> None:
        key = self.key
        if key is None:
            return
        if key in self.marked:
            del self.marked[key]
        else:
            self.marked[key] = None
        self._marks_changed()
        self.next_paper()

    def action_step(self, steps: int) -> None:
        if (rows := self.walked) is not None:
            rows.action_cursor_down() if steps > 0 else rows.action_cursor_up()

    def action_scroll_paper(self, lines: int) -> None:
        for page in self.query(PaperPage):
            page.scroll_relative(y=lines, animate=False)

    def action_mark_all(self) -> None:
        """Mark all listed papers; unmark all papers if these are marked."""
        shown = self.keys_shown()
        self.marked = {} if all(key in self.marked for key in shown) else dict.fromkeys([*self.marked, *shown])
        self._marks_changed()

    def action_visual(self) -> None:
        """Mark from the current paper to wherever the cursor goes; end that when called again."""
        if self._range is None and self.key is not None:
            self._range = self.key, tuple(self.marked)
            self._extend()
        else:
            self._range = None

    @on(RowList.Highlighted)
    def _extend(self) -> None:
        """End the range that is being marked at the cursor."""
        if self._range is None:
            return
        (begin, before), end, shown = self._range, self.key, list(self.keys_shown())
        if end in shown and begin in shown:
            first, last = sorted((shown.index(begin), shown.index(end)))
            self.marked = dict.fromkeys([*before, *shown[first : last + 1]])
            self._marks_changed()

    def drop_marks(self) -> bool:
        """Unmark all papers, shown or not; False if none was marked."""
        self._range = None
        there = bool(self.marked)
        if there:
            self.marked = {}
            self._marks_changed()
        return there

    def _marks_changed(self) -> None:
        self.show_marks()
        self.refresh_bindings()

    def action_repeat(self) -> None:
        if self.app.last_change is None:
            self.app.say("Nothing to repeat yet.", "warning")
        else:
            self.app.last_change(self)

    def changed(self, change: Callable[["PaperActions"], object]) -> None:
        """Store `change` as the last change, which can be repeated."""
        self.app.last_change = change

    def change_tags(self, add: Sequence[str], remove: Sequence[str]) -> None:
        """Add tags to the chosen papers and remove others."""
        shelf, pick = self.app.shelf, self.pick()
        doing = f"tagging {papers_text(len(self.keys_chosen))}"
        self.keep(lambda: shelf.change_tags(pick(), add, remove), doing)
        self.changed(methodcaller("change_tags", add, remove))

    def action_save(self) -> None:
        self.put_on_shelf()

    def put_on_shelf(self, saving: bool | None = None) -> None:
        """Save the chosen papers, or remove them if all are saved; only save them, or only remove them, if `saving`
        says so. Ask before removing several."""
        shelf, pick, many = self.app.shelf, self.pick(), len(self.keys_chosen)

        def put() -> tuple[str | None, bool, Sequence[PaperId]]:
            numbers = pick()
            if saving is not False and (sentence := shelf.save(numbers)):
                return sentence, True, numbers
            if saving or (many > 1 and not self.is_current):
                return f"Already saved: {papers_text(len(numbers))}.", True, numbers
            return (shelf.take_off(numbers) if many == 1 else None), False, numbers

        def show(result: tuple[str | None, bool, Sequence[PaperId]]) -> None:
            sentence, saved, numbers = result
            self.changed(methodcaller("put_on_shelf", saved))
            self._kept(sentence) if sentence else self._ask_to_take_off(numbers)

        self.app.on_shelf(put, show, f"saving {papers_text(many)}")

    def _ask_to_take_off(self, numbers: Sequence[PaperId]) -> None:
        shelf, many = self.app.shelf, papers_text(len(numbers))
        question = f"Remove {many} from the shelf, with their tags and notes? {self.app.undo_key()} undoes this."
        remove, doing = partial(shelf.take_off, numbers), f"removing {many} from the shelf"
        self.app.confirm(question, "remove", lambda: self.keep(remove, doing))

    async def action_cite(self) -> None:
        if chosen := await self.read_chosen():
            self.app.push_screen(CiteLine(chosen))

    def action_browse(self) -> None:
        if paper := self.paper:
            self.app.browse(paper, lambda: self.note_interaction(paper, "opened"))

    def action_pdf(self) -> None:
        if self.paper:
            self._open_pdf(self.paper)

    @work(group="pdf", exclusive=True)
    async def _open_pdf(self, paper: Paper) -> None:
        """Open the first of the paper's files that is a PDF, else its open-access PDF. Ask first if only a bibliography
        named the file."""
        shelf = self.app.shelf
        try:
            file = await asyncio.to_thread(shelf.file_of, paper)
        except CacheError as error:
            self.app.say(str(error), "error", 10)
            return
        refused = "".join(f"{sentence(reason)} " for reason in file.refused if file.path is None)

        def opened() -> None:
            self.note_interaction(paper, "opened")
            if refused:
                self.app.say(f"{refused}Opened {paper.pdf}", "warning", 10)

        if file.path is None and paper.pdf is None:
            page = "; o opens its page" if paper.page else ", and no known web page"
            self.app.say(f"{refused}No local or open-access PDF{page}.", "warning", 10)
        elif file.path is None:
            self.app.browse_address(paper.pdf or "", opened)
        elif file.chosen or await self.app.push_screen_wait(ConfirmScreen(f"{file.question}.", "open")):
            if not file.chosen:
                self.keep(lambda: shelf.choose_file(file))
            await self.app.open(file.path, opened, open_file)

    @work(group="pages", exclusive=True)
    async def action_pages(self) -> None:
        from spar_tui.tui.command_line.running import fetched_pages  # imported late, so that the app opens sooner

        chosen = await self.read_chosen()
        with self.app.reporting():
            pages = await fetched_pages(self.app, chosen)
            if len(chosen) == 1 and pages and not self.is_current:
                key = self.app.key_shown("paper.pages")
                self.app.say(f"The text of “{shortened(title_text(chosen[0]))}” is here; {key} on the paper shows it.")
            elif len(chosen) == 1 and pages:
                paper, (texts, many) = chosen[0], pages[0]
                self.app.push_screen(PagesScreen(paper, texts, many, lambda: self._open_pdf(paper)))
                self.note_interaction(paper, "opened")
            elif len(chosen) > 1:
                self.app.say(f"PDF text stored for {len(pages)} of {papers_text(len(chosen))}.")

    @work(group="note", exclusive=True)
    async def action_note(self) -> None:
        shelf, paper = self.app.shelf, self.paper
        if paper is None:
            return
        with self.app.reporting():
            command = editor()
            entry = await asyncio.to_thread(shelf_actions.entry_of, shelf.store, paper)
            before = entry.note if entry else ""
            with self.app.given_away():
                after = edited(command, before, paper.title, self.app.lend_to).strip()
            if after != before.strip():
                self.keep(lambda: shelf.write_note(shelf.numbers([paper])[0], before, after))

    def action_tags(self) -> None:
        self._edit_tags(self.pick())

    @work(group=PROMPTS)
    async def _edit_tags(self, pick: Callable[[], Sequence[PaperId]]) -> None:
        shelf = self.app.shelf
        with self.app.reporting():
            numbers = await asyncio.to_thread(pick)
            before = await asyncio.to_thread(shelf.tags_of_all, numbers)
            prompt = "Tags, separated by commas" + (f", of {papers_text(len(numbers))}" if len(numbers) > 1 else "")
            answer = await self.app.push_screen_wait(TextPrompt(prompt, "".join(f"{tag}, " for tag in before)))
            if answer is not None:
                after = list(dict.fromkeys(tag.strip().lstrip("#") for tag in answer.split(",") if tag.strip(" #")))
                add, remove = tags_changed(before, after)
                self.changed(methodcaller("change_tags", add, remove))
                self.keep(lambda: shelf.set_tags(numbers, before, after), f"tagging {papers_text(len(numbers))}")

    def action_read(self) -> None:
        self.mark_read()

    def mark_read(self, read: bool | None = None) -> None:
        """Mark the chosen papers as read, or as not read if all are; only the one that `read` says, if it is given."""
        shelf, pick = self.app.shelf, self.pick()

        def show(result: tuple[str, bool]) -> None:
            sentence, is_read = result
            self.changed(methodcaller("mark_read", is_read))
            self._kept(sentence)

        self.app.on_shelf(lambda: shelf.mark_read(pick(), read), show, f"marking {papers_text(len(self.keys_chosen))}")

    def action_references(self) -> None:
        self.open_at_hand("references")

    def action_citations(self) -> None:
        self.open_at_hand("citations")

    def action_similar(self) -> None:
        self.open_at_hand("similar")

    def action_compare(self) -> None:
        if len(self.marked) > MOST_SIDE_BY_SIDE:
            self.app.say(
                f"At most {MOST_SIDE_BY_SIDE} papers fit side by side; {len(self.marked):,} are marked.", "warning", 6
            )
        else:
            self.app.show_side_by_side(self.chosen, self.from_run)

    def action_whole(self) -> None:
        """Open the paper on a screen of its own."""
        self.open_at_hand()

    def action_like(self) -> None:
        """Record that the person wants more like this."""
        self.rate(1)
        self.changed(methodcaller("action_like"))

    def action_dislike(self) -> None:
        self.rate(-1)
        self.changed(methodcaller("action_dislike"))

    def rate(self, rating: Feedback) -> None:
        """Store the person's rating of the current paper."""
        if paper := self.paper:
            shelf, run = self.app.shelf, self.from_run
            self.keep(lambda: shelf.toggle_rating(shelf.numbers([paper])[0], rating, run))

    def rate_in_search(self, live: "AnyRun", work: "WorkId", paper: Paper, rating: Feedback) -> None:
        """Send the rating of a paper to its search, and store it; a repeated rating withdraws it."""
        feedback, shelf = self.app.search_feedback, self.app.shelf
        if not self.app.can_store(live):
            return
        before, now = feedback.mark(live, work), feedback.toggled(live, work, rating)
        feedback.say(live, work, None if now == 0 else now > 0)

        def take_back() -> None:
            if self.app.has_run(live.run):
                feedback.say(live, work, before)

        beside = Beside(take_back)
        self.keep(lambda: shelf.keep_feedback(shelf.numbers([paper])[0], before, now, live.run, beside))

    @work(group=PROMPTS)
    async def action_pipe(self) -> None:
        """Ask for a shell command and run it; a `%` becomes the citation keys, else it reads the entries."""
        from spar_tui.tui.command_line.running import AT_HAND, run_process

        app, chosen = self.app, await self.read_chosen()
        dialect = "biblatex" if app.settings.preferences.export_format == "biblatex" else "bibtex"
        reads = f"reads {FORMATS[dialect]}; {AT_HAND} inserts their keys"
        asking = TextPrompt(f"Shell command for {papers_text(len(chosen))}: {reads}", app.piped, replaced=True)
        command = await app.push_screen_wait(asking) if chosen else None
        if not command or not command.strip():
            return
        app.piped = command
        by_key = AT_HAND in command
        with app.reporting():
            if by_key:
                keys = await asyncio.to_thread(citation, app.store, chosen, "key")
                line, text = command.replace(AT_HAND, " ".join(map(shlex.quote, keys.split()))), ""
            else:
                line, text = command, await asyncio.to_thread(app.exported, chosen, dialect)
            await run_process(app, command, ["/bin/sh", "-c", line], text)

    async def action_export(self) -> None:
        if chosen := await self.read_chosen():
            self.app.export(chosen, self.from_run)
