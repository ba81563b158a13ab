"""`spar lsp`: references while a document is written, in any editor."""

from spar_tui.cli.arguments import OfflineFlag, SourceOption, source_names
from spar_tui.errors import Failure
from spar_tui.workspace import read_settings


def lsp(source: SourceOption = None, offline: OfflineFlag = False) -> int:
    """Complete and check citations in your editor (LSP).

    LSP is the Language Server Protocol of Neovim, Vim, Emacs, VS Code and Helix; docs/editors.md shows how an editor
    starts spar lsp. In .tex, .md and .typ files it completes citation keys by key, author and words of the title,
    from the .bib files beside the document and your shelf, and adds a saved paper that you choose to the .bib file.
    It shows what a key cites, and marks keys that no bibliography has, retracted papers, and sentences whose source
    is about something else. In .bib files it marks what spar check finds offline; editor actions ask the sources and
    make certain corrections."""
    names = source_names(source or [])
    from spar_tui.installation.commands import adding_extra

    if command := adding_extra("lsp"):
        raise Failure(f"spar lsp needs an extra package; install it with: {command}")
    from spar_tui.lsp.server import ReferenceServer

    settings = read_settings(background=True)
    preferences = settings.preferences
    ReferenceServer(settings, names or preferences.sources, offline or preferences.offline).serve()
    return 0
