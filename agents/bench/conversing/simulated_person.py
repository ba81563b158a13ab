"""A simulated person (InteRecAgent §4.1), by rules: they look for one paper, refuse others, and reveal more about it.

They write in several natural wordings, drawn by the seed; none was chosen for being understood.
"""

from collections.abc import Sequence

from agents.bench.collections import Document
from agents.bench.conversing.facts import Fact
from agents.bench.judges import chance
from cache.conditions.wording import listed, quoted

TURNS = 5
AT_ONCE = 2
"""Maximum number of new facts per message."""
SHOWN = 5
"""Number of papers that the person looks at per answer."""
BEGINNINGS = (
    "Recommend me five papers.",
    "What should I read next? Five papers, please.",
    "I saved {saved}; recommend me five papers.",
    "Suggest five papers that fit what I have saved.",
)
FIRST_FACTS = (
    "None of these. I am looking for papers {new}.",
    "Not these. Show me five papers {new}.",
    "No, something {new}.",
    "These are not it. It is {new}.",
)
MORE_FACTS = (
    "None of these either. It is also {new}.",
    "Not these. Only those {new}.",
    "Still not it. I am looking for papers {told}.",
    "No. Show me five papers {told}.",
)
NO_MORE = "None of these. Show me five others."
NAMED = 3
"""Maximum number of saved papers that the person names."""


class SimulatedPerson:
    """A simulated person; `saved` is their history, `facts` is what they know of the target paper, in order."""

    def __init__(self, saved: Sequence[Document], facts: Sequence[Fact], *draw: object) -> None:
        self._saved, self._facts, self._draw = saved, facts, draw

    def message(self, turn: int) -> str:
        """Return the message of a turn, from 1; from the second on, the papers shown before were not the target."""
        if turn == 1:
            return drawn(BEGINNINGS, turn, *self._draw).format(
                saved=quoted([document.title for document in self._saved[-NAMED:]])
            )
        facts, before = self.facts_until(turn), self.facts_until(turn - 1)
        if facts == before:
            return NO_MORE
        wording = drawn(MORE_FACTS if before else FIRST_FACTS, turn, *self._draw)
        return wording.format(new=phrase(facts[len(before) :]), told=phrase(facts))

    def facts_until(self, turn: int) -> Sequence[Fact]:
        """Return the facts revealed up to and including a turn."""
        return self._facts[: AT_ONCE * (turn - 1)]


def drawn(wordings: Sequence[str], *draw: object) -> str:
    """Draw one of the wordings."""
    return wordings[int(chance("wording", *draw) * len(wordings))]


def phrase(facts: Sequence[Fact]) -> str:
    """Phrase facts, as in `about coral and sand from 2001 by Lovelace like “Reefs”`."""
    by_kind: dict[str, list[str]] = {}
    for fact in facts:
        by_kind.setdefault("about" if fact.kind in ("word", "keyword") else fact.kind, []).append(fact.text)
    parts = [f"about {listed(by_kind['about'])}"] if "about" in by_kind else []
    parts += [f"by {listed(by_kind['author'])}"] if "author" in by_kind else []
    parts += [f"from {listed(by_kind['year'])}"] if "year" in by_kind else []
    parts += [f"like {quoted(by_kind['like'])}"] if "like" in by_kind else []
    return " ".join(parts)
