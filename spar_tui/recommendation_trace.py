"""The messages of the agents of a recommendation, in words that a person can check."""

from collections import Counter
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
from agents.run.events import PaperFound
from agents.taste.records import HistoryPaper
from cache.conditions.wording import quoted
from connectors.paper import WorkId
from connectors.records.visible import shortened
from spar_tui.math_text import shown_title, title_text
from spar_tui.phrases import counted, papers_text, reason_text
from spar_tui.recommendation_phrases import DONE, WAYS, act_text, against_texts, ground_text, reasons
from spar_tui.reports.board_log import BY, run_event_text

_FACETS = {"like": "you like", "dislike": "you do not want", "expect": "you expect"}
_MOST_PAPERS = 5
"""Number of papers of the history that are named; `--json` has all."""


def trace(state: RecommendationState) -> list[tuple[str, list[str]]]:
    """Return what each agent said of the person, of the shown papers and of their order: its name, and lines."""
    alignments = [state.aligned[placed.work] for placed in state.shown if placed.work in state.aligned]
    aligned = [line for rank, alignment in enumerate(alignments, 1) for line in _aligned(alignment, state, f"{rank}. ")]
    parts: list[tuple[str, Any]] = [
        ("User context", state.context),
        ("Recall", state.recalled),
        (f"User Understanding, by {_by(state.understood)}", state.understood),
        (f"NLI alignment, by {_by(*alignments)}", aligned),
        (f"Context Summary, by {_by(state.summarized)}", state.summarized),
        (f"Item Ranker, by {_by(state.ranked)}", state.ranked),
    ]
    return [(name, part if part is aligned else event_lines(part, state)) for name, part in parts if part]


def message_text(event: Any, state: RecommendationState) -> str:
    """Return a message of an agent as one line; `state` is the whole recommendation."""
    return "; ".join(map(str.strip, event_lines(event, state)))


def event_lines(event: Any, state: RecommendationState) -> list[str]:
    """Return the lines of a message of an agent; `state` is the whole recommendation."""
    match event:
        case RecommendationStarted():
            return [_request_text(event, state)]
        case ContextRead():
            return _context(event, state)
        case CandidatesRecalled():
            return [recalled_text(event)]
        case InterestsUnderstood(lines):
            now = [f"now you seem to look for {event.now}"] if event.now else []
            return [*map(_line, lines), *now] or ["nothing was found about what you like"]
        case CandidateAligned():
            return _aligned(event, state)
        case GroundsLookedUp(work, grounds):
            title = shortened(state.findings.papers[state.findings.work(work)].title)
            return [f"“{title}”", *(ground_text(state.history, ground) for ground in grounds)]
        case ContextSummarized():
            return _summarized(event, state)
        case CandidatesRanked():
            return _ranked(event, state)
        case RecommendationFinished(seconds):
            return [f"finished after {seconds:.1f} s"]
        case PaperFound(_, paper):
            return [f"“{shortened(title_text(paper))}” ({paper.id}) is a candidate"]
    return [run_event_text(event)]


def _request_text(request: RecommendationStarted, state: RecommendationState) -> str:
    """Say what was requested."""
    if request.start:
        titles = [f"“{shortened(state.history[number].title)}”" for number in request.start if number in state.history]
        origin = f"from {', '.join(titles) or papers_text(len(request.start))}"
    elif request.tag is not None:
        origin = f"from the saved papers with the tag {request.tag}"
    else:
        origin = f"from the landmarks of “{request.field}”" if request.field else "from the whole reading history"
    new = f", only what came after {request.new_since.astimezone():%Y-%m-%d %H:%M}" if request.new_since else ""
    model = f"with the model {request.model}" if request.model else "without a model"
    return f"at most {papers_text(request.limit)}, {origin}{new}, {model}"


def _context(context: ContextRead, state: RecommendationState) -> list[str]:
    """Say what is known of the person: how much, the heaviest papers with their interactions, and what is unwanted."""
    lines = [f"{papers_text(context.papers)} of your history, {counted(len(context.groups), 'subject')}"]
    lines += [f"{paper.weight:.2f}  {_paper(paper)}" for paper in context.history[:_MOST_PAPERS]]
    if context.papers > _MOST_PAPERS:
        lines.append(f"and {context.papers - _MOST_PAPERS:,} more with at most this weight")
    titles = [f"“{shortened(state.history[number].title)}”" for number in context.session if number in state.history]
    lines += [f"in this session: {', '.join(titles[:_MOST_PAPERS])}"] if titles else []
    lines += [f"not wanted: {_paper(paper, against=True)}" for paper in context.unwanted[:_MOST_PAPERS]]
    return [*lines, *map(_line, context.lines)]


def recalled_text(recalled: CandidatesRecalled) -> str:
    """Say how many candidates there are, and where they come from; one may come from several places."""
    methods = Counter(method for candidate in recalled.candidates for method in candidate.ways)
    parts = ", ".join(f"{methods[method]:,} {text}" for method, text in WAYS.items() if methods[method])
    several = "; some in several ways" if sum(methods.values()) > len(recalled.candidates) else ""
    candidates = f"{counted(len(recalled.candidates), 'candidate')} of {recalled.known:,} known papers"
    return f"{candidates}: {parts}{several}" if parts else candidates


def _aligned(aligned: CandidateAligned, state: RecommendationState, before: str = "") -> list[str]:
    """Say how well a candidate fits, and why."""
    title = shortened(title_text(state.findings.papers[state.findings.work(aligned.work)]))
    ways = ways_text(aligned.work, state)
    reasons = [reason_text(aligned.reason, not aligned.unproven)] if aligned.reason else []
    reasons += [f"{ground_text(state.history, ground)} ({ground.support:.0%})" for ground in aligned.grounds]
    reasons += [*against_texts(state, aligned), *([f"found: {ways}"] if ways else [])]
    return [f"{before}{aligned.score:.2f} {aligned.alignment}  “{title}”", *(f"   {reason}" for reason in reasons)]


def _summarized(summarized: ContextSummarized, state: RecommendationState) -> list[str]:
    """Say which candidates were accepted, and what they are about."""
    accepted = summarized.accepted
    scores = [state.aligned[work].score for work in accepted if work in state.aligned]
    if all(score >= summarized.threshold for score in scores):
        first = f"{counted(len(accepted), 'candidate')} accepted, each with {summarized.threshold:.2f} or more"
    else:
        first = f"the best {counted(len(accepted), 'candidate')} accepted, because few reach {summarized.threshold:.2f}"
    themes = [f"{theme.name}: {papers_text(len(theme.works))}, {theme.salience:.0%}" for theme in summarized.themes]
    return [first, *themes]


def _ranked(ranked: CandidatesRanked, state: RecommendationState) -> list[str]:
    """Describe the order of the candidates, and what moved those that are shown."""
    against = sum(state.contradicts(placed.work) for placed in ranked.ranking)
    omitted = f", {against:,} of them left out because you do not want such papers" if against else ""
    moved = [f"{rank}. {reasons(state, placed)[-1]}" for rank, placed in enumerate(state.shown, start=1) if placed.why]
    first = f"{counted(len(ranked.ranking), 'candidate')} in order{omitted}, {len(state.shown):,} shown"
    by_rule = ranked.by == "built-in" and state.summarized is not None and state.summarized.common
    rule = "ordered by alignment, minus what a candidate has in common with all accepted ones"
    return [first, *([rule] if by_rule else []), *moved]


def ways_text(work: WorkId, state: RecommendationState) -> str:
    """Say how a candidate was found; "" if it was not recalled."""
    candidates = state.recalled.candidates if state.recalled else ()
    return ", ".join(WAYS[method] for candidate in candidates if candidate.work == work for method in candidate.ways)


def _paper(paper: HistoryPaper, against: bool = False) -> str:
    key = f" ({paper.key})" if paper.key else ""
    verbs_done = [DONE[act] for act in paper.acts if act in DONE]
    verbs = act_text(paper.acts, against) if against else ", ".join(verbs_done)
    return f"“{shortened(shown_title(paper.title))}”{key}" + (f": you {verbs} it" if verbs else "")


def _line(line: ProfileLine) -> str:
    if line.number is not None:
        return f"{_FACETS[line.facet]} {quoted([line.text])}, in your own words"
    return f"{_FACETS[line.facet]} {line.text}" + (f" ({papers_text(len(line.papers))})" if line.papers else "")


def _by(*messages: Any) -> str:
    """Name who wrote the messages."""
    authors = sorted({message.by for message in messages if message}, reverse=True)
    return " and ".join(BY[author] for author in authors)


def who_reasoned(state: RecommendationState) -> list[str]:
    """Return the agents that have finished so far, and how each reasons."""
    subjects: dict[str, list[Any]] = {
        "what you like": [state.understood], "what fits": [*state.aligned.values()],
        "what it is about": [state.summarized], "the order": [state.ranked],
    }  # fmt: skip
    return [f"{subject}, by {_by(*messages)}" for subject, messages in subjects.items() if any(messages)]
