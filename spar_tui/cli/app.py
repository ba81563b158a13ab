"""The verbs of `spar`, each in a file of its own that imports what it needs when it runs."""

import os
from typing import Annotated

import typer

from connectors.registry import titles
from spar_tui import __version__
from spar_tui.cli.lists.filter_words import FilterCommand
from spar_tui.cli.options.usual_options import Verbs
from spar_tui.cli.verbs import (
    bench,
    check,
    config,
    doctor,
    export,
    history,
    import_file,
    library,
    log,
    profile,
    recommend,
    search,
    shelf,
    summarize,
    watch,
)
from spar_tui.cli.verbs.corpus import verbs as corpus
from spar_tui.cli.verbs.paper import cite, edit, fetch, key, links, merge, note, notes, open_paper, pick, show, split
from spar_tui.cli.verbs.runs import graph
from spar_tui.cli.verbs.talk import chat, demonstrations, mcp, training

app = Verbs(
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


app.command("search")(search.search)
app.command("show")(show.show)
app.command("refs")(links.refs)
app.command("cites")(links.cites)
app.command("similar")(links.similar)
app.command("open")(open_paper.open_paper)
app.command("fetch")(fetch.fetch)
app.command("save")(shelf.save)
app.command("unsave")(shelf.unsave)
app.command("tag")(shelf.tag)
app.command("mark")(shelf.mark)
app.command("shelf", cls=FilterCommand)(shelf.shelf)
app.command("library", cls=FilterCommand)(library.library)
app.command("note")(note.note)
app.command("notes")(notes.notes)
app.command("key")(key.key)
app.command("edit")(edit.edit)
app.command("merge")(merge.merge)
app.command("split")(split.split)
app.command("import")(import_file.import_files)
app.command("cite", cls=FilterCommand)(cite.cite)
app.command("pick", cls=FilterCommand)(pick.pick)
app.command("export")(export.export)
app.command("check")(check.check)
app.command("summarize")(summarize.summarize)
app.command("recommend")(recommend.recommend)
app.command("chat")(chat.chat)
app.add_typer(profile.app, name="profile")
app.add_typer(demonstrations.app, name="assistant")
demonstrations.app.command("export-training")(training.export_training)
app.add_typer(history.app, name="history")
app.command("log")(log.log)
app.command("graph")(graph.graph)
app.command("watch")(watch.watch)
app.command("bench")(bench.bench)
app.command("mcp")(mcp.mcp)
app.command("doctor")(doctor.doctor)
app.add_typer(corpus.app, name="corpus")
app.add_typer(config.app, name="config")


@app.command("help")
def _help(
    verb: Annotated[
        list[str] | None, typer.Argument(metavar="[VERB…]", help="Such as search, or history forget; none: all verbs.")
    ] = None,
) -> object:
    """Say what a verb does and which options it has."""
    result: object = app([*(verb or []), "--help"], prog_name="spar", standalone_mode=False)
    return result
