"""`spar recommend`: what to read next, from the person's own reading history."""

from typing import TYPE_CHECKING, Annotated

from cache.corpus.place import CORPUS
from connectors.capability import Capability
from connectors.paper import Paper
from connectors.registry import SOURCES
from connectors.starter import FIELDS
from spar_tui.cli.arguments import RunFlags, StrictFlag, list_exit_code, only_one, refuse_late, source_names
from spar_tui.cli.lists.filter_words import ListFlags, in_order
from spar_tui.cli.lists.line_template import RECOMMENDED_FIELDS
from spar_tui.errors import UsageError
from spar_tui.phrases import cost_lines, papers_text
from spar_tui.settings import Settings
from spar_tui.shown_list import note_list
from spar_tui.terminal import answer_style, can_ask, choose, note, note_failures, remark, say, say_json
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from agents.recommendation.events import RankedCandidate, RecommendationState

LIMIT = 10
_ABLE = [*(spec.name for spec in SOURCES.values() if Capability.SIMILAR in spec.capabilities), CORPUS]


def recommend(
    limit: Annotated[int | None, "N", f"How many papers to recommend (1 to 100; default {LIMIT})."] = None,
    start: Annotated[
        list[str] | None, "--from PAPER", "Start from this paper, not from your history; repeat for more."
    ] = None,
    tag: Annotated[str | None, "T", "Start from your saved papers with this tag."] = None,
    field: Annotated[
        str | None, "FIELD", f"Without a history: start with the landmarks of a field: {', '.join(FIELDS)}."
    ] = None,
    new: Annotated[bool, "Only papers that are new since the last recommendation."] = False,
    why: Annotated[bool, "Show what each agent said."] = False,
    source: Annotated[list[str] | None, "NAME", f"Ask this live source only: {', '.join(_ABLE)}."] = None,
    resume: Annotated[str | None, "RUN", "Resume an interrupted recommendation (`last` for the last one)."] = None,
    strict: StrictFlag = False,
    *,
    flags: RunFlags,
    listed: ListFlags,
) -> int:
    """Recommend what to read next.

    spar chooses from all papers found so far, the starter shelf, and what live sources call similar, by what you
    saved, liked, noted, cited and read. It shows the papers of your history behind each recommendation and the words
    in both. It never recommends what you saved, read or dismissed. Exits with 3 if there is nothing to recommend."""
    only_one({"--format": listed.template is not None, "--why": why})
    if resume is not None:
        refuse_late(
            {"--limit": limit, "--from": start, "--tag": tag, "--field": field, "--new": new}
            | {"--source": source, "--seed": flags.seed},
            "a resumed recommendation",
        )
    only_one({"--from": start, "--tag": tag is not None, "--field": field is not None})
    if field is not None and field not in FIELDS:
        raise UsageError(f"unknown field {field!r}; choose from {', '.join(FIELDS)}.")
    names = source_names(source or [])
    if unable := [name for name in names if name not in _ABLE]:
        raise UsageError(f"{unable[0]} does not list similar papers; choose from {', '.join(_ABLE)}.")

    from agents.recommendation.kind import RECOMMENDATION
    from agents.recommendation.options import RecommendOptions
    from spar_tui.cli.papers import numbers_of
    from spar_tui.cli.running import VerbRun
    from spar_tui.cli.summary_progress import RecommendationProgress

    template, order = listed.lines(RECOMMENDED_FIELDS, flags.as_json, flags.as_jsonl), listed.order
    settings = read_settings()
    run = VerbRun(RECOMMENDATION, RecommendationProgress, settings, flags)
    if resume is None and not start and tag is None:
        field = _field(settings, field, asking=not (flags.as_json or flags.as_jsonl or template))
    options = RecommendOptions(
        limit=limit or LIMIT,
        start=numbers_of(start, settings, flags.offline) if start else (),
        tag=tag,
        field=field,
        only_new=new,
        source_seconds=settings.preferences.source_seconds,
        **flags.bounds,
    )
    sources = names or [name for name in settings.at_hand if name in _ABLE]
    state = run.carry_out("", options, sources, resume)
    shown = in_order(enumerate(state.shown, start=1), order, lambda pair: _paper_of(state, pair[1]))
    if flags.as_json or template:
        from spar_tui.cli.listing import say_by_template
        from spar_tui.reports.json_recommendation import recommendation_object

        answer = recommendation_object(run.id, state, shown)
        if template:
            say_by_template(settings, template, answer["papers"], [_paper_of(state, placed) for _, placed in shown])
        else:
            say_json(answer)
    elif not flags.as_jsonl:
        _print(state, shown, why, flags.plain)
    with open_store(settings) as store:
        note_list(store, run.id)
    return _end(state, run.id, new, strict)


def _field(settings: Settings, field: str | None, asking: bool) -> str | None:
    """Return the field whose landmarks are recommended to a person without a history; ask if there is a terminal."""
    from agents.recommendation.kind import begins_with_nothing

    if field is None and not (asking and can_ask()):
        return None
    with open_store(settings) as store:
        if begins_with_nothing(store):
            question = "spar does not know yet what you like. Which field do you want to start with?"
            return field or choose(question, FIELDS)
    if field is not None:
        remark("--field is for people without a history; spar uses yours instead.")
    return None


def _paper_of(state: "RecommendationState", placed: "RankedCandidate") -> Paper:
    return state.findings.papers[state.findings.work(placed.work)]


def _print(state: "RecommendationState", entries: "list[tuple[int, RankedCandidate]]", why: bool, plain: bool) -> None:
    """Print the papers with their reasons, and the messages of the agents."""
    from spar_tui.cli.listing import paper_entry
    from spar_tui.recommendation_phrases import reasons
    from spar_tui.recommendation_trace import trace

    style = answer_style(plain)
    for rank, placed in entries:
        say(*paper_entry(rank, _paper_of(state, placed), style))
        for reason in reasons(state, placed):
            say(*style.wrapped(reason, "     "))
    for agent, lines in trace(state) if why else ():
        say("", style.paint(agent, "bold"))
        for line in lines:
            indent = "  " + " " * (len(line) - len(line.lstrip()))
            say(*style.wrapped(line.strip(), indent))


def _end(state: "RecommendationState", run: str, new: bool, strict: bool) -> int:
    from agents.run.findings import none_answered
    from spar_tui.recommendation_phrases import nothing_text
    from spar_tui.source_phrases import counts_text, is_out_of_time

    failures = state.findings.failed_sources
    note_failures(failures)
    if not state.shown:
        remark(nothing_text(state))
    elif new and state.started and state.started.new_since is None:
        remark("this is the first recommendation, so everything counts as new.")
    if state.shown and is_out_of_time(state):
        remark("the time is up; these are the results so far.")
    history = papers_text(state.context.papers if state.context else 0)
    history_size = state.recalled.known if state.recalled else 0
    sources = f" ({counts_text(state.findings.sources)})" if state.findings.sources else ""
    note(
        f"{history} of your history, {papers_text(history_size)} known{sources}, {len(state.candidates):,} judged, "
        f"{len(state.shown):,} shown; run {run}"
    )
    note(*cost_lines(state.findings.cost))
    unanswered = is_out_of_time(state) or none_answered(state.findings.sources)
    return list_exit_code(bool(state.shown), bool(failures), strict, unanswered)
