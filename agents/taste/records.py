"""Records in events: papers of the person's history, and what other papers share with them."""

from dataclasses import dataclass

from agents.run.events import Link


@dataclass(frozen=True, slots=True)
class HistoryPaper:
    """A paper that the person interacted with: the interactions, and their weight today, from 0 to 1. `number` is
    its number in the library, `id` its name, `key` its citation key, if any."""

    number: int
    id: str
    title: str
    year: int | None = None
    weight: float = 1.0
    acts: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a candidate shares with a paper of the history: words that occur in both, and links.

    With `references` the candidate cites the paper, with `citations` the paper cites it; `shared_references` counts the
    works that both cite. `keywords` are those that sources gave to both. `support` is the paper's share in the
    candidate's score. If `looked_up` is False, the shared words and links are not known yet.

    If the ground is one of the person's own lines, `line` is its text and `number` is 0.
    """

    number: int
    support: float
    words: tuple[str, ...] = ()
    link: Link | None = None
    shared_references: int = 0
    keywords: tuple[str, ...] = ()
    line: str = ""
    looked_up: bool = True
