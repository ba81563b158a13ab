"""The table of all commands of the app: keys, action, title and help of each.

The bindings, the footer, the palette, the help and docs/keys.md are made from this table.
"""

from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding, BindingType

Context = Literal[
    "anywhere", "the ask line", "recent searches", "suggested papers", "example questions", "lists",
    "filter matches", "the trail", "a paper", "text of a PDF", "a search", "screening papers",
    "reason for excluding a paper", "a summary", "what to read next", "message line", "messages of a conversation",
    "a proposal in a conversation", "a conversation", "document of a conversation", "read next, on the home screen",
    "a line of your profile", "your profile", "yes or no", "the settings", "one setting",
    "a source or the model, in the settings", "a choice in a dialog", "keys, in the settings", "choosing keys",
    "list of commands and keys", "ask dialog: question", "ask dialog: options", "command palette", "the help",
    "how the question was read", "the messages", "dialogs", "any paper", "a paper's page",
    "references and citations", "citation map", "on the citation map", "papers side by side", "shelf",
    "saved filters and tags of the shelf", "choosing the columns of the shelf", "one column of the shelf",
    "history", "the watches", "one watch", "findings of a check", "a line to fill in", "the command line",
    "output of a command", "the size of a summary", "copying a citation", "`spar pick`",
]  # fmt: skip
"""Where commands can be used, as the headings of the help and docs/keys.md name it."""

KEPT_RANK = 9
"""Commands from this rank on stay in the footer however narrow it is: the ways out."""
PROMPTS = "prompts"
"""Group of the workers that open a prompt or a screen, for which the next key waits."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: `id` names it in settings, `default_keys` are separated by spaces, in order of preference, `action` is
    what Textual runs.

    `title` is its label in the footer, in the order of `rank`; rank 0 is shown only in the help. A command without keys
    is only in the palette. The key of an `everywhere` command has priority over all others. A number typed before the
    key of a `counted` command repeats it.
    """

    id: str
    default_keys: str
    action: str
    title: str
    help: str
    rank: int = 0
    everywhere: bool = False
    counted: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.default_keys.split())


COMMANDS: dict[Context, tuple[Command, ...]] = {
    "the ask line": (
        Command("ask.submit", "enter", "submit", "ask", "Ask the question.", 1),
        Command("ask.line", "ctrl+j", "new_line", "new line", "Start a new line."),
        Command("ask.sources", "ctrl+s", "screen.change('sources')", "sources", "Ask all sources, one, or none."),
        Command("ask.dates", "ctrl+t", "screen.change('since')", "dates", "Choose the earliest year."),
        Command("ask.depth", "ctrl+g", "screen.change('mode')", "depth", "Search fast or deep."),
        Command("ask.papers", "down", "screen.go_down('offered')", "papers", "Go to the matching papers.", 2),
        Command("ask.summarize", "ctrl+l", "screen.summarize", "summarize", "Write a summary of this topic.", 2),
        Command("ask.talk", "f7", "screen.talk", "chat", "Send the line to a conversation.", 3),
        Command("ask.down", "down", "screen.go_down('recent')", "recent searches", "Go to the recent searches.", 2),
        Command("ask.try", "down", "screen.go_down('examples')", "examples", "Go to the example questions.", 2),
    ),
    "suggested papers": (
        Command("offered.open", "enter", "select", "open", "Open the paper.", 1),
        Command("offered.ask", "i slash 1", "screen.to_ask", "ask", "Go to the ask line.", 2),
    ),
    "example questions": (
        Command("try.take", "enter", "select", "use", "Copy the question to the ask line.", 1),
        Command("try.ask", "i slash 1", "screen.to_ask", "ask", "Go to the ask line.", 2),
    ),
    "recent searches": (
        Command("home.open", "enter", "select", "open", "Open the search; resume it if it was interrupted.", 1),
        Command("home.ask", "i slash 1", "screen.to_ask", "ask", "Go to the ask line.", 2),
    ),
    "a search": (
        Command("search.filter", "slash f", "filter", "filter", "Filter the list by words, year:2020.., is:open.", 6),
        Command("search.trail", "t", "trail", "trail", "Show or hide the trail: how the papers were found.", 6),
        Command("search.sort", "R", "sort", "re-sort", "Re-sort with the new papers.", 8),
        Command("search.order", "R", "order", "sort", "Sort by score, year, citations, or newest found.", 8),
        Command("search.reverse", "ctrl+r", "reverse", "reverse", "Reverse the order."),
        Command("search.pause", "p", "pause", "pause", "Pause the search.", 2),
        Command("search.resume", "p", "resume", "resume", "Resume the search.", 2),
        Command("search.stop", "x", "stop", "stop", "Stop searching; rank what was found.", 2),
        Command("search.cut", "x ctrl+x", "cut", "stop now", "Stop now; keep what was found."),
        Command("search.summarize", "S", "summarize", "summarize", "Write a summary of these papers.", 6),
        Command("search.answer", "a", "answer", "answer", "Answer the question from these papers."),
        Command("search.again", "A", "ask_again", "ask again", "Run the same question again."),
        Command("search.watch", "W", "watch", "watch", "Watch this search for new papers."),
        Command("search.map", "M", "map", "map", "Draw which relevant papers cite each other, by year.", 7),
        Command("search.triage", "v", "triage", "triage", "Include or exclude the papers one by one.", 6),
        Command("search.question", "Q", "question", "question", "Show how the question was read and all queries.", 7),
        Command("search.edit", "E", "edit_question", "edit", "Edit the question and run it as a new search.", 7),
        Command("search.back", "escape", "back", "back", "Go back; the search continues.", 9),
    ),
    "screening papers": (
        Command("triage.include", "i", "decide('included')", "include", "Include the paper.", 1),
        Command("triage.exclude", "x", "exclude", "exclude", "Exclude the paper and give a reason.", 1),
        Command("triage.later", "l", "decide('later')", "later", "Decide on the paper later.", 1),
        Command("triage.next", "right n", "step(1)", "next", "Go to the next paper without deciding.", 2),
        Command("triage.previous", "left N", "step(-1)", "previous", "Go to the previous paper.", 2),
        Command("triage.back", "escape", "back", "back", "Go back to the list; decisions are kept.", 9),
    ),
    "reason for excluding a paper": (
        *(
            Command(f"reason.{digit}", str(digit), f"take({digit})", f"reason {digit}", f"The reason beside {digit}.")
            for digit in range(1, 10)
        ),
        Command("reason.write", "enter slash", "write", "other reason", "Write another reason.", 1),
        Command("reason.close", "escape", "close", "cancel", "Cancel; do not exclude the paper.", 9),
    ),
    "a summary": (
        Command("summary.pane", "t", "tree_or_text", "outline or text", "Switch between outline and text.", 2),
        Command("summary.next", "right", "next_citation(1)", "next citation", "Go to the next citation.", 3),
        Command("summary.previous", "left", "next_citation(-1)", "previous citation", "Go to the previous citation."),
        Command("summary.write", "w", "write_file", "save text", "Save the text as a Markdown file.", 5),
        Command("summary.export", "X", "export_cited", "export", "Export the cited papers to a file.", 7),
        Command("summary.pause", "p", "pause", "pause", "Pause the summary.", 4),
        Command("summary.resume", "p", "resume", "resume", "Resume the summary.", 4),
        Command("summary.stop", "x", "stop", "stop", "Stop searching; write from what was found.", 5),
        Command("summary.cut", "x ctrl+x", "cut", "stop now", "Stop now; keep what was written."),
        Command("summary.back", "escape", "back", "back", "Go back; the summary continues.", 9),
    ),
    "what to read next": (
        Command("recommendation.more", "m", "more", "more like this", "Recommend more like this; again: withdraw.", 2),
        Command("recommendation.dismiss", "minus", "not_for_me", "not for me", "Remove the paper from the list.", 2),
        Command("recommendation.anew", "R", "choose_anew", "recommend again", "Recommend from other sources.", 6),
        Command("recommendation.pause", "p", "pause", "pause", "Pause the recommendation.", 4),
        Command("recommendation.resume", "p", "resume", "resume", "Resume the recommendation.", 4),
        Command("recommendation.stop", "x", "stop", "stop", "Stop searching; rank what was found.", 5),
        Command("recommendation.cut", "x ctrl+x", "cut", "stop now", "Stop now; keep what was found."),
        Command("recommendation.back", "escape", "back", "back", "Go back.", 9),
    ),
    "message line": (
        Command("talk.say", "enter", "submit", "send", "Send the message.", 1),
        Command("talk.turns", "up", "screen.to_turns", "answers", "Go to the answers and their papers.", 2),
        Command("talk.stop", "ctrl+x", "screen.cut", "stop", "Stop the answer; keep what was done.", 3),
        Command("talk.back", "escape", "screen.back", "back", "Go back; the answer still arrives.", 9),
    ),
    "messages of a conversation": (
        Command("turns.open", "enter", "select", "open", "Open the paper or document; show or hide the steps.", 1),
    ),
    "a proposal in a conversation": (
        Command("proposal.yes", "y", "answer_proposal(True)", "yes", "Accept the proposal.", 1),
        Command("proposal.no", "n", "answer_proposal(False)", "no", "Reject the proposal; nothing changes.", 1),
    ),
    "a conversation": (
        Command("conversation.say", "i slash", "to_line", "write", "Go to the message line.", 5),
        Command("conversation.steps", "t", "steps", "steps", "Show or hide the steps of the answer.", 5),
        Command("conversation.copy", "y", "copy_shown", "copy", "Copy the answer or the document.", 4),
        Command("conversation.write", "w", "write_file", "save text", "Save the document as a file.", 4),
        Command("conversation.resume", "p", "resume", "resume", "Resume the stopped answer.", 2),
        Command("conversation.cut", "x ctrl+x", "cut", "stop", "Stop the answer; keep what was done.", 2),
        Command("conversation.back", "escape", "back", "back", "Go back; the answer still arrives.", 9),
    ),
    "document of a conversation": (
        Command("document.copy", "y", "copy_shown", "copy", "Copy the document.", 1),
        Command("document.write", "w", "write_file", "save text", "Save the document as a file.", 2),
    ),
    "read next, on the home screen": (
        Command("next.open", "enter", "select", "why", "Show why this paper is recommended.", 1),
        Command("next.ask", "i slash 1", "screen.to_ask", "ask", "Go to the ask line.", 2),
    ),
    "a line of your profile": (Command("profile.edit", "enter e", "select", "edit", "Edit the line.", 1),),
    "your profile": (
        Command("profile.like", "plus", "add_line('like')", "add a like", "Add what you like.", 2),
        Command("profile.dislike", "minus", "add_line('dislike')", "add a dislike", "Add what you dislike.", 3),
        Command("profile.expect", "equals_sign", "add_line('expect')", "add a wish", "Add what you look for.", 4),
        Command("profile.forget", "d", "forget_line", "delete", "Delete the line and its evidence.", 5),
        Command("profile.forget_all", "D", "forget_all", "delete all", "Delete the whole profile.", 6),
        Command("profile.back", "escape", "back", "back", "Go back.", 9),
    ),
    "lists": (
        Command("list.down", "down j", "cursor_down", "down", "Next row; 5j: five rows.", counted=True),
        Command("list.up", "up k", "cursor_up", "up", "Previous row.", counted=True),
        Command("list.first", "home g", "first", "first", "First row."),
        Command("list.last", "end G", "last", "last", "Last row."),
        Command("list.page_down", "pagedown ctrl+d", "page_down", "page down", "One page down.", counted=True),
        Command("list.page_up", "pageup ctrl+u", "page_up", "page up", "One page up.", counted=True),
        Command("list.select", "enter", "select", "read", "Read the paper.", 1),
    ),
    "filter matches": (
        Command("match.next", "n", "match(1)", "next match", "Go to the next match of the filter.", 2, counted=True),
        Command("match.previous", "N", "match(-1)", "previous", "Go to the previous match.", counted=True),
    ),
    "the trail": (
        Command("tree.down", "down j", "cursor_down", "down", "Next row.", counted=True),
        Command("tree.up", "up k", "cursor_up", "up", "Previous row.", counted=True),
        Command("tree.first", "home g", "first", "first", "First row."),
        Command("tree.last", "end G", "last", "last", "Last row."),
        Command("tree.page_down", "pagedown ctrl+d", "page_down", "page down", "One page down.", counted=True),
        Command("tree.page_up", "pageup ctrl+u", "page_up", "page up", "One page up.", counted=True),
        Command("tree.fold", "space", "mark_or_fold", "mark or fold", "Mark the paper; open or close any other row."),
        Command("tree.select", "enter", "select", "open", "Open the paper; open or close any other row.", 1),
    ),
    "a paper": (
        Command("page.down", "down j", "scroll_down", "down", "One line down.", counted=True),
        Command("page.up", "up k", "scroll_up", "up", "One line up.", counted=True),
        Command("page.top", "home g", "scroll_home", "top", "The top."),
        Command("page.end", "end G", "scroll_end", "end", "The end."),
        Command("page.page_down", "pagedown ctrl+d", "page_down", "page down", "One page down.", counted=True),
        Command("page.page_up", "pageup ctrl+u", "page_up", "page up", "One page up.", counted=True),
    ),
    "anywhere": (
        Command("app.help", "question_mark f1", "help", "help", "Show the keys.", 20),
        Command("app.palette", "ctrl+p", "palette", "commands", "Find any command by its name.", 19, True),
        Command("app.leave", "q", "leave", "quit", "Quit; searches resume next time.", 21),
        Command("app.back", "q", "back_out", "back", "Go back."),
        Command("app.quit", "ctrl+q", "quit", "quit now", "Quit; searches resume next time.", 0, True),
        Command("app.undo", "U", "undo", "undo", "Undo your last change; again: the one before."),
        Command("app.ask", "N f8", "new_question", "new question", "Ask a question: sources, depth and dates."),
        Command("app.settings", "comma", "open('settings')", "settings", "Open the settings."),
        Command("app.keys", "", "open('keys')", "change keys", "Choose what each key does."),
        Command("app.errors", "exclamation_mark", "open('errors')", "messages", "Show messages and errors."),
        Command("app.command", "colon", "command_line", "command", "Run a spar command, sort, filter, stop or quit."),
        Command("app.import", "I", "import_file", "import", "Import a file, folder or pasted references."),
        Command("app.jump", "semicolon", "jump", "jump", "Jump to a row by its letter.", 0, True),
        Command("app.home", "1 f2", "go('search')", "searches", "Go to the searches."),
        Command("app.library", "2 L f3", "go('shelf')", "shelf", "Go to the shelf, your saved papers.", 8),
        Command("app.history", "3 H f4", "go('history')", "history", "Go to all past searches.", 8),
        Command("app.recommendation", "4 f5", "read_next", "read next", "Recommend what to read next."),
        Command("app.profile", "5 f6", "open('profile')", "profile", "Show and correct your profile."),
        Command("app.talk", "6 C f7", "talk", "chat", "Chat about the papers here, or about all papers."),
        Command("app.watches", "7 f10", "go('watches')", "watches", "Go to the watches and their new papers."),
        Command("app.leaving", "ctrl+c", "leave_twice", "quit", "Pressed twice: quit; searches resume next time."),
        Command("app.suspend", "ctrl+z", "suspend_process", "suspend", "Suspend the app; `fg` returns.", 0, True),
        Command("app.next", "tab", "app.focus_next", "next pane", "Go to the next pane."),
        Command("app.previous", "shift+tab", "app.focus_previous", "previous pane", "Go to the previous pane."),
        Command("pane.narrower", "less_than_sign", "resize_pane(-1)", "narrower", "Make the pane narrower."),
        Command("pane.wider", "greater_than_sign", "resize_pane(1)", "wider", "Make the pane wider."),
        Command("pane.maximize", "z", "maximize_pane", "one pane", "Show only this pane; again: all panes."),
        Command("theme.dark", "", "theme('dark')", "dark theme", "Use dark colors and remember it."),
        Command("theme.light", "", "theme('light')", "light theme", "Use light colors and remember it."),
        Command("theme.terminal", "", "theme('terminal')", "terminal theme", "Use the terminal's own colors."),
    ),
    "any paper": (
        Command("paper.mark", "space", "mark", "mark", "Mark the paper, to save or export several.", 2, counted=True),
        Command("paper.next", "n", "step(1)", "next", "Go to the next paper of the list.", counted=True),
        Command("paper.previous", "p", "step(-1)", "previous", "Go to the previous paper of the list.", counted=True),
        Command("paper.scroll_down", "J", "scroll_paper(3)", "scroll", "Scroll the paper from the list.", counted=True),
        Command("paper.scroll_up", "K", "scroll_paper(-3)", "scroll back", "Scroll back from the list.", counted=True),
        Command("paper.mark_all", "asterisk", "mark_all", "mark all", "Mark all rows; again: none."),
        Command("paper.save", "s", "save", "save", "Save the paper; again: remove it from the shelf.", 3),
        Command("paper.cite", "y", "cite", "cite", "Copy a citation or an identifier.", 4),
        Command("paper.browse", "o", "browse", "browser", "Open the paper's page in the browser.", 7),
        Command("paper.pdf", "O", "pdf", "PDF", "Open the paper's PDF."),
        Command("paper.pages", "P", "pages", "read PDF", "Read the PDF's text by page; fetch it if it is not here."),
        Command("paper.note", "e", "note", "note", "Write a note in your editor."),
        Command("paper.tags", "T", "tags", "tags", "Edit the paper's tags."),
        Command("paper.read", "u", "read", "read", "Mark the paper as read or unread."),
        Command("paper.references", "r", "references", "references", "Get the papers it cites."),
        Command("paper.citations", "c", "citations", "cited by", "Get the papers that cite it."),
        Command("paper.similar", "tilde", "similar", "similar", "Search for similar papers."),
        Command("paper.compare", "equals_sign", "compare", "side by side", "Compare two to four marked papers.", 3),
        Command("paper.visual", "V", "visual", "mark a range", "Mark all rows from here on; again: stop."),
        Command("paper.repeat", "full_stop", "repeat", "repeat", "Repeat the last change on these papers."),
        Command("paper.pipe", "vertical_line", "pipe", "pipe", "Send the papers to a shell command."),
        Command("paper.like", "m", "like", "more like this", "Search for more like this; again: withdraw."),
        Command("paper.dislike", "minus", "dislike", "not relevant", "Mark as not relevant; again: withdraw."),
        Command("paper.export", "X", "export", "export", "Export the marked papers, or this one, to a file.", 7),
    ),
    "a paper's page": (
        Command("paper.whole", "enter", "screen.whole", "more", "Show its references and citations.", 1),
    ),
    "references and citations": (
        Command("links.abstract", "b", "get_abstract", "get the abstract", "Get the abstract from the sources.", 2),
        Command("links.back", "escape", "back", "back", "Go back.", 9),
    ),
    "text of a PDF": (
        Command("pages.next", "right l", "turn(1)", "next page", "Go to the next page.", 1, counted=True),
        Command("pages.previous", "left h", "turn(-1)", "previous page", "Go to the previous page.", 2, counted=True),
        Command("pages.search", "slash f", "filter", "search", "Search all pages.", 3),
        Command("pages.match", "n", "match(1)", "next match", "Go to the next match.", 4, counted=True),
        Command("pages.match_back", "N", "match(-1)", "previous", "Go to the previous match.", 5, counted=True),
        Command("pages.pdf", "O", "pdf", "PDF", "Open the PDF itself.", 6),
        Command("pages.leave", "escape", "back", "back", "Leave the search; then go back.", 9),
    ),
    "citation map": (
        Command("map.export", "X", "export_map", "export", "Save the map as a file, such as a picture.", 3),
        Command("map.back", "escape", "back", "back", "Go back.", 9),
    ),
    "papers side by side": (
        Command("sides.left", "left h", "to_paper(-1)", "left", "Go to the paper on the left."),
        Command("sides.right", "right l", "to_paper(1)", "right", "Go to the paper on the right."),
        Command("sides.back", "escape", "back", "back", "Go back.", 9),
    ),
    "on the citation map": (
        Command("map.earlier", "left h", "to_year(-1)", "earlier", "Go to the previous year."),
        Command("map.later", "right l", "to_year(1)", "later", "Go to the next year."),
        Command("map.down", "down j", "in_year(1)", "down", "Go to the next paper of the year."),
        Command("map.up", "up k", "in_year(-1)", "up", "Go to the previous paper of the year."),
        Command("map.first", "home g", "end_year(-1)", "first year", "Go to the first year."),
        Command("map.last", "end G", "end_year(1)", "last year", "Go to the last year."),
        Command("map.cited", "left_square_bracket", "to_linked('cited')", "reference", "Go to a cited paper.", 2),
        Command("map.citing", "right_square_bracket", "to_linked('citing')", "cited by", "Go to a citing paper.", 2),
        Command("map.select", "enter", "select", "read", "Read the paper.", 1),
    ),
    "shelf": (
        Command("library.filter", "slash f i", "filter", "filter", "Filter the shelf by words, tag:x, unread.", 2),
        Command("library.order", "R", "order", "sort", "Sort by the next column.", 5),
        Command("library.reverse", "ctrl+r", "reverse", "reverse", "Reverse the order."),
        Command("library.columns", "C", "columns", "columns", "Choose the columns and their order.", 7),
        Command("library.side", "t", "side", "filters", "Go to the saved filters and tags, or back.", 6),
        Command("library.keep", "F", "keep_filter", "save filter", "Save the filter under a name.", 6),
        Command("library.back", "escape", "back", "back", "Clear the filter; then go to the searches.", 9),
    ),
    "saved filters and tags of the shelf": (
        Command("side.choose", "enter", "select", "apply", "Apply this filter and go to the papers.", 1),
        Command("side.forget", "d", "screen.forget_filter", "delete", "Delete the saved filter.", 2),
    ),
    "one column of the shelf": (
        Command("columns.toggle", "space", "screen.switch", "show or hide", "Show or hide the column.", 2),
        Command("columns.up", "K shift+up", "screen.shift(-1)", "move up", "Move the column up.", 3),
        Command("columns.down", "J shift+down", "screen.shift(1)", "move down", "Move the column down.", 3),
        Command("columns.keep", "enter", "screen.keep", "use", "Use these columns and remember them.", 1),
    ),
    "choosing the columns of the shelf": (
        Command("columns.close", "C q", "close", "cancel", "Cancel; keep the columns as they were."),
    ),
    "history": (
        Command("history.filter", "slash f i", "filter", "filter", "Filter the runs by words, a date, year:2026.", 2),
        Command("history.again", "A", "ask_again", "ask again", "Run the question again.", 4),
        Command("history.watch", "W", "watch", "watch", "Watch this search for new papers.", 5),
        Command("history.forget", "d", "forget", "delete", "Delete the run; keep its papers.", 3),
        Command("history.back", "escape", "back", "back", "Clear the filter; then go to the searches.", 9),
    ),
    "the watches": (
        Command("watches.ask_all", "A", "ask_all", "ask all", "Look for new papers in all watches.", 2),
        Command("watches.stop", "escape ctrl+c x", "stop", "stop", "Stop the check; its results are kept.", 9),
        Command("watches.pane", "t", "pane", "watches, papers", "Switch between the watches and their new papers.", 3),
        Command("watches.filter", "slash f", "filter", "filter", "Filter the list.", 6),
        Command("watches.order", "R", "order", "sort", "Sort by arrival, year or citations.", 6),
        Command("watches.reverse", "ctrl+r", "reverse", "reverse", "Reverse the order."),
        Command("watches.back", "escape", "back", "back", "Clear the filter; then go back.", 9),
    ),
    "one watch": (
        Command("watch.ask", "enter", "select", "ask", "Look for new papers in this watch.", 1),
        Command("watch.forget", "d", "screen.forget", "delete", "Delete the watch; keep its papers.", 5),
    ),
    "findings of a check": (
        Command("findings.browse", "o", "browse", "browser", "Open the record in the browser.", 3),
        Command("findings.accept", "i", "accept", "ignore", "Ignore the finding in later checks, with a reason.", 2),
        Command("findings.fix", "F", "fix", "fix", "Apply the certain fixes, if you agree, and keep a copy.", 4),
        Command("findings.again", "A", "again", "check again", "Check the document again.", 5),
        Command("findings.back", "escape", "back", "back", "Stop the check and keep its findings, or go back.", 9),
    ),
    "a line to fill in": (
        Command("prompt.keep", "enter", "submit", "done", "Accept the text.", 1),
        Command("prompt.leave", "escape", "screen.leave_prompt", "cancel", "Cancel; nothing changes.", 9),
    ),
    "the command line": (
        Command("command.run", "enter", "submit", "run", "Run the command.", 1),
        Command("command.complete", "tab", "screen.complete", "complete", "Complete the word.", 2),
        Command("command.older", "up", "screen.older(-1)", "previous", "Show the previous command.", 3),
        Command("command.newer", "down", "screen.older(1)", "next", "Show the next command."),
        Command("command.leave", "escape", "screen.leave_prompt", "cancel", "Cancel.", 9),
    ),
    "output of a command": (Command("output.copy", "y", "copy_shown", "copy", "Copy the output.", 1),),
    "the size of a summary": (
        Command("size.begin", "enter", "submit", "start", "Start the summary.", 1),
        Command("size.down", "down", "screen.move(1)", "down", "Next line."),
        Command("size.up", "up", "screen.move(-1)", "up", "Previous line."),
    ),
    "copying a citation": (
        Command("cite.bibtex", "b", "copy('entry')", "entry", "Copy the entry in the last format, such as BibTeX.", 1),
        Command("cite.id", "d", "copy('id')", "DOI", "Copy the DOI or another identifier.", 2),
        Command("cite.title", "t", "copy('title')", "title", "Copy authors, title and year.", 3),
        Command("cite.latex", "k", "copy('latex')", "\\cite{key}", "Copy the LaTeX citation.", 4),
        Command("cite.markdown", "m", "copy('markdown')", "[@key]", "Copy the Markdown citation.", 5),
        Command("cite.close", "escape y", "close", "cancel", "Cancel; copy nothing.", 9),
    ),
    "`spar pick`": (
        Command("pick.leave", "escape q", "leave_empty_handed", "cancel", "Clear the filter; then cancel.", 9),
        Command("pick.quit", "ctrl+c ctrl+q", "app.quit", "quit now", "Cancel and print nothing.", 0, True),
    ),
    "yes or no": (
        Command("confirm.yes", "y", "agree", "yes", "Yes.", 1),
        Command("confirm.no", "n", "close", "cancel", "No."),
    ),
    "the settings": (
        Command("settings.test", "f9", "test_all", "test all", "Test each source and the model with a request.", 3),
        Command("settings.show", "comma", "close", "close", "Close the settings."),
    ),
    "a source or the model, in the settings": (
        Command("service.test", "enter space t", "test", "test", "Test it with a small request.", 1),
    ),
    "keys, in the settings": (
        Command("settings.keys", "enter space", "app.open('keys')", "change keys", "Choose what each key does.", 1),
    ),
    "choosing keys": (
        Command("keys.change", "enter", "screen.change(False)", "change", "Press the new key for the command.", 1),
        Command("keys.add", "plus", "screen.change(True)", "add", "Press one more key for the command.", 2),
        Command("keys.default", "d", "screen.own", "reset", "Restore the default keys.", 3),
    ),
    "list of commands and keys": (
        Command("keys.search", "slash", "filter", "search", "Show only commands that contain some words.", 4),
    ),
    "one setting": (
        Command("setting.keep", "enter", "submit", "save", "Save the value and go to the next.", 1),
        Command("setting.down", "down", "screen.move(1)", "down", "Next setting."),
        Command("setting.up", "up", "screen.move(-1)", "up", "Previous setting."),
    ),
    "a choice in a dialog": (Command("choice.open", "enter space", "show_overlay", "choose", "Show the choices.", 1),),
    "ask dialog: question": (
        Command("anew.ask", "enter", "submit", "ask", "Ask with the options below the line.", 1),
        Command("anew.line", "ctrl+j", "new_line", "new line", "Start a new line."),
        Command("anew.next", "down", "screen.move(1)", "down", "Go to the options below the line."),
    ),
    "ask dialog: options": (
        Command("chip.ask", "enter", "screen.ask", "ask", "Ask with these options.", 1),
        Command("chip.next", "space right l", "change(1)", "change", "Show the next choice.", 2),
        Command("chip.previous", "left h", "change(-1)", "previous", "Show the previous choice."),
    ),
    "command palette": (
        Command("palette.run", "enter", "screen.run", "run", "Run the highlighted command.", 1),
        Command("palette.down", "down ctrl+n", "screen.move(1)", "down", "Next."),
        Command("palette.up", "up ctrl+p", "screen.move(-1)", "up", "Previous."),
    ),
    "the help": (
        Command("help.close", "question_mark f1 q enter", "close", "close", "Close the help."),
        Command("help.top", "home g", "to_end(False)", "top", "Go to the top."),
        Command("help.end", "end G", "to_end(True)", "end", "Go to the end."),
        Command("help.page_down", "pagedown ctrl+d space", "page(1)", "page down", "One page down."),
        Command("help.page_up", "pageup ctrl+u", "page(-1)", "page up", "One page up."),
    ),
    "how the question was read": (
        Command("question.edit", "e E", "edit", "edit", "Edit the question and run it again.", 1),
        Command("question.close", "Q", "close", "close", "Close the question."),
    ),
    "the messages": (Command("errors.close", "exclamation_mark", "close", "close", "Close the messages."),),
    "dialogs": (
        Command("dialog.leaving", "ctrl+c", "app.leave_twice", "quit", "Pressed twice: quit, here too."),
        Command("dialog.close", "escape", "close", "close", "Close.", 9),
        Command("dialog.down", "down j", "move(1)", "down", "Down."),
        Command("dialog.up", "up k", "move(-1)", "up", "Up."),
    ),
}
_BY_ID = {command.id: command for commands in COMMANDS.values() for command in commands}
_CONTEXT_OF = {command.id: context for context, commands in COMMANDS.items() for command in commands}


def bindings(*contexts: Context) -> list[BindingType]:
    """Return the bindings of the commands of `contexts`; the first has a shared key."""
    return [_binding(command) for context in contexts for command in COMMANDS[context] if command.keys]


def bindings_of(*ids: str) -> list[BindingType]:
    """Return the bindings of these commands only."""
    return [_binding(_BY_ID[id]) for id in ids]


def _binding(command: Command) -> Binding:
    return Binding(
        ",".join(command.keys),
        command.action,
        command.title,
        show=command.rank > 0,
        priority=command.everywhere,
        tooltip=command.help,
        id=command.id,
    )


def command_of(binding: Binding) -> Command | None:
    """Return the command that `binding` was made from, if any."""
    return _BY_ID.get(binding.id or "")


def command_named(id: str) -> Command:
    """Return the command with this id."""
    return _BY_ID[id]


def context_of(command: Command) -> Context:
    """Return the context in which `command` can be used."""
    return _CONTEXT_OF[command.id]


def context_title(context: Context) -> str:
    """Return the heading for the commands of `context`."""
    return context[:1].upper() + context[1:]
