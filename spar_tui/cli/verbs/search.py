"""`spar search`: one question to every source, judged, followed and ranked; or the rest of a search cut off."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cache.timestamps import utc_now
from connectors.identifiers import sole_identifier
from spar_tui.cli.arguments import (
    QuestionWords,
    RunFlags,
    SearchedOption,
    SinceOption,
    StrictFlag,
    UntilOption,
    check_operators,
    dates_of,
    joined,
    list_exit_code,
    only_one,
    own_queries,
    question_of,
    refuse_late,
    searched_names,
    source_names,
)
from spar_tui.cli.lists.filter_words import ListFlags
from spar_tui.cli.lists.line_template import SEARCH_FIELDS, LineTemplate
from spar_tui.errors import Interrupted, UsageError
from spar_tui.phrases import compared_text, cost_lines, counted, left_out_text, papers_text, small_words_text
from spar_tui.settings import Preferences, Settings, with_preference
from spar_tui.shown_list import note_list
from spar_tui.terminal import answer_style, note, remark, say, say_json
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from agents.run.events import Link
    from agents.search.options import SearchOptions
    from agents.search.state import SearchState
    from cache.conditions.orders import NamedOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFlags:
    """The options that choose the steps and the size of a search. Raises `UsageError` for options that exclude each
    other, and for invalid numbers."""

    any_date: Annotated[bool, "Keep papers outside the dates in the question."] = False
    limit: Annotated[int | None, "N", "How many papers to show (1 to 1000)."] = None
    fast: Annotated[bool, "A quick search: two rounds; at most 10 requests to a model."] = False
    deep: Annotated[bool, "A thorough search: three rounds; at most 520 requests to a model."] = False
    no_refchain: Annotated[bool, "Follow no references."] = False
    citing: Annotated[bool, "Ask for more papers that cite the best ones."] = False
    no_evolution: Annotated[bool, "Send only the first queries."] = False
    facets: Annotated[
        bool | None, "--facets/--no-facets", "Also search for the facets of the papers found, as --deep does."
    ] = None
    library: Annotated[
        bool | None, "--library/--no-library", "Also search your own library (default, except with --from-log)."
    ] = None
    no_rerank: Annotated[bool, "Order by relevance alone."] = False
    personal: Annotated[bool, "Order papers of about the same relevance by your taste, as spar recommend does."] = False
    query: Annotated[list[str] | None, "SOURCE=TEXT", "Send TEXT to SOURCE unchanged (once per source)."] = None

    def __post_init__(self) -> None:
        only_one({"--fast": self.fast, "--deep": self.deep})
        only_one({"--facets": self.facets, "--no-evolution": self.no_evolution})

    def by_flag(self, repeated: bool) -> dict[str, object]:
        """Return the values that a resumed search cannot take, by flag; one `repeated` from a log takes a few."""
        values = {f"--{field.name.replace('_', '-')}": getattr(self, field.name) for field in fields(self)}
        # `refuse_late` takes False as "not given", but --no-facets is given.
        values |= {flag: None if values[flag] is None else "given" for flag in ("--facets", "--library")}
        return {flag: value for flag, value in values.items() if not (repeated and flag in ("--library", "--limit"))}

    def options(self, preferences: Preferences, bounds: Mapping[str, Any]) -> "SearchOptions":
        """Return the options of a search with these flags. Raises `UsageError`."""
        from agents.search.options import SearchOptions

        return SearchOptions(
            limit=preferences.limit,
            source_seconds=preferences.source_seconds,
            mode="deep" if self.deep or (preferences.mode == "deep" and not self.fast) else "fast",
            refchain=not self.no_refchain,
            citing=self.citing,
            evolution=not self.no_evolution,
            facets=self.facets,
            rerank=not self.no_rerank,
            strict_judge=preferences.judge_prompt == "complex",
            personal=self.personal,
            any_date=self.any_date,
            own_queries=own_queries(self.query or []),
            library=self.library is not False,
            **bounds,
        )


Form = Literal["listing", "plain", "json", "jsonl"]
_LINKS: "dict[Link, str]" = {"references": "reference lists", "citations": "citing papers"}


def search(
    words: QuestionWords = None,
    source: SearchedOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    *,
    steps: SearchFlags,
    from_log: Annotated[
        Path | None, "FILE", "Run the search of a log again (`spar log`); - reads standard input."
    ] = None,
    watch: Annotated[str | None, "NAME", "Store the search; `spar watch` shows its new papers."] = None,
    resume: Annotated[str | None, "RUN", "Resume an interrupted search (`last` for the last one)."] = None,
    strict: StrictFlag = False,
    flags: RunFlags,
    listed: ListFlags,
) -> int:
    """Ask a question.

    spar reads topic and limits in the question, queries the sources, merges, judges and ranks what they find, follows
    the references of the best papers and writes new queries from them. It names a source that fails and continues with
    the others. Ctrl-C keeps the run; --resume continues it."""
    question = joined(words)
    if [question, resume, from_log].count(None) != 2:
        raise UsageError('one QUESTION is needed: spar search "sparse retrieval"; or --resume RUN, or --from-log FILE.')
    if question is None:
        late = {"--source": source, "--since": since, "--until": until, "--seed": flags.seed, "--watch": watch}
        refuse_late(late | steps.by_flag(from_log is not None), "a resumed or repeated search")
    first, last = dates_of(since, until)
    if watch is not None and not any(map(str.isalnum, watch)):
        raise UsageError("--watch needs a name with letters or digits.")

    lines = listed.lines(SEARCH_FIELDS, flags.as_json, flags.as_jsonl)
    names = searched_names(source or [])

    settings = read_settings()
    preferences = settings.preferences
    if steps.limit is not None:
        preferences = with_preference(preferences, "limit", steps.limit)
    options = replace(steps.options(preferences, flags.bounds), since=first, until=last, choose_sources=not names)
    from agents.search.kind import SEARCH
    from spar_tui.cli.running import VerbRun, budgets
    from spar_tui.cli.search_progress import SearchProgress

    form: Form = "json" if flags.as_json else "jsonl" if flags.as_jsonl else "plain" if flags.plain else "listing"
    answer = partial(
        _answer, form=lines or form, order=listed.order, strict=strict, settings=settings, chosen_sources=names
    )
    run = VerbRun(SEARCH, SearchProgress, settings, flags)
    if resume is not None:
        state = run.carry_out("", options, resume=resume)
        return answer(run.id, state)
    sources, lists = names or preferences.sources, None
    sources = (*sources, *(name for name, _ in options.own_queries if name not in sources))
    if from_log is not None:
        from spar_tui.reports.search_repetition import read_log

        question, logged, lists, again = read_log(from_log)
        again = again or "of an earlier version"
        listed_now = logged.limit if steps.limit is None else options.limit
        options = replace(
            logged, **budgets(options), library=steps.library is True, again=again, watch="", limit=listed_now
        )
        sources = source_names(list(logged.sources)) if logged.sources is not None else sources

    question_text, start = question_of(question or ""), utc_now()
    if (first or last) and sole_identifier(question_text):
        raise UsageError("an identifier names one paper, whatever its date; leave --since and --until out.")
    check_operators(question_text)
    nobody = from_log is not None and not sources
    state = run.carry_out(question_text, options, sources, offline=nobody)
    if watch is None:
        above = form in ("listing", "plain") and lines is None and from_log is None
        code = answer(run.id, state, above=_answer_above(settings, flags, run.id, state) if above else ())
        if from_log is not None:
            from spar_tui.reports.search_repetition import comparison

            remark(*comparison(lists, state))
        return code
    from spar_tui.cli.verbs.watch import begin_watch, printed

    watch_options = replace(options, sources=names or None, model=not flags.no_model)
    name = begin_watch(settings, watch, question_text, watch_options, state, start)
    code = answer(run.id, state)
    printed(settings, name, [state.found[ranked.work].paper for ranked in state.shown])
    return code


def _answer_above(settings: Settings, flags: RunFlags, run: str, state: "SearchState") -> list[str]:
    """Return the answer to a question from the papers of its finished search, citing their positions in its list;
    empty if it is not a question or nothing found is relevant."""
    from agents.evidence.stances import is_question

    question = state.started.question if state.started else ""
    if not (is_question(question) and state.included and state.finished and state.finished.ending == "complete"):
        return []
    from agents.summary.answering.kind import ANSWER
    from agents.summary.options import SummaryOptions
    from spar_tui.cli.running import VerbRun
    from spar_tui.cli.summary_progress import SummaryProgress
    from spar_tui.cli.verbs.ask import of_search
    from spar_tui.reports.answer import short_answer

    answer_run = VerbRun(ANSWER, SummaryProgress, settings, flags)
    options = of_search(run, state, SummaryOptions(**flags.bounds, unasked=True), flags)
    try:
        answer = answer_run.carry_out(question, options)
    except Interrupted as error:
        remark(str(error))
        return []
    note(*cost_lines(answer.findings.cost, " for the answer"))
    names = {state.found[ranked.work].paper.id: str(rank) for rank, ranked in enumerate(state.shown, start=1)}
    lines = short_answer(answer, names)
    if not lines:
        return []
    remark(f"evidence of the answer: spar ask --resume {answer_run.id}")
    return [*lines, ""]


def _answer(
    run: str,
    state: "SearchState",
    *,
    form: Form | LineTemplate,
    order: "NamedOrder | None",
    strict: bool,
    settings: Settings,
    chosen_sources: Sequence[str],
    above: Sequence[str] = (),
) -> int:
    """Print the answer, with papers numbered by rank, behind the lines `above`; return the exit code. `chosen_sources`
    are those that the person named."""
    from spar_tui.cli.listing import placed, say_by_template, search_listing
    from spar_tui.reports.json_objects import search_object
    from spar_tui.source_phrases import is_unanswered

    entries = placed(state, order)
    if isinstance(form, LineTemplate):
        papers = [state.found[ranked.work].paper for _, ranked in entries]
        say_by_template(settings, form, search_object(run, state, entries)["papers"], papers)
    elif form == "json":
        say_json(search_object(run, state, entries))
    elif form != "jsonl":
        style = answer_style(form == "plain")
        say(*(line for text in above for line in style.wrapped(text, "") or [""]))
        say(*search_listing(state, entries, style))
    with open_store(settings) as store:
        note_list(store, run)
    _print_remarks(run, state, chosen_sources)
    return list_exit_code(bool(state.shown), bool(state.failed_sources), strict, is_unanswered(state))


def _print_remarks(run: str, state: "SearchState", chosen_sources: Sequence[str]) -> None:
    """Print the remarks beside the list, how the numbers came about, and the cost."""
    from agents.run.findings import none_answered
    from spar_tui.cli.running import print_gaps
    from spar_tui.recommendation_phrases import personal_line
    from spar_tui.source_phrases import counts_text, is_out_of_time, no_answer_text, source_text

    print_gaps(state, chosen_sources)
    remark(*(f"{name} {source_text(state.sources[name])}." for name in state.not_askable))
    if state.shown and none_answered(state.sources):
        remark("no source answered; these papers are from your library and the starter shelf.")
    remark(*filter(None, [no_answer_text(state)]))
    if left_out := left_out_text(state):
        remark(f"{left_out}. --any-date keeps papers of any date.")
    if not_read := small_words_text(state):
        remark(f"{not_read}.")
    if state.shown and is_out_of_time(state):
        remark("the time is up; these are the results so far.")
    if state.personal is not None and state.shown:
        remark(personal_line(state.personal))
    counts, records = state.counts, state.records
    counts_lines = [counts_text(state.sources, {name: tally.distinct for name, tally in records.items()})]
    counts_lines += [f"{name} {records[link].distinct:,}" for link, name in _LINKS.items() if link in records]
    note(
        f"{counted(counts.identified, 'record')} ({', '.join(counts_lines)}), "
        f"{counted(counts.duplicates, 'duplicate')}, {papers_text(counts.screened)}, "
        f"{counts.included:,} judged relevant, {len(state.shown):,} shown; run {run}",
        *filter(None, [compared_text(state.compared, state.compared_by)]),
        *cost_lines(state.cost),
    )
