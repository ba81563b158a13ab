"""The results of asking sources, in words, the same in the app, in reports and on the command line."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from agents.run.findings import TOOK_OVER, Findings, SourceTally, none_answered, outcome_of, services_of
from cache.conditions.wording import listed
from connectors.identifiers import sole_identifier
from spar_tui.phrases import counted, inside

if TYPE_CHECKING:
    from agents.lookup.abstracts import AbstractFound
    from agents.recommendation.events import RecommendationState
    from agents.search.state import SearchState
    from agents.summary.state import SummaryState

    Searching = SearchState | SummaryState | RecommendationState


GIVEN_PAPERS = {
    "run": "papers of one run", "tag": "papers of one tag", "shelf": "saved papers", "papers": "chosen papers",
}  # fmt: skip
"""Names of papers given to a run, in place of sources: the key is their name in stored runs, the value the words."""


def source_text(tally: SourceTally | None, total: int | None = None) -> str:
    """Return the result of a source, for use after its name; `total` is the number of records that it reports."""
    match outcome_of(tally):
        case "waiting":
            return "has not answered"
        case "not asked":
            text = "was not asked"
        case "failed":
            text = "failed"
        case "stopped":
            after = f"after {counted(tally.found, 'record')}" if tally and tally.found else "before it answered"
            return f"was stopped {after}"
        case "empty":
            return "answered with no records"
        case outcome:
            count = tally.found if tally else 0
            records = counted(count, "record") if total is None else f"{count:,} of {counted(total, 'record')}"
            text = f"answered {'in part, ' if outcome == 'partial' else ''}with {records}"
    reason = _reason(tally)
    return f"{text} ({reason})" if reason else text


def source_count(tally: SourceTally | None, records: int | None = None) -> str:
    """Return the same in a word: the number of records, or of distinct `records`, or why there are none."""
    count = (tally.found if tally else 0) if records is None else records
    match outcome_of(tally):
        case "waiting":
            return "not answered"
        case "not asked" | "failed" | "stopped" as outcome:
            return outcome
        case "partial":
            return f"{count} in part"
    return str(count)


def counts_text(tallies: Mapping[str, SourceTally], records: Mapping[str, int] | None = None) -> str:
    """Return the result of each source that was asked, as in `openalex 12, arxiv 0, pubmed failed`: its distinct
    `records`, if known, else the sum of its lists."""
    distinct: Mapping[str, int] = {name: tally.found for name, tally in tallies.items()} if records is None else records
    parts = (f"{name} {source_count(tally, distinct.get(name, 0))}" for name, tally in tallies.items() if tally.asked)
    return ", ".join(parts) or "not asked"


def _reason(tally: SourceTally | None) -> str:
    """Return why a source failed, or was not asked."""
    return _inside(tally.error) if tally and tally.error else ""


def _inside(error: str) -> str:
    return inside(error.removeprefix("was not asked: "))


def nothing_found(tallies: Mapping[str, SourceTally]) -> str:
    """Say that no papers were found, and by which sources."""
    if none_answered(tallies):
        return "no papers found, because no source answered"
    incomplete = any(tally.state in ("failed", "stopped", "partial") for tally in services_of(tallies).values())
    return "no papers found" + (" by the sources that answered" if incomplete else "")


def is_out_of_time(state: "Searching") -> bool:
    """Whether the time of a run was up before it was complete."""
    return state.finished is not None and state.finished.ending == "budget"


def is_unanswered(state: "Searching") -> bool:
    """Whether a run without papers proves nothing: no source answered, or the time was up before a search."""
    tallies = state.findings.sources
    return none_answered(tallies) or (is_out_of_time(state) and not any(tally.asked for tally in tallies.values()))


def nothing_found_text(state: "Searching", hint: str) -> str:
    """Return why a run has no papers and what to do; `hint` is the advice if sources answered."""
    tallies = state.findings.sources
    if is_unanswered(state) and not none_answered(tallies):
        return "the time was up before anything was searched; give more --seconds, or none."
    return f"{nothing_found(tallies)}{'' if none_answered(tallies) else hint}."


def no_answer_text(state: "SearchState") -> str:
    """Return why a search does not answer its question, and what to try; "" if it found a relevant paper."""
    if not state.shown:
        one_paper = state.started is not None and sole_identifier(state.started.question)
        return nothing_found_text(state, "; check it for a typo" if one_paper else "; try other words or wider dates")
    if not state.included:
        return "no relevant paper found; listed are the closest matches. Try other words, wider dates or more sources."
    return ""


def not_chosen_text(findings: Findings) -> str:
    """Say which sources were skipped because they do not fit the question; "" if none was."""
    names = ", ".join(findings.not_chosen)
    hint = "--source NAME asks only the named source"
    return f"skipped (not for this kind of question): {names}; {hint}." if names else ""


def off_texts(findings: Findings, names: Collection[str]) -> list[str]:
    """Say why sources that the person named (`names`) are off and were sent nothing."""
    return [f"{name} {source_text(findings.sources[name])}." for name in findings.off if name in names]


def troubles(findings: Findings) -> list[str]:
    """Return what failed in a run and why: the model, then sources that failed, then those that answered in part,
    then other warnings."""
    # The consequence comes first, because the reason can be long.
    model = [
        f"{TOOK_OVER} {model_failure.removesuffix(TOOK_OVER).rstrip()}" for model_failure in findings.model_failures
    ]
    tallies = {name: findings.sources[name] for name in findings.failed_sources}
    faulty, stopped = (
        [name for name, tally in tallies.items() if outcome_of(tally) == outcome] for outcome in ("failed", "stopped")
    )
    sources = [failed_sources_text({name: tallies[name].error or "" for name in faulty})] if faulty else []
    for objects, answered in (("", False), (" all queries", True)):
        if names := [name for name in stopped if bool(tallies[name].found) == answered]:
            sources.append(f"Stopped before {listed(names)} answered{objects}.")
    sources += [f"{name} {source_text(tally)}." for name, tally in tallies.items() if name not in (*faulty, *stopped)]
    return [*model, *sources, *(warning for warning in findings.warnings if warning not in findings.model_failures)]


def failed_sources_text(reasons: Mapping[str, str]) -> str:
    """Say which sources failed and why, each reason once."""
    # In "cannot be reached at HOST; is this machine online?" the advice may be the same for all. It comes first,
    # because the end may be cut.
    parts = [_inside(reason).partition("; ") for reason in reasons.values()]
    advice = dict.fromkeys(f"; {hint}" for _, _, hint in parts if hint)
    facts = "; ".join(dict.fromkeys(fact for fact, _, _ in parts if fact))
    return f"{listed([*reasons])} failed{''.join(advice)}{f' ({facts})' if facts else ''}."


def abstract_sentence(outcome: "AbstractFound") -> str:
    """Say where an abstract came from, or why there is none, by source."""
    if outcome.by:
        return f"The abstract came from {outcome.by}."
    without, unknown = listed(outcome.without), listed(outcome.unknown)
    parts = [f"{without} {'has' if len(outcome.without) == 1 else 'have'} no abstract of this paper"] if without else []
    parts += [f"{unknown} {'does' if len(outcome.unknown) == 1 else 'do'} not have the paper"] if unknown else []
    parts += [f"{source} failed ({why.rstrip('.')})" for source, why in outcome.silent]
    return f"No abstract was found: {'; '.join(parts)}." if parts else "No source in use can look up this paper."
