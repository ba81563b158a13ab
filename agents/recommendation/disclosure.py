"""The data about a person that a language model gets, and the mapping from its answer back to their papers.

Nothing else leaves the machine, and `DISCLOSED` says it in words. Text by other people is in the prompts only as
`data`; papers have ids, so that an answer can be matched to them.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.builtin.text.excerpts import excerpt
from agents.builtin.text.loose_words import loose_words
from agents.llm.prompt import data
from agents.recommendation.events import ContextRead, HistoryPaper, InterestsUnderstood, ProfileLine
from agents.run.step import numbered, text_of
from connectors.paper import Paper

HISTORY, UNWANTED, LINES, CANDIDATES = 40, 20, 30, 30
"""How many papers of the history, unwanted papers, lines of the person's own and candidates the model hears of."""
ABSTRACT, BRIEF = 600, 300
DISCLOSED = (
    (
        f"the titles of the {HISTORY} papers with the most weight in your history, by subject, with what you did with"
        " each (saved, liked, noted, cited, exported, read, opened, viewed), and which of these in this session"
    ),
    f"the titles of up to {UNWANTED} papers that you do not want",
    f"up to {LINES} lines that you wrote in your profile",
    "a description of your interests: a few words from the titles of each subject, or the model's own",
    (
        f"for the best candidates, {CANDIDATES} at each step: the title, the year and the first {ABSTRACT} letters of"
        " the abstract (of spar's note if there is none); how well each fits; and a few words about their common"
        " subjects"
    ),
)
"""What leaves the machine when something is recommended with a language model."""
NOT_DISCLOSED = "your notes, tags, files, searches or name, or any other paper of the library"
_TITLE = 300
_LINE = 300


@dataclass(frozen=True)
class Told:
    """What the model is told of the person: papers of the history, unwanted papers and lines of their own, by id."""

    history: Mapping[str, HistoryPaper]
    unwanted: Mapping[str, HistoryPaper]
    lines: Mapping[str, ProfileLine]
    subjects: Sequence[Sequence[str]]
    session: frozenset[str]

    @property
    def titles(self) -> dict[str, str]:
        """The titles of the papers, by id."""
        return {name: paper.title for name, paper in (*self.history.items(), *self.unwanted.items())}

    @property
    def ids(self) -> Collection[str]:
        return {*self.history, *self.unwanted, *self.lines}

    def numbers(self, names: Iterable[str]) -> tuple[int, ...]:
        """The papers called `names`, each once, by their numbers in the library; what is none of them is dropped."""
        named = (self.history.get(name) or self.unwanted.get(name) for name in names)
        return tuple(dict.fromkeys(paper.number for paper in named if paper))

    def names(self, numbers: Iterable[int]) -> list[str]:
        """The ids of those of the papers with these numbers that the model knows."""
        ids = {paper.number: name for name, paper in (*self.unwanted.items(), *self.history.items())}
        return [ids[number] for number in numbers if number in ids]

    @property
    def texts(self) -> list[str]:
        """All that can be quoted of it."""
        return [*self.titles.values(), *(line.text for line in self.lines.values())]

    @property
    def listed(self) -> str:
        """The person, as the prompts have them."""
        history = [{"subject": [self._paper(name) for name in subject]} for subject in self.subjects]
        unwanted = [{"id": name, "title": paper.title[:_TITLE]} for name, paper in self.unwanted.items()]
        lines = [{"id": name, "facet": line.facet, "text": line.text[:_LINE]} for name, line in self.lines.items()]
        own = json.dumps(lines, ensure_ascii=False)
        return f"History:\n{data(history)}\n\nUnwanted:\n{data(unwanted)}\n\nOwn lines:\n{own}"

    def _paper(self, name: str) -> dict[str, Any]:
        paper = self.history[name]
        now = {"now": True} if name in self.session else {}
        return {"id": name, "title": paper.title[:_TITLE], "acts": list(paper.acts), **now}


def secret_of(context: ContextRead) -> str:
    """What tells the ids of this person's papers from all others: the history, which no author of a paper knows."""
    return "\n".join(paper.title for paper in context.history)


def told_of(context: ContextRead) -> Told:
    """Return the data about a person that the model gets: the papers with the most weight, and the latest lines."""
    wanted = {paper.number: paper for paper in context.history[:HISTORY]}
    groups = [[number for number in group if number in wanted] for group in context.groups]
    grouped = {number for group in groups for number in group}
    groups.append([number for number in wanted if number not in grouped])
    secret = secret_of(context)
    history = numbered([wanted[number] for group in groups for number in group], "h", secret)
    ids = {paper.number: name for name, paper in history.items()}
    return Told(
        history,
        numbered(context.unwanted[:UNWANTED], "n", secret),
        numbered(context.lines[-LINES:], "l", secret),
        [[ids[number] for number in group] for group in groups if group],
        frozenset(ids[number] for number in context.session if number in ids),
    )


def interests(told: Told, understood: InterestsUnderstood) -> str:
    """m_user as the prompts have it: what was understood from papers that the model has heard of."""
    lines = [
        {"facet": line.facet, "text": line.text[:_LINE], "papers": told.names(line.papers)}
        for line in understood.lines
        if line.by != "person" and told.names(line.papers[:1])
    ]
    return f"Interests:\n{data(lines)}\n\nAfter now:\n{data(understood.now)}"


def described(paper: Paper) -> dict[str, Any]:
    """Return a candidate as the prompt on it alone shows it."""
    return {"title": paper.title[:_TITLE], "year": paper.year, **text_of(paper, ABSTRACT)}


def in_words(name: str, paper: Paper, secret: str) -> dict[str, Any]:
    """Return a candidate as the prompts on several show it: its text must not speak of the others."""
    texts = {"title": paper.title[:_TITLE], "abstract": excerpt(paper.about, BRIEF)}
    return {"id": name, "year": paper.year, **{part: loose_words(text, secret) for part, text in texts.items()}}
