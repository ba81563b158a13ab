"""`spar mcp`, `spar lsp`: serve other programs and editors."""

import os
from contextlib import suppress
from typing import Annotated

from spar_tui.cli.arguments import NoModelFlag, OfflineFlag, SourceOption, need_extra, source_names
from spar_tui.settings import Settings
from spar_tui.terminal import remark
from spar_tui.workspace import open_workspace, read_settings, unasked_model

PORT = 7727


def mcp(
    http: Annotated[bool, "Serve over HTTP on this machine only, instead of standard input."] = False,
    port: Annotated[
        int | None, "N", f"With --http: the port (0 to 65535; {PORT} unless set). 0 chooses a free one."
    ] = None,
    allow_changes: Annotated[bool, "Also let programs change the shelf, tags, notes and your profile."] = False,
    source: SourceOption = None,
    no_model: NoModelFlag = False,
    offline: OfflineFlag = False,
) -> int:
    """Let other programs use the library and its tools (MCP).

    MCP is the Model Context Protocol. A program starts spar mcp and talks to it over standard input and output; with
    --http, programs on this machine connect to it. They can read the library and the shelf, and search as you can.
    They change nothing that you keep without --allow-changes, and never see your keys."""
    names = source_names(source or [])
    need_extra("mcp")

    settings = read_settings()
    quiet = offline or settings.preferences.offline
    _serve(settings, names or settings.preferences.sources, quiet, not no_model, allow_changes,
           (PORT if port is None else port) if http else None)  # fmt: skip
    return 0


def _serve(
    settings: Settings, names: tuple[str, ...], offline: bool, model: bool, changes: bool, port: int | None
) -> None:
    """Serve until the client disconnects or a signal arrives; over HTTP if there is a `port`."""
    import asyncio

    from spar_tui.mcp.server import SparServer
    from spar_tui.mcp.serving import over_http, over_stdio

    if model and (why := unasked_model(settings, offline)):
        remark(why)

    async def serve() -> bool:
        async with open_workspace(settings, names, offline, model) as workspace:
            server = SparServer(workspace.store, workspace.resources, changes)
            if port is None:
                return await over_stdio(server)
            await over_http(server, port, lambda url: remark(f"serving at {url}; Ctrl-C ends it."))
            return False

    async def serve_and_end() -> None:
        if await serve():
            os._exit(0)  # everything is closed; only a thread that reads standard input would delay the end

    with suppress(KeyboardInterrupt):  # the usual way to end a server
        asyncio.run(serve_and_end())


def lsp(source: SourceOption = None, offline: OfflineFlag = False) -> int:
    """Complete and check citations in your editor (LSP).

    LSP is the Language Server Protocol of Neovim, Vim, Emacs, VS Code and Helix; docs/editors.md shows how an editor
    starts spar lsp. In .tex, .md and .typ files it completes citation keys by key, author and words of the title,
    from the .bib files beside the document and your shelf, and adds a saved paper that you choose to the .bib file.
    It shows what a key cites, and marks keys that no bibliography has, retracted papers, and sentences whose source
    is about something else. In .bib files it marks what spar check finds offline; editor actions ask the sources and
    make certain corrections."""
    names = source_names(source or [])
    need_extra("lsp")
    from spar_tui.lsp.server import ReferenceServer

    settings = read_settings(background=True)
    preferences = settings.preferences
    ReferenceServer(settings, names or preferences.sources, offline or preferences.offline).serve()
    return 0
