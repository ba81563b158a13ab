"""`spar graph`: who cites whom among the relevant papers of a search, as a drawing or a file for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from spar_tui.citation_map import ENDINGS, MapFormat, format_of_name
from spar_tui.cli.arguments import PlainFlag
from spar_tui.errors import Failure, UsageError
from spar_tui.phrases import with_article
from spar_tui.settings import Settings
from spar_tui.terminal import answer_style, remark, say
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from spar_tui.citation_map.layout import Picture


def graph(
    run: Annotated[str, "<RUN>", "The search's id, its beginning, or `last` for the last one."] = "last",
    format: Annotated[MapFormat | None, "Write data for other programs instead of the drawing."] = None,
    output: Annotated[str | None, "FILE", "Write to this file; its ending can choose the format."] = None,
    plain: PlainFlag = False,
) -> int:
    """Show which papers of a search cite each other.

    Shows relevant papers by year with the citations that spar already knows, and for how many papers it knows the
    references. Sends no request. Exits with 3 if no paper of the search is relevant."""
    if output is not None and format is None:
        format = format_of_name(output)
        if format is None:
            raise UsageError(f"{output!r} has no known ending; add --format ({', '.join(ENDINGS)}).")
    from spar_tui.citation_map.drawing import drawing
    from spar_tui.citation_map.formats import written
    from spar_tui.citation_map.phrases import map_sentences
    from spar_tui.files import write_file

    settings = read_settings()
    picture = _picture(settings, run)
    sentences = map_sentences(picture.drawn)
    if not picture.drawn.papers:
        remark(sentences[0])
        return 3
    if format is None:
        say(*drawing(picture, answer_style(plain)))
        return 0
    if output is None:
        say(written(picture, format).rstrip("\n"))
    else:
        write_file(Path(output), written(picture, format).encode("utf-8", "replace"), settings.places.locks)
        remark(f"wrote {output}")
    remark(*sentences)
    return 0


def _picture(settings: Settings, run: str) -> "Picture":
    from agents.search.kind import SEARCH
    from cache import runs
    from spar_tui.citation_map.known_links import citation_map
    from spar_tui.citation_map.layout import Picture, laid_out

    with open_store(settings) as store:
        search = runs.get(store, runs.resolve(store, run, SEARCH.name))
        if search.kind != SEARCH.name:
            raise Failure(f"{search.id} is {with_article(search.kind)}; only searches have a citation map.")
        map_of_run = citation_map(SEARCH.replayed(runs.events(store, search.id)), search.question, store)
    return Picture(search.id, map_of_run, laid_out(map_of_run))
