"""The verbs of `spar`, each in a file of its own that is imported when it is called, and imports what it needs when it
runs."""

import os
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

import typer

from connectors.registry import titles
from spar_tui import __version__
from spar_tui.cli.lists.filter_words import FilterCommand
from spar_tui.cli.options.lazy_verbs import LazyVerbs, Verb
from spar_tui.cli.options.usual_options import Verbs


class _SparVerbs(LazyVerbs):
    GROUPS: ClassVar[Mapping[str, Sequence[Verb]]] = {
        "Search": (
            Verb("search", "verbs.search:search", "Ask a question.", guesses=("find", "query", "look")),
            Verb(
                "watch",
                "verbs.watch:watch",
                "Run stored searches again and show new papers.",
                guesses=("alert", "alerts", "update", "updates", "news"),
            ),
            Verb(
                "history",
                "verbs.history:app",
                "List past runs, newest first, or forget some.",
                guesses=("runs", "searches"),
            ),
            Verb(
                "log",
                "verbs.log:log",
                "Print the log of a search, recommendation or conversation.",
                guesses=("report", "prisma"),
            ),
            Verb("graph", "verbs.runs.graph:graph", "Show which papers of a search cite each other."),
        ),
        "Papers": (
            Verb(
                "show", "verbs.paper.show:show", "Show one paper in full.", guesses=("info", "view", "get", "details")
            ),
            Verb("refs", "verbs.paper.links:refs", "List what a paper cites.", guesses=("references", "bibliography")),
            Verb(
                "cites",
                "verbs.paper.links:cites",
                "List the papers that cite a paper.",
                guesses=("citations", "cited-by", "citing"),
            ),
            Verb("similar", "verbs.paper.links:similar", "List papers like a paper.", guesses=("related",)),
            Verb(
                "open", "verbs.paper.open_paper:open_paper", "Open a paper in the browser.", guesses=("browse", "read")
            ),
            Verb(
                "fetch", "verbs.paper.fetch:fetch", "Download open-access PDFs of papers.", guesses=("download", "pdf")
            ),
        ),
        "Library": (
            Verb("save", "verbs.shelf:save", "Save papers.", guesses=("add", "keep", "bookmark")),
            Verb(
                "unsave",
                "verbs.shelf:unsave",
                "Remove saved papers, with their tags and notes.",
                guesses=("delete", "remove", "rm"),
            ),
            Verb(
                "shelf",
                "verbs.shelf:shelf",
                "List the shelf: saved papers, the last saved first.",
                FilterCommand,
                guesses=("list", "ls", "saved"),
            ),
            Verb(
                "library",
                "verbs.library:library",
                "Search the library: all papers that were ever found.",
                FilterCommand,
                guesses=("papers", "all"),
            ),
            Verb(
                "whence",
                "verbs.whence:whence",
                "Find the paper and page that a quote is from.",
                guesses=("quote", "origin", "cited"),
            ),
            Verb("tag", "verbs.shelf:tag", "Add, remove, rename or list tags.", guesses=("label", "tags")),
            Verb(
                "mark",
                "verbs.shelf:mark",
                "Mark papers as liked, disliked or read; set their PDF.",
                guesses=("rate", "rating", "like"),
            ),
            Verb(
                "undo",
                "verbs.undo:undo",
                "Take back the last change.",
                guesses=("revert", "restore", "undelete"),
            ),
            Verb("note", "verbs.paper.note:note", "Write a note about a saved paper.", guesses=("annotate", "comment")),
            Verb("edit", "verbs.paper.edit:edit", "Correct a paper's data by hand.", guesses=("correct", "change")),
            Verb(
                "merge",
                "verbs.paper.merge:merge",
                "Merge two papers that are the same work.",
                guesses=("dedupe", "deduplicate"),
            ),
            Verb("split", "verbs.paper.split:split", "Split a merged paper."),
        ),
        "Bibliographies": (
            Verb(
                "import",
                "verbs.import_file:import_files",
                "Import bibliographies, packs, papers themselves, or Zotero.",
                guesses=("add", "load"),
            ),
            Verb(
                "export",
                "verbs.export:export",
                "Write a bibliography of papers, of a run, or of the shelf.",
                guesses=("write", "bibtex"),
            ),
            Verb(
                "share",
                "verbs.share:share",
                "Write saved papers, with notes, to a file for others.",
                FilterCommand,
                guesses=("pack", "send"),
            ),
            Verb(
                "check",
                "verbs.check:check",
                "Check references against the sources, field by field.",
                guesses=("verify", "validate"),
            ),
            Verb(
                "lint",
                "verbs.lint:lint",
                "Check whether the cited papers say what a document says.",
                guesses=("claims", "support", "sentences"),
            ),
            Verb("cite", "verbs.paper.cite:cite", "Print the citation key of a saved paper.", FilterCommand),
            Verb(
                "pick",
                "verbs.paper.pick:pick",
                "Pick saved papers from a list and print their citation keys.",
                FilterCommand,
            ),
            Verb(
                "key", "verbs.paper.key:key", "Change the citation key of a saved paper.", guesses=("rename", "rekey")
            ),
        ),
        "Reading and writing": (
            Verb("ask", "verbs.ask:ask", "Answer a question from papers.", guesses=("answer",)),
            Verb(
                "summarize",
                "verbs.summarize:summarize",
                "Summarize a topic.",
                guesses=("summary", "review", "synthesize"),
            ),
            Verb("recommend", "verbs.recommend:recommend", "Recommend what to read next.", guesses=("suggest",)),
            Verb("chat", "verbs.talk.chat:chat", "Talk about your papers in plain sentences.", guesses=("talk",)),
            Verb("notes", "verbs.paper.notes:notes", "Write or update a Markdown file for each saved paper."),
            Verb("profile", "verbs.profile:app", "Show what spar thinks you like, and why."),
        ),
        "This program": (
            Verb("config", "verbs.config:app", "Show or change settings.", guesses=("settings", "set", "options")),
            Verb(
                "doctor",
                "verbs.doctor:doctor",
                "Check the installation, sources, keys and model.",
                guesses=("health", "status", "diagnose"),
            ),
            Verb("mcp", "verbs.talk.mcp:mcp", "Let other programs use the library and its tools (MCP)."),
            Verb("lsp", "verbs.talk.lsp:lsp", "Complete and check citations in your editor (LSP)."),
            Verb("corpus", "verbs.corpus.verbs:app", "Build and manage a corpus, a source of your own."),
            Verb("help", "app:help_of", "Show help for a command."),
            Verb("assistant", "verbs.talk.assistant:app", "Manage the examples that the chat planner learns from."),
            Verb("bench", "verbs.bench:bench", "Measure the search on collections whose answers are known."),
        ),
    }


app = Verbs(
    cls=_SparVerbs,
    help=f"Ask a question in plain words; get papers from {titles()}, merged, ranked and remembered.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"spar {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_version, is_eager=True)
    ] = False,
) -> int:
    """Options that stand before the verb; without a verb, the app where there is a terminal for it, else the help."""
    if context.invoked_subcommand is not None:
        return 0
    from spar_tui.terminal import can_draw, note

    if can_draw():
        from spar_tui.tui.start import run_app

        return run_app()
    typer.echo(context.get_help())
    if os.environ.get("TERM") == "dumb":
        note("spar: this terminal cannot draw the app (TERM is dumb); every verb above works here.")
    else:
        note("spar: the app needs a terminal for its keys and its screen; every verb above works without one.")
    return 0


def help_of(
    verb: Annotated[
        list[str] | None, typer.Argument(metavar="[VERB…]", help="Such as search, or history forget; none: all verbs.")
    ] = None,
) -> object:
    """Show help for a command."""
    result: object = app([*(verb or []), "--help"], prog_name="spar", standalone_mode=False)
    return result
