"""The verbs of `spar`, each in its own file, which is imported when the verb is called."""

import os
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from connectors.registry import titles
from spar_tui import __version__
from spar_tui.cli.lists.filter_words import FilterCommand
from spar_tui.cli.options.lazy_verbs import LazyVerbs, Verb
from spar_tui.cli.options.usual_options import Verbs

_GROUPS: Mapping[str, Sequence[Verb]] = {
    "Search": (
        Verb("search", "search:search", "Ask a question.", "find query look"),
        Verb(
            "watch", "watch:watch", "Run stored searches again and show new papers.", "alert alerts update updates news"
        ),
        Verb("history", "history:app", "List past runs, newest first, or forget some.", "runs searches stats"),
        Verb("log", "log:log", "Print the log of a run.", "report prisma"),
        Verb("graph", "graph:graph", "Show which papers of a search cite each other."),
    ),
    "Papers": (
        Verb("show", "papers:show", "Show one paper in full.", "info view get details"),
        Verb("refs", "papers:refs", "List what a paper cites.", "references"),
        Verb("cites", "papers:cites", "List the papers that cite a paper.", "citations cited-by citing"),
        Verb("similar", "papers:similar", "List papers like a paper.", "related"),
        Verb("open", "papers:open_paper", "Open a paper in the browser.", "browse read"),
        Verb("fetch", "papers:fetch", "Download open-access PDFs of papers.", "download pdf"),
    ),
    "Library": (
        Verb("save", "shelf:save", "Save papers.", "add keep bookmark"),
        Verb("unsave", "shelf:unsave", "Remove saved papers, with their tags and notes.", "delete remove rm"),
        Verb(
            "shelf",
            "shelf:shelf",
            "List the shelf: saved papers, the last saved first.",
            "list ls saved",
            cls=FilterCommand,
        ),
        Verb(
            "library",
            "library:library",
            "Search the library: all papers found so far.",
            "papers all",
            cls=FilterCommand,
        ),
        Verb("whence", "library:whence", "Find the paper and page that a quote is from.", "quote origin cited"),
        Verb("tag", "shelf:tag", "Add, remove, rename or list tags.", "label tags rename collection collections"),
        Verb("mark", "shelf:mark", "Mark papers as liked, disliked or read; set their PDF.", "rate rating like"),
        Verb("undo", "edits:undo", "Undo the last change.", "revert restore undelete"),
        Verb("note", "notes:note", "Write a note about a saved paper.", "annotate comment"),
        Verb("edit", "edits:edit", "Correct a paper's data by hand.", "correct change"),
        Verb("merge", "edits:merge", "Merge two papers that are the same work.", "dedupe deduplicate"),
        Verb("split", "edits:split", "Split a merged paper."),
    ),
    "Bibliographies": (
        Verb(
            "import",
            "import_file:import_files",
            "Import bibliographies, packs, papers themselves, or Zotero.",
            "add load bib sync",
        ),
        Verb(
            "export", "export:export", "Write a bibliography of papers, of a run, or of the shelf.", "write bib bibtex"
        ),
        Verb(
            "share",
            "share:share",
            "Write saved papers, with notes, to a file for others.",
            "pack send sync",
            cls=FilterCommand,
        ),
        Verb("check", "check:check", "Check references against the sources, field by field.", "verify validate"),
        Verb(
            "lint", "lint:lint", "Check whether the cited papers say what a document says.", "claims support sentences"
        ),
        Verb("cite", "cite:cite", "Print the citation key of a saved paper.", cls=FilterCommand),
        Verb("pick", "cite:pick", "Pick saved papers from a list and print their citation keys.", cls=FilterCommand),
        Verb("key", "edits:key", "Change the citation key of a saved paper.", "rename rekey"),
    ),
    "Reading and writing": (
        Verb("ask", "ask:ask", "Answer a question from papers.", "answer"),
        Verb("summarize", "summarize:summarize", "Summarize a topic.", "summary summarise review synthesize"),
        Verb("recommend", "recommend:recommend", "Recommend what to read next.", "suggest"),
        Verb("chat", "chat:chat", "Talk about your papers in plain sentences.", "talk assistant"),
        Verb("notes", "notes:notes", "Write or update a Markdown file for each saved paper."),
        Verb("profile", "profile:app", "Show what spar thinks you like, and why."),
    ),
    "This program": (
        Verb("config", "config:app", "Show or change settings.", "settings set options init login"),
        Verb(
            "doctor",
            "doctor:doctor",
            "Check the installation, backups, sources, keys and model.",
            "health status diagnose stats version backup backups restore",
        ),
        Verb("mcp", "servers:mcp", "Let other programs use the library and its tools (MCP)."),
        Verb("lsp", "servers:lsp", "Complete and check citations in your editor (LSP)."),
        Verb("corpus", "corpus:app", "Build and manage a corpus (your own local source)."),
        Verb("help", "help_verb:help_of", "Show help for a command."),
        Verb("bench", "bench:app", "Measure the search on collections whose answers are known.", "assistant benchmark"),
    ),
}


class _SparVerbs(LazyVerbs):
    GROUPS = _GROUPS
    ALONE = Verb(
        "",
        "",
        "Open the app: search, read and screen papers; q quits, ? shows all keys.",
        "screen quit exit ui tui app",
    )


app = Verbs(
    cls=_SparVerbs,
    help=f"Ask a question in plain words; get papers from {titles()}, merged, ranked and remembered.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"spar {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> int:
    """Options before the verb. Without a verb, open the app if there is a terminal, else print the help."""
    if context.invoked_subcommand is not None:
        return 0
    from spar_tui.terminal import can_draw, remark

    if can_draw():
        from spar_tui.tui.start import run_app

        return run_app()
    typer.echo(context.get_help())
    if os.environ.get("TERM") == "dumb":
        remark("this terminal cannot show the app (TERM is dumb); use the verbs above.")
    else:
        remark("the app needs a terminal; use the verbs above.")
    return 0
