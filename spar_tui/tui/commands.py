"""Everything a person can do in the app, each defined once: its keys, what it does, its word and its sentence.

The bindings, the line of keys at the bottom, the palette, the help and docs/keys.md are made from this table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding, BindingType

Place = Literal[
    "anywhere",
    "asking",
    "recent searches",
    "papers offered",
    "examples",
    "lists",
    "tree",
    "page",
    "search",
    "triage",
    "reason",
    "summary",
    "recommendation",
    "talking",
    "turns",
    "proposal",
    "conversation",
    "document",
    "reading next",
    "profile line",
    "profile",
    "confirm",
    "settings",
    "setting",
    "service",
    "keys line",
    "key choice",
    "keys",
    "asking anew",
    "chip",
    "palette",
    "help search",
    "help",
    "question",
    "errors",
    "dialog",
    "papers",
    "paper",
    "links",
    "citation map",
    "map",
    "side by side",
    "shelf",
    "side list",
    "columns",
    "column choice",
    "history",
    "watches",
    "a watch",
    "prompt",
    "command line",
    "output",
    "size",
    "citing",
    "picked paper",
    "picking",
]

KEPT_RANK = 9
"""From this rank on a command stays in the line of keys however little room there is: the ways out."""


@dataclass(frozen=True, slots=True)
class Command:
    """`id` names the command in settings; `keys` in the order of preference; `action` is what Textual runs.

    `title` is its word in the line of keys, where it stands at `rank` (0: it is left to the help). One without keys is
    in the palette alone. One that is for `everywhere` has its key before anything else can have it.
    """

    id: str
    keys: tuple[str, ...]
    action: str
    title: str
    help: str
    rank: int = 0
    everywhere: bool = False


COMMANDS: dict[Place, tuple[Command, ...]] = {
    "asking": (
        Command("ask.submit", ("enter",), "submit", "ask", "Ask the question.", 1),
        Command("ask.line", ("ctrl+j",), "new_line", "new line", "Begin a new line."),
        Command("ask.papers", ("down",), "screen.to_papers", "papers", "Go to the papers with these words.", 2),
        Command(
            "ask.summarize", ("ctrl+r",), "screen.summarize", "summarize", "Write a summary of this topic instead.", 2
        ),
        Command("ask.talk", ("f7",), "screen.talk", "chat", "Say it in a conversation, or begin one.", 3),
        Command("ask.down", ("down",), "screen.to_runs", "recent searches", "Go to the recent searches.", 2),
        Command("ask.try", ("down",), "screen.to_examples", "try one", "Go to the questions to try.", 2),
    ),
    "papers offered": (
        Command("offered.open", ("enter",), "select", "open", "Open the paper.", 1),
        Command("offered.ask", ("i", "slash"), "screen.to_ask", "ask", "Go to the ask line.", 2),
    ),
    "examples": (
        Command("try.take", ("enter",), "select", "take it", "Put the question into the ask line.", 1),
        Command("try.ask", ("i", "slash"), "screen.to_ask", "ask", "Go to the ask line.", 2),
    ),
    "recent searches": (
        Command("home.open", ("enter",), "select", "open", "Open the search; one that was cut off goes on.", 1),
        Command("home.ask", ("i", "slash"), "screen.to_ask", "ask", "Go to the ask line.", 2),
    ),
    "search": (
        Command(
            "search.filter",
            ("slash", "f"),
            "filter",
            "filter",
            "Show only papers that meet a filter: words, year:2020.., is:open.",
            6,
        ),
        Command("search.trail", ("t",), "trail", "trail", "Unfold the trail: how the papers were found.", 6),
        Command("search.sort", ("R",), "sort", "re-sort", "Put what came meanwhile in its place in the order.", 8),
        Command("search.order", ("R",), "order", "order", "Order by score, year, citations, or newest found first.", 8),
        Command("search.pause", ("p",), "pause", "pause", "Ask nobody anything for a while.", 2),
        Command("search.resume", ("p",), "resume", "go on", "Let the search go on.", 2),
        Command("search.stop", ("x",), "stop", "stop", "Look for nothing more; judge and rank what is here.", 2),
        Command("search.cut", ("x", "ctrl+x"), "cut", "stop at once", "Stop at once; what was found is kept."),
        Command(
            "search.summarize", ("S",), "summarize", "summarize", "Write a summary from the papers of this search.", 6
        ),
        Command("search.answer", ("w",), "answer", "answer", "Answer the question from the papers of this search."),
        Command("search.again", ("A",), "ask_again", "ask again", "Ask the same question anew."),
        Command("search.watch", ("W",), "watch", "watch", "Store it; `spar watch` tells what is new in it."),
        Command("search.map", ("M",), "map", "map", "Who cites whom among the relevant papers, by year.", 7),
        Command("search.triage", ("v",), "triage", "triage", "Decide on the papers of the list one by one.", 6),
        Command("search.question", ("Q",), "question", "question", "How the question was read; all queries, why.", 7),
        Command("search.edit", ("E",), "edit_question", "edit", "Edit the question and ask again: a new search.", 7),
        Command("search.back", ("escape",), "back", "back", "Go back; a search under way goes on.", 9),
    ),
    "triage": (
        Command("triage.include", ("i",), "decide('included')", "include", "Include the paper.", 1),
        Command("triage.exclude", ("x",), "exclude", "exclude", "Exclude the paper, for a reason.", 1),
        Command("triage.later", ("l",), "decide('later')", "later", "Leave the paper for later.", 1),
        Command("triage.next", ("right", "n"), "step(1)", "next", "The next paper, without a decision.", 2),
        Command(
            "triage.previous",
            ("left", "N"),
            "step(-1)",
            "previous",
            "The paper before; its decision can be changed.",
            2,
        ),
        Command("triage.back", ("escape",), "back", "back", "Back to the list; decisions are kept.", 9),
    ),
    "reason": (
        *(
            Command(
                f"reason.{digit}", (str(digit),), f"take({digit})", f"reason {digit}", f"The reason beside {digit}."
            )
            for digit in range(1, 10)
        ),
        Command("reason.write", ("enter", "slash"), "write", "in other words", "Write another reason.", 1),
        Command("reason.close", ("escape",), "close", "leave it", "Leave the paper as it is.", 9),
    ),
    "summary": (
        Command("summary.pane", ("t",), "tree_or_text", "facets, text", "From the facets to the text, or back.", 2),
        Command("summary.next", ("right",), "next_citation(1)", "next citation", "The sentence's next citation.", 3),
        Command("summary.previous", ("left",), "next_citation(-1)", "citation before", "Its citation before."),
        Command("summary.write", ("w",), "write_file", "write", "Write the text into a Markdown file.", 5),
        Command("summary.export", ("X",), "export_cited", "export", "Write what the text cites into a file.", 7),
        Command("summary.pause", ("p",), "pause", "pause", "Ask nobody anything for a while.", 4),
        Command("summary.resume", ("p",), "resume", "go on", "Let the summary go on.", 4),
        Command("summary.stop", ("x",), "stop", "stop", "Look for nothing more; write from what is here.", 5),
        Command("summary.cut", ("x", "ctrl+x"), "cut", "stop at once", "Stop at once; what there is of it is kept."),
        Command("summary.back", ("escape",), "back", "back", "Go back; a summary under way goes on.", 9),
    ),
    "recommendation": (
        Command("recommendation.more", ("m",), "more", "more like this", "More like this; again: no opinion.", 2),
        Command("recommendation.dismiss", ("minus",), "not_for_me", "not for me", "Take the paper off the list.", 2),
        Command("recommendation.anew", ("R",), "choose_anew", "choose anew", "Choose anew, by sources and model.", 6),
        Command("recommendation.pause", ("p",), "pause", "pause", "Ask nobody anything for a while.", 4),
        Command("recommendation.resume", ("p",), "resume", "go on", "Let the recommendation go on.", 4),
        Command("recommendation.stop", ("x",), "stop", "stop", "Look for nothing more; rank what is here.", 5),
        Command("recommendation.cut", ("x", "ctrl+x"), "cut", "stop at once", "Stop at once; what was found is kept."),
        Command("recommendation.back", ("escape",), "back", "back", "Go back.", 9),
    ),
    "talking": (
        Command("talk.say", ("enter",), "submit", "say", "Say it.", 1),
        Command("talk.turns", ("up",), "screen.to_turns", "answers", "Go to the answers and their papers.", 2),
        Command("talk.stop", ("ctrl+x",), "screen.cut", "stop", "Stop at once; what was done is kept.", 3),
        Command("talk.back", ("escape",), "screen.back", "back", "Go back; an answer on its way still comes.", 9),
    ),
    "turns": (Command("turns.open", ("enter",), "select", "open", "Read the paper or document; unfold the steps.", 1),),
    "proposal": (
        Command("proposal.yes", ("y",), "answer_proposal(True)", "yes", "Let what was proposed be done.", 1),
        Command("proposal.no", ("n",), "answer_proposal(False)", "no", "Leave everything as it is.", 1),
    ),
    "conversation": (
        Command("conversation.say", ("i", "slash"), "to_line", "say", "Go to the line to write in.", 5),
        Command("conversation.steps", ("t",), "steps", "steps", "Unfold the steps behind the answer, or fold them.", 5),
        Command("conversation.copy", ("y",), "copy_text", "copy", "Copy the answer or the document.", 4),
        Command("conversation.write", ("w",), "write_file", "write", "Write the document into a file.", 4),
        Command("conversation.resume", ("p",), "resume", "go on", "Let the answer go on that was stopped.", 2),
        Command("conversation.cut", ("x", "ctrl+x"), "cut", "stop", "Stop at once; what was done is kept.", 2),
        Command("conversation.back", ("escape",), "back", "back", "Go back; an answer on its way still comes.", 9),
    ),
    "document": (
        Command("document.copy", ("y",), "copy_text", "copy", "Copy the document."),
        Command("document.write", ("w",), "write_file", "write", "Write the document into a file."),
    ),
    "reading next": (
        Command("next.open", ("enter",), "select", "why", "Why this paper is to be read next.", 1),
        Command("next.ask", ("i", "slash"), "screen.to_ask", "ask", "Go to the ask line.", 2),
    ),
    "profile line": (
        Command("profile.edit", ("enter", "e"), "select", "change", "Let the line say something else.", 1),
    ),
    "profile": (
        Command("profile.like", ("plus",), "add_line('like')", "add a like", "Write a line about what you like.", 2),
        Command(
            "profile.dislike", ("minus",), "add_line('dislike')", "a dislike", "A line about what you do not like.", 3
        ),
        Command(
            "profile.expect",
            ("equals_sign",),
            "add_line('expect')",
            "what you expect",
            "A line about what you expect.",
            4,
        ),
        Command("profile.forget", ("d",), "forget_line", "forget", "Forget the line, and what it rests on.", 5),
        Command("profile.forget_all", ("D",), "forget_all", "forget all", "Forget the whole profile.", 6),
        Command("profile.back", ("escape",), "back", "back", "Go back.", 9),
    ),
    "lists": (
        Command("list.down", ("down", "j"), "cursor_down", "down", "Next."),
        Command("list.up", ("up", "k"), "cursor_up", "up", "Previous."),
        Command("list.first", ("home", "g"), "first", "first", "The first."),
        Command("list.last", ("end", "G"), "last", "last", "The last."),
        Command("list.page_down", ("pagedown", "ctrl+d"), "page_down", "page down", "One page down."),
        Command("list.page_up", ("pageup", "ctrl+u"), "page_up", "page up", "One page up."),
        Command("list.select", ("enter",), "select", "read", "Read the paper.", 1),
    ),
    "tree": (
        Command("tree.down", ("down", "j"), "cursor_down", "down", "Next."),
        Command("tree.up", ("up", "k"), "cursor_up", "up", "Previous."),
        Command("tree.first", ("home", "g"), "scroll_home", "first", "The first."),
        Command("tree.last", ("end", "G"), "scroll_end", "last", "The last."),
        Command("tree.page_down", ("pagedown", "ctrl+d"), "page_down", "page down", "One page down."),
        Command("tree.page_up", ("pageup", "ctrl+u"), "page_up", "page up", "One page up."),
        Command(
            "tree.fold", ("space",), "mark_or_fold", "mark or fold", "Mark the paper; fold or unfold anything else."
        ),
        Command("tree.select", ("enter",), "select_cursor", "open", "Read the paper; fold anything else.", 1),
    ),
    "page": (
        Command("page.down", ("down", "j"), "scroll_down", "down", "One line down."),
        Command("page.up", ("up", "k"), "scroll_up", "up", "One line up."),
        Command("page.top", ("home", "g"), "scroll_home", "top", "The top."),
        Command("page.end", ("end", "G"), "scroll_end", "end", "The end."),
        Command("page.page_down", ("pagedown", "ctrl+d"), "page_down", "page down", "One page down."),
        Command("page.page_up", ("pageup", "ctrl+u"), "page_up", "page up", "One page up."),
    ),
    "anywhere": (
        Command("app.help", ("question_mark", "f1"), "help", "help", "What the keys do.", 20),
        Command(
            "app.palette", ("ctrl+p",), "palette", "commands", "Everything that can be done here, by name.", 19, True
        ),
        Command("app.leave", ("q",), "leave", "quit", "Quit; searches go on later.", 21),
        Command("app.back", ("q",), "back_out", "back", "Back to where you came from."),
        Command("app.quit", ("ctrl+q",), "quit", "quit at once", "Quit; searches go on later.", 0, True),
        Command(
            "app.undo",
            ("U",),
            "undo",
            "take back",
            "Take back what you did last to papers, here or elsewhere since the app opened; again: what was before.",
        ),
        Command("app.ask", ("N", "f8"), "new_question", "new question", "Ask anything: whom, how deep, since when."),
        Command("app.settings", ("comma",), "settings", "settings", "Look at the settings and change them."),
        Command("app.keys", (), "keys", "change keys", "Choose what each key does, by pressing it."),
        Command(
            "app.errors",
            ("exclamation_mark",),
            "errors",
            "messages",
            "What was said and what failed, when, why, and what to do.",
        ),
        Command(
            "app.command", ("colon",), "command_line", "command", "Run any spar command; also sort, filter and quit."
        ),
        Command("app.import", ("I",), "import_file", "import", "Import a file, after a look at what is new in it."),
        Command("app.jump", ("semicolon",), "jump", "jump", "Go to what you see by its letter.", 0, True),
        Command("app.home", ("1", "f2"), "go('search')", "searches", "To the searches, where you left them."),
        Command("app.library", ("2", "L", "f3"), "go('shelf')", "shelf", "To the shelf: the papers that you saved.", 8),
        Command("app.history", ("3", "H", "f4"), "go('history')", "history", "To all past searches.", 8),
        Command("app.recommendation", ("4", "f5"), "read_next", "read next", "What to read next, and why."),
        Command("app.profile", ("5", "f6"), "profile", "profile", "What spar thinks you like, to be corrected."),
        Command(
            "app.talk", ("6", "C", "f7"), "talk", "chat", "Talk about the papers here, or about all that are known."
        ),
        Command("app.watches", ("7", "f10"), "go('watches')", "watches", "To the watches, and what is new in them."),
        Command("app.leaving", ("ctrl+c",), "leave_twice", "quit", "Pressed twice, quit; searches go on later."),
        Command(
            "app.suspend", ("ctrl+z",), "suspend_process", "suspend", "To the shell; `fg` there comes back.", 0, True
        ),
        Command("app.next", ("tab",), "app.focus_next", "next pane", "The next pane."),
        Command("app.previous", ("shift+tab",), "app.focus_previous", "previous pane", "The pane before."),
        Command("pane.narrower", ("less_than_sign",), "resize_pane(-1)", "narrower", "Make the pane narrower."),
        Command("pane.wider", ("greater_than_sign",), "resize_pane(1)", "wider", "Make the pane wider."),
        Command("pane.maximize", ("z",), "maximize_pane", "only this pane", "Show this pane alone, or all again."),
        Command("theme.dark", (), "theme('dark')", "dark theme", "Use dark colors, and remember it."),
        Command("theme.light", (), "theme('light')", "light theme", "Use light colors, and remember it."),
        Command("theme.terminal", (), "theme('terminal')", "terminal theme", "Use the colors of the terminal."),
    ),
    "papers": (
        Command(
            "paper.mark",
            ("space",),
            "mark",
            "mark",
            "Mark the paper: saving, citing, tags and export take all marked.",
            2,
        ),
        Command("paper.next", ("n",), "step(1)", "next", "The next paper of the list, wherever one is read."),
        Command("paper.previous", ("p",), "step(-1)", "previous", "The paper before."),
        Command("paper.scroll_down", ("J",), "scroll_paper(3)", "scroll", "Scroll the paper beside the list down."),
        Command("paper.scroll_up", ("K",), "scroll_paper(-3)", "scroll back", "Scroll the paper beside the list up."),
        Command("paper.mark_all", ("asterisk",), "mark_all", "mark all", "Mark all that are shown; again: none."),
        Command("paper.save", ("s",), "save", "save", "Save the paper to the shelf; again: take it off.", 3),
        Command("paper.cite", ("y",), "cite", "cite", "Copy a citation or an identifier.", 4),
        Command("paper.browse", ("o",), "browse", "browser", "Open the paper's page in the browser.", 7),
        Command("paper.pdf", ("O",), "pdf", "PDF", "Open the paper's PDF."),
        Command("paper.note", ("e",), "note", "note", "Write a note about the paper in your editor."),
        Command("paper.tags", ("T",), "tags", "tags", "Change the paper's tags."),
        Command("paper.read", ("u",), "read", "read", "Mark the paper as read, or as not read."),
        Command("paper.references", ("r",), "references", "references", "Get what the paper cites, now."),
        Command("paper.citations", ("c",), "citations", "cited by", "Get the papers that cite it, now."),
        Command("paper.similar", ("a",), "similar", "papers like it", "Look for papers like this one, now."),
        Command(
            "paper.compare", ("equals_sign",), "compare", "side by side", "Two to four marked papers side by side.", 3
        ),
        Command("paper.visual", ("V",), "visual", "mark a range", "Mark from here on; again: end the range."),
        Command("paper.repeat", ("full_stop",), "repeat", "repeat", "Do the last change again, to these papers."),
        Command("paper.pipe", ("vertical_line",), "pipe", "pipe", "Send the papers to a shell command."),
        Command("paper.like", ("m",), "like", "more like this", "Look for more like this; again: no opinion."),
        Command("paper.dislike", ("minus",), "dislike", "not relevant", "This is not relevant; again: no opinion."),
        Command("paper.export", ("X",), "export", "export", "Write the marked papers, or this one, into a file.", 7),
    ),
    "paper": (
        Command("paper.whole", ("enter",), "screen.whole", "more", "Its references, and the papers that cite it.", 1),
    ),
    "links": (
        Command("links.abstract", ("b",), "get_abstract", "get the abstract", "Ask the sources for the abstract.", 2),
        Command("links.back", ("escape",), "back", "back", "Go back.", 9),
    ),
    "citation map": (
        Command("map.export", ("X",), "export_map", "export", "Write the map into a file, such as a picture.", 3),
        Command("map.back", ("escape",), "back", "back", "Go back.", 9),
    ),
    "side by side": (
        Command("sides.left", ("left", "h"), "to_paper(-1)", "left", "The paper on the left."),
        Command("sides.right", ("right", "l"), "to_paper(1)", "right", "The paper on the right."),
        Command("sides.back", ("escape",), "back", "back", "Go back.", 9),
    ),
    "map": (
        Command("map.earlier", ("left", "h"), "to_year(-1)", "earlier", "To an earlier year."),
        Command("map.later", ("right", "l"), "to_year(1)", "later", "To a later year."),
        Command("map.down", ("down", "j"), "in_year(1)", "down", "The next paper of the year."),
        Command("map.up", ("up", "k"), "in_year(-1)", "up", "The paper before, of the same year."),
        Command("map.first", ("home", "g"), "end_year(-1)", "first year", "To the first year."),
        Command("map.last", ("end", "G"), "end_year(1)", "last year", "To the last year."),
        Command(
            "map.cited", ("left_square_bracket",), "to_linked('cited')", "what it cites", "To a paper that it cites.", 2
        ),
        Command(
            "map.citing",
            ("right_square_bracket",),
            "to_linked('citing')",
            "who cites it",
            "To a paper that cites it.",
            2,
        ),
        Command("map.select", ("enter",), "select", "read", "Read the paper.", 1),
    ),
    "shelf": (
        Command(
            "library.filter",
            ("slash", "f", "i"),
            "filter",
            "filter",
            "Show only papers that meet a filter: words, tag:x, unread.",
            2,
        ),
        Command(
            "library.order",
            ("R",),
            "order",
            "order",
            "Order by year, title or another column: the next.",
            5,
        ),
        Command("library.reverse", ("tilde",), "reverse", "reverse", "Turn the order round."),
        Command("library.columns", ("C",), "columns", "columns", "Choose the columns and their order.", 7),
        Command("library.side", ("t",), "side", "filters", "Go to the filters you keep and your tags, or back.", 6),
        Command("library.keep", ("F",), "keep_filter", "keep filter", "Keep the filter under a name.", 6),
        Command("library.back", ("escape",), "back", "back", "Out of the filter; then to the searches.", 9),
    ),
    "side list": (
        Command("side.choose", ("enter",), "select", "choose", "Apply this filter and go to the papers.", 1),
        Command("side.forget", ("d",), "screen.forget_filter", "forget", "Keep the filter no longer.", 2),
    ),
    "column choice": (
        Command("columns.toggle", ("space",), "screen.switch", "show or hide", "Show the column, or hide it.", 2),
        Command("columns.up", ("K", "shift+up"), "screen.shift(-1)", "move up", "Move the column up.", 3),
        Command("columns.down", ("J", "shift+down"), "screen.shift(1)", "move down", "Move the column down.", 3),
        Command("columns.keep", ("enter",), "screen.keep", "use", "Use these columns, and remember them.", 1),
    ),
    "columns": (Command("columns.close", ("C", "q"), "close", "cancel", "Leave the columns as they are."),),
    "history": (
        Command(
            "history.filter",
            ("slash", "f", "i"),
            "filter",
            "filter",
            "Show only runs that meet a filter: words, a date, year:2026.",
            2,
        ),
        Command("history.again", ("A",), "ask_again", "ask again", "Ask the question of the search anew.", 4),
        Command(
            "history.watch", ("W",), "watch", "watch", "Store the search; `spar watch` tells what is new in it.", 5
        ),
        Command("history.forget", ("d",), "forget", "forget", "Forget the run; its papers stay.", 3),
        Command("history.back", ("escape",), "back", "back", "Out of the filter; then to the searches.", 9),
    ),
    "watches": (
        Command("watches.ask_all", ("A",), "ask_all", "ask all", "Ask all watches what is new.", 2),
        Command("watches.stop", ("escape", "ctrl+c", "x"), "stop", "stop", "Ask no more; nothing is lost by it.", 9),
        Command("watches.pane", ("t",), "pane", "watches, papers", "From the watches to what is new, or back.", 3),
        Command("watches.filter", ("slash", "f"), "filter", "filter", "Show only papers that meet a filter.", 6),
        Command("watches.order", ("R",), "order", "order", "Order as they were told, by year, or by citations.", 6),
        Command("watches.back", ("escape",), "back", "back", "Out of the filter, the papers; then to the searches.", 9),
    ),
    "a watch": (
        Command("watch.ask", ("enter",), "select", "ask", "Ask the sources what is new in this watch.", 1),
        Command("watch.forget", ("d",), "screen.forget", "forget", "Forget the watch; its papers stay.", 5),
    ),
    "prompt": (
        Command("prompt.keep", ("enter",), "submit", "done", "Take what is written.", 1),
        Command("prompt.leave", ("escape",), "screen.leave_prompt", "leave it", "Leave it as it is.", 9),
    ),
    "command line": (
        Command("command.run", ("enter",), "submit", "run", "Run the command.", 1),
        Command("command.complete", ("tab",), "screen.complete", "complete", "Write what can come next.", 2),
        Command("command.older", ("up",), "screen.older(-1)", "earlier", "The command before.", 3),
        Command("command.newer", ("down",), "screen.older(1)", "later", "The command after it."),
        Command("command.leave", ("escape",), "screen.leave_prompt", "cancel", "Do nothing.", 9),
    ),
    "output": (Command("output.copy", ("y",), "copy_text", "copy", "Copy what the command said.", 1),),
    "size": (
        Command("size.begin", ("enter",), "submit", "begin", "Begin the summary.", 1),
        Command("size.down", ("down",), "screen.move(1)", "down", "The next line."),
        Command("size.up", ("up",), "screen.move(-1)", "up", "The line before."),
    ),
    "citing": (
        Command("cite.bibtex", ("b",), "copy('bibtex')", "BibTeX", "Copy the BibTeX entry.", 1),
        Command("cite.id", ("d",), "copy('id')", "DOI", "Copy the DOI, or what it has instead.", 2),
        Command("cite.title", ("t",), "copy('title')", "title", "Copy authors, title and year on a line.", 3),
        Command("cite.latex", ("k",), "copy('latex')", "\\cite{key}", "Copy the LaTeX citation.", 4),
        Command("cite.markdown", ("m",), "copy('markdown')", "[@key]", "Copy the Markdown citation.", 5),
        Command("cite.close", ("escape", "y"), "close", "leave it", "Copy nothing.", 9),
    ),
    "picked paper": (
        Command("pick.take", ("enter",), "screen.take", "take", "Give the keys of all marked, or of this one.", 1),
    ),
    "picking": (
        Command(
            "pick.leave", ("escape", "q"), "leave_empty_handed", "leave", "Out of the filter; else give nothing.", 9
        ),
        Command("pick.quit", ("ctrl+c", "ctrl+q"), "app.quit", "leave at once", "Give nothing.", 0, True),
    ),
    "confirm": (
        Command("confirm.yes", ("y",), "answer(True)", "yes", "Yes.", 1),
        Command("confirm.no", ("n",), "answer(False)", "no", "No.", 2),
    ),
    "settings": (
        Command(
            "settings.test", ("f9",), "test_all", "test all", "Ask each source and the model one tiny question.", 3
        ),
        Command("settings.show", ("comma",), "close", "close", "Close the settings."),
    ),
    "service": (Command("service.test", ("enter", "space", "t"), "test", "test", "Ask it one tiny question, now.", 1),),
    "keys line": (
        Command("settings.keys", ("enter", "space"), "screen.keys", "change keys", "Choose what each key does.", 1),
    ),
    "key choice": (
        Command("keys.change", ("enter",), "screen.change(False)", "other key", "Press the key for it instead.", 1),
        Command("keys.add", ("plus",), "screen.change(True)", "one more", "Press another key that does it too.", 2),
        Command("keys.default", ("d",), "screen.own", "as it was", "Give it the keys that it had from the start.", 3),
    ),
    "keys": (Command("keys.search", ("slash",), "search", "search", "Show only what has these words.", 4),),
    "setting": (
        Command("setting.keep", ("enter",), "submit", "keep", "Keep what is written, and go to the next.", 1),
        Command("setting.down", ("down",), "screen.move(1)", "down", "The next setting."),
        Command("setting.up", ("up",), "screen.move(-1)", "up", "The setting before."),
    ),
    "asking anew": (
        Command("anew.ask", ("enter",), "submit", "ask", "Ask, with what stands below the line.", 1),
        Command("anew.line", ("ctrl+j",), "new_line", "new line", "Begin a new line."),
        Command("anew.next", ("down",), "screen.move(1)", "down", "To what can be changed below the line."),
    ),
    "chip": (
        Command("chip.ask", ("enter",), "screen.ask", "ask", "Ask the question with what is shown.", 1),
        Command("chip.next", ("space", "right", "l"), "change(1)", "change", "What it can be next.", 2),
        Command("chip.previous", ("left", "h"), "change(-1)", "change back", "What it was before."),
    ),
    "palette": (
        Command("palette.run", ("enter",), "screen.run", "do it", "Do what is highlighted.", 1),
        Command("palette.down", ("down", "ctrl+n"), "screen.move(1)", "down", "Next."),
        Command("palette.up", ("up", "ctrl+p"), "screen.move(-1)", "up", "Previous."),
    ),
    "help search": (Command("help.search", ("slash",), "search", "search", "Show only what has these words.", 1),),
    "help": (
        Command("help.close", ("question_mark", "f1", "q", "enter"), "close", "close", "Close the help."),
        Command("help.top", ("home", "g"), "to_end(False)", "top", "The top."),
        Command("help.end", ("end", "G"), "to_end(True)", "end", "The end."),
        Command("help.page_down", ("pagedown", "ctrl+d", "space"), "page(1)", "page down", "One page down."),
        Command("help.page_up", ("pageup", "ctrl+u"), "page(-1)", "page up", "One page up."),
    ),
    "question": (
        Command("question.edit", ("e", "E"), "edit", "edit and ask", "Edit the question and ask again.", 1),
        Command("question.close", ("Q",), "close", "close", "Close the question."),
    ),
    "errors": (Command("errors.close", ("exclamation_mark",), "close", "close", "Close the messages."),),
    "dialog": (
        Command("dialog.close", ("escape",), "close", "close", "Close it.", 9),
        Command("dialog.down", ("down", "j"), "move(1)", "down", "Down."),
        Command("dialog.up", ("up", "k"), "move(-1)", "up", "Up."),
    ),
}
_BY_ID = {command.id: command for commands in COMMANDS.values() for command in commands}
_PLACE_OF = {command.id: place for place, commands in COMMANDS.items() for command in commands}
_TITLES: Mapping[Place, str] = {
    "asking": "The ask line",
    "papers offered": "Papers offered below the ask line",
    "examples": "Questions to try, while nothing was asked",
    "search": "A search",
    "triage": "Deciding on the papers of a search, one by one",
    "reason": "Why a paper is excluded",
    "summary": "A summary",
    "recommendation": "What to read next",
    "talking": "The line of a conversation",
    "turns": "What was said in a conversation",
    "proposal": "A proposal in a conversation",
    "conversation": "A conversation",
    "document": "A document of a conversation",
    "reading next": "Read next, where the app opens",
    "profile line": "A line of your profile",
    "profile": "Your profile",
    "tree": "The trail",
    "page": "A paper",
    "settings": "The settings",
    "setting": "A line of the settings",
    "service": "A source or the model, in the settings",
    "keys line": "The line about keys, in the settings",
    "key choice": "Choosing keys",
    "keys": "The list of keys to choose",
    "asking anew": "The ask line of the dialog",
    "chip": "What a question asks for, below that line",
    "palette": "The palette of commands",
    "help search": "Searching this help",
    "help": "This help",
    "question": "The question read back",
    "errors": "The messages",
    "confirm": "A question with two answers",
    "dialog": "Help, settings and questions",
    "side list": "The filters and tags beside the shelf",
    "column choice": "A column of the shelf",
    "columns": "Choosing the columns of the shelf",
    "watches": "The watches",
    "a watch": "On a watch",
    "papers": "On a paper, wherever it is shown",
    "paper": "A paper's page",
    "links": "References and citations",
    "citation map": "Who cites whom",
    "map": "On the map",
    "side by side": "Papers side by side",
    "citing": "Copying a citation",
    "prompt": "A line to fill in",
    "command line": "The command line",
    "output": "What a command said",
    "size": "The size of a summary",
    "picked paper": "On a paper of `spar pick`",
    "picking": "Leaving `spar pick`",
}


def bindings(*places: Place) -> list[BindingType]:
    """The bindings of the commands of `places`; where two share a key, the first has it."""
    return [_binding(one) for place in places for one in COMMANDS[place] if one.keys]


def bindings_of(*ids: str) -> list[BindingType]:
    """The bindings of these commands alone."""
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
    """The command that `binding` was made from."""
    return _BY_ID.get(binding.id or "")


def command_named(id: str) -> Command:
    """The command of this id."""
    return _BY_ID[id]


def place_of(command: Command) -> Place:
    """Where `command` can be used."""
    return _PLACE_OF[command.id]


def place_title(place: Place) -> str:
    """The heading under which the commands of `place` stand."""
    return _TITLES.get(place, place.capitalize())
