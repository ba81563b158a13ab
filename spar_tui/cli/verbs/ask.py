"""`spar ask`: a short answer to a question from papers, with its evidence."""

from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING, Annotated

from spar_tui.cli.arguments import (
    RunFlags,
    SearchedOption,
    SinceOption,
    UntilOption,
    dates_of,
    joined,
    only_one,
    places_of,
    question_of,
    refuse_late,
    searched_names,
)
from spar_tui.cli.corpus_flags import CorpusFlags
from spar_tui.errors import Interrupted, UsageError
from spar_tui.phrases import cost_lines, counted, papers_text
from spar_tui.settings import Settings
from spar_tui.shown_list import note_list
from spar_tui.terminal import answer_style, note, remark, say, say_json
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from agents.search.state import SearchState
    from agents.summary.options import SummaryOptions
    from agents.summary.state import SummaryState

_EXAMPLE = 'spar ask "does sleep loss impair memory?"'


def ask(
    words: Annotated[
        list[str] | None, "<QUESTION [PAPER…]>", "What you want to know, in plain words, and the papers to answer from."
    ] = None,
    source: SearchedOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    resume: Annotated[str | None, "RUN", "Resume an interrupted answer (`last` for the last one)."] = None,
    *,
    corpus: CorpusFlags,
    flags: RunFlags,
) -> int:
    """Answer a question from papers.

    Papers may follow a QUESTION in quotes. Without them, --library, --shelf, --tag or --run, spar searches for papers
    first, as spar search does. With a language model, the answer has at most 150 words: the first sentence is the
    answer itself, and each sentence cites quotes that a check found to say so. The evidence follows: quotes from
    abstracts and from the PDFs that spar fetch keeps, with their pages. Without a model, spar shows only the quotes and
    concludes nothing. Exits with 3 if these papers do not say or, without a model, if none bears on it by its words."""
    papers = [word for word in words[1:] if " " in words[0] or places_of(word)] if words else []
    question = joined([word for word in words or () if word not in papers])
    corpus = replace(corpus, paper=[*(corpus.paper or ()), *papers] or None)
    if (question is None) == (resume is None):
        raise UsageError(f"a QUESTION is needed: {_EXAMPLE}; or --resume RUN.")
    only_one(corpus.by_flag | {"--source": source})
    if resume is not None:
        late = corpus.by_flag | {"--source": source, "--since": since, "--until": until, "--seed": flags.seed}
        refuse_late(late, "a resumed answer")
    first, last = dates_of(since, until)
    names = searched_names(source or [])

    from agents.summary.answering.kind import ANSWER
    from agents.summary.options import SummaryOptions
    from spar_tui.cli.running import VerbRun
    from spar_tui.cli.summary_progress import SummaryProgress

    settings = read_settings()
    run = VerbRun(ANSWER, SummaryProgress, settings, flags)
    options = SummaryOptions(since=first, until=last, **corpus.corpus(settings, flags.offline), **flags.bounds)
    question_text = question_of(question or "", _EXAMPLE) if resume is None else ""
    if options.corpus == "sources" and resume is None:
        searched = _searched(settings, question_text, names, options, flags)
        if isinstance(searched, int):
            return searched
        options = searched
    state = run.carry_out(question_text, options, resume=resume)
    if state.cited:
        with open_store(settings) as store:
            note_list(store, run.id)
    return _end(state, run.id, flags)


def _searched(
    settings: Settings, question_text: str, names: tuple[str, ...], options: "SummaryOptions", flags: RunFlags
) -> "SummaryOptions | int":
    """Return the options of an answer from the results of a search for the question, with the rest of the budgets; if
    it found nothing, report it and return the exit code. Raises `Interrupted` with how to continue to the answer."""
    from agents.search.kind import SEARCH
    from agents.search.options import SearchOptions
    from spar_tui.cli.running import VerbRun, print_gaps
    from spar_tui.cli.search_progress import SearchProgress
    from spar_tui.source_phrases import is_unanswered, nothing_found_text

    run = VerbRun(SEARCH, SearchProgress, settings, flags)
    search = SearchOptions(
        options.since, options.until, source_seconds=settings.preferences.source_seconds, choose_sources=not names,
        **flags.bounds,
    )  # fmt: skip
    try:
        state = run.carry_out(question_text, search, names or settings.preferences.sources)
    except Interrupted as error:
        if not run.id:
            raise
        command = f"spar ask {quote(question_text)} --run {run.id}"
        raise Interrupted(f"{error}\nThen answer from its papers:\n  {command}") from None
    print_gaps(state, names)
    if not SEARCH.passed_on(state):
        remark(nothing_found_text(state, " that may answer it; try other words or wider dates"))
        return 1 if is_unanswered(state) else 3
    return of_search(run.id, state, options, flags)


def of_search(run: str, state: "SearchState", options: "SummaryOptions", flags: RunFlags) -> "SummaryOptions":
    """Return the options of an answer from the papers of a search, with the rest of the budgets."""
    cost, took = state.cost, state.finished.seconds if state.finished else 0.0
    return replace(
        options, corpus="run", corpus_name=run,
        calls=None if flags.calls is None else max(flags.calls - cost.calls, 0),
        usd=None if flags.usd is None else max(flags.usd - (cost.usd or 0.0), 0.0),
        seconds=None if flags.seconds is None else max(flags.seconds - took, 0.001),
    )  # fmt: skip


def _end(state: "SummaryState", run: str, flags: RunFlags) -> int:
    from agents.summary.events import ROOT
    from spar_tui.reports.answer import answer_lines, answer_object
    from spar_tui.reports.summary_digest import doubts

    if flags.as_json:
        say_json(answer_object(run, state))
    elif not flags.as_jsonl:
        say(*answer_lines(state, answer_style(flags.plain)))
    paper_count, section = len(state.works(ROOT)), state.written.get(ROOT)
    read_count = state.evidence.read if state.evidence else 0
    others = (
        ""
        if read_count == paper_count
        else f"{read_count:,} of {papers_text(paper_count)} (the others have no known text)"
    )
    if state.finished and state.finished.ending != "complete":
        remark("stopped early; these are the results so far.")
    removal = f", {counted(section.cut, 'sentence')} without support cut" if section and section.cut else ""
    doubt_text = "".join(f", {doubt}" for doubt in doubts(state))
    note(f"read {others or papers_text(read_count)}, cited {len(state.cited):,}{removal}{doubt_text}; run {run}")
    note(*cost_lines(state.findings.cost))
    return 3 if state.answered and state.answered.verdict == "silent" else 0
