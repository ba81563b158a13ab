"""The messages of the agents of a recommendation, in words that a person can check."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from agents.recommendation.events import (
    CandidateAligned,
    CandidatesRanked,
    CandidatesRecalled,
    ContextRead,
    ContextSummarized,
    GroundsLookedUp,
    InterestsUnderstood,
    ProfileLine,
    RecommendationFinished,
    RecommendationStarted,
    RecommendationState,
)
from agents.run.events import JudgedBy, PaperFound
from agents.taste.records import HistoryPaper
from cache.conditions.wording import quoted
from connectors.paper import WorkId
from connectors.records.visible import shortened
from spar_tui.math_text import shown_title, title_text
from spar_tui.phrases import counted, papers_text
from spar_tui.recommendation_phrases import DONE, WAYS, act_text, against_texts, ground_text, reasons
from spar_tui.reports.board_log import BY, run_event_text

_FACETS = {"like": "you like", "dislike": "you do not want", "expect": "you expect"}
_TOLD = 5
"""Number of papers of the history that are named; `--json` has all."""


def trace(state: RecommendationState) -> list[tuple[str, list[str]]]:
    """Return what each agent said of the person, of the shown papers and of their order: its name, and lines."""
    parts: list[tuple[str, list[str]]] = []
    if state.context:
        parts.append(("User context", context_lines(state.context, state)))
    if state.recalled:
        parts.append(("Recall", [recalled_text(state.recalled)]))
    if state.understood:
        parts.append((f"User Understanding, by {BY[state.understood.by]}", understood_lines(state.understood)))
    shown = [state.aligned[placed.work] for placed in state.shown if placed.work in state.aligned]
    if shown:
        lines = [
            line for rank, aligned in enumerate(shown, start=1) for line in aligned_lines(aligned, state, f"{rank}. ")
        ]
        parts.append((f"NLI alignment, by {_by(*(aligned.by for aligned in shown))}", lines))
    if state.summarized:
        lines = summarized_lines(state.summarized, state)
        parts.append((f"Context Summary, by {BY[state.summarized.by]}", lines))
    if state.ranked:
        parts.append((f"Item Ranker, by {BY[state.ranked.by]}", ranked_lines(state.ranked, state)))
    return parts


def message_text(event: Any, state: RecommendationState) -> str:
    """Format a message on one line; `state` is the recommendation with all its messages."""
    match event:
        case RecommendationStarted():
            return started_text(event, state)
        case ContextRead():
            return "; ".join(context_lines(event, state))
        case CandidatesRecalled():
            return recalled_text(event)
        case InterestsUnderstood():
            return "; ".join(understood_lines(event)) or "nothing was found about what you like"
        case CandidateAligned():
            title = shortened(state.findings.papers[state.findings.work(event.work)].title)
            rests = [ground_text(state.history, ground) for ground in event.grounds[:1]] + against_texts(state, event)
            return "; ".join([f"“{title}”: {event.alignment}", *rests])
        case GroundsLookedUp(work, grounds):
            title = shortened(state.findings.papers[state.findings.work(work)].title)
            return "; ".join([f"“{title}”", *(ground_text(state.history, ground) for ground in grounds)])
        case ContextSummarized():
            return "; ".join(summarized_lines(event, state))
        case CandidatesRanked():
            return "; ".join(ranked_lines(event, state))
        case RecommendationFinished(seconds):
            return f"finished after {seconds:.1f} s"
        case PaperFound(_, paper):
            return f"“{shortened(title_text(paper))}” ({paper.id}) is a candidate"
    return run_event_text(event)


def started_text(started: RecommendationStarted, state: RecommendationState) -> str:
    """Say what was requested."""
    if started.start:
        named = [f"“{shortened(state.history[number].title)}”" for number in started.start if number in state.history]
        whence = f"from {', '.join(named)}" if named else f"from {papers_text(len(started.start))}"
    elif started.tag is not None:
        whence = f"from the saved papers with the tag {started.tag}"
    else:
        whence = f"from the landmarks of “{started.field}”" if started.field else "from the whole reading history"
    new = f", only what came after {started.new_since.astimezone():%Y-%m-%d %H:%M}" if started.new_since else ""
    model = f"with the model {started.model}" if started.model else "without a model"
    return f"at most {papers_text(started.limit)}, {whence}{new}, {model}"


def context_lines(context: ContextRead, state: RecommendationState) -> list[str]:
    """Say what is known of the person: how much, the heaviest papers with their interactions, and what is unwanted."""
    lines = [f"{papers_text(context.papers)} of your history, {counted(len(context.groups), 'subject')}"]
    lines += [f"{paper.weight:.2f}  {_paper(paper)}" for paper in context.history[:_TOLD]]
    if context.papers > _TOLD:
        lines.append(f"and {context.papers - _TOLD:,} more with at most this weight")
    now = [_title(number, state) for number in context.session if number in state.history]
    lines += [f"in this session: {', '.join(now[:_TOLD])}"] if now else []
    lines += [f"not wanted: {_paper(paper, against=True)}" for paper in context.unwanted[:_TOLD]]
    return lines + [_line(line) for line in context.lines]


def recalled_text(recalled: CandidatesRecalled) -> str:
    """Say how many candidates there are, and where they come from; one may come from several places."""
    ways = Counter(method for candidate in recalled.candidates for method in candidate.ways)
    parts = ", ".join(f"{ways[method]:,} {text}" for method, text in WAYS.items() if ways[method])
    several = "; some in several ways" if sum(ways.values()) > len(recalled.candidates) else ""
    candidates = f"{counted(len(recalled.candidates), 'candidate')} of {recalled.known:,} known papers"
    return f"{candidates}: {parts}{several}" if parts else candidates


def understood_lines(understood: InterestsUnderstood) -> list[str]:
    """Say what the person likes, does not want and expects, each with its number of papers."""
    now = [f"now you seem to look for {understood.now}"] if understood.now else []
    return [*map(_line, understood.lines), *now]


def aligned_lines(aligned: CandidateAligned, state: RecommendationState, before: str = "") -> list[str]:
    """Say how well a candidate fits, and why."""
    paper = state.findings.papers[state.findings.work(aligned.work)]
    lines = [f"{before}{aligned.score:.2f} {aligned.alignment}  “{shortened(title_text(paper))}”"]
    ways = ways_text(aligned.work, state)
    rests = [ground_text(state.history, ground) + f" ({ground.support:.0%})" for ground in aligned.grounds]
    if aligned.reason:
        rests.insert(0, ("" if not aligned.unproven else "not proven by the paper: ") + aligned.reason)
    rests += against_texts(state, aligned)
    return lines + [f"   {line}" for line in [*rests, f"found: {ways}" if ways else ""] if line]


def summarized_lines(summarized: ContextSummarized, state: RecommendationState) -> list[str]:
    """Say which candidates were accepted, and what they are about."""
    accepted = summarized.accepted
    scores = [state.aligned[work].score for work in accepted if work in state.aligned]
    if all(score >= summarized.threshold for score in scores):
        first = f"{counted(len(accepted), 'candidate')} accepted, each with {summarized.threshold:.2f} or more"
    else:
        first = f"the best {counted(len(accepted), 'candidate')} accepted, because few reach {summarized.threshold:.2f}"
    themes = [f"{theme.name}: {papers_text(len(theme.works))}, {theme.salience:.0%}" for theme in summarized.themes]
    return [first, *themes]


LESS_COMMON = "ordered by alignment, minus what a candidate has in common with all accepted ones"


def ranked_lines(ranked: CandidatesRanked, state: RecommendationState) -> list[str]:
    """Describe the order of the candidates, and what moved those that are shown."""
    against = len(ranked.ranking) - len([placed for placed in ranked.ranking if not state.contradicts(placed.work)])
    left_out = f", {against:,} of them left out because you do not want such papers" if against else ""
    moved = [f"{rank}. {reasons(state, placed)[-1]}" for rank, placed in enumerate(state.shown, start=1) if placed.why]
    first = f"{counted(len(ranked.ranking), 'candidate')} in order{left_out}, {len(state.shown):,} shown"
    by_rule = ranked.by == "built-in" and state.summarized is not None and state.summarized.common
    return [first, *([LESS_COMMON] if by_rule else []), *moved]


def ways_text(work: WorkId, state: RecommendationState) -> str:
    """Say how a candidate was found; "" if it was not recalled."""
    candidates = state.recalled.candidates if state.recalled else ()
    return ", ".join(WAYS[method] for candidate in candidates if candidate.work == work for method in candidate.ways)


def _paper(paper: HistoryPaper, against: bool = False) -> str:
    key = f" ({paper.key})" if paper.key else ""
    acts = [DONE[act] for act in paper.acts if act in DONE]
    done = act_text(paper.acts, against) if against else ", ".join(acts)
    return f"“{shortened(shown_title(paper.title))}”{key}" + (f": you {done} it" if done else "")


def _title(number: int, state: RecommendationState) -> str:
    return f"“{shortened(state.history[number].title)}”"


def _line(line: ProfileLine) -> str:
    if line.number is not None:
        return f"{_FACETS[line.facet]} {quoted([line.text])}, in your own words"
    return f"{_FACETS[line.facet]} {line.text}" + (f" ({papers_text(len(line.papers))})" if line.papers else "")


def _by(*several: JudgedBy) -> str:
    return " and ".join(BY[author] for author in dict.fromkeys(several))


def who_reasoned(state: RecommendationState) -> Sequence[str]:
    """Return the agents that have finished so far, and how each reasons."""
    parts = []
    if state.understood:
        parts.append(f"what you like, by {BY[state.understood.by]}")
    if state.aligned:
        parts.append(f"what fits, by {_by(*sorted({aligned.by for aligned in state.aligned.values()}, reverse=True))}")
    if state.summarized:
        parts.append(f"what it is about, by {BY[state.summarized.by]}")
    if state.ranked:
        parts.append(f"the order, by {BY[state.ranked.by]}")
    return parts
