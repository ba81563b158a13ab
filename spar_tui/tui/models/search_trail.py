"""How a search found its papers, as a tree: queries, their sources, papers and their references."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from agents.run.events import SourceAnswered
from agents.run.findings import outcome_of, tally_of
from agents.search.events import ReferencesFollowed
from agents.search.state import SearchState, is_relevant
from connectors.paper import WorkId
from spar_tui.math_text import title_text
from spar_tui.phrases import AIMS, counted, evolved_aim, read_back, sentence
from spar_tui.source_phrases import source_count, source_text

Tone = Literal["query", "source", "paper", "links", "quiet", "folded", "trouble", "facet", "gone"]
MOST_PAPERS = 6
"""Most papers to show under one source or seed; the list beside the tree has all of them."""
_SHARED_WORDS = 2
_SHOWN_SECONDS = 0.05
"""A faster answer came from this machine, so its time is not shown."""
_Way = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of the tree. `key` stays the same while the search goes on; `work` is the node's paper, if any."""

    key: str
    label: str
    tone: Tone
    children: "tuple[Branch, ...]" = ()
    work: WorkId | None = None
    note: str = ""
    pair: tuple[str, str] = ("", "")
    """The source and the query of the node; the source is "" for the node of a query."""


def trail(state: SearchState) -> tuple[Branch, ...]:
    """Return the whole tree, with queries in the order in which they were asked."""
    followed: dict[int, dict[str, ReferencesFollowed]] = defaultdict(dict)
    for expansion in state.followed:
        if expansion.new:  # the others found nothing new
            of_seed = followed[state.work(expansion.seed)]
            before = of_seed.get(expansion.link, replace(expansion, listed=0, new=0))
            listed, new = max(before.listed, expansion.listed), before.new + expansion.new
            of_seed[expansion.link] = replace(expansion, listed=listed, new=new)
    growing = _Growing(state, _first_ways(state), _lists(state), followed)
    return tuple(growing.query(query, sources) for query, sources in _queries(state).items())


def branch_told(state: SearchState, branch: Branch) -> list[str]:
    """Return paragraphs on a branch: for a query its whole text and its purpose, for sources also their results. The
    sources of a query are branches of their own, except those folded into one."""
    source, query = branch.pair
    if not query:
        candidate = None if branch.work is None else state.found.get(state.work(branch.work))
        return [title_text(candidate.paper) if candidate else branch.label]
    sources = [child.pair[0] for child in branch.children] if branch.tone == "folded" else filter(None, [source])
    answers = [_answer_text(name, state.answered.get((name, query))) for name in sources]
    return [query, *filter(None, [sentence(_aims(state).get(query, ""))]), *answers]


def _answer_text(source: str, answer: SourceAnswered | None) -> str:
    tally = tally_of(answer)
    is_shown = answer and outcome_of(tally) != "not asked" and answer.seconds >= _SHOWN_SECONDS
    took = f" in {answer.seconds:.1f} s" if answer and is_shown else ""
    return f"{source} {source_text(tally)}{took}"


def _queries(state: SearchState) -> dict[str, dict[str, None]]:
    """Return the queries in the order in which they were asked, each with its sources, including skipped ones."""
    sources_of: dict[str, dict[str, None]] = {}
    for wanted in state.planned:
        sources_of.setdefault(wanted.query, {})[wanted.source] = None
    for source, query in sorted(state.answered):
        if query in sources_of:
            sources_of[query][source] = None
    return sources_of


def _aims(state: SearchState) -> dict[str, str]:
    """Return the purpose of each query."""
    chosen = [query for after in reversed(state.evolved) for query in reversed(after.queries) if query.chosen]
    aims = {query.query: evolved_aim(query, state) for query in chosen}
    return aims | dict(read_back(state.understood).queries if state.understood else ())


class _Growing:
    """Builds the branches of the tree from a search's state."""

    def __init__(
        self,
        state: SearchState,
        papers: Mapping[_Way, list[WorkId]],
        lists: Counter[_Way],
        followed: Mapping[int, Mapping[str, ReferencesFollowed]],
    ) -> None:
        self.state, self.papers, self.lists, self.followed = state, papers, lists, followed
        chosen = [query for after in reversed(state.evolved) for query in reversed(after.queries) if query.chosen]
        self.origins = {query.query: AIMS[query.direction] for query in chosen}
        self.scores = {candidate.work: candidate.score for candidate in state.ranking}

    def score(self, work: WorkId) -> float:
        """Return the score that the list shows for `work`."""
        return self.scores.get(work, self.state.relevance(work))

    def query(self, query: str, names: Iterable[str]) -> Branch:
        branches: list[Branch] = []
        unasked: list[Branch] = []
        for source in names:
            group = (
                unasked if outcome_of(tally_of(self.state.answered.get((source, query)))) == "not asked" else branches
            )
            group.append(self.source(source, query))
        if len(unasked) > 1:  # one line for all sources that were not asked
            unasked = [Branch(f"n:{query}", f"{len(unasked)} not asked", "folded", tuple(unasked), pair=("", query))]
        question = self.state.started.question if self.state.started else ""
        label, note = _without_shared_words(query, question), self.origins.get(query, "")
        return Branch(f"q:{query}", label, "query", (*branches, *unasked), note=note, pair=("", query))

    def source(self, source: str, query: str) -> Branch:
        key = f"s:{source}:{query}"
        answer = self.state.answered.get((source, query))
        tally, pair = tally_of(answer), (source, query)
        outcome, count = outcome_of(tally), source_count(tally)
        if outcome == "waiting":
            return Branch(key, source, "source", note="waiting…" if not self.state.finished else count, pair=pair)
        if outcome in ("failed", "stopped", "not asked"):
            tone: Tone = "trouble" if outcome == "failed" else "quiet"
            return Branch(key, source, tone, note=source_text(tally), pair=pair)
        works = self.papers.get((source, query), [])
        good = [work for work in works if is_relevant(self.state.relevance(work))]
        listed = self.lists[(source, query)]
        note = f"{count} → {len(works)} new" if 0 < len(works) < listed else count
        note += f" → {len(good)} ✔" if good else ""
        note += f"  {answer.seconds:.1f} s" if answer and answer.seconds >= _SHOWN_SECONDS else ""
        return Branch(key, source, "source", self.some(key, works, ()), note=note, pair=pair)

    def some(self, key: str, works: Iterable[WorkId], above: tuple[WorkId, ...]) -> tuple[Branch, ...]:
        """Return the relevant and the followed `works`, followed and best first, and the number of others."""
        worth = [
            work
            for work in works
            if work not in above and (work in self.followed or is_relevant(self.state.relevance(work)))
        ]
        worth.sort(key=lambda work: (work not in self.followed, -self.score(work), work))
        shown = tuple(self.paper(key, work, above) for work in worth[:MOST_PAPERS])
        more = len(worth) - len(shown)
        return (*shown, Branch(f"{key}:more", f"{more} more", "quiet")) if more else shown

    def paper(self, key: str, work: WorkId, above: tuple[WorkId, ...]) -> Branch:
        links = tuple(self.links(expansion, (*above, work)) for expansion in self.followed.get(work, {}).values())
        paper = self.state.found[work].paper
        return Branch(f"{key}:p{work}", title_text(paper), "paper", links, work, f"{self.score(work):.2f}")

    def links(self, followed: ReferencesFollowed, above: tuple[WorkId, ...]) -> Branch:
        seed = self.state.work(followed.seed)
        key = f"l:{followed.link}:{seed}"
        works = self.papers.get((followed.link, seed), [])
        words = counted(followed.listed, "reference" if followed.link == "references" else "citing paper")
        shown = self.some(key, works, above)
        return Branch(key, words, "links", shown, note=f"→ {followed.new} new")


def _without_shared_words(query: str, question: str) -> str:
    """Return `query` without a long beginning that it shares with the question, so that queries differ where there is
    little room."""
    shared = 0
    words, question_words = query.split(), question.split()
    while shared < min(len(words), len(question_words)) and words[shared].lower() == question_words[shared].lower():
        shared += 1
    rest = " ".join(words[shared:])
    return f"… {rest}" if shared >= _SHARED_WORDS and rest else query


def _lists(state: SearchState) -> Counter[_Way]:
    """Return how many works each source's list for each query has."""
    return Counter(
        pair
        for candidate in state.found.values()
        for pair in {(finding.source, finding.query) for finding in candidate.found_by if finding.link is None}
    )


def _first_ways(state: SearchState) -> dict[_Way, list[WorkId]]:
    """Return the works by the query or link that found each first."""
    ways: dict[_Way, list[WorkId]] = defaultdict(list)
    for work in state.works:
        candidate = state.found[work]
        if candidate.found_by:
            finding = candidate.found_by[0]
            of = None if finding.link_of is None else state.work(finding.link_of)
            ways[(finding.source, finding.query) if finding.link is None else (finding.link, of)].append(work)
    return ways
