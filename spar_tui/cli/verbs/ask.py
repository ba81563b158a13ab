"""`spar ask`: a short answer to a question from papers, with its evidence."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from spar_tui.cli.arguments import (
    JsonFlag,
    NoModelFlag,
    OfflineFlag,
    PlainFlag,
    SearchedOption,
    SinceOption,
    UntilOption,
    check_bounds,
    first_day,
    last_day,
    question_of,
    refuse_late,
    searched_names,
)
from spar_tui.errors import Interrupted, UsageError

if TYPE_CHECKING:
    from agents.summary.state import SummaryState
    from spar_tui.settings import Settings


def ask(
    question: Annotated[
        str | None,
        typer.Argument(metavar="QUESTION", help="What you want to know, in plain words.", show_default=False),
    ] = None,
    library: Annotated[
        bool, typer.Option("--library", help="Answer from the library: all papers that were ever found.")
    ] = False,
    tag: Annotated[
        str | None, typer.Option(metavar="T", help="Answer from the saved papers that have this tag.")
    ] = None,
    run: Annotated[
        str | None, typer.Option(metavar="RUN", help="Answer from the papers of an earlier run (`last`: the last one).")
    ] = None,
    paper: Annotated[
        list[str] | None, typer.Option(metavar="PAPER", help="Answer from this paper (repeat for more).")
    ] = None,
    source: SearchedOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    resume: Annotated[
        str | None, typer.Option(metavar="RUN", help="Go on with an answer that was cut off (`last` for the last one).")
    ] = None,
    no_model: NoModelFlag = False,
    offline: OfflineFlag = False,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Answer a question from papers.

    Without --library, --tag, --run or --paper the question is searched first, as by spar search. With a language model
    the answer has at most 150 words; the first sentence is the answer itself, and each sentence cites quotes that a
    check found to say so. Then the evidence follows: quotes from abstracts and from the PDFs that spar fetch keeps,
    with their page. Without a model there are the quotes alone, and nothing is concluded. Exit code 3 means that these
    papers do not say."""
    corpora = {"--library": library or None, "--tag": tag, "--run": run, "--paper": paper}
    given = [flag for flag, value in corpora.items() if value]
    if (question is None) == (resume is None):
        raise UsageError('a QUESTION is needed: spar ask "does sleep loss impair memory?"; or --resume RUN.')
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} exclude each other; choose one.")
    if given and source:
        raise UsageError(f"{given[0]} answers from papers at hand, and --source asks for others; choose one.")
    if resume is not None:
        refuse_late(corpora | {"--source": source, "--since": since, "--until": until}, "an answer that goes on")
    bounds = first_day(since), last_day(until)
    check_bounds(*bounds)
    names = searched_names(source or [])

    from agents.summary.answering.kind import ANSWER
    from agents.summary.options import SummaryOptions
    from spar_tui.cli.papers import numbers_of
    from spar_tui.cli.running import Output, ended, new_run, resumed_run
    from spar_tui.cli.summary_progress import SummaryProgress
    from spar_tui.terminal import progress_style
    from spar_tui.workspace import read_settings

    settings = read_settings()
    offline, model = offline or settings.preferences.offline, not no_model
    output = Output(ANSWER, SummaryProgress(progress_style(plain)))
    chosen: dict[str, Any] = {"since": bounds[0], "until": bounds[1]}
    if resume is not None:
        state = ended(output, resumed_run(settings, resume, SummaryOptions(**chosen), offline, model, output))
        return _end(state, output.run, as_json, plain)
    asked = question_of(question or "")
    if library:
        chosen["corpus"] = "library"
    elif tag:
        chosen |= {"corpus": "tag", "corpus_name": tag}
    elif paper:
        chosen |= {"corpus": "papers", "corpus_name": ",".join(map(str, numbers_of(paper, settings, offline)))}
    else:
        found = run or _searched(settings, asked, names, chosen, offline, model, plain)
        if not found:
            return 3
        chosen |= {"corpus": "run", "corpus_name": found}
    state = ended(output, new_run(settings, asked, SummaryOptions(**chosen), (), offline, model, output))
    return _end(state, output.run, as_json, plain)


def _searched(
    settings: "Settings",
    asked: str,
    names: tuple[str, ...],
    bounds: dict[str, Any],
    offline: bool,
    model: bool,
    plain: bool,
) -> str:
    """The run of a search for the question; "" if it found nothing, which is said. Raises `Interrupted`, which says how
    to go on to the answer."""
    from shlex import quote

    from agents.search.kind import SEARCH
    from agents.search.options import SearchOptions
    from spar_tui.cli.running import Output, ended, new_run
    from spar_tui.cli.search_progress import SearchProgress
    from spar_tui.phrases import nothing_found
    from spar_tui.terminal import note, note_failures, progress_style

    output = Output(SEARCH, SearchProgress(progress_style(plain)))
    options = SearchOptions(
        bounds["since"], bounds["until"], source_seconds=settings.preferences.source_seconds, choose_sources=not names
    )
    sources = names or settings.preferences.sources
    try:
        state = ended(output, new_run(settings, asked, options, sources, offline, model, output))
    except Interrupted as error:
        if not output.run:
            raise
        raise Interrupted(
            f"{error}\nThen answer from its papers:\n  spar ask {quote(asked)} --run {output.run}"
        ) from None
    note_failures(state.failed_sources)
    if not SEARCH.passed_on(state):
        note(f"spar: {nothing_found(state.sources)} that may answer it; try other words or wider dates.")
        return ""
    return output.run


def _end(state: "SummaryState", run: str, as_json: bool, plain: bool) -> int:
    """Print the answer; the exit code."""
    from agents.summary.events import ROOT
    from spar_tui.phrases import cost_lines, counted, papers_text
    from spar_tui.reports.answer import answer_lines, answer_object
    from spar_tui.reports.json_objects import dump
    from spar_tui.terminal import answer_style, note, say

    say(dump(answer_object(run, state))) if as_json else say(*answer_lines(state, answer_style(plain)))
    found, written = len(state.works(ROOT)), state.written.get(ROOT)
    read = state.evidence.read if state.evidence else 0
    unread = f" of {found:,}; of the others no abstract is known" if read < found else ""
    if state.finished and state.finished.ending != "complete":
        note("spar: it was ended early, so this is what was found by then.")
    cut = f", {counted(written.cut, 'sentence')} without support cut" if written and written.cut else ""
    note(f"{papers_text(read)} looked through{unread}, {len(state.cited):,} cited{cut}; run {run}")
    for line in cost_lines(state.findings.cost):
        note(line)
    return 3 if state.answered and state.answered.verdict == "silent" else 0
